"""Two games of one visitor, clicked at random, against a model in plain Python."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.web import markup
from tests.web.streams import HTMX

STEPS = {"U": (1, 0), "D": (-1, 0), "L": (0, 1), "R": (0, -1)}
"""Where the tile that moves in a direction stands, as (rows, columns) from the blank."""


class Model:
    """A game as it should be: the boards it has been through, and the place among them."""

    def __init__(self, rows, cols, cells, goal):
        self.rows, self.cols, self.start, self.goal = rows, cols, cells, goal
        self.restart()

    @property
    def code(self):
        return self.text(self.start) + ("" if self.goal[-1] == 0 else f"_{self.text(self.goal)}")

    def text(self, cells):
        rows = [cells[i : i + self.cols] for i in range(0, len(cells), self.cols)]
        return "-".join(".".join(map(str, row)) for row in rows)

    @property
    def cells(self):
        return self.boards[self.place]

    @property
    def count(self):
        return sum(self.lengths[: self.place])

    def restart(self):
        self.boards, self.lengths, self.place = [self.start], [], 0
        return True

    def undo(self):
        self.place -= (moved := self.place > 0)
        return moved

    def redo(self):
        self.place += (moved := self.place < len(self.lengths))
        return moved

    def slide(self, tile):
        """Slide `tile` and those between it and the blank; return whether it is in line."""
        if tile not in range(1, len(self.cells)):
            return False
        cells = list(self.cells)
        row, col = divmod(cells.index(tile), self.cols)
        blank_row, blank_col = divmod(cells.index(0), self.cols)
        if row != blank_row and col != blank_col:
            return False
        distance = abs(row - blank_row) + abs(col - blank_col)
        down, right = (row - blank_row) // distance, (col - blank_col) // distance
        for _ in range(distance):
            self._swap(cells, down, right)
        self._add(cells, distance)
        return True

    def step(self, direction):
        cells = list(self.cells)
        if not self._swap(cells, *STEPS[direction]):
            return False
        self._add(cells, 1)
        return True

    def at(self, cells):
        """Go back, else forward, to the nearest place that had this board."""
        back = [place for place in range(self.place, -1, -1) if self.boards[place] == cells]
        on = [place for place in range(self.place, len(self.boards)) if self.boards[place] == cells]
        if not back + on:
            return False
        self.place = (back + on)[0]
        return True

    def copy(self):
        twin = Model(self.rows, self.cols, self.start, self.goal)
        twin.boards, twin.lengths, twin.place = list(self.boards), list(self.lengths), self.place
        return twin

    def _add(self, cells, count):
        self.boards[self.place + 1 :] = [tuple(cells)]
        self.lengths[self.place :] = [count]
        self.place += 1

    def _swap(self, cells, down, right):
        blank = cells.index(0)
        row, col = blank // self.cols + down, blank % self.cols + right
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            return False
        other = row * self.cols + col
        cells[blank], cells[other] = cells[other], 0
        return True


def parity(cells, cols):
    """Return what no move changes: the parity of the permutation and of the blank's cell."""
    swaps = sum(a > b for i, a in enumerate(cells) for b in cells[i + 1 :])
    row, col = divmod(cells.index(0), cols)
    return (swaps + row + col) % 2


GARBAGE = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.integers().map(str),
    st.sampled_from(["", "0", "-1", "999", "1e3", "+5", "0x5", "5;", "\0", "U"]),
)


class Visitor(RuleBasedStateMachine):
    app = None

    def __init__(self):
        super().__init__()
        self.client = self.app.test_client()
        self.games = [
            Model(3, 3, (1, 2, 3, 4, 0, 6, 7, 5, 8), (1, 2, 3, 4, 5, 6, 7, 8, 0)),
            Model(2, 4, (1, 0, 3, 4, 5, 2, 6, 7), (0, 1, 2, 3, 4, 5, 6, 7)),
        ]
        self.seen = [[game.start] for game in self.games]

    def click(self, which, what, moved, **form):
        """Click; `moved` says whether the model has followed."""
        game = self.games[which]
        url = f"/play/{game.code}/{what}"
        response = self.client.post(url, data=form, headers=HTMX)
        assert response.status_code == (200 if moved else 422)
        page = markup.read(response)
        self.compare(game, page)
        assert ("refused" in page.one(id="said").classes) != moved
        self.seen[which].append(game.cells)

    def compare(self, game, page):
        assert markup.board_of(page) == game.text(game.cells)
        assert markup.moves_of(page) == game.count
        assert bool(page.all(id="won")) == (game.cells == game.goal)
        off = {name for name in ("undo", "redo") if "aria-disabled" in page.one(id=name).attrs}
        assert ("undo" in off) == (game.place == 0)
        assert ("redo" in off) == (game.place == len(game.lengths))

    which = st.integers(0, 1)

    @rule(which=which, tile=st.integers(-1, 9))
    def slide(self, which, tile):
        self.click(which, "slide", self.games[which].slide(tile), tile=tile)

    @rule(which=which, choice=st.integers(0, 3), times=st.integers(1, 4))
    def slide_a_tile_beside_the_blank(self, which, choice, times):
        game = self.games[which]
        for turn in range(times):
            legal = [d for d in STEPS if game.copy().step(d)]
            cells, direction = game.cells, legal[(choice + turn) % len(legal)]
            assert game.step(direction)
            self.click(which, "slide", True, tile=cells[game.cells.index(0)])

    @rule(which=which, tile=GARBAGE)
    def slide_garbage(self, which, tile):
        text = tile.strip()
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
        self.click(which, "slide", self.games[which].slide(number), tile=tile)

    @rule(which=which, data=st.data())
    def slide_what_another_tab_still_shows(self, which, data):
        old = data.draw(st.sampled_from(self.seen[which]))
        tile = data.draw(st.sampled_from([tile for tile in old if tile]))
        self.click(which, "slide", self.games[which].slide(tile), tile=tile)

    @rule(which=which)
    def undo(self, which):
        self.click(which, "undo", self.games[which].undo())

    @rule(which=which)
    def redo(self, which):
        self.click(which, "redo", self.games[which].redo())

    @rule(which=which)
    def restart(self, which):
        self.click(which, "restart", self.games[which].restart())

    @rule(which=which)
    def ask_for_help(self, which):
        self.click(which, "assisted", True)

    @rule(which=which, data=st.data(), moves=st.text("UDLR", max_size=4))
    def play_on(self, which, data, moves):
        game = self.games[which].copy()
        start = data.draw(st.sampled_from(self.seen[which]))
        known = game.at(start) and all(game.step(move) for move in moves)
        if known:
            self.games[which] = game
        self.click(which, "play-on", known, start=game.text(start), moves=moves)

    @rule(which=which, start=GARBAGE, moves=GARBAGE)
    def play_on_from_garbage(self, which, start, moves):
        game = self.games[which]
        form = {"start": start, "moves": moves}
        response = self.client.post(f"/play/{game.code}/play-on", data=form, headers=HTMX)
        assert response.status_code in {400, 422}

    @rule(which=which)
    def open_it_again(self, which):
        game = self.games[which]
        self.compare(game, markup.read(self.client.get(f"/play/{game.code}")))

    @rule()
    def go_to_the_front_door(self):
        assert self.client.get("/").status_code == 302

    @invariant()
    def boards_are_permutations_of_legal_parity(self):
        for game in self.games:
            assert sorted(game.cells) == list(range(game.rows * game.cols))
            assert parity(game.cells, game.cols) == parity(game.start, game.cols)

    def teardown(self):
        for game in self.games:
            self.compare(game, markup.read(self.client.get(f"/play/{game.code}")))


def test_two_games_clicked_at_random(app):
    Visitor.app = app
    run_state_machine_as_test(Visitor, settings=settings(max_examples=20, stateful_step_count=25))
