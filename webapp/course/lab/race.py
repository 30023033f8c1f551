"""Race of several searches on the same board, streamed into a single table."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from werkzeug import Response as AnyResponse
from werkzeug.datastructures import MultiDict

from slidewise import (
    Comparison,
    Proof,
    Puzzle,
    PuzzleError,
    Result,
    SearchSpec,
    Status,
    find_algorithm,
    parse_board,
    parse_puzzle,
    scramble,
    text,
)
from slidewise.course.searching import is_recorded
from slidewise.solver.compare import Choice, parse_runs
from slidewise.solver.events import Finished, Preparing, Progress, Started
from slidewise.solver.known import Known, from_table, with_known

from ...board import cells
from ...http import language, responses
from ...http.errors import error_response, wait_and_retry
from ...http.language import duration, ngettext, noop, plural, sentence, translated
from ...http.language import gettext as _
from ...http.requests import current_puzzle, from_htmx
from ...http.responses import TooManySearches, download, uncached
from ...http.routes import cheap
from ...http.visitor import current_visitor
from ...play.session import read_last
from ...solve import replay
from ...workers import Failed, Waiting, jobs
from ...workers.distances import Distances
from ...workers.jobs import LostError
from ...workers.shared import service
from ...workers.solvers import Displaced, JobEvent, displaced_error
from .running import Race, Races, begin, start_after_previous, stream
from .selection import MAX_RUNS, RUNS_CHARACTERS, SECONDS, Selection, choices_shown, read_selection
from .table import OutcomeSentence, SearchRow, bar, message


@dataclass(frozen=True, slots=True)
class Preset:
    """A race, and in a sentence or two the point of its table."""

    title: str
    code: str
    runs: str
    look: str

    @property
    def searches(self) -> int:
        return len(_split(self.runs))


PRESETS = (
    Preset(
        noop("Informed against uninformed"),
        "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8",
        "bfs,ucs,iddfs,bidirectional,astar:manhattan,idastar:manhattan,rbfs:manhattan",
        noop(
            "All find 26 moves. Breadth-first and uniform-cost search expand nearly all of the "
            "181,440 boards; iterative deepening stores no list of them, meets the same boards "
            "again and again, and expands 8 million nodes. Manhattan distance saves A* 97 of "
            "every 100 boards. Searching from both ends does well too."
        ),
    ),
    Preset(
        noop("A heuristic’s worth"),
        "8.6.7-2.5.4-3.0.1",
        "astar:zero,astar:misplaced,astar:manhattan,astar:linear-conflict,astar:pdb,astar:exact",
        noop(
            "One algorithm, one of the two hardest boards, six heuristics, each closer to the "
            "true distance than the one before: the answer is always 31, but the bars shrink."
        ),
    ),
    Preset(
        noop("Where greedy fails"),
        "0.6.3-2.1.8-4.7.5",
        "greedy:misplaced,greedy:manhattan,wastar:manhattan,astar:manhattan",
        noop(
            "12 moves are enough. Greedy best-first follows h alone, goes wrong early, and here "
            "even expands more than A*, which proves its path shortest."
        ),
    ),
    Preset(
        noop("Memory against time"),
        "8.6.7-2.5.4-3.0.1",
        "astar:misplaced,idastar:misplaced,rbfs:misplaced,"
        "astar:manhattan,idastar:manhattan,rbfs:manhattan",
        noop(
            "31 moves. With misplaced tiles A* stores 162,463 boards; IDA* and RBFS store at most "
            "60 nodes, but pay with time: they meet the same boards again and again, and expand "
            "about 19 times as many nodes. With Manhattan distance, which leaves few boards to "
            "meet again, they pay nothing. There they even expand fewer nodes, as A* first "
            "expands all boards with the f of the goal that were generated before it."
        ),
    ),
    Preset(
        noop("An estimate too high"),
        "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8",
        "astar:manhattan,astar:=2 * manhattan,astar:=manhattan + misplaced,"
        "astar:=manhattan + 3 * sequence_score",
        noop(
            "A* with a heuristic that is not admissible is quick. Two of the three find 28 and 30 "
            "moves instead of 26; the third finds 26, but nothing proves that this is the "
            "shortest."
        ),
    ),
)


def preset_of(code: str, runs: Iterable[Choice]) -> Preset | None:
    """The preset with this board and these searches, None without any."""
    wanted = code, {str(run) for run in runs}
    return next((one for one in PRESETS if (one.code, set(_split(one.runs))) == wanted), None)


def _split(runs: str) -> list[str]:
    return [str(run) for run in parse_runs(runs)]


class Chip(NamedTuple):
    """A path's verdict in a word or two: `kind` selects its style."""

    kind: str
    words: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class RaceRow(SearchRow):
    """A search of a race. `state` is `ready`, `waiting`, `running`, `done` or `failed`."""

    state: str = "ready"
    progress: Progress | None = None
    result: Result | None = None
    said: str = ""

    @property
    def expanded(self) -> int | None:
        """Expanded nodes, None before the first report."""
        return self._of("expanded")

    @property
    def time(self) -> str:
        """Time with its unit, "" before the first report."""
        counts = self.result or self.progress
        return duration(counts.seconds) if counts else ""

    @property
    def generated(self) -> int | None:
        """Generated nodes, None before the first report."""
        return self._of("generated")

    @property
    def stored(self) -> int | None:
        """Peak of the stored nodes; while the search runs, the current number."""
        return self.result.peak_stored if self.result else self._of("stored")

    @property
    def bar(self) -> float:
        """Length of the bar, of 100."""
        return bar(self.expanded or 0)

    @property
    def chip(self) -> Chip | None:
        """Verdict on the path, None before the search is over."""
        result = self.result
        if result is None:
            return None
        why = sentence(result.verdict.reason)
        if result.status is not Status.SOLVED:
            return Chip("none", _(_WITHOUT_PATH[result.status]), why)
        if _proves(result):
            return Chip("optimal", _("shortest"), why)
        if result.above == 0:
            return Chip("unproved", _("happens to be shortest"), why)
        if result.above:
            return Chip("longer", _("%(moves)s above", moves=language.number(result.above)), why)
        if result.verdict.kind is Proof.BOUNDED:
            weight = result.weight
            words = (
                _("within %(weight)s×", weight=language.number(weight))
                if weight
                else _("within a bound")
            )
            return Chip("bounded", words, why)
        return Chip("unproved", _("unproved"), why)

    @property
    def replay_url(self) -> str | None:
        """Link to the solution, None without any."""
        if self.result is None or not self.result.moves:
            return None
        options = {"weight": f"{self.result.weight:g}"} if self.result.weight else {}
        return replay.replay_url(self.result, options)

    def watch_url(self, puzzle: Puzzle) -> str | None:
        """Link to the search, expansion by expansion; None if it is not recorded."""
        if not is_recorded(find_algorithm(self.choice.algorithm)):
            return None
        options = self.selection.options(self.choice)
        del options["seconds"]
        return url_for("watch.page", code=str(puzzle), **options)

    def _of(self, name: str) -> int | None:
        counts = self.result or self.progress
        return getattr(counts, name) if counts else None


class RaceTable:
    """Rows of a race on `puzzle`, and the bounds of its shortest solution."""

    def __init__(self, puzzle: Puzzle, selection: Selection, known: Known | None = None) -> None:
        self.puzzle, self.selection, self.known = puzzle, selection, known
        self.rows = [
            RaceRow(number, choice, selection) for number, choice in enumerate(selection.choices)
        ]
        self.over = False

    @property
    def shortest(self) -> int | None:
        """Length of a shortest solution, None if unknown."""
        return self.known.at_least if self.known and self.known.exact else None

    def note(self, number: int, event: JobEvent) -> list[RaceRow]:
        """Record an event of a search and return the changed rows."""
        row = _after(self.rows[number], event)
        if row is self.rows[number]:
            return []
        self.rows[number] = row
        if row.result and self.shortest is None:
            self.known = _better(self.known, row, row.result)
        # a new bound may change the verdicts of all rows
        joined = [_joined(one, self.known) for one in self.rows]
        changed = [one for one, was in zip(joined, self.rows, strict=True) if one is not was]
        self.rows = joined
        return [one for one in joined if one.number == number or one in changed]

    def finish(self, results: list[Result]) -> RaceTable:
        for number, result in enumerate(results):
            self.note(number, Finished(result))
        self.over = True
        return self

    def end(self) -> list[RaceRow]:
        """Mark the race as over and return the rows that never ran, and the best."""
        self.over = True
        changed = [self.rows[self.insight.best]] if self.insight else []
        for row in self.rows:
            if row.state not in ("done", "failed"):
                self.rows[row.number] = replace(row, state="failed", said=_("Not run."))
                changed.append(self.rows[row.number])
        return changed

    @property
    def done(self) -> int:
        """Number of finished searches."""
        return sum(row.result is not None for row in self.rows)

    @property
    def summary(self) -> str:
        """The outcome in a sentence or two."""
        results = [row.result for row in self.rows if row.result]
        solved = [result for result in results if result.status is Status.SOLVED]
        if not solved:
            return _("None found a solution.") if results else ""
        if not self.shortest:
            return ngettext(
                "%(num)s of %(all)s found a solution.",
                "%(num)s of %(all)s found a solution.",
                len(solved),
                all=len(self.rows),
            )
        return ngettext(
            "%(num)s of %(all)s found a solution; the shortest has %(moves)s.",
            "%(num)s of %(all)s found a solution; the shortest has %(moves)s.",
            len(solved),
            all=len(self.rows),
            moves=plural(self.shortest, "move"),
        )

    @property
    def insight(self) -> OutcomeSentence | None:
        """The search that proved the shortest path with the fewest expansions, and another.

        The other expanded the most nodes among searches without a heuristic and with an equally
        short path, or among all with such a path. None before the end, and below 1.5 times as many.
        """
        if not self.over:
            return None
        solved = [row for row in self.rows if row.result and row.result.above == 0 and row.expanded]
        proved = [row for row in solved if row.result and _proves(row.result)]
        if not proved:
            return None
        best = min(proved, key=lambda row: row.expanded or 0)
        other = max(solved, key=lambda row: (row.heuristic is None, row.expanded or 0))
        return OutcomeSentence.compare(best, other, (other.expanded or 0) / (best.expanded or 1))


_WITHOUT_PATH = {
    Status.UNSOLVABLE: noop("no solution"),
    Status.EXHAUSTED: noop("none found"),
    Status.CUTOFF: noop("cut off"),
    Status.STUCK: noop("stuck"),
    Status.CANCELLED: noop("stopped"),
    Status.INVALID: noop("withdrawn"),
}


def _proves(result: Result) -> bool:
    """Whether a search itself proved its path shortest."""
    return result.verdict.kind is Proof.OPTIMAL and not result.verdict.source


def _better(known: Known | None, row: RaceRow, result: Result) -> Known | None:
    """Bounds of the puzzle, updated by the result of a row."""
    moves, exact = result.lower_bound or 0, result.shortest is not None
    if not exact and moves <= (known.at_least if known else 0):
        return known
    values = {"search": row.name, "moves": language.number(moves)}
    by = (
        _("%(search)s proves %(moves)s", **values)
        if exact
        else _("%(search)s proves at least %(moves)s", **values)
    )
    return Known(moves, exact, result.verdict.source or by)


def _joined(row: RaceRow, known: Known | None) -> RaceRow:
    """A row with the known facts added to its result; the same row if nothing changes."""
    result = row.result and with_known(row.result, known)
    return row if result is row.result else replace(row, result=result)


def _after(row: RaceRow, event: JobEvent) -> RaceRow:
    """A row after an event; the same row if nothing changes."""
    if isinstance(event, Finished):
        return replace(row, state="done", result=event.result, said="")
    if isinstance(event, Progress):
        return replace(row, state="running", progress=event, said="")
    if isinstance(event, Waiting):
        place = _(
            "Number %(position)s of %(all)s in the queue.", position=event.position, all=event.queue
        )
        return replace(row, state="waiting", said=place)
    if isinstance(event, Displaced):
        why = displaced_error().why
        words = _("Waiting … %(why)s; this search starts as soon as possible.", why=why)
        return replace(row, state="waiting", said=words)
    if isinstance(event, Preparing):
        return replace(
            row, state="running", said=_("Getting ready: %(step)s.", step=translated(event.words))
        )
    if isinstance(event, Started):
        return replace(row, state="running", said="")
    if isinstance(event, Failed):
        return replace(row, state="failed", said=translated(event.message))
    return row


blueprint = Blueprint("lab", __name__, url_prefix="/lab")
blueprint.register_error_handler(TooManySearches, wait_and_retry)

FIELDS = {"run", "more", "order", "seconds", "weight", "lanes", "size", "boards", "moves", "seed"}
"""Form fields of the lab."""

EXAMPLE = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
"""Board of the lab without an unfinished game."""


LOOKUP_SECONDS = 2.0
"""Wait for the exact table in seconds; the first look-up builds it."""


@blueprint.get("")
def home() -> AnyResponse:
    """Redirect to the lab of the last unfinished game, otherwise of an example."""
    puzzle = read_last() or parse_puzzle(EXAMPLE)
    return uncached(redirect(url_for("lab.page", code=str(puzzle))))


@blueprint.get("/<code>")
def page() -> AnyResponse | str:
    """Show the race of `run`; with `go` run it first, as without JavaScript."""
    puzzle = current_puzzle()
    if "board" in request.args:  # from the Solve card, which solves the current board
        here = puzzle.starting_at(parse_board(request.args["board"], puzzle.start.size))
        return redirect(url_for("lab.page", code=str(here)))
    try:
        selection = read_selection(puzzle, request.args)
    except PuzzleError as error:
        return Response(_page(None, sentence(error)), 400)
    plain = {**selection.link, **({"go": "1"} if "go" in request.args else {})}
    if "run" in request.args and MultiDict(plain) != request.args:
        return redirect(url_for("lab.page", code=str(puzzle), **plain))
    return _page(selection, results=_results(selection) if "go" in request.args else None)


@blueprint.get("/<code>/another")
def another() -> AnyResponse:
    """Redirect to the same race on another random board."""
    puzzle = current_puzzle()
    drawn = scramble(puzzle.rows, puzzle.cols, secrets.token_hex(8), puzzle.goal)
    fields = read_selection(drawn, request.args).link if "run" in request.args else {}
    return uncached(redirect(url_for("lab.page", code=str(drawn), **fields)))


@blueprint.get("/<code>.csv")
def as_csv() -> Response:
    """Send the table as CSV, in the columns of `slidewise compare --csv`."""
    return download(_comparison().as_csv(), "text/csv", _file_name("csv"))


@blueprint.get("/<code>.json")
def as_json() -> Response:
    """Send the table and the paths as JSON, as `slidewise compare --json` does."""
    text = f"{json.dumps(_comparison().as_json())}\n"
    return download(text, "application/json", _file_name("json"))


@blueprint.post("/<code>/race")
def race() -> AnyResponse:
    """Run the race, as a stream of page updates."""
    puzzle = current_puzzle()
    if not from_htmx():
        return redirect(url_for("lab.page", code=str(puzzle), **as_typed()), 303)
    selection = read_selection(puzzle, request.form)
    service(Races).stop(request.form.get("race", "")[:64])  # this race replaces it
    start_after_previous(jobs.check_can_start)
    # before the race, as it would take CPU time from a search
    table = race_table(puzzle, selection, LOOKUP_SECONDS)
    running = begin(selection.specs(puzzle), selection.lanes)
    service(Races).enter(running)
    return stream(running, _stream(running, table, selection.specs(puzzle)))


@blueprint.post("/<code>/race/stop")
@cheap
def stop() -> AnyResponse:
    """Stop the page's race; its stream then ends with the results so far."""
    service(Races).stop(request.form.get("race", "")[:64])
    if from_htmx():
        return Response(status=204)
    return redirect(url_for("lab.page", code=str(current_puzzle())), 303)


def as_typed() -> dict[str, Any]:
    """Form fields for the link to the page that runs them; raises `PuzzleError` if too long."""
    form = request.form.to_dict(flat=False)
    fields = {name: values for name, values in form.items() if name in FIELDS}
    if sum(len(value) for values in fields.values() for value in values) > RUNS_CHARACTERS:
        raise PuzzleError(
            text.message(
                "the fields take up to %(most)s characters: shorten them", most=RUNS_CHARACTERS
            )
        )
    return {**fields, "go": "1"}


@blueprint.errorhandler(LostError)
def lost(error: LostError) -> Response:
    """Error page for a lost worker."""
    return error_response(500, translated(error))


def _stream(running: Race, table: RaceTable, specs: Sequence[SearchSpec]) -> Iterator[str]:
    live = _("Running %(searches)s …", searches=plural(len(specs), "search"))
    yield _message("began", table, table.rows, id=running.id, live=live)
    for number, event in running.events():
        if event is None:
            yield responses.HEARTBEAT
            continue
        if isinstance(event, Finished):
            service(Races).remember(specs[number], event.result)
        changed = table.note(number, event)
        if changed:
            live = _("%(done)s of %(all)s done …", done=table.done, all=len(table.rows))
            yield _message("news", table, changed, live=live)
    yield _message("ended", table, table.end(), before=_("Stopped.") if running.stopped else "")


def _message(kind: str, table: RaceTable, rows: Sequence[RaceRow], **values: str) -> str:
    puzzle, link = table.puzzle, table.selection.link
    own = {"puzzle": puzzle, "code": str(puzzle), "table": table, "link": link}
    return message(kind, rows, **own, **values)


def race_table(puzzle: Puzzle, selection: Selection, seconds: float = 0) -> RaceTable:
    """The table, with the length of the shortest solution if known.

    The exact table may take `seconds` to answer.
    """
    if not puzzle.solvable or not puzzle.has_table:
        return RaceTable(puzzle, selection, service(Distances).known(puzzle))
    (ahead,) = service(Distances).cached(puzzle)
    if seconds and ahead is None:
        ahead = service(Distances).wait_for(puzzle, seconds, current_visitor().name)
    return RaceTable(puzzle, selection, from_table(ahead.at_least) if ahead else None)


def _page(selection: Selection | None, error: str = "", results: Any = None) -> str:
    """The page; without a `selection` its searches are unreadable."""
    puzzle = current_puzzle()
    table = race_table(puzzle, selection) if selection else None
    if table and results:
        table.finish(results)
    preset = preset_of(str(puzzle), selection.choices) if selection else None
    long = selection.long(puzzle) if selection else []
    is_expected = not long or preset is not None
    return render_template(
        "course/lab/race/page.html",
        puzzle=puzzle,
        code=str(puzzle),
        cells=cells(puzzle.start, puzzle.goal),
        selection=selection,
        table=table,
        error=error,
        ran=bool(results),
        preset=preset,
        long=long,
        starts=selection is not None and not results and puzzle.solvable and is_expected,
        presets=PRESETS,
        most=MAX_RUNS,
        usual_seconds=SECONDS,
        **choices_shown(puzzle, request.args, selection),
    )


def _results(selection: Selection) -> list[Any]:
    wait = current_app.config["SOLVE_WAIT"]
    return service(Races).results(selection.specs(current_puzzle()), wait)


def _comparison() -> Comparison:
    selection = read_selection(current_puzzle(), request.args)
    return Comparison(current_puzzle(), tuple(_results(selection)))


def _file_name(suffix: str) -> str:
    return f"slidewise-{str(current_puzzle().start)[:40]}.{suffix}"
