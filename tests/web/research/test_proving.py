"""Proofs started on a page (tests/research/test_prove.py tests the proofs themselves)."""

import json
import subprocess
import sys

import pytest

from slidewise import parse_puzzle, solve
from slidewise.research.proof import FILE_NAME
from slidewise.solver.events import Finished, Improved
from slidewise.solver.result import withdrawn
from tests.boards import FOUR_FARTHEST, FOUR_NEAR, TWENTY_MOVES
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX, until
from tests.web.test_markup import policy_violations, unlabelled_controls
from webapp.research import proofs
from webapp.research.proofs import AnotherProofError, Proofs, ProofStatus, read_status, write_status
from webapp.workers.distances import Distances

NEAR, FAR, OTHER = (
    str(parse_puzzle(code))
    for code in (FOUR_NEAR, FOUR_FARTHEST, "1.2.3.4-5.6.7.8-9.10.11.12-13.0.14.15")
)
FOUR_SOLVED = "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0"
FOUR_UNSOLVABLE = "1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proofs")


@pytest.fixture(scope="module")
def prover(new_app, folder):
    return new_app(PROOFS=str(folder)).test_client()


def shown(client, code):
    """Return the text of the page."""
    answer = client.get(f"/prove/{code}")
    assert answer.status_code == 200
    page = markup.read(answer.text)
    assert not [*policy_violations(page), *unlabelled_controls(page)]
    return page.one("section", id="proof").text


def fragment(client, code):
    return client.get(f"/prove/{code}", headers=HTMX).text


def ended(client, code):
    """Wait for the end of the proof, and return the text of the page."""
    assert until(lambda: "every 2s" not in fragment(client, code))
    return shown(client, code)


def proving(folder):
    """Return the last progress of the only proof in a folder."""
    (status,) = folder.glob("*/status.json")
    return (read_status(status.parent) or {}).get("proving", {})


def test_proof_has_a_certificate_at_its_end(prover):
    assert "Prove it" in shown(prover, NEAR)
    assert prover.get(f"/prove/{NEAR}/certificate").status_code == 404
    answer = prover.post(f"/prove/{NEAR}")
    assert (answer.status_code, answer.location) == (303, f"/prove/{NEAR}")
    text = ended(prover, NEAR)
    assert "✓ 9 moves." in text
    assert "Go on" not in text
    with prover.get(f"/prove/{NEAR}/certificate") as certificate:
        assert certificate.json["length"] == certificate.json["lower_bound"] == 9
    with prover.application.test_request_context():
        known = prover.application.extensions["slidewise"].get(Distances).known(parse_puzzle(NEAR))
    assert (known.at_least, known.exact) == (9, True)
    assert "proved 9 before" in known.source


def test_readers_of_the_lock_do_not_take_each_other_for_a_proof(tmp_path):
    reader, other = Proofs(str(tmp_path), 1), Proofs(str(tmp_path), 1)
    with reader._lock(NEAR, 1):
        assert other.under_way() == NEAR
    with reader._lock(None, 1):
        assert other.under_way() is None
        with pytest.raises(AnotherProofError), other._lock(FAR, 1):
            pass


def test_second_proof_is_409_and_a_stopped_one_goes_on(new_app, tmp_path):
    client = new_app(PROOFS=str(tmp_path)).test_client()
    client.post(f"/prove/{FAR}")
    assert until(lambda: proving(tmp_path))
    started_at = proving(tmp_path)["limit"]
    assert until(lambda: proving(tmp_path)["limit"] > started_at)
    assert "f-limit" in fragment(client, FAR)
    refused = client.post(f"/prove/{OTHER}", headers=HTMX)
    assert refused.status_code == 409
    assert f'href="/prove/{FAR}"' in refused.text
    client.post(f"/prove/{FAR}/stop")
    assert "It can go on from there" in ended(client, FAR)
    stopped_at = proving(tmp_path)["limit"]
    client.post(f"/prove/{FAR}")
    assert until(lambda: "f-limit" in fragment(client, FAR))
    assert proving(tmp_path)["limit"] >= stopped_at > started_at
    client.post(f"/prove/{FAR}/stop")
    assert "It can go on from there" in ended(client, FAR)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ({"state": "proving", "proving": {}}, "interrupted"),
        ({"state": "begun"}, "interrupted"),
        ({"state": "failed", "message": "no more disk <b>"}, "No more disk <b>."),
    ],
)
def test_lost_or_failed_proof_can_be_started_again(prover, folder, status, words):
    app = prover.application
    with app.test_request_context():
        place = app.extensions["slidewise"].get(Proofs).certificate(parse_puzzle(OTHER)).parent
    place.mkdir(exist_ok=True)
    write_status(place, status)
    assert words in shown(prover, OTHER)
    assert "start-proof" in fragment(prover, OTHER)


@each(
    "damage",
    [
        lambda text: text.replace("LL", "LR"),
        lambda text: text.replace('lower_bound\\",2', 'lower_bound\\",4'),
        lambda text: text[:-1],
        lambda text: "",
        lambda text: "[]",
        lambda text: json.dumps({"state": "ended", "moves": "U", "lower_bound": 1}),
    ],
)
def test_damaged_status_counts_as_missing(prover, folder, damage):
    puzzle = parse_puzzle(OTHER)
    app = prover.application
    with app.test_request_context():
        place = app.extensions["slidewise"].get(Proofs).certificate(puzzle).parent
    place.mkdir(exist_ok=True)
    facts = {"state": "ended", "length": 2, "lower_bound": 2, "moves": "LL", "proved": True}
    write_status(place, {**facts, "reason": "", "expanded": 9, "seconds": 1.0})
    assert read_status(place)["moves"] == "LL"
    file = place / "status.json"
    damaged = damage(file.read_text())
    assert damaged != file.read_text()
    file.write_text(damaged)
    assert read_status(place) is None
    assert "Prove it" in shown(prover, str(puzzle))
    file.unlink()


def test_sigterm_stops_a_proof_with_a_checkpoint(tmp_path):
    with (tmp_path / "lock").open("w") as lock:
        words = [str(tmp_path), FAR, "1", str(lock.fileno())]
        process = subprocess.Popen(
            [sys.executable, "-m", proofs.__name__, *words], pass_fds=[lock.fileno()]
        )
        assert until(lambda: (read_status(tmp_path) or {}).get("state") == "proving")
        process.terminate()
        assert process.wait() == 0
    assert read_status(tmp_path)["state"] == "ended"
    assert (tmp_path / FILE_NAME).exists()


def test_contradictory_proof_fails(tmp_path):
    result = withdrawn(solve(parse_puzzle(NEAR)), "its path ends elsewhere")
    status = ProofStatus(tmp_path)
    status.take(Improved(9, 9))
    status.take(Finished(result))
    status.end()
    text = read_status(tmp_path)
    assert set(text) == {"state", "message"}
    assert text["state"] == "failed"
    assert "its path ends elsewhere" in text["message"]
    assert [file.name for file in tmp_path.iterdir()] == ["status.json"]


@pytest.mark.parametrize("code", [TWENTY_MOVES, FOUR_SOLVED, FOUR_UNSOLVABLE])
def test_proof_page_without_proof_is_404_with_the_command(prover, code):
    answer = prover.get(f"/prove/{parse_puzzle(code)}")
    assert answer.status_code == 404
    assert "slidewise prove" in answer.text


def test_proof_is_offered_only_if_the_owner_allows_it(client, new_app, tmp_path):
    prover = new_app(PROOFS=str(tmp_path)).test_client()
    assert client.get(f"/prove/{NEAR}").status_code == 404
    assert client.post(f"/prove/{NEAR}").status_code == 404
    for visitor, offered in (client, False), (prover, True):
        page = visitor.get(f"/replay/{NEAR}?moves=LRD3L2U2LU")
        assert ('href="/prove/' in page.text) is offered


def test_proof_in_an_unwritable_folder_is_503(new_app, tmp_path):
    place = tmp_path / "a file"
    place.touch()
    client = new_app(PROOFS=str(place)).test_client()
    assert "Prove it" in shown(client, NEAR)
    answer = client.post(f"/prove/{NEAR}")
    assert answer.status_code == 503
    assert "could not be started" in answer.text
