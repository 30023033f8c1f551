"""Why the expected board comes next, told from the events of the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.events import Expanded, Successor
from slidewise.study.check.divergence import reference
from slidewise.study.check.traced import scale_of_f

if TYPE_CHECKING:
    from slidewise.puzzle import Board
    from slidewise.solver.convention import Convention
    from slidewise.study.check.divergence import Divergence
    from slidewise.study.check.traced import AskedSearch

WAYS = {"u": "up", "d": "down", "l": "left", "r": "right"}


@dataclass(frozen=True)
class Making:
    """How a board was made: by which expansion, which way the blank went, and its fate."""

    order: int
    way: str
    made: Successor


@dataclass(frozen=True)
class Reason:
    """A title, sentences, and of each of the two boards where it comes from, in words, and the
    tile that was moved."""

    title: str
    sentences: tuple[str, ...]
    yours_from: str = ""
    expected_from: str = ""
    yours_moved: int | None = None
    expected_moved: int | None = None


def listed(order: str) -> str:
    """Return an order of the blank's ways in words.

    >>> listed("udlr")
    'up, down, left, right'
    """
    return ", ".join(WAYS[way] for way in order)


class History:
    """How some boards came up in the first expansions of a search."""

    def __init__(
        self, asked: AskedSearch, convention: str, boards: list[Board], expansions: int
    ) -> None:
        self.makings: dict[Board, list[Making]] = {board: [] for board in boards}
        self.expanded: dict[Board, int] = {}
        self.events: dict[int, Expanded] = {}
        for event in reference(asked, convention, expansions):
            if not isinstance(event, Expanded):
                break
            self._read(event)
            if event.order >= expansions:
                break

    def _read(self, event: Expanded) -> None:
        if event.board in self.makings:
            self.expanded.setdefault(event.board, event.order)
        for made in event.successors:
            if made.board in self.makings:
                way = way_of(event.board, made.board)
                self.makings[made.board].append(Making(event.order, way, made))
                self.events[event.order] = event

    def kept(self, board: Board) -> Making | None:
        """Return how the node of a board that waits was made, the last time that it was kept."""
        kept = [making for making in self.makings[board] if making.made.fate.is_kept]
        return kept[-1] if kept else None


def way_of(before: Board, after: Board) -> str:
    """Return the way that the blank goes from one board to the next."""
    step = after.blank - before.blank
    return {-before.cols: "u", before.cols: "d", -1: "l", 1: "r"}.get(step, "")


def explain(asked: AskedSearch, convention: Convention, found: Divergence) -> Reason:
    """Return why the search expands another board than the one given."""
    yours, expected = found.your_board, found.board
    assert yours is not None
    assert expected is not None
    history = History(asked, str(convention), [yours, expected], found.number - 1)
    ours, theirs = history.kept(expected), history.kept(yours)
    below = _from(theirs), _from(ours), _moved(theirs), _moved(ours)
    begun = _of_beginning(asked, found.number, yours, expected)
    if begun is not None:
        return begun
    again = history.expanded.get(yours)
    if again is not None and asked.algorithm in _REMEMBERING:
        why = (
            f"You expand this board again: it was expanded before, at expansion {again:,}.",
            f"Here {convention.duplicates.words}.",
        )
        return Reason(f"Expansion {found.number:,}: a board that was expanded before", why, *below)
    if theirs is None:
        return Reason(
            f"Expansion {found.number:,}: a board that is not on the frontier",
            _not_waiting(asked, history, yours, convention),
            *below,
        )
    if ours is None:
        how = _HOW_IT_GOES_ON.get(asked.algorithm)
        return Reason(f"Expansion {found.number:,}", (how,) if how else (), *below)
    return _between(asked, convention, found.number, theirs, ours, below)


def _of_beginning(asked: AskedSearch, number: int, yours: Board, expected: Board) -> Reason | None:
    """Return what is told of a board that a search begins from, None for any other."""
    start, goal = asked.puzzle.start, asked.puzzle.goal
    at = f"Expansion {number:,}"
    if asked.algorithm == "bidirectional" and goal in (yours, expected):
        how = _HOW_IT_GOES_ON[asked.algorithm]
        return Reason(f"{at}: the turn of the other end", (how,))
    if asked.algorithm not in ("iddfs", "idastar"):
        return None
    if yours == start:
        why = "You expand the start again, but there are still nodes within the limit."
        return Reason(f"{at}: the start is expanded again too early", (why,))
    if expected == start:
        why = (
            "No node within the limit is left, so the search begins again from the start with a "
            "higher limit."
        )
        return Reason(f"{at}: a new iteration begins", (why,))
    return None


def _from(making: Making | None) -> str:
    return f"from {making.order:,}, blank {WAYS[making.way]}" if making else ""


def _moved(making: Making | None) -> int | None:
    """Return the tile that came to where the blank was."""
    if making is None:
        return None
    board = making.made.board
    step = {"u": -board.cols, "d": board.cols, "l": -1, "r": 1}[making.way]
    return board.cells[board.blank - step]


def _not_waiting(
    asked: AskedSearch, history: History, board: Board, convention: Convention
) -> tuple[str, ...]:
    dropped = history.makings[board]
    if dropped:
        last = dropped[-1]
        made = f"Expansion {last.order:,} generated it, and it was {last.made.fate.reason}."
        if asked.algorithm not in _REMEMBERING:
            return (made,)
        return made, f"Here {convention.duplicates.words}."
    return (
        "No expansion so far has generated this board: it is not one move away from any board "
        "expanded.",
        "Check how your program generates successors, especially at the border of the board.",
    )


def _between(
    asked: AskedSearch,
    convention: Convention,
    number: int,
    theirs: Making,
    ours: Making,
    below: tuple[str, str, int | None, int | None],
) -> Reason:
    """Return why of two nodes that wait one comes first."""
    name = convention.title
    in_order = theirs.made.f == ours.made.f or asked.algorithm == "idastar"
    if theirs.order == ours.order and in_order:
        title = f"Expansion {number:,}: two successors of expansion {ours.order:,}, swapped"
        left_out = asked.algorithm in _HOW_IT_GOES_ON
        if left_out:
            title = f"Expansion {number:,}: another successor of {ours.order:,} comes first"
        mine, other = WAYS[ours.way], WAYS[theirs.way]
        why = [f"{name} generates successors in the order blank {listed(convention.order)}."]
        why.append(
            f"With equal f, {_tie(convention)}."
            if not _by_order(asked, convention)
            else f"You took {other} before {mine}{', or left it out' if left_out else ''}."
        )
        return Reason(title, tuple(why), *below)
    if asked.algorithm in ("greedy", "astar", "wastar", "ucs") and theirs.made.f != ours.made.f:
        value = {"greedy": "h", "ucs": "g"}.get(asked.algorithm, "f")
        why = [
            f"Yours has {_worked_out(asked, theirs)}, the expected one {_worked_out(asked, ours)}."
        ]
        why.append(f"The node with the lowest {value} comes first.")
        return Reason(
            f"Expansion {number:,}: a node with a lower {value} comes first", tuple(why), *below
        )
    title = f"Expansion {number:,}: another node on the frontier comes first"
    made = (
        f"Expansion {ours.order:,} generated the expected board, expansion {theirs.order:,} yours."
        if ours.order != theirs.order
        else f"Expansion {ours.order:,} generated both."
    )
    if asked.algorithm == "bfs":
        return Reason(title, ("The frontier is a queue: the oldest comes first.", made), *below)
    if asked.algorithm == "dfs":
        return Reason(title, ("The frontier is a stack: the newest comes first.", made), *below)
    if asked.algorithm in _HOW_IT_GOES_ON:
        return Reason(title, (_HOW_IT_GOES_ON[asked.algorithm], made), *below)
    tie = f"Both have {_worked_out(asked, ours)}; {_tie(convention)}."
    return Reason(f"Expansion {number:,}: a tie", (tie, made), *below)


_REMEMBERING = (*ALGORITHMS, "wastar")
"""The searches that have a rule for boards met again."""

_DEPTH_FIRST = (
    "The search goes depth first: a node is followed by its first successor within the limit and "
    "all that is below that one."
)
_HOW_IT_GOES_ON = {
    "iddfs": _DEPTH_FIRST,
    "idastar": _DEPTH_FIRST,
    "rbfs": "The successor with the lowest stored f comes first, as long as none further up has a "
    "lower one.",
    "bidirectional": "The smaller of the two outermost layers is expanded to its end, the "
    "start\u2019s if they are equal.",
}


def _by_order(asked: AskedSearch, convention: Convention) -> bool:
    return asked.algorithm in ("bfs", "dfs") or convention.ties.value == "first-in"


def _tie(convention: Convention) -> str:
    return {
        "first-in": "the one made first comes first",
        "last-in": "the one made last comes first",
        "higher-g": "the one with the higher g comes first",
        "lower-g": "the one with the lower g comes first",
        "lower-h": "the one with the lower h comes first",
        "as-queued": "whichever is at the front of the queue comes first",
    }[convention.ties.value]


def _worked_out(asked: AskedSearch, making: Making) -> str:
    made = making.made
    if asked.algorithm == "astar":
        return f"f = {made.g} + {made.h} = {made.f}"
    if asked.algorithm == "wastar":
        f = made.f / scale_of_f(asked)
        return f"f = {made.g} + {float(asked.weight):g} \u00d7 {made.h} = {f:g}"
    return f"{'h' if asked.algorithm == 'greedy' else 'g'} = {made.f}"
