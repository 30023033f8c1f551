"""Checks of the order in which a search expands boards, and of boards that it expands again.

Each returns a fault in words, or "" for a pass, or raises `Unjudged` with a reason.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from heapq import heappop, heappush

from slidewise.course.judge import order
from slidewise.course.judge.exercise import find_exercise
from slidewise.course.judge.tried import LONG, Large, Tried, Unjudged
from slidewise.course.programs.boards import ESTIMATES, Cells, board_text, move_cost, neighbors
from slidewise.course.programs.calls import Case
from slidewise.course.programs.hooks import GIVEN, RECURSION
from slidewise.course.programs.running import MAX_EXPANSIONS, Program
from slidewise.text import message, noop

MORE_THAN_REFERENCE = 1.3
"""Maximum expansions, as a multiple of the reference's, because ties come in any order."""

FEWEST_AGAIN = 3
"""Minimum repeated boards without a successor that show a stack with duplicates."""

MOST_IN_ROUNDS = 5 * order.MOST
"""Maximum expansions compared of a search in rounds, whose first rounds are short."""

DEEPENING = 2
"""Rounds of a search that shows more of them only if it searches by limits."""


Cost = Callable[[Cells, Cells], int]
BY_DEPTH = noop("expands %(board)s at depth %(g)s, after a board at depth %(before)s")
BY_COST = noop(
    "expands %(board)s, whose path costs %(g)s, after a board whose path costs %(before)s"
)


def once(tried: Tried) -> str:
    again = _expanded_again(tried)
    if not again:
        return ""
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


def once_in_depth(tried: Tried) -> str:
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
    return once(tried)


def lowest_first(tried: Tried) -> str:
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


def bound(tried: Tried) -> str:
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


def beyond_the_goal(tried: Tried) -> str:
    """No expanded board is farther from the start than the goal, whatever the estimate."""
    best = tried.best.length
    if best is None or best > order.REACH:
        return ""
    depths = order.distances_from(tried.start)
    for board in tried.expanded:
        if depths.get(board, order.REACH + 1) > best:
            return message(
                "expands %(board)s, which is farther from the start than the goal",
                board=board_text(board),
            )
    return ""


def few_rounds(tried: Tried) -> str:
    yours, right = tried.expanded, tried.reference.boards(len(tried.start))
    # Each round starts with the expansion of the start.
    rounds, needed = yours.count(tried.start), right.count(tried.start)
    if rounds > needed:
        return message(
            "begins %(rounds)s rounds, where %(needed)s are enough", rounds=rounds, needed=needed
        )
    return ""


def few(tried: Tried) -> str:
    boards = tried.expanded
    yours, right = tried.outcome.expansions, tried.reference.expansions
    # It goes back to the previous board, so it is compared with a reference that does so too.
    if any(board == other for board, other in zip(boards, boards[2:], strict=False)):
        right = _without_circle_test(tried.start, tried.goal)
    if yours > right * MORE_THAN_REFERENCE + 20:
        return message(
            "expands %(boards)s boards, the reference %(needed)s",
            boards=Large(yours),
            needed=Large(right),
        )
    return ""


@lru_cache(maxsize=256)
def _without_circle_test(start: Cells, goal: Cells) -> int:
    """Return the expansions of RBFS without the test for boards on its path."""
    exercise = find_exercise("rbfs")
    program = Program(exercise.target, exercise.programs[-1], hooks=False)
    args = {"start": start, "goal": goal, "h": "manhattan"}
    return program.run(Case((), args), MAX_EXPANSIONS).expansions


def _ordered_boards(tried: Tried) -> list[Cells]:
    """Return the first expanded boards. Raises `Unjudged` if they are too few to show an order."""
    boards = tried.expanded[: order.MOST]
    if len(boards) < order.FEWEST:
        raise Unjudged(message("too few expansions show an order"))
    return boards


def breadth_first(tried: Tried) -> str:
    """Boards are expanded by their depth, whatever the order of equal boards."""
    found = cheapest_first(tried, one_move, BY_DEPTH)
    if found:
        return found
    if order.order_of(tried.start, tried.goal, _ordered_boards(tried)) == order.DEPTH_FIRST:
        return message("goes on from the newest board")
    return _begins_rounds(tried)


def cheapest_first(tried: Tried, cost: Cost = move_cost, words: str = BY_COST) -> str:
    """Boards are expanded by the cost of their paths; in other forms each move may cost 1."""
    boards = _ordered_boards(tried)
    late = _late_boards(tried, boards, cost)
    if not late or not (tried.own or _late_boards(tried, boards, one_move)):
        return ""
    board, g, before = late[0]
    if g is None:
        return _not_reached(board)
    return message(words, board=board_text(board), g=g, before=before)


def one_move(board: Cells, after: Cells) -> int:
    """Return the cost of a move, where each move costs the same."""
    return 1


def _late_boards(
    tried: Tried, boards: list[Cells], cost: Cost
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


def one_path(tried: Tried) -> str:
    """A single search goes on from the board before, or from a board on the path to it."""
    boards = _ordered_boards(tried)
    return _jumps(tried, boards) or _begins_rounds(tried)


def _begins_rounds(tried: Tried) -> str:
    # A root is a board that comes from no other, as the start of each round does.
    roots = tried.outcome.parents[: order.MOST].count(-1)
    # The parents of some frontiers are not seen.
    again = roots > 1 and tried.expanded.count(tried.start) > 1
    return message("begins again at the start") if again else ""


def depth_first(tried: Tried) -> str:
    """Each path is followed only once."""
    found = one_path(tried)
    if found or not order.enters_again(_ordered_boards(tried)):
        return found
    return message("goes on again from boards that it has left")


def in_rounds(tried: Tried, spare: int = 0) -> str:
    """The search has rounds along paths, at most `spare` fewer than the reference."""
    boards = tried.expanded
    _ordered_boards(tried)
    rounds = order.rounds_of(boards)
    # A round may come back to the start, so the rounds are not compared one by one.
    if found := _jumps(tried, boards[:MOST_IN_ROUNDS]):
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


def other_search(tried: Tried, exercise: str) -> str:
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
        return other_order(shown) if shown in (order.BREADTH_FIRST, order.A_STAR) else ""
    return message(
        "expands %(board)s, which is no move from the board before it, nor from one on the path",
        board=board_text(board),
    )


def other_order(named: str) -> str:
    return message("expands in the order of another search: %(order)s", order=named)
