"""Heuristic pages: drawing on a board, check on all boards, and own expressions."""

from __future__ import annotations

import math
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse

from slidewise import (
    Board,
    ExpressionError,
    FunctionError,
    Heuristic,
    Puzzle,
    UnfitHeuristicError,
    find_fitting_heuristic,
    find_heuristic,
    heuristics,
)
from slidewise.course.searching.explanation import (
    Conflict,
    Explanation,
    WayHome,
    check,
    conflicts,
    explain,
    ways_home,
)
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import EXPRESSION_CHARACTERS, Name, names, parse, with_values
from slidewise.solver.tables.patterns.partition import GroupValue
from slidewise.solver.task import MARK, is_own
from slidewise.text import message

from ...board import cells
from ...http.language import gettext as _
from ...http.language import noop, number, sentence, translated
from ...http.requests import current_puzzle
from ...play.moves_left import moves_left
from ...workers import Busy, Solvers
from ...workers.budgets import charge_cpu_time
from ...workers.helpers import CoalescedCalls, slot
from ...workers.shared import CacheKind, Shared, service, solvers
from ...workers.solvers import CallQueue
from .table import Tick

if TYPE_CHECKING:
    from slidewise.solver.own.heuristic_check import Count, HeuristicCheck


QUICK_CELLS = 9
"""Largest board in cells that is checked completely within some tenths of a second."""

CHECK_SECONDS = 60.0
"""Timeout of a check in seconds: the first may have to compile or build tables."""

CHECKS = CacheKind[tuple[str, "Board"], "HeuristicCheck"]("checks", 1_000_000, 3600)
"""Cached checks by heuristic and goal, about 10 kB each."""

CHECKS_AT_ONCE = 4
"""Maximum checks running, so that helpers stay free for clicks."""

WAITING_REQUESTS = 8
"""Maximum requests waiting for checks, so that threads stay free for clicks."""

BUSY = message("Many heuristics are being checked right now. Try again in a few seconds.")


class Checks:
    """Runs checks and caches them. Thread-safe."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool = pool
        self._checks = CoalescedCalls(self._check, CHECKS, shared, CHECKS_AT_ONCE, busy=BUSY)
        self._waiting = threading.BoundedSemaphore(WAITING_REQUESTS)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Acquire a slot for a waiting request; raises `Busy` if all slots are taken."""
        with slot(self._waiting) as is_free:
            if not is_free:
                raise Busy(BUSY, retry_after=5)
            yield

    def within(self, key: str, goal: Board, seconds: float) -> HeuristicCheck:
        """The check of the heuristic `key` for `goal`.

        Raises `Busy` after `seconds`. The check continues, so the next request finds it.
        """
        try:
            return self._checks.submit((key, goal)).result(seconds)
        except TimeoutError:
            raise Busy(
                message(
                    "Looking at all boards is taking longer than usual. Try again in a moment."
                ),
                retry_after=5,
            ) from None

    def _check(self, wanted: tuple[str, Board]) -> Future[HeuristicCheck]:
        small = len(wanted[1].cells) <= QUICK_CELLS
        queue = CallQueue.CLICK if small else CallQueue.BUILD
        return self._pool.calls.submit(queue, check, *wanted, timeout=CHECK_SECONDS)


@dataclass(frozen=True, slots=True)
class DrawnTerm:
    """A drawn tile: place, whether it is home, a `label` below its number, and a `mark`.

    Also the number of its `group`, and the SVG `path` of the arrow home.
    """

    tile: int
    row: int
    col: int
    home: bool
    label: str = ""
    mark: str = ""
    group: int | None = None
    path: str = ""


class Band(NamedTuple):
    """Rectangle around tiles in conflict, in hundredths of a cell."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A board annotated by a heuristic; `caption` describes it."""

    title: str
    pieces: list[DrawnTerm]
    caption: str
    labelled: bool = False
    bands: Sequence[Band] = ()
    groups: Sequence[str] = ()


_LETTERS = "ABCDEFGH"


def drawings(key: str, puzzle: Puzzle, explanation: Explanation | None) -> list[Drawing]:
    """The board as the heuristic `key` sees it, with a drawing per view."""
    if key in ("manhattan", "linear-conflict"):
        return [_with_ways(puzzle, with_conflicts=key == "linear-conflict")]
    if explanation and explanation.views:
        views = enumerate(explanation.views)
        return [_with_groups(puzzle, view, is_reflected=number > 0) for number, view in views]
    if key == "misplaced":
        return [_with_misplaced(puzzle)]
    return [Drawing(_("The board"), list(_pieces(puzzle)), "")]


def _with_misplaced(puzzle: Puzzle) -> Drawing:
    misplaced = [way.tile for way in ways_home(puzzle.start, puzzle.goal) if way.distance]
    pieces = list(_pieces(puzzle, marks=dict.fromkeys(misplaced, "×")))
    caption = _("misplaced: %(tiles)s", tiles=_with_commas(misplaced)) if misplaced else ""
    return Drawing(_("The board"), pieces, caption)


def _pieces(
    puzzle: Puzzle,
    labels: dict[int, str] | None = None,
    marks: dict[int, str] | None = None,
    groups: dict[int, int] | None = None,
) -> Iterator[DrawnTerm]:
    for cell, tile in enumerate(puzzle.start.cells):
        if tile:
            yield DrawnTerm(
                tile,
                *divmod(cell, puzzle.cols),
                home=puzzle.goal.cells[cell] == tile,
                label=(labels or {}).get(tile, ""),
                mark=(marks or {}).get(tile, ""),
                group=groups[tile] if groups else None,
            )


def _with_ways(puzzle: Puzzle, *, with_conflicts: bool) -> Drawing:
    found = ways_home(puzzle.start, puzzle.goal)
    against = conflicts(puzzle.start, puzzle.goal) if with_conflicts else []
    leaving = [tile for conflict in against for tile in conflict.leave]
    # a tile may have to leave its row and its column
    marks = {tile: f"+{2 * leaving.count(tile)}" for tile in leaving}
    pieces = [
        replace(piece, path=_path(piece, found[piece.tile - 1]))
        for piece in _pieces(puzzle, {way.tile: arrows(way) for way in found}, marks)
    ]
    moves = (_("tile %(tile)s %(moves)s", tile=way.tile, moves=way.distance) for way in found)
    caption = _("moves to go home: %(tiles)s", tiles=", ".join(moves))
    bands = [_band(puzzle, conflict) for conflict in against]
    return Drawing(_("The board"), pieces, caption, True, bands)


def _path(piece: DrawnTerm, way: WayHome) -> str:
    """SVG path of an arrow home, in hundredths of a cell."""
    if not way.distance:
        return ""
    return f"M{100 * piece.col + 50},{100 * piece.row + 50}v{100 * way.down}h{100 * way.right}"


def _band(puzzle: Puzzle, conflict: Conflict) -> Band:
    """Rectangle from the first to the last of some tiles in conflict."""
    cells = [puzzle.start.cells.index(tile) for tile in conflict.tiles]
    (row, col), (last_row, last_col) = (divmod(cell, puzzle.cols) for cell in (cells[0], cells[-1]))
    width, height = (100 * count + 88 for count in (last_col - col, last_row - row))
    return Band(100 * col + 6, 100 * row + 6, width, height)


def arrows(way: WayHome) -> str:
    """A way home in arrows.

    >>> arrows(WayHome(7, -2, 1)), arrows(WayHome(1, 0, 0))
    ('↑2 →1', '')
    """
    down = f"{'↓' if way.down > 0 else '↑'}{abs(way.down)}" if way.down else ""
    right = f"{'→' if way.right > 0 else '←'}{abs(way.right)}" if way.right else ""
    return f"{down} {right}".strip()


def _with_groups(puzzle: Puzzle, view: Sequence[GroupValue], *, is_reflected: bool) -> Drawing:
    groups = {tile: place for place, group in enumerate(view) for tile in group.tiles}
    marks = {tile: _LETTERS[place] for tile, place in groups.items()}
    sums = [
        _(
            "%(group)s: tiles %(tiles)s need %(moves)s",
            group=_LETTERS[place],
            tiles=_with_commas(group.tiles),
            moves=group.moves,
        )
        for place, group in enumerate(view)
    ]
    title = _("Its reflection") if is_reflected else _("The board as it is")
    pieces = list(_pieces(puzzle, marks=marks, groups=groups))
    return Drawing(title, pieces, "; ".join(sums), groups=sums)


def _with_commas(tiles: Sequence[int]) -> str:
    return ", ".join(map(str, tiles))


def as_sum(key: str, puzzle: Puzzle, explanation: Explanation) -> str | None:
    """h as a sum that readers can add up, None if it is not a sum."""
    if explanation.h is None:
        return None
    if is_own(key):
        tree = parse(key.removeprefix(MARK))
        return None if isinstance(tree, Name) else str(with_values(tree, explanation.parts))
    if explanation.views:
        totals = [_sum(group.moves for group in view) for view in explanation.views]
        return totals[0] if len(totals) == 1 else f"max({', '.join(totals)})"
    distances = [way.distance for way in ways_home(puzzle.start, puzzle.goal)]
    if key == "misplaced":
        return _sum(int(distance > 0) for distance in distances)
    if key == "manhattan":
        return _sum(distances)
    if key == "linear-conflict":
        against = conflicts(puzzle.start, puzzle.goal)
        return _sum([sum(distances), *(conflict.moves for conflict in against)])
    return None


def _sum(numbers: Iterable[int]) -> str:
    return " + ".join(map(str, numbers))


class Square(NamedTuple):
    """A square of the chart.

    `level` is from 1 to 5 for the number of boards. `above` is true if h exceeds the distance.
    """

    x: float
    y: float
    width: float
    height: float
    level: int
    above: bool
    boards: int


@dataclass(frozen=True, slots=True)
class Chart:
    """h against the distance: squares, the `line` of equality, the `means` of h.

    A square covers `per_h` values of h; `here` is the page's board.
    """

    squares: list[Square]
    line: str
    means: str
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    per_h: int
    here: tuple[float, float] | None


LEFT, TOP, WIDTH, HEIGHT = 46, 12, 400, 280
"""Rectangle of the chart, in pixels of its picture of 460 x 350."""

MAX_BARS = 60
"""Approximate maximum of square rows; with more values of h, several share a row."""


def chart_of(check: HeuristicCheck, explanation: Explanation | None) -> Chart:
    """Chart of a check, with the explained board marked."""
    longest = len(check.counts) - 1
    highest = max(check.highest, longest if check.highest <= 3 * longest else 0, 1)
    scale = _Scale.up_to(longest, highest)
    end = min(longest, highest)
    return Chart(
        list(_squares(check, scale)),
        line=f"{scale.point(0, 0)} {scale.point(end, end)}",
        means=" ".join(scale.point(row.distance, row.mean) for row in rows_of(check)),
        x_ticks=[Tick(round(scale.x(n), 1), str(n)) for n in _axis_numbers(longest)],
        y_ticks=[Tick(round(scale.y(n), 1), str(n)) for n in _axis_numbers(highest)],
        per_h=scale.per_h,
        here=None
        if explanation is None or explanation.h is None or explanation.distance is None
        else (scale.x(explanation.distance), scale.y(explanation.h)),
    )


class _Scale(NamedTuple):
    """Size of a square in pixels, and the number of h values it covers."""

    width: float
    height: float
    per_h: int

    @classmethod
    def up_to(cls, longest: int, highest: int) -> _Scale:
        """Scale of a chart of distances up to `longest` and h up to `highest`."""
        # rounded up: a row of squares per value of h, until they are too many
        per_h = -(-(highest + 1) // MAX_BARS)
        return cls(WIDTH / (longest + 1), HEIGHT / (highest // per_h + 1), per_h)

    def x(self, distance: float) -> float:
        return LEFT + (distance + 0.5) * self.width

    def y(self, h: float) -> float:
        return TOP + HEIGHT - (h / self.per_h + 0.5) * self.height

    def point(self, distance: float, h: float) -> str:
        """A point in SVG syntax."""
        return f"{self.x(distance):.1f},{self.y(h):.1f}"


def _squares(check: HeuristicCheck, scale: _Scale) -> Iterator[Square]:
    most = max(count.boards for counts in check.counts for count in counts)
    for distance, counts in enumerate(check.counts):
        for step, boards in _boards_by_step(counts, scale.per_h).items():
            yield Square(
                round(LEFT + distance * scale.width, 1),
                round(TOP + HEIGHT - (step + 1) * scale.height, 1),
                round(scale.width, 2),
                round(scale.height, 2),
                # a log scale: the counts differ by orders of magnitude
                1 + int(4 * math.log(boards) / max(1, math.log(most))),
                step * scale.per_h > distance,
                boards,
            )


def _boards_by_step(counts: Sequence[Count], per_h: int) -> dict[int, int]:
    """Number of boards for each step of `per_h` values of h."""
    boards: dict[int, int] = defaultdict(int)
    for count in counts:
        boards[count.h // per_h] += count.boards
    return boards


def _axis_numbers(highest: int) -> range:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if highest <= 7 * step)
    return range(0, highest + 1, step)


class DistanceRow(NamedTuple):
    """A table row: the number of boards at a distance, and their h."""

    distance: int
    boards: int
    lowest: int
    mean: float
    highest: int
    above: int


def rows_of(check: HeuristicCheck) -> Iterator[DistanceRow]:
    """Rows of the table equivalent to the chart, one per distance."""
    for distance, counts in enumerate(check.counts):
        boards = sum(count.boards for count in counts)
        yield DistanceRow(
            distance,
            boards,
            counts[0].h,
            sum(count.h * count.boards for count in counts) / boards,
            counts[-1].h,
            sum(count.boards for count in counts if count.h > distance),
        )


blueprint = Blueprint("heuristics", __name__, url_prefix="/lab/<code>/heuristics")

DEFAULT = "manhattan"
SMALL_EXAMPLE = "7.2.4-5.0.6-8.3.1"
"""Small board linked from larger boards, to check the heuristic on all boards."""

TABLES_SECONDS = 120.0
"""Time limit in seconds for building a pattern database."""

EXAMPLES = {
    noop("Right"): (
        ("max(manhattan, misplaced)", noop("the greater of two that are never too high")),
        ("out_of_row + out_of_column", noop("a move mends one of them at best")),
        ("manhattan_without_last", noop("forgets a tile: weaker, not wrong")),
        ("manhattan * (manhattan % 3 > 0)", noop("admissible, but not consistent")),
    ),
    noop("Usual mistakes"): (
        ("manhattan_with_blank", noop("counts the blank as if it were a tile")),
        ("manhattan + conflict_pairs", noop("counts pairs in conflict, not tiles that must leave")),
        ("manhattan + misplaced", noop("adds two estimates of the same moves")),
        ("2 * manhattan", noop("twice a good estimate, as in weighted A*")),
        ("manhattan_wrong_goal", noop("the distance to another goal")),
        ("inversions", noop("one move can mend several of them")),
        ("manhattan + 3 * sequence_score", noop("Nilsson's score: quick, and far too high")),
    ),
}
"""Example expressions, with hints for reading them."""


@blueprint.get("")
@charge_cpu_time()
def page() -> AnyResponse | str:
    """Show the heuristic `h`: a key, an expression after `=`, or `own`, a typed expression."""
    puzzle = current_puzzle()
    typed = request.args.get("own", "").strip()
    key = MARK + typed.removeprefix(MARK) if typed else request.args.get("h", DEFAULT)
    try:
        entry = own_heuristic(key) if typed else find_fitting_heuristic(key, *puzzle.start.size)
    except (ExpressionError, UnfitHeuristicError) as error:
        expression = request.args["own"] if typed else _expression(key)
        return Response(_render(typed=expression, error=sentence(error)), status=400)
    if typed:
        # the anchor of the form is for pages with an error
        return redirect(_url(puzzle, entry, anchor="all"))
    if entry.key != key:
        return redirect(_url(puzzle, entry))
    return _page(puzzle, entry)


def _url(puzzle: Puzzle, entry: Heuristic, anchor: str | None = None) -> str:
    return url_for("heuristics.page", code=str(puzzle), h=entry.key, _anchor=anchor)


def _expression(key: str) -> str:
    """Expression of a visitor's heuristic, "" for a heuristic of the registry."""
    return key.removeprefix(MARK) if is_own(key) else ""


@blueprint.get("/read")
def read() -> str:
    """Parse an expression while it is typed; a fragment."""
    typed = request.args.get("own", "").strip()
    try:
        own = str(parse(typed.removeprefix(MARK))) if typed else ""
    except ExpressionError as error:
        return render_template("course/lab/heuristics/_expression.html", error=sentence(error))
    return render_template("course/lab/heuristics/_expression.html", reads_as=own)


def _page(puzzle: Puzzle, entry: Heuristic) -> str:
    key, small = entry.key, puzzle.has_table
    with service(Checks).waiting():
        explanation, missing = _explanation(key, puzzle)
        on_all_boards = _check_context(key, puzzle.goal, explanation) if small else {}
    return _render(
        entry=entry,
        own=is_own(key),
        typed=_expression(key),
        look=explanation,
        missing=missing,
        sum=as_sum(key, puzzle, explanation) if explanation else None,
        drawings=drawings(key, puzzle, explanation),
        conflicts=conflicts(puzzle.start, puzzle.goal) if key == "linear-conflict" else [],
        to_go=None if small else moves_left(puzzle, puzzle.start)[0],
        cells_of=cells,
        boards=_number_of_boards(puzzle),
        runs=_runs(key),
        **on_all_boards,
    )


def _render(**context: Any) -> str:
    """Page of an `entry`, otherwise the introduction to own expressions."""
    puzzle = current_puzzle()
    return render_template(
        "course/lab/heuristics/page.html",
        puzzle=puzzle,
        code=str(puzzle),
        heuristics=[one for one in heuristics().values() if one.fits(*puzzle.goal.size)],
        small=puzzle.has_table,
        example=SMALL_EXAMPLE,
        examples=EXAMPLES,
        names={name: translated(words) for name, words in names().items()},
        longest=EXPRESSION_CHARACTERS,
        most_cells=TABLE_CELLS,
        **context,
    )


def _runs(key: str) -> str:
    """Race between the heuristic and Manhattan distance."""
    rival = DEFAULT if key != DEFAULT else "linear-conflict"
    return ",".join(
        f"{algorithm}:{one}" for algorithm in ("astar", "idastar") for one in (key, rival)
    )


def _explanation(key: str, puzzle: Puzzle) -> tuple[Explanation | None, str | None]:
    """Explanation of the heuristic on the board, or the reason that it is missing.

    Work that needs numpy runs in other processes.
    """
    wait = current_app.config["SOLVE_WAIT"]
    if puzzle.has_table:
        try:
            return solvers().call(explain, key, puzzle, timeout=wait), None
        except (Busy, FunctionError) as error:
            return None, sentence(error)
    chosen = find_heuristic(key)
    if not chosen.loads_tables:
        h = chosen.value(puzzle.start, puzzle.goal)
        return Explanation(h, None, {}, ()), None
    answer = solvers().calls.submit(CallQueue.BUILD, explain, key, puzzle, timeout=TABLES_SECONDS)
    try:
        return answer.result(wait), None
    except FunctionError as error:
        return None, sentence(error)
    except (TimeoutError, Busy):
        return None, _("The tables are still being built. Open this page again in a moment.")


def _check_context(key: str, goal: Board, explanation: Explanation | None) -> dict[str, Any]:
    """Check on all boards with its chart, or the reason that it is missing."""
    try:
        check = service(Checks).within(key, goal, current_app.config["SOLVE_WAIT"])
    except (Busy, FunctionError) as error:
        return {"unchecked": sentence(error)}
    excesses = {}
    if check.first and check.first != check.worst:
        excesses[_("Nearest to the goal")] = check.first
    if check.worst:
        excesses[_("The worst")] = check.worst
    return {
        "check": check,
        "excesses": excesses,
        "chart": chart_of(check, explanation),
        "rows": list(rows_of(check)),
    }


def _number_of_boards(puzzle: Puzzle) -> str:
    """Number of solvable boards, as a power of 10 if it is large."""
    count = math.factorial(len(puzzle.goal.cells)) // 2
    if count < 10**15:
        return number(count)
    return _("about 10 to the power of %(power)s", power=len(str(count)) - 1)
