"""Two games of one visitor, clicked at random: the pages show the state of `Game`.

`tests/puzzle/test_game_model.py` compares `Game` with a model in plain Python.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from slidewise import Game, IllegalMoveError, parse_puzzle
from tests.boards import TWO_MOVES
from tests.web import markup
from tests.web.streams import HTMX

METHODS = {"assisted": "with_help", "play-on": "play_on"}
"""Clicks whose method of a game has another name."""

NOW = 0  # no clock is compared

CODES = TWO_MOVES, "1.0.3.4-5.2.6.7_0.1.2.3-4.5.6.7"

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
        self.games = [Game.new(parse_puzzle(code)) for code in CODES]
        self.seen = [[game.board] for game in self.games]

    def click(self, which, what, *args, **form):
        """Click, with `args` for the equivalent method of the game."""
        game, refused = self.games[which], False
        settled = game.solved and game.made != ""  # takes no slide and no note of help
        try:
            if settled and what == "slide":
                raise IllegalMoveError
            if not (settled and what == "assisted"):
                game = getattr(game, METHODS.get(what, what))(*args)
        except IllegalMoveError:
            refused = True
        response = self.client.post(f"/play/{CODES[which]}/{what}", data=form, headers=HTMX)
        assert response.status_code == 200
        page = markup.read(response)
        self.games[which] = game
        self.compare(which, page)
        assert ("refused" in page.one(id="said").classes) == refused
        self.seen[which].append(game.board)

    def compare(self, which, page):
        game = self.games[which]
        assert markup.board_of(page) == str(game.board)
        assert markup.moves_of(page) == game.move_count
        assert bool(page.all(id="won")) == game.solved
        off = {name for name in ("undo", "redo") if "aria-disabled" in page.one(id=name).attrs}
        assert ("undo" in off) == (game.made == "" and game.restarted_from is None)
        assert ("redo" in off) == (game.undone == "")

    which = st.integers(0, 1)

    @rule(which=which, tile=st.integers(-1, 9))
    def slide(self, which, tile):
        self.click(which, "slide", tile, NOW, tile=tile)

    @rule(which=which, choice=st.integers(0, 3), times=st.integers(1, 4))
    def slide_a_tile_beside_the_blank(self, which, choice, times):
        for turn in range(times):
            movable = self.games[which].board.movable
            self.slide(which, movable[(choice + turn) % len(movable)])

    @rule(which=which, tile=GARBAGE)
    def slide_garbage(self, which, tile):
        text = tile.strip()
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1
        self.click(which, "slide", number, NOW, tile=tile)

    @rule(which=which, data=st.data())
    def slide_what_another_tab_still_shows(self, which, data):
        old = data.draw(st.sampled_from(self.seen[which]))
        self.slide(which, data.draw(st.sampled_from([tile for tile in old.cells if tile])))

    @rule(which=which, what=st.sampled_from(["undo", "redo"]))
    def undo_or_redo(self, which, what):
        self.click(which, what, NOW)

    @rule(which=which, what=st.sampled_from(["restart", "assisted"]))
    def restart_or_ask_for_help(self, which, what):
        self.click(which, what)

    @rule(which=which, data=st.data(), moves=st.text("UDLR", max_size=4))
    def play_on(self, which, data, moves):
        start = data.draw(st.sampled_from(self.seen[which]))
        self.click(which, "play-on", start, moves, NOW, start=str(start), moves=moves)

    @rule(which=which, start=GARBAGE, moves=GARBAGE)
    def play_on_from_garbage(self, which, start, moves):
        form = {"start": start, "moves": moves}
        response = self.client.post(f"/play/{CODES[which]}/play-on", data=form, headers=HTMX)
        assert response.status_code in {200, 400}

    @rule(which=which)
    def open_it_again(self, which):
        self.compare(which, markup.read(self.client.get(f"/play/{CODES[which]}")))

    @rule()
    def go_to_the_front_door(self):
        assert self.client.get("/").status_code == 302

    def teardown(self):
        for which in 0, 1:
            self.open_it_again(which)


def test_two_games_clicked_at_random(app):
    Visitor.app = app
    run_state_machine_as_test(Visitor, settings=settings(max_examples=12, stateful_step_count=25))
