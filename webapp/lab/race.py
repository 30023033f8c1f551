"""The lab's race: several searches on one board, streamed into one table."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.datastructures import MultiDict

from slidewise import Comparison, PuzzleError, parse_board, parse_puzzle, scramble
from slidewise.solver.events import Finished
from slidewise.solver.known import from_table
from slidewise.text import sentence
from webapp.board.cells import cells
from webapp.http import sse
from webapp.http.busy import TooManySearches
from webapp.http.errors import error_response, wait_and_retry
from webapp.http.requests import from_htmx, this_puzzle
from webapp.http.responses import download, uncached
from webapp.http.visitor import this_visitor
from webapp.lab.presets import PRESETS, preset_of
from webapp.lab.running import Race, Races, begin, replacing, stream
from webapp.lab.selection import MAX_RUNS, SECONDS, Selection, choices_shown, read_selection
from webapp.lab.table import Standings
from webapp.play.last_game import read_last
from webapp.workers import jobs
from webapp.workers.distances import Distances
from webapp.workers.one_after_another import LostError
from webapp.workers.services import service

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from werkzeug import Response as AnyResponse

    from slidewise import Puzzle, SearchSpec
    from slidewise.solver.compare import Choice
    from webapp.lab.presets import Preset

blueprint = Blueprint("lab", __name__, url_prefix="/lab")
blueprint.register_error_handler(TooManySearches, wait_and_retry)

FIELDS = {"run", "more", "order", "seconds", "weight", "lanes", "size", "boards", "moves", "seed"}
"""What the forms of the lab send."""

EXAMPLE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
"""The board of the lab where there is no game to go on with."""


LOOKUP_SECONDS = 2.0
"""How long a race waits for the exact table, which the first look-up of all has to make."""


@blueprint.get("")
def home() -> AnyResponse:
    """Go to the lab of the game last left unfinished, else of an example."""
    puzzle = read_last() or parse_puzzle(EXAMPLE)
    return uncached(redirect(url_for("lab.page", code=str(puzzle))))


@blueprint.get("/<code>")
def page() -> AnyResponse | str:
    """Show the race of `run`; with `go` run it first, which is what happens without JavaScript."""
    puzzle = this_puzzle()
    if "board" in request.args:  # from the Solve card, which solves from where the player is
        here = puzzle.starting_at(parse_board(request.args["board"], puzzle.start.size))
        return redirect(url_for("lab.page", code=str(here)))
    try:
        selection = read_selection(puzzle, request.args)
    except PuzzleError as error:
        return Response(_page(None, sentence(str(error))), 400)
    plain = {**selection.link, **({"go": "1"} if "go" in request.args else {})}
    if "run" in request.args and MultiDict(plain) != request.args:
        # mypy takes the fields for url_for's own options, such as _anchor
        return redirect(url_for("lab.page", code=str(puzzle), **plain))  # type: ignore[arg-type]
    return _page(selection, results=_results(selection) if "go" in request.args else None)


@blueprint.get("/<code>/another")
def another() -> AnyResponse:
    """Go to the race of the same searches on another board, drawn at random."""
    puzzle = this_puzzle()
    drawn = scramble(puzzle.rows, puzzle.cols, secrets.token_hex(8), puzzle.goal)
    fields = read_selection(drawn, request.args).link if "run" in request.args else {}
    # mypy takes the fields for url_for's own options, such as _anchor
    return uncached(redirect(url_for("lab.page", code=str(drawn), **fields)))  # type: ignore[arg-type]


@blueprint.get("/<code>.csv")
def as_csv() -> Response:
    """Answer with the table as CSV, in the columns of `slidewise compare --csv`."""
    return download(_comparison().as_csv(), "text/csv", _file_name("csv"))


@blueprint.get("/<code>.json")
def as_json() -> Response:
    """Answer with the table and the paths as JSON, as `slidewise compare --json` does."""
    text = f"{json.dumps(_comparison().as_json())}\n"
    return download(text, "application/json", _file_name("json"))


@blueprint.post("/<code>/race")
def race() -> AnyResponse:
    """Run the race, as a stream of what changes in the page."""
    puzzle = this_puzzle()
    if not from_htmx():
        return redirect(url_for("lab.page", code=str(puzzle), **as_typed()), 303)
    selection = read_selection(puzzle, request.form)
    service(Races).stop(request.form.get("race", "")[:64])  # the page's last, which this replaces
    replacing(jobs.check_can_start)
    # looked up before: beside the first search it would take that one's time
    table = _standings(puzzle, selection, LOOKUP_SECONDS)
    begun = begin(selection.specs(puzzle), selection.lanes)
    service(Races).enter(begun)
    return stream(begun, _stream(begun, table, selection.specs(puzzle)))


@blueprint.post("/<code>/race/stop")
def stop() -> AnyResponse:
    """Stop the race that the page was given; its stream then ends with what is known."""
    service(Races).stop(request.form.get("race", "")[:64])
    if from_htmx():
        return Response(status=204)
    return redirect(url_for("lab.page", code=str(this_puzzle())), 303)


def as_typed() -> dict[str, Any]:
    """Return the fields of the form, for the link to the page that runs them."""
    fields = request.form.to_dict(flat=False)
    return {**{name: values for name, values in fields.items() if name in FIELDS}, "go": "1"}


@blueprint.errorhandler(LostError)
def lost(error: LostError) -> Response:
    """Answer where a worker has gone."""
    return error_response(500, str(error))


def _stream(begun: Race, table: Standings, specs: Sequence[SearchSpec]) -> Iterator[str]:
    yield _message("began", table, race=begun.id, rows=table.rows)
    for number, event in begun.events():
        if event is None:
            yield sse.HEARTBEAT
            continue
        if isinstance(event, Finished):
            service(Races).remember(specs[number], event.result)
        changed = table.note(number, event)
        if changed:
            yield _message("news", table, rows=changed)
    yield _message("ended", table, rows=table.end(), stopped=begun.stopped)


def _message(kind: str, table: Standings, **what: Any) -> str:
    html = render_template(
        "lab/_race_stream.html",
        kind=kind,
        table=table,
        puzzle=table.puzzle,
        code=str(table.puzzle),
        selection=table.selection,
        **what,
    )
    return sse.message(html)


def _standings(puzzle: Puzzle, selection: Selection, seconds: float = 0) -> Standings:
    """Return the table, with the length of the shortest solution where that is known at once, or
    where the exact table tells it within so many seconds."""
    if not puzzle.solvable or not puzzle.has_table:
        return Standings(puzzle, selection, service(Distances).known(puzzle))
    ahead = service(Distances).at_once(puzzle)
    if seconds and ahead is None:
        ahead = service(Distances).within(puzzle, seconds, this_visitor().name)
    return Standings(puzzle, selection, from_table(ahead.at_least) if ahead else None)


@dataclass(frozen=True)
class RacePage:
    """What the page of a race shows: `table` is None where the searches could not be read."""

    selection: Selection | None
    table: Standings | None
    error: str = ""
    ran: bool = False

    @property
    def preset(self) -> Preset | None:
        """Return the race made to teach that this is, if any."""
        if self.table is None:
            return None
        return preset_of(str(self.table.puzzle), self.table.selection.choices)

    @property
    def long(self) -> list[Choice]:
        """Return the searches that will probably not finish on boards of this size."""
        return self.table.selection.long(self.table.puzzle) if self.table else []

    @property
    def starts(self) -> bool:
        """Return whether the race begins by itself, with scripts."""
        expected = not self.long or self.preset is not None
        return self.table is not None and not self.ran and self.table.puzzle.solvable and expected


def _page(selection: Selection | None, error: str = "", results: Any = None) -> str:
    puzzle = this_puzzle()
    table = _standings(puzzle, selection) if selection else None
    if table and results:
        table.finish(results)
    return render_template(
        "lab/race.html",
        puzzle=puzzle,
        code=str(puzzle),
        cells=cells(puzzle.start, puzzle.goal),
        selection=selection,
        table=table,
        race=RacePage(selection, table, error, ran=bool(results)),
        presets=PRESETS,
        most=MAX_RUNS,
        usual_seconds=SECONDS,
        **choices_shown(puzzle, request.args, selection),
    )


def _results(selection: Selection) -> list[Any]:
    wait = current_app.config["SOLVE_WAIT"]
    return service(Races).results(selection.specs(this_puzzle()), wait)


def _comparison() -> Comparison:
    selection = read_selection(this_puzzle(), request.args)
    return Comparison(this_puzzle(), tuple(_results(selection)))


def _file_name(suffix: str) -> str:
    return f"slidewise-{str(this_puzzle().start)[:40]}.{suffix}"
