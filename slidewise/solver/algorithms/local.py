"""Hill climbing and simulated annealing: local search, which stores a board and its path.

- Of equal h, steepest ascent takes the neighbour generated first: blank up, down, left, right.
- First choice tries the neighbours in random order.
- A restart goes back to the start and makes a random walk, of ten moves for each cell of the board.
- Annealing begins at temperature 2 and is stuck when it has fallen to 0.01.
- `expanded` counts the boards left, `generated` the neighbours looked at and the start.
- Random numbers come from the seed alone, so a run repeats on every machine.
"""

from collections.abc import Iterator
from functools import partial

from slidewise.solver import loop
from slidewise.solver.events import Event
from slidewise.solver.loop import End, Outcome, PathClaim, PathSearch
from slidewise.solver.plain.local import (
    Annealing,
    FirstChoice,
    LocalSearch,
    RandomRestart,
    SteepestAscent,
)
from slidewise.solver.registry import algorithm
from slidewise.solver.result import Status
from slidewise.solver.task import Task
from slidewise.text import message

local_search = partial(
    algorithm,
    complete=False,
    optimal=False,
    uses_heuristic=True,
    kernel=None,
    suits=9,
    local=True,
)
"""Decorator with the common facts. On 3x3, restarts and annealing usually reach the goal."""


class LocalPathSearch(PathSearch):
    """A local search for the loop, which may be stuck before the goal."""

    work: LocalSearch

    def end(self, outcome: Outcome) -> End | None:
        if outcome is Outcome.EMPTY:
            return End(Status.STUCK, self.work.reason)
        return super().end(outcome)


def _run(work: LocalSearch, task: Task) -> Iterator[Event]:
    claim = PathClaim(message("a local search takes the first path that it finds"))
    return loop.run(LocalPathSearch(task, work, claim), task)


@local_search(
    key="hill-climbing",
    title=message("Hill climbing"),
    idea=message(
        "Goes to the neighbour that looks nearest to the goal, and is stuck if no neighbour looks "
        "nearer than the board itself."
    ),
    time=message("O(b h), with h at the start"),
    space=message("O(h)"),
    source=message("S. Russell and P. Norvig, 2020, section 4.1"),
)
def hill_climbing(task: Task) -> Iterator[Event]:
    """Take the neighbour with the lowest h while it is lower: steepest ascent."""
    return _run(SteepestAscent(task), task)


@local_search(
    key="first-choice",
    title=message("First-choice hill climbing"),
    idea=message(
        "Tries the neighbours in random order and goes to the first that looks nearer to the goal."
    ),
    time=message("O(b h), with h at the start"),
    space=message("O(h)"),
    source=message("S. Russell and P. Norvig, 2020, section 4.1"),
    options={"seed"},
)
def first_choice(task: Task) -> Iterator[Event]:
    """Take the first neighbour with a lower h, in random order."""
    return _run(FirstChoice(task), task)


@local_search(
    key="random-restart",
    title=message("Random-restart hill climbing"),
    idea=message(
        "Climbs until it is stuck, then climbs again from the end of a random walk, until it "
        "reaches the goal."
    ),
    proviso=message("but almost surely, with enough time"),
    time=message("no bound"),
    space=message("O(d)"),
    source=message("S. Russell and P. Norvig, 2020, section 4.1"),
    options={"seed"},
)
def random_restart(task: Task) -> Iterator[Event]:
    """Climb; when stuck, go back to the start, walk at random and climb again."""
    return _run(RandomRestart(task), task)


@local_search(
    key="annealing",
    title=message("Simulated annealing"),
    idea=message(
        "Goes to a random neighbour, at first often even if it is worse: the chance of that falls "
        "with the temperature, which drops in every step."
    ),
    time=message("set by the cooling: 53,000 steps at 0.9999"),
    space=message("as long as its path"),
    source=message("S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, 1983"),
    options={"seed", "cooling"},
)
def annealing(task: Task) -> Iterator[Event]:
    """Take a random neighbour, if it is worse with probability exp(-rise / temperature)."""
    return _run(Annealing(task), task)
