"""A worksheet: exercises drawn from a seed, each with its answer."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from webapp.puzzle import PuzzleError
from webapp.puzzle.puzzle import Puzzle, swap_tiles
from webapp.puzzle.scramble import below, check_seed, numbers
from webapp.search.drawing import Range, draw
from webapp.search.exact import MOST_CELLS, exact_table
from webapp.search.limits import Limits
from webapp.search.recording import is_recorded, record
from webapp.search.registry import find_algorithm, find_heuristic
from webapp.search.run import search
from webapp.search.weights import DEFAULT_WEIGHT

if TYPE_CHECKING:
    from webapp.puzzle import Board
    from webapp.search.recording import Recording

HEURISTICS = ("misplaced", "manhattan", "linear-conflict")
"""Those to work out by hand."""

RUNS = ("bfs", "astar:manhattan")
"""The searches to do by hand, as `compare` writes them."""

EXPANSIONS = 5
"""So many expansions are asked for."""

MOST_RUNS = 4

BOARDS = 3
"""So many boards are asked about in the first two exercises."""


class Estimated(NamedTuple):
    """A board and what each heuristic of `HEURISTICS` says of it."""

    puzzle: Puzzle
    values: dict[str, int]


class Line(NamedTuple):
    """An expansion: the board taken, its numbers, and the successors that were kept."""

    board: Board
    g: int
    h: int
    f: int
    kept: tuple[Board, ...]


class ByHand(NamedTuple):
    """The first expansions of a search; `formula` says what f is."""

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    order: str
    formula: str
    lines: tuple[Line, ...]


class Solved(NamedTuple):
    """A board and the tiles of a shortest solution."""

    puzzle: Puzzle
    tiles: tuple[int, ...]


class Worksheet(NamedTuple):
    """Boards to tell solvable from unsolvable, to estimate, to search and to solve."""

    parity: tuple[Puzzle, ...]
    estimates: tuple[Estimated, ...]
    searches: tuple[ByHand, ...]
    shortest: tuple[Solved, ...]


def worksheet(rows: int, cols: int, seed: str, runs: tuple[str, ...] = RUNS) -> Worksheet:
    """Return the worksheet of a seed; the same on every machine.

    `runs` are the searches to do by hand, each an algorithm, or an algorithm and a heuristic after
    a colon.

    >>> sheet = worksheet(3, 3, "anna")
    >>> len(sheet.parity), len(sheet.searches), len(sheet.shortest)
    (3, 2, 2)

    Raises `PuzzleError` for boards of more than 10 cells, searches that are not recorded or do
    not exist, and a seed of more than 64 characters.
    """
    check_seed(seed)
    if not 6 <= rows * cols <= MOST_CELLS:
        raise PuzzleError(f"a worksheet is for 6 to {MOST_CELLS} cells, such as 2x3 and 3x3")
    if not 1 <= len(runs) <= MOST_RUNS:
        raise PuzzleError(f"a worksheet has 1 to {MOST_RUNS} searches, got {len(runs)}")
    draws = numbers(f"slidewise worksheet 1|{rows}x{cols}|{seed}")

    def drawn(least: int, most: int) -> Puzzle:
        text = "".join(f"{part:08x}" for part in islice(draws, 8))
        return draw(rows, cols, text, Range(least, most))

    unsolvable = 1 + below(2**BOARDS - 2, draws)  # bits, neither none nor all
    return Worksheet(
        tuple(_parted(drawn(4, 99), unsolvable >> n & 1) for n in range(BOARDS)),
        tuple(_estimated(drawn(6, 99)) for _ in range(BOARDS)),
        tuple(_by_hand(drawn(5, 8), run) for run in runs),
        tuple(_solved(drawn(*moves)) for moves in ((4, 5), (7, 9))),
    )


def _parted(puzzle: Puzzle, unsolvable: int) -> Puzzle:
    """Return the puzzle, or, where `unsolvable` is 1, one whose goal cannot be reached."""
    return puzzle.starting_at(swap_tiles(puzzle.start, 1, 2)) if unsolvable else puzzle


def _estimated(puzzle: Puzzle) -> Estimated:
    return Estimated(
        puzzle, {key: find_heuristic(key).value(puzzle.start, puzzle.goal) for key in HEURISTICS}
    )


def _by_hand(puzzle: Puzzle, run: str) -> ByHand:
    key, _, heuristic = run.partition(":")
    entry = find_algorithm(key)
    if not is_recorded(entry):
        raise PuzzleError(f"{entry.title} cannot be done by hand; choose another search")
    used = find_heuristic(heuristic or "manhattan").key if entry.uses_heuristic else None
    limits = Limits(expansions=EXPANSIONS)
    recording = record(
        puzzle, entry, search(puzzle, key, used, limits, trace=1_000), DEFAULT_WEIGHT
    )
    lines = tuple(_line(recording, at) for at in range(1, recording.expansions + 1))
    return ByHand(puzzle, key, used, recording.order, recording.formula, lines)


def _line(recording: Recording, at: int) -> Line:
    step = recording.steps[at - 1]
    node = recording.nodes[step.node]
    f = next(f for since, f in reversed(node.ranks) if since <= at)

    kept = tuple(recording.nodes[made.node].board for made in step.successors if made.fate.is_kept)
    return Line(node.board, node.g, node.h, f, kept)


def _solved(puzzle: Puzzle) -> Solved:
    table, board, tiles = exact_table(puzzle.goal), puzzle.start, []
    while ways := table.next_tiles(board):
        tiles.append(ways[0])
        board = board.slide(ways[0])
    return Solved(puzzle, tuple(tiles))
