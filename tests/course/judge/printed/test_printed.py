"""Output of programs for human readers."""

import contextlib

from slidewise import UnreadableWorkError, check, parse_puzzle
from slidewise.course.judge.printed import read_given
from tests.boards import TWO_MOVES
from tests.each import each
from tests.expressions.growth import grows_too_fast

PUZZLE = parse_puzzle(TWO_MOVES)
"""Solved by `UL`: tile 5 up, tile 8 left. The blank goes down and right."""

BOARDS = ((1, 2, 3, 4, 0, 6, 7, 5, 8), (1, 2, 3, 4, 5, 6, 7, 0, 8), (1, 2, 3, 4, 5, 6, 7, 8, 0))
SMALL = parse_puzzle("1.0.3-4.2.5")
SMALL_BOARDS = ((1, 0, 3, 4, 2, 5), (1, 2, 3, 4, 0, 5), (1, 2, 3, 4, 5, 0))


def numpy_rows(cells):
    rows = [" ".join(map(str, cells[at : at + 3])) for at in range(0, len(cells), 3)]
    return "[[" + "]\n [".join(rows) + "]]"


def boxed(cells):
    border = "-------------"
    rows = (f"| {a} | {b} | {c} |" for a, b, c in zip(*[iter(cells)] * 3, strict=True))
    return "\n".join(line for row in rows for line in (border, row)) + f"\n{border}\n"


def framed(cells, moved=None):
    border = "+------------------+"
    shown = [f">>{tile:2}<<" if tile == moved else f"  {tile or ' '}  " for tile in cells]
    rows = (f"|{'|'.join(shown[at : at + 3])}|" for at in range(0, len(cells), 3))
    return "\n".join([border, *(line for row in rows for line in (row, border))])


def grid(cells):
    return "\n".join(str(list(cells[at : at + 3])) for at in range(0, len(cells), 3))


PRINTED = {
    "boards with their steps, then a list": (
        "\n".join(f"\nStep: {n}\n{numpy_rows(cells)}" for n, cells in enumerate(BOARDS))
        + "\nSolution Moves: ['down', 'right']",
        "UL",
        {},
    ),
    "boxes, a list and a number": (
        "\n\n\t+-------+-------+-------|\n\t|  1 \t|  2 \t|  3 \n\t+-------+-------+-------|\n"
        "\t|  4 \t|  0\t|  6 \n\t+-------+-------+-------|\n\t|  7 \t|  5 \t|  8 \n"
        "\t+-------+-------+-------|\n\ngame over\n\n"
        + "".join(map(boxed, BOARDS))
        + "['down', 'right']\n2  moves",
        "UL",
        {"length": 2},
    ),
    "start, steps and their number": (
        f"Initial state:\n{grid(BOARDS[0])}\nGoal state reached with 2 step(s):\n{grid(BOARDS[2])}",
        None,
        {"length": 2},
    ),
    "a depth in a sentence": ("Target found at depth: 2", None, {"length": 2}),
    "limits that were too low": (
        "No solution found in 1 moves\nNot solved at depth 1\nSolution found at depth 2",
        None,
        {"length": 2},
    ),
    "a list and a count": ("['Down', 'Right']\nexpanded: 76", "UL", {"expanded": 76}),
    "a move a line": ("Step 1: Move UP (tile 5)\nStep 2: Move LEFT (tile 8)\nDone!", "UL", {}),
    "numbered moves": ("1. Down\n2. Right\nSolved in 2 moves.", "UL", {"length": 2}),
    "nodes in a sentence": (
        "Path: Down -> Right\nexpanded 6 nodes, 14 nodes generated",
        "UL",
        {"expanded": 6, "generated": 14},
    ),
    "a cost in a sentence": ("Found the goal! Cost: 2", None, {"length": 2}),
    "a count alone": ("cost_of_path: 2", None, {"length": 2}),
    "numbers of nodes": (
        "Number of nodes generated = 14\nTotal cost: 2\nThreshold: 2",
        None,
        {"generated": 14, "length": 2},
    ),
    "a number of moves": ("Moves: 2\nTime taken: 0.4 s", None, {"length": 2}),
}


@each("case", list(PRINTED.items()))
def test_printed_path_and_counts_are_read(case):
    _, (text, moves, counts) = case
    given = read_given(text, PUZZLE)
    assert (given.moves, given.counts, given.rows) == (moves, counts, ())
    assert {text for _, text in given.skipped} <= {"game over", "Done!"}
    assert check(PUZZLE, "bfs", given={"path": "UL"}).right


def test_printed_frames_of_a_notebook_are_a_path():
    text = (
        f"\nInitial State: \n{framed(SMALL_BOARDS[0])}\n\nGoal State: \n{framed(SMALL_BOARDS[2])}\n"
        f"Initial State:\n{framed(SMALL_BOARDS[0])}\n\nStep 1: Move UP (tile 2)\n"
        f"{framed(SMALL_BOARDS[1], 2)}\n\nStep 2: Move LEFT (tile 5)\n"
        f"{framed(SMALL_BOARDS[2], 5)}\n"
        "Puzzle solved in 2 steps, 6 nodes processed."
    )
    given = read_given(text, SMALL)
    assert (given.moves, given.counts) == ("UL", {"length": 2, "expanded": 6})
    assert not given.skipped
    assert check(SMALL, "astar", given=text).right


def test_wrong_depth_of_a_found_solution_is_wrong():
    assert check(PUZZLE, "iddfs", given="Solution found at depth 3").wrong
    assert check(PUZZLE, "iddfs", given="Goal reached at a depth of 2").right


@each(
    "text",
    ["True", "False", "Not solved", "No solution found.", "Goal state could not be reached."],
)
def test_printed_answer_alone_is_checked(text):
    report = check(PUZZLE, "iddfs", given=text)
    assert report.right is (text == "True")
    assert report.wrong is not report.right
    if report.wrong:
        assert report.title == "Your answer is not right"


@each(
    "line",
    [
        "(1, 2, 3, 4, 0, 6, 7, 5, 8)",
        "Expanding: (1, 2, 3, 4, 0, 6, 7, 5, 8)",
        "[1, 2, 3, 4, _, 6, 7, 5, 8] g=0 h=2 f=2",
        "f = 2: [[1, 2, 3], [4, 0, 6], [7, 5, 8]]",
        "1 2 3 4 -1 6 7 5 8",
        "Expanding 123406758 with f=2",
        "State 1: 1,2,3,4,0,6,7,5,8",
    ],
)
def test_printed_board_in_a_sentence_is_read(line):
    given = read_given(f"{line}\n1 2 3 4 5 6 7 0 8", PUZZLE)
    (row, _) = given.rows
    assert not given.skipped
    assert row.cells == bytes(BOARDS[0])
    if "f=" in line.replace(" ", ""):
        assert row.values["f"] == 2


def test_lines_without_meaning_are_skipped_and_shown():
    text = "Welcome to my solver\n1.2.3-4.0.6-7.5.8\nhello\n1.2.3-4.5.6-7.0.8\nspeed: 3\n"
    given = read_given(text, PUZZLE)
    assert len(given.rows) == 2
    assert [number for number, _ in given.skipped] == [1, 3, 5]
    (note,) = (one for one in check(PUZZLE, "bfs", given=text).notes if "understood" in one)
    assert note == "Nothing was understood in 3 lines; line 1 is: Welcome to my solver"


@each("part", ["a", "|", "up ", "(", "g=", "x ", "start "])
def test_long_lines_are_read_in_linear_time(part):
    def read(text):
        with contextlib.suppress(UnreadableWorkError):
            read_given(text, PUZZLE)

    assert not grows_too_fast(read, lambda size: f"expanded: 3\n{part * (size // len(part))}")


@each("number", ["831460", "543210"])
def test_number_as_long_as_a_board_is_a_count(number):
    given = read_given(f"Solution found in 2 moves\nExpanded {number} nodes\n", SMALL)
    assert (given.counts, given.rows) == ({"length": 2, "expanded": int(number)}, ())


LINES = {
    "number and dot": "{n}. {cells}",
    "number in brackets": "[{n}] {cells}",
    "arrow": "-> {cells}",
    "word": "expanding {cells}",
    "words and tuple": "Visiting state ({cells})",
    "name of a count": "Visited: ({cells})",
}


@each("line", LINES.values())
def test_board_after_a_mark_or_words_is_read(line):
    text = "\n".join(
        line.format(n=n, cells=" ".join(map(str, cells))) for n, cells in enumerate(BOARDS[:2], 1)
    )
    given = read_given(f"{text}\nSolution found in 2 moves", PUZZLE)
    assert [tuple(row.cells) for row in given.rows] == list(BOARDS[:2])
    assert given.counts == {"length": 2}


def test_cost_beside_a_board_is_not_that_of_the_path():
    text = "Depth: 0, State: 123406758, Cost: 0\nDepth: 1, State: 123456708, Cost: 1\n2 moves"
    assert read_given(text, PUZZLE).counts == {"length": 2}


@each("text", ["1. 9", "[1] 9", "-> 9", "expanding 9", "Visited: 9"])
def test_long_numbers_in_place_of_a_board_are_refused(text):
    with contextlib.suppress(UnreadableWorkError):
        assert not read_given(f"{text}{'9' * 5000}\n{text} 8 7 6 5 4 3 2 1", PUZZLE).rows
