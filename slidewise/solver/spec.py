"""One search to run, as a value: what forms, the API and the command make of what they read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.solver.events import Finished
from slidewise.solver.known import joined
from slidewise.solver.run import DEFAULT_LIMITS, search
from slidewise.solver.task import never
from slidewise.solver.weights import DEFAULT_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from slidewise.puzzle import Puzzle
    from slidewise.solver.events import Event
    from slidewise.solver.limits import Limits
    from slidewise.solver.result import Result


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """The arguments of one `search`, which can be compared, hashed and sent to another process.

    `algorithm` and `heuristic` are keys of the registry. Nothing is checked before `events`.
    """

    puzzle: Puzzle
    algorithm: str = "best"
    heuristic: str | None = "manhattan"
    limits: Limits = DEFAULT_LIMITS
    weight: float = DEFAULT_WEIGHT
    trace: int = 0
    convention: str = "slidewise"
    trace_last: int = 0

    def events(self, cancelled: Callable[[], bool] = never) -> Iterator[Event]:
        """Return the events of the search, as `search` does, and raise what it raises.

        But they say, beside what the search proves, what is known of the puzzle.

        >>> from slidewise import parse_puzzle
        >>> *_, last = SearchSpec(parse_puzzle("1.0.3-4.2.5"), "bfs").events()
        >>> last.result.length
        2
        """
        events = search(
            self.puzzle,
            self.algorithm,
            self.heuristic,
            self.limits,
            weight=self.weight,
            trace=self.trace,
            trace_last=self.trace_last,
            convention=self.convention,
            cancelled=cancelled,
        )
        return joined(events, self.puzzle)

    def result(self, cancelled: Callable[[], bool] = never) -> Result:
        """Return the result that the events end with."""
        events = self.events(cancelled)
        return next(event.result for event in events if isinstance(event, Finished))
