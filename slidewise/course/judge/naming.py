"""Names the mistake of a program, by its results or by a known wrong program that fails alike."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import permutations
from typing import Any, Final, NamedTuple

from slidewise.course.judge.answers import FoundPath
from slidewise.course.judge.cases import SQUARE, Draw, cases_of
from slidewise.course.judge.catalogue import Mistake, WrongProgram, catalogue
from slidewise.course.judge.checks import path_cost
from slidewise.course.judge.exercise import Exercise, find_exercise
from slidewise.course.judge.reference import fault_of, limit_of, references, tried_of
from slidewise.course.judge.symptoms import common_mistake, misses_goal
from slidewise.course.judge.tried import Tried
from slidewise.course.programs.boards import boards_in
from slidewise.course.programs.calls import Case
from slidewise.course.programs.running import Program
from slidewise.text import Message

ALIKE: Final = 0.79
"""Minimum agreement with a wrong program for naming its mistake."""

FAILING_CALLS: Final = 5
"""Maximum calls that fail a check, and in which a known mistake must fail too."""

ORDERS: Final = ("udlr", "rldu", "rdlu", "lrud", "urdl")
"""Orders of the blank's moves in which wrong programs are compared; the given order is first."""


def name_mistake(
    exercise: Exercise, tried: Sequence[Tried], draw: Draw, check: str, *, kept: bool
) -> Mistake | None:
    """Return the known mistake of a program that fails a check, or None.

    It is the mistake whose program behaves most like this program and fails in the same way, or a
    mistake that the results show. `kept` is true if the failing call is right in a freshly loaded
    program.
    """
    calls = [one for one in tried if check in one.case.checks and not one.case.every]
    failing = [] if kept else [one for one in calls if fault_of(exercise, check, one)]
    if exercise.is_search and misses_goal(failing):
        return catalogue()["goal-not-seen"]
    known = _known_mistake(exercise, tried, draw, check, failing)
    if known:
        return known
    key = common_mistake(exercise, tried, failing) if exercise.is_search else ""
    key = "state-kept" if kept else key
    if key or draw.h or "h" not in exercise.parameters:
        return catalogue().get(key)
    # The program may have another estimate.
    tried, failing = (_with_estimate(ones, "misplaced") for ones in (tried, failing))
    return _known_mistake(exercise, tried, draw, check, failing)


def _is_oblong(one: Tried, draw: Draw) -> bool:
    return len(one.case.board or ()) == 6 and draw.shape == SQUARE


def _with_estimate(tried: Sequence[Tried], h: str) -> list[Tried]:
    """Return the calls with an estimate, which the wrong programs then take."""
    cases = [one.case._replace(args={**one.case.args, "h": h}) for one in tried]
    return [replace(one, case=case) for one, case in zip(tried, cases, strict=True)]


def _known_mistake(
    exercise: Exercise, tried: Sequence[Tried], draw: Draw, check: str, failing: Sequence[Tried]
) -> Mistake | None:
    """Return the mistake whose program behaves most like this program, or None."""
    best, found = ALIKE, None
    # The wrong programs of functions that return values are for square boards.
    if not exercise.is_search:
        tried, failing = (
            [one for one in ones if not _is_oblong(one, draw)] for ones in (tried, failing)
        )
    ordinary = [_Compared.of(one) for one in tried if not one.case.every]
    given = "neighbors" in exercise.uses
    others = ORDERS[:1] if exercise.local else ORDERS
    for order in own_orders(exercise, tried) or others if given else ORDERS[:1]:
        for mistake in (*exercise.mistakes, *_of_square_width(exercise, draw)):
            # A program for a single goal ignores nothing.
            if mistake.key == "goal-ignored" and not draw.goals:
                continue
            for wrong in mistake.programs:
                is_square = mistake.key == "square-width"
                program = wrong if is_square else exercise.for_shape(wrong, draw.shape)
                if not tried[0].own:  # each move costs 1 in other forms
                    program = program.replace("cost(board, after)", "1")
                if exercise.local:
                    score = _same_faults(exercise, program, tried, draw, order)
                else:
                    score = _alike(exercise, program, ordinary, order, best)
                # The margin keeps the first mistake at equal scores.
                if score > best + 1e-9 and _fails_alike(exercise, program, order, check, failing):
                    best, found = score, mistake
        if found:
            return found
    return None


def _of_square_width(exercise: Exercise, draw: Draw) -> list[WrongProgram]:
    """Return the mistake of the solution for square boards, if it is for other boards."""
    if draw.shape != (2, 3) or exercise.is_search or not exercise.two_rows:
        return []
    rows = exercise.solution.replace("row < width", "row < len(board) // width")
    return [WrongProgram(**vars(catalogue()["square-width"]), programs=(exercise.solution, rows))]


def own_orders(exercise: Exercise, tried: Sequence[Tried]) -> list[str]:
    """Return an order of the four moves that fits all successor lists of a program, or [].

    A depth-first search with a stack goes on with its last successor, so it has both directions.
    """
    seen = {order for one in tried for order in one.outcome.orders if len(order) > 1}
    fitting = [
        "".join(one)
        for one in permutations("udlr")
        if all(list(order) == sorted(order, key=one.index) for order in seen)
    ]
    found = fitting[:1] if seen else []
    return [*found, *(one[::-1] for one in found if exercise.key in ("dfs", "iddfs"))]


def _fails_alike(
    exercise: Exercise, wrong: str, order: str, check: str, failing: Sequence[Tried]
) -> bool:
    """Return whether a wrong program fails most of the first failing calls in the same way."""
    program = Program(exercise.target, wrong, hooks=False)
    if order != ORDERS[0]:
        program.names["neighbors"] = ordered(program, order)
    compared = failing[:FAILING_CALLS]
    alike = 0
    for one in compared:
        ran = program.run(one.case, limit_of(one.reference, one.draw))
        mine, theirs = (
            fault_of(exercise, check, replace(one, outcome=it)) for it in (one.outcome, ran)
        )
        # The numbers in a search's fault, such as path lengths, depend on ties.
        same = _template(mine) == _template(theirs) if exercise.is_search else mine == theirs
        alike += same
    return 2 * alike >= len(compared)


def _template(words: str) -> str:
    return words.template if isinstance(words, Message) else words


def _same_faults(
    exercise: Exercise, wrong: str, tried: Sequence[Tried], draw: Draw, order: str
) -> float:
    """Return the share of calls with the same faults as in a wrong program, from 0 to 1."""
    theirs = _faults_of(exercise.key, wrong, draw, order, len(tried))
    pairs = list(zip(map(partial(_faults, exercise), tried), theirs, strict=False))
    failing = [mine == other for mine, other in pairs if any(mine) or any(other)]
    return sum(failing) / len(failing) if failing else 0.0


@lru_cache(maxsize=64)
def _faults_of(key: str, wrong: str, draw: Draw, order: str, calls: int) -> list[list[str]]:
    """Return the faults of a wrong program in the first calls, with an order of the moves."""
    exercise = find_exercise(key)
    program = Program(exercise.target, wrong, hooks=False)
    program.names["neighbors"] = ordered(program, order)
    cases, right = cases_of(exercise, draw)[:calls], references(key, draw)
    outcomes = [
        program.run(case, limit_of(one, draw)) for case, one in zip(cases, right, strict=False)
    ]
    return [_faults(exercise, one) for one in tried_of(exercise, outcomes, draw, own=True)]


def _faults(exercise: Exercise, tried: Tried) -> list[str]:
    return [_template(fault_of(exercise, check, tried)) for check in tried.case.checks]


def _alike(
    exercise: Exercise,
    wrong: str,
    tried: Sequence["_Compared"],
    order: str,
    best: float,
) -> float:
    """Return from 0 to 1 how much a program behaves like the program `wrong`.

    Only calls count in which either differs from the reference. The result is 0 if the program is
    at least as much like the reference, or if the result cannot be above `best`.
    """
    program = Program(exercise.target, wrong, hooks=False)
    if order != ORDERS[0]:
        program.names["neighbors"] = ordered(program, order)
    number = total = right = 0.0
    for left, one in zip(range(len(tried), 0, -1), tried, strict=True):
        # Even full agreement in all remaining calls would not exceed `best`.
        if total + left <= best * (number + left):
            return 0.0
        yours = one.outcome
        enough = yours.expansions if yours.stopped else max(3 * yours.expansions, 500)
        ran = program.run(one.case, min(one.limit, enough))
        theirs = _Behavior.of(Tried(one.case, ran, ran))
        if min(one.as_right, _agreement(theirs, one.right)) == 1:
            continue
        number += 1
        right += one.as_right
        total += _agreement(yours, theirs)
        # Unlike from the start: the remaining calls are not worth their time.
        if number >= 3 and total < 0.3 * number:
            return 0.0
    return total / number if total > right else 0.0


class _Behavior(NamedTuple):
    """The parts of an outcome that are compared with another outcome of the same call.

    `path` is a search's answer, and `cost` its cost. For other functions `path` is None, and
    `value` counts.
    """

    path: FoundPath | None
    cost: int
    value: Any
    changed: Any
    stopped: bool
    error: str
    expansions: int
    repeats: bool

    @classmethod
    def of(cls, tried: Tried) -> "_Behavior":
        """Read an outcome, only once because its answer can be long."""
        outcome, path, repeats = tried.outcome, None, False
        if "start" in tried.case.args:
            path = tried.answer
            if tried.counts_moves and path.number is not None:
                path = path._replace(length=int(path.number))
            boards = outcome.boards(len(tried.start))
            repeats = len(set(boards)) < len(boards)
        return cls(
            path,
            path_cost(path.boards or []) if path else 0,
            None if path else _unordered(outcome.value, alone="board" in tried.case.args),
            outcome.changed,
            outcome.stopped,
            outcome.error.type if outcome.error else "",
            outcome.expansions,
            repeats,
        )


class _Compared(NamedTuple):
    """A call with its outcome and the reference's; `as_right` is their agreement, 0 to 1.

    `limit` are the maximum expansions of a wrong program.
    """

    case: Case
    outcome: _Behavior
    right: _Behavior
    as_right: float
    limit: int

    @classmethod
    def of(cls, tried: Tried) -> "_Compared":
        outcome = _Behavior.of(tried)
        right = _Behavior.of(replace(tried, outcome=tried.reference))
        limit = limit_of(tried.reference, tried.draw)
        return cls(tried.case, outcome, right, _agreement(outcome, right), limit)


def _agreement(one: _Behavior, other: _Behavior) -> float:
    """Return from 0 to 1 how alike two outcomes are."""
    mine, theirs = one.path, other.path
    if not mine or not theirs:
        return float(one == other._replace(expansions=one.expansions))
    if bool(one.error) != bool(other.error) or one.stopped != other.stopped:
        return 0.0
    share = 1.0
    if not one.stopped and not one.error:
        if mine.found != theirs.found:
            return 0.0
        if None not in (mine.length, theirs.length) and mine.length != theirs.length:
            share = 0.4
        elif mine.boards and theirs.boards:
            if mine.boards[0] != theirs.boards[0]:
                share = 0.4
            elif one.cost != other.cost:
                share = 0.9
    if one.repeats != other.repeats:
        share *= 0.7
    # The + 2 softens the ratio for very few expansions.
    few, many = sorted((one.expansions + 2, other.expansions + 2))
    return share * (0.5 + 0.5 * few / many)


def _unordered(value: Any, *, alone: bool) -> Any:
    """Sort a dictionary's pairs, and lists of boards if the call has a board `alone`.

    Their order is not a difference between programs.
    """
    if isinstance(value, dict) and "pairs" in value:
        return sorted(map(repr, value["pairs"]))
    if alone and isinstance(value, list) and (boards := boards_in(value)) and all(boards):
        return sorted(boards)
    if alone and isinstance(value, list) and all(isinstance(one, list) for one in value):
        return sorted(map(_flat, value))
    return value


def _flat(value: list[Any]) -> list[str]:
    """Return the cells of a board in any form, even if it has none or two of a tile."""
    return [cell for one in value for cell in (_flat(one) if isinstance(one, list) else [str(one)])]


def _direction(step: int) -> str:
    """Return the blank's direction for a change of its cell, with more than a single column."""
    if abs(step) == 1:
        return "l" if step < 0 else "r"
    return "u" if step < 0 else "d"


def ordered(program: Program, order: str) -> Callable[[Any], list[Any]]:
    """Return the given `neighbors` with the blank's moves in another order."""

    def ordered(board: Any) -> list[Any]:
        blank = board.index(0)
        found = program.instruments.neighbors(board)
        return sorted(found, key=lambda after: order.index(_direction(after.index(0) - blank)))

    return ordered
