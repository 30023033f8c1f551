"""Mistakes that are visible in the results of a search, however its program is written.

The first rule that holds for every failing call names the mistake.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush, nlargest
from itertools import pairwise, product
from operator import ne
from typing import Any, Final, NamedTuple

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

Estimate = Callable[[Cells, Cells], Any]

HEAP_COSTS: Final = {"astar": (one_move,), "greedy": (one_move,), "ucs": (move_cost, one_move)}
"""Possible costs of a move, by the searches that may find a cheaper path to a board that waits."""

Priority = Callable[[Any, Any], Any]
"""The priority of a board by its moves g and its estimate h; the lowest is expanded first."""

Step = Callable[[Any, Any, int], Any]
"""The g of a successor, by the g and the priority of its parent and the number of expansions."""


def _of_tiles(distance: Callable[[int, int, int, int], float]) -> Estimate:
    """Return the sum of a function of each tile, and of its rows, columns and cells from home."""

    def estimate(board: Cells, goal: Cells) -> float:
        _, cols = shape_of(len(goal))
        total = 0.0
        for cell, tile in enumerate(board):
            home = goal.index(tile)
            rows, columns = abs(cell // cols - home // cols), abs(cell % cols - home % cols)
            total += distance(tile, rows, columns, abs(cell - home))
        return total

    return estimate


def _inversions(board: Cells, goal: Cells) -> int:
    order = [goal.index(tile) for tile in board if tile]
    return sum(one > other for i, one in enumerate(order) for other in order[i:])


def _cells(board: Cells, goal: Cells) -> Cells:
    return board


def _cells_blank_last(board: Cells, goal: Cells) -> Cells:
    return tuple(cell or len(board) for cell in board)


class SearchOrder(NamedTuple):
    """An order of a best-first search: its priority, and its `step` to the g of a successor.

    Its estimate is among `estimates`, or a usual estimate if there are none.
    """

    priority: Priority
    step: Step = lambda g, _, __: g + 1
    estimates: tuple[Estimate, ...] = ()


def _weighted(weight: float) -> Priority:
    return lambda g, h: g + weight * h


RIGHT: Final = {"astar": SearchOrder(lambda g, h: g + h), "greedy": SearchOrder(lambda _, h: h)}
BY_COST: Final = SearchOrder(lambda g, _: g)
WRONG: Final[tuple[tuple[str, SearchOrder], ...]] = (
    ("h-as-f", RIGHT["greedy"]),
    *(("double-h", SearchOrder(_weighted(weight))) for weight in (1.5, 2, 3, 4, 5, 10)),
    ("moves-subtracted", SearchOrder(lambda g, h: h - g)),
    ("highest-first", SearchOrder(lambda g, h: -g - h)),
    ("highest-first", SearchOrder(lambda _, h: -h)),
    ("g-adds-h", SearchOrder(lambda g, h: g + h, lambda _, f, __: f + 1)),
    ("g-counts-expansions", SearchOrder(lambda g, h: g + h, lambda _, __, expanded: expanded)),
    ("board-first", SearchOrder(lambda _, h: h, estimates=(_cells, _cells_blank_last))),
)
WRONG_ESTIMATES: Final[dict[str, tuple[Estimate, ...]]] = {
    "manhattan-with-blank": (_of_tiles(lambda tile, rows, columns, cells: rows + columns),),
    "misplaced-with-blank": (_of_tiles(lambda tile, rows, columns, cells: cells > 0),),
    "squared": (_of_tiles(lambda tile, rows, columns, cells: tile and rows**2 + columns**2),),
    "index-distance": (_of_tiles(lambda tile, rows, columns, cells: tile and cells),),
    "inversions": (_inversions,),
    "not-admissible": (
        lambda board, goal: manhattan(board, goal) + misplaced(board, goal),
        lambda board, goal: manhattan(board, goal) ** 2,
        _of_tiles(lambda tile, rows, columns, cells: tile * (cells > 0)),
        _of_tiles(lambda tile, rows, columns, cells: tile * (rows + columns)),
    ),
}
ERRORS: Final = {
    "entries-not-comparable": re.compile("^'<' not supported between instances of"),
    "arrays-compared": re.compile("truth value of an array"),
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
    for key, shows in SHOWN.items():
        if shows(tried, failing):
            return key
    deepening = exercise.key in DEEPENING
    if all(map(_ended, failing)):
        with_path = [one for one in failing if _boards(one)] or failing
        for key, holds in PATH_RULES.items():
            # Wrong moves lead to other boards, from which there may be no path.
            shown = with_path if key in WRONG_MOVES else failing
            # A search that finds longer paths goes on after its start.
            if all(map(holds, shown)) and not (key == "ends-at-once" and _goes_on(tried)):
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
        return "goal-not-seen" if all(map(_leaves_goal, failing)) else "result-lost"
    for cost in HEAP_COSTS.get(exercise.key, ()):
        if all(_takes_old_entries(one, cost) for one in failing):
            return "old-entries"
    return _by_order(exercise, tried, failing)


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


def _jumps(kind: Callable[[int, int, int], bool], one: Tried) -> bool:
    """Return whether each illegal step on a path moves the blank by a kind of jump.

    `kind` is a function of the rows, columns and cells between the places of the blank.
    """
    boards = _boards(one)
    if not boards or boards[0] != one.start or boards[-1] != one.goal:
        return False
    _, cols = shape_of(len(one.start))
    illegal = [(a, b) for a, b in pairwise(boards) if b not in neighbors(a)]
    illegal += [one.jump] if one.outcome.jump else []
    for board, after in illegal:
        blank, cell = board.index(0), after.index(0)
        if sum(map(ne, board, after)) != 2 or board[cell] != after[blank]:
            return False
        places = zip(divmod(blank, cols), divmod(cell, cols), strict=True)
        down, across = (abs(a - b) for a, b in places)
        if not kind(down, across, abs(blank - cell)):
            return False
    return bool(illegal)


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


def _only_prints(one: Tried) -> bool:
    return one.answer.printed and one.outcome.value is None and not one.outcome.jump


def _ends_elsewhere(one: Tried) -> bool:
    """Return whether a path leads elsewhere, where no path leads to the goal."""
    boards = _boards(one)
    legal = bool(boards) and boards[0] == one.start and is_legal_path(boards)
    return legal and not has_answer(one.case)


PATH_RULES: Final[dict[str, Callable[[Tried], bool]]] = {
    "printed-only": _only_prints,
    "path-reversed": lambda one: _is_reversed(one) or _has_reversed_moves(one),
    "path-without-first": _lacks_start,
    "path-without-last": _lacks_goal,
    "sides-swapped": _swaps_sides,
    "wraps-at-row-ends": partial(_jumps, lambda rows, columns, cells: cells == 1),
    "diagonal": partial(_jumps, lambda rows, columns, cells: rows == columns == 1),
    "around-the-board": partial(_jumps, lambda rows, columns, cells: not (rows and columns)),
    "square-width": lambda one: (
        len(one.start) == 6 and _jumps(lambda rows, columns, cells: cells <= 2, one)
    ),
    "goal-alone": _is_goal_alone,
    "start-alone": lambda one: _boards(one) == [one.start] != [one.goal],
    "last-path-returned": _ends_elsewhere,
    "boards-left-out": _skips_boards,
    "first-row": _ends_at_first_row,
    "other-goal": _goes_to_usual_goal,
    "dead-ends-stay": _has_dead_ends,
    "ends-at-once": _ends_at_once,
}


WRONG_MOVES: Final = ("wraps-at-row-ends", "diagonal", "around-the-board", "square-width")


def misses_goal(failing: Sequence[Tried]) -> bool:
    """Return whether all calls expand boards that they have reached only through the goal."""
    return bool(failing) and all(map(_goes_through_goal, failing))


def _goes_through_goal(one: Tried) -> bool:
    seen = set[Cells]()
    boards = one.outcome.boards(len(one.start))
    for board in boards if one.goal in boards and not one.answer.found else ():
        if one.goal in seen and set(neighbors(board)) & seen == {one.goal}:
            return True
        seen.add(board)
    return False


def _gives_up(tried: Sequence[Tried], failing: Sequence[Tried]) -> bool:
    """Return whether all calls end without a path after a number of expansions."""
    numbers = [one.outcome.expansions for one in failing if _misses_path(one)]
    others = [one.outcome.expansions for one in tried if one.answer.found]
    return (
        len(failing) == len(numbers) >= FEWEST_CALLS
        and others != []
        # A number of stored boards is reached after nearly the same number of expansions.
        and max(*numbers, *others) <= 1.1 * min(numbers) + 1
        and min(numbers) >= FEWEST_EXPANSIONS
    )


def _refuses(tried: Sequence[Tried], failing: Sequence[Tried]) -> bool:
    """Return whether calls find no path and expand no board, while others search."""
    searched = any(one.answer.found and one.outcome.expansions > 1 for one in tried)
    return searched and all(_misses_path(one) and not one.outcome.expansions for one in failing)


def _misses_path(one: Tried) -> bool:
    return _ended(one) and not one.answer.found and has_answer(one.case)


def _returns_sign(tried: Sequence[Tried], failing: Sequence[Tried]) -> bool:
    """Return whether the result is a word, always the same, where the limit allows no path."""
    words = {one.outcome.value for one in failing if isinstance(one.outcome.value, str)}
    refused = not any(has_answer(one.case) or one.answer.boards for one in failing)
    return refused and len(words) == 1 and isinstance(failing[0].outcome.value, str)


def _overwrites(tried: Sequence[Tried], failing: Sequence[Tried]) -> bool:
    """Return whether calls go on without an end exactly where overwritten parents go round."""
    calls = [one for one in tried if one.outcome.witness and has_answer(one.case)]
    stopped = [one.outcome.stopped for one in calls]
    return (
        any(stopped)
        and [_leads_round(one) for one in calls] == stopped
        and (all(one.outcome.stopped for one in failing))
    )


def _leads_round(one: Tried) -> bool:
    """Return whether the last parents that the expansions give each board lead round."""
    expanded = [board for board in one.expanded if board != one.goal]
    parents = {after: board for board in expanded for after in neighbors(board)}
    board, seen = one.goal, set[Cells]()
    while board in parents and board not in seen:
        seen.add(board)
        board = parents[board]
    return board in seen


SHOWN: Final[dict[str, Callable[[Sequence[Tried], Sequence[Tried]], bool]]] = {
    "gives-up": _gives_up,
    "refuses": _refuses,
    "cutoff-as-path": _returns_sign,
    "overwritten": _overwrites,
}
"""Mistakes that all calls and the failing calls show together."""


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


def _leaves_goal(one: Tried) -> bool:
    """Return whether the successors of the goal are generated."""
    by_function = one.outcome.witness.endswith(")")
    return by_function and one.goal in one.outcome.boards(len(one.goal))


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


def _by_order(exercise: Exercise, tried: Sequence[Tried], failing: Sequence[Tried]) -> str:
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
    if exercise.key not in (*RIGHT, "ucs", "bfs"):
        return ""
    calls = nlargest(MOST_CALLS, calls, key=lambda one: min(one.outcome.expansions, order.MOST))
    if not any(one.answer.found for one in failing) and all(map(_never_goes_back, calls)):
        return "no-alternatives"
    usual = (manhattan,) if calls[0].draw.h else (manhattan, misplaced)
    right = RIGHT.get(exercise.key, BY_COST)
    # The right order excludes all mistakes below.
    if _is_followed(calls, right, usual, share=1):
        return "goal-early" if all(map(_ends_at_generated_goal, failing)) else ""
    if _is_followed(calls, right, usual, share=1, lowers=(False,)):
        return "closed-early"
    rankings = [*WRONG]
    if right == BY_COST:
        rankings = [("highest-first", SearchOrder(lambda g, _: -g)), WRONG[-1]]
    elif not calls[0].draw.h:
        rankings += [(key, right._replace(estimates=one)) for key, one in WRONG_ESTIMATES.items()]
    # A wrong priority can be combined with the mistake "closed-early".
    for key, ranking in rankings:
        if _is_followed(calls, ranking, ranking.estimates or usual, lowers=(True, False)):
            return key
    return UNINFORMED.get(shown.pop(), "") if len(shown) == 1 else ""


def _ends_at_generated_goal(one: Tried) -> bool:
    """Return whether a path is too long, and ends with the board that was expanded last."""
    length = one.answer.length or 0
    return length > (one.best.length or length) and _boards(one)[-2:-1] == one.expanded[-1:]


def _is_followed(
    calls: Sequence[Tried],
    ranking: SearchOrder,
    estimates: Sequence[Estimate],
    share: float = ALIKE,
    lowers: Sequence[bool] = (True,),
) -> bool:
    """Return whether a share of the calls follow a ranking, all with the same estimate."""
    return any(
        sum(follows(one, h, ranking, lowers=low) for one in calls) >= share * len(calls)
        for h, low in product(estimates, lowers)
    )


def _never_goes_back(one: Tried) -> bool:
    """Return whether each expanded board is a move from the board expanded before it."""
    return all(after in neighbors(board) for board, after in pairwise(one.expanded))


def _is_dropped(
    entry: tuple[Any, Cells, Any], known: dict[Cells, tuple[Any, Any]], expanded: set[Cells]
) -> bool:
    """Return whether an entry of a heap adds no board.

    An expansion whose successors were all expanded before may not be seen.
    """
    _, board, g = entry
    return board in expanded or g != known[board][0] or expanded.issuperset(neighbors(board))


def follows(one: Tried, h: Estimate, ranking: SearchOrder, *, lowers: bool = True) -> bool:
    """Return whether each board is expanded while no waiting board has a lower priority.

    `lowers` is true for a search that stores a board again with a lower priority. Boards of equal
    priority may come in any order. Boards that are expanded again count only once.
    """
    priority, step, _ = ranking
    known = {one.start: (0, priority(0, h(one.start, one.goal)))}
    waiting = [(known[one.start][1], one.start, 0)]
    expanded = set[Cells]()
    for board in one.expanded[: order.MOST]:
        if board in expanded:
            continue
        if board not in known:
            return False
        # Lazy deletion: entries of expanded boards, or with an old g, are dropped here.
        while waiting and _is_dropped(waiting[0], known, expanded):
            heappop(waiting)
        g, lowest = known[board]
        if waiting and waiting[0][0] < lowest:
            return False
        expanded.add(board)
        new = step(g, lowest, len(expanded))
        for after in neighbors(board):
            rank = priority(new, h(after, one.goal))
            if after not in known or (lowers and after not in expanded and rank < known[after][1]):
                known[after] = new, rank
                heappush(waiting, (rank, after, new))
    return True
