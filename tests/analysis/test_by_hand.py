"""The method by hand: its ideas are true and lead to the goal. Its lessons keep their promises."""

import re
from heapq import heappop, heappush

import pytest

from slidewise import Puzzle, parse_board, scramble, solve, standard_goal
from slidewise.analysis.by_hand import LESSONS, moves_to, next_idea, parts
from tests.each import each

SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4), (5, 5), (2, 6), (6, 2)]
SEEDS = {(4, 4): 10, (5, 5): 3}


def abstract_distance(board, tiles):
    """The fewest moves until all `tiles` are home, by A* on their cells and the blank's."""
    cols, number = board.cols, len(board.cells)

    def far(places):
        return sum(
            abs(a // cols - (tile - 1) // cols) + abs(a % cols - (tile - 1) % cols)
            for tile, a in zip(tiles, places, strict=True)
        )

    start = (board.cells.index(0), *(board.cells.index(tile) for tile in tiles))
    best, queue = {start: 0}, [(far(start[1:]), 0, start)]
    while queue:
        _, minus, state = heappop(queue)
        made = -minus
        if made > best[state]:
            continue
        blank, *places = state
        if far(places) == 0:
            return made
        row, col = divmod(blank, cols)
        for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            cell = blank + down * cols + right
            if not (0 <= cell < number and 0 <= col + right < cols and row + down >= 0):
                continue
            after = (cell, *(blank if place == cell else place for place in places))
            if made + 1 < best.get(after, 1000):
                best[after] = made + 1
                heappush(queue, (made + 1 + far(after[1:]), -made - 1, after))
    raise AssertionError("no way")


def follow(board):
    """Return the ideas from `board` to the goal, each with the boards before and after it."""
    while idea := next_idea(board):
        before = board
        for tile in moves_to(board, idea.cells, idea.done):
            board = board.slide(tile)
        yield before, idea, board


@pytest.mark.parametrize("size", SIZES)
def test_parts_hold_each_tile_once(size):
    tiles = [tile for part in parts(*size) for tile in part]
    assert sorted(tiles) == list(range(1, size[0] * size[1]))


def claims(text, board):
    """Check each statement of a sentence on `board` and return their number."""
    here = {tile: divmod(cell, board.cols) for cell, tile in enumerate(board.cells)}
    home = {tile: divmod(tile - 1, board.cols) for tile in here if tile}
    blank = here[0]
    found = 0
    for tile, beside in re.findall(r"place beside the (\d+)|place below the (\d+)", text):
        base = int(tile or beside)
        found += 1
        assert here[base] == home[base]
    sides = {"below": (1, 0), "beside": (0, 1)}
    if match := re.fullmatch(r"Bring the (\d+) to the (.*), and the (\d+) right (\w+) it\.", text):
        found += 1
        first, last = int(match[1]), int(match[3])
        row, col = home[last]
        assert here[first] != home[last]
        down, right = sides[match[4]]
        assert home[first] == (row - right, col - down)
        corner = row in (0, board.rows - 1) and col in (0, board.cols - 1)
        assert corner == (match[2] == "corner")
        if match[2] == "end of its row":
            assert (col, home[first][0]) == (board.cols - 1, row)
        if match[2] == "bottom of its column":
            assert (row, home[first][1]) == (board.rows - 1, col)
    if match := re.fullmatch(r"Bring the (\d+) right (\w+) the (\d+)\. Then both slide in\.", text):
        found += 1
        last, first = int(match[1]), int(match[3])
        down, right = sides[match[2]]
        assert here[first] == home[last]
        assert here[last] != (here[first][0] + down, here[first][1] + right)
    if match := re.fullmatch(r"Slide the (\d+) (up|left) into its place\.", text):
        found += 1
        tile = int(match[1])
        down, right = {"up": (1, 0), "left": (0, 1)}[match[2]]
        assert blank == home[tile]
        assert here[tile] == (blank[0] + down, blank[1] + right)
    if match := re.search(r"Slide the (\d+) (to the left|up) into .* The (\d+) follows", text):
        found += 1
        tile, last = int(match[1]), int(match[3])
        down, right = {"up": (1, 0), "to the left": (0, 1)}[match[2]]
        assert here[tile] == home[last] == (home[tile][0] + down, home[tile][1] + right)
    found += text == "Bring the 1 to its corner."
    if match := re.fullmatch(
        r"Slide the (\d+) (up|left) into its place, and all is solved\.", text
    ):
        found += 1
        assert [t for t in home if here[t] != home[t]] == [int(match[1])]
        assert blank == home[int(match[1])]
        assert board.direction_of(int(match[1])) == match[2][0].upper()
    if text.startswith("Slide the last three tiles round"):
        found += 1
        assert sum(here[tile] != home[tile] for tile in home) in (2, 3)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_ideas_are_true_and_lead_to_the_goal(size):
    tiles = range(1, size[0] * size[1])
    for seed in range(SEEDS.get(size, 20)):
        board = scramble(*size, str(seed)).start
        for before, idea, after in follow(board):
            assert claims(idea.text, before) == 1, idea.text
            assert {*map(int, re.findall(r"\d+", idea.text))} <= {*tiles}
            assert not idea.fulfilled(before)
            assert idea.fulfilled(after)
            for tile in idea.done:
                assert before.cells[tile - 1] == after.cells[tile - 1] == tile
            board = after
        assert board == standard_goal(*size)


def test_goal_has_no_idea():
    assert next_idea(standard_goal(3, 3)) is None


def test_moves_to_refuses_cells_out_of_reach():
    with pytest.raises(ValueError, match="no way"):
        moves_to(parse_board("1.2.3-4.5.6-7.8.0"), {8: 0}, {1})


LESSON_STARTS = [(lesson, start) for lesson in LESSONS for start in lesson.starts]
BY_KEY = {lesson.key: lesson for lesson in LESSONS}
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)


def test_lessons_have_unique_keys_and_boards():
    assert len({lesson.key for lesson in LESSONS}) == len(LESSONS)
    assert len({start.code for _, start in LESSON_STARTS}) == len(LESSON_STARTS)


@each_lesson
def test_lesson_starts_with_only_its_given_tiles_home(lesson):
    for start in lesson.starts:
        board = parse_board(start.code)
        assert board.size == lesson.size
        assert Puzzle.standard(board).solvable
        assert all(board.cells[tile - 1] == tile for tile in lesson.given)
        assert any(board.cells[tile - 1] != tile for tile in lesson.tiles)


@each_lesson
def test_aims_of_a_lesson_are_parts_in_the_methods_order(lesson):
    order = list(parts(*lesson.size))
    first = order.index(lesson.aims[0])
    assert lesson.aims == tuple(order[first : first + len(lesson.aims)])
    assert set(lesson.given) == {tile for part in order[:first] for tile in part}


@each(("lesson", "start"), LESSON_STARTS)
def test_fewest_moves_of_a_lesson_are_exact(lesson, start):
    board = parse_board(start.code)
    if lesson.is_whole:  # the distance above cannot solve a whole 4x4
        result = solve(Puzzle.standard(board), "best")
        assert (result.length, result.verdict.kind.value) == (start.fewest, "optimal")
    else:
        assert abstract_distance(board, lesson.tiles) == start.fewest


@each_lesson
def test_demonstration_reaches_the_aim(lesson):
    for start in lesson.starts:
        board = parse_board(start.code)
        for scene in lesson.scenes(board):
            assert scene.tiles
            if scene.wrong:
                assert scene.board == board
                continue
            assert scene.board == board
            assert claims(scene.text, board) == 1
            board = scene.after
        assert all(board.cells[tile - 1] == tile for tile in lesson.tiles)


@each_lesson
def test_wrong_way_brings_the_last_tile_home_and_the_other_out(lesson):
    for start in lesson.starts:
        board = parse_board(start.code)
        wrong = [scene for scene in lesson.scenes(board) if scene.wrong]
        assert [scene.text for scene in wrong] == [lesson.wrong] * bool(lesson.wrong)
        for scene in wrong:
            first, last = lesson.aims[-1]
            assert board.cells[first - 1] == first, "it is home at the start"
            assert board.cells[last - 1] not in (0, last), "another tile is in the corner"
            below = last - 1 + (board.cols if last == first + 1 else 1)
            assert board.cells[below] == last, "and is shut in"
            assert re.match(rf"The {last} goes in alone\. .* the {first} is out\.", scene.text)
            assert scene.after.cells[last - 1] == last
            assert scene.after.cells[first - 1] != first


@each_lesson
def test_text_of_a_lesson_names_its_tiles(lesson):
    in_aim = set(map(int, re.findall(r"\d+", lesson.aim)))
    assert in_aim <= {tile for aim in lesson.aims for tile in aim}
    neighbours = {1, *lesson.tiles}
    assert set(map(int, re.findall(r"\d+", lesson.text))) <= neighbours


def test_two_in_line_starts_with_the_line_in_the_corner():
    for start in BY_KEY["two-in-line"].starts:
        board = parse_board(start.code)
        assert (board.cells[2], board.cells[5]) == (2, 3)


def test_last_four_cells_are_solved_by_rotation():
    for start in BY_KEY["last-four"].starts:
        board = parse_board(start.code)
        order = tuple(board.cells[cell] for cell in (4, 5, 8, 7) if board.cells[cell])
        assert order in {(5, 6, 8), (6, 8, 5), (8, 5, 6)}
