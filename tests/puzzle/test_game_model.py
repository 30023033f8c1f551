"""Any order of clicks, against a model: a list of all boards and the player's index in it."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from slidewise import Board, Game, IllegalMoveError, Puzzle, blank_first_goal, standard_goal
from slidewise.puzzle.moves import play
from tests.puzzle.strategies import walk


class Model:
    """A game as a list of (cells, number of tiles moved, direction, last tile), and an index."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.history = [(puzzle.start.cells, 0, "", 0)]
        self.place = 0
        self.counted = self.finished = None
        self.played = 0
        self.left = None
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
        """Slide the line by the cells between blank and tile. Return whether there is a line."""
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
        self.left = None
        self.count(now)
        self.counted = now
        self.finished = now if self.solved else None
        return True

    def count(self, now: int) -> None:
        """Add the time since the last reading of the clock if it runs."""
        if self.counted is not None:
            self.played += now - self.counted if self.finished is None else 0
            self.counted = now

    def go(self, place: int, now: int) -> None:
        if place != self.place:
            if self.left is not None:
                self.played, self.counted = self.left.played, now
            self.left = None
            self.place = place
            self.count(now)
            self.finished = now if self.solved else None

    @property
    def solved(self) -> bool:
        return self.cells == self.puzzle.goal.cells

    def nearest(self, cells: tuple[int, ...]) -> int | None:
        """Return the last index of `cells`, or else the next one."""
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
        elif self.model.left is not None:
            self.model.left.helped = self.model.helped
            self.model = self.model.left
            if self.model.finished is None:
                self.model.counted = now
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
        if not self.model.place and not self.forgotten:
            with pytest.raises(IllegalMoveError):
                self.game.restart()
            return
        before = self.model
        self.model = Model(before.puzzle)
        self.model.helped = before.helped
        if not self.forgotten:
            self.model.history, self.model.left = before.history, before
        self.forgotten = 0
        self.game = self.game.restart()

    @rule(slides=st.integers(0, 3))
    def forget(self, slides):
        model = self.model
        if model.place + 1 < len(model.history):
            del model.history[model.place + 1 :]
            model.left = None
        else:
            gone = min(slides, model.place)
            self.forgotten += sum(count for _, count, _, _ in model.history[1 : gone + 1])
            del model.history[:gone]
            model.place -= gone
        self.game = self.game.forget(slides)

    @rule()
    def request_help(self):
        self.model.helped = True
        self.game = self.game.with_help()

    @rule(data=st.data())
    def at(self, data):
        now = self.tick()
        cells = data.draw(st.sampled_from([cells for cells, *_ in self.model.history]))
        self.model.go(self.model.nearest(cells), now)
        self.game = self.game.at(self.board(cells), now)

    @rule()
    def at_refuses_another_board(self):
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
    def game_matches_the_model(self):
        game, model = self.game, self.model
        assert game.puzzle == model.puzzle
        assert game.board.cells == model.cells
        assert game.solved == model.solved
        assert game.made == "".join(model.slides[: model.place])
        assert game.undone == "".join(reversed(model.slides[model.place :]))
        assert game.forgotten == self.forgotten
        counts = [count for _, count, _, _ in model.history[1 : model.place + 1]]
        assert game.move_count == self.forgotten + sum(counts)
        assert game.started == (len(model.history) > 1 or self.forgotten > 0)
        assert game.helped == model.helped

    @invariant()
    def clock_matches_the_model(self):
        game, model = self.game, self.model
        assert (game.played, game.finished) == (model.played, model.finished)
        assert game.running == (model.counted is not None and model.finished is None)
        if game.running:
            assert game.counted == model.counted

    @invariant()
    def last_step_matches_the_model(self):
        step = self.game.last_step
        if self.model.place == 0:
            assert step is None
        else:
            cells, _, direction, tile = self.model.history[self.model.place]
            assert (step.board.cells, step.direction, step.tile) == (cells, direction, tile)


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=40, stateful_step_count=30)
