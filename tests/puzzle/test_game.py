import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import Game, IllegalMoveError, Puzzle, parse_puzzle, standard_goal
from slidewise.puzzle.game import TRAVEL_MILLISECONDS
from slidewise.puzzle.moves import inverse, play
from tests.puzzle.strategies import SIZES, puzzles, walk

CODE = "0.1.2.3-4.5.6.7-8.9.10.11"
ALMOST = "1.2.3-4.5.6-0.7.8"


@pytest.fixture
def game() -> Game:
    return Game.new(parse_puzzle(CODE))


def test_games_are_immutable(game):
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.helped = True
    game.slide(3, now=1)
    assert game == Game.new(parse_puzzle(CODE))


# Slides


def test_click_slides_the_whole_line_and_counts_each_tile(game):
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


# Undo, redo, restart


@pytest.mark.parametrize("undone", [0, 1, 2])
def test_undone_restart_restores_the_undone_moves(game, undone):
    for tile in 3, 7, 6:
        game = game.slide(tile, now=1)
    for _ in range(undone):
        game = game.undo(now=1)
    again = game.restart().undo(now=1)
    assert (again.board, again.made, again.undone) == (game.board, game.made, game.undone)


def test_undo_and_redo_apply_to_a_whole_line(game):
    moved = game.slide(3, now=1).slide(7, now=2)
    back = moved.undo(now=3)
    assert (back.made, back.undone, back.move_count) == ("L3", "U", 3)
    start = back.undo(now=4)
    assert start.board == game.board
    assert (start.made, start.undone, start.move_count) == ("", "UL3", 0)
    assert start.started
    again = start.redo(now=5).redo(now=6)
    assert (again.board, again.made, again.undone) == (moved.board, moved.made, "")
    assert again.tick(8).played == 7, "the clock runs all the while"


@pytest.mark.parametrize("back", ["undo", "redo"])
def test_undo_and_redo_without_moves_are_refused(game, back):
    with pytest.raises(IllegalMoveError, match=f"there is no move to {back}"):
        getattr(game, back)(now=1)


# Navigation and playing a solution on


def test_at_refuses_a_board_within_a_line(game):
    with pytest.raises(IllegalMoveError):
        game.slide(3, now=1).at(play(game.board, "L"), now=2)


def test_play_on_is_help_with_a_slide_for_each_move():
    game = Game.new(parse_puzzle(ALMOST))
    solved = game.play_on(game.board, "LL", now=5)
    assert solved.solved
    assert solved.helped
    assert (solved.made, solved.move_count, solved.finished) == ("LL", 2, 5)
    assert solved.undo(now=6).move_count == 1


def test_play_on_first_returns_to_the_start_of_the_solution():
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


# The clock


def test_clock_set_back_never_counts_negative_time():
    game = Game.new(parse_puzzle(ALMOST)).slide(7, now=100).slide(7, now=50)
    assert game.seconds == 0


# The last step


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


def test_last_moves_have_their_previous_board(game):
    assert game.last_moves(9) == (game.board, "")
    after = game.slide(3, now=0).slide(11, now=1)
    assert after.last_moves(9) == (game.board, "LLLUU")
    board, moves = after.last_moves(3)
    assert (board, moves) == (play(game.board, "LL"), "LUU")
    board, moves = after.forget(1).last_moves(9)
    assert (board, moves) == (play(game.board, "LLL"), "UU")


@given(puzzles(), st.lists(st.integers(0, 3), max_size=60))
def test_slides_of_a_game_lead_to_its_board(puzzle, turns):
    game = Game.new(puzzle)
    for direction in walk(puzzle.start, turns):
        game = game.slide_line(direction, now=0)
    assert play(puzzle.start, game.made) == game.board
    assert play(game.board, inverse(game.made)) == puzzle.start
    assert game.move_count == len(turns)
    assert Game.new(puzzle).play_on(puzzle.start, game.made, now=0) == game.with_help()


def test_game_of_thousands_of_slides_can_be_walked_through():
    puzzle = parse_puzzle(ALMOST)
    game = Game.new(puzzle).play_on(puzzle.start, "DU" * 10_000, now=1)
    assert game.move_count == 20_000
    assert game.at(play(puzzle.start, "D"), now=2).move_count == 19_999
    with pytest.raises(IllegalMoveError):
        game.at(standard_goal(3, 3), now=2)


@given(SIZES)
def test_solved_start_has_no_clock(size):
    game = Game.new(Puzzle.standard(standard_goal(*size)))
    assert game.solved
    assert (game.running, game.finished, game.tick(5).seconds) == (False, None, 0)


def test_clicks_are_credited_one_travel_time_per_game():
    game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8")).slide(7, now=0)
    for click in range(1, 21):  # each claims an hour, and comes 100 ms after the last
        game = game.tick(100 * click, played=3_600_000 * click)
        game = game.slide(game.board.movable[0], 100 * click)
    assert game.played == 20 * 100 + TRAVEL_MILLISECONDS
    late = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8")).slide(7, now=900)  # delayed on its way
    for click in range(1, 21):
        late = late.tick(1_000 * click + 50 * (click % 2), played=1_000 * click)
        assert late.played == 1_000 * click, "clicks that are faster are credited in full"
