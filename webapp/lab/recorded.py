"""A search to record. Its worker makes all that pages and viewers show of it, so that the web
process only sends it.

Nothing here knows Flask.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from slidewise import SearchSpec, Status, find_algorithm, find_heuristic
from slidewise.solver.convention import find_convention
from slidewise.solver.events import Event, Expanded, Finished
from slidewise.solver.task import FrontierKind, never
from slidewise.study.recording import record
from slidewise.study.recording.pseudocode import pseudocode
from slidewise.text import plural, sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jinja2 import Template

    from slidewise import Result
    from slidewise.study.recording import Expansion, Node, Recording
    from slidewise.study.recording.recording import RecordedIteration

RECORDED_EXPANSIONS = 2_000
"""Expansions of a search that are recorded: a tree of more is a blur, and slow to draw."""

LAST_EXPANSIONS = 100
"""Expansions recorded at the end of a longer search: enough to see how it comes to the goal, and
few enough to step through. Such a search runs twice, which takes about as long again."""

RANKED_EXPANSIONS, PATH_EXPANSIONS, BOOK_EXPANSIONS = 2_000_000, 20_000_000, 30_000
"""Expansions after which a search that is recorded ends: of one that holds its frontier, of one
that keeps one path, and of the plain loop. Each takes about a second. They are counted, not timed,
so that the same search has the same end however busy the machine is."""

EXPANSIONS_PER_PAGE = 100
"""Expansions in words on a page."""

_FOLDERS = [Path(__file__).parents[up] / "templates" for up in (1, 2)]
"""The templates: inside the package in a wheel, beside it in a checkout."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording as it is sent, compressed with gzip.

    `trace` is the JSON for the viewer, `pages` the HTML of each page of the recording in words, and
    `steps` the number of its expansions.
    """

    trace: bytes
    pages: tuple[bytes, ...]
    steps: int

    @property
    def size(self) -> int:
        """Return the bytes that it takes."""
        return len(self.trace) + sum(map(len, self.pages))


@dataclass(frozen=True, slots=True)
class SearchToRecord(SearchSpec):
    """A search whose events have a `Recorded` before the last, in place of its expansions.

    `query` is what names the search in the links between its pages.
    """

    query: str = ""

    @classmethod
    def of(cls, spec: SearchSpec, query: str) -> SearchToRecord:
        """Return a search as it is recorded: with a trace, and to an end that repeats."""
        limits = replace(spec.limits, seconds=None, expansions=_most_expansions(spec))
        return cls(
            *(spec.puzzle, spec.algorithm, spec.heuristic, limits, spec.weight),
            *(RECORDED_EXPANSIONS, spec.convention, LAST_EXPANSIONS, query),
        )

    def events(self, cancelled: Callable[[], bool] = never) -> Iterator[Event]:
        """Yield the events of the search, but for its expansions, and its recording."""
        found: list[Event] = []
        for event in SearchSpec.events(self, cancelled):
            found.append(event)
            if isinstance(event, Finished) and event.result.status is not Status.CANCELLED:
                yield self._recorded(found)  # type: ignore[misc]  # passed on as any other
            if not isinstance(event, Expanded):
                yield event

    def _recorded(self, events: list[Event]) -> Recorded:
        algorithm = find_algorithm(self.algorithm)
        recording = record(self.puzzle, algorithm, events, self.weight, self.convention)
        text = json.dumps(viewer_json(recording), separators=(",", ":"))
        pages = tuple(_compressed(page) for page in _pages(recording, self.query))
        return Recorded(_compressed(text), pages, len(recording.steps))


def _most_expansions(spec: SearchSpec) -> int:
    if not find_convention(spec.convention, spec.algorithm).is_own:
        return BOOK_EXPANSIONS
    frontier = find_algorithm(spec.algorithm).frontier
    keeps_path = frontier and frontier.kind in (FrontierKind.PATH, FrontierKind.RECURSION)
    return PATH_EXPANSIONS if keeps_path else RANKED_EXPANSIONS


def _compressed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


def viewer_json(recording: Recording) -> dict[str, Any]:
    """Return a recording and its result as the viewer takes them."""
    result = recording.result
    assert result is not None
    return {
        **recording.as_json(),
        "title": _title(recording, result),
        "status": result.status.value,
        "length": result.length,
        "expanded": result.expanded,
        "words": _outcome(result),
        "heuristic": result.heuristic,
        "algorithm": recording.algorithm.title,
        "code": pseudocode(recording.algorithm, recording.convention),
    }


def _title(recording: Recording, result: Result) -> str:
    """Return the titles of the algorithm and its heuristic, and the weight."""
    title = recording.algorithm.title
    if result.heuristic:
        title += f", {find_heuristic(result.heuristic).title}"
    if not recording.rules.is_own:
        title += f" ({recording.rules.title})"
    return f"{title}, w = {result.weight:g}" if result.weight else title


def _outcome(result: Result) -> str:
    """Return in a sentence what the search found."""
    reason = result.verdict.reason
    if result.status is Status.SOLVED:
        proof = f"{result.proof[:1].upper()}{result.proof[1:]}"
        return sentence(f"{plural(result.length or 0, 'move')}. {proof}: {reason}")
    if result.status is Status.UNSOLVABLE:
        return sentence(f"This goal cannot be reached: {reason}")
    if result.status is Status.INVALID:
        return sentence(reason)
    return sentence(f"No solution was found: {reason}")


# In words


class ListedExpansion(NamedTuple):
    """An expansion in the list in words: its place in the recording, the number that the search
    gave to it, the node taken with its f at that time, the place of the expansion that made it, and
    the iteration that begins with it."""

    at: int
    number: int
    step: Expansion
    node: Node
    f: int
    parent: int | None
    iteration: RecordedIteration | None


def _pages(recording: Recording, query: str) -> Iterator[str]:
    """Yield the pages of the recording in words; one that has no expansions has one page too."""
    listed = _listed(recording)
    for first in range(0, max(1, len(listed)), EXPANSIONS_PER_PAGE):
        yield _template().render(
            recording=recording,
            result=recording.result,
            states=listed[first : first + EXPANSIONS_PER_PAGE],
            first=first,
            per_page=EXPANSIONS_PER_PAGE,
            query=query,
        )


def _listed(recording: Recording) -> list[ListedExpansion]:
    numbers: dict[int, int] = {}
    iterations = {one.first: one for one in recording.iterations if one.first}
    if recording.gap:  # those begun there are under way, and do not begin with what comes next
        iterations.pop(recording.gap.after + 1, None)
    listed = []
    for at, step in enumerate(recording.steps, 1):
        node = recording.nodes[step.node]
        parent = None if node.parent is None else numbers.get(node.parent)
        f = recording.f_at(step.node, at)
        place = at, recording.number(at)
        listed.append(ListedExpansion(*place, step, node, f, parent, iterations.get(at)))
        numbers[step.node] = at
    return listed


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(_FOLDERS), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(plural=plural, sentence=sentence)
    return environment.get_template("lab/_watch_words.html")
