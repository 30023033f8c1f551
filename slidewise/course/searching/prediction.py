"""Quiz on the next expansion: a paused search and its frontier nodes.

Question and answer come from the recording of a search of a puzzle drawn from a seed. The same seed
gives the same questions everywhere.
"""

from collections.abc import Iterator
from itertools import count, islice
from typing import NamedTuple

from slidewise.course.searching import Recording, record_search
from slidewise.course.searching.recording import limit_words
from slidewise.puzzle import Board, Puzzle, PuzzleError, scramble
from slidewise.puzzle.scramble import below, check_seed, numbers
from slidewise.solver.run import find_algorithm, find_fitting_heuristic
from slidewise.solver.task import Algorithm, Limits
from slidewise.text import message

QUESTION_CELLS = 9
"""Maximum cells in questions; larger boards do not fit side by side."""

QUESTION_EXPANSIONS = 40
"""Maximum number of the expansion in a question."""

FEWEST_CHOICES, MAX_CHOICES = 3, 8

SEARCHES_DRAWN = 50
"""Maximum searches drawn to find a search with a suitable choice."""


class ShownNode(NamedTuple):
    """A displayed node: `number` is its position in the order of generation.

    `made` is the expansion that generated it, 0 for a start.
    """

    number: int
    board: Board
    g: int
    h: int
    f: int
    made: int


class Prediction(NamedTuple):
    """A search after `done` expansions, and its frontier nodes.

    `taken` are the expanded nodes of the current tree. `choices` are shuffled; the node with the
    index `answer` comes next, for the reason `why`. `order` is the rule in words, and `limit` the
    current depth limit or f-limit, if any.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    order: str
    formula: str
    limit: str | None
    done: int
    taken: tuple[ShownNode, ...]
    choices: tuple[ShownNode, ...]
    answer: int
    why: str


def can_be_predicted(algorithm: Algorithm) -> bool:
    """Return whether the algorithm has a single frontier, as questions require.

    >>> can_be_predicted(find_algorithm("astar")), can_be_predicted(find_algorithm("bidirectional"))
    (True, False)
    """
    return algorithm.frontier is not None and algorithm.frontier.is_single


def predict(
    rows: int, cols: int, algorithm: str, heuristic: str | None, seed: str, number: int
) -> Prediction:
    """Return question `number` of a seed: a paused search of a board of rows x cols.

    Raises `PuzzleError` for boards of more than 9 cells, for an algorithm without a single
    frontier, a heuristic that does not fit, and a seed of more than 64 characters.
    """
    check_seed(seed)
    entry = find_algorithm(algorithm)
    if not can_be_predicted(entry):
        raise PuzzleError(
            message(
                "%(algorithm)s has no single frontier to choose from; try A*", algorithm=entry.title
            )
        )
    if rows * cols > QUESTION_CELLS:
        raise PuzzleError(
            message(
                "a %(size)s board has %(cells)s cells: questions have up to %(most)s, such as 2x3 "
                "and 3x3",
                size=f"{rows}x{cols}",
                cells=rows * cols,
                most=QUESTION_CELLS,
            )
        )
    key = find_fitting_heuristic(heuristic or "manhattan", rows, cols).key
    used = key if entry.uses_heuristic else None
    text = f"slidewise predict 1|{rows}x{cols}|{algorithm}|{used}|{number}|{seed}"
    draws = numbers(text)
    for puzzle in islice(_puzzles(rows, cols, text), SEARCHES_DRAWN):
        recording = _recording(puzzle, entry, used)
        # The first two expansions are the start and its successor: too little to reason from.
        stops = [at for at in range(3, len(recording.steps) + 1) if _is_a_choice(recording, at)]
        if stops:
            return _ask(recording, stops[below(len(stops), draws)], used, draws)
    raise PuzzleError(
        message("no search of %(size)s boards has a choice to make; try 3x3", size=f"{rows}x{cols}")
    )


def _puzzles(rows: int, cols: int, text: str) -> Iterator[Puzzle]:
    for number in count():
        seed = "".join(f"{part:08x}" for part in islice(numbers(f"{text}|{number}"), 8))
        yield scramble(rows, cols, seed)


def _recording(puzzle: Puzzle, entry: Algorithm, heuristic: str | None) -> Recording:
    limits = Limits(expansions=QUESTION_EXPANSIONS)
    return record_search(puzzle, entry.key, heuristic, limits)


def _is_a_choice(recording: Recording, at: int) -> bool:
    """Return whether expansion `at` takes its node from a suitable number of frontier nodes."""
    waiting = recording.waiting_at(at - 1)
    return FEWEST_CHOICES <= len(waiting) <= MAX_CHOICES and recording.steps[at - 1].node in waiting


def _ask(recording: Recording, at: int, heuristic: str | None, draws: Iterator[int]) -> Prediction:
    """Return the question about expansion `at`."""
    done, step = at - 1, recording.steps[at - 1]
    choices = _shuffled(recording.waiting_at(done), draws)
    iteration, root = recording.iteration_at(done), recording.root_at(done)
    # Nodes before the root belong to earlier iterations.
    taken = [one.node for one in recording.steps[:done] if one.node >= root]
    return Prediction(
        puzzle=recording.puzzle,
        algorithm=recording.algorithm.key,
        heuristic=heuristic,
        order=recording.order,
        formula=recording.formula,
        limit=limit_words(iteration.kind, iteration.limit) if iteration else None,
        done=done,
        taken=tuple(_shown(recording, node, done) for node in taken),
        choices=tuple(_shown(recording, node, done) for node in choices),
        answer=choices.index(step.node),
        why=step.why,
    )


def _shuffled(nodes: list[int], draws: Iterator[int]) -> list[int]:
    """Shuffle the nodes in place and return them, so that their order does not hint at the answer.

    Fisher and Yates (1938), with repeatable draws.
    """
    for last in range(len(nodes) - 1, 0, -1):
        other = below(last + 1, draws)
        nodes[last], nodes[other] = nodes[other], nodes[last]
    return nodes


def _shown(recording: Recording, index: int, at: int) -> ShownNode:
    node = recording.nodes[index]
    f = recording.f_at(index, at)
    return ShownNode(index, node.board, node.g, node.h, f, node.changes[0][0])
