"""The learning path: the steps from the puzzle to pattern databases, and their exercises."""

from dataclasses import dataclass

from slidewise.text import message


@dataclass(frozen=True)
class PathStep:
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
    PathStep(
        *("puzzle", message("The puzzle"), message("the puzzle")),
        message("States, moves, a hidden parity."),
        ("find_zero", "neighbors", "is_solvable", "path"),
    ),
    PathStep(
        *("bfs", message("Breadth-first"), message("breadth-first search")),
        message("Look at everything, nearest first."),
        ("bfs",),
    ),
    PathStep(
        *("dfs", message("Depth-first"), message("depth-first search")),
        message("Plunge in, and see the cost."),
        ("dfs",),
    ),
    PathStep(
        *("ucs", message("Uniform cost"), message("uniform cost")),
        message("Tiles weigh: cheapest path first."),
        ("ucs",),
    ),
    PathStep(
        *("iddfs", message("Iterative deepening"), message("iterative deepening")),
        message("Again and again, one move deeper."),
        ("iddfs",),
    ),
    PathStep(
        *("manhattan", message("Heuristics"), message("heuristics")),
        message("A guess that is never too high."),
        ("misplaced", "manhattan", "linear_conflict"),
    ),
    PathStep(
        *("greedy", message("Greedy"), message("greedy search")),
        message("Follow the guess alone."),
        ("greedy",),
    ),
    PathStep(
        "astar", message("A*"), message("A*"), message("Moves made plus moves guessed."), ("astar",)
    ),
    PathStep(
        *("idastar", message("IDA*"), message("IDA*")),
        message("A* in the memory of one path."),
        ("idastar",),
    ),
    PathStep(
        *("rbfs", message("Recursive best-first"), message("recursive best-first search")),
        message("Leave a branch, keep its promise."),
        ("rbfs",),
    ),
    PathStep(
        *("pdb", message("Pattern databases"), message("pattern databases")),
        message("Solve a part once, look it up."),
        ("pattern_table",),
    ),
)
"""The steps in order."""


def step_of(topic: str) -> PathStep | None:
    """Return the step whose lesson is the page of a topic, None off the path.

    >>> step_of("iddfs").number
    5
    """
    return next((step for step in STEPS if step.key == topic), None)


def step_with(exercise: str) -> PathStep | None:
    """Return the step on which an exercise is written, None off the path.

    >>> step_with("linear_conflict").title
    'Heuristics'
    """
    return next((step for step in STEPS if exercise in step.exercises), None)


def next_step(step: PathStep) -> PathStep | None:
    """Return the step after one, None after the last.

    >>> next_step(step_of("astar")).title
    'IDA*'
    """
    return STEPS[step.number] if step.number < len(STEPS) else None
