"""The checker of certificates: what is true passes, and no certificate with a false claim does."""

from __future__ import annotations

import ast
import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from slidewise import Puzzle, parse_board, parse_puzzle, scramble, solve, verify
from slidewise.solver.certificate import certificate, write_certificate
from slidewise.solver.tables.patterns import database
from slidewise.solver.tables.patterns.partition import partitions
from tests.boards import korf
from tests.solver.patterns import fewest_moves
from tests.solver.runs import SWEEP

SOURCE = Path(verify.__file__)

PUZZLES = [
    scramble(2, 3, "1"),
    scramble(3, 3, "7"),
    scramble(3, 3, "5", parse_board("1.2.3-4.0.5-6.7.8")),
    scramble(4, 2, "3"),
]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Return true certificates of a few sizes, and the contents of their tables."""
    found = []
    for puzzle in PUZZLES:
        database.load(puzzle.goal)
        said = certificate(solve(puzzle))
        found.append((said, Path(said["tables"]["file"]).read_bytes()))
    return found


@pytest.fixture
def check(tmp_path):
    """Return a function that checks what a certificate says, with these tables."""

    def run(said, tables=None):
        if tables is not None:
            (tmp_path / "tables").write_bytes(tables)
            said["tables"]["sha256"] = hashlib.sha256(tables).hexdigest()
        file = tmp_path / "certificate.json"
        file.write_text(json.dumps(said))
        return verify.verify(file, None if tables is None else tmp_path / "tables")

    return run


def test_what_is_true_passes(certificates, check):
    for said, _ in certificates:
        told = check(said)
        assert all(line.startswith("checked: ") for line in told)
        assert f"fewer than {said['lower_bound']} moves" in told[-1]


def wrong_moves(said, draw):
    letters = list(said["moves"])
    place = draw.randrange(len(letters))
    letters[place] = draw.choice([letter for letter in "UDLRx" if letter != letters[place]])
    return said | {"moves": "".join(letters)}


def fewer_moves(said, draw):
    place = draw.randrange(len(said["moves"]))
    return said | {"moves": said["moves"][:place] + said["moves"][place + 1 :]}


def another_length(said, draw):
    return said | {"length": said["length"] + draw.choice([-2, -1, 1, 2])}


def a_higher_bound(said, draw):
    """The path goes a way and back again, so that it is as long as the bound that is claimed."""
    there_and_back = "".join(
        {"U": "UD", "D": "DU", "L": "LR", "R": "RL"}[letter] for letter in said["moves"][:1]
    )
    more = draw.randrange(1, 4)
    moves = there_and_back * more + said["moves"]
    return said | {"moves": moves, "length": len(moves), "lower_bound": len(moves)}


def another_start(said, draw):
    cells = list(said["start"])
    one, two = draw.sample(range(len(cells)), 2)
    cells[one], cells[two] = cells[two], cells[one]
    return said | {"start": cells}


def a_tile_in_two_groups(said, draw):
    groups = [list(group) for group in said["tables"]["groups"]]
    groups[0][draw.randrange(len(groups[0]))] = draw.choice(groups[1])
    return said | {"tables": said["tables"] | {"groups": groups}}


def another_view(said, draw):
    views = [list(view) for view in said["tables"]["views"]]
    view = draw.choice(views)
    one, two = draw.sample(range(len(view)), 2)
    view[one], view[two] = view[two], view[one]
    return said | {"tables": said["tables"] | {"views": views}}


def another_digest(said, draw):
    digest = list(said["tables"]["sha256"])
    digest[draw.randrange(64)] = "x"
    return said | {"tables": said["tables"] | {"sha256": "".join(digest)}}


ALTERATIONS = [
    wrong_moves,
    fewer_moves,
    another_length,
    a_higher_bound,
    another_start,
    a_tile_in_two_groups,
    another_view,
    another_digest,
]


def test_a_thousand_false_claims_are_all_refused(certificates, check):
    for number in range(1000 if SWEEP else 200):
        draw = random.Random(number)
        said, tables = certificates[number % len(certificates)]
        if number % 5 == 4:
            false, tables = said, raised(said, tables, draw)
        else:
            false, tables = ALTERATIONS[number % len(ALTERATIONS)](said, draw), None
        with pytest.raises(verify.RefutedError):
            check(json.loads(json.dumps(false)), tables)


def raised(said, tables, draw):
    """Return the tables with an entry that says more than the group's tiles need."""
    cells = said["rows"] * said["cols"]
    number = draw.randrange(len(said["tables"]["groups"]))
    sizes = [len(group) for group in said["tables"]["groups"]]
    place = said["tables"]["offset"] + sum(cells**size for size in sizes[:number])
    for tile in draw.sample(range(cells), sizes[number]):  # in different cells
        sizes[number] -= 1
        place += tile * cells ** sizes[number]
    spoilt = bytearray(tables)
    spoilt[place] += draw.choice([1, 2, 5])
    return bytes(spoilt)


def test_its_own_search_finds_the_fewest_moves():
    for rows, cols, group, blank in [(2, 3, [1, 3, 4], 0), (3, 3, [0, 1, 5, 6], 4), (2, 4, [2], 7)]:
        fewest = verify.fewest_moves(rows, cols, group, blank)
        wanted = fewest_moves(rows, cols, tuple(group), blank)
        for places in itertools.permutations(range(rows * cols), len(group)):
            index = 0
            for cell in places:
                index = index * rows * cols + cell
            assert fewest[index] == wanted.get(places, verify.NOT_FOUND)


def test_a_bound_that_is_not_the_length_passes_if_it_is_true(certificates, check):
    said, _ = certificates[1]
    assert check(said | {"lower_bound": said["length"] - 4})


@pytest.mark.parametrize("number", [78, 17, *(range(0, 100, 9) if SWEEP else ())])
def test_15_puzzles_are_proved_by_its_search_alone(number, check, monkeypatch):
    """The tables are checked in `make soak`, as that takes half a minute."""
    code, length = korf(15)[number]
    if not SWEEP or number != 78:
        monkeypatch.setattr(verify, "fewest_moves", lambda *about: np.uint8(verify.NOT_FOUND))
    told = check(certificate(solve(parse_puzzle(code))))
    assert told[-1] == f"checked: no solution has fewer than {length} moves, by a search of its own"
    assert all(line.startswith("checked: ") for line in told)


def test_a_search_that_gets_too_large_is_given_up(certificates, check, monkeypatch):
    monkeypatch.setattr(verify, "MOST_BOARDS", 1)
    told = check(certificates[1][0])
    assert told[-1].startswith("on trust: no solution has fewer than")
    assert "the search here was given up at" in told[-1]


def test_the_tables_of_larger_boards_are_on_trust(certificates, check, monkeypatch):
    """And so is what they say; but for their entry of the goal, and the digest of the file."""
    monkeypatch.setattr(verify, "CELLS_SEARCHED", 5)
    said, tables = certificates[0]
    assert [line.partition(":")[0] for line in check(said)] == ["checked"] * 2 + ["on trust"] * 3
    digits = said["tables"]["groups"][0]
    at_goal = said["tables"]["offset"] + sum(
        cell * 6**place for place, cell in enumerate(reversed(digits))
    )
    spoilt = tables[:at_goal] + b"\1" + tables[at_goal + 1 :]
    with pytest.raises(verify.RefutedError, match="says 1 of the goal"):
        check(json.loads(json.dumps(said)), spoilt)


def test_a_certificate_is_of_tables_that_can_be_checked(monkeypatch):
    """Whatever larger ones were built on request: 7-8 could not be."""
    goal = parse_puzzle(korf(15)[78][0]).goal
    assert "7-8" in partitions(4, 4, 0)
    monkeypatch.setattr(database, "_loaded", {partitions(4, 4, 0)["7-8"]: None} | database._loaded)
    groups = certificate(solve(Puzzle(goal, goal), "astar", "manhattan"))["tables"]["groups"]
    assert max(map(len, groups)) == 6


@pytest.mark.parametrize(
    "change",
    [
        {"format": "slidewise certificate 2"},
        {"rows": -3},
        {"rows": 10**12},
        {"start": [0] * 6},
        {"goal": "012345"},
        {"length": 1.5},
        {"lower_bound": True},
        {"start": None},
        {"tables": {}},
        {"tables": None},
        {"tables": {"groups": [[]]}},
        {"tables": {"groups": [[1, 2, 3, 4, 5, 0, 1]]}},
        {"tables": {"offset": 2**31 - 1}},
        {"tables": {"file": "/dev/zero"}},
        {"tables": {"file": "a\0b"}},
        {"tables": {"file": "none"}},
    ],
)
def test_what_cannot_be_read_is_told(change, certificates, check):
    said = json.loads(json.dumps(certificates[0][0]))
    if change.get("tables"):
        change = {"tables": said["tables"] | change["tables"]}
    with pytest.raises(verify.UnreadableError):
        check(said | change)


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"[" * 100_000, b'{"format":' * 9999, b"9" * 5000, b"\xff", b" " * 2**21 + b"{}"],
)
def test_a_file_of_a_stranger_does_no_harm(text, tmp_path, capsys):
    (tmp_path / "file").write_bytes(text)
    assert verify.main([str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("cannot be checked: ")


def test_what_never_ends_is_not_read(tmp_path, certificates, check):
    os.mkfifo(tmp_path / "pipe")
    assert verify.main([str(tmp_path / "pipe")]) == 2
    said = certificates[0][0]
    with pytest.raises(verify.UnreadableError, match="not a file"):
        check(said | {"tables": said["tables"] | {"file": str(tmp_path / "pipe")}})


def test_the_program(tmp_path, certificates):
    puzzle = PUZZLES[0]
    file = tmp_path / "proof.json"
    write_certificate(file, solve(puzzle))
    command = [sys.executable, "-m", "slidewise.verify", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("checked: the ")
    said = json.loads(file.read_text())
    file.write_text(json.dumps(said | {"length": said["length"] + 2}))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("refuted: there are ")
    assert verify.main([str(tmp_path / "none.json")]) == 2


def test_it_is_short_and_shares_no_code():
    source = SOURCE.read_text()
    assert len(source.splitlines()) < 300
    names = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names <= {"numpy", *sys.stdlib_module_names}


def test_the_start_can_be_the_goal(check):
    goal = parse_board("0.1.2-3.4.5")
    database.load(goal)
    assert check(certificate(solve(Puzzle(goal, goal))))


def test_a_table_is_a_plain_array():
    assert verify.fewest_moves(2, 2, [1], 0).dtype == np.uint8
