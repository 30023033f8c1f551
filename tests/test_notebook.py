"""Widgets for notebooks: their traits, their recordings, and their HTML without a kernel."""

import json
import re

import pytest
from IPython.core.formatters import DisplayFormatter
from traitlets import TraitError

from slidewise import (
    IllegalMoveError,
    InvalidMovesError,
    Limits,
    PuzzleError,
    UnknownNameError,
    notebook,
    parse_board,
    parse_puzzle,
    solve,
)
from tests.each import each
from tests.web import markup

FAR = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
NEAR = "2.3.0-1.4.6-7.5.8"
WIDGET = "application/vnd.jupyter.widget-view+json"


def changes_of(widget, *names):
    """Return a list that records each change of the traits."""
    changes = []
    widget.observe(lambda change: changes.append((change.name, change.new)), [*names])
    return changes


@each("puzzle", [NEAR, parse_puzzle(NEAR), parse_board(NEAR), "2 3 0 1 4 6 7 5 8"])
def test_a_game_starts_at_any_form_of_a_puzzle(puzzle):
    game = notebook.play(puzzle)
    assert (game.puzzle, game.board, game.moves, game.solved) == (NEAR, NEAR, "", False)


def test_moves_of_the_page_reach_the_observers():
    game = notebook.play(NEAR)
    changes = changes_of(game, "board", "moves", "solved")
    game.set_state({"moves": "R", "board": "2.0.3-1.4.6-7.5.8"})
    assert {*changes} == {("moves", "R"), ("board", "2.0.3-1.4.6-7.5.8")}
    game.set_state({"moves": "RRULUL", "board": "1.2.3-4.5.6-7.8.0"})
    assert ("solved", True) in changes


def test_moves_from_python_are_made_or_refused_whole():
    game = notebook.play(NEAR)
    game.moves = "R2U"
    assert (game.moves, game.board) == ("RRU", "1.2.3-0.4.6-7.5.8")
    for moves, error in [("RD", IllegalMoveError), ("hello", InvalidMovesError)]:
        with pytest.raises(error):
            game.moves = moves
    assert (game.moves, game.board) == ("RRU", "1.2.3-0.4.6-7.5.8")
    game.moves = ""
    assert game.board == NEAR


@each("name", ["board", "puzzle", "solved"])
def test_only_moves_and_steps_can_be_set(name):
    game = notebook.play(NEAR)
    with pytest.raises(TraitError, match="read-only"):
        setattr(game, name, getattr(game, name))


def test_a_replay_shows_the_board_of_each_step():
    result = solve(parse_puzzle(FAR))
    replay = notebook.replay(result)
    boards = changes_of(replay, "board")
    for step in range(1, replay.total + 1):
        replay.step = step
    assert [board for _, board in boards] == [str(step.board) for step in result.steps()]
    assert (replay.total, replay.moves, replay.solved) == (26, result.moves, True)
    with pytest.raises(PuzzleError, match="step must be from 0 to 26, got 27"):
        replay.step = 27


@each("moves", ["RRULUL", "R2ULUL", "3 2 1 4 5 8"])
def test_a_replay_of_typed_moves(moves):
    replay = notebook.replay(NEAR, moves)
    replay.step = 6
    assert (replay.moves, replay.solved) == ("RRULUL", True)


def test_a_result_without_a_path_cannot_be_replayed():
    result = solve(parse_puzzle(FAR), "astar", limits=Limits(expansions=1))
    with pytest.raises(PuzzleError, match="no solution to replay: cutoff"):
        notebook.replay(result)


def test_a_watched_search_ends_at_the_goal():
    search = notebook.watch(FAR, "astar", "manhattan")
    assert (search.result.length, search.total) == (26, 601)
    search.step = 1
    assert (search.board, search.solved) == (FAR.partition("_")[0], False)
    search.step = search.total
    assert (search.board, search.solved) == (FAR.partition("_")[2], True)


def test_watched_search_stops_at_the_requested_recording():
    search = notebook.watch(FAR, "bfs", expansions=5)
    assert (search.recording.gap.after, search.total) == (5, 106)


def test_a_search_without_expansions_cannot_be_watched():
    with pytest.raises(UnknownNameError, match="expansions of best cannot be recorded"):
        notebook.watch(NEAR, "best")


def test_game_without_a_kernel_continues_at_its_state():
    game = notebook.play(FAR, theme="dark", label='A "hard" one')
    game.moves = "R"
    assert markup.read(game.as_html()).one("slide-wise").attrs == {
        "goal": "0.1.2-3.4.5-6.7.8",
        "theme": "dark",
        "label": 'A "hard" one',
        "board": "7.2.4-0.5.6-8.3.1",
    }


def test_a_replay_without_a_kernel_has_its_moves_also_in_words():
    replay = notebook.replay(NEAR, "RRULUL")
    replay.step = 2
    html = replay.as_html()
    element = markup.read(html).one("slide-wise")
    assert (element["moves"], element["step"]) == ("R2ULUL", "2")
    assert re.search(r"<svg .*</svg><p>6 moves: R2ULUL</p></slide-wise>", html)


def test_a_search_without_a_kernel_has_its_recording_in_the_page():
    search = notebook.watch(NEAR, "greedy")
    page = markup.read(search.as_html())
    recording, component = page.all("script")
    assert page.one("slide-wise")["watch"] == f"#{recording['id']}"
    stored = json.loads("".join(recording.content))
    assert stored == json.loads(json.dumps(search.recording.as_json()))
    assert "".join(component.content) == notebook.COMPONENT
    assert search.as_html() != search.as_html()  # unique ids: a notebook may show it twice


def test_no_page_loads_anything():
    html = notebook.replay(NEAR, "R").as_html()
    for element in markup.read(html).inside:
        assert not {"src", "href"} & element.attrs.keys(), element.tag


def test_a_viewer_chooses_between_the_widget_and_its_html():
    bundle, _ = DisplayFormatter().format(notebook.play(NEAR))
    assert bundle[WIDGET]["version_major"] == 2
    assert bundle["text/html"].startswith("<slide-wise ")
