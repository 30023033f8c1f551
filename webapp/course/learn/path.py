"""The learning path: the steps from the puzzle to pattern databases, and their exercises."""

from dataclasses import dataclass

from ...http.language import noop


@dataclass(frozen=True)
class Step:
    """A step of the path: the lesson `/learn/<key>` and the exercises written there.

    The title, the name within a sentence and the idea are messages, shown with `translated`.
    """

    key: str
    title: str
    name: str
    idea: str
    exercises: tuple[str, ...]

    @property
    def number(self) -> int:
        """Number of the step on the path, from 1."""
        return STEPS.index(self) + 1


STEPS = (
    Step(
        *("puzzle", noop("The puzzle"), noop("the puzzle")),
        noop("States, moves, a hidden parity."),
        ("find_zero", "neighbors", "is_solvable", "path"),
    ),
    Step(
        *("bfs", noop("Breadth-first"), noop("breadth-first search")),
        noop("Look at everything, nearest first."),
        ("bfs",),
    ),
    Step(
        *("dfs", noop("Depth-first"), noop("depth-first search")),
        noop("Plunge in, and see the cost."),
        ("dfs",),
    ),
    Step(
        *("ucs", noop("Uniform cost"), noop("uniform cost")),
        noop("Tiles weigh: cheapest path first."),
        ("ucs",),
    ),
    Step(
        *("iddfs", noop("Iterative deepening"), noop("iterative deepening")),
        noop("Again and again, one move deeper."),
        ("iddfs",),
    ),
    Step(
        *("manhattan", noop("Heuristics"), noop("heuristics")),
        noop("A guess that is never too high."),
        ("misplaced", "manhattan", "linear_conflict"),
    ),
    Step(
        *("greedy", noop("Greedy"), noop("greedy search")),
        noop("Follow the guess alone."),
        ("greedy",),
    ),
    Step("astar", noop("A*"), noop("A*"), noop("Moves made plus moves guessed."), ("astar",)),
    Step(
        *("idastar", noop("IDA*"), noop("IDA*")),
        noop("A* in the memory of one path."),
        ("idastar",),
    ),
    Step(
        *("rbfs", noop("Recursive best-first"), noop("recursive best-first search")),
        noop("Leave a branch, keep its promise."),
        ("rbfs",),
    ),
    Step(
        *("pdb", noop("Pattern databases"), noop("pattern databases")),
        noop("Solve a part once, look it up."),
        ("pattern_table",),
    ),
)
"""The steps in order."""


def step_of(topic: str) -> Step | None:
    """Return the step whose lesson is the page of a topic, None off the path.

    >>> step_of("iddfs").number
    5
    """
    return next((step for step in STEPS if step.key == topic), None)


def next_step(step: Step) -> Step | None:
    """Return the step after one, None after the last.

    >>> next_step(step_of("astar")).title
    'IDA*'
    """
    return STEPS[step.number] if step.number < len(STEPS) else None
