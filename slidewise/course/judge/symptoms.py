"""Mistakes that are visible in the results of a search, however its program is written.

The first rule that holds for every failing call names the mistake.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush, nlargest
from itertools import pairwise, product
from typing import Any, Final

from slidewise.course.judge import order
from slidewise.course.judge.answers import is_legal_path, is_path, letter_of, moved
from slidewise.course.judge.cases import has_answer
from slidewise.course.judge.checks import FOUND_EMPTY
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.order_checks import one_move
from slidewise.course.judge.tried import Tried, goes_in_circles
from slidewise.course.programs.boards import (
    GOES_ROUND,
    Cells,
    goal_of,
    manhattan,
    misplaced,
    move_cost,
    neighbors,
    shape_of,
)
from slidewise.course.programs.hooks import GIVEN

FEWEST_CALLS: Final = 3
FEWEST_EXPANSIONS: Final = 16
"""Minimum calls, and minimum expansions of each call, that show the order of a search."""

MOST_CALLS: Final = 6
"""Maximum calls whose order is compared, those with the most expansions."""

SIDES: Final = {"L": "R", "R": "L"}

DEEPENING: Final = ("iddfs", "idastar")
MANY_ROUNDS: Final = 40
"""Exercises that search in rounds, and rounds that never end: no board is 40 moves away."""

FEW_TICKS: Final = 300
"""Maximum ticks of a search that expands at most a single board."""

Estimate = Callable[[Cells, Cells], int]

HEAP_COSTS: Final = {"astar": (one_move,), "ucs": (move_cost, one_move)}
"""Possible costs of a move, by the searches that may find a cheaper path to a board that waits."""

Priority = Callable[[int, int], int]
"""The priority of a board by its moves g and its estimate h; the lowest is expanded first."""


def _weighted(weight: int, g: int, h: int) -> int:
    return g + weight * h


RIGHT: Final[dict[str, Priority]] = {"astar": lambda g, h: g + h, "greedy": lambda _, h: h}
WRONG: Final[dict[str, tuple[Priority, ...]]] = {
    "h-as-f": (lambda _, h: h,),
    "double-h": tuple(partial(_weighted, w) for w in (2, 3, 4, 5, 10)),
    "moves-subtracted": (lambda g, h: h - g,),
    "highest-first": (lambda g, h: -g - h, lambda _, h: -h),
}
ERRORS: Final = {
    "entries-not-comparable": re.compile("^'<' not supported between instances of"),
    "empty-not-tested": FOUND_EMPTY,
}
"""Mistakes by the message of the exception that ends a search."""

UNINFORMED: Final[dict[str, str]] = {
    order.BREADTH_FIRST: "not-sorted",
    order.DEPTH_FIRST: "a-stack",
}
"""Mistakes of a search with an estimate, by the order of its expansions."""

ALIKE: Final = 0.8
"""Minimum share of calls that follow a wrong priority for naming it."""


def common_mistake(exercise: Exercise, tried: Sequence[Tried], failing: Sequence[Tried]) -> str:
    """Return the key of the mistake that the failing calls of a search show, "" for none."""
    if not failing or exercise.local:
        return ""
    if all(one.start == one.goal for one in failing):
        return "start-is-goal"
    for key, words in ERRORS.items():
        if all(one.outcome.error and words.search(one.outcome.error.message) for one in failing):
            return key
    deepening = exercise.key in DEEPENING
    if all(map(_ended, failing)):
        for key, holds in PATH_RULES.items():
            # A search that finds longer paths goes on after its start.
            if all(map(holds, failing)) and not (key == "ends-at-once" and _goes_on(tried)):
                return key
        if deepening and all(map(_has_few_rounds, failing)):
            return "limit-steps"
    elif deepening and all(map(_has_many_rounds, failing)):
        return "limit-same"
    elif all(map(goes_in_circles, failing)):
        return "in-circles"
    if any(map(_goes_round, failing)) and all(
        _goes_round(one) or one.outcome.stopped for one in failing
    ):
        return _overwriting(failing)
    if _loses_result(tried):
        return "result-lost"
    for cost in HEAP_COSTS.get(exercise.key, ()):
        if all(_takes_old_entries(one, cost) for one in failing):
            return "old-entries"
    return _by_order(exercise, tried)


def _boards(one: Tried) -> list[Cells]:
    return one.answer.boards or []


def _ended(one: Tried) -> bool:
    return not one.outcome.error and not one.outcome.stopped


def _is_reversed(one: Tried) -> bool:
    boards = _boards(one)
    return len(boards) > 1 and is_path(boards[::-1], one.start, one.goal)


def _lacks_start(one: Tried) -> bool:
    # The reader has added a missing start.
    return bool(one.answer.note) and is_path(one.answer.boards, one.start, one.goal)


def _lacks_goal(one: Tried) -> bool:
    boards = _boards(one)
    return (
        bool(boards)
        and boards[-1] != one.goal
        and is_path([*boards, one.goal], one.start, one.goal)
    )


def _skips_boards(one: Tried) -> bool:
    boards = _boards(one)
    steps = [_distance(*pair) for pair in pairwise(boards)]
    # All gaps are of a single board; a board that stands twice is no gap.
    whole = bool(boards) and boards[-1] == one.goal and len(set(boards)) == len(boards)
    return whole and 2 in steps and 3 not in steps


def _distance(board: Cells, after: Cells) -> int:
    """Return the moves between two boards, 3 for more than 2."""
    if after in neighbors(board):
        return 1
    return 2 if any(after in neighbors(one) for one in neighbors(board)) else 3


def _ends_at_first_row(one: Tried) -> bool:
    boards = _boards(one)
    _, width = shape_of(len(one.goal))
    return (
        bool(boards)
        and boards[0] == one.start
        and boards[-1] != one.goal
        and boards[-1][:width] == one.goal[:width]
        and is_legal_path(boards)
    )


def _goes_to_usual_goal(one: Tried) -> bool:
    boards, usual = _boards(one), goal_of(shape_of(len(one.goal)))
    return one.goal != usual and is_path(boards, one.start, usual)


def _has_dead_ends(one: Tried) -> bool:
    """Return whether a list leads to the goal, but goes on from boards that it had left."""
    boards = _boards(one)
    if not boards or boards[0] != one.start or boards[-1] != one.goal or is_legal_path(boards):
        return False
    return all(not set(boards[:i]).isdisjoint(neighbors(boards[i])) for i in range(1, len(boards)))


def _jumps_rows(one: Tried) -> bool:
    boards = _boards(one)
    if not boards or boards[0] != one.start or boards[-1] != one.goal:
        return False
    illegal = [(a, b) for a, b in pairwise(boards) if b not in neighbors(a)]
    return bool(illegal) and all(_is_jump(a, b) for a, b in illegal)


def _is_jump(board: Cells, after: Cells) -> bool:
    """Return whether the blank goes from the end of a row to the start of the next, or back."""
    cells = [i for i, (a, b) in enumerate(zip(board, after, strict=True)) if a != b]
    return len(cells) == 2 and cells[1] - cells[0] == 1 and board.index(0) in cells


def _moves(one: Tried, change: Callable[[list[Any]], list[Any]]) -> bool:
    """Return whether the returned moves lead to the goal after a change."""
    for value in _lists(one.outcome.value):
        found = moved(change(value), one.start, one.goal)
        if found and found[-1] == one.goal and len(found) == len(value) + 1:
            return True
    return False


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, str):
        yield list(value)
    if isinstance(value, list) and value:
        if all(isinstance(one, (str, int)) for one in value):
            yield value
        else:
            for one in value[:3]:
                yield from _lists(one)


def _has_reversed_moves(one: Tried) -> bool:
    return _moves(one, lambda value: value[::-1])


def _swaps_sides(one: Tried) -> bool:
    def swapped(value: list[Any]) -> list[Any]:
        letters = [letter_of(word) if isinstance(word, str) else None for word in value]
        return [SIDES.get(letter or "", letter) for letter in letters]

    return _moves(one, swapped)


def _ends_at_once(one: Tried) -> bool:
    outcome = one.outcome
    # A witness that sees a successor at a time may have seen only the first.
    several = outcome.witness == GIVEN or any(len(set(made)) > 1 for made in outcome.orders)
    one_seen = outcome.expansions == 1 and several
    few = one_seen or (not outcome.witness and outcome.ticks <= FEW_TICKS)
    return not one.answer.found and few and one.start != one.goal


def _goes_on(tried: Sequence[Tried]) -> bool:
    return any((one.answer.length or 0) > 1 for one in tried)


def _is_goal_alone(one: Tried) -> bool:
    return one.answer.boards == [one.goal] and one.start != one.goal


PATH_RULES: Final[dict[str, Callable[[Tried], bool]]] = {
    "printed-only": lambda one: one.answer.printed and one.outcome.value is None,
    "path-reversed": lambda one: _is_reversed(one) or _has_reversed_moves(one),
    "path-without-first": _lacks_start,
    "path-without-last": _lacks_goal,
    "sides-swapped": _swaps_sides,
    "wraps-at-row-ends": _jumps_rows,
    "goal-alone": _is_goal_alone,
    "boards-left-out": _skips_boards,
    "first-row": _ends_at_first_row,
    "other-goal": _goes_to_usual_goal,
    "dead-ends-stay": _has_dead_ends,
    "ends-at-once": _ends_at_once,
}


def _goes_round(one: Tried) -> bool:
    """Return whether the parents of a search lead round in a circle."""
    return bool(one.outcome.error and one.outcome.error.message == GOES_ROUND)


def _overwriting(failing: Sequence[Tried]) -> str:
    """Return the mistake that overwrites parents, by the boards that are expanded again."""
    expanded = [one.outcome.boards(len(one.start)) for one in failing]
    # A board that is marked when it is expanded stays so; only an unmarked start comes back.
    if any(boards.count(one.start) > 1 for one, boards in zip(failing, expanded, strict=True)):
        return "not-marked"
    again = any(len(set(boards)) < len(boards) for boards in expanded)
    return "" if again else "overwritten"


def _loses_result(tried: Sequence[Tried]) -> bool:
    """Return whether no call returns a path, although the expansions reach the goal."""
    calls = [one for one in tried if one.start != one.goal and has_answer(one.case)]
    if any(one.answer.found for one in calls):
        return False
    ended = [one for one in calls if _ended(one) and one.outcome.witness]
    return len(ended) >= FEWEST_CALLS and all(map(_reaches, ended))


def _takes_old_entries(one: Tried, cost: Callable[[Cells, Cells], int]) -> bool:
    """Return whether boards are expanded again, each as often as the search stored it at most.

    A board may be stored again until it is expanded, or if a cheaper path to it is found.
    """
    lowest, entries, expanded = {one.start: 0}, Counter([one.start]), Counter[Cells]()
    for board in one.expanded if one.outcome.witness else ():
        expanded[board] += 1
        if expanded[board] > entries[board]:
            return False
        for after in neighbors(board):
            g = lowest[board] + cost(board, after)
            if after not in expanded or g < lowest[after]:
                entries[after] += 1
            lowest[after] = min(g, lowest.get(after, g))
    return _ended(one) and expanded.total() > len(expanded)


def _has_few_rounds(one: Tried) -> bool:
    """Return whether a path is too long, and found in fewer rounds than the shortest path."""
    length, best = one.answer.length or 0, one.best.length or 0
    rounds = one.outcome.boards(len(one.start)).count(one.start)
    return length > best and 0 < rounds < one.reference.boards(len(one.start)).count(one.start)


def _has_many_rounds(one: Tried) -> bool:
    return one.outcome.boards(len(one.start)).count(one.start) >= MANY_ROUNDS


def _reaches(one: Tried) -> bool:
    return not set(neighbors(one.goal)).isdisjoint(one.expanded)


def _by_order(exercise: Exercise, tried: Sequence[Tried]) -> str:
    """Return the mistake that the order of the expansions shows, "" for none."""
    calls = [
        one
        for one in tried
        if one.outcome.witness
        and one.outcome.expansions >= FEWEST_EXPANSIONS
        and len(one.start) == len(one.goal)
    ]
    if len(calls) < FEWEST_CALLS:
        return ""
    shown = {order.order_of(one.start, one.goal, one.expanded) for one in calls}
    if exercise.key == "dfs" and shown == {order.BREADTH_FIRST}:
        return "queue-for-stack"
    if exercise.key == "bfs" and shown == {order.DEPTH_FIRST}:
        return "stack-for-queue"
    if exercise.key not in RIGHT:
        return ""
    calls = nlargest(MOST_CALLS, calls, key=lambda one: min(one.outcome.expansions, order.MOST))
    estimates = (manhattan,) if calls[0].draw.h else (manhattan, misplaced)
    right = RIGHT[exercise.key]
    # The right order excludes all mistakes below.
    for h in estimates:
        if all(follows(one, h, right) for one in calls):
            return ""
        if all(follows(one, h, right, lowers=False) for one in calls):
            return "closed-early"
    for key, priorities in WRONG.items():
        # A wrong priority can be combined with the mistake "closed-early".
        for priority, h, lowers in product(priorities, estimates, (True, False)):
            alike = sum(follows(one, h, priority, lowers=lowers) for one in calls)
            if alike >= ALIKE * len(calls):
                return key
    return UNINFORMED.get(shown.pop(), "") if len(shown) == 1 else ""


def _is_dropped(
    entry: tuple[int, Cells, int], known: dict[Cells, int], expanded: set[Cells]
) -> bool:
    """Return whether an entry of a heap adds no board.

    An expansion whose successors were all expanded before may not be seen.
    """
    _, board, g = entry
    return board in expanded or g > known[board] or expanded.issuperset(neighbors(board))


def follows(one: Tried, h: Estimate, priority: Priority, *, lowers: bool = True) -> bool:
    """Return whether each board is expanded while no waiting board has a lower priority value.

    `lowers` is true for a search that lowers the g of a board when it finds a shorter path. Boards
    of equal priority may come in any order. Boards that are expanded again count only once.
    """
    known = {one.start: 0}
    waiting = [(priority(0, h(one.start, one.goal)), one.start, 0)]
    expanded = set[Cells]()
    for board in one.expanded[: order.MOST]:
        if board in expanded:
            continue
        if board not in known:
            return False
        # Lazy deletion: entries of expanded boards, or with an old g, are dropped here.
        while _is_dropped(waiting[0], known, expanded):
            heappop(waiting)
        g = known[board]
        if waiting[0][0] < priority(g, h(board, one.goal)):
            return False
        expanded.add(board)
        for after in neighbors(board):
            if after not in known or (lowers and after not in expanded and g + 1 < known[after]):
                known[after] = g + 1
                heappush(waiting, (priority(g + 1, h(after, one.goal)), after, g + 1))
    return True
