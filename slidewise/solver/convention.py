"""Conventions by name: what textbooks and assignments differ in, read from text.

Slidewise's own is the default, and the compiled searches follow it; under any other a plain loop
runs (`engines/by_the_book.py`).
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slidewise.puzzle.board import quoted
from slidewise.solver.rules import (
    ORDERS,
    SLIDEWISE,
    Against,
    Convention,
    Counted,
    Duplicates,
    GoalTest,
    InvalidConventionError,
    Queue,
    Ties,
)
from slidewise.solver.textbooks import NAMED, NamedConvention

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ALGORITHMS",
    "ORDERS",
    "SLIDEWISE",
    "Against",
    "Convention",
    "Counted",
    "Duplicates",
    "GoalTest",
    "InvalidConventionError",
    "NamedConvention",
    "Queue",
    "Ties",
    "convention_for",
    "conventions",
    "find_convention",
]

ALGORITHMS = ("bfs", "dfs", "ucs", "greedy", "astar")
"""The algorithms that run under any convention."""


def conventions() -> Mapping[str, NamedConvention]:
    """Return the conventions that have a name, by their keys.

    >>> "columbia" in conventions()
    True
    """
    return NAMED


@functools.lru_cache(maxsize=64)
def find_convention(text: str, algorithm: str = "astar") -> Convention:
    """Return the convention that `text` names for the algorithm of that key.

    After the name, rules that differ from it can follow: `order`, `ties`, `siblings`, `goal`,
    `duplicates`, `queue`, `counts` and `deepest`. Of a rule that is given twice the last one holds.

    >>> find_convention("columbia").order, find_convention("slidewise").ties.value
    ('udlr', 'first-in')
    >>> str(find_convention("columbia, goal=made, order=rlud"))
    'columbia,order=rlud,goal=made'

    Raises `InvalidConventionError`.
    """
    name, *rules = str(text).replace(" ", "").split(",")
    if algorithm not in ALGORITHMS and (name, rules) != (SLIDEWISE.key, []):
        raise InvalidConventionError(
            f"{algorithm} runs only under Slidewise's convention; those that take another are "
            f"{', '.join(ALGORITHMS)}"
        )
    if name not in NAMED:
        raise InvalidConventionError(
            f"there is no convention {quoted(name)}; the conventions are {', '.join(NAMED)}"
        )
    found = NAMED[name].of(algorithm)
    changed = replace(found, **_fitting(found, dict(_read_rule(rule) for rule in rules)))
    if changed == found:
        return found
    differing = _rules_of(changed, found)
    title = f"{found.title} with {', '.join(differing)}"
    return replace(changed, key=",".join([name, *differing]), title=title)


def convention_for(algorithm: str, text: str) -> str:
    """Return the convention that `text` names where the algorithm has one, else Slidewise's.

    >>> convention_for("bfs", "columbia"), convention_for("idastar", "columbia")
    ('columbia', 'slidewise')

    Raises `InvalidConventionError`.
    """
    if algorithm in ALGORITHMS:
        return str(find_convention(text, algorithm))
    find_convention(text)  # a wrong name is told all the same
    return SLIDEWISE.key


def _fitting(found: Convention, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the changes, with the ties that a queue brings along or a queue that keeps ties."""
    if "queue" in changes and "ties" not in changes:
        if found.ties in (Ties.FIRST_IN, Ties.LAST_IN, Ties.AS_QUEUED):
            changes["ties"] = _ties_of(changes["queue"], found.ties)
    elif changes.get("ties") in (Ties.FIRST_IN, Ties.LAST_IN) and found.queue.decides_ties:
        changes.setdefault("queue", Queue.COUNTER)
    return changes


def _ties_of(queue: Queue, before: Ties) -> Ties:
    """Return how a queue breaks ties where no rule does."""
    if queue.decides_ties:
        return Ties.AS_QUEUED
    return Ties.FIRST_IN if before is Ties.AS_QUEUED else before


_RULES: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "order": ("order", {order: order for order in ORDERS}),
    "ties": ("ties", {rule.value: rule for rule in Ties}),
    "siblings": ("siblings", {rule.value: rule for rule in (Ties.FIRST_IN, Ties.LAST_IN)}),
    "goal": ("goal_test", {rule.value: rule for rule in GoalTest}),
    "duplicates": ("duplicates", {rule.key: rule for rule in Duplicates}),
    "queue": ("queue", {rule.value: rule for rule in Queue}),
    "counts": ("counts", {rule.value: rule for rule in (Counted.EXPANDED, Counted.TAKEN)}),
    "deepest": ("deepest", {rule.value: rule for rule in (Counted.EXPANDED, Counted.MADE)}),
}
"""The rules that text can change: the field of `Convention`, and its values by their names."""


def _read_rule(rule: str) -> tuple[str, object]:
    """Return the field of `Convention` that `rule` sets, and its value."""
    name, _, value = rule.partition("=")
    if name not in _RULES:
        raise InvalidConventionError(
            f"expected a rule such as order=rlud, found {quoted(rule)}; "
            f"the rules are {', '.join(_RULES)}"
        )
    field_name, values = _RULES[name]
    if value not in values:
        some = "u, d, l, r in any order, each once" if name == "order" else ", ".join(values)
        raise InvalidConventionError(f"{name} can be {some}; found {quoted(value)}")
    return field_name, values[value]


def _rules_of(changed: Convention, found: Convention) -> list[str]:
    """Return the rules by which a convention differs from another, in one order."""
    written = []
    for name, (field_name, values) in _RULES.items():
        value = getattr(changed, field_name)
        if value != getattr(found, field_name):
            written.append(f"{name}={next(text for text, one in values.items() if one == value)}")
    return written
