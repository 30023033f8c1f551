"""The published proofs of 24-puzzles match their certificates, and their command resumes."""

import hashlib
import json

import pytest

from benchmarks.korf24 import __main__ as korf24
from slidewise import parse_puzzle, verify
from slidewise.puzzle.moves import play
from slidewise.solver.engines import pattern_deepening
from tests.boards import korf

PUBLISHED = korf24.ProofFiles(korf24.HERE, korf24.HERE / "state")

SMALL_GOAL = "1.2.3-4.5.6-7.8.0"
SMALL = (("1", "7.2.4-5.0.6-8.3.1", "20"), ("2", "8.6.7-2.5.4-3.0.1", "31"))
"""Boards with the lengths of their shortest solutions, from the exact table."""


def rows():
    return korf24.read(PUBLISHED.results)


def proved():
    return [row for row in rows() if row["moves"]]


def shipped():
    return [row for row in proved() if int(row["certificate_bytes"]) <= korf24.MAX_SHIPPED_BYTES]


def test_boards_and_optima_are_the_published_ones():
    found = {
        int(r["board"]): (f"{r['start']}_{korf24.GOAL}", int(r["published_moves"])) for r in rows()
    }
    assert [found[number] for number in range(1, 51)] == korf(24)


def test_solutions_have_the_published_lengths():
    assert len(proved()) >= 17
    for row in proved():
        puzzle = parse_puzzle(f"{row['start']}_{korf24.GOAL}")
        assert play(puzzle.start, row["solution"]) == puzzle.goal
        assert row["moves"] == row["published_moves"] == str(len(row["solution"]))


def test_shipped_certificates_are_those_of_the_results():
    names = {file.name for file in (korf24.HERE / "certificates").iterdir()}
    assert names == {f"{row['board']}.json" for row in shipped()}
    for row in shipped():
        data = PUBLISHED.certificate(row["board"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row["certificate_sha256"]
        assert len(data) == int(row["certificate_bytes"])
        claims = json.loads(data)
        assert (
            "-".join(".".join(map(str, claims["start"][i : i + 5])) for i in range(0, 25, 5))
            == row["start"]
        )
        assert claims["length"] == claims["lower_bound"] == int(row["moves"])
        assert claims["moves"] == row["solution"]
        assert claims["expanded"] == int(row["expanded"])
        assert len(claims["subtrees"]) == int(row["subtrees"])
        assert sum(counts[0] for _, *counts in claims["subtrees"]) < claims["expanded"]


def test_checks_belong_to_the_certificates_without_refutation():
    digests = {row["board"]: row["certificate_sha256"] for row in proved()}
    checks = korf24.read(PUBLISHED.checks)
    assert checks
    for check in checks:
        assert check["certificate_sha256"] == digests[check["board"]]
        assert check["result"] in ("checked", "on trust")


def test_moves_of_shipped_certificates_pass_the_checker():
    for row in shipped():
        file = PUBLISHED.certificate(row["board"])
        certificate = verify.Certificate(verify.parse(verify.read(file), file))
        assert certificate.check_path().value == certificate.bound == int(row["moves"])


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Return a folder with two 3x3 boards to prove."""
    monkeypatch.setattr(korf24, "GOAL", SMALL_GOAL)
    monkeypatch.setattr(pattern_deepening, "LONG_ITERATION_EXPANSIONS", 10)
    monkeypatch.setattr(pattern_deepening, "EXPANSIONS_A_BRANCH", 2)
    files = korf24.ProofFiles(tmp_path, tmp_path / "state")
    columns = dict.fromkeys(rows()[0], "")
    found = [{"board": b, "start": s, "published_moves": m} for b, s, m in SMALL]
    korf24.write(files.results, [columns | row for row in found])
    return files


def run(files, *words):
    korf24.main(["--results", str(files.results.parent), "--state", str(files.state), *words])


def test_boards_are_proved_and_their_certificates_checked(files, capsys):
    run(files)
    assert [row["moves"] for row in korf24.read(files.results)] == ["20", "31"]
    run(files, "--check")
    checks = korf24.read(files.checks)
    assert [(check["board"], check["result"]) for check in checks] == [
        ("1", "checked"),
        ("2", "checked"),
    ]
    before = files.results.read_bytes(), files.checks.read_bytes()
    run(files)
    run(files, "--check")
    assert (files.results.read_bytes(), files.checks.read_bytes()) == before
    assert "2 of 2 boards are proved" in capsys.readouterr().out


def test_a_larger_sample_is_checked_again(files):
    run(files)
    run(files, "--check")
    checks = korf24.read(files.checks)
    korf24.write(files.checks, [checks[0], checks[1] | {"sampled_subtrees": "0", "answer": ""}])
    run(files, "--check")
    again = korf24.read(files.checks)
    assert [check["answer"] for check in again] == [check["answer"] for check in checks]
    assert again[1]["sampled_subtrees"] == checks[1]["sampled_subtrees"] != "0"


def test_stopped_run_resumes(files, monkeypatch):
    run(files, "--hours", "0")
    assert [row["moves"] for row in korf24.read(files.results)] == ["", ""]

    def crash(*_):
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(korf24, "write", crash)
        with pytest.raises(OSError, match="no space"):
            run(files)
    assert [row["moves"] for row in korf24.read(files.results)] == ["", ""]
    run(files)
    assert [row["moves"] for row in korf24.read(files.results)] == ["20", "31"]


def test_cpu_time_of_all_runs_is_added(tmp_path, monkeypatch):
    now = iter([1.0, 4.0, 10.0, 12.5])
    monkeypatch.setattr(korf24.time, "process_time", lambda: next(now))
    for _ in range(2):
        timer = korf24.CpuTime(tmp_path / "cpu_seconds")
        timer.tick()
        timer.save()
    assert (tmp_path / "cpu_seconds").read_text() == "5.5\n"


def test_an_optimum_unlike_the_published_one_is_not_recorded(files):
    found = korf24.read(files.results)
    found[0]["published_moves"] = "22"
    korf24.write(files.results, found)
    with pytest.raises(SystemExit, match="#1: 20 moves proved"):
        run(files)
    assert not korf24.read(files.results)[0]["moves"]


def test_a_changed_count_is_refused(files):
    run(files)
    file = files.certificate("2")
    claims = json.loads(file.read_text())
    claims["subtrees"][0][1] += 1
    file.write_text(json.dumps(claims))
    with pytest.raises(SystemExit, match="is not the certificate of results"):
        run(files, "--check")
    found = korf24.read(files.results)
    found[1]["certificate_sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    korf24.write(files.results, found)
    with pytest.raises(SystemExit, match="a certificate is refuted"):
        run(files, "--check")
    assert [check["result"] for check in korf24.read(files.checks)] == ["checked", "refuted"]
