"""`slidewise prove`: a proof on a terminal, which can be stopped and resumed."""

import json
import signal
from pathlib import Path

import pytest

from slidewise import verify
from slidewise.solver.events import Preparing
from slidewise.solver.tables.patterns.partition import UnknownPartitionError
from tests.boards import FOUR_NEAR, SMALL, SMALL_UNSOLVABLE, TEXTBOOK, korf


def test_proof_shows_bounds_and_ends_with_the_steps(cli):
    done = cli("prove", FOUR_NEAR)
    lines = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert lines[0] == "shortest solution: 9 moves"
    assert lines[-2].startswith("Verdict: proved shortest; IDA* with pattern databases has proved")


def test_events_are_json_lines(cli):
    done = cli("prove", SMALL, "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert "started" in {event["event"] for event in events}
    assert events[-1]["event"] == "finished"
    assert events[-1]["result"]["length"] == 2
    assert events[-1]["result"]["verdict"] == "optimal"


def test_unsolvable_puzzle_is_not_proved(cli):
    done = cli("prove", SMALL_UNSOLVABLE)
    assert done.code == 1
    assert "This goal cannot be reached" in done.out


def test_stopped_proof_is_resumed(cli, tmp_path):
    code, shortest = korf(15)[16]
    stopped = cli("prove", code, "--state", str(tmp_path), "--hours", "0.000001")
    assert stopped.code == 1
    assert stopped.out.splitlines()[-1] == (
        f"The same command goes on from the checkpoint in {tmp_path}."
    )
    done = cli("prove", code, "--state", str(tmp_path), "--json")
    assert json.loads(done.out.splitlines()[-1])["result"]["length"] == shortest


def test_certificate_can_be_checked(cli, tmp_path, capsys):
    file = tmp_path / "proof.json"
    assert cli("prove", TEXTBOOK, "--certificate", str(file)).code == 0
    assert verify.main([str(file)]) == 0
    assert "checked:" in capsys.readouterr().out


@pytest.mark.parametrize("there_before", [False, True])
@pytest.mark.parametrize("words", [[SMALL_UNSOLVABLE], [FOUR_NEAR, "--cores", "0"]])
def test_missing_certificate_leaves_no_file(cli, tmp_path, words, there_before):
    file = tmp_path / "proof.json"
    if there_before:
        file.write_text("of another board")
    done = cli("prove", *words, "--certificate", str(file))
    assert done.code > 0
    assert list(tmp_path.iterdir()) == [file] * there_before
    assert not there_before or file.read_text() == "of another board"


def test_stop_before_the_first_path_leaves_no_file(cli, tmp_path, monkeypatch):
    def prepare(self, puzzle):
        signal.raise_signal(signal.SIGINT)
        yield Preparing("building tables", 0, 100)

    monkeypatch.setattr("slidewise.research.prove._Proof.prepare", prepare)
    done = cli("prove", FOUR_NEAR, "--certificate", str(tmp_path / "proof.json"))
    assert done.code == 1
    assert "there is nothing to certify" in done.err
    assert list(tmp_path.iterdir()) == []


def test_failed_certificate_leaves_no_file(cli, tmp_path, monkeypatch):
    def refuse(result):
        raise UnknownPartitionError("there are no tables")

    monkeypatch.setattr("slidewise.research.prove.certificate", refuse)
    done = cli("prove", FOUR_NEAR, "--certificate", str(tmp_path / "proof.json"))
    assert (done.code, list(tmp_path.iterdir())) == (2, [])


def test_certificate_can_be_written_to_a_pipe(cli):
    assert cli("prove", FOUR_NEAR, "--certificate", "/dev/null").code == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--hours", "0"], "seconds must be above 0"),
        (["--cores", "0"], "cores must be a whole number"),
        (["--certificate", "/dev/null/x"], "cannot write /dev/null/x"),
        (["--state", "/dev/null/x"], "name a folder that can be written"),
    ],
)
def test_invalid_options_are_refused(cli, words, message):
    done = cli("prove", FOUR_NEAR, *words)
    assert done.code == 2
    assert message in done.err
