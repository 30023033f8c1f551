"""The properties of correct programs: each check is a function of a case and its outcome.

It returns a fault in words, or "" for a pass, or raises `Unjudged` with a reason.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from slidewise.course.judge import local, order_checks
from slidewise.course.judge.answers import FoundPath, is_legal_path
from slidewise.course.judge.cases import distances, has_answer
from slidewise.course.judge.tried import (
    NO_LIMIT,
    OWN_ESTIMATE,
    Cut,
    Tried,
    Unjudged,
    goes_in_circles,
    how_ended,
    is_far_over,
    text_of,
)
from slidewise.course.programs.boards import (
    Cells,
    board_text,
    boards_in,
    manhattan,
    move_cost,
    neighbors,
    shape_of,
)
from slidewise.text import Message, message

SHORT = 2

ENOUGH = 6
"""For results that are numbers of moves: the length up to which they must be exact, and the minimum
of calls."""

FOUND_EMPTY = re.compile("pop from|empty|^index out of range$")
"""Messages of exceptions for an empty list, queue or heap."""

ROUNDING_TOLERANCE = 1e-6
"""Maximum difference that counts as a floating-point error, as in a search."""

OF_REFERENCE = re.compile(
    " instead of |[;,] the (?:reference|shortest|cheapest|fewest) |, where |, above the "
    "|(?<=leaves out a board): "
)
"""Beginning of the part of a note with a result of the reference."""

EQUAL_TILES = message("its functions need boards without equal tiles")
NO_PATH = message("returns no path, although there is one")


def without_reference(note: str) -> str:
    """Return a note without the result of the reference.

    >>> without_reference(message("returns %(value)s instead of %(right)s", value=1, right=2))
    'returns 1'
    """
    if isinstance(note, Message):
        return message(OF_REFERENCE.split(note.template)[0], **note.values)
    return OF_REFERENCE.split(note)[0]


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


def _listed(tried: Tried) -> list[Any] | None:
    """Return the list of boards in a result, or the boards of a table by their moves."""
    value = tried.outcome.value
    if isinstance(value, dict) and "pairs" in value:
        return [board for _, board in value["pairs"]]
    return value if isinstance(value, list) else None


def _boards(tried: Tried) -> list[Cells]:
    found = _listed(tried)
    return [()] if found is None else boards_in(found)


def _legal(tried: Tried) -> str:
    if _listed(tried) is None:
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
    return _path_fault(answer, tried) or _jump_fault(tried)


def _jump_fault(tried: Tried) -> str:
    """Return the fault of a program that expands a board by an illegal move."""
    if not tried.outcome.jump:
        return ""
    board, after = tried.jump
    return message(
        "expands %(after)s after %(board)s, which is no move",
        after=board_text(after),
        board=board_text(board),
    )


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

    They are right for short paths, never below the shortest length, and have its parity; or each is
    1 too high, or 1 too low.
    """
    numbers = [
        (one.answer.number, one.best.length)
        for one in calls
        if one.answer.number is not None and one.best.length is not None
    ]
    apart = {number - moves for number, moves in numbers}
    if len(numbers) >= ENOUGH and apart in ({1}, {-1}):
        return True
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


def _none(tried: Tried) -> str:
    if not tried.answer.found:
        return _not_none(tried)
    if has_equal_tiles(tried):
        raise Unjudged(EQUAL_TILES)
    return message("returns %(value)s, but there is no path", value=text_of(tried.outcome.value))


def has_equal_tiles(tried: Tried) -> bool:
    """Return whether a call has a board with equal tiles, which functions may refuse."""
    board = tried.case.board or ()
    return len(set(board)) < len(board)


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
    "once": order_checks.once,
    "none": _none,
    "found": _found,
    "within": _within,
    "simple": _simple,
    "cheapest": _cheapest,
    "lowest": order_checks.lowest_first,
    "bound": order_checks.bound,
    "rounds": order_checks.few_rounds,
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
    ("bfs", "algorithm"): order_checks.breadth_first,
    ("dfs", "once"): order_checks.once_in_depth,
    ("dfs", "algorithm"): order_checks.depth_first,
    ("iddfs", "algorithm"): partial(order_checks.in_rounds, spare=2),
    ("ucs", "algorithm"): order_checks.cheapest_first,
    ("idastar", "algorithm"): order_checks.in_rounds,
    ("rbfs", "algorithm"): order_checks.one_path,
    ("rbfs", "bound"): order_checks.few,
    ("idastar", "within"): order_checks.bound,
    ("pattern_table", "complete"): _placings,
}


def fault(exercise: str, check: str, tried: Tried) -> str:
    """Return how a call fails a check, "" if it passes. Raises `Unjudged`."""
    searches = "start" in tried.case.args
    usual = (_SEARCH if searches else _OTHER).get(check, _equal)
    # An exercise can have its own meaning of a check.
    test = _OWN.get((exercise, check), usual)
    ended = how_ended(tried)
    error = tried.outcome.error
    # Without a path its frontier may be empty, unless it tests the parity before.
    is_own_fault = error and not tried.draw.parity and FOUND_EMPTY.search(error.message)
    if error and searches and has_equal_tiles(tried) and not is_own_fault:
        raise Unjudged(EQUAL_TILES)
    if ended and not (searches and is_far_over(tried) and tried.draw.limit):
        return ended
    # The expansions before the limit show an order; a path could still follow.
    if ended and test in _OF_RESULT and not goes_in_circles(tried):
        raise Cut(ended)
    if ended and not (test in _OF_EXPANSIONS or check == "algorithm"):
        return ended
    if exercise in local.CHECKS:
        return _local(tried, local.CHECKS[exercise][check])
    if (
        test in (order_checks.bound, order_checks.lowest_first)
        and not tried.draw.h
        and (shown := order_checks.other_search(tried, exercise))
    ):
        return order_checks.other_order(shown)
    found = test(tried)
    if found and test in _OF_MANHATTAN and not tried.draw.h:
        if test == order_checks.bound and (beyond := order_checks.beyond_the_goal(tried)):
            return beyond
        if test in _OF_ESTIMATE and not test(_with_estimate(tried, "misplaced")):
            return ""
        raise Unjudged(OWN_ESTIMATE)
    return found


def _with_estimate(tried: Tried, name: str) -> Tried:
    return replace(tried, case=tried.case._replace(args={**tried.case.args, "h": name}))


def is_of_expansions(exercise: str, check: str) -> bool:
    """Return whether a check of a search compares its expansions, not its result."""
    return check == "algorithm" or _OWN.get((exercise, check), _SEARCH.get(check)) in _OF_EXPANSIONS


_OF_RESULT = (_path, _simple)
"""Checks of a result alone."""

_OF_EXPANSIONS = (
    order_checks.once,
    order_checks.once_in_depth,
    order_checks.lowest_first,
    order_checks.bound,
    order_checks.few_rounds,
    order_checks.few,
)
"""Checks of expansions alone, as `algorithm`."""

_OF_ESTIMATE = (order_checks.bound, order_checks.lowest_first)
_OF_MANHATTAN = (*_OF_ESTIMATE, order_checks.few_rounds, order_checks.few)
"""Checks by an estimate, and checks that a program with its own estimate may fail."""
