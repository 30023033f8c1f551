"""The properties of correct programs: each check is a function of a case and its outcome.

It returns a fault in words, or "" for a pass, or raises `Unjudged` with a reason.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from slidewise.course.judge import local, order
from slidewise.course.judge.answers import FoundPath, is_legal_path, read_answer
from slidewise.course.judge.cases import Draw, distances, has_answer
from slidewise.course.judge.exercise import find_exercise
from slidewise.course.judge.sources import error_text
from slidewise.course.programs.boards import (
    ESTIMATES,
    Cells,
    board_of,
    board_text,
    boards_in,
    manhattan,
    move_cost,
    neighbors,
    shape_of,
)
from slidewise.course.programs.calls import CallResult, Case
from slidewise.course.programs.hooks import GIVEN, RECURSION
from slidewise.course.programs.running import MAX_EXPANSIONS, Program
from slidewise.text import Message, message

SHORT = 2
ENOUGH = 6
"""For results that are numbers of moves: the length up to which they must be exact, and the minimum
of calls."""

MORE_THAN_REFERENCE = 1.3
"""Maximum expansions, as a multiple of the reference's, because ties come in any order."""

EASY = 20
"""Maximum expansions of the reference for a board on which every correct program ends."""

LONG = 300
CIRCLES = 20
"""A search in circles: its minimum expansions, and how often each board is expanded on average."""

FEWEST_AGAIN = 3
"""Minimum repeated boards without a successor that show a stack with duplicates."""

DEEPENING = 2
"""Rounds of a search that shows more of them only if it searches by limits."""

FEW_PAIRS = 6
"""Maximum entries of a dictionary that are shown, not counted."""

LOOP_TICKS = 50_000
"""Ticks for each expansion that show an endless loop."""

STOPPED_SHARE = 10
"""Maximum expansions of a stopped search, as a multiple of the reference's, before it is wrong."""

ROUNDING_TOLERANCE = 1e-6
"""Maximum difference that counts as a floating-point error, as in a search."""

OF_REFERENCE = re.compile(
    " instead of |[;,] the (?:reference|shortest|cheapest|fewest) |, where |, above the "
    "|(?<=leaves out a board): "
)
"""Beginning of the part of a note with a result of the reference."""


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
NO_PATH = message("returns no path, although there is one")


class _Large(int):
    """A number that is shown with thousands separators in a note."""

    def __str__(self) -> str:
        return f"{self:,}"


def without_reference(note: str) -> str:
    """Return a note without the result of the reference.

    >>> without_reference(message("returns %(value)s instead of %(right)s", value=1, right=2))
    'returns 1'
    """
    if isinstance(note, Message):
        return message(OF_REFERENCE.split(note.template)[0], **note.values)
    return OF_REFERENCE.split(note)[0]


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


def _ended(tried: Tried) -> str:
    """Return why a call has no result, "" if it has a result. Raises `Unjudged`."""
    outcome, needed = tried.outcome, tried.reference.expansions
    no_limit = not tried.draw.limit
    # Without a limit the reference was not run, so only clear signs count.
    if no_limit and not needed and goes_in_circles(tried):
        boards = tried.outcome.boards(len(tried.start))
        return message(
            "goes in circles: %(expansions)s expansions of %(boards)s boards",
            expansions=_Large(len(boards)),
            boards=_Large(len(set(boards))),
        )
    if outcome.stopped and no_limit and not needed:
        raise Unjudged(message("stopped: a search without a limit may go on for long"))
    if outcome.stopped and _begins_again(tried):
        raise Unjudged(message("stopped after %(steps)s steps", steps=_Large(outcome.ticks)))
    if _is_far_over(tried):
        return message(
            "stopped after %(expansions)s expansions; the reference needs %(needed)s",
            expansions=_Large(outcome.expansions),
            needed=_Large(needed),
        )
    # An accusation needs more than the limit: a slow but correct program also reaches it.
    if outcome.stopped and 0 < outcome.expansions * LOOP_TICKS < outcome.ticks:
        return message("stopped: it goes on without an end")
    if outcome.stopped and needed > EASY:
        raise Unjudged(message("stopped after %(steps)s steps", steps=_Large(outcome.ticks)))
    if outcome.stopped:
        return message("stopped: it goes on without an end")
    if not outcome.error:
        return ""
    if outcome.error.type == "Stopped":
        raise Unjudged(outcome.error.message)
    if outcome.error.type == "RecursionError" and no_limit:
        raise Unjudged(message("a search without a limit may go too deep for Python"))
    return error_text(outcome.error)


def _is_far_over(tried: Tried) -> bool:
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
    return len(set(boards)) * CIRCLES < len(boards) and not _begins_again(tried)


def _begins_again(tried: Tried) -> bool:
    """Return whether a search expands the start for a first limit, and again for the next limit."""
    start = tried.case.args.get("start")
    return start is not None and order.begins_again(start, tried.outcome.boards(len(start)))


def _equal(tried: Tried) -> str:
    """The result is equal to the reference's."""
    yours, right = tried.outcome.value, tried.reference.value
    # Programs in other forms may return an equivalent value.
    if _same(yours, right) or (not tried.own and (_is_cell(tried) or _is_added(tried))):
        return ""
    return message(
        "returns %(value)s instead of %(right)s", value=text_of(yours), right=text_of(right)
    )


def _is_cell(tried: Tried) -> bool:
    """Return whether the blank is given as a cell number instead of row and column."""
    board, right = tried.case.args.get("board"), tried.reference.value
    if not board or not isinstance(right, list) or len(right) != 2:
        return False
    _, cols = shape_of(len(board))
    return bool(tried.outcome.value == board.index(0) == right[0] * cols + right[1])


def _is_added(tried: Tried) -> bool:
    """Return whether a linear conflict is given without the Manhattan distance."""
    board, goal = tried.case.args.get("board"), tried.case.args.get("goal")
    right = tried.reference.value
    if not tried.is_conflict or not board or not goal:
        return False
    return bool(tried.outcome.value == right - manhattan(board, goal))


def _same(yours: Any, right: Any) -> bool:
    # 0 and 1 count as answers, but True is not the number 1 below.
    if isinstance(right, bool):
        return isinstance(yours, (bool, int)) and yours in (0, 1) and bool(yours) == right
    if isinstance(right, list):
        return isinstance(yours, list) and yours == right
    if isinstance(right, (int, float)) and isinstance(yours, float):
        return abs(yours - right) <= ROUNDING_TOLERANCE
    return not isinstance(yours, bool) and bool(yours == right)


def _boards(tried: Tried) -> list[Cells]:
    value = tried.outcome.value
    return boards_in(value) if isinstance(value, list) else [()]


def _legal(tried: Tried) -> str:
    if not isinstance(tried.outcome.value, list):
        return message("returns %(value)s, no list of boards", value=text_of(tried.outcome.value))
    right = neighbors(tried.case.args["board"])
    found = _boards(tried)
    for board in found:
        if board not in right:
            shown = board_text(board) if board else message("something else")
            return message("returns %(value)s", value=shown)
    return message("returns a board twice") if len(set(found)) < len(found) else ""


def _complete(tried: Tried) -> str:
    found = _boards(tried)
    missing = [board for board in neighbors(tried.case.args["board"]) if board not in found]
    if not missing:
        return ""
    return message("leaves out a board: %(board)s", board=board_text(missing[0]))


def _unchanged(tried: Tried) -> str:
    changed = tried.outcome.changed
    return message("changes it to %(board)s", board=text_of(changed)) if changed else ""


def _every(tried: Tried) -> str:
    if tried.outcome.value is None:
        return ""
    board, value = tried.outcome.value
    return message("returns %(value)s for %(board)s", value=text_of(value), board=text_of(board))


def _path(tried: Tried) -> str:
    answer = tried.answer
    if not has_answer(tried.case):
        return "" if answer.found else _not_none(tried)
    if answer.unread:
        return _unread(tried)
    if not answer.found:
        return "" if _has_limit(tried) else NO_PATH
    returns = tried.own or (tried.draw.result_used and tried.outcome.value is None)
    if answer.printed and returns:
        return message("prints the path and does not return it")
    return _path_fault(answer, tried)


def _unread(tried: Tried) -> str:
    """Return the fault of a result without a path, if the program must return a path.

    Raises `Unjudged`.
    """
    if tried.own or (tried.returns_paths and tried.start != tried.goal):
        return tried.answer.note
    raise Unjudged(tried.answer.note)


def _has_limit(tried: Tried) -> bool:
    return bool({"limit", "depth"} & tried.case.args.keys())


def _path_fault(answer: FoundPath, tried: Tried) -> str:
    boards = answer.boards
    if not boards:
        return answer.note or message("returns no path")
    # `read_answer` has added a missing start, which the task's own form must include.
    first = boards[1] if answer.note and tried.own else boards[0]
    if first != tried.start:
        return message("the path begins at %(board)s, not at the start", board=board_text(first))
    if boards[-1] != tried.goal:
        return message("the path ends at %(board)s, not at the goal", board=board_text(boards[-1]))
    if is_legal_path(boards):
        return ""
    return message("two boards are not one move apart")


def _shortest(tried: Tried) -> str:
    answer, best = tried.answer, tried.best
    if not best.found:
        return ""
    length = answer.length
    if answer.unread:
        if tried.own or not tried.counts_moves:
            return _unread(tried)
        length = int(answer.number or 0)
    elif not answer.found:
        return "" if _has_limit(tried) else NO_PATH
    elif _path_fault(answer, tried):
        return _path_fault(answer, tried)
    if length != best.length:
        return message(
            "the path has %(moves)s moves, the shortest %(fewest)s",
            moves=length,
            fewest=best.length,
        )
    return ""


def count_moves(calls: Sequence[Tried]) -> bool:
    """Return whether the numbers that several calls return are numbers of moves.

    They are right for short paths, never below the shortest length, and have its parity.
    """
    numbers = [
        (one.answer.number, one.best.length)
        for one in calls
        if one.answer.number is not None and one.best.length is not None
    ]
    short = [number == moves for number, moves in numbers if moves <= SHORT]
    return (
        len(numbers) >= ENOUGH
        and bool(short)
        and all(short)
        and all(number >= moves and (number - moves) % 2 == 0 for number, moves in numbers)
    )


def return_paths(calls: Sequence[Tried]) -> bool:
    """Return whether several calls return a path with moves."""
    return sum((one.answer.length or 0) > 0 and not one.answer.printed for one in calls) > 1


def _once(tried: Tried) -> str:
    again = _expanded_again(tried)
    if not again:
        return ""
    if not tried.own and "h" in tried.case.args:
        # Only the task's own form requires the test of stale entries.
        raise Unjudged(message("old entries of a heap may be expanded again"))
    return message(
        "expands boards again: %(again)s of %(expansions)s expansions, first %(board)s",
        again=len(again),
        expansions=len(tried.expanded),
        board=board_text(again[0]),
    )


def _expanded_again(tried: Tried) -> list[Cells]:
    """Return the boards that are expanded again, although no shorter path to them was found.

    Only an inconsistent estimate makes a search find a shorter path to an expanded board.
    """
    reopens = tried.case.args.get("h") == "inconsistent"
    known, expanded, again = {tried.start: 0}, dict[Cells, int](), list[Cells]()
    for board in tried.expanded:
        g = known.get(board, 0) if reopens else 0
        if g >= expanded.get(board, g + 1):
            again.append(board)
        expanded[board] = g
        for after in neighbors(board) if reopens else ():
            known[after] = min(known.get(after, g + 1), g + 1)
    return again


def _once_in_depth(tried: Tried) -> str:
    """No board is expanded twice, unless the search continues from it to others again."""
    boards, seen = tried.expanded, set[Cells]()
    again = []
    for i, board in enumerate(boards):
        if board in seen:
            again.append(i)
        seen.add(board)
    if again and (
        len(again) < FEWEST_AGAIN
        or any(after in neighbors(boards[i]) for i in again for after in boards[i + 1 : i + 2])
    ):
        raise Unjudged(message("boards that are forgotten on the way back may be expanded again"))
    return _once(tried)


def _none(tried: Tried) -> str:
    if not tried.answer.found:
        return _not_none(tried)
    return message("returns %(value)s, but there is no path", value=text_of(tried.outcome.value))


def _not_none(tried: Tried) -> str:
    """The task says None where there is no path; other forms may have another value for it."""
    if not tried.own or tried.outcome.value is None:
        return ""
    return message("returns %(value)s instead of None", value=text_of(tried.outcome.value))


def _found(tried: Tried) -> str:
    if not _has_limit(tried):
        raise Unjudged(NO_LIMIT)
    if tried.answer.unread and not tried.answer.found:
        raise Unjudged(tried.answer.note)
    if has_answer(tried.case) and not tried.answer.found:
        return message("returns no path, although the limit allows one")
    return ""


def _within(tried: Tried) -> str:
    answer = tried.answer
    if not _has_limit(tried):
        raise Unjudged(NO_LIMIT)
    limit = int(tried.case.args.get("limit", tried.case.args.get("depth", 0)))
    if answer.found and not has_answer(tried.case):
        return message("returns a path, but none has %(limit)s moves", limit=limit)
    if answer.length is not None and answer.found and answer.length > limit:
        return message(
            "the path has %(moves)s moves, more than the limit %(limit)s",
            moves=answer.length,
            limit=limit,
        )
    return ""


def _simple(tried: Tried) -> str:
    if tried.answer.unread:
        return _unread(tried)
    boards = tried.answer.boards or []
    return message("a board stands twice on the path") if len(set(boards)) < len(boards) else ""


def _cheapest(tried: Tried) -> str:
    answer, best = tried.answer, tried.best
    if answer.unread:
        return _unread(tried)
    if not answer.boards or _path_fault(answer, tried):
        return _path_fault(answer, tried)
    yours, right = (path_cost(one.boards or []) for one in (answer, best))
    if yours == right or (not tried.own and answer.length == _fewest(tried)):
        return ""
    return message("the path costs %(cost)s, the cheapest %(least)s", cost=yours, least=right)


def _fewest(tried: Tried) -> int | None:
    """Return the fewest moves, for programs in other forms in which each move costs 1."""
    return distances(tried.goal).get(tried.start)


def path_cost(boards: list[Cells]) -> int:
    """Return the sum of the tiles that moved."""
    return sum(move_cost(board, after) for board, after in pairwise(boards))


def _lowest(tried: Tried) -> str:
    if not tried.draw.h:
        raise Unjudged(OWN_ESTIMATE)
    h, goal = ESTIMATES[tried.case.args["h"]], tried.goal
    boards = tried.expanded
    estimates = {tried.start: h(tried.start, goal)}
    waiting, closed = [(estimates[tried.start], 0, tried.start)], set()
    for board in boards:
        if board in closed or board not in estimates:
            continue
        closed.add(board)
        while waiting[0][2] in closed and len(waiting) > 1:
            heappop(waiting)
        lowest, _, other = waiting[0]
        if lowest < estimates[board]:
            return message(
                "expands %(board)s with the estimate %(estimate)s, "
                "while %(other)s waits with %(lower)s",
                board=board_text(board),
                estimate=estimates[board],
                other=board_text(other),
                lower=lowest,
            )
        for after in neighbors(board):
            if after not in estimates:
                estimates[after] = h(after, goal)
                heappush(waiting, (estimates[after], len(estimates), after))
    return ""


def _bound(tried: Tried) -> str:
    """No expanded board has f above the length of the shortest path (C*)."""
    best = tried.best.length or 0
    h, goal = ESTIMATES[tried.case.args["h"]], tried.goal
    known = {tried.start: 0}
    for board in tried.expanded:
        if board not in known and tried.outcome.witness == GIVEN:
            return _not_reached(board)
        g = known.get(board, 0)
        if g + h(board, goal) > best:
            return message(
                "expands %(board)s with f = %(g)s + %(h)s; the shortest path has %(moves)s moves",
                board=board_text(board),
                g=g,
                h=h(board, goal),
                moves=best,
            )
        for after in neighbors(board):
            # The g values are recomputed from the expansions, whatever the program reports.
            known[after] = min(known.get(after, g + 1), g + 1)
    return ""


def _rounds(tried: Tried) -> str:
    yours, right = tried.expanded, tried.reference.boards(len(tried.start))
    # Each round starts with the expansion of the start.
    rounds, needed = yours.count(tried.start), right.count(tried.start)
    if rounds > needed:
        return message(
            "begins %(rounds)s rounds, where %(needed)s are enough", rounds=rounds, needed=needed
        )
    return ""


def _few(tried: Tried) -> str:
    boards = tried.expanded
    yours, right = tried.outcome.expansions, tried.reference.expansions
    # It goes back to the previous board, so it is compared with a reference that does so too.
    if any(board == other for board, other in zip(boards, boards[2:], strict=False)):
        right = _without_circle_test(tried.start, tried.goal)
    if yours > right * MORE_THAN_REFERENCE + 20:
        return message(
            "expands %(boards)s boards, the reference %(needed)s",
            boards=_Large(yours),
            needed=_Large(right),
        )
    return ""


@lru_cache(maxsize=256)
def _without_circle_test(start: Cells, goal: Cells) -> int:
    """Return the expansions of RBFS without the test for boards on its path."""
    exercise = find_exercise("rbfs")
    program = Program(exercise.target, exercise.programs[-1], hooks=False)
    args = {"start": start, "goal": goal, "h": "manhattan"}
    return program.run(Case((), args), MAX_EXPANSIONS).expansions


def _table(tried: Tried) -> dict[str, Any] | None:
    value = tried.outcome.value
    if not isinstance(value, dict) or "pairs" not in value:
        return None
    return {json.dumps(cells): moves for cells, moves in value["pairs"]}


def _right_table(tried: Tried) -> dict[str, Any]:
    return {json.dumps(cells): moves for cells, moves in tried.reference.value["pairs"]}


def _placings(tried: Tried) -> str:
    found, right = _table(tried), _right_table(tried)
    if found is None:
        return message("returns %(value)s, no dictionary", value=text_of(tried.outcome.value))
    if found.keys() != right.keys():
        return message(
            "has %(found)s of %(placings)s placings",
            found=len(found.keys() & right.keys()),
            placings=len(right),
        )
    return ""


def _exact(tried: Tried) -> str:
    found, right = _table(tried), _right_table(tried)
    if found is None:
        return message("returns no dictionary")
    for cells, moves in right.items():
        if found.get(cells) != moves:
            return message(
                "has %(mine)s for the cells %(cells)s, the fewest moves are %(moves)s",
                mine=str(found.get(cells)),
                cells=cells,
                moves=moves,
            )
    return ""


def _never_above(tried: Tried) -> str:
    value = tried.outcome.value
    moves = distances(tried.case.args["goal"]).get(tried.case.args["board"])
    if isinstance(value, (int, float)) and moves is not None and value > moves + ROUNDING_TOLERANCE:
        return message(
            "returns %(value)s, above the %(moves)s moves left", value=str(value), moves=moves
        )
    if isinstance(value, (int, float)):
        return ""
    return message("returns %(value)s, no number", value=text_of(value))


def _additive(tried: Tried) -> str:
    """No value of a group's table is above the fewest moves of its tiles alone."""
    found, right = _table(tried), _right_table(tried)
    if found is None:
        return message("returns no dictionary")
    for cells, moves in right.items():
        mine = found.get(cells)
        if not isinstance(mine, (int, float)) or mine > moves + ROUNDING_TOLERANCE:
            return message(
                "has %(mine)s for the cells %(cells)s, where %(moves)s moves of the tiles "
                "are enough",
                mine=str(mine),
                cells=cells,
                moves=moves,
            )
    return ""


def _ordered_boards(tried: Tried) -> list[Cells]:
    """Return the first expanded boards. Raises `Unjudged` if they are too few to show an order."""
    boards = tried.expanded[: order.MOST]
    if len(boards) < order.FEWEST:
        raise Unjudged(message("too few expansions show an order"))
    return boards


def _breadth_first(tried: Tried) -> str:
    """Boards are expanded by their depth, whatever the order of equal boards."""
    boards = _ordered_boards(tried)
    late = _late_boards(tried, boards, lambda board, after: 1)
    if not late:
        if order.order_of(tried.start, tried.goal, boards) == order.DEPTH_FIRST:
            return message("goes on from the newest board")
        return _begins_rounds(tried)
    board, depth, before = late[0]
    if depth is None:
        return _not_reached(board)
    return message(
        "expands %(board)s at depth %(depth)s, after a board at depth %(before)s",
        board=board_text(board),
        depth=depth,
        before=before,
    )


def _cheapest_first(tried: Tried) -> str:
    """Boards are expanded by the cost of their paths; in other forms each move may cost 1."""
    boards = _ordered_boards(tried)
    late = _late_boards(tried, boards, move_cost)
    if not late or not (tried.own or _late_boards(tried, boards, lambda board, after: 1)):
        return ""
    board, cost, before = late[0]
    if cost is None:
        return _not_reached(board)
    return message(
        "expands %(board)s, whose path costs %(cost)s, after a board whose path costs %(before)s",
        board=board_text(board),
        cost=cost,
        before=before,
    )


def _late_boards(
    tried: Tried, boards: list[Cells], cost: Callable[[Cells, Cells], int]
) -> list[tuple[Cells, int | None, int]]:
    """Return the boards that a search by cost would have expanded earlier, [] for a few of them.

    A witness other than the given `neighbors` may miss expansions.
    """
    if boards[0] not in (tried.start, tried.goal):
        return []
    late = order.late_boards(boards, cost)
    if tried.outcome.witness != GIVEN:
        late = [one for one in late if one[1] is not None]
    fewest = 1 if tried.outcome.witness == GIVEN else FEWEST_AGAIN
    return late if len(late) >= max(fewest, (1 - order.CHAIN) * len(boards)) else []


def _not_reached(board: Cells) -> str:
    return message(
        "expands %(board)s, which it has not reached from the start", board=board_text(board)
    )


def _one_path(tried: Tried) -> str:
    """A single search goes on from the board before, or from a board on the path to it."""
    boards = _ordered_boards(tried)
    return _jumps(tried, boards) or _begins_rounds(tried)


def _begins_rounds(tried: Tried) -> str:
    # A root is a board that comes from no other, as the start of each round does.
    roots = tried.outcome.parents[: order.MOST].count(-1)
    return message("begins again at the start") if roots > 1 else ""


def _depth_first(tried: Tried) -> str:
    """Each path is followed only once."""
    found = _one_path(tried)
    if found or not order.enters_again(_ordered_boards(tried)):
        return found
    return message("goes on again from boards that it has left")


def _in_rounds(tried: Tried, spare: int = 0) -> str:
    """The search has rounds along paths, at most `spare` fewer than the reference."""
    boards = tried.expanded
    _ordered_boards(tried)
    rounds = order.rounds_of(boards)
    for one in rounds:
        if found := _jumps(tried, one[: order.MOST]):
            return found
    needed = tried.reference.boards(len(tried.start)).count(tried.start) - spare
    if tried.outcome.stopped:
        # Of a stopped search only the first rounds are sure.
        needed = min(needed, 2 if len(boards) > LONG else 1)
    if len(rounds) < needed and tried.draw.h:
        return message(
            "rounds begun: %(rounds)s, where %(needed)s are needed",
            rounds=len(rounds),
            needed=needed + spare,
        )
    return ""


def _other_search(tried: Tried, exercise: str) -> str:
    """Return the search without an estimate that the expansions of a best-first search show."""
    boards = tried.expanded
    if order.order_of(tried.start, tried.goal, boards) == order.BREADTH_FIRST:
        return order.BREADTH_FIRST
    rounds = order.rounds_of(boards) if boards and exercise != "idastar" else []
    is_iterative = len(rounds) > DEEPENING and all(map(order.follows_paths, rounds))
    return order.ITERATIVE if is_iterative and len(boards) >= order.FEWEST else ""


def _jumps(tried: Tried, boards: Sequence[Cells]) -> str:
    """Each board is a move from the board before it, or from a board on the path to it."""
    board = order.first_jump(boards)
    if board is None:
        return ""
    # In a recursion that ends at the goal, the expansions on its path are not seen.
    if tried.answer.found and tried.outcome.witness.endswith(RECURSION):
        shown = order.order_of(tried.start, tried.goal, tried.expanded)
        return _other_order(shown) if shown in (order.BREADTH_FIRST, order.A_STAR) else ""
    return message(
        "expands %(board)s, which is no move from the board before it, nor from one on the path",
        board=board_text(board),
    )


def _other_order(named: str) -> str:
    return message("expands in the order of another search: %(order)s", order=named)


def _local(tried: Tried, test: Callable[[local.BoardPath], str]) -> str:
    boards = local.boards_of(tried.outcome.value)
    if boards is None:
        return message("returns %(value)s, no list of boards", value=text_of(tried.outcome.value))
    walk = local.BoardPath(boards, tried.case.args)
    return local.path(walk) or test(walk)


_SEARCH = {
    "path": _path,
    "shortest": _shortest,
    "inconsistent": _shortest,
    "once": _once,
    "none": _none,
    "found": _found,
    "within": _within,
    "simple": _simple,
    "cheapest": _cheapest,
    "lowest": _lowest,
    "bound": _bound,
    "rounds": _rounds,
}
_OTHER = {
    "legal": _legal,
    "complete": _complete,
    "unchanged": _unchanged,
    "every": _every,
    "admissible": _never_above,
    "exact": _exact,
    "additive": _additive,
}
_OWN: dict[tuple[str, str], Callable[[Tried], str]] = {
    ("bfs", "algorithm"): _breadth_first,
    ("dfs", "once"): _once_in_depth,
    ("dfs", "algorithm"): _depth_first,
    ("iddfs", "algorithm"): partial(_in_rounds, spare=2),
    ("ucs", "algorithm"): _cheapest_first,
    ("idastar", "algorithm"): _in_rounds,
    ("rbfs", "algorithm"): _one_path,
    ("rbfs", "bound"): _few,
    ("idastar", "within"): _bound,
    ("pattern_table", "complete"): _placings,
}


def fault(exercise: str, check: str, tried: Tried) -> str:
    """Return how a call fails a check, "" if it passes. Raises `Unjudged`."""
    searches = "start" in tried.case.args
    usual = (_SEARCH if searches else _OTHER).get(check, _equal)
    # An exercise can have its own meaning of a check.
    test = _OWN.get((exercise, check), usual)
    ended = _ended(tried)
    if ended and not (searches and _is_far_over(tried) and tried.draw.limit):
        return ended
    # The expansions before the limit show an order; a path could still follow.
    if ended and test in _OF_RESULT and not goes_in_circles(tried):
        raise Cut(ended)
    if ended and not (test in _OF_EXPANSIONS or check == "algorithm"):
        return ended
    if exercise in local.CHECKS:
        return _local(tried, local.CHECKS[exercise][check])
    if test in (_bound, _lowest) and not tried.draw.h and (shown := _other_search(tried, exercise)):
        return _other_order(shown)
    found = test(tried)
    if found and test in _OF_MANHATTAN and not tried.draw.h:
        raise Unjudged(OWN_ESTIMATE)
    return found


def is_of_expansions(exercise: str, check: str) -> bool:
    """Return whether a check of a search compares its expansions, not its result."""
    return check == "algorithm" or _OWN.get((exercise, check), _SEARCH.get(check)) in _OF_EXPANSIONS


_OF_RESULT = (_path, _simple)
"""Checks of a result alone."""

_OF_EXPANSIONS = (_once, _once_in_depth, _lowest, _bound, _rounds, _few)
"""Checks of expansions alone, as `algorithm`."""

_OF_MANHATTAN = (_bound, _rounds, _few)
"""Checks that apply only with the given estimate."""
