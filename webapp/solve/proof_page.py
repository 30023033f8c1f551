"""Proving a solution shortest, on a server whose owner allows that: for as long as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, send_file, url_for

from webapp.board.cells import cells
from webapp.http.requests import from_htmx, this_code, this_puzzle
from webapp.solve.proofs import RUNNING, AnotherProofError, Proofs
from webapp.workers.distances import Distances
from webapp.workers.services import service

if TYPE_CHECKING:
    from werkzeug import Response as AnyResponse

    from slidewise import Puzzle

blueprint = Blueprint("proof", __name__, url_prefix="/prove/<code>")

NOT_HERE = (
    "This server proves no solutions on request. On your own computer you can: slidewise prove {}"
)


def can_be_proved(puzzle: Puzzle) -> bool:
    """Return whether this server offers to prove a solution of the puzzle shortest."""
    return service(Proofs).allows(puzzle)


@blueprint.before_request
def _only_where_allowed() -> None:
    if not service(Proofs).allows(this_puzzle()):
        abort(404, NOT_HERE.format(this_code()))


@blueprint.get("")
def page() -> Response:
    """Say how far the proof is, and offer what can be done about it."""
    return _told()


@blueprint.post("")
def start() -> AnyResponse:
    """Begin the proof, or go on with it."""
    try:
        service(Proofs).start(this_puzzle())
    except AnotherProofError:
        return _told(409)
    except OSError as error:
        abort(503, f"The proof could not be begun: {error.strerror or error}.")
    return _back()


@blueprint.post("/stop")
def stop() -> AnyResponse:
    """Stop the proof; it can go on later."""
    service(Proofs).stop(this_puzzle())
    return _back()


@blueprint.get("/certificate")
def certificate() -> AnyResponse:
    """Answer with the certificate, for `python -m slidewise.verify`."""
    path = service(Proofs).certificate(this_puzzle())
    if not path.exists():
        abort(404, "There is no certificate yet: it is written when the proof has ended.")
    return send_file(path.absolute(), as_attachment=True, download_name="certificate.json")


def _back() -> AnyResponse:
    if from_htmx():
        return _told()
    return redirect(url_for("proof.page", code=this_code()), code=303)


def _told(code: int = 200) -> Response:
    proofs, puzzle = service(Proofs), this_puzzle()
    proof, other = proofs.status(puzzle), proofs.under_way()
    if proof and proof.get("moves"):  # other pages say no less from now on
        service(Distances).remember_proof(puzzle, proof["moves"], proof["lower_bound"])
    running = proof is not None and proof["state"] in RUNNING
    html = render_template(
        "solve/_proving.html" if from_htmx() else "solve/prove.html",
        puzzle=puzzle,
        cells=cells(puzzle.start, puzzle.goal),
        code=this_code(),
        proof=proof,
        running=running,
        other=None if other == this_code() else other,
        hours=proofs.hours,
    )
    return Response(html, code)
