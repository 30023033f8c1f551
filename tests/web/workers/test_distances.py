"""Distances from other processes: limits, and the cache."""

import gc
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from slidewise import exact_table, parse_puzzle, scramble
from slidewise.analysis.distance import DistanceAhead, look_ahead, look_up
from slidewise.solver.known import moves_at_least
from slidewise.solver.tables.exact import exact_distance, packed_distances
from tests.boards import FOUR_NEAR as FOUR
from tests.web.play.playing import SilentPool
from tests.web.streams import PATIENCE, until
from webapp.workers import Busy
from webapp.workers import distances as module
from webapp.workers.distances import KNOWN, Distances
from webapp.workers.shared import CacheKind, LocalShared

# Bounds


@pytest.fixture
def pool():
    return SilentPool()


@pytest.fixture
def distances(pool):
    return Distances(pool, LocalShared())


def puzzles(count, side=4):
    return [scramble(side, side, str(seed)) for seed in range(count)]


def test_searches_at_once_are_limited(pool, distances):
    for puzzle in puzzles(10):
        distances.wait_for(puzzle, 0, visitor="one")
    assert len(pool.submitted) == module.MAX_SEARCHES, "one leaves room for others"
    for number, puzzle in enumerate(puzzles(40)):
        assert distances.wait_for(puzzle, 0, visitor=str(number)) is None
    assert len(pool.submitted) == module.MAX_BOARDS
    assert distances.wait_for(puzzles(1, 3)[0], 0, visitor="one") is None
    assert len(pool.submitted) == module.MAX_BOARDS + 1, "searches take no room of tables"


def test_table_is_fetched_once_for_goals_with_one_blank(pool, distances):
    small = puzzles(20, 3)
    other = parse_puzzle("8.7.6-5.4.3-2.1.0_1.3.2-5.4.6-7.8.0")
    with ThreadPoolExecutor(4) as threads:
        answers = [
            threads.submit(distances.wait_for, one, PATIENCE, "") for one in (*small[:3], other)
        ]
        assert until(lambda: pool.submitted and pool.submitted[0][1].waits == 4)
        ((goal, future),) = pool.submitted
        future.set_result(packed_distances(goal))
        found = [answer.result() for answer in answers]
    assert [ahead.length for ahead in found] == [exact_distance(one) for one in (*small[:3], other)]
    for puzzle in small:
        ahead = distances.wait_for(puzzle, 0, "")
        assert ahead.at_least == exact_distance(puzzle)
        assert ahead.tile == next(iter(exact_table(puzzle.goal).next_tiles(puzzle.start)), None)
    assert len(pool.submitted) == 1


def test_table_that_failed_is_requested_again(pool, distances):
    puzzle = puzzles(1, 3)[0]
    assert distances.wait_for(puzzle, 0, "") is distances.wait_for(puzzle, 0, "") is None
    assert len(pool.submitted) == 1
    pool.submitted[0][1].set_exception(Busy("All solvers are busy.", 5))
    assert distances.wait_for(puzzle, 0, "") is None
    assert len(pool.submitted) == 2


def test_tables_above_the_limit_are_dropped(pool, distances):
    sizes = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (2, 5)]
    for size in sizes:
        distances.wait_for(scramble(*size, "1"), 0, "")
        pool.submitted[-1][1].set_result(bytes(module.TABLES.max_bytes // 6))
    distances.wait_for(scramble(2, 2, "1"), 0, "")
    assert len(pool.submitted) == len(sizes) + 1, "the first had to make room"


def test_dropped_table_is_freed():
    freed = []

    class Table(bytes):
        def __del__(self):
            freed.append(True)

    puzzle = scramble(2, 3, "1")
    table = Table(packed_distances(puzzle.goal))
    assert look_up(puzzle, table).exact
    del table
    gc.collect()
    assert freed


def test_search_requested_twice_runs_once(pool, distances):
    puzzle = puzzles(1)[0]
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(distances.wait_for, puzzle, PATIENCE, str(n)) for n in range(4)]
        assert until(lambda: pool.submitted and pool.submitted[0][1].waits == 4)
        ((_, future),) = pool.submitted
        future.set_result({puzzle.start: DistanceAhead(50, 50, 7)})
        assert {answer.result() for answer in answers} == {DistanceAhead(50, 50, 7)}
    assert distances.cached(puzzle) == [DistanceAhead(50, 50, 7)]


def test_waiting_requests_are_limited(pool, distances):
    puzzle = puzzles(1)[0]
    waiting = [
        threading.Thread(target=distances.wait_for, args=(puzzle, PATIENCE, ""))
        for _ in range(module.MAX_WAITING)
    ]
    for thread in waiting:
        thread.start()
    most = module.MAX_WAITING
    assert until(lambda: pool.submitted and pool.submitted[0][1].waits == most) is True
    ((_, future),) = pool.submitted
    assert distances.wait_for(puzzle, PATIENCE, "") is None
    assert future.waits == most, "it did not wait"
    future.set_result({puzzle.start: DistanceAhead(50, 50, 7)})
    for thread in waiting:
        thread.join()
    assert distances._waiting._value == module.MAX_WAITING


def test_failed_search_is_logged_and_has_no_number(app, caplog, pool, distances):
    puzzle = puzzles(1)[0]
    with app.app_context(), ThreadPoolExecutor(1) as threads:

        def wait():
            with app.app_context():
                return distances.wait_for(puzzle, PATIENCE, "")

        answer = threads.submit(wait)
        assert until(lambda: pool.submitted)
        pool.submitted[0][1].set_exception(OSError("the disk is full"))
        assert answer.result() is None
    assert "the disk is full" in caplog.text
    distances.wait_for(puzzle, 0, "")
    assert len(pool.submitted) == 2, "it can be asked again"


def test_exact_distance_is_not_replaced_by_a_bound(pool, distances):
    puzzle, other = puzzles(2)
    for puzzle_to_search, ahead in (
        (puzzle, DistanceAhead(50, 50, 1)),
        (other, DistanceAhead(40, 60, 2)),
    ):
        distances.wait_for(puzzle_to_search, 0, "")
        pool.submitted[-1][1].set_result({puzzle.start: ahead})
    assert distances.cached(puzzle) == [DistanceAhead(50, 50, 1)]


def test_hint_reads_shared_distances_and_a_click_does_not():
    pool, shared, puzzle = SilentPool(), LocalShared(), puzzles(1)[0]
    distances, here = Distances(pool, shared), CacheKind("elsewhere", max_bytes=10_000)
    shared.put(KNOWN, puzzle, DistanceAhead(50, 50, 7))
    shared.get_local = lambda _, key: shared.get(here, key)
    assert distances.cached(puzzle) == [None]
    assert distances.wait_for(puzzle, 0, "") == DistanceAhead(50, 50, 7)
    assert not pool.submitted


# Look-ups and searches


def test_search_finds_distances_of_all_boards_on_its_way():
    puzzle = parse_puzzle(FOUR)
    found = look_ahead(puzzle, PATIENCE)
    board, length = puzzle.start, found[puzzle.start].length
    for left in range(length, 0, -1):
        assert found[board] == DistanceAhead(left, left, found[board].tile)
        board = board.slide(found[board].tile)
    assert board == puzzle.goal


def test_large_board_has_a_solution_and_a_bound():
    puzzle = scramble(10, 10, "1")
    ahead = look_ahead(puzzle, 1)[puzzle.start]
    assert moves_at_least(puzzle) <= ahead.at_least <= ahead.length
    assert ahead.tile in puzzle.start.movable


def test_hard_board_has_a_bound_in_time():
    puzzle = parse_puzzle(
        "15.14.8.12-10.11.9.13-2.6.5.1-3.7.4.0_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
    )
    puzzle = puzzle if puzzle.solvable else puzzle.solvable_alternatives().swapped
    look_ahead(parse_puzzle(FOUR), 1)
    ahead = look_ahead(puzzle, 0.01)[puzzle.start]
    assert ahead.length != ahead.at_least, "which takes much longer"
    assert ahead.at_least >= moves_at_least(puzzle)
    assert ahead.length is None or ahead.length >= ahead.at_least
