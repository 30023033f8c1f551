"""Ways to write a search that are no mistakes, for the searches that run under no convention."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slidewise.solver.convention import find_convention

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slidewise.solver.convention import Convention


class Habit(NamedTuple):
    """A way to write a search: the switches of its `PlainSearch`, and what it does, in words."""

    key: str
    switches: Mapping[str, str]
    words: str


_ON_PATH = Habit(
    "back=path",
    {"back": "path"},
    "you leave out every board of the current path, not only the one you come from",
)
_GOES_BACK = Habit("back=none", {"back": "none"}, "you also take the last move straight back")

NOTEBOOKS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "notebook-iddfs": ("iddfs", {"visited": "made", "first": "one"}),
    "notebook-rbfs": (
        "rbfs",
        {"back": "none", "stored": "own", "returned": "lost", "root": "h"},
    ),
}
"""The conventions of notebooks with a search of their own: its algorithm, and the switches of its
`PlainSearch`."""


def written_as(convention: Convention) -> Mapping[str, str]:
    """Return the switches of a convention that one notebook has."""
    return NOTEBOOKS[convention.named_after][1] if convention.named_after in NOTEBOOKS else {}


def find_rules(text: str, algorithm: str) -> Convention:
    """Return the convention that a program may follow, those of `NOTEBOOKS` included.

    >>> find_rules("notebook-iddfs", "iddfs").order
    'ulrd'

    Raises `InvalidConventionError`.
    """
    name = str(text).replace(" ", "").partition(",")[0]
    of_notebook = NOTEBOOKS.get(name, ("",))[0] == algorithm
    return find_convention(text) if of_notebook else find_convention(text, algorithm)


HABITS: Mapping[str, tuple[Habit, ...]] = {
    "iddfs": (
        _ON_PATH,
        _GOES_BACK,
        Habit("first=one", {"first": "one"}, "your first depth limit is 1"),
        Habit(
            "first=one,back=path",
            {"first": "one", "back": "path"},
            "your first depth limit is 1, and you leave out every board of the current path",
        ),
    ),
    "idastar": (_ON_PATH, _GOES_BACK),
    "rbfs": (
        _ON_PATH,
        _GOES_BACK,
        Habit(
            "ties=sorted",
            {"ties": "sorted"},
            "you sort the successors again and again, so of equal f the one searched last comes "
            "first",
        ),
        Habit(
            "stored=parents",
            {"stored": "parents"},
            "a successor\u2019s f is always at least that of its parent",
        ),
    ),
    "bidirectional": (
        Habit("turn=layers", {"turn": "layers"}, "the two ends take turns, a layer each"),
        Habit("turn=nodes", {"turn": "nodes"}, "the two ends take turns, a board each"),
        Habit(
            "turn=smaller", {"turn": "smaller"}, "each board comes from the end with fewer waiting"
        ),
        Habit(
            "meeting=taken",
            {"meeting": "taken"},
            "you look for the meeting when a board is taken from the frontier",
        ),
        Habit(
            "turn=nodes,meeting=taken",
            {"turn": "nodes", "meeting": "taken"},
            "the two ends take turns, a board each; you look for the meeting when a board is taken "
            "from the frontier",
        ),
    ),
}
"""The habits by the keys of the algorithms. None of them loses the shortest path."""
