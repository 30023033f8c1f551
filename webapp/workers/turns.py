"""Whose turn it is: searches that wait, so that nobody who began many keeps others out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence


class Sent(Protocol):
    """What was sent by a visitor, from an address."""

    @property
    def visitor(self) -> str:
        """Who sent it."""

    @property
    def address(self) -> str:
        """From where."""


S = TypeVar("S", bound=Sent)


def in_turn(waiting: Sequence[S], running: Iterable[S] = ()) -> list[S]:
    """Return those that wait in the order of their turns, each address taking one after another.

    Those of one address, such as a class, take turns by visitor; those of one visitor keep the
    order in which they came. What runs already counts as a turn that was had.
    """
    had = list(running)
    by_visitor = _rounds(waiting, had, lambda one: (one.visitor, one.address))
    return _rounds(by_visitor, had, lambda one: one.address)


def _rounds(waiting: Sequence[S], had: Iterable[S], who: Callable[[S], Hashable]) -> list[S]:
    """Return `waiting` with the first of each before the second of any."""
    turns = Counter(map(who, had))
    rounds = []
    for one in waiting:
        rounds.append(turns[who(one)])
        turns[who(one)] += 1
    order = sorted(range(len(waiting)), key=rounds.__getitem__)
    return [waiting[place] for place in order]
