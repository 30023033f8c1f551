"""`slidewise solve`, run in this process."""

import json
import shlex

import pytest

from slidewise import algorithms, events, parse_board, parse_moves, parse_puzzle, steps
from slidewise.puzzle.moves import opposite, play
from tests.boards import BLANK_FIRST, FOUR_FAR, TEXTBOOK, TWENTY_MOVES, UNSOLVABLE
from tests.cli.commands import RESULT_FIELDS
from tests.each import each


@pytest.fixture
def solved(cli):
    """Return a function that solves with `--json` and returns the object."""

    def run(*argv: str, stdin: str = "") -> dict[str, object]:
        done = cli("solve", "--json", *argv, stdin=stdin)
        assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
        return json.loads(done.out)

    return run


# solve: the steps


def test_steps_are_boxed_boards_with_the_moved_tile_marked(cli):
    done = cli("solve", "1.0.3-4.2.5")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Puzzle 1.0.3-4.2.5\n{parse_board('1.0.3-4.2.5').boxed()}\n")
    first = parse_board("1.2.3-4.0.5").boxed(moved=2)
    last = parse_board("1.2.3-4.5.0").boxed(moved=5)
    assert f"\nStep 1: tile 2 moves up; the blank moves down\n{first}\n\nStep 2:" in done.out
    assert f"\nStep 2: tile 5 moves left; the blank moves right\n{last}\n\nBest" in done.out


def test_moves_are_in_three_notations_that_agree(cli):
    out = cli("solve", TEXTBOOK).out
    assert "\nBest for this board: solved in 26 moves.\n" in out
    line = dict(line.split(":", 1) for line in out.splitlines() if ":" in line)
    moves = parse_moves(line["Tile directions"])
    puzzle = parse_puzzle(TEXTBOOK)
    assert len(moves) == 26
    assert play(puzzle.start, moves) == puzzle.goal
    assert line["Tile numbers"].split() == [str(s.tile) for s in steps(puzzle.start, moves)]
    assert opposite(parse_moves(line["Blank directions"])) == moves
    assert line["Verdict"].startswith(" proved shortest; ")
    assert out.count("Step ") == out.count(">") == 26


def test_cost_is_shown(cli, solved):
    result = solved(TEXTBOOK, "--algorithm", "astar")
    out = cli("solve", TEXTBOOK, "--algorithm", "astar").out
    assert f"Expanded {result['expanded']:,} nodes, generated {result['generated']:,} nodes" in out


def test_longer_path_shows_moves_above_the_shortest(cli):
    out = cli("solve", TEXTBOOK, "--algorithm", "greedy").out
    assert "Verdict: 30 moves above the shortest; " in out
    assert "; the exact distance table says 26.\n" in out
    assert out.count("above the shortest") == 1


def test_board_equal_to_the_goal_is_reported(cli):
    done = cli("solve", "1 2 3 4 5 6 7 8 0")
    assert done.code == 0
    assert "already solved" in done.out
    assert "Step" not in done.out


def test_unreachable_goal_has_two_alternatives(cli):
    done = cli("solve", UNSOLVABLE)
    puzzle = parse_puzzle(UNSOLVABLE)
    assert (done.code, done.err) == (1, "")
    assert puzzle.parity.explain() in done.out
    for alternative in (
        puzzle.solvable_alternatives().swapped,
        puzzle.solvable_alternatives().other_goal,
    ):
        assert f"  {alternative}\n" in done.out
        assert cli("solve", str(alternative)).code == 0


def test_time_limit_shows_the_bounds(cli):
    done = cli("solve", FOUR_FAR, "--algorithm", "astar", "--seconds", "0.05")
    assert done.code == 1
    assert "A* with Manhattan distance: no solution was found." in done.out
    assert "Known: stopped after 0.05 s; the shortest has at least" in done.out


# solve: boards in every notation


@pytest.mark.parametrize(
    "line",
    [
        TEXTBOOK,
        f"{TWENTY_MOVES} --goal first",
        f"{TWENTY_MOVES} --goal='0 1 2 3 4 5 6 7 8'",
        "7 2 4 5 0 6 8 3 1 --goal first",
        "'7 2 4 5 0 6 8 3 1' --goal '-1 1 2 3 4 5 6 7 8'",
        "7 2 4 5 -1 6 8 3 1 --goal -1,1,2,3,4,5,6,7,8",
        "'[[7 2 4]\n [5 0 6]\n [8 3 1]]' --goal first",
    ],
)
def test_every_notation_of_a_board_is_read(solved, line):
    result = solved(*shlex.split(line))
    assert (result["puzzle"], result["length"]) == (TEXTBOOK, 26)


@pytest.mark.parametrize(
    "line",
    [
        "-1 1 2 3 4 5 6 7 8 --goal first",
        "--goal first -- -1 1 2 3 4 5 6 7 8",
        "'-1 1 2 3 4 5 6 7 8' --goal '-1 1 2 3 4 5 6 7 8'",
        "-1,1,2,3,4,5,6,7,8 --goal=-1,1,2,3,4,5,6,7,8",
    ],
)
def test_board_that_begins_with_a_minus_is_read(solved, line):
    assert solved(*shlex.split(line))["puzzle"] == f"{BLANK_FIRST}_{BLANK_FIRST}"


def test_size_gives_a_flat_list_its_shape(solved):
    assert solved(*"12345607", "--size", "2x4")["puzzle"] == "1.2.3.4-5.6.0.7"
    assert solved("1 0 3 4 2 5", "--size", "3x2", "--goal", "last")["puzzle"] == "1.0-3.4-2.5"


def test_minus_reads_stdin(solved):
    assert solved("-", "--goal", "first", stdin=f"{TWENTY_MOVES}\n")["puzzle"] == TEXTBOOK
    for text in "7 2 4\n5 0 6\n8 3 1\n", "\ufeff7 2 4\r\n5 0 6\r\n8 3 1\r\n":
        assert solved("-", stdin=text)["puzzle"] == TWENTY_MOVES
    assert solved(TWENTY_MOVES, "--goal", "-", stdin=BLANK_FIRST)["puzzle"] == TEXTBOOK


# solve: JSON and events


def test_json_has_these_keys_in_this_order(solved):
    result = solved(TEXTBOOK)
    assert list(result) == RESULT_FIELDS
    puzzle = parse_puzzle(TEXTBOOK)
    assert play(puzzle.start, result["moves"]) == puzzle.goal
    assert result["tiles"] == [step.tile for step in steps(puzzle.start, result["moves"])]
    assert [result[key] for key in ("status", "length", "verdict", "lower_bound")] == [
        "solved",
        26,
        "optimal",
        26,
    ]


@pytest.mark.parametrize(
    ("board", "code"), [(TEXTBOOK, 0), (FOUR_FAR, 1), (UNSOLVABLE, 1), ("1.2.3-4.5.6-7.8.0", 0)]
)
def test_events_are_json_lines_that_end_in_finished(cli, board, code):
    done = cli("solve", board, "--algorithm", "astar", "--events", "--seconds", "0.3")
    stream = [json.loads(line) for line in done.out.splitlines()]
    kinds = [event["event"] for event in stream]
    assert (done.code, done.err) == (code, "")
    assert kinds[-1] == "finished"
    assert kinds.count("started") == kinds.count("finished") == 1
    assert set(kinds) <= {cls.__name__.lower() for cls in events.Event.__args__}
    assert list(stream[-1]["result"]) == RESULT_FIELDS
    assert ("progress" in kinds) == (board == FOUR_FAR)


# solve: the options of some algorithms


@each("option", [["--depth", "6"], ["--weight", "2"], ["--seed", "a"], ["--cooling", "0.9"]])
@each("algorithm", list(algorithms()))
def test_option_is_refused_for_other_algorithms(cli, algorithm, option):
    name = option[0].removeprefix("--")
    done = cli("solve", "2.3.0-1.4.6-7.5.8", "--algorithm", algorithm, *option, "--json")
    takers = [key for key, entry in algorithms().items() if name in entry.options]
    if algorithm in takers:
        result = json.loads(done.out)
        assert (done.code, done.err) == (result["length"] is None, "")
        assert name == "depth" or str(result[name]) in (option[1], f"{option[1]}.0")
    else:
        wanted = f"{algorithm} takes no --{name}: it is for --algorithm {', '.join(takers)}"
        assert (done.code, done.out, done.err) == (2, "", f"slidewise: error: {wanted}\n")


def test_options_are_checked_against_the_default_algorithm(cli):
    assert "best takes no --weight: it is for" in cli("solve", TEXTBOOK, "--weight", "2").err


def test_depth_limit_reaches_the_search(cli):
    short = cli("solve", "2.3.0-1.4.6-7.5.8", "--algorithm", "dfs", "--depth", "5", "--json")
    assert short.code == 1
    assert json.loads(short.out)["status"] == "cutoff"
    assert json.loads(short.out)["deepest"] <= 5
    enough = cli("solve", "2.3.0-1.4.6-7.5.8", "--algorithm", "dfs", "--depth", "6", "--json")
    assert json.loads(enough.out)["length"] == 6
    for algorithm in "dfs", "iddfs":
        deep = "--algorithm", algorithm, "--depth", f"{2**63}", "--json"
        assert json.loads(cli("solve", "1.0-3.2", *deep).out)["status"] == "solved"


def test_weight_reaches_the_search(solved):
    argv = [TEXTBOOK, "--algorithm", "wastar", "--heuristic", "misplaced"]
    by_default, same, heavy, light = (
        {key: value for key, value in solved(*argv, *option).items() if key != "seconds"}
        for option in ([], ["--weight", "1.5"], ["--weight", "4"], ["--weight", "1"])
    )
    assert by_default == same
    assert [one["weight"] for one in (by_default, heavy, light)] == [1.5, 4, 1]
    assert by_default["heuristic"] == "misplaced"
    assert solved(TEXTBOOK)["weight"] is None
    assert heavy["expanded"] < same["expanded"] < light["expanded"]
    assert (light["length"], light["verdict"]) == (26, "optimal")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["dfs", "--depth", "0"], "depth must be a whole number of 1 or more"),
        (["dfs", "--depth", "٣"], "a whole number such as 20, found '٣'"),
        (["dfs", "--depth", "1_0"], "a whole number such as 20, found '1_0'"),
        (["dfs", "--depth", "9" * 5000], "a whole number such as 20, found '999"),
        (["wastar", "--weight", "0.5"], "the weight must be from 1 to 100"),
        (["wastar", "--weight", "٣"], "a number such as 1.5, found '٣'"),
    ],
)
def test_invalid_option_values_are_refused(cli, option, message):
    for argv in [TEXTBOOK], ["--file", "-"]:
        done = cli("solve", *argv, "--algorithm", *option)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
        assert done.err.count("\n") == 1


def test_stuck_search_fails_with_its_reason(cli):
    done = cli("solve", TEXTBOOK, "--algorithm", "hill-climbing")
    assert done.code == 1
    assert "\nStuck: no neighbour has a lower h than " in done.out


def test_help_lists_the_algorithms_of_an_option(cli):
    text = " ".join(cli("solve", "--help").out.split())
    for name in "depth", "weight", "seed", "cooling":
        takers = ", ".join(key for key, entry in algorithms().items() if name in entry.options)
        assert takers
        assert f"; for {takers}" in text


def test_convention_changes_the_search(cli):
    run = cli("solve", "5.7.6-1.8.2-0.3.4", "--goal", "first", "--convention", "columbia")
    assert "A* with Manhattan distance (ColumbiaX): solved in 24 moves." in run.out
    assert "2 moves above the shortest; A* under ColumbiaX can miss" in run.out


def test_order_option_sets_the_successor_order(solved):
    options = "--algorithm", "dfs", "--order", "rlud"
    result = solved(TEXTBOOK, *options)
    assert result["convention"] == "slidewise,order=rlud"
    assert result["expanded"] != solved(TEXTBOOK, "--algorithm", "dfs")["expanded"]


@each(
    ("options", "message"),
    [
        (["--convention", "mit"], "the conventions are slidewise, aima3, aima4"),
        (["--order", "up"], "order can be u, d, l, r in any order, each once; found 'up'"),
        (
            ["--algorithm", "rbfs", "--convention", "42"],
            "those that take another are bfs, dfs, ucs, greedy, astar",
        ),
    ],
)
def test_unknown_convention_is_refused(cli, options, message):
    run = cli("solve", TEXTBOOK, *options)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
