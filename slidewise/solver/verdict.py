"""What is known about a solution's length, and why: it is never claimed shortest unproved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from slidewise.text import plural


class Proof(StrEnum):
    """How much is proved of a path: the kind of a verdict."""

    OPTIMAL = "optimal"
    BOUNDED = "bounded"
    UNPROVED = "unproved"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is proved about the length of a path, and the reason in words.

    `optimal`: no path is shorter. `bounded`: it is within a bound that is stated.
    `unproved`: neither; so also without a path, where the reason tells what is known.

    `because` is the part of the reason that tells of the search alone: what it does, or why it was
    stopped. `source` says who else has proved what the search by itself has not, "" where nobody
    had to; `exact`, that it knows the length of a shortest path.
    """

    kind: Proof
    reason: str
    because: str = ""
    source: str = ""
    exact: bool = False


def of_path(
    length: int, lower_bound: int, because: str, *, shortest: bool = False, bounded: bool = False
) -> Verdict:
    """Return the verdict on a path of `length` moves.

    `because` says what the algorithm does: whether that alone proves the path shortest, or puts
    a bound on how long it can be. Otherwise the path is still shortest where its length equals
    the lower bound.

    >>> of_path(12, 12, "").reason
    'no solution can be shorter: each has at least 12 moves'
    >>> of_path(34, 28, "weighted A* with w = 1.5 ...", bounded=True).reason
    'weighted A* with w = 1.5 ...: at most 6 moves above the shortest, which has at least 28 moves'
    """
    if shortest:
        return Verdict(Proof.OPTIMAL, because, because)
    if length == lower_bound:
        reason = f"no solution can be shorter: each has at least {plural(length, 'move')}"
        return Verdict(Proof.OPTIMAL, reason, because)
    if bounded:
        above = f"at most {plural(length - lower_bound, 'move')} above the shortest"
        reason = f"{because}: {above}, which has at least {plural(lower_bound, 'move')}"
        return Verdict(Proof.BOUNDED, reason, because)
    between = f"the shortest has between {lower_bound:,} and {plural(length, 'move')}"
    return Verdict(Proof.UNPROVED, f"{because}: {between}", because)


def beside_shortest(length: int, shortest: int, because: str, source: str) -> Verdict:
    """Return the verdict on a path of `length` moves where `source` says what a shortest has.

    >>> beside_shortest(30, 24, "greedy search", "the exact distance table says 24").reason
    'greedy search; the exact distance table says 24, so this is 6 moves above the shortest'
    """
    if length == shortest:
        reason = f"{because}, but {source}: no solution is shorter"
        return Verdict(Proof.OPTIMAL, reason, because, source, exact=True)
    above = f"so this is {plural(length - shortest, 'move')} above the shortest"
    reason = f"{because}; {source}, {above}"
    return Verdict(Proof.BOUNDED, reason, because, source, exact=True)


def without_path(stopped: str, lower_bound: int) -> Verdict:
    """Return the verdict of a search that was stopped before it had a path.

    >>> without_path("stopped after 10 s", 24).reason
    'stopped after 10 s: the shortest has at least 24 moves'
    """
    known = f"the shortest has at least {plural(lower_bound, 'move')}"
    return Verdict(Proof.UNPROVED, f"{stopped}: {known}", stopped)
