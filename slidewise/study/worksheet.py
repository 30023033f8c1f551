"""A worksheet: exercises drawn from a seed, each with its answer."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import PuzzleError
from slidewise.puzzle.puzzle import Puzzle, swap_tiles
from slidewise.puzzle.scramble import below, check_seed, numbers
from slidewise.solver.limits import Limits
from slidewise.solver.registry import find_algorithm, find_heuristic
from slidewise.solver.run import search
from slidewise.solver.tables.exact import MOST_CELLS, exact_table
from slidewise.solver.weights import DEFAULT_WEIGHT
from slidewise.study.draw import Range, draw
from slidewise.study.recording import State, is_recorded, record

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.registry import Algorithm
    from slidewise.study.recording import Node, Recording

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
    """An expansion: the board taken, its numbers, and the successors that were kept; `limit` is
    the one that holds, in a search that has limits."""

    limit: str
    board: Board
    g: int
    h: int
    f: int
    kept: tuple[Board, ...]


class ByHand(NamedTuple):
    """The first expansions of a search; `formula` says what f is, `limit` the name of its limits,
    empty where it has none, and `note` what else has to be known to do it by hand."""

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    order: str
    formula: str
    limit: str
    note: str
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
    order, formula = recording.order, recording.formula
    return ByHand(puzzle, key, used, order, formula, _limit_name(entry), _note(entry), lines)


def _limit_name(entry: Algorithm) -> str:
    if entry.kernel not in ("deepening", "rbfs"):
        return ""
    return "f-limit" if entry.uses_heuristic else "Depth limit"


def _note(entry: Algorithm) -> str:
    if entry.key == "iddfs":
        return (
            "The move straight back is left out. A node at the depth limit is only compared with "
            "the goal, not expanded; with each new limit the search begins again from the start."
        )
    if entry.kernel == "deepening":
        return (
            "The move straight back is left out, and so is a successor with f above the f-limit. "
            "The first f-limit is h of the start; with each new one the search begins again."
        )
    if entry.kernel == "rbfs":
        return (
            "The move straight back is left out. The f-limit of a node is the lowest stored f of "
            "the others that wait, ∞ for the start; when all below it is above that, the search "
            "goes back and stores the lowest f that it found."
        )
    if entry.kernel == "bidirectional":
        return (
            "The smaller of the two outermost layers is expanded to its end; the start’s, if they "
            "are equal. g counts from the end that a board was reached from."
        )
    return ""


def _line(recording: Recording, at: int) -> Line:
    step = recording.steps[at - 1]
    node = recording.nodes[step.node]
    kept = tuple(recording.nodes[made.node].board for made in step.successors if made.fate.is_kept)
    return Line(_limit(recording, at), node.board, node.g, node.h, _f(node, at), kept)


def _f(node: Node, at: int) -> int:
    """Return the f that a node has at expansion `at`."""
    return next(f for since, f in reversed(node.ranks) if since <= at)


def _limit(recording: Recording, at: int) -> str:
    """Return the limit that holds at expansion `at`.

    That of recursive best-first search is the lowest f of all that waits beside the path.
    """
    name = _limit_name(recording.algorithm)
    if name and recording.algorithm.kernel == "deepening":
        return str([one.limit for one in recording.iterations if one.first <= at][-1])
    if not name:
        return ""
    taken = recording.steps[at - 1].node
    others = [_f(one, at) for one in recording.nodes if one.parent != taken and _waits(one, at)]
    return str(min(others, default="∞"))


def _waits(node: Node, at: int) -> bool:
    return State.WAITING is next(
        (state for since, state in reversed(node.changes) if since <= at), State.UNMADE
    )


def _solved(puzzle: Puzzle) -> Solved:
    table, board, tiles = exact_table(puzzle.goal), puzzle.start, []
    while ways := table.next_tiles(board):
        tiles.append(ways[0])
        board = board.slide(ways[0])
    return Solved(puzzle, tuple(tiles))
