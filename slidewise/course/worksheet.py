"""A worksheet: exercises drawn from a seed, each with its answer."""

from itertools import islice
from typing import NamedTuple

from slidewise.analysis.distance import Range
from slidewise.analysis.draw import draw
from slidewise.course.searching import Recording, record_search
from slidewise.puzzle import Board, PuzzleError
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.puzzle.puzzle import Puzzle, swap_tiles
from slidewise.puzzle.scramble import below, check_seed, numbers
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.tables.exact import exact_table
from slidewise.solver.task import Limits
from slidewise.text import message

HEURISTICS = ("misplaced", "manhattan", "linear-conflict")
"""Heuristics of the exercises by hand."""

RUNS = ("bfs", "astar:manhattan")
"""Default searches of the exercises by hand, in the form of `compare`."""

EXPANSIONS = 5
"""Maximum expansions of a search by hand, which fit on a printed page."""

MAX_RUNS = 4

BOARDS = 3
"""Boards in each of the first two exercises."""


class EstimateExercise(NamedTuple):
    """A board, and the value of each heuristic of `HEURISTICS` on it."""

    puzzle: Puzzle
    values: dict[str, int]


class ExpansionLine(NamedTuple):
    """An expansion: the board taken, its g, h and f, and the stored successors `kept`.

    `limit` is the current limit, empty in a search without limits.
    """

    limit: str
    board: Board
    g: int
    h: int
    f: int
    kept: tuple[Board, ...]


class SearchExercise(NamedTuple):
    """The first expansions of a search, with the `formula` of f.

    `limit` is the name of its limits, empty without limits. `note` has the rules for doing it by
    hand.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    order: str
    formula: str
    limit: str
    note: str
    lines: tuple[ExpansionLine, ...]

    @property
    def limit_heading(self) -> str:
        """Return the name of its limits as a heading."""
        return self.limit if self.limit.startswith("f-") else self.limit.capitalize()


class SolutionExercise(NamedTuple):
    """A board and the tiles of a shortest solution."""

    puzzle: Puzzle
    tiles: tuple[int, ...]


class Worksheet(NamedTuple):
    """Boards for four exercises: solvability, estimates, searches and solutions."""

    parity: tuple[Puzzle, ...]
    estimates: tuple[EstimateExercise, ...]
    searches: tuple[SearchExercise, ...]
    shortest: tuple[SolutionExercise, ...]


def worksheet(rows: int, cols: int, seed: str, runs: tuple[str, ...] = RUNS) -> Worksheet:
    """Return the worksheet of a seed, identical on every machine.

    `runs` are the searches by hand, each an algorithm, or an algorithm and a heuristic after a
    colon.

    >>> sheet = worksheet(3, 3, "anna")
    >>> len(sheet.parity), len(sheet.searches), len(sheet.shortest)
    (3, 2, 2)

    Raises `PuzzleError` for boards of more than 10 cells, for searches that are unknown or cannot
    be recorded, and for a seed of more than 64 characters.
    """
    check_seed(seed)
    # 2x2 has no boards at 7 moves, which the last exercise needs.
    if not 6 <= rows * cols <= TABLE_CELLS:
        raise PuzzleError(
            message("a worksheet is for 6 to %(most)s cells, such as 2x3 and 3x3", most=TABLE_CELLS)
        )
    if not 1 <= len(runs) <= MAX_RUNS:
        raise PuzzleError(
            message(
                "a worksheet has 1 to %(most)s searches, got %(count)s",
                most=MAX_RUNS,
                count=len(runs),
            )
        )
    draws = numbers(f"slidewise worksheet 1|{rows}x{cols}|{seed}")

    def drawn(least: int, most: int) -> Puzzle:
        text = "".join(f"{part:08x}" for part in islice(draws, 8))
        return draw(rows, cols, text, Range(least, most))

    # A bit for each board; neither all nor none are solvable.
    unsolvable = 1 + below(2**BOARDS - 2, draws)
    return Worksheet(
        tuple(_parity_exercise(drawn(4, 99), bool(unsolvable >> n & 1)) for n in range(BOARDS)),
        tuple(_estimate_exercise(drawn(6, 99)) for _ in range(BOARDS)),
        tuple(_search_exercise(drawn(5, 8), run) for run in runs),
        tuple(_solution_exercise(drawn(*moves)) for moves in ((4, 5), (7, 9))),
    )


def _parity_exercise(puzzle: Puzzle, unsolvable: bool) -> Puzzle:
    """Return the puzzle, or an unsolvable neighbour if `unsolvable`."""
    return puzzle.starting_at(swap_tiles(puzzle.start, 1, 2)) if unsolvable else puzzle


def _estimate_exercise(puzzle: Puzzle) -> EstimateExercise:
    values = {key: find_heuristic(key).value(puzzle.start, puzzle.goal) for key in HEURISTICS}
    return EstimateExercise(puzzle, values)


def _search_exercise(puzzle: Puzzle, run: str) -> SearchExercise:
    key, _, heuristic = run.partition(":")
    entry = find_algorithm(key)
    if entry.frontier is None:
        raise PuzzleError(
            message("%(search)s cannot be done by hand; choose another search", search=entry.title)
        )
    used = find_heuristic(heuristic or "manhattan").key if entry.uses_heuristic else None
    recording = record_search(puzzle, key, used, Limits(expansions=EXPANSIONS))
    return SearchExercise(
        puzzle,
        key,
        used,
        recording.order,
        recording.formula,
        recording.limit_name,
        entry.frontier.by_hand,
        tuple(_line(recording, at) for at in range(1, recording.expansions + 1)),
    )


def _line(recording: Recording, at: int) -> ExpansionLine:
    step = recording.steps[at - 1]
    node = recording.nodes[step.node]
    kept = tuple(recording.nodes[made.node].board for made in step.successors if made.fate.is_kept)
    limit = "∞" if step.limit is None else str(step.limit)
    return ExpansionLine(
        limit if recording.limit_name else "",
        node.board,
        node.g,
        node.h,
        recording.f_at(step.node, at),
        kept,
    )


def _solution_exercise(puzzle: Puzzle) -> SolutionExercise:
    table, board, tiles = exact_table(puzzle.goal), puzzle.start, []
    while ways := table.next_tiles(board):
        tiles.append(ways[0])
        board = board.slide(ways[0])
    return SolutionExercise(puzzle, tuple(tiles))
