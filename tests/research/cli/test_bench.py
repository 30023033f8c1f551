"""`slidewise bench`: a set with its certificates, checked by the verifier, and its score."""

import json

from slidewise import parse_puzzle, solve, verify
from tests.each import each


def test_set_has_certificates_that_the_verifier_accepts(cli, tmp_path):
    small = ("--size", "2x3", "--moves", "6,11", "--count", "2")
    done = cli("bench", "set", "--seed", "7", *small, "--certificates", str(tmp_path / "new"))
    assert (done.code, done.err) == (0, "")
    assert done.out == cli("bench", "set", "--seed", "7", *small).out
    for line, distance in zip(map(json.loads, done.out.splitlines()), [6, 6, 11, 11], strict=True):
        file = tmp_path / "new" / f"{line['number']}.json"
        claims = json.loads(file.read_text())
        assert claims["start"] == list(parse_puzzle(line["puzzle"]).start.cells)
        assert claims["length"] == claims["lower_bound"] == distance
        assert verify.main([str(file), "--strict"]) == 0


def test_answers_are_scored_against_the_set(cli, tmp_path):
    of_set = tmp_path / "set.jsonl"
    of_set.write_text(
        cli("bench", "set", "--day", "2026-11-26", "--size", "3x3", "--count", "1").out
    )
    lines = [json.loads(line) for line in of_set.read_text().splitlines()]
    for line in lines[:4]:
        line["moves"] = solve(parse_puzzle(line["puzzle"])).moves
    lines[4]["moves"] = "XYZ"
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, lines[:5])))
    done = cli("bench", "score", str(file), "--set", str(of_set))
    assert done.code == 0
    assert done.out.splitlines()[-1].split() == ["all", "6", "4", "4", "4", "0.000"]
    assert lines[4]["puzzle"] in done.err
    found = json.loads(cli("bench", "score", "-", "--json", stdin=file.read_text()).out)
    assert [row["distance"] for row in found["summary"]] == [5, 10, 15, 20, 25, None]
    assert found["answers"][4]["solved"] is False


@each(
    ("words", "message"),
    [
        (("bench",), "required: PART"),
        (("bench", "set"), "--seed --day is required"),
        (("bench", "set", "--day", "soon"), "expected a date"),
        (("bench", "set", "--seed", "1", "--size", "2x2"), "name the distances for 2x2"),
        (("bench", "set", "--seed", "1", "--moves", "0"), "a distance is 1 or more"),
        (("bench", "set", "--seed", "1", "--count", "0"), "--count must be"),
        (("bench", "set", "--seed", "1", "--size", "3x3", "--moves", "99"), "31 moves"),
        (("bench", "score", "/no/such/file"), "cannot read"),
        (("bench", "score", "/dev/null"), "has no answers"),
    ],
)
def test_wrong_arguments_are_refused(cli, words, message):
    done = cli(*words)
    assert (done.code, message in done.err) == (2, True)
