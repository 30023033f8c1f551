"""Daily puzzles: a page per day, and the lookup of a puzzle's day."""

from __future__ import annotations

import calendar
import re
import threading
from concurrent.futures import CancelledError
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from flask import Blueprint, abort, current_app, render_template, request

from slidewise import find_heuristic, standard_goal
from slidewise.analysis.daily import DAILY, FIRST_DAY, daily_puzzles, sizes_of
from slidewise.puzzle.moves import play

from ..board import cells
from ..http import language
from ..http.language import gettext as _
from ..http.routes import cheap, static_page
from ..workers import Busy
from ..workers.helpers import CoalescedCalls
from ..workers.shared import CacheKind, service
from ..workers.solvers import CallQueue
from .daily_results import DailyResults

if TYPE_CHECKING:
    from concurrent.futures import Future

    from slidewise import Game, Puzzle

    from ..workers import Solvers
    from ..workers.shared import Shared

    Days = dict[date, tuple[Puzzle, ...]]


BARS = "▁▂▃▄▅▆▇█"
"""Bar characters, from the farthest board of the game to the goal."""

BARS_SHOWN = 10
"""Bars per game: the line fits in a chat message on a phone."""

MAX_COURSE_MOVES = 5_000
"""Longest game with bars; replaying it takes some milliseconds."""


def shared_result(game: Game) -> str:
    """Bars for the distance to the goal after each tenth of a finished game.

    It is the Manhattan distance. A game that is too long gives "".

    >>> from slidewise import Game, parse_puzzle
    >>> game = Game.new(parse_puzzle("1.2.3-4.5.6-0.7.8"))
    >>> shared_result(game.slide(7, 0).slide(8, 1))
    '▁▁▁▁▅▅▅▅▅█'
    """
    count = game.move_count
    board, moves = game.last_moves(MAX_COURSE_MOVES)
    if game.forgotten or count > len(moves):
        return ""
    distance = find_heuristic("manhattan").build(game.puzzle.goal).value
    far = [distance(board)]
    ends = [count * part // BARS_SHOWN for part in range(BARS_SHOWN + 1)]
    for begin, end in pairwise(ends):
        board = play(board, moves[begin:end])
        far.append(distance(board))
    most = max(far) or 1
    # without the first board: a bar stands for the end of a tenth
    return "".join(BARS[round((len(BARS) - 1) * (1 - one / most))] for one in far[1:])


def in_words(day: date, form: str = "") -> str:
    """A date in words: with its weekday, or `short` without weekday and year.

    >>> in_words(date(2026, 2, 28)), in_words(date(2026, 2, 28), "short")
    ('Saturday, 28 February 2026', '28 February')
    """
    return language.day(day, "MMMMd" if form == "short" else "full")


blueprint = Blueprint("daily", __name__, url_prefix="/daily")
blueprint.add_app_template_filter(shared_result)
blueprint.add_app_template_filter(in_words)

DEADLINE_SECONDS = 60.0
"""Timeout of a drawing in seconds: the first may have to compile."""

DAYS = CacheKind[tuple[date, date], "Days"]("days 2", 2_000_000, 24 * 3600)
"""Cached puzzles by range of days, for processes that start on the same day."""

ONE_DAY = timedelta(days=1)

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


def today() -> date:
    """Today's date in UTC."""
    return datetime.now(UTC).date()


def last_day() -> date:
    """The last day that the request may see: today, or a few days later with `ahead`."""
    return _last_ahead() if "ahead" in request.args else today()


def _last_ahead() -> date:
    """The last day that a browser may store for offline use (`ahead`)."""
    days: int = current_app.config["DAYS_AHEAD"]
    return today() + days * ONE_DAY


class Calendar:
    """Cache of the puzzles of all days up to the last day ahead, drawn by other processes.

    Drawing takes half a second for some years. Thread-safe.
    """

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool = pool
        self._lock = threading.Lock()
        self._puzzles: Days = {}
        self._day_of: dict[Puzzle, date] = {}
        self._last = FIRST_DAY - ONE_DAY
        self._drawn = CoalescedCalls(self._draw_days, DAYS, shared, most=2)

    def puzzles(self, day: date, seconds: float) -> tuple[Puzzle, ...]:
        """Puzzles of a day; raises `Busy` after `seconds`."""
        self._draw(seconds)
        return self._puzzles[day]

    def next_of_day(self, puzzle: Puzzle, day: date) -> Puzzle | None:
        """The next larger puzzle of the day, None after the last."""
        puzzles = self._puzzles[day]
        place = puzzles.index(puzzle) + 1
        return puzzles[place] if place < len(puzzles) else None

    def day_of(self, puzzle: Puzzle) -> date | None:
        """The day of this puzzle, the last if there are several; None before that day.

        None also if not known at once, as in the first moments of a server.
        """
        if puzzle.start.size not in DAILY or puzzle.goal != standard_goal(*puzzle.goal.size):
            return None
        try:
            self._draw(current_app.config["CLICK_WAIT"])
        except (Busy, CancelledError):
            return None
        except Exception:
            # a missing date must not fail a click or a page
            current_app.logger.exception("The daily puzzles could not be drawn")
            return None
        day = self._day_of.get(puzzle)
        return day if day and day <= last_day() else None

    def _draw(self, seconds: float) -> None:
        """Draw the missing days in another process."""
        last = _last_ahead()
        if last <= self._last:
            return
        try:
            drawn = self._drawn.submit((self._last + ONE_DAY, last)).result(seconds)
        except TimeoutError:
            text = _("Today’s puzzles are being prepared. Try again in a moment.")
            raise Busy(text, 5) from None
        # another request may have drawn them too: the puzzles are equal
        with self._lock:
            self._puzzles.update(drawn)
            for day, puzzles in drawn.items():
                self._day_of.update(dict.fromkeys(puzzles, day))
            self._last = max(self._puzzles)

    def _draw_days(self, days: tuple[date, date]) -> Future[Days]:
        return self._pool.calls.submit(
            CallQueue.CLICK, daily_puzzles, *days, timeout=DEADLINE_SECONDS
        )


@blueprint.get("")
@cheap
@static_page
def page() -> str:
    """Show today's puzzles."""
    return _page(_read(today().isoformat()))  # 404 if the clock is not set yet


@blueprint.get("/<day>")
@cheap
@static_page
def of_day(day: str) -> str:
    """Show the puzzles of a day, written as in 2026-11-21."""
    return _page(_read(day))


def _page(day: date) -> str:
    now = datetime.now(UTC)
    last = max(today(), day)
    return render_template(
        "daily/page.html",
        day=day,
        today=last,
        first=FIRST_DAY,
        pictures=[
            (
                puzzle,
                cells(puzzle.start, puzzle.goal),
                DAILY[puzzle.start.size],
                service(DailyResults).chart(puzzle, day),
            )
            for puzzle in service(Calendar).puzzles(day, current_app.config["SOLVE_WAIT"])
        ],
        seconds_left=24 * 3600 - (now.hour * 60 + now.minute) * 60 - now.second,
        sizes_of=lambda day: " ".join(f"{rows}x{cols}" for rows, cols in sizes_of(day)),
        month=_month(request.args.get("month", ""), day, last),
    )


class Month(NamedTuple):
    """A calendar month: weeks from Monday, with None for days of other months.

    It also has the days of any week, for the names of weekdays, and the first days of the previous
    and the next month, if they have puzzles.
    """

    first: date
    weekdays: list[date]
    weeks: list[list[date | None]]
    before: date | None
    after: date | None


def _month(text: str, day: date, last: date) -> Month:
    """The month `text`, for example 2026-11, or else the month of the day."""
    chosen = _date(f"{text}-01") or day
    first = min(max(chosen, FIRST_DAY), last).replace(day=1)
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    before = (first - ONE_DAY).replace(day=1)
    after = (first + 31 * ONE_DAY).replace(day=1)
    return Month(
        first,
        weeks[0],
        [[one if one.month == first.month else None for one in week] for week in weeks],
        before if before >= FIRST_DAY.replace(day=1) else None,
        after if after <= last else None,
    )


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def count_result(game: Game) -> None:
    """Count a game that was just solved, if its puzzle is from today."""
    day = service(Calendar).day_of(game.puzzle)
    if day == today():
        service(DailyResults).count(game, day)


def _read(text: str) -> date:
    """Parse the day of a URL; 404 if it has no puzzles."""
    day = _date(text)
    if day is None:
        abort(404, _("Write the date like this: 2026-11-21."))
    if day > last_day():
        abort(404, _("The puzzles for %(day)s are not out yet.", day=day))
    if day < FIRST_DAY:
        abort(404, _("The daily puzzles began on %(day)s.", day=FIRST_DAY))
    return day
