"""Predict the next expansion: a search that stands still, and what waits on its frontier.

Question and answer come from the recording of a search that ran, drawn from a seed: the same seed
asks the same everywhere.
"""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import PuzzleError, scramble
from slidewise.puzzle.scramble import below, check_seed, numbers
from slidewise.solver.limits import Limits
from slidewise.solver.registry import find_algorithm, find_fitting_heuristic
from slidewise.solver.run import search
from slidewise.solver.weights import DEFAULT_WEIGHT
from slidewise.study.recording import State, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidewise.puzzle import Board, Puzzle
    from slidewise.solver.registry import Algorithm
    from slidewise.study.recording import Node, Recording

MOST_CELLS = 9
"""The cells of the largest boards that are asked about: more do not fit beside each other."""

MOST_EXPANSIONS = 40
"""So many expansions of a search are looked at for a question."""

FEWEST_CHOICES, MOST_CHOICES = 3, 8

MOST_DRAWN = 50
"""So many searches are drawn to find one that stands before such a choice."""

KERNELS = ("best_first", "deepening", "rbfs")
"""What the algorithms are compiled from that have one frontier to choose from."""


class Shown(NamedTuple):
    """A node as it is shown: `number` counts nodes in the order of their making; `made` is the
    expansion that made it, 0 for a start."""

    number: int
    board: Board
    g: int
    h: int
    f: int
    made: int


class Prediction(NamedTuple):
    """A search after `done` of its expansions, and the nodes that wait.

    `taken` are those expanded, in the tree that is searched now. `choices` stand in an order that
    tells nothing; the one at `answer` comes next, and `why` says for what reason. `order` is the
    rule in words, `limit` the depth limit or f-limit that holds, where there is one.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    order: str
    formula: str
    limit: str | None
    done: int
    taken: tuple[Shown, ...]
    choices: tuple[Shown, ...]
    answer: int
    why: str


def can_be_predicted(algorithm: Algorithm) -> bool:
    """Return whether the algorithm takes its nodes from one frontier.

    >>> can_be_predicted(find_algorithm("astar")), can_be_predicted(find_algorithm("bidirectional"))
    (True, False)
    """
    return algorithm.kernel in KERNELS


def predict(
    rows: int, cols: int, algorithm: str, heuristic: str | None, seed: str, number: int
) -> Prediction:
    """Return question `number` of a seed: a search of a board of rows x cols that stands still.

    Raises `PuzzleError` for boards of more than 9 cells, for an algorithm without one frontier,
    a heuristic that does not fit, and a seed of more than 64 characters.
    """
    check_seed(seed)
    entry = find_algorithm(algorithm)
    if not can_be_predicted(entry):
        raise PuzzleError(f"{entry.title} has no one frontier to choose from; try A*")
    if rows * cols > MOST_CELLS:
        raise PuzzleError(
            f"a {rows}x{cols} board has {rows * cols} cells: questions have up to {MOST_CELLS}, "
            "such as 2x3 and 3x3"
        )
    key = find_fitting_heuristic(heuristic or "manhattan", rows, cols).key
    used = key if entry.uses_heuristic else None
    text = f"slidewise predict 1|{rows}x{cols}|{algorithm}|{used}|{number}|{seed}"
    draws = numbers(text)
    for puzzle in islice(_puzzles(rows, cols, text), MOST_DRAWN):
        events = search(puzzle, algorithm, used, Limits(expansions=MOST_EXPANSIONS), trace=1_000)
        recording = record(puzzle, entry, events, DEFAULT_WEIGHT)
        stops = [at for at in range(3, len(recording.steps) + 1) if _is_a_choice(recording, at)]
        if stops:
            return _ask(recording, stops[below(len(stops), draws)], used, draws)
    raise PuzzleError(f"no search of {rows}x{cols} boards stands before a choice; try 3x3")


def _puzzles(rows: int, cols: int, text: str) -> Iterator[Puzzle]:
    for number in count():
        seed = "".join(f"{part:08x}" for part in islice(numbers(f"{text}|{number}"), 8))
        yield scramble(rows, cols, seed)


def _is_a_choice(recording: Recording, at: int) -> bool:
    """Return whether expansion `at` takes one of a handful of nodes that wait."""
    waiting = _waiting(recording, at - 1)
    return (
        FEWEST_CHOICES <= len(waiting) <= MOST_CHOICES and recording.steps[at - 1].node in waiting
    )


def _waiting(recording: Recording, at: int) -> list[int]:
    """Return the places of the nodes that wait after expansion `at`, in the tree searched then."""
    root = _root(recording, at)
    return [
        place
        for place, node in enumerate(recording.nodes)
        if place >= root and _state(node, at) is State.WAITING
    ]


def _root(recording: Recording, at: int) -> int:
    """Return the place of the root of the tree that is searched at expansion `at`."""
    roots = [one.root for one in recording.iterations if one.first <= at and one.root is not None]
    return roots[-1] if roots else 0


def _state(node: Node, at: int) -> State:
    return next((state for since, state in reversed(node.changes) if since <= at), State.UNMADE)


def _ask(recording: Recording, at: int, heuristic: str | None, draws: Iterator[int]) -> Prediction:
    step = recording.steps[at - 1]
    waiting, root = _waiting(recording, at - 1), _root(recording, at - 1)
    for last in range(len(waiting) - 1, 0, -1):  # shuffled, as their order would tell
        place = below(last + 1, draws)
        waiting[last], waiting[place] = waiting[place], waiting[last]
    limits = [one for one in recording.iterations if one.first < at]
    deepening = recording.algorithm.kernel == "deepening"
    return Prediction(
        puzzle=recording.puzzle,
        algorithm=recording.algorithm.key,
        heuristic=heuristic,
        order=recording.order,
        formula=recording.formula,
        limit=f"{limits[-1].kind} {limits[-1].limit}" if limits and deepening else None,
        done=at - 1,
        taken=tuple(
            _shown(recording, one.node, at - 1)
            for one in recording.steps[: at - 1]
            if one.node >= root
        ),
        choices=tuple(_shown(recording, place, at - 1) for place in waiting),
        answer=waiting.index(step.node),
        why=step.why,
    )


def _shown(recording: Recording, place: int, at: int) -> Shown:
    node = recording.nodes[place]
    f = next(f for since, f in reversed(node.ranks) if since <= at)
    return Shown(place, node.board, node.g, node.h, f, node.changes[0][0])
