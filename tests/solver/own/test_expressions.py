"""Heuristics of one's own: what is read, what it is worth, and what a search makes of it."""

from __future__ import annotations

import contextlib
import itertools
import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slidewise import (
    Proof,
    Status,
    UnknownNameError,
    compare,
    find_algorithm,
    find_heuristic,
    heuristics,
    search,
    solve,
)
from slidewise.puzzle import Board, parse_board, parse_puzzle, standard_goal
from slidewise.solver.compare import parse_runs, read_choices
from slidewise.solver.find import find_fitting_heuristic
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import EXPRESSION_CHARACTERS, ExpressionError, parse
from slidewise.solver.own.tree import BOUND, FEATURES, is_own, names, names_in
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.task import UnfitHeuristicError
from tests.solver import oracle

PUZZLE = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")
GOALS = ["1.2.3-4.5.0", "0.1-2.3-4.5", "4.0-1.5-2.3", "1.2-3.0", "3.0.5-1.4.2"]

# What the names mean, a second time: slowly, a board at a time, on tuples of cells.


def ways(cells, goal, cols, tiles):
    """Return (rows, columns) from home of each of `tiles`."""
    for tile in tiles:
        (row, col), (home_row, home_col) = (
            divmod(side.index(tile), cols) for side in (cells, goal)
        )
        yield abs(row - home_row), abs(col - home_col)


def tiles(cells):
    return range(1, len(cells))


def conflict_pairs(cells, goal, cols):
    found = 0
    for line in oracle.lines(len(goal) // cols, cols):
        here = [cells[cell] for cell in line]
        home = [goal[cell] for cell in line]
        both = [tile for tile in here if tile and tile in home]
        found += sum(home.index(a) > home.index(b) for a, b in itertools.combinations(both, 2))
    return 2 * found


def gaschnig(cells, goal, cols):
    """Count the swaps: what belongs where the blank is, or any wrong tile if that is the blank."""
    cells, swaps = list(cells), 0
    while tuple(cells) != goal:
        blank = cells.index(0)
        wanted = goal[blank]
        if not wanted:
            wanted = next(tile for tile, home in zip(cells, goal, strict=True) if tile != home)
        there = cells.index(wanted)
        cells[blank], cells[there] = wanted, 0
        swaps += 1
    return swaps


def sequence_score(cells, goal, cols):
    rows = len(goal) // cols
    ring = [0]
    for step, count in ((1, cols - 1), (cols, rows - 1), (-1, cols - 1), (-cols, rows - 1)):
        ring += [ring[-1] + step * (n + 1) for n in range(count)]
    ring.pop()
    here, home = ([side[cell] for cell in ring] for side in (cells, goal))
    follows = dict(zip(home, home[1:] + home[:1], strict=True))
    score = sum(
        2
        for tile, after in zip(here, here[1:] + here[:1], strict=True)
        if tile and follows.get(tile) != after
    )
    return score + sum(
        cells[cell] != goal[cell] for cell in range(len(goal)) if cell not in ring and cells[cell]
    )


def wrong_goal(goal):
    last = (*range(1, len(goal)), 0)
    return tuple(range(len(goal))) if goal == last else last


REFERENCE = {
    "manhattan": oracle.manhattan,
    "misplaced": oracle.misplaced,
    "linear_conflict": oracle.linear_conflict,
    "zero": oracle.zero,
    "manhattan_with_blank": lambda cells, goal, cols: sum(
        map(sum, ways(cells, goal, cols, range(len(goal))))
    ),
    "manhattan_without_last": lambda cells, goal, cols: sum(
        map(sum, ways(cells, goal, cols, range(1, len(goal) - 1)))
    ),
    "manhattan_wrong_goal": lambda cells, goal, cols: oracle.manhattan(
        cells, wrong_goal(goal), cols
    ),
    "misplaced_with_blank": lambda cells, goal, cols: sum(
        tile != home for tile, home in zip(cells, goal, strict=True)
    ),
    "conflict_pairs": conflict_pairs,
    "out_of_row": lambda cells, goal, cols: sum(
        down > 0 for down, _ in ways(cells, goal, cols, tiles(goal))
    ),
    "out_of_column": lambda cells, goal, cols: sum(
        right > 0 for _, right in ways(cells, goal, cols, tiles(goal))
    ),
    "euclidean": lambda cells, goal, cols: int(
        math.fsum(math.dist((0, 0), way) for way in ways(cells, goal, cols, tiles(goal)))
    ),
    "max_distance": lambda cells, goal, cols: max(map(sum, ways(cells, goal, cols, tiles(goal)))),
    "inversions": lambda cells, goal, cols: sum(
        goal.index(a) > goal.index(b)
        for a, b in itertools.combinations([tile for tile in cells if tile], 2)
    ),
    "gaschnig": gaschnig,
    "sequence_score": sequence_score,
}


@pytest.mark.parametrize("text", GOALS)
def test_each_name_is_worth_what_it_says(text):
    goal = parse_board(text)
    table = exact_table(goal)
    values = {name: own_heuristic(f"={name}").build(goal) for name in REFERENCE}
    for cells in itertools.islice(oracle.distances(goal.cells, *goal.size), 0, None, 7):
        board = Board(*goal.size, cells)
        for name, reference in REFERENCE.items():
            assert values[name].value(board) == reference(cells, goal.cells, goal.cols), name
        assert own_heuristic("=exact").value(board, goal) == table.distance(board)


def test_there_are_no_other_names():
    of_registry = {key.replace("-", "_") for key in heuristics()}
    assert set(names()) == {*REFERENCE, "exact", "pdb"} == of_registry | set(FEATURES)


@pytest.mark.parametrize("text", ["7.2.4-5.0.6-8.3.1", "1.2.3.4-5.6.7.0"])
@pytest.mark.parametrize("key", heuristics())
def test_a_heuristic_of_the_registry_is_worth_the_same_by_its_name(key, text):
    goal = parse_board(text)
    table, own = exact_table(goal), own_heuristic("=" + key.replace("-", "_")).build(goal)
    registered = find_heuristic(key).build(goal)
    for distance in range(0, table.diameter + 1, 3):
        board = table.nth_at(distance, 0)
        assert own.value(board) == registered.value(board)


# Random expressions, against Python's own arithmetic.

SIGNS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}
TIGHT = {"<": 1, "<=": 1, ">": 1, ">=": 1, "==": 1, "!=": 1, "+": 2, "-": 2}


def bracketed(part, level):
    return part[0] if part[2] >= level else f"({part[0]})"


def binary(parts):
    """Join two parts (text, meaning, level) with the brackets they need."""
    sign, left, right = parts
    level = TIGHT.get(sign, 3)
    text = f"{bracketed(left, level + (level == 1))}{sign} {bracketed(right, level + 1)}"
    return text, lambda names: SIGNS[sign](held(left, names), held(right, names)), level


def divided(parts):
    sign, left, number = parts
    text = f"{bracketed(left, 3)} {sign}{number}"
    if sign == "//":
        return text, lambda names: held(left, names) // number, 3
    return text, lambda names: held(left, names) % number, 3


def called(parts):
    function, arguments = parts
    text = f"{function} ({' , '.join(part[0] for part in arguments)})"
    known = {"max": max, "min": min}[function]
    return text, lambda names: known(held(part, names) for part in arguments), 5


def held(part, names):
    return max(-BOUND, min(BOUND, part[1](names)))


def leaf_of_number(number):
    return str(number), lambda _: number, 5


def leaf_of_name(name):
    return name, lambda names: names[name], 5


LEAVES = st.integers(0, 999_999).map(leaf_of_number) | st.sampled_from(
    ["manhattan", "misplaced", "inversions", "gaschnig", "max_distance"]
).map(leaf_of_name)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda parts: st.one_of(
        st.tuples(st.sampled_from(list(SIGNS)), parts, parts).map(binary),
        st.tuples(st.sampled_from(["//", "%"]), parts, st.integers(1, 30)).map(divided),
        st.tuples(st.sampled_from(["max", "min"]), st.lists(parts, min_size=2, max_size=3)).map(
            called
        ),
        parts.map(lambda part: (f"-{bracketed(part, 4)}", lambda names: -held(part, names), 4)),
        parts.map(lambda part: (f"abs({part[0]})", lambda names: abs(held(part, names)), 5)),
    ),
    max_leaves=8,
).filter(lambda part: len(part[0]) < EXPRESSION_CHARACTERS // 2)
BOARDS = st.sampled_from(
    [Board(2, 3, cells) for cells in oracle.distances((1, 2, 3, 4, 5, 0), 2, 3)]
)


@settings(deadline=None, max_examples=150)
@given(EXPRESSIONS, BOARDS)
def test_an_expression_is_worth_what_python_says(part, board):
    goal = standard_goal(2, 3)
    known = {name: REFERENCE[name](board.cells, goal.cells, 3) for name in names_in(parse(part[0]))}
    expected = max(0, min(255, held(part, known)))
    assert own_heuristic(f"={part[0]}").build(goal).value(board) == expected


@given(EXPRESSIONS)
def test_the_canonical_form_is_read_as_the_same(part):
    tree = parse(part[0])
    assert parse(str(tree)) == tree
    assert own_heuristic(f"={part[0]}").key == f"={tree}"


ANY_TEXT = st.text(max_size=60) | st.text(alphabet="max(),mnhtd_-+*/%<>=!0123 .@'", max_size=330)
PIECES = st.lists(
    st.sampled_from(
        [*SIGNS, "(", ")", ",", "//", "%", "max", "abs", "manhattan", "2", "__import__"]
    )
).map(" ".join)


@given(ANY_TEXT | PIECES)
def test_garbage_raises_nothing_else(text):
    tree = None
    with contextlib.suppress(ExpressionError):
        tree = parse(text)
    if tree is not None:
        assert parse(str(tree)) == tree
        assert len(str(tree)) <= EXPRESSION_CHARACTERS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@", r"expected a name such as manhattan, a number or a bracket at '@' \(character 1\)"),
        ("max(manhattan", r"or the closing bracket \) at the end"),
        ("", "expected a name such as manhattan, a number or a bracket at the end"),
        ("manhatan + 1", r"no name 'manhatan'; did you mean manhattan\? \(character 1\)"),
        ("linear-conflict", "did you mean linear_conflict"),
        ("xyzzy", "no name 'xyzzy'; the names are exact, linear_conflict, "),
        ("manhattan / 2", r"at '/'; there are whole numbers only: write // .* \(character 11\)"),
        ("1.5 * manhattan", r"at '\.'; there are whole numbers only \(character 2\)"),
        ("manhattan = 2", "write == to compare"),
        ("manhattan // 0", r"expected a number above 0 after // at '0' \(character 14\)"),
        ("manhattan % misplaced", "expected a number above 0 after % at 'misplaced'"),
        ("1 < 2 < 3", r"expected a sign such as \+ or the end at '<' \(character 7\)"),
        ("max(1)", "max takes two values or more, this has 1"),
        ("abs(1, 2)", "abs takes one, this has 2"),
        ("max", r"expected a bracket \( after max at the end"),
        ("1000000", r"numbers go up to 999,999"),
        ("manhattan.__class__", r"at '\.'"),
        ("__import__('os')", "no name '__import__'"),
        ("\N{FULLWIDTH DIGIT ONE} + 1", r"at '.' \(character 1\)"),
        ("(" * 25 + "1" + ")" * 25, "more than 20 levels of brackets"),
        ("-" * 100 + "1", "more than 20 levels"),
        ("1+" * 120 + "1", "an expression has up to 200 characters"),
        ("1" * 400, "an expression has up to 200 characters, this 400"),
    ],
)
def test_what_cannot_be_read_is_told(text, message):
    with pytest.raises(ExpressionError, match=message):
        find_heuristic(f"={text}")


def test_nothing_fails_at_the_largest_expression():
    text = "*".join(["999999"] * 22)
    goal = standard_goal(2, 2)
    assert own_heuristic(f"={text}").value(goal, goal) == 255
    assert own_heuristic(f"=-{text}").value(goal, goal) == 0


# As a heuristic among the others.


def test_it_claims_nothing_until_all_boards_were_looked_at():
    own = find_heuristic("=max(misplaced,manhattan)")
    assert (own.key, own.title) == ("=max(misplaced, manhattan)",) * 2
    assert (own.admissible, own.consistent) == (False, False)
    known = own.for_goal(PUZZLE.goal)
    assert (known.admissible, known.consistent) == (True, True)
    wrong = find_heuristic("=2*manhattan").for_goal(PUZZLE.goal)
    assert (wrong.admissible, wrong.consistent) == (False, False)
    manhattan = find_heuristic("manhattan")
    assert manhattan.for_goal(PUZZLE.goal) is manhattan
    assert is_own(own.key)
    assert not is_own("zero")


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs", "wastar", "greedy"])
def test_each_algorithm_searches_as_with_the_heuristic_itself(algorithm):
    own = solve(PUZZLE, algorithm, "=manhattan + 0")
    same = solve(PUZZLE, algorithm, "manhattan")
    assert own.heuristic == "=manhattan + 0"
    assert (own.moves, own.expanded, own.verdict) == (same.moves, same.expanded, same.verdict)


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs"])
def test_nothing_is_proved_with_one_that_is_not_admissible(algorithm):
    result = solve(PUZZLE, algorithm, "=5 * manhattan + misplaced % 3")
    assert result.status is Status.SOLVED
    assert result.length > 26
    assert result.verdict.kind is Proof.UNPROVED
    assert "proves nothing" in result.verdict.reason
    assert result.lower_bound <= 26


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs"])
def test_one_that_is_admissible_but_not_consistent_finds_the_shortest(algorithm):
    """A* has to open boards again: h falls by several moves at once."""
    text = "=manhattan * (manhattan % 3 > 0)"
    facts = find_heuristic(text).for_goal(PUZZLE.goal)
    assert facts.admissible
    assert not facts.consistent
    result = solve(PUZZLE, algorithm, text)
    assert (result.length, result.verdict.kind) == (26, Proof.OPTIMAL)


def test_the_work_beforehand_is_told():
    puzzle = parse_puzzle("1.2.3-4.0.5")
    told = [event.what for event in search(puzzle, "astar", "=misplaced + 0 * inversions")
            if type(event).__name__ == "Preparing"]  # fmt: skip
    assert "working the heuristic out for all boards" in told


def test_a_larger_board_is_refused_with_the_reason():
    assert find_fitting_heuristic("=manhattan", 2, 5).key == "=manhattan"
    message = (
        r"the heuristic =2 \* misplaced is worked out for all boards of a size beforehand, "
        r"up to 10 cells, not for 3x4; there are linear-conflict, "
    )
    with pytest.raises(UnfitHeuristicError, match=message):
        find_fitting_heuristic("=2*misplaced", 3, 4)
    with pytest.raises(UnfitHeuristicError, match="up to 10 cells"):
        solve(parse_puzzle("15.1.2.3-4.5.6.7-8.9.10.11-12.13.0.14"), "astar", "=manhattan")


def test_reading_one_loads_no_numpy():
    code = (
        "import sys; from slidewise import find_heuristic;"
        "find_heuristic('=max(manhattan, 2 * misplaced)');"
        "print({'numpy', 'numba', 'flask'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# Raced like the others.


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("astar:manhattan,bfs", ["astar:manhattan", "bfs"]),
        ("bfs;astar", ["bfs", "astar:manhattan"]),
        (
            "astar:=max(manhattan,2*misplaced),bfs",
            ["astar:=max(manhattan, 2 * misplaced)", "bfs"],
        ),
        (
            "idastar:=max(1,min(2,(3)));astar:=manhattan",
            ["idastar:=max(1, min(2, 3))", "astar:=manhattan"],
        ),
        ("astar:=manhattan>=2,bfs", ["astar:=manhattan >= 2", "bfs"]),
        ("bfs:=misplaced", ["bfs"]),
    ],
)
def test_runs_with_expressions_among_them(text, runs):
    choices = parse_runs(text)
    assert [str(choice) for choice in choices] == runs
    assert parse_runs(",".join(runs)) == parse_runs(";".join(runs)) == choices
    assert read_choices(runs) == choices


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("astar:=max(manhattan,bfs", ExpressionError),
        ("astar:=manhattan),bfs", ExpressionError),
        ("astar:=)(,bfs", ExpressionError),
        ("astar:=", ExpressionError),
        ("", UnknownNameError),
        (",", UnknownNameError),
        (";" * 1000, UnknownNameError),
    ],
)
def test_runs_that_cannot_be_read(text, error):
    with pytest.raises(error):
        parse_runs(text)


def test_a_comparison_shows_its_name():
    puzzle = parse_puzzle("2.3.0-1.4.6-7.5.8")
    found = compare(puzzle, "astar:=max(manhattan,misplaced),astar")
    assert [result.heuristic for result in found] == ["=max(manhattan, misplaced)", "manhattan"]
    assert "=max(manhattan, misplaced)" in str(found)
    assert found[0].method == f"{find_algorithm('astar').title} with =max(manhattan, misplaced)"
