"""The properties of local searches, shown by the boards that they went through.

Simulated annealing is random, so its checks have limits that a right program passes by chance
alone with a probability above 1 - 1e-9 in all cases of a seed together.
"""

from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from math import exp, log, sqrt
from typing import Any, Final, NamedTuple

from slidewise.course.programs.boards import ESTIMATES, Cells, board_of, board_text, neighbors
from slidewise.text import message

COLD, WARM, HOT = 0.01, 0.5, 1000.0
"""Temperatures at which a rise of h by 1 has the probabilities e^-100, 0.14 and 0.999."""

MIN_ACCEPTED: Final = 0.9
"""Minimum share of accepted moves when hot: of 400 steps or more, a right program refuses a tenth
with a probability of 1e-65."""

MIN_RISES: Final = 20
"""Minimum rises in 200 hot steps: 180 are accepted, and at most 24 more moves fall than rise."""

CHANCE: Final = 1e-11
"""Maximum probability with which a right program fails a count of `_is_biased`, of ten in all."""


class BoardPath(NamedTuple):
    """The boards that a search returned, and the arguments of its call."""

    boards: list[Cells]
    args: dict[str, Any]

    def h(self, board: Cells) -> int:
        """Return the estimate of a board."""
        return ESTIMATES[self.args["h"]](board, self.args["goal"])

    @property
    def steps(self) -> int:
        """The number of temperatures."""
        return sum(steps for _, steps in self.args["temperatures"])

    @property
    def is_at_goal(self) -> bool:
        """Whether the last board is the goal."""
        return bool(self.boards[-1] == self.args["goal"])


def boards_of(value: Any) -> list[Cells] | None:
    """Return the boards of a result in the form of the task, None for any other result."""
    if not isinstance(value, list) or not value or board_of(value):
        return None
    boards = [board_of(one) for one in value]
    return [one for one in boards if one] if all(boards) else None


def path(walk: BoardPath) -> str:
    """Return the fault of boards that are no path from the start, or ""."""
    if walk.boards[0] != walk.args["start"]:
        first = board_text(walk.boards[0])
        return message("the path begins at %(board)s, not at the start", board=first)
    for board, after in pairwise(walk.boards):
        if board == after:
            return message("%(board)s stands twice in a row", board=board_text(board))
        if after not in neighbors(board):
            return message("two boards are not one move apart")
    return ""


def _lower(walk: BoardPath) -> str:
    for board, after in pairwise(walk.boards):
        if walk.h(after) >= walk.h(board):
            return message(
                "goes from h = %(h)s to h = %(after)s", h=walk.h(board), after=walk.h(after)
            )
    return ""


def _steepest(walk: BoardPath) -> str:
    for board, after in pairwise(walk.boards):
        least = min(map(walk.h, neighbors(board)))
        if walk.h(after) > least:
            return message(
                "goes from %(board)s to h = %(h)s, where a neighbor has %(least)s",
                board=board_text(board),
                h=walk.h(after),
                least=least,
            )
    return ""


def _stuck(walk: BoardPath) -> str:
    last = walk.boards[-1]
    least = min(map(walk.h, neighbors(last)))
    if least < walk.h(last):
        return message(
            "ends at %(board)s with h = %(h)s, where a neighbor has %(least)s",
            board=board_text(last),
            h=walk.h(last),
            least=least,
        )
    return ""


def _goal(walk: BoardPath) -> str:
    if walk.args["goal"] in walk.boards[:-1]:
        return message("goes on from the goal")
    # Of 12 boards in a ring: 1,000 hot steps miss the goal with a probability of 1e-15.
    if len(walk.args["goal"]) == 4 and not walk.is_at_goal:
        return message("does not come to the goal in %(steps)s steps", steps=walk.steps)
    return ""


def _cold(walk: BoardPath) -> str:
    # A cold step rises with a probability of 4e-44. It goes to a lower board, if there is one, with
    # a probability of 1/4 at least: 300 steps have fewer than 24 falls with one of 1e-14.
    return _lower(walk) or _stuck(walk)


def _hot(walk: BoardPath) -> str:
    moves = len(walk.boards) - 1
    if moves < MIN_ACCEPTED * walk.steps and not walk.is_at_goal:
        return message(
            "makes %(moves)s moves in %(steps)s steps at the temperature %(temperature)s",
            moves=moves,
            steps=walk.steps,
            temperature=HOT,
        )

    def direction(board: Cells, after: Cells) -> int:
        return after.index(0) - board.index(0)

    return message("does not go to all neighbors alike") if _is_biased(walk, direction) else ""


def _chance(walk: BoardPath) -> str:
    def rises(board: Cells, after: Cells) -> bool:
        return walk.h(after) > walk.h(board)

    if not _is_biased(walk, rises):
        return ""
    return message(
        "goes to a higher h %(number)s times in %(steps)s steps at the temperature "
        "%(temperature)s, which e^(-rise / temperature) does not give",
        number=sum(rises(*pair) for pair in pairwise(walk.boards)),
        steps=walk.steps,
        temperature=WARM,
    )


def _is_biased(walk: BoardPath, kind: Callable[[Cells, Cells], int]) -> bool:
    """Return whether a kind of move is more or less frequent than chance allows.

    At each move the next board is drawn among the neighbors in proportion to their probabilities of
    being accepted. The sum of the differences from the mean is a martingale, whose steps have a
    range of 1, so by Azuma and Hoeffding it stays within sqrt(n ln(2 / p) / 2) of 0 in all n steps
    but with the probability p.
    """
    ((temperature, _),) = walk.args["temperatures"]
    totals = defaultdict[int, float](float)
    for board, after in pairwise(walk.boards):
        weights = defaultdict[int, float](float)
        for one in neighbors(board):
            rise = walk.h(one) - walk.h(board)
            weights[kind(board, one)] += exp(min(0, -rise) / temperature)
        for each, weight in weights.items():
            totals[each] -= weight / sum(weights.values())
        totals[kind(board, after)] += 1
    most = sqrt(walk.steps * log(2 / CHANCE) / 2)
    return any(abs(total) > most for total in totals.values())


def _order(walk: BoardPath) -> str:
    moves = len(walk.boards) - 1
    if moves > walk.steps:
        return message("makes %(moves)s moves in %(steps)s steps", moves=moves, steps=walk.steps)
    first, last = walk.args["temperatures"][0][0], walk.args["temperatures"][-1][0]
    if first > last:  # as many cold steps as in `_cold`, from any board
        return _stuck(walk)
    rises = sum(walk.h(after) > walk.h(board) for board, after in pairwise(walk.boards))
    if rises < MIN_RISES and not walk.is_at_goal:
        return message(
            "goes to a higher h %(number)s times, although the last temperature is %(temperature)s",
            number=rises,
            temperature=last,
        )
    return ""


CHECKS: Final[dict[str, dict[str, Callable[[BoardPath], str]]]] = {
    "hill_climbing": {"path": path, "lower": _lower, "steepest": _steepest, "stuck": _stuck},
    "annealing": {
        "path": path,
        "goal": _goal,
        "cold": _cold,
        "hot": _hot,
        "chance": _chance,
        "order": _order,
    },
}
"""The checks of each exercise: functions of a path that return a fault, "" for a pass."""


def typed_chance(args: dict[str, Any]) -> dict[str, str]:
    """Return the arguments of annealing as Python, {} for other calls.

    >>> typed_chance({"temperatures": [(1000.0, 100), (0.01, 300)], "random": 7})
    {'temperatures': '[1000.0] * 100 + [0.01] * 300', 'random': 'Random(7)'}
    """
    if "random" not in args:
        return {}
    parts = [f"[{temperature}] * {steps}" for temperature, steps in args["temperatures"]]
    return {"temperatures": " + ".join(parts), "random": f"Random({args['random']})"}
