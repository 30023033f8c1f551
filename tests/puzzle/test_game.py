from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from slidewise.puzzle import (
    Board,
    Game,
    IllegalMoveError,
    Puzzle,
    blank_first_goal,
    format_moves,
    parse_board,
    parse_puzzle,
    standard_goal,
)
from slidewise.puzzle.moves import inverse, play
from tests.puzzle.strategies import SIZES, puzzles, walk

CODE = "0.1.2.3-4.5.6.7-8.9.10.11"
ALMOST = "1.2.3-4.5.6-0.7.8"


@pytest.fixture
def game() -> Game:
    return Game.new(parse_puzzle(CODE))


def test_a_new_game(game):
    assert game.board == game.puzzle.start
    assert (game.made, game.undone, game.move_count, game.last_step) == ("", "", 0, None)
    assert not game.begun
    assert not game.solved
    assert not game.helped
    assert (game.started, game.finished, game.seconds(now=100)) == (None, None, 0)


def test_games_are_immutable(game):
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.made = "U"
    game.slide(3, now=1)
    assert game == Game.new(parse_puzzle(CODE))


# Slides


def test_a_click_slides_the_whole_line_and_counts_each_tile(game):
    game = game.slide(3, now=1)
    assert str(game.board) == "1.2.3.0-4.5.6.7-8.9.10.11"
    assert (game.made, game.move_count) == ("L3", 3)
    game = game.slide(11, now=2)
    assert str(game.board) == "1.2.3.7-4.5.6.11-8.9.10.0"
    assert (game.made, game.move_count) == ("L3U2", 5)
    game = game.slide(10, now=3)
    assert (game.made, game.move_count) == ("L3U2R", 6)


def test_slides_in_one_direction_stay_apart():
    game = Game.new(parse_puzzle(CODE)).slide(1, now=1).slide(2, now=1).slide(3, now=1)
    assert (game.made, game.move_count) == ("LLL", 3)
    assert str(game.undo(now=2).board) == "1.2.0.3-4.5.6.7-8.9.10.11"


@pytest.mark.parametrize("tile", [5, 0, 12, -1])
def test_a_click_elsewhere_is_illegal(game, tile):
    with pytest.raises(IllegalMoveError):
        game.slide(tile, now=1)


# Undo, redo, restart


def test_undo_takes_a_line_back_at_once_and_redo_makes_it_again(game):
    moved = game.slide(3, now=1).slide(7, now=2)
    back = moved.undo(now=3)
    assert (back.made, back.undone, back.move_count) == ("L3", "U", 3)
    start = back.undo(now=4)
    assert start.board == game.board
    assert (start.made, start.undone, start.move_count) == ("", "UL3", 0)
    assert start.begun
    assert start.redo(now=5).redo(now=6) == moved


@pytest.mark.parametrize("back", ["undo", "redo"])
def test_nothing_to_undo_or_redo(game, back):
    with pytest.raises(IllegalMoveError, match=f"there is no move to {back}"):
        getattr(game, back)(now=1)


def test_a_new_slide_forgets_what_could_be_redone(game):
    game = game.slide(3, now=1).undo(now=2).slide(4, now=3)
    assert (game.made, game.undone) == ("U", "")
    with pytest.raises(IllegalMoveError):
        game.redo(now=4)


def test_restart_keeps_only_that_help_was_used(game):
    played = game.slide(3, now=1)
    assert played.restart() == game
    assert played.with_help().restart() == game.with_help()
    assert not played.with_help().restart().begun


# Going back and forth, playing a solution on


def test_at_goes_back_and_forward(game):
    first = game.slide(3, now=1)
    second = first.slide(11, now=2)
    assert second.at(game.board, now=3).board == game.board
    assert second.at(first.board, now=3) == second.undo(now=3)
    assert second.undo(now=3).undo(now=3).at(second.board, now=4) == second
    assert second.at(second.board, now=9) == second


def test_at_prefers_the_past_where_a_board_came_up_twice():
    game = Game.new(parse_puzzle(ALMOST))
    first, second = game.board, play(game.board, "D")
    game = game.play_on(first, "DUDU", now=1)  # first, second, first, second, first
    middle = game.undo(now=2).undo(now=2).undo(now=2)
    assert (middle.made, middle.undone, middle.board) == ("D", "UDU", second)
    assert middle.at(first, now=3).made == ""
    assert middle.redo(now=3).at(second, now=4).made == "D"


def test_at_refuses_a_board_that_the_game_never_had(game):
    with pytest.raises(IllegalMoveError, match="this game never had the board"):
        game.slide(3, now=1).at(standard_goal(3, 4), now=2)


def test_at_does_not_stop_within_a_line(game):
    with pytest.raises(IllegalMoveError):
        game.slide(3, now=1).at(play(game.board, "L"), now=2)


def test_play_on_counts_as_help_and_each_move_is_a_slide_of_its_own():
    game = Game.new(parse_puzzle(ALMOST))
    solved = game.play_on(game.board, "LL", now=5)
    assert solved.solved
    assert solved.helped
    assert (solved.made, solved.move_count, solved.finished) == ("LL", 2, 5)
    assert solved.undo(now=6).move_count == 1


def test_play_on_first_goes_to_where_the_solution_starts():
    game = Game.new(parse_puzzle(ALMOST))
    strayed = game.slide(4, now=1).slide(1, now=2)
    assert strayed.play_on(game.board, "LL", now=3).made == "LL"
    assert strayed.undo(now=3).undo(now=3).play_on(strayed.board, "UL", now=4).made == "DDUL"


def test_play_on_refuses_an_illegal_solution():
    game = Game.new(parse_puzzle(ALMOST))
    with pytest.raises(IllegalMoveError):
        game.play_on(game.board, "LLL", now=1)
    with pytest.raises(IllegalMoveError):
        game.play_on(standard_goal(3, 3), "D", now=1)
    assert game.play_on(game.board, "", now=1) == game.with_help()


# Forgetting


def test_forgotten_slides_still_count_but_cannot_be_undone(game):
    game = game.slide(3, now=1).slide(7, now=2).slide(4, now=3).forget(2)
    assert (game.made, game.forgotten, game.move_count) == ("R3", 4, 7)
    assert game.undo(now=4).move_count == 4
    with pytest.raises(IllegalMoveError):
        game.undo(now=4).undo(now=4)


def test_what_could_be_redone_is_forgotten_first(game):
    game = game.slide(3, now=1).slide(7, now=2).undo(now=3)
    lighter = game.forget(5)
    assert (lighter.made, lighter.undone, lighter.forgotten) == ("L3", "", 0)
    assert (lighter.forget(5).made, lighter.forget(5).move_count) == ("", 3)
    assert lighter.forget(5).begun


# The clock


def test_the_clock_runs_from_the_first_move_to_the_last():
    game = Game.new(parse_puzzle(ALMOST)).slide(7, now=10)
    assert (game.started, game.finished) == (10, None)
    assert game.seconds(now=25) == 15
    game = game.slide(8, now=30)
    assert (game.started, game.finished) == (10, 30)
    assert game.seconds(now=999) == 20


def test_undo_after_solving_lets_the_clock_go_on():
    solved = Game.new(parse_puzzle(ALMOST)).slide(8, now=10)
    undone = solved.undo(now=20)
    assert (undone.started, undone.finished) == (10, None)
    assert undone.seconds(now=50) == 40
    assert undone.redo(now=60).finished == 60


def test_a_clock_put_back_never_counts_below_nothing():
    game = Game.new(parse_puzzle(ALMOST)).slide(7, now=100)
    assert game.seconds(now=50) == 0


# The last step


def test_last_step(game):
    step = game.slide(3, now=1).last_step
    assert (step.tile, step.direction, step.board) == (3, "L", play(game.board, "LLL"))
    step = game.slide(3, now=1).slide(7, now=2).last_step
    assert (step.tile, step.direction) == (7, "U")
    assert game.slide(3, now=1).undo(now=2).last_step is None


def test_slides_count_once_in_the_multi_tile_metric(game):
    assert game.multi_tile_count == 0
    game = game.slide(3, now=0).slide(11, now=1)
    assert (game.move_count, game.multi_tile_count) == (5, 2)
    one_by_one = Game.new(parse_puzzle(CODE))
    for tile in 1, 2, 3, 7, 11:
        one_by_one = one_by_one.slide(tile, now=0)
    assert one_by_one.multi_tile_count == 2, "one direction is one move, in however many clicks"
    assert one_by_one.undo(now=1).undo(now=2).multi_tile_count == 1
    assert game.forget(1).multi_tile_count is None


def test_the_last_moves_and_the_board_before_them(game):
    assert game.last_moves(9) == (game.board, "")
    after = game.slide(3, now=0).slide(11, now=1)
    assert after.last_moves(9) == (game.board, "LLLUU")
    board, moves = after.last_moves(3)
    assert (board, moves) == (play(game.board, "LL"), "LUU")
    board, moves = after.forget(1).last_moves(9)
    assert (board, moves) == (play(game.board, "LLL"), "UU")


@given(puzzles(), st.lists(st.integers(0, 3), max_size=60))
def test_the_slides_of_a_game_are_moves_that_lead_to_its_board(puzzle, turns):
    game = Game.new(puzzle)
    for direction in walk(puzzle.start, turns):
        game = game.slide_line(direction, now=0)
    assert play(puzzle.start, game.made) == game.board
    assert play(game.board, inverse(game.made)) == puzzle.start
    assert game.move_count == len(turns)
    assert Game.new(puzzle).play_on(puzzle.start, game.made, now=0) == game.with_help()


def test_a_game_of_thousands_of_slides_is_walked_through_soon():
    puzzle = parse_puzzle(ALMOST)
    game = Game.new(puzzle).play_on(puzzle.start, "DU" * 10_000, now=1)
    assert game.move_count == 20_000
    assert game.at(play(puzzle.start, "D"), now=2).move_count == 19_999
    with pytest.raises(IllegalMoveError):
        game.at(standard_goal(3, 3), now=2)


# Any order of clicks, against a model: a list of all boards, and where the player stands in it


class Model:
    """A game as a list of (cells, number of tiles moved, direction, last tile), and a place."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.history = [(puzzle.start.cells, 0, "", 0)]
        self.place = 0
        self.started = self.finished = None
        self.helped = False

    @property
    def cells(self) -> tuple[int, ...]:
        return self.history[self.place][0]

    @property
    def slides(self) -> list[str]:
        return [
            direction + (str(count) if count > 1 else "")
            for _, count, direction, _ in self.history[1:]
        ]

    def click(self, tile: int, now: int) -> bool:
        """Slide the line by the cells between the blank and the tile; say whether there is one."""
        cols = self.puzzle.cols
        cells = list(self.cells)
        (row, col), (blank_row, blank_col) = (divmod(cells.index(n), cols) for n in (tile, 0))
        if tile == 0 or (row != blank_row and col != blank_col):
            return False
        if row == blank_row:
            direction, step = ("L", 1) if col > blank_col else ("R", -1)
        else:
            direction, step = ("U", cols) if row > blank_row else ("D", -cols)
        place, count = cells.index(0), 0
        while cells[place] != tile:
            following = cells[place + step]
            cells[place + step], cells[place] = tile if following == tile else 0, following
            count += 1
            if following == tile:
                cells[place + step] = 0
                break
            place += step
        del self.history[self.place + 1 :]
        self.history.append((tuple(cells), count, direction, tile))
        self.place += 1
        self.started = now if self.started is None else self.started
        self.finished = now if self.solved else None
        return True

    def go(self, place: int, now: int) -> None:
        if place != self.place:
            self.place = place
            self.finished = now if self.solved else None

    @property
    def solved(self) -> bool:
        return self.cells == self.puzzle.goal.cells

    def nearest(self, cells: tuple[int, ...]) -> int | None:
        """Return where `cells` stood last, else where they stand next."""
        back = range(self.place, -1, -1)
        return next(
            (
                place
                for place in (*back, *range(self.place + 1, len(self.history)))
                if self.history[place][0] == cells
            ),
            None,
        )


class Play(RuleBasedStateMachine):
    @initialize(
        size=st.sampled_from([(2, 2), (2, 3), (3, 2)]),
        blank_first=st.booleans(),
        turns=st.lists(st.integers(0, 3), max_size=4),
    )
    def begin(self, size, blank_first, turns):
        goal = (blank_first_goal if blank_first else standard_goal)(*size)
        puzzle = Puzzle(play(goal, walk(goal, turns)), goal)  # near the goal: often solved
        self.game, self.model = Game.new(puzzle), Model(puzzle)
        self.forgotten = 0
        self.now = 0

    def tick(self) -> int:
        self.now += 1
        return self.now

    @rule(choice=st.integers(0, 5))
    def click(self, choice):
        tile = choice % len(self.model.cells)
        now = self.tick()
        if self.model.click(tile, now):
            self.game = self.game.slide(tile, now)
        else:
            with pytest.raises(IllegalMoveError):
                self.game.slide(tile, now)

    @rule()
    def undo(self):
        now = self.tick()
        if self.model.place:
            self.model.go(self.model.place - 1, now)
            self.game = self.game.undo(now)
        else:
            with pytest.raises(IllegalMoveError):
                self.game.undo(now)

    @rule()
    def redo(self):
        now = self.tick()
        if self.model.place + 1 < len(self.model.history):
            self.model.go(self.model.place + 1, now)
            self.game = self.game.redo(now)
        else:
            with pytest.raises(IllegalMoveError):
                self.game.redo(now)

    @precondition(lambda self: self.now % 7 == 6)
    @rule()
    def restart(self):
        helped = self.model.helped
        self.model = Model(self.model.puzzle)
        self.model.helped = helped
        self.forgotten = 0
        self.game = self.game.restart()

    @rule(slides=st.integers(0, 3))
    def forget(self, slides):
        model = self.model
        if model.place + 1 < len(model.history):
            del model.history[model.place + 1 :]
        else:
            gone = min(slides, model.place)
            self.forgotten += sum(count for _, count, _, _ in model.history[1 : gone + 1])
            del model.history[:gone]
            model.place -= gone
        self.game = self.game.forget(slides)

    @rule()
    def ask_for_help(self):
        self.model.helped = True
        self.game = self.game.with_help()

    @rule(data=st.data())
    def at(self, data):
        now = self.tick()
        cells = data.draw(st.sampled_from([cells for cells, *_ in self.model.history]))
        self.model.go(self.model.nearest(cells), now)
        self.game = self.game.at(self.board(cells), now)

    @rule()
    def at_no_board_of_this_game(self):
        cells = (*self.model.puzzle.goal.cells[-1:], *self.model.puzzle.goal.cells[:-1])
        if self.model.nearest(cells) is None:
            with pytest.raises(IllegalMoveError):
                self.game.at(self.board(cells), self.tick())

    @rule(data=st.data(), turns=st.lists(st.integers(0, 3), max_size=5))
    def play_on(self, data, turns):
        now = self.tick()
        cells = data.draw(st.sampled_from([cells for cells, *_ in self.model.history]))
        start = self.board(cells)
        moves = walk(start, turns)
        self.game = self.game.play_on(start, moves, now)
        self.model.go(self.model.nearest(cells), now)
        self.model.helped = True
        for direction in moves:
            board = self.board(self.model.cells)
            assert self.model.click(board.cells[board.source(direction)], now)

    def board(self, cells: tuple[int, ...]) -> Board:
        return Board(*self.model.puzzle.start.size, cells)

    @invariant()
    def the_same_as_the_model(self):
        game, model = self.game, self.model
        assert game.puzzle == model.puzzle
        assert game.board.cells == model.cells
        assert game.solved == model.solved
        assert game.made == "".join(model.slides[: model.place])
        assert game.undone == "".join(reversed(model.slides[model.place :]))
        assert game.forgotten == self.forgotten
        counts = [count for _, count, _, _ in model.history[1 : model.place + 1]]
        assert game.move_count == self.forgotten + sum(counts)
        assert game.begun == (len(model.history) > 1 or self.forgotten > 0)
        assert game.helped == model.helped

    @invariant()
    def the_same_clock(self):
        game, model = self.game, self.model
        assert (game.started, game.finished) == (model.started, model.finished)
        later = self.now + 10
        if model.started is None:
            assert game.seconds(later) == 0
        else:
            end = later if model.finished is None else model.finished
            assert game.seconds(later) == end - model.started

    @invariant()
    def the_same_last_step(self):
        step = self.game.last_step
        if self.model.place == 0:
            assert step is None
        else:
            cells, _, direction, tile = self.model.history[self.model.place]
            assert (step.board.cells, step.direction, step.tile) == (cells, direction, tile)


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@given(SIZES)
def test_a_game_that_begins_solved_has_no_clock(size):
    game = Game.new(Puzzle.standard(standard_goal(*size)))
    assert game.solved
    assert (game.started, game.finished, game.seconds(now=5)) == (None, None, 0)


def test_run_lengths_of_slides_are_those_of_moves(game):
    assert game.slide(3, now=1).made == format_moves("LLL")
    assert parse_board(str(game.board)) == game.board
