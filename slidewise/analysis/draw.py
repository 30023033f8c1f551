"""Draw a puzzle from a seed, optionally with a number of moves or a range."""

import time
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, count, islice

from slidewise.analysis.distance import (
    CORNERS,
    HARDEST_4X4_MOVES,
    RARE_4X4_MOVES,
    SEARCH_CELLS,
    TURNS,
    Range,
    hard_puzzle,
    look_ahead,
)
from slidewise.puzzle import Board, Puzzle, PuzzleError, scramble
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.scramble import below, check_seed, goal_of_size, numbers
from slidewise.solver.known import moves_at_least
from slidewise.solver.tables.exact import TooManyCellsError, exact_table
from slidewise.text import message

PUZZLES_DRAWN, DRAW_SECONDS = 400, 8.0
"""Maximum puzzles drawn to find a puzzle in a range, and the seconds for it once tables are loaded.
No puzzle is skipped as too hard, or a slow machine would draw another puzzle."""


def draw(
    rows: int,
    cols: int,
    seed: str,
    moves: int | Range | None = None,
    goal: Board | None = None,
) -> Puzzle:
    """Return a puzzle drawn with `seed`, as `scramble` does, or with a solution of `moves` moves.

    `moves` is a number or a `Range` for the length of the shortest solution. All boards within it
    are equally likely. Up to 10 cells they are sorted by distance and then by number
    (`solver/tables/exact.py`), and the SHA-256 of the seed gives the position. On 11 to 16 cells
    puzzles are drawn and solved in turn until the length is in the range. 4x4 puzzles of 70 moves
    and more come from a list, because drawing hardly ever finds any. A seed therefore means the
    same puzzle on every machine and in every version. `goal` is the standard goal by default.

    >>> puzzle = draw(3, 3, "7", moves=31)
    >>> str(puzzle.start) in ("8.6.7-2.5.4-3.0.1", "6.4.7-8.5.0-3.2.1")
    True

    Raises `InvalidBoardError` for a size outside 2 to 10 and for a goal of another size,
    `TooManyCellsError` for `moves` above 16 cells, and `PuzzleError` for a longer seed than 64
    characters. It also raises `PuzzleError` if no board needs `moves` moves, or none was found in
    some seconds.
    """
    if moves is None:
        return scramble(rows, cols, seed, goal)
    check_seed(seed)
    goal = goal_of_size(rows, cols, goal)
    wanted = moves if isinstance(moves, Range) else Range(moves, moves)
    if rows * cols > SEARCH_CELLS:
        raise TooManyCellsError(
            message(
                "the number of moves can be chosen on boards of up to %(most)s cells, but "
                "%(size)s has %(count)s",
                most=SEARCH_CELLS,
                size=f"{rows}x{cols}",
                count=rows * cols,
            )
        )
    if wanted.least > wanted.most:
        raise PuzzleError(
            message(
                "%(range)s moves is an empty range: write the smaller number first",
                range=str(wanted),
            )
        )
    if wanted.most < 1:
        raise PuzzleError(
            message("a puzzle needs at least 1 move, got %(range)s", range=str(wanted))
        )
    wanted = Range(max(1, wanted.least), wanted.most)
    if rows * cols > TABLE_CELLS:
        return _searched(wanted, seed, goal)
    return _looked_up(wanted, seed, goal)


def _looked_up(wanted: Range, seed: str, goal: Board) -> Puzzle:
    """Return the puzzle from the table of all boards."""
    table = exact_table(goal)
    if wanted.least > table.diameter:
        if goal.blank in (0, len(goal.cells) - 1):
            raise _too_long(goal, table.diameter)
        raise PuzzleError(
            message(
                "no %(size)s puzzle needs more than %(most)s moves to %(goal)s",
                size=f"{goal.rows} × {goal.cols}",
                most=table.diameter,
                goal=str(goal),
            )
        )
    # The number in the prefix separates the kinds of draws; changing it would change all puzzles.
    draws = numbers(f"slidewise draw 1|{goal.rows}x{goal.cols}|{wanted}|{seed}")
    # One draw over the boards of all lengths in the range: uniform without listing them.
    ends = list(accumulate(table.counts[wanted.least : wanted.most + 1]))
    place = below(ends[-1], draws)
    step = bisect_right(ends, place)
    before = ends[step - 1] if step else 0
    return Puzzle(table.nth_at(wanted.least + step, place - before), goal)


def _searched(wanted: Range, seed: str, goal: Board) -> Puzzle:
    """Return the first scramble whose shortest solution is in the range."""
    if goal.size == (4, 4) and wanted.least >= RARE_4X4_MOVES:
        return _listed(wanted, seed, goal)
    look_ahead(Puzzle(goal.slide(goal.movable[0]), goal), 1)  # has built the tables
    deadline = time.monotonic() + DRAW_SECONDS
    for puzzle in islice(_scrambles(seed, goal), PUZZLES_DRAWN):
        # Rejected without a search, because even the lower bound is above the range.
        if moves_at_least(puzzle) > wanted.most:
            continue
        left = deadline - time.monotonic()
        ahead = look_ahead(puzzle, left)[puzzle.start] if left > 0 else None
        # Skipping an undecided puzzle would make the drawn puzzle depend on the machine.
        if ahead is None or not ahead.exact:
            break
        if wanted.least <= ahead.at_least <= wanted.most:
            return puzzle
    raise PuzzleError(
        message(
            "no random %(size)s puzzle had %(range)s moves: try another seed, or a wider range, "
            "such as 45-60 on 4x4, where most boards are",
            size=f"{goal.rows}x{goal.cols}",
            range=str(wanted),
        )
    )


def _too_long(goal: Board, most: int) -> PuzzleError:
    size = f"{goal.rows} × {goal.cols}"
    return PuzzleError(
        message("no %(size)s puzzle needs more than %(most)s moves", size=size, most=most)
    )


def _listed(wanted: Range, seed: str, goal: Board) -> Puzzle:
    """Return a puzzle from the list of the hardest known 4x4 puzzles."""
    if goal.blank not in CORNERS:
        raise PuzzleError(
            message(
                "4x4 puzzles of %(range)s moves to %(goal)s are too rare: choose fewer moves, "
                "such as 56-65, or a goal with the blank in a corner",
                range=str(wanted),
                goal=str(goal),
            )
        )
    if wanted.least > HARDEST_4X4_MOVES:
        raise _too_long(goal, HARDEST_4X4_MOVES)
    draws = numbers(f"slidewise draw 3|{wanted}|{seed}")
    lengths = min(wanted.most, HARDEST_4X4_MOVES) - wanted.least + 1
    return hard_puzzle(goal, wanted.least + below(lengths, draws), below(TURNS, draws))


def _scrambles(seed: str, goal: Board) -> Iterator[Puzzle]:
    """Yield the puzzles of a seed in turn; `scramble` draws the first."""
    yield scramble(*goal.size, seed, goal)
    for number in count(2):
        # A hash, because the seed with a number added may be longer than a seed can be.
        digest = islice(numbers(f"slidewise draw 2|{number}|{seed}"), 8)
        yield scramble(*goal.size, "".join(f"{part:08x}" for part in digest), goal)
