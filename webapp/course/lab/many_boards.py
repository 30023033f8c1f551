"""Race on many boards: medians, and expansions against the solution length."""

import csv
import io
import json
import math
import re
import secrets
import statistics
import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from markupsafe import Markup, escape
from werkzeug import Response as AnyResponse
from werkzeug.datastructures import MultiDict

from slidewise import (
    Board,
    Proof,
    Puzzle,
    PuzzleError,
    Result,
    SearchSpec,
    parse_size,
    standard_goal,
    text,
)
from slidewise.analysis.distance import Range, parse_range
from slidewise.course.sample import Arrivals, DrawnPuzzle, Measurement, SampleSummary, draw_boards
from slidewise.puzzle.board import TABLE_CELLS
from slidewise.solver.events import Finished

from ...board import cells
from ...forms import read_number
from ...http import language, responses
from ...http.errors import wait_and_retry
from ...http.language import capitalized, ngettext, noops, plural, sentence, translated
from ...http.language import gettext as _
from ...http.requests import current_puzzle, from_htmx
from ...http.responses import TooManySearches, download
from ...workers import Busy, Failed, jobs
from ...workers.budgets import charge_cpu_time, current_charge
from ...workers.jobs import RETRY_SECONDS
from ...workers.shared import CacheKind, service, shared, solvers
from ...workers.solvers import CallQueue, Displaced
from . import race
from .running import Race, Races, begin, start_after_previous, stream
from .selection import Selection, choices_shown, read_selection
from .table import OutcomeSentence, SearchRow, Tick, bar, message

DRAWING_SECONDS = 20.0
"""Time limit of drawing in seconds: for all boards up to 10 cells, per board above."""

CSV_COLUMNS = tuple(one.name for one in fields(Measurement))


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters of a run: `selection`, number of `boards`, `goal`, `seed` and `moves`.

    `moves` is the length of the shortest solutions, None for uniformly random boards.
    """

    goal: Board
    boards: int
    moves: Range | None
    seed: str
    selection: Selection

    @property
    def size(self) -> str:
        return f"{self.goal.rows}x{self.goal.cols}"

    @property
    def link(self) -> dict[str, Any]:
        return {
            "size": self.size,
            "boards": str(self.boards),
            "moves": str(self.moves or ""),
            "seed": self.seed,
            **self.selection.link,
        }

    def draw(self) -> Iterator[list[DrawnPuzzle]]:
        """Yield the boards: all at once if that is fast, otherwise one by one.

        Raises `Busy`, and `PuzzleError` if there are none.
        """
        numbers = range(self.boards)
        queue = CallQueue.CLICK if self.goal.has_table else CallQueue.DRAW
        for some in [numbers] if self.goal.has_table else [[number] for number in numbers]:
            yield solvers().calls.call(
                queue,
                draw_boards,
                self.goal,
                self.seed,
                some,
                self.boards,
                self.moves,
                timeout=DRAWING_SECONDS,
            )


@dataclass(frozen=True, slots=True)
class SampleRow(SearchRow):
    """A search with the summary of its measurements."""

    summary: SampleSummary

    @property
    def median(self) -> float:
        """Median of the expansions, 0 before the first."""
        return self.summary.expanded.median if self.summary.expanded else 0

    @property
    def bar(self) -> float:
        """Length of the median's bar, of 100."""
        return bar(self.median)

    @property
    def state(self) -> str:
        """`done` once there are measurements."""
        return "done" if self.summary.expanded else "ready"


@dataclass(eq=False)
class BoardSample:
    """Measurements so far: `drawn` boards exist, and `done` of them are solved.

    `displaced` is True while its search waits for another place in the queue. `failure` ended the
    run, and `over` is False while a page shows its progress.
    """

    plan: Plan
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    drawn: list[DrawnPuzzle] = field(default_factory=list)
    done: int = 0
    stopped: bool = False
    displaced: bool = False
    failure: str = ""
    over: bool = True
    measures: list[list[Measurement]] = field(default_factory=list)
    _race: Race | None = None

    def stop(self) -> None:
        """Stop running searches and keep the results."""
        self.stopped = True
        if self._race:
            self._race.stop()

    def run(self, seconds: float) -> Iterator[bool]:
        """Run for about `seconds`; yield True when a board is done or drawn.

        Raises `Busy` and `PuzzleError`.
        """
        deadline = time.monotonic() + seconds
        for drawn in self.plan.draw():
            self.drawn += drawn
            yield True
            if self.stopped or time.monotonic() > deadline:
                return
        choices = self.plan.selection.choices
        self.measures = [[] for _choice in choices]
        # all searches on a board before the next board, so that boards are complete
        specs = [spec for board in self.drawn for spec in self.plan.selection.specs(board.puzzle)]
        self._race = yield from self._begin(specs, deadline)
        if self.stopped:  # stopped during the start
            self._race.stop()
        results: list[Result] = []
        pay = current_charge()
        for _number, event in self._race.events():
            if event is not None:
                self.displaced = isinstance(event, Displaced)
            if isinstance(event, Failed):
                self.failure = translated(event.message)
                self.stop()
            if isinstance(event, Finished) and not self._race.stopped:
                results.append(event.result)
                if pay:
                    pay(event.result.seconds)
                if len(results) == len(choices):
                    self._note(results)
                    results = []
                    yield True
            elif event is None or self.displaced:
                yield self.displaced
            if time.monotonic() > deadline:
                self._race.stop()

    def _begin(self, specs: list[SearchSpec], deadline: float) -> Generator[bool, None, Race]:
        """Start once a worker is free; other visitors may take it first."""
        while True:
            try:
                return begin(specs)
            except TooManySearches:
                if self.stopped or time.monotonic() > deadline:
                    raise
            yield False
            time.sleep(RETRY_SECONDS)

    def _note(self, results: list[Result]) -> None:
        shortest = self.drawn[self.done].shortest
        if shortest is None:
            # without a table, a search of the run may prove the length
            proved = (one for one in results if one.verdict.kind is Proof.OPTIMAL)
            shortest = next((one.length for one in proved), None)
        for measures, result in zip(self.measures, results, strict=True):
            measures.append(Measurement.of(result, shortest))
        self.done += 1

    @property
    def rows(self) -> list[SampleRow]:
        """Each search with the summary of its measurements so far."""
        selection = self.plan.selection
        measures = self.measures or [[] for _choice in selection.choices]
        return [
            SampleRow(number, choice, selection, SampleSummary.of(of_search))
            for number, (choice, of_search) in enumerate(
                zip(selection.choices, measures, strict=True)
            )
        ]

    @property
    def live(self) -> str:
        """Progress in a sentence or two."""
        if self.measures:
            forms = noops("%(done)s of %(num)s board done …", "%(done)s of %(num)s boards done …")
        else:
            forms = noops("%(done)s of %(num)s board drawn …", "%(done)s of %(num)s boards drawn …")
        done = self.done if self.measures else len(self.drawn)
        live = ngettext(*forms, self.plan.boards, done=done)
        if not self.displaced:
            return live
        waits = _("Many others are waiting too; this run continues as soon as possible.")
        return f"{waits} {live}"

    @property
    def summary(self) -> str:
        """The outcome in a sentence."""
        if self.is_complete or (self.failure and not self.stopped):
            forms = noops("%(done)s of %(num)s board done.", "%(done)s of %(num)s boards done.")
        elif self.stopped:
            forms = noops(
                "%(done)s of %(num)s board done, then stopped.",
                "%(done)s of %(num)s boards done, then stopped.",
            )
        else:
            forms = noops(
                "%(done)s of %(num)s board done, then the time was up.",
                "%(done)s of %(num)s boards done, then the time was up.",
            )
        return ngettext(*forms, self.plan.boards, done=self.done)

    @property
    def insight(self) -> OutcomeSentence | None:
        """The search that proved all shortest paths with the lowest median, compared with another.

        The other has the greatest median among searches without a heuristic and with equally short
        paths, or among all with such paths. If no search proved them, compare the searches that
        solved the most and the fewest boards. None while it runs.
        """
        if not self.over or not self.done:
            return None
        rows = self.rows
        right = [row for row in rows if row.summary.shortest == row.summary.boards and row.median]
        proved = [
            row
            for row in right
            if all(run.verdict == Proof.OPTIMAL for run in self.measures[row.number])
        ]
        if proved:
            best = min(proved, key=lambda row: row.median)
            # False sorts before True: searches without a heuristic win
            other = max(right, key=lambda row: (row.heuristic is None, row.median))
            times = other.median / (best.median or 1)
            return OutcomeSentence.compare(best, other, times, plural(self.done, "board"))
        best = max(rows, key=lambda row: (row.summary.solved, -row.median))
        other = min(rows, key=lambda row: (row.summary.solved, -row.median))
        most, least = best.summary.solved, other.summary.solved
        if most == least:
            return None
        text = ngettext(
            "Within %(seconds)s s each, %(best)s solved <b>%(most)s of %(num)s board</b> and "
            "%(other)s %(least)s.",
            "Within %(seconds)s s each, %(best)s solved <b>%(most)s of %(num)s boards</b> and "
            "%(other)s %(least)s.",
            best.summary.boards,
            seconds=language.number(self.plan.selection.seconds),
            best=escape(best.name),
            most=most,
            other=escape(other.name),
            least=least,
        )
        return OutcomeSentence(best.number, Markup(capitalized(text)))

    @property
    def is_complete(self) -> bool:
        """Whether all boards are done."""
        return self.done == self.plan.boards

    def as_csv(self) -> str:
        """CSV rows: one per search and board, after a header row."""
        text = io.StringIO()
        writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
        writer.writeheader()
        for of_board in zip(*self.measures, strict=True):
            writer.writerows(one.as_json() for one in of_board)
        return text.getvalue()

    def as_json(self) -> dict[str, object]:
        """Results and parameters as JSON values."""
        plan = self.plan
        of_boards = zip(*self.measures, strict=True)
        return {
            "goal": str(plan.goal),
            "boards": plan.boards,
            "moves": str(plan.moves) if plan.moves else None,
            "seed": plan.seed,
            "seconds": plan.selection.seconds,
            "plain": plan.selection.plain,
            "measures": [one.as_json() for of_board in of_boards for one in of_board],
        }


def _unpack(packed: tuple[Plan, list[DrawnPuzzle], list[list[Measurement]]]) -> BoardSample:
    plan, drawn, measures = packed
    return BoardSample(plan, drawn=drawn, done=plan.boards, measures=measures)


TAKEN = CacheKind[Plan, BoardSample](
    "samples",
    max_bytes=2_000_000,
    seconds=600,
    pack=lambda sample: (sample.plan, sample.drawn, sample.measures),
    unpack=_unpack,
)
"""Complete samples, for their downloads."""


def _remember(sample: BoardSample) -> None:
    if sample.is_complete:
        bare = _unpack((sample.plan, sample.drawn, sample.measures))  # without its race
        shared().put(TAKEN, sample.plan, bare)


def sample_of(plan: Plan) -> BoardSample:
    """Sample of a plan, from the cache or computed within a page's time limit."""
    sample = shared().get(TAKEN, plan)
    if sample is None:
        sample = BoardSample(plan)
        for _news in sample.run(current_app.config["SOLVE_WAIT"]):
            pass
        _remember(sample)
    return sample


LEFT, TOP, WIDTH, HEIGHT = 84, 14, 620, 330
"""Rectangle of the chart in its picture of 720 x 400."""

BESIDE = 0.11
"""Offset in moves between the searches' marks of a length, against overlap."""


class Point(NamedTuple):
    """Position of a mark in the picture."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of a search, and the line through the medians of each length."""

    points: list[Point]
    line: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """The chart; `left_out` boards have an unknown shortest length."""

    series: list[Series]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    left_out: int


def scatter(measures: Sequence[Sequence[Measurement]]) -> Scatter | None:
    """Chart of each search's cost, None if it is empty."""
    known = [one for search in measures for one in search if one.shortest is not None]
    if not known:
        return None
    lengths = [one.shortest or 0 for one in known]
    least, most = min(lengths) - 1, max(lengths) + 1
    low = math.floor(min(_log(one.expanded) for one in known))
    high = max(low + 1, math.ceil(max(_log(one.expanded) for one in known)))

    def x(length: float) -> float:
        return round(LEFT + WIDTH * (length - least) / (most - least), 1)

    def y(expanded: float) -> float:
        return round(TOP + HEIGHT * (high - _log(expanded)) / (high - low), 1)

    middle = (len(measures) - 1) / 2
    series = []
    for number, search in enumerate(measures):
        # the searches' marks stand next to each other at each length
        shift = (number - middle) * BESIDE
        points = [
            Point(x(one.shortest + shift), y(one.expanded))
            for one in search
            if one.shortest is not None
        ]
        line = " ".join(
            f"{x(length + shift)},{y(median)}" for length, median in medians(search).items()
        )
        series.append(Series(points, line))
    # about 12 numbers at the axis
    step = next(one for one in (1, 2, 5, 10, 20, 50, 100) if (most - least) / one <= 12)
    first = -(-(least + 1) // step) * step
    return Scatter(
        series,
        x_ticks=[Tick(x(n), str(n)) for n in range(first, most, step)],
        y_ticks=[Tick(y(10**n), _short(n)) for n in range(low, high + 1)],
        left_out=len({one.puzzle for search in measures for one in search if one.shortest is None}),
    )


def medians(search: Iterable[Measurement]) -> dict[int, float]:
    """Median expansions of a search at each length, in order."""
    expansions: Mapping[int, list[int]] = defaultdict(list)
    for one in search:
        if one.shortest is not None:
            expansions[one.shortest].append(one.expanded)
    return {length: statistics.median(expansions[length]) for length in sorted(expansions)}


def by_length(measures: Sequence[Sequence[Measurement]]) -> dict[int, list[float | None]]:
    """The chart as a table: at each length the median of each search."""
    columns = [medians(search) for search in measures]
    lengths = sorted({length for column in columns for length in column})
    return {length: [column.get(length) for column in columns] for length in lengths}


def arrivals(sample: BoardSample) -> list[tuple[SampleRow, Arrivals]]:
    """Each search with its arrivals; [] if all searches found shortest paths alone."""
    rows = sample.rows
    if not sample.done or all(row.summary.shortest == row.summary.boards for row in rows):
        return []
    return [(row, Arrivals.of(of_row)) for row, of_row in zip(rows, sample.measures, strict=True)]


def _short(power: int) -> str:
    """A power of ten in few letters.

    >>> _short(2), _short(3), _short(5), _short(7)
    ('100', '1k', '100k', '10M')
    """
    return f"{10 ** (power % 3)}{['', 'k', 'M', 'G'][power // 3]}"


def _log(expanded: float) -> float:
    return math.log10(max(1, expanded))


blueprint = Blueprint("many", __name__, url_prefix="/lab/<code>/many")
blueprint.register_error_handler(TooManySearches, wait_and_retry)

MAX_BOARDS, MAX_RUNS = 100, 8
SEED_CHARACTERS = 40
"""Maximum length of a seed in characters."""

SECONDS = 1.0
"""Default time limit of a search in seconds."""

MAX_SECONDS = 60.0
"""Seconds after which no further board starts."""

REFRESH_SECONDS = 0.7
"""Seconds between two progress pictures."""

USUAL = {
    TABLE_CELLS: (
        "bfs,astar:misplaced,astar:manhattan,astar:linear-conflict,idastar:manhattan,greedy:manhattan",
        30,
    ),
    16: ("idastar:manhattan,idastar:linear-conflict,wastar:manhattan,greedy:manhattan", 15),
    100: ("greedy:manhattan,greedy:linear-conflict", 15),
}
"""Default searches and number of boards, up to this number of cells."""

USUAL_MOVES = {(3, 3): "10-28", (4, 4): "30-45"}


@blueprint.get("")
@charge_cpu_time()
def page() -> AnyResponse | str:
    """Show the form; with `go` also the results, as without JavaScript."""
    try:
        plan = read_plan(current_puzzle(), request.args)
    except PuzzleError as error:
        return Response(_page(None, sentence(error)), 400)
    if "go" not in request.args:
        return _page(plan)
    wanted = {**plan.link, "go": "1"}
    if MultiDict(wanted) != request.args:
        return redirect(url_for("many.page", code=str(current_puzzle()), **wanted))
    try:
        return _page(plan, sample=sample_of(plan))
    except PuzzleError as error:
        return Response(_page(plan, sentence(error)), 400)


@blueprint.get("/boards.csv")
@charge_cpu_time()
def as_csv() -> Response:
    """Send a CSV row for each search on each board."""
    sample = _complete()
    return download(sample.as_csv(), "text/csv", _file_name(sample.plan, "csv"))


@blueprint.get("/boards.json")
@charge_cpu_time()
def as_json() -> Response:
    """Send the results and parameters as JSON."""
    sample = _complete()
    text = f"{json.dumps(sample.as_json())}\n"
    return download(text, "application/json", _file_name(sample.plan, "json"))


def _complete() -> BoardSample:
    sample = sample_of(read_plan(current_puzzle(), request.args))
    if not sample.is_complete:
        raise Busy(
            _(
                "This takes longer than a download may take: run it on its page, then download "
                "the file."
            ),
            retry_after=5,
        )
    return sample


def _file_name(plan: Plan, suffix: str) -> str:
    seed = re.sub(r"[^A-Za-z0-9]+", "-", plan.seed).strip("-")
    moves = f"-{plan.moves}-moves" if plan.moves else ""
    of_seed = f"-seed-{seed}" if seed else ""
    return f"slidewise-{plan.boards}-boards-{plan.size}{moves}{of_seed}.{suffix}"


@blueprint.post("/run")
@charge_cpu_time()
def run() -> AnyResponse:
    """Run it, as a stream of page updates."""
    if not from_htmx():
        return redirect(url_for("many.page", code=str(current_puzzle()), **race.as_typed()), 303)
    plan = read_plan(current_puzzle(), request.form)
    service(Races).stop(request.form.get("race", "")[:64])  # this run replaces it
    start_after_previous(jobs.check_can_start)  # before the boards are drawn
    sample = BoardSample(plan)
    service(Races).enter(sample)
    return stream(sample, _stream(sample))


def _stream(sample: BoardSample) -> Iterator[str]:
    sample.over = False
    yield _message("began", sample, id=sample.id, live=_("Drawing the boards …"))
    shown = time.monotonic()
    try:
        for is_news in sample.run(MAX_SECONDS):
            if is_news and time.monotonic() - shown > REFRESH_SECONDS:
                shown = time.monotonic()
                yield _message("news", sample, live=sample.live)
            else:
                yield responses.HEARTBEAT
    except (Busy, PuzzleError) as error:
        sample.failure = sentence(error)
    _remember(sample)
    sample.over = True
    yield _message("ended", sample, before=sample.failure)


def _message(kind: str, sample: BoardSample, **values: str) -> str:
    return message(kind, sample.rows, code=str(current_puzzle()), **_shown(sample), **values)


def _shown(sample: BoardSample | None) -> dict[str, Any]:
    if not sample:
        return {"medians": True, "table": None}
    return {
        "medians": True,
        "bar": bar,
        "table": sample,
        "plan": sample.plan,
        "chart": scatter(sample.measures),
        "by_length": by_length(sample.measures),
        "arrivals": arrivals(sample),
    }


def _page(plan: Plan | None, error: str = "", sample: BoardSample | None = None) -> str:
    puzzle = current_puzzle()
    goal = plan.goal if plan else puzzle.goal
    stand_in = Puzzle(goal, goal)
    return render_template(
        "course/lab/many/page.html",
        this=puzzle,
        puzzle=stand_in,
        code=str(puzzle),
        error=error,
        most=MAX_RUNS,
        most_boards=MAX_BOARDS,
        **choices_shown(stand_in, request.args, plan.selection if plan else None),
        cells=cells(goal, goal),
        ran=sample is not None,
        usual_seconds=SECONDS,
        **_shown(sample or (BoardSample(plan) if plan else None)),
    )


def read_plan(puzzle: Puzzle, typed: MultiDict[str, str]) -> Plan:
    """Parse a plan, with the size and goal of `puzzle` as defaults; raises `PuzzleError`."""
    size = parse_size(typed["size"]) if typed.get("size", "").strip() else puzzle.start.size
    goal = puzzle.goal if size == puzzle.start.size else standard_goal(*size)
    runs, usual_boards = next(usual for cells, usual in USUAL.items() if size[0] * size[1] <= cells)
    within = text.message("the number of boards must be from 1 to %(most)s", most=MAX_BOARDS)
    boards = read_number(typed, "boards", int, 1, MAX_BOARDS, within)
    moves = typed.get("moves", USUAL_MOVES.get(size, "")).strip()
    seed = re.sub(r"\s+", " ", typed.get("seed", "")).strip() or "1"
    if len(seed) > SEED_CHARACTERS:
        raise PuzzleError(
            text.message(
                "a seed can have up to %(most)s characters here, got %(count)s",
                most=SEED_CHARACTERS,
                count=len(seed),
            )
        )
    selection = read_selection(Puzzle(goal, goal), typed, runs, SECONDS, MAX_RUNS)
    return Plan(
        goal, boards or usual_boards, parse_range(moves) if moves else None, seed, selection
    )
