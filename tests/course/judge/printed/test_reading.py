"""Reading the output of programs."""

import pytest

from slidewise import UnreadableWorkError, check, parse_puzzle, solve, standard_goal, write_result
from slidewise.course.judge.printed import read_given, reading, submission
from slidewise.course.judge.printed.checking import SHOWN_CHARACTERS
from slidewise.course.judge.printed.submission import Submission, WorkRow
from tests.boards import SIX_MOVES, SMALL, TWO_MOVES
from tests.each import each

PUZZLE = parse_puzzle(TWO_MOVES)
"""Solved by `UL`: tile 5 up, tile 8 left."""

FIRST, SECOND = "1.2.3-4.0.6-7.5.8", "1.2.3-4.5.6-7.0.8"
CELLS = [bytes((1, 2, 3, 4, 0, 6, 7, 5, 8)), bytes((1, 2, 3, 4, 5, 6, 7, 0, 8))]

ORDERS = {
    "canonical": f"{FIRST}\n{SECOND}\n",
    "slashes": "1 2 3/4 0 6/7 5 8\n1 2 3/4 5 6/7 0 8",
    "spaces": "1 2 3 4 0 6 7 5 8\n\n1 2 3 4 5 6 7 0 8",
    "commas": "1,2,3,4,0,6,7,5,8\r\n1,2,3,4,5,6,7,0,8\r\n",
    "tuples": "(1, 2, 3, 4, 0, 6, 7, 5, 8)\n(1, 2, 3, 4, 5, 6, 7, 0, 8)",
    "nested": "[[1,2,3],[4,0,6],[7,5,8]]\n[[1,2,3],[4,5,6],[7,0,8]]",
    "rows": "1 2 3\n4 0 6\n7 5 8\n\n1 2 3\n4 5 6\n7 0 8\n",
    "sizes": "3\n 1 2 3\n 4 0 6\n 7 5 8\n\n3\n 1 2 3\n 4 5 6\n 7 0 8\n",
    "digits": "\ufeff123406758\n123456708",
    "JSON": '["1.2.3-4.0.6-7.5.8", "1.2.3-4.5.6-7.0.8"]',
    "JSON lists": "[[1,2,3,4,0,6,7,5,8],[1,2,3,4,5,6,7,0,8]]",
    "fields": '{"expansions": [[[1,2,3],[4,0,6],[7,5,8]], "123456708"]}',
    "objects": f'[{{"board": "{FIRST}"}}, {{"board": "{SECOND}"}}]',
    "events": f'{{"event": "started"}}\n{{"event": "expanded", "board": "{FIRST}", "g": 0}}\n'
    f'{{"event": "expanded", "board": "{SECOND}", "g": 1, "h": 1}}',
    "CSV": f"order,board,g,h\n1,{FIRST},0,2\n2,{SECOND},1,1\n",
    "CSV, quoted": 'g;state\n0;"1,2,3,4,0,6,7,5,8"\n1;"1,2,3,4,5,6,7,0,8"\n',
}


FORMS = {
    **dict.fromkeys(("JSON", "JSON lists", "objects"), "JSON"),
    **dict.fromkeys(("CSV", "CSV, quoted"), "CSV"),
    "events": "JSON lines",
    "fields": "",
}


@each("case", list(ORDERS.items()))
def test_expansions_are_read(case):
    name, text = case
    given = read_given(text, PUZZLE)
    assert [row.cells for row in given.rows] == CELLS
    assert given.form == FORMS.get(name, "one board a line")


@each("text", ["[[1,2,3],[4,0,6],[7,5,8]]", "[1,2,3,4,0,6,7,5,8]", f'["{FIRST}"]'])
def test_single_list_is_a_board(text):
    assert [row.cells for row in read_given(text, PUZZLE).rows] == CELLS[:1]


PATHS = {
    "tiles' letters": ("UL", False),
    "blank's letters": ("D R", True),
    "words": ("['Up', 'Left']", False),
    "blank's words": ("path_to_goal: ['Down', 'Right']\ncost_of_path: 2", True),
    "tiles": ("5 8", False),
    "arrows": ("↑←", False),
    "JSON": ('{"path": ["down", "right"], "expanded": 2}', True),
    "JSON list": ('["UP", "LEFT"]', False),
    "boards": (f"{FIRST}\n{SECOND}\n1.2.3-4.5.6-7.8.0", False),
    "a move a line": ("U\nL", False),
    "numbered moves below a word": ("Solution\n1. Up\n2. Left", False),
    "a path below its name": ("path:\n['Up', 'Left']", False),
    "a plan": ("; made by hand\n0: (move t5 p8 p5)\n1: (MOVE T8 P9 P8) [1]\n", False),
}


@each("case", list(PATHS.items()))
def test_paths_are_read(case):
    _, (text, in_blank_directions) = case
    given = read_given(text, PUZZLE)
    assert (given.moves, given.in_blank_directions) == ("UL", in_blank_directions)
    assert not given.rows


@each("value", ["", " ", "[]", " []", "\n"])
@each("name", ["path_to_goal:", "path:", "moves:", "solution ="])
def test_path_name_without_moves_is_an_empty_path(name, value):
    for text in f"{name}{value}", f"{name}{value}\ncost_of_path: 0", f"expanded: 0\n{name}{value}":
        assert read_given(text, PUZZLE).moves == ""


def test_count_name_without_a_number_is_reported():
    with pytest.raises(
        UnreadableWorkError, match="line 2: cost_of_path must be a number, found ''"
    ):
        read_given("path_to_goal: []\ncost_of_path:", PUZZLE)


def test_counts_are_read_as_columbia_prints_them():
    text = (
        "path_to_goal: ['Down', 'Right']\ncost_of_path: 2\nnodes_expanded: 1,181\n"
        "search_depth: 2\nmax_search_depth: 3\nrunning_time: 0.01\nmax_ram_usage: 4.2\n"
    )
    counts = read_given(text, PUZZLE).counts
    assert counts == {"length": 2, "expanded": 1181, "deepest": 3}


def test_output_of_42_is_a_path_and_counts():
    result = solve(PUZZLE, "astar")
    given = read_given(write_result(result, "42"), PUZZLE)
    assert given.moves == "UL"
    assert given.counts == {
        "expanded": result.expanded,
        "peak_stored": result.peak_stored,
        "length": 2,
    }


def test_values_are_read():
    rows = read_given(f"board,g,h,f\n{FIRST},0,2.5,2.5\n{SECOND},1,,\n", PUZZLE).rows
    assert [dict(row.values) for row in rows] == [{"g": 0, "h": 2.5, "f": 2.5}, {"g": 1}]


WRONG = {
    "": (1, "there is nothing to check"),
    "\n\n": (1, "there is nothing to check"),
    f"{FIRST}\n\n1.2.3-4.5.6-7.8.8\n": (3, "8"),
    "\nhello\n": (2, "hello"),
    "speed: 3\nnothing": (1, "speed: 3"),
    "expanded: many": (1, "must be a number, found 'many'"),
    "expanded: 2.5": (1, "must be a whole number, found '2.5'"),
    f'{{"board": "{FIRST}"}}\n{{"board": ': (2, "this is not JSON"),
    f"board,g\n{FIRST},0\n{SECOND}\n": (3, "expected 2 fields as in the header, found 1"),
    "1.2-3.0\n1.2-0.3": (1, "expected"),
    "path: 5 1": (1, "tile 1 is not beside the blank"),
    "1 2 3\n4 0 6\n7 5 8\n\n1 2 3\n4 5 6\n7 0 x8": (7, "expected a tile's number"),
    ";\n(move t5 p8 p5)\n(move t1 p1 p2)": (3, "tile 1 is not beside the blank"),
    '{"a": ' * 5000: (1, "nested too deeply"),
    '{"a": 1}\n5': (2, "expected an object"),
    f"Goal state:\n1.2.3-4.5.6-7.8.8\n{FIRST}": (2, "8 appears twice"),
    "1.2.3.4-0.6-7.5.8": (1, "1.2.3.4-0.6-7.5.8"),
}


@each("case", list(WRONG.items()))
def test_unreadable_text_is_reported_with_its_line(case):
    text, (line, why) = case
    with pytest.raises(UnreadableWorkError) as caught:
        read_given(text, PUZZLE)
    assert caught.value.line == line
    assert why in caught.value.why
    assert str(caught.value).startswith(f"line {line}: ")


def test_boards_that_end_before_the_goal_are_expansions():
    text = "\n".join(["2.3.0-1.4.6-7.5.8", "2.0.3-1.4.6-7.5.8"])
    assert len(read_given(text, parse_puzzle(SIX_MOVES)).rows) == 2


def test_flat_board_takes_the_size_of_the_puzzle():
    rows = read_given("1 0 3 4 2 5\n1 2 3 4 0 5\n", parse_puzzle(SMALL)).rows
    assert rows[0].cells == bytes((1, 0, 3, 4, 2, 5))


def test_single_board_is_an_expansion_unless_it_is_labelled():
    assert [row.cells for row in read_given(FIRST, PUZZLE).rows] == CELLS[:1]
    with pytest.raises(UnreadableWorkError):
        read_given(f"Start state:\n{FIRST}", PUZZLE)


def test_text_above_the_limit_is_refused_at_line_1(monkeypatch):
    monkeypatch.setattr(reading, "MAX_CHARACTERS", 20)
    with pytest.raises(UnreadableWorkError, match="at most 20 characters") as error:
        read_given(f"{FIRST}\n{SECOND}", PUZZLE)
    assert error.value.line == 1


def test_longer_name_is_not_taken_for_its_prefix():
    assert read_given({"total_moves": 2}, PUZZLE).counts == {"length": 2}
    assert read_given("total expanded: 7", PUZZLE).counts == {"expanded": 7}


@each(
    "case",
    [
        ("expanded,generated\n53,145", {"expanded": 53, "generated": 145}),
        ("order,expanded\n1,5", {"expanded": 5}),
        ("path,expanded\nUL,5", {"expanded": 5}),
        ('{"expanded": "53"}', {"expanded": 53}),
        ("expanded 6 nodes generated 14 nodes", {"expanded": 6, "generated": 14}),
    ],
)
def test_count_with_a_name_of_boards_is_a_count(case):
    text, counts = case
    given = read_given(text, PUZZLE)
    assert (given.counts, given.rows) == (counts, ())


def test_board_of_an_event_can_have_another_name():
    events = f'{{"event": "expanded", "state": "{FIRST}"}}\n{{"event": "other", "state": 5}}'
    assert [row.cells for row in read_given(events, PUZZLE).rows] == CELLS[:1]


@each("form", ["{}\n{}\n{}", '["{}", "{}", "{}"]', "board\n{}\n{}\n{}"])
def test_expansions_above_the_limit_are_refused(form, monkeypatch):
    monkeypatch.setattr(submission, "MAX_EXPANSIONS", 2)
    assert len(read_given(f"{FIRST}\n{SECOND}", PUZZLE).rows) == 2
    with pytest.raises(UnreadableWorkError, match="expected at most 2 expansions"):
        read_given(form.format(FIRST, SECOND, FIRST), PUZZLE)


def test_long_lines_are_shown_truncated():
    word = "hello " * 100
    with pytest.raises(UnreadableWorkError) as caught:
        read_given(word, PUZZLE)
    assert len(caught.value.why) < submission.MAX_SENTENCE + 100
    assert caught.value.why.endswith(" ...'")
    (note,) = check(PUZZLE, "bfs", given=f"{word}\n{FIRST}").notes
    assert note.endswith(" ...")
    assert len(note) < SHOWN_CHARACTERS + 100


def test_sentences_and_names_are_found_only_at_line_starts():
    counted = "solved in 2 moves"
    near, far = " " * 200 + counted, "x" * submission.MAX_SENTENCE + f" {counted}"
    assert read_given(f"{FIRST}\nx{near}", PUZZLE).counts == {"length": 2}
    assert read_given(f"{FIRST}\n{far}", PUZZLE).counts == {}
    assert read_given(f"expanded{' ' * 60}: 3", PUZZLE).counts == {"expanded": 3}


@each("mark", [":", "="])
def test_long_path_after_its_name_is_read_whole(mark):
    moves = ["Up", "Down"] * 100 + ["Up", "Left"]
    assert len(read_given(f"path {mark} {moves}", PUZZLE).moves) == 202


def test_large_board_with_another_blank_in_one_line_is_read():
    puzzle = parse_puzzle(str(standard_goal(10, 10)))
    cells = " | ".join(["_", *map(str, range(1, 100))])
    (row,) = read_given(f"{cells}\nhello", puzzle).rows
    assert len(cells) > submission.MAX_SENTENCE
    assert row.cells == bytes(range(100))


def test_result_of_an_event_has_the_counts_of_the_search():
    events = (
        '{"event": "progress", "expanded": 1}\n{"event": "finished", "result": {"expanded": 7}}'
    )
    assert read_given(events, PUZZLE).counts == {"expanded": 7}


@each("case", [("path_to_goal", "U", True), ("path", "D", False)])
def test_named_path_away_from_the_goal_is_a_path(case):
    name, moves, in_blank_directions = case
    given = read_given(f"{name}: ['Down']", PUZZLE)
    assert (given.moves, given.in_blank_directions) == (moves, in_blank_directions)


def test_repeated_board_is_a_path_unless_the_search_goes_back():
    loop = [FIRST, SECOND, FIRST, SECOND, "1.2.3-4.5.6-7.8.0"]
    assert read_given("\n".join(loop), PUZZLE).moves == "UDUL"
    assert len(read_given("\n".join(loop), PUZZLE, algorithm="iddfs").rows) == 5
    assert read_given("\n".join(loop[2:]), PUZZLE, algorithm="iddfs").moves == "UL"


@each(
    "case",
    [
        ({"moves": "UL"}, "a path of 2 moves"),
        ({"moves": "UL", "solved": True}, "a path of 2 moves"),
        ({"solved": False}, "an answer without a path"),
        ({"counts": {"expanded": 3}, "moves": ""}, "a path of 0 moves and 1 count"),
        ({"rows": (WorkRow(1, CELLS[0]),), "form": "CSV"}, "1 expansion, CSV"),
        ({"rows": (WorkRow(1, CELLS[0]),)}, "1 expansion"),
        ({}, ""),
    ],
)
def test_submission_names_its_parts(case):
    parts, words = case
    assert Submission(**parts).words == words


@each(
    "case",
    [
        ("Goal reached!", True),
        ("Puzzle solved.", True),
        ("True", True),
        ("unsolvable", False),
        ("None", False),
        ("path: None", False),
        ("solution: False", False),
    ],
)
def test_answer_without_a_path_is_read(case):
    text, solved = case
    given = read_given(text, PUZZLE)
    assert (given.solved, given.moves, given.skipped) == (solved, None, ())


@each("line", ["level: 3", "Step: 3", "state: none", "move 2:"])
def test_line_that_names_its_position_is_not_skipped(line):
    given = read_given(f"{line}\n{FIRST}", PUZZLE)
    assert (len(given.rows), given.skipped) == (1, ())


def test_board_of_ten_digits_in_a_sentence_is_read():
    puzzle = parse_puzzle("1.2.3.4.5-6.7.8.0.9")
    (row,) = read_given("Expanding 1234567809", puzzle).rows
    assert row.cells == bytes(puzzle.start.cells)


FAR = parse_puzzle(SIX_MOVES)
BOARDS = [FAR.start, *(step.board for step in solve(FAR).steps())]


def rows_of(board, blank):
    return "\n".join(" ".join(str(tile) if tile else blank for tile in row) for row in board.grid)


@each("blank", ["0", "b", "None", "-", "•", " ", "__", "_"])
@each("skipped", [0, 1])
def test_path_is_read_with_any_blank_and_without_its_start(blank, skipped):
    text = "\n\n".join(rows_of(board, blank) for board in BOARDS[skipped:])
    given = read_given(text, FAR)
    assert (given.moves, given.rows) == (solve(FAR).moves, ())


@each("arrow", ["↓", "  ↓", "->", "---->", "=>", "v"])
def test_arrows_between_boards_are_no_moves(arrow):
    for boards in BOARDS, BOARDS[:-1]:
        given = read_given(f"\n{arrow}\n".join(rows_of(board, "0") for board in boards), FAR)
        assert given.moves == (solve(FAR).moves if boards is BOARDS else None)
        assert len(given.rows) == (0 if boards is BOARDS else len(boards))


def test_arrows_on_lines_below_each_other_are_moves():
    assert read_given("↓\n→", PUZZLE).moves == read_given("D\nR", PUZZLE).moves == "UL"


@each("edge", ["", "|"])
def test_table_of_markdown_is_read(edge):
    lines = " Algorithm | Explored nodes | Cost ", " --- | --- | ---: ", " BFS | 5960 | 14 "
    given = read_given("\n".join(f"{edge}{line}{edge}" for line in lines), PUZZLE)
    assert given.counts == {"expanded": 5960, "length": 14}


def test_output_of_two_runs_is_refused_at_the_second():
    run = [FIRST, SECOND, str(PUZZLE.goal)]
    with pytest.raises(UnreadableWorkError, match="line 5: a second run begins here"):
        read_given("\n".join([*run, "", *run]), PUZZLE)
