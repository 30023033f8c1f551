"""Searches as pseudocode, each line with its phase of an expansion for a viewer to highlight."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slidewise.solver.convention import SLIDEWISE, Against, Duplicates, GoalTest, find_convention
from slidewise.solver.task import FrontierKind

if TYPE_CHECKING:
    from slidewise.solver.convention import Convention
    from slidewise.solver.task import Algorithm, Frontier


class CodeLine(NamedTuple):
    """A line: its indentation, its words with `**` around keywords, and its phase.

    Phases: `start`, `limit` (a new one), `back` (up the path), `take`, `goal` (the test), `each`
    (successor), `meet` (the other end), `keep` (the test), `rank` (f) and `put`. It is empty for a
    line without a phase of its own.
    """

    indent: int
    words: str
    part: str = ""


def pseudocode(algorithm: Algorithm, convention: str = SLIDEWISE.key) -> list[CodeLine]:
    """Return the pseudocode of a recordable search under a convention.

    >>> from slidewise import find_algorithm
    >>> for line in pseudocode(find_algorithm("bfs")):
    ...     print("  " * line.indent + line.words)
    put the start in the queue
    **while** the queue is not empty
      n ← **take** the oldest
      **if** n is the goal, **return** its path
      **for each** successor s of n
        **if** s was not reached before
          put s in the queue
    """
    assert algorithm.frontier is not None
    rules = find_convention(convention, algorithm.key)
    if not rules.is_own:
        return _under(rules, _ranked(algorithm, algorithm.frontier))
    return _LINES[algorithm.frontier.kind](algorithm, algorithm.frontier)


def _ranked(algorithm: Algorithm, frontier: Frontier) -> list[CodeLine]:
    value = "g(s) + w · h(s)" if "weight" in algorithm.options else "g(s) + h(s)"
    if frontier.rank and not frontier.rank.g_weight:
        value = "h(s)"
    rank = [CodeLine(3, f"f(s) ← {value}", "rank")] if algorithm.uses_heuristic else []
    return [
        CodeLine(0, f"put the start in the {frontier.name}", "start"),
        CodeLine(0, f"**while** the {frontier.name} is not empty"),
        CodeLine(1, f"n ← **take** {frontier.takes}", "take"),
        *_tests(1),
        CodeLine(2, f"**if** s {frontier.keeps}", "keep"),
        *rank,
        CodeLine(3, f"put s in the {frontier.name}", "put"),
    ]


def _under(rules: Convention, lines: list[CodeLine]) -> list[CodeLine]:
    """Return the lines with the tests of another convention."""
    keep = CodeLine(2, f"**if** s {_KEEPS[rules.duplicates.against]}", "keep")
    if rules.duplicates in _LOWER:
        keep = keep._replace(words=f"{keep.words}{_LOWER[rules.duplicates]}")
    lines = [keep if line.part == "keep" else line for line in lines]
    if rules.goal_test is GoalTest.MADE:
        lines = [line for line in lines if line.part != "goal"]
        at = lines.index(keep) + 1
        lines.insert(at, CodeLine(3, "**if** s is the goal, **return** its path"))
    return lines


_KEEPS = {
    Against.MADE: "was not made before",
    Against.EXPANDED: "was not expanded before",
    Against.PATH: "is not on the path to n",
    Against.PARENT: "is not straight back",
    Against.NOTHING: "was made, whatever came before",
}

_LOWER = {
    Duplicates.SHORTER: ", or its g is lower",
    Duplicates.SHORTER_STALE: ", or its g is lower",
    Duplicates.DECREASE_KEY: ", or waits with more g",
    Duplicates.EXPANDED_REOPENED: ", or its g is lower",
}


def _tests(indent: int) -> list[CodeLine]:
    return [
        CodeLine(indent, "**if** n is the goal, **return** its path", "goal"),
        CodeLine(indent, "**for each** successor s of n", "each"),
    ]


def _two_ends(_algorithm: Algorithm, _frontier: Frontier) -> list[CodeLine]:
    return [
        CodeLine(0, "put the start in queue 1, the goal in queue 2", "start"),
        CodeLine(0, "**while** neither queue is empty"),
        CodeLine(1, "**for each** n of the smaller outermost layer", "take"),
        CodeLine(2, "**for each** successor s of n", "each"),
        CodeLine(3, "**if** the other end reached s", "meet"),
        CodeLine(4, "**return** the two halves as a path"),
        CodeLine(3, "**if** this end did not reach s before", "keep"),
        CodeLine(4, "put s in the queue of n", "put"),
    ]


def _path(algorithm: Algorithm, _frontier: Frontier) -> list[CodeLine]:
    limits = "h(start), then the lowest f above" if algorithm.uses_heuristic else "0, 1, 2, …"
    value = "f(s)" if algorithm.uses_heuristic else "g(s)"
    return [
        CodeLine(0, f"**for** limit = {limits}", "limit"),
        CodeLine(1, "put the start on the stack", "start"),
        CodeLine(1, "**while** the stack is not empty"),
        CodeLine(2, "n ← **take** the deepest", "take"),
        *_tests(2),
        CodeLine(3, f"**if** {value} ≤ limit and not back", "keep"),
        CodeLine(4, "put s on the stack", "put"),
    ]


def _recursion(_algorithm: Algorithm, _frontier: Frontier) -> list[CodeLine]:
    return [
        CodeLine(0, "let the start wait", "start"),
        CodeLine(0, "**repeat**"),
        CodeLine(1, "n ← the lowest stored f that waits", "take"),
        CodeLine(1, "**go back** to where n waits, storing each lowest f", "back"),
        *_tests(1),
        CodeLine(2, "**if** s is not straight back", "keep"),
        CodeLine(3, "f(s) ← g(s) + h(s), or more if stored", "rank"),
        CodeLine(3, "let s wait along the path", "put"),
    ]


_LINES = {
    FrontierKind.RANKED: _ranked,
    FrontierKind.TWO_ENDS: _two_ends,
    FrontierKind.PATH: _path,
    FrontierKind.RECURSION: _recursion,
}
