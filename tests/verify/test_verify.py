"""The certificate checker: true certificates pass, and false claims do not."""

import ast
import itertools
import json
import os
import random
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from slidewise import Puzzle, parse_board, parse_puzzle, scramble, solve, standard_goal, verify
from slidewise.research.prove import certificate, prove, write_certificate
from slidewise.solver.engines import pattern_deepening
from slidewise.solver.tables.patterns import database
from slidewise.solver.tables.patterns.partition import find_partition, partitions
from tests.boards import korf, near
from tests.each import each, some
from tests.solver.patterns import fewest_moves
from tests.solver.runs import SWEEP

SOURCE = Path(verify.__file__)

PUZZLES = [
    scramble(2, 3, "1"),
    scramble(3, 3, "7"),
    scramble(3, 3, "5", parse_board("1.2.3-4.0.5-6.7.8")),
    scramble(4, 2, "3"),
]

BACK = {"U": "D", "D": "U", "L": "R", "R": "L"}


@pytest.fixture(scope="module")
def certificates():
    """Return true certificates of several sizes."""
    return [certificate(solve(puzzle)) for puzzle in PUZZLES]


@pytest.fixture
def plain(monkeypatch):
    """Hide numba from the checker."""
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(verify, "_compiled", [])


@pytest.fixture
def solver_tables(monkeypatch):
    """Use the solver's tables of 15-puzzles; the checker's own take half a minute."""
    partition = find_partition(4, 4, 0)
    database.load(parse_puzzle(korf(15)[0][0]).goal, partition.name)
    ends = np.cumsum(partition.lengths)[:-1]
    tables = np.split(database._loaded[partition].values, ends)
    known = {tuple(group): table for group, table in zip(partition.groups, tables, strict=True)}
    monkeypatch.setattr(
        verify, "fewest_moves", lambda rows, cols, group, *_: known[tuple(sorted(group))]
    )


def test_true_certificates_pass(certificates, check):
    for claims in certificates:
        answer = check(claims)
        assert (answer.code, answer.error) == (verify.CHECKED, "")
        assert [finding.checked for finding in answer.findings] == [True, True]
        assert f"fewer than {claims['lower_bound']} moves" in answer.findings[-1].text


def wrong_moves(claims, draw):
    letters = list(claims["moves"])
    place = draw.randrange(len(letters))
    letters[place] = draw.choice([letter for letter in "UDLRx" if letter != letters[place]])
    return claims | {"moves": "".join(letters)}


def fewer_moves(claims, draw):
    place = draw.randrange(len(claims["moves"]))
    return claims | {"moves": claims["moves"][:place] + claims["moves"][place + 1 :]}


def another_length(claims, draw):
    return claims | {"length": claims["length"] + draw.choice([-2, -1, 1, 2])}


def another_start(claims, draw):
    cells = list(claims["start"])
    one, two = draw.sample(range(len(cells)), 2)
    cells[one], cells[two] = cells[two], cells[one]
    return claims | {"start": cells}


def higher_bound(claims, draw):
    return claims | {"lower_bound": claims["length"] + draw.randrange(1, 9)}


def tile_in_two_groups(claims, draw):
    groups = [list(group) for group in claims["groups"]]
    groups[0][draw.randrange(len(groups[0]))] = draw.choice(groups[1])
    return claims | {"groups": groups}


ALTERATIONS = [
    wrong_moves,
    fewer_moves,
    another_length,
    another_start,
    higher_bound,
    tile_in_two_groups,
]


def test_altered_certificates_are_refused(certificates, check):
    for number in range(2000 if SWEEP else 120):
        draw = random.Random(number)
        claims = certificates[number // len(ALTERATIONS) % len(certificates)]
        alter = ALTERATIONS[number % len(ALTERATIONS)]
        expected = verify.UNREADABLE if alter is tile_in_two_groups else verify.REFUTED
        assert check(alter(claims, draw)).code == expected, (number, alter)


def there_and_back(claims, draw):
    """Insert moves into a path that are immediately undone."""
    place = draw.randrange(len(claims["moves"]))
    there = claims["moves"][place:][: draw.randrange(1, 4)]
    back = "".join(BACK[letter] for letter in reversed(there))
    return claims["moves"][:place] + there + back + claims["moves"][place:]


def past_the_goal(claims, draw):
    """Continue beyond the goal, and return to it."""
    there = "".join(BACK[letter] for letter in claims["moves"][::-1][: draw.randrange(1, 4)])
    back = "".join(BACK[letter] for letter in reversed(there))
    return claims["moves"] + there + back


def long_way(claims, draw):
    """Leave the start by a detour, and go to the goal from there."""
    rows, cols = claims["rows"], claims["cols"]
    start = board = parse_board(" ".join(map(str, claims["start"])), size=(rows, cols))
    goal = parse_board(" ".join(map(str, claims["goal"])), size=(rows, cols))
    moves = ""
    while len(moves) <= claims["length"]:
        board = start
        for _ in range(draw.randrange(3, 9)):
            board = board.slide(draw.choice(sorted(board.movable)))
        moves = solve(Puzzle(start, board), "astar").moves + solve(Puzzle(board, goal)).moves
    return moves


def any_groups(claims, draw):
    """Return groups of some of the tiles."""
    tiles = draw.sample(range(1, len(claims["goal"])), draw.randrange(len(claims["goal"])))
    groups = []
    while tiles:
        size = draw.randrange(1, 5)
        groups.append(tiles[:size])
        tiles = tiles[size:]
    return groups


def zero_tables(claims, draw):
    """Return a certificate of version 1 with tables that do not describe the board."""
    tables = {"file": "/dev/null", "sha256": "", "offset": 0, "rows": 1, "cols": 1}
    tables |= {"groups": [[1]], "views": [[0]]}
    return claims | {"format": "slidewise certificate 1", "tables": tables}


def test_consistent_but_false_certificates_are_refuted(certificates, check):
    """The path leads to the goal and has the claimed length, and the bound is not above it."""
    for number in range(1000 if SWEEP else 40):
        draw = random.Random(number)
        claims = certificates[number % len(certificates)]
        moves = draw.choice([there_and_back, past_the_goal, long_way])(claims, draw)
        bound = draw.randrange(claims["length"] + 1, len(moves) + 1)
        false = claims | {"moves": moves, "length": len(moves), "lower_bound": bound}
        false["groups"] = any_groups(claims, draw)
        if number % 3 == 0:
            false = zero_tables(false, draw)
        answer = check(false)
        assert answer.code == verify.REFUTED, (number, false)
        assert answer.error == f"there is a solution of {claims['length']} moves"


def test_groups_cannot_spoil_a_true_certificate(certificates, check):
    for number in range(20):
        draw = random.Random(number)
        claims = certificates[number % len(certificates)]
        assert check(claims | {"groups": any_groups(claims, draw)}).code == verify.CHECKED


def test_version_1_is_checked_without_its_tables(certificates, check):
    for claims in certificates:
        assert check(zero_tables(claims, None)).code == verify.CHECKED


def test_own_tables_have_the_fewest_moves():
    for rows, cols, group, blank in [(2, 3, [1, 3, 4], 0), (3, 3, [0, 1, 5, 6], 4), (2, 4, [2], 7)]:
        fewest = verify.fewest_moves(rows, cols, group, blank, lambda: None)
        expected = fewest_moves(rows, cols, tuple(group), blank)
        for places in itertools.permutations(range(rows * cols), len(group)):
            index = 0
            for cell in places:
                index = index * rows * cols + cell
            assert fewest[index] == expected.get(places, verify.UNREACHABLE)
    assert fewest.dtype == np.uint8


def test_bounds_below_the_length_are_checked(certificates, check):
    claims = certificates[1]
    for bound in range(claims["length"]):
        assert check(claims | {"lower_bound": bound}).code == verify.CHECKED
    longer = claims | {"moves": there_and_back(claims, random.Random(1))}
    longer["length"] = len(longer["moves"])
    assert check(longer).code == verify.CHECKED


@pytest.mark.parametrize("number", some([78, 17, *range(0, 100, 9)], 0))
def test_15_puzzles_are_checked(number, check, solver_tables):
    code, length = korf(15)[number]
    claims = certificate(solve(parse_puzzle(code)))
    answer = check(claims)
    assert (answer.code, answer.findings[-1].value) == (verify.CHECKED, length)
    moves = there_and_back(claims, random.Random(number))
    false = {"moves": moves, "length": len(moves), "lower_bound": length + 2}
    answer = check(claims | false)
    assert (answer.code, answer.error) == (verify.REFUTED, f"there is a solution of {length} moves")


def test_subtrees_of_a_15_puzzle_are_recomputed_by_threads(solver_tables, tmp_path, monkeypatch):
    monkeypatch.setattr(pattern_deepening, "LONG_ITERATION_EXPANSIONS", 5_000)
    monkeypatch.setattr(pattern_deepening, "EXPANSIONS_A_BRANCH", 100)
    monkeypatch.setattr(verify, "COMPILED_SLICE", 1_000)
    *_, last = prove(parse_puzzle(korf(15)[62][0]))
    write_certificate(tmp_path / "proof", last.result)
    answer = verify.verify(tmp_path / "proof", verify.Options(cores=3))
    assert answer.code == verify.CHECKED
    assert re.search(r"all \d+ subtrees recomputed", answer.findings[-1].text)


@pytest.mark.soak
def test_a_15_puzzle_is_checked_with_own_tables(check):
    """The board of 42 moves for which 44 passed with a table of 16 zeros."""
    code, length = korf(15)[78]
    claims = certificate(solve(parse_puzzle(code)))
    assert check(claims).code == verify.CHECKED
    moves = there_and_back(claims, random.Random(0))
    false = claims | {"moves": moves, "length": len(moves), "lower_bound": length + 2}
    assert check(zero_tables(false, None)).code == verify.REFUTED


def test_compiled_search_equals_the_plain_one(certificates, check, monkeypatch, request):
    counts = []
    advance = verify.Search.advance

    def counting(search, limit, *slices):
        outcome = advance(search, limit, *slices)
        if limit:
            counts.append((search.compiled, limit, search.expanded, search.generated))
        return outcome

    monkeypatch.setattr(verify.Search, "advance", counting)
    monkeypatch.setattr(verify, "PLAIN_SLICE", 10**9)
    monkeypatch.setattr(verify, "PLAIN_NODES", 0)
    for claims in certificates:
        assert check(claims).code == verify.CHECKED
    compiled, counts[:] = counts[:], []
    request.getfixturevalue("plain")
    for claims in certificates:
        assert check(claims).code == verify.CHECKED
    assert {one[0] for one in compiled} == {True}
    assert counts == [(False, *one[1:]) for one in compiled]


def test_compiler_starts_within_a_search(certificates, check, monkeypatch):
    monkeypatch.setattr(verify, "PLAIN_NODES", 1)
    monkeypatch.setattr(verify, "PLAIN_SLICE", 7)
    for claims in certificates:
        assert check(claims).code == verify.CHECKED
        assert check(claims | {"moves": claims["moves"] + "x"}).code == verify.REFUTED


def test_unchecked_part_is_on_trust_after_the_time_limit(certificates, check, tmp_path, capsys):
    claims = certificates[1]
    answer = check(claims, hours=0)
    assert answer.code == verify.ON_TRUST
    assert [finding.checked for finding in answer.findings] == [True, False]
    assert "the time is over; that none has fewer than" in answer.findings[-1].text
    file = str(tmp_path / "certificate.json")
    assert verify.main([file, "--hours", "0"]) == 3
    assert verify.main([file, "--hours", "0", "--strict"]) == 1
    assert verify.main([file, "--strict"]) == 0
    capsys.readouterr()
    assert verify.main([file, "--hours", "0", "--json"]) == 3
    printed = json.loads(capsys.readouterr().out)
    assert (printed["result"], printed["error"]) == ("on trust", None)
    assert [claim["checked"] for claim in printed["claims"]] == [True, False]
    with pytest.raises(SystemExit):
        verify.main([file, "--hours", "nan"])


def test_new_folder_stores_tables_of_a_file_without_subtrees(certificates, tmp_path):
    file, folder = tmp_path / "proof.json", tmp_path / "new" / "folder"
    file.write_text(json.dumps(certificates[1]))
    assert verify.main([str(file), "--state", str(folder)]) == verify.CHECKED
    assert list(folder.glob("*.table"))


def test_damaged_files_of_a_folder_are_not_used(tmp_path):
    table = np.arange(9, dtype=np.uint8)
    folder = verify.Folder(tmp_path, "0" * 64)
    folder.save_table("a", table)
    assert folder.table("a").tolist() == table.tolist()
    (tmp_path / "a.table").rename(tmp_path / "b.table")
    assert folder.table("b") is None
    assert folder.drawn(10, None)
    folder.save({1, 2, 3}, now=True)
    (progress,) = tmp_path.glob("*.progress")
    whole = progress.read_bytes()
    for damaged, done in ((whole, {1, 2, 3}), (whole.replace(b"3]", b"7]"), set())):
        progress.write_bytes(damaged)
        later = verify.Folder(tmp_path, "0" * 64)
        later.drawn(10, None)
        assert later.done == done


def test_later_time_limit_reports_the_bound_so_far(certificates, check, monkeypatch):
    claims = certificates[1]
    advance = verify.Search.advance

    def until_a_limit(search, limit):
        if limit == claims["length"] - 2:
            raise verify.OutOfTimeError
        return advance(search, limit)

    monkeypatch.setattr(verify.Search, "advance", until_a_limit)
    monkeypatch.setattr(verify, "PLAIN_SLICE", 1)
    answer = check(claims)
    assert answer.code == verify.ON_TRUST
    assert f"none has fewer than {claims['length'] - 2} is checked" in answer.findings[-1].text


def test_long_checks_are_announced(solver_tables, tmp_path, monkeypatch):
    file, reports = tmp_path / "certificate.json", []
    code, length = korf(15)[13]
    write_certificate(file, solve(parse_puzzle(code)))
    monkeypatch.setattr(verify, "ANNOUNCED_SECONDS", 0)
    monkeypatch.setattr(verify, "FORECAST_NODES", 1)
    monkeypatch.setattr(verify, "COMPILED_SLICE", 1000)
    assert verify.verify(file, report=reports.append).code == verify.CHECKED
    assert reports[0].startswith("building pattern tables: about ")
    last = f"searching up to {length - 2} of {length - 1} moves"
    assert re.fullmatch(rf"{last}: 1,00. boards, about .* left in all", reports[-1])


def test_searches_predict_those_with_higher_limits():
    assert verify.expected_nodes([], 3) == verify.expected_nodes([10, 9000], 3) == 0
    assert verify.expected_nodes([1000, 3000], 2) == 9_000 + 27_000
    assert verify.expected_nodes([1000, 10**6], 1) == 12 * 10**6


def test_bounds_of_larger_boards_are_on_trust(check):
    result = solve(near((5, 5), 200, 1), "greedy")
    claims = certificate(result) | {"lower_bound": result.length}
    answer = check(claims)
    assert [finding.checked for finding in answer.findings] == [True, False]
    assert answer.code == verify.ON_TRUST
    assert check(claims | {"lower_bound": result.lower_bound}).code in (0, 3)
    assert check(claims | {"lower_bound": 10}).code == verify.CHECKED  # by Manhattan distance
    assert check(claims | {"lower_bound": result.length + 1}).code == verify.REFUTED


@pytest.mark.parametrize(
    "goal", [standard_goal(4, 2), standard_goal(3, 5), parse_board("1.2.3-4.0.5-6.7.8")]
)
def test_certificate_has_each_tile_in_one_group(goal):
    groups = certificate(solve(Puzzle(goal, goal)))["groups"]
    assert sorted(tile for group in groups for tile in group) == list(range(1, len(goal.cells)))
    assert max(map(len, groups)) <= verify.MAX_TILES


def test_certificate_has_tables_that_can_be_checked(monkeypatch):
    """Larger tables may be built on request, but 7-8 could not be checked."""
    goal = parse_puzzle(korf(15)[78][0]).goal
    assert "7-8" in partitions(4, 4, 0)
    monkeypatch.setattr(database, "_loaded", {partitions(4, 4, 0)["7-8"]: None} | database._loaded)
    groups = certificate(solve(Puzzle(goal, goal), "astar", "manhattan"))["groups"]
    assert max(map(len, groups)) == 6


def test_tables_are_joined_up_to_six_tiles():
    homes = list(range(1, 16))
    for groups in ([], [[1]], [[home] for home in homes], [[15, 2, 7], [3, 4], [5]]):
        joined = verify.full_groups(groups, homes)
        assert sorted(itertools.chain(*joined)) == homes
        assert sorted(map(len, joined)) == [3, 6, 6]


UNREADABLE = {
    "format": ["slidewise certificate 4", []],
    "rows": [-3, 10**12],
    "start": [[0] * 6, None],
    "goal": ["012345"],
    "length": [1.5],
    "lower_bound": [True, None],
    "moves": [["U"], None],
    "groups": [None, [[0]], [[6]], [[1], [1]], [[[1]]], [1, 2]],
}


@each("name", UNREADABLE)
def test_unreadable_claims_are_refused(name, certificates, check):
    for value in UNREADABLE[name]:
        assert check(certificates[0] | {name: value}).code == verify.UNREADABLE, value


@each(("rows", "cols"), [(1, 5), (5, 1), (9, 2), (2, 9), (5, 6)])
def test_boards_of_other_sizes_are_refused(rows, cols, certificates, check):
    goal = [*range(1, rows * cols), 0]
    solved = {"start": goal, "goal": goal, "moves": "", "length": 0, "lower_bound": 0, "groups": []}
    answer = check(certificates[0] | solved | {"rows": rows, "cols": cols})
    assert answer.code == verify.UNREADABLE
    assert "at most 25 cells" in answer.error


@each("moves", ["\ud800", "\x1b[2J", "é", "U" * 10**6])
def test_hostile_moves_are_refuted(moves, certificates, check, tmp_path, capsys):
    assert check(certificates[0] | {"moves": moves}).code == verify.REFUTED
    assert verify.main([str(tmp_path / "certificate.json")]) == 1
    assert capsys.readouterr().err.isascii()


HOSTILE = [
    *(b"", b"[]", b"[" * 100_000, b'{"format":' * 9999, b"9" * 5000, b"\xff", b" " * 2**21 + b"{}"),
    b'{"format": "slidewise certificate 2", "rows": ' + b"[" * 400 + b"]" * 400 + b"}",
]


@each("text", HOSTILE)
def test_hostile_files_are_unreadable(text, tmp_path, capsys):
    (tmp_path / "file").write_bytes(text)
    assert verify.main([str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("cannot be checked: ")


def test_endless_files_are_not_read(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    assert verify.main([str(tmp_path / "pipe")]) == 2
    assert verify.main(["/dev/zero"]) == 2
    assert verify.main([str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("is not a file") == 3


def test_answer_is_printed_with_its_exit_code(certificates, check, tmp_path, capsys):
    file = str(tmp_path / "certificate.json")
    check(certificates[0])
    assert verify.main([file]) == 0
    assert capsys.readouterr().out.startswith("checked: the ")
    check(certificates[0] | {"length": 1})
    assert verify.main([file]) == 1
    out, error = capsys.readouterr()
    assert (out, error[:19]) == ("", "refuted: there are ")
    assert verify.main([file, "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["result"] == "refuted"
    assert printed["error"].startswith("there are ")
    assert verify.main([str(tmp_path / "none.json")]) == 2


def test_ctrl_c_ends_the_check_without_a_traceback(
    certificates, check, tmp_path, monkeypatch, capsys
):
    check(certificates[0])

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "verify", interrupt)
    assert verify.main([str(tmp_path / "certificate.json")]) == 130
    assert "stopped" in capsys.readouterr().err


def test_checker_shares_no_code_with_the_package():
    names = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(SOURCE.read_text()))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names <= {"numpy", "numba", *sys.stdlib_module_names}
