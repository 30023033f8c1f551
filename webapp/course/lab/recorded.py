"""Recording of a search: its worker renders all pages and viewer data.

So the web process only sends bytes.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from slidewise import SearchSpec, Status
from slidewise.course.searching import Expansion, Node, Recording, max_expansions, record
from slidewise.course.searching.recording import RecordedIteration
from slidewise.solver.events import Event, Finished
from slidewise.solver.task import never
from slidewise.text import in_data

from ...http.language import SOURCE, add_to_environment, add_translations, in_language, translated

if TYPE_CHECKING:
    from jinja2 import Template

add_translations(Path(__file__).parents[1] / "translations")  # a worker loads no parts

EXPANSIONS_PER_PAGE = 100
"""Expansions in words on a page."""

_FOLDERS = [Path(__file__).parents[up] / "templates" for up in (2, 3)]
"""Template directories: inside the package in a wheel, next to it in a checkout."""


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
        return len(self.trace) + sum(map(len, self.pages))


@dataclass(frozen=True, slots=True)
class SearchToRecord(SearchSpec):
    """A search whose events end with a `Recorded`.

    `query` names the search in the links between its pages, whose `language` is a code.
    """

    query: str = ""
    language: str = SOURCE

    @classmethod
    def of(cls, spec: SearchSpec, query: str, language: str = SOURCE) -> SearchToRecord:
        """The search with limits that make it repeatable."""
        limits = replace(
            spec.limits, seconds=None, expansions=max_expansions(spec.algorithm, spec.convention)
        )
        return cls(
            *(spec.puzzle, spec.algorithm, spec.heuristic, limits, spec.weight),
            *(0, spec.convention),
            query=query,
            language=language,
        )

    def events(self, cancelled: Callable[[], bool] = never) -> Iterator[Event]:
        """Yield the events of the search, with its recording before the last event."""
        seen: list[Event] = []
        for event in SearchSpec.events(self, cancelled):
            seen.append(event)
            if isinstance(event, Finished) and event.result.status is not Status.CANCELLED:
                yield self._recorded(seen)  # type: ignore[misc]  # passed on like other events
            yield event

    def _recorded(self, events: list[Event]) -> Recorded:
        recording = record(self.task(), events)
        with in_language(self.language):
            data = in_data(recording.as_json(), translated)
            pages = tuple(_compressed(page) for page in _pages(recording, self.query))
        text = json.dumps(data, separators=(",", ":"))
        return Recorded(_compressed(text), pages, len(recording.steps))


def _compressed(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)  # equal recordings have equal bytes


# In words


class ListedExpansion(NamedTuple):
    """An expansion of the recording in words.

    It has its place in the recording, its number in the search, and the node with its f at that
    time. It also has the place of the parent's expansion, and the iteration that starts here.
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
    if recording.gap:  # the iteration running there began before the next step
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
        loader=FileSystemLoader(_FOLDERS),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    add_to_environment(environment)
    return environment.get_template("course/lab/watch/_words.html")
