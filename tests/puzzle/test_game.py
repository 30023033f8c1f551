"""Games beyond the model of test_game_model.py."""

import dataclasses

import pytest

from slidewise import Game, IllegalMoveError, parse_puzzle, standard_goal
from slidewise.puzzle.game import TRAVEL_MILLISECONDS
from slidewise.puzzle.moves import play

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


def test_at_refuses_a_board_within_a_line(game):
    with pytest.raises(IllegalMoveError):
        game.slide(3, now=1).at(play(game.board, "L"), now=2)


def test_play_on_refuses_an_illegal_solution():
    game = Game.new(parse_puzzle(ALMOST))
    with pytest.raises(IllegalMoveError):
        game.play_on(game.board, "LLL", now=1)
    with pytest.raises(IllegalMoveError):
        game.play_on(standard_goal(3, 3), "D", now=1)
    assert game.play_on(game.board, "", now=1) == game.with_help()


def test_clock_set_back_never_counts_negative_time():
    game = Game.new(parse_puzzle(ALMOST)).slide(7, now=100).slide(7, now=50)
    assert game.seconds == 0


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


def test_game_of_thousands_of_slides_can_be_walked_through():
    puzzle = parse_puzzle(ALMOST)
    game = Game.new(puzzle).play_on(puzzle.start, "DU" * 10_000, now=1)
    assert game.move_count == 20_000
    assert game.at(play(puzzle.start, "D"), now=2).move_count == 19_999
    with pytest.raises(IllegalMoveError):
        game.at(standard_goal(3, 3), now=2)


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
