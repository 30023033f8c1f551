"""Benchmark sets of puzzles by exact distance, and the score of answers to them.

A set is text in JSON lines, a puzzle a line, without solutions. Answers have the same form with
the field `moves`. The distances come from the exact table up to 10 cells and from IDA* with pattern
databases up to 16. docs/benchmark.md describes both files.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from slidewise.analysis.distance import SEARCH_CELLS, Range
from slidewise.analysis.draw import draw
from slidewise.puzzle import Board, Puzzle, PuzzleError, parse_moves, parse_puzzle
from slidewise.puzzle.board import quoted
from slidewise.puzzle.moves import opposite
from slidewise.puzzle.reading import MAX_MOVES
from slidewise.puzzle.scramble import below, check_seed, numbers
from slidewise.solver.known import moves_at_least
from slidewise.solver.run import solve
from slidewise.solver.tables.exact import TooManyCellsError, exact_distance
from slidewise.text import plural

STRATA: dict[tuple[int, int], tuple[int, ...]] = {
    (3, 3): (5, 10, 15, 20, 25, 30),
    (4, 4): (10, 20, 30, 40, 50),
}
"""Sizes of a set by default, with their distances."""

PUZZLES = 5
"""Puzzles of each distance by default."""

WALKS = 400
"""Maximum walks tried for a puzzle; most distances on 4x4 take fewer than 60."""

REDRAWS = 50
"""Maximum draws for each puzzle of a set, as draws may repeat a puzzle of the same distance."""

LONGEST_DETOUR = 10
"""Half the moves of a walk beyond three times the distance, needed for short distances."""

_NUMBERS = re.compile(r"\s*[0-9]+(?:[\s,]+[0-9]+)*\s*")


class UnreadableAnswersError(PuzzleError):
    """A line of a benchmark file is not of its form."""


def distance_of(puzzle: Puzzle) -> int | None:
    """Return the exact distance, None if it is unsolvable or has more than 16 cells.

    >>> distance_of(parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.0.14.15"))
    2
    """
    cells = len(puzzle.start.cells)
    if puzzle.start.has_table:
        return exact_distance(puzzle)
    return solve(puzzle, "best", None).shortest if cells <= SEARCH_CELLS else None


def draw_at(goal: Board, seed: str, moves: Range) -> tuple[Puzzle, int]:
    """Return a puzzle whose exact distance is in the range, and the distance.

    Up to 10 cells each board of the range is equally likely, as in `draw`. From 11 to 16 cells the
    puzzle is the end of the first random walk from the goal, of the seed, that ends in the range.
    The first walk is as long as the distance, later walks up to three times as long. So rare
    distances can be drawn too, but the boards of a distance are not equally likely.

    >>> from slidewise import standard_goal
    >>> draw_at(standard_goal(4, 4), "7", Range(12, 12))[1]
    12

    Raises `TooManyCellsError` above 16 cells, and `PuzzleError` for an empty range and if no walk
    ends in it.
    """
    if goal.has_table:
        puzzle = draw(*goal.size, seed, moves, goal)
        return puzzle, exact_distance(puzzle) or 0
    if len(goal.cells) > SEARCH_CELLS:
        raise TooManyCellsError(
            f"distances are known up to {SEARCH_CELLS} cells, and a {goal.rows}x{goal.cols} board "
            f"has {len(goal.cells)}"
        )
    check_seed(seed)
    if not 1 <= moves.least <= moves.most:
        raise PuzzleError(f"expected a range of 1 or more moves, got {moves}")
    for walk in range(WALKS):
        # Each walk has its own stream, so the set stays the same if WALKS changes.
        draws = numbers(f"slidewise walk 1|{goal}|{moves}|{walk}|{seed}")
        target = moves.least + below(moves.most - moves.least + 1, draws)
        # Two moves more keep the parity, without which the distance cannot match.
        length = target + 2 * (walk % (target + LONGEST_DETOUR))
        puzzle = Puzzle(_walk(goal, length, draws), goal)
        # A cheap lower bound saves the search for a board that is too far.
        if puzzle.start == goal or moves_at_least(puzzle) > moves.most:
            continue
        distance = distance_of(puzzle)
        if distance is not None and moves.least <= distance <= moves.most:
            return puzzle, distance
    raise PuzzleError(
        f"no {goal.rows}x{goal.cols} puzzle of {moves} moves was found: try another seed or a "
        "wider range"
    )


def _walk(goal: Board, length: int, draws: Iterator[int]) -> Board:
    """Return the board after a random walk that never undoes its last move."""
    board, last = goal, None
    for _ in range(length):
        tiles = [tile for tile in board.movable if tile != last]
        last = tiles[below(len(tiles), draws)]
        board = board.slide(last)
    return board


def day_seed(day: date) -> str:
    """Return the seed of the set of a day.

    >>> from datetime import date
    >>> day_seed(date(2026, 11, 26))
    'day 2026-11-26'
    """
    return f"day {day.isoformat()}"


@dataclass(frozen=True, slots=True)
class BenchmarkPuzzle:
    """A puzzle of a set with its exact distance, which the file of the set leaves out."""

    set: str
    number: int
    puzzle: Puzzle
    distance: int

    def line(self) -> str:
        """Return the line of the set's file."""
        return json.dumps({"set": self.set, "number": self.number, "puzzle": str(self.puzzle)})


def make_set(
    seed: str, sizes: Sequence[tuple[Board, Sequence[int]]], count: int = PUZZLES
) -> Iterator[BenchmarkPuzzle]:
    """Yield the puzzles of a set: `count` of each distance to each goal, from easy to hard.

    All are different. Raises `PuzzleError` if there are too few boards of a distance.

    >>> from slidewise import standard_goal
    >>> for one in make_set("7", [(standard_goal(3, 3), [5, 20])], 2):
    ...     print(one.number, one.puzzle, one.distance)
    1 1.0.2-4.6.3-7.5.8 5
    2 1.2.3-7.4.6-5.0.8 5
    3 7.5.1-4.2.6-8.3.0 20
    4 8.4.0-7.2.1-5.6.3 20
    """
    strata = [(goal, distance) for goal, distances in sizes for distance in distances]
    for stratum, (goal, distance) in enumerate(strata):
        drawn = _different(goal, seed, distance, count)
        for number, puzzle in enumerate(drawn, stratum * count + 1):
            yield BenchmarkPuzzle(seed, number, puzzle, distance)


def _different(goal: Board, seed: str, distance: int, count: int) -> list[Puzzle]:
    """Return the first `count` different puzzles of a distance, drawn with the seed."""
    # A dict drops repeated puzzles and keeps their order.
    found: dict[Puzzle, None] = {}
    for draw_number in range(1, count * REDRAWS + 1):
        puzzle, _ = draw_at(goal, f"{draw_number} {seed}", Range(distance, distance))
        found[puzzle] = None
        if len(found) == count:
            return list(found)
    raise PuzzleError(
        f"only {plural(len(found), 'different puzzle')} of {goal.rows}x{goal.cols} with "
        f"{plural(distance, 'move')} were found: ask for fewer"
    )


class ScoredAnswer(NamedTuple):
    """The score of an answer.

    `moves` counts the moves before the first wrong move. `regret` is `moves` plus the distance
    after them, minus the puzzle's `distance`. It is None above 16 cells. `problem` is the first
    error, or "".
    """

    puzzle: str
    distance: int | None
    moves: int
    solved: bool
    regret: int | None
    problem: str

    @property
    def is_shortest(self) -> bool:
        """Whether the answer is a shortest solution."""
        return self.solved and self.regret == 0


class BenchmarkRow(NamedTuple):
    """The score of all answers to the puzzles of a size and a distance, None for all distances.

    `regret_a_move` is the total regret divided by the total moves: 0 if no move leads away from the
    goal, 2 if each does. It is None without moves.
    """

    size: str
    distance: int | None
    puzzles: int
    answered: int
    solved: int
    shortest: int
    regret_a_move: float | None


def read_lines(text: str) -> Iterator[tuple[int, Puzzle, object]]:
    """Yield the line number, the puzzle and the moves of each line of a set or of answers.

    Raises `UnreadableAnswersError` for a line that is no JSON object with a puzzle.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
            puzzle = parse_puzzle(fields["puzzle"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            reason = error if isinstance(error, PuzzleError) else 'expected {"puzzle": "...", ...}'
            raise UnreadableAnswersError(f"line {number}: {reason}, found {quoted(line)}") from None
        moves = fields.get("moves")
        if fields.get("mover") == "blank" and isinstance(moves, str):
            moves = _of_blank(moves)
        yield number, puzzle, moves


def _of_blank(moves: str) -> str:
    """Return the tiles' directions for the blank's; other text stays unchanged."""
    try:
        return opposite(parse_moves(moves))
    except PuzzleError:
        return moves


def score_answer(puzzle: Puzzle, moves: object) -> ScoredAnswer:
    """Return the score of the moves for a puzzle: a text, or a list of directions and tiles.

    >>> puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    >>> score_answer(puzzle, "UL")[:5]
    ('1.2.3-4.0.6-7.5.8', 2, 2, True, 0)
    >>> score_answer(puzzle, [5, 5, 5]).regret
    2
    """
    distance = distance_of(puzzle)
    board, made, problem = puzzle.start, 0, ""
    try:
        for move in _moves_in(moves):
            board = board.move(move) if isinstance(move, str) else board.slide(move)
            made += 1
    except PuzzleError as error:
        problem = f"move {made + 1}: {error}"
    solved = not problem and board == puzzle.goal
    if not solved and not problem:
        problem = f"{plural(made, 'move')} lead to {board}" if made else "no moves"
    regret = None
    if distance is not None:
        regret = made + (distance_of(Puzzle(board, puzzle.goal)) or 0) - distance
    return ScoredAnswer(str(puzzle), distance, made, solved, regret, problem)


def _moves_in(moves: object) -> Iterator[str | int]:
    """Yield the directions and tiles of an answer; raises `PuzzleError` at the first wrong item."""
    if moves is None:
        return
    if isinstance(moves, str):
        if _NUMBERS.fullmatch(moves):
            # A number takes up to three digits and a separator.
            yield from map(int, re.findall("[0-9]{1,3}", moves[: 4 * MAX_MOVES]))
        else:
            yield from parse_moves(moves)
        return
    if not isinstance(moves, list) or len(moves) > MAX_MOVES:
        raise PuzzleError("expected moves such as ULDR, or a list of directions or tiles")
    for move in moves:
        if isinstance(move, bool) or not isinstance(move, str | int):  # a bool is an int
            raise PuzzleError(f"expected U, D, L, R or a tile, found {quoted(repr(move))}")
        yield move


def score(
    answers: Iterable[tuple[int, Puzzle, object]], of_set: Iterable[Puzzle] | None = None
) -> list[ScoredAnswer]:
    """Return the scores of all puzzles of a set, or of all answers without a set.

    A puzzle of the set without an answer is not solved. Raises `UnreadableAnswersError` for a
    second answer to a puzzle and for a puzzle that is not in the set.
    """
    puzzles = None if of_set is None else dict.fromkeys(of_set)
    found: dict[Puzzle, object] = {}
    for number, puzzle, moves in answers:
        if puzzle in found:
            raise UnreadableAnswersError(f"line {number}: {puzzle} has an answer above")
        if puzzles is not None and puzzle not in puzzles:
            raise UnreadableAnswersError(f"line {number}: {puzzle} is not in the set")
        found[puzzle] = moves
    return [score_answer(puzzle, found.get(puzzle)) for puzzle in puzzles or found]


def summarize(scores: Sequence[ScoredAnswer]) -> list[BenchmarkRow]:
    """Return a row for each size and distance, in order, and a row for all at the end."""
    strata: dict[tuple[int, int, int | None], list[ScoredAnswer]] = {}
    for one in scores:
        rows, cols = parse_puzzle(one.puzzle).start.size
        strata.setdefault((rows, cols, one.distance), []).append(one)
    ordered = sorted(strata, key=lambda stratum: (*stratum[:2], stratum[2] or 0))
    found = [_row(f"{key[0]}x{key[1]}", key[2], strata[key]) for key in ordered]
    return [*found, _row("all", None, scores)]


def _row(size: str, distance: int | None, scores: Sequence[ScoredAnswer]) -> BenchmarkRow:
    known = [one for one in scores if one.regret is not None]
    moves = sum(one.moves for one in known)
    return BenchmarkRow(
        size,
        distance,
        len(scores),
        sum(one.moves > 0 for one in scores),
        sum(one.solved for one in scores),
        sum(one.is_shortest for one in scores),
        round(sum(one.regret or 0 for one in known) / moves, 4) if moves else None,
    )


def scores_as_json(scores: Sequence[ScoredAnswer]) -> dict[str, object]:
    """Return the rows of the summary and the scores of all answers as JSON values."""
    return {
        "summary": [row._asdict() for row in summarize(scores)],
        "answers": [one._asdict() for one in scores],
    }
