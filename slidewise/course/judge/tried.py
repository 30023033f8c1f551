"""A call of a program that is judged: its case, its outcome, the reference's, and how it ended."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from slidewise.course.judge import order
from slidewise.course.judge.answers import FoundPath, read_answer
from slidewise.course.judge.cases import Draw
from slidewise.course.judge.sources import error_text
from slidewise.course.programs.boards import Cells, board_of, board_text
from slidewise.course.programs.calls import CallResult, Case
from slidewise.text import message

EASY = 20
"""Maximum expansions of the reference for a board on which every correct program ends."""

LONG = 300

CIRCLES = 20
"""A search in circles: its minimum expansions, and how often each board is expanded on average."""

FEW_PAIRS = 6
"""Maximum entries of a dictionary that are shown, not counted."""

LOOP_TICKS = 50_000
"""Ticks for each expansion that show an endless loop."""

STOPPED_SHARE = 10
"""Maximum expansions of a stopped search, as a multiple of the reference's, before it is wrong."""


class Unjudged(Exception):
    """A call cannot show the property; `reason` is why, in words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Cut(Unjudged):
    """A call was stopped before its result; `reason` is the fault if no other call has a result."""


UNSEEN = message("its expansions were not seen")

NO_LIMIT = message("it takes no limit")

OWN_ESTIMATE = message("it has its own estimate")


class Large(int):
    """A number that is shown with thousands separators in a note."""

    def __str__(self) -> str:
        return f"{self:,}"


USUAL = Draw()


@dataclass(frozen=True)
class Tried:
    """A case, the program's outcome and the reference's; answers are read only once.

    `own` is true for a function with the task's own name, arguments and boards. `counts_moves` is
    true for a search that returns the number of its moves, `returns_paths` for a search that
    returns paths for several boards. `hint` is the author's, for a wrong result.
    """

    case: Case
    outcome: CallResult
    reference: CallResult
    draw: Draw = USUAL
    own: bool = True
    is_conflict: bool = False
    counts_moves: bool = False
    returns_paths: bool = False
    hint: str = ""

    @property
    def start(self) -> Cells:
        """The start of a search."""
        return tuple(self.case.args["start"])

    @property
    def goal(self) -> Cells:
        """The goal of a search."""
        return tuple(self.case.args["goal"])

    @cached_property
    def answer(self) -> FoundPath:
        """The program's path."""
        return read_answer(self.outcome.value, self.start, self.goal, self.outcome.printed)

    @cached_property
    def expanded(self) -> list[Cells]:
        """The expanded boards. Raises `Unjudged` if none were seen."""
        if not self.outcome.witness:
            raise Unjudged(UNSEEN)
        return self.outcome.boards(len(self.start))

    @property
    def jump(self) -> tuple[Cells, Cells]:
        """A board and a successor that is no move from it."""
        cells, half = self.outcome.jump, len(self.outcome.jump) // 2
        return tuple(cells[:half]), tuple(cells[half:])

    @cached_property
    def best(self) -> FoundPath:
        """The path of the reference."""
        return read_answer(self.reference.value, self.start, self.goal)


def text_of(value: Any) -> str:
    """Return a result in words, shortened.

    >>> text_of([1, 2]), text_of([1, 2, 3, 0]), text_of(None), text_of({"pairs": [["a", 1]]})
    ('1, 2', '1 2/3 0', 'None', '{"a": 1}')
    """
    board = board_of(value)
    if board:
        return board_text(board)
    if isinstance(value, list) and value and all(board_of(one) for one in value):
        boards = [board_text(board) for one in value if (board := board_of(one))]
        if len(boards) == 1:
            return message("one board: %(board)s", board=boards[0])
        shown = boards if len(boards) < 8 else [*boards[:3], "...", *boards[-3:]]
        return message("%(number)s boards: %(list)s", number=len(boards), list=", ".join(shown))
    if isinstance(value, list) and all(isinstance(one, (int, str)) for one in value[:9]):
        return ", ".join(map(str, value[:9])) + (" ..." if len(value) > 9 else "") or "[]"
    if isinstance(value, dict) and "pairs" in value:
        pairs = value["pairs"]
        if len(pairs) <= FEW_PAIRS and all(isinstance(pair, list) for pair in pairs):
            text = ", ".join(": ".join(map(json.dumps, pair)) for pair in pairs)
            return f"{{{text}}}" if len(text) < 120 else f"{{{text[:117]}..."
        return message("a dictionary of %(number)s entries", number=len(pairs))
    if isinstance(value, dict):
        return str(value.get("type"))
    text = json.dumps(value) if isinstance(value, list) else repr(value)
    return text if len(text) < 120 else text[:117] + "..."


def how_ended(tried: Tried) -> str:
    """Return why a call has no result, "" if it has a result. Raises `Unjudged`."""
    outcome, needed = tried.outcome, tried.reference.expansions
    no_limit = not tried.draw.limit
    # Without a limit the reference was not run, so only clear signs count.
    if no_limit and not needed and goes_in_circles(tried):
        boards = tried.outcome.boards(len(tried.start))
        return message(
            "goes in circles: %(expansions)s expansions of %(boards)s boards",
            expansions=Large(len(boards)),
            boards=Large(len(set(boards))),
        )
    if outcome.stopped and no_limit and not needed:
        raise Unjudged(message("stopped: a search without a limit may go on for long"))
    if outcome.stopped and begins_again(tried):
        raise Unjudged(message("stopped after %(steps)s steps", steps=Large(outcome.ticks)))
    if is_far_over(tried):
        return message(
            "stopped after %(expansions)s expansions; the reference needs %(needed)s",
            expansions=Large(outcome.expansions),
            needed=Large(needed),
        )
    # An accusation needs more than the limit: a slow but correct program also reaches it.
    if outcome.stopped and 0 < outcome.expansions * LOOP_TICKS < outcome.ticks:
        return message("stopped: it goes on without an end")
    if outcome.stopped and needed > EASY:
        raise Unjudged(message("stopped after %(steps)s steps", steps=Large(outcome.ticks)))
    if outcome.stopped:
        return message("stopped: it goes on without an end")
    if not outcome.error:
        return ""
    if outcome.error.type == "Stopped":
        raise Unjudged(outcome.error.message)
    if outcome.error.type == "RecursionError" and no_limit:
        raise Unjudged(message("a search without a limit may go too deep for Python"))
    return error_text(outcome.error)


def is_far_over(tried: Tried) -> bool:
    """Return whether a call was stopped after many more expansions than the reference's."""
    outcome, needed = tried.outcome, tried.reference.expansions
    over = outcome.expansions > max(EASY, STOPPED_SHARE * needed)
    return outcome.stopped and over and (tried.draw.h or needed <= EASY)


def goes_in_circles(tried: Tried) -> bool:
    """Return whether an endless call expanded the same boards again and again."""
    outcome = tried.outcome
    too_deep = outcome.error is not None and outcome.error.type == "RecursionError"
    if not (outcome.stopped or too_deep) or outcome.expansions < LONG:
        return False
    boards = outcome.boards(len(tried.start))
    return len(set(boards)) * CIRCLES < len(boards) and not begins_again(tried)


def begins_again(tried: Tried) -> bool:
    """Return whether a search expands the start for a first limit, and again for the next limit."""
    start = tried.case.args.get("start")
    return start is not None and order.begins_again(start, tried.outcome.boards(len(start)))
