"""Recording of a search: its worker renders all pages and viewer data.

So the web process only sends bytes. This module does not import Flask.
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
"""Maximum recorded expansions: a larger tree is unreadable and slow to draw."""

LAST_EXPANSIONS = 100
"""Expansions recorded at the end of a longer search: enough to see its last phase, and few enough
to step through. The search then runs twice, which doubles its time.
"""

RANKED_EXPANSIONS, PATH_EXPANSIONS, BOOK_EXPANSIONS = 2_000_000, 20_000_000, 30_000
"""Expansion limits of recorded searches: with a frontier, with a single path, and of the plain
loop. Each takes about a second. Counting instead of timing makes the end independent of the
machine's load.
"""

EXPANSIONS_PER_PAGE = 100
"""Expansions in words on a page."""

_FOLDERS = [Path(__file__).parents[up] / "templates" for up in (1, 2)]
"""Template directories: inside the package in a wheel, beside it in a checkout."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording, compressed with gzip for sending.

    `trace` is the JSON for the viewer. `pages` is the HTML of each page of the recording in words.
    `steps` is the number of expansions.
    """

    trace: bytes
    pages: tuple[bytes, ...]
    steps: int

    @property
    def size(self) -> int:
        """Size in bytes."""
        return len(self.trace) + sum(map(len, self.pages))


@dataclass(frozen=True, slots=True)
class SearchToRecord(SearchSpec):
    """A search whose expansion events are replaced by a final `Recorded`.

    `query` names the search in the links between its pages.
    """

    query: str = ""

    @classmethod
    def of(cls, spec: SearchSpec, query: str) -> SearchToRecord:
        """The search with tracing, and with limits that make it repeatable."""
        limits = replace(spec.limits, seconds=None, expansions=_most_expansions(spec))
        return cls(
            *(spec.puzzle, spec.algorithm, spec.heuristic, limits, spec.weight),
            *(RECORDED_EXPANSIONS, spec.convention, LAST_EXPANSIONS, query),
        )

    def events(self, cancelled: Callable[[], bool] = never) -> Iterator[Event]:
        """Yield the events of the search without expansions, and its recording."""
        seen: list[Event] = []
        for event in SearchSpec.events(self, cancelled):
            seen.append(event)
            if isinstance(event, Finished) and event.result.status is not Status.CANCELLED:
                yield self._recorded(seen)  # type: ignore[misc]  # passed on as any other
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
    """A recording and its result in the viewer's JSON."""
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
    """Titles of the algorithm and its heuristic, and the weight."""
    title = recording.algorithm.title
    if result.heuristic:
        title += f", {find_heuristic(result.heuristic).title}"
    if not recording.rules.is_own:
        title += f" ({recording.rules.title})"
    return f"{title}, w = {result.weight:g}" if result.weight else title


def _outcome(result: Result) -> str:
    """Outcome of the search in a sentence."""
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
    """An expansion of the recording in words.

    It has its place in the recording, the node's number in the search, and the node with its f at
    that time. It also has the place of the parent's expansion and the iteration that starts with
    it.
    """

    at: int
    number: int
    step: Expansion
    node: Node
    f: int
    parent: int | None
    iteration: RecordedIteration | None


def _pages(recording: Recording, query: str) -> Iterator[str]:
    """Yield the pages of the recording in words, at least one."""
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
    if recording.gap:  # an iteration running there did not begin with the next step
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
