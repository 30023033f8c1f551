"""`slidewise solve --file`: many puzzles, one a line."""

import json
import re
from concurrent.futures import BrokenExecutor
from itertools import chain, islice, repeat

import pytest

from slidewise import parse_puzzle, scramble, solve
from slidewise.cli.solve import puzzle_lines
from slidewise.puzzle.moves import play
from tests.boards import FOUR_FAR, KORF_GOAL, UNSOLVABLE
from tests.cli.commands import RESULT_FIELDS

NEAR, CODE = "2.3.0-1.4.6-7.5.8", "1.0.2-3.4.5-6.7.8_0.1.2-3.4.5-6.7.8"
SHORT = ["--algorithm", "astar", "--seconds", "0.05"]


@pytest.fixture
def solve_lines(cli, tmp_path):
    """Return a function that solves the lines of a file."""

    def run(text: str, *argv: str):
        path = tmp_path / "boards.txt"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return cli("solve", "--file", str(path), *argv)

    return run


def objects(done) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.out.splitlines()]


def test_objects_are_in_the_order_of_the_lines(solve_lines):
    codes = [str(scramble(3, 3, str(seed))) for seed in range(12)]
    done = solve_lines("\n".join(codes), "--json")
    assert (done.code, done.err) == (0, "")
    results = objects(done)
    assert [result["puzzle"] for result in results] == codes
    assert all(list(result) == RESULT_FIELDS for result in results)
    for code, result in zip(codes, results, strict=True):
        puzzle = parse_puzzle(code)
        assert result["length"] == solve(puzzle).length
        assert play(puzzle.start, result["moves"]) == puzzle.goal


def test_code_is_found_among_other_fields(solve_lines):
    lines = [
        f"1 {NEAR} 57",
        f"2\t{CODE}\t1",
        f"three,2026-01-02,{NEAR}",
        f'{{"number": 4, "puzzle": "{CODE}", "length": 1}}',
        f"   {NEAR}   # a comment",
        f"6; {NEAR};",
    ]
    done = solve_lines("\n".join(lines), "--json")
    assert (done.code, done.err) == (0, "")
    assert [result["puzzle"] for result in objects(done)] == [NEAR, CODE, NEAR, CODE, NEAR, NEAR]


@pytest.mark.parametrize("between", [",", ";", "\t", " ", " , ", '","', ",17,"])
def test_second_code_is_the_goal(solve_lines, between):
    start, goal = CODE.split("_")
    done = solve_lines(f"start{between}goal\r\n{start}{between}{goal}{between}1\r\n", "--json")
    assert [(result["puzzle"], result["length"]) for result in objects(done)] == [(CODE, 1)]
    assert re.fullmatch("slidewise: error: line 1: expected a puzzle code .*\n", done.err)


def test_lines_in_other_notations_are_read(solve_lines):
    lines = ["1 1 2 3 4 5 6 7 0 8", "1,2,3,4,5,6,7,0,8", "[[1, 2, 3], [4, 5, 6], [7, 0, 8]]"]
    done = solve_lines("\n".join(lines), "--json")
    assert [result["puzzle"] for result in objects(done)] == ["1.2.3-4.5.6-7.0.8"] * 3
    done = solve_lines("9 1 2 3 4 5 6 7 8 0\n1 2 3 3\n")
    assert (done.code, done.out) == (2, "")
    size, tiles = done.err.splitlines()
    assert "line 1: 10 cells do not make a square" in size
    assert "line 2: 0 is missing and 3 appears twice" in tiles


def test_line_with_two_goals_is_an_error(solve_lines):
    start, goal = CODE.split("_")
    done = solve_lines(
        f"{CODE} {goal}\n{start} {CODE}\n{start} {goal} {goal}\n{start} {goal[:3]}-2.3"
    )
    assert (done.code, done.out) == (2, "")
    one, two, three, four = done.err.splitlines()
    assert "line 1: found two goals" in one
    assert "line 2: " in two
    assert "line 3: expected a start and a goal, found 3 codes" in three
    assert "line 4: " in four
    done = solve_lines(f"{start} {goal}\n", "--goal", "last")
    assert (done.code, done.out) == (2, "")
    assert "found two goals: leave out --goal" in done.err


def test_comments_and_empty_lines_are_skipped(solve_lines):
    done = solve_lines(f"\ufeff# boards\r\n\r\n{NEAR}\r\n  # {CODE}\n\n", "--json")
    assert [result["puzzle"] for result in objects(done)] == [NEAR]
    assert (done.code, done.err) == (0, "")
    assert solve_lines("").code == solve_lines("# nothing\n").code == 0


def test_bad_line_is_reported_by_number_and_the_rest_runs(solve_lines):
    lines = ["# boards", NEAR, "nonsense", "1.2.3-4.5.6-7.8.8 " + NEAR, "", "57", UNSOLVABLE, CODE]
    done = solve_lines("\n".join(lines), "--json")
    assert done.code == 2
    assert [result["puzzle"] for result in objects(done)] == [NEAR, UNSOLVABLE, CODE]
    *errors, hint = done.err.splitlines()
    assert "--goal spiral" in hint
    assert [re.match("slidewise: error: line ([0-9]+): ", line)[1] for line in errors] == [*"346"]
    assert "expected a puzzle code such as 7.2.4-5.0.6-8.3.1: 'nonsense'" in errors[0]
    assert "0 is missing and 8 appears" in errors[1]
    assert "'57'" in errors[2]


def test_undecodable_bytes_spoil_only_their_line(solve_lines):
    done = solve_lines(b"\xff\xfe\n\xe9t\xe9 " + NEAR.encode() + b"\n", "--json")
    assert done.code == 2
    assert [result["puzzle"] for result in objects(done)] == [NEAR]
    assert done.err.count("\n") == 1


def test_endless_line_is_truncated_in_memory():
    class File:
        """A line of 100 MB, then a short one."""

        def __init__(self) -> None:
            self.parts = chain(repeat("1" * 4_000, 25_000), ["\n", NEAR], repeat(""))

        def readline(self, size: int) -> str:
            assert size < 10_000
            return next(self.parts)

    (one, text), second = islice(puzzle_lines(File()), 3)
    assert (one, len(text)) == (1, 4_000)
    assert second == (2, NEAR)


def test_too_long_line_is_reported(solve_lines):
    done = solve_lines(f"{'1 ' * 5_000}{NEAR}\n{NEAR} # {'x' * 5_000}\n", "--json")
    assert [result["puzzle"] for result in objects(done)] == [NEAR]
    assert done.code == 2
    assert "line 1: a line can have at most 4,000 characters" in done.err


@pytest.mark.parametrize(("board", "code"), [(NEAR, 0), (UNSOLVABLE, 1), (FOUR_FAR, 1), ("x", 2)])
def test_exit_codes(solve_lines, board, code):
    for lines in f"{NEAR}\n{board}\n", f"{board}\n{NEAR}\n":
        assert solve_lines(lines, "--json", *SHORT).code == code
    assert solve_lines(f"{board}\nx\n{UNSOLVABLE}", *SHORT).code == 2


def test_minus_reads_stdin(cli):
    done = cli("solve", "--file", "-", "--json", stdin=f"# two\n{NEAR}\n{CODE}\n")
    assert done.code == 0
    assert [result["length"] for result in objects(done)] == [6, 1]


def test_each_puzzle_has_a_line_without_json(solve_lines):
    done = solve_lines("\n".join([NEAR, CODE, UNSOLVABLE, FOUR_FAR]), *SHORT)
    near, code, unsolvable, hard = done.out.splitlines()
    expanded = solve(parse_puzzle(NEAR), "astar").expanded
    assert near.startswith(f"{NEAR}: 6 moves (optimal), expanded {expanded:,}, ")
    assert code.startswith(f"{CODE}: 1 move (optimal), expanded ")
    assert unsolvable.startswith(f"{UNSOLVABLE}: no solution (unsolvable), expanded 0, ")
    assert re.match(rf"{FOUR_FAR}: no solution \(cutoff, at least [0-9]+ moves\), expanded ", hard)
    assert all(line.endswith(("ms", " s")) for line in done.out.splitlines())
    assert done.code == 1


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_goal_of_unsolvable_boards_is_named_once(solve_lines, options):
    """Two boards of Korf's, whose blank comes first, in his notation."""
    korf = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n"
    done = solve_lines(korf, *SHORT, *options)
    assert (done.code, len(done.out.splitlines())) == (1, 2)
    assert done.err == (
        "slidewise: 2 boards cannot reach the goal; all can reach another goal: "
        "--goal first (blank first)\n"
    )
    again = solve_lines(korf, "--json", "--goal", "first")
    assert [result["length"] for result in objects(again)] == [57, 55]
    assert (again.code, again.err) == (0, "")


def test_other_goal_is_counted_among_the_unsolvable_boards(solve_lines):
    swapped = "1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0"
    to_first = f"1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0_{KORF_GOAL}"
    done = solve_lines(f"{swapped}\n{to_first}\n{NEAR}", *SHORT)
    assert (
        "2 boards cannot reach the goal; 1 of them can reach another goal: --goal first" in done.err
    )
    assert "1 board cannot reach the goal; all can" in solve_lines(UNSOLVABLE, *SHORT).err
    assert "--goal spiral (spiral)" in solve_lines(UNSOLVABLE, *SHORT).err
    assert solve_lines(NEAR, *SHORT).err == ""


def test_goal_option_is_for_codes_without_a_goal(solve_lines):
    done = solve_lines(f"1.0.2-3.4.5-6.7.8\n1.0-3.2\n{CODE}\n", "--goal", "first", "--json")
    assert [result["puzzle"] for result in objects(done)] == [CODE, "1.0-3.2_0.1-2.3"]
    assert done.code == 2
    assert "line 3: found two goals" in done.err
    done = solve_lines("1.0.2-3.4.5-6.7.8\n1.0-3.2\n", "--goal", "0.1.2-3.4.5-6.7.8", "--json")
    assert [result["puzzle"] for result in objects(done)] == [CODE]
    assert "line 2: " in done.err


def test_invalid_cores_are_refused(solve_lines, cli):
    assert "--cores must be 1 or more" in solve_lines(NEAR, "--cores", "0").err
    assert "--cores is for --file" in cli("solve", NEAR, "--cores", "2").err


def test_crashed_process_is_an_error(solve_lines, monkeypatch):
    def lost(*_, **__):
        raise BrokenExecutor

    monkeypatch.setattr("slidewise.cli.solve.solve_many", lost)
    done = solve_lines(NEAR, "--cores", "2")
    assert (done.code, done.out) == (1, "")
    assert "error: a process was lost" in done.err
