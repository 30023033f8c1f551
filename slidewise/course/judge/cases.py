"""The cases of an exercise: calls with boards drawn from a seed."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from slidewise.course.judge import local
from slidewise.course.judge.exercise import Exercise
from slidewise.course.programs.boards import Cells, Shape, goal_of, neighbors, shape_of
from slidewise.course.programs.calls import Case

SQUARE: Shape = (3, 3)
LARGE: Shape = (4, 4)
"""The usual shape, and the shape of programs that take no other."""

CORNERS: Final = (0, 2, 6, 8)
RING_MOVES: Final = 3
"""Distance of the two starts on 2x2, whose 12 boards are a ring: the other way has 9 moves."""

NEAR: Final = 8
"""Maximum moves of the boards that come before boards of other sizes."""

MAX_LAYER: Final = 16
MAX_LARGE_LAYER: Final = 10
"""Maximum moves from a goal for the list of all boards: about 25,000 of 9 cells, 3,800 of 16."""


class Draw(NamedTuple):
    """Conditions of the boards of a program.

    `sizes` is false for a program that supports a single size, `shape`. `goal` is the goal of a
    program that takes no other; `goals` is true for a program that takes any goal. `h` and `limit`
    are false for a search that takes no estimate, or no limit. `result_used` is true for a function
    whose result the program itself uses, `oblong` for one that measures rows and columns apart,
    `turned` for a place that has its column first, `parity` for a program that may test whether a
    board is solvable.
    """

    seed: int = 1
    shape: Shape = SQUARE
    sizes: bool = True
    goal: Cells = ()
    goals: bool = True
    h: bool = True
    limit: bool = True
    result_used: bool = False
    oblong: bool = False
    turned: bool = False
    parity: bool = False

    @property
    def standard(self) -> Cells:
        """The goal of most cases: the program's own, or the blank last."""
        return self.goal or goal_of(self.shape)

    @property
    def other_shapes(self) -> tuple[Shape, ...]:
        """The shapes of further boards of a function that returns a value."""
        oblong: tuple[Shape, ...] = ((2, 3),) if self.oblong else ()
        return ((2, 2), (4, 4), *oblong) if self.sizes else oblong

    @property
    def is_usual(self) -> bool:
        """Whether the boards have 9 cells, and the goal its blank last."""
        return self.shape == SQUARE and self.standard == goal_of(SQUARE)


def cases_of(exercise: Exercise, draw: Draw) -> list[Case]:
    """Return the cases of an exercise, simple cases first."""
    if exercise.given:
        return [one.case for one in exercise.given]
    random = Random(f"{exercise.key} {draw.seed}")
    return list(_CASES[exercise.key](exercise, draw, random))


def _find_zero(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    for shape in (draw.shape, *draw.other_shapes):
        for blank in range(shape[0] * shape[1]):
            board = list(shuffled(shape, random))
            here = board.index(0)
            board[here], board[blank] = board[blank], 0
            usual = shape == draw.shape != LARGE
            check = "3x3" if usual else "other-sizes"
            yield Case((check,), {"board": tuple(board)})


def _neighbors(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    for shape in sorted((draw.shape, *draw.other_shapes)):
        for blank in range(shape[0] * shape[1]):
            board = list(shuffled(shape, random))
            here = board.index(0)
            board[here], board[blank] = board[blank], 0
            yield Case(("legal", "complete"), {"board": tuple(board)})
            yield Case(("unchanged",), {"board": tuple(board)}, as_list=True)
    if draw.shape == SQUARE:
        yield Case(("every",), {}, every=True)


def _is_solvable(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    standard = draw.standard
    check = ("4x4" if draw.shape == LARGE else "3x3",)
    for moves in range(6):
        board = walk(standard, moves, random)
        yield Case(check, {"board": board, "goal": standard})
        yield Case(check, {"board": _odd(board), "goal": standard})
    for _ in range(488):
        yield Case(check, {"board": shuffled(draw.shape, random), "goal": standard})
    for _ in range(100 if draw.goals else 0):
        goal = shuffled(draw.shape, random)
        yield Case(("goals",), {"board": shuffled(draw.shape, random), "goal": goal})
    if draw.sizes:
        for i in range(200):
            other = i % 2 and draw.goals
            goal = shuffled((4, 4), random) if other else goal_of((4, 4))
            yield Case(("4x4",), {"board": shuffled((4, 4), random), "goal": goal})
    if draw.shape == SQUARE:
        yield Case(("every",), {"goal": draw.standard}, every=True)


def _odd(board: Cells) -> Cells:
    """Return the board with two of its tiles exchanged, which changes its parity."""
    one, other = sorted(tile for tile in board if tile)[:2]
    return tuple({one: other, other: one}.get(tile, tile) for tile in board)


def _path(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    for i in range(24):
        start = board_at(draw.standard, 4 + i % 8, random)
        came_from: dict[Cells, Cells | None] = {start: None}
        order = [start]
        for board in order:
            for after in neighbors(board):
                if after not in came_from:
                    came_from[after] = board
                    order.append(after)
            # A partial search tree, larger from case to case.
            if len(order) > 8 * (i + 1):
                break
        goal = start if i % 6 == 0 else order[random.randrange(1, len(order))]
        yield Case(("start",) if goal == start else ("paths",), _of(came_from=came_from, goal=goal))


def _of(**args: Any) -> dict[str, Any]:
    return args


def _goals(draw: Draw, random: Random) -> tuple[Cells, Cells]:
    """Return two goals, which are equal for a program that takes no other."""
    other = shuffled(draw.shape, random)
    return draw.standard, other if draw.goals else draw.standard


def _deepest(draw: Draw) -> int:
    """Return the maximum moves of a search's boards, whose distances are all listed."""
    return len(layers(goal_of(draw.shape))) - 1 if draw.shape != SQUARE else 99


def _paths(*checks: str, h: tuple[str, ...] = ()) -> Callable[..., Iterator[Case]]:
    """Return a generator of a search's cases: for each length, then without a path."""

    def draws(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
        goals = _goals(draw, random)
        deepest = 99 if h and draw.shape == LARGE else _deepest(draw)
        more = {"h": "manhattan"} if h else {}
        # On 2x2 each search without circles ends, so these calls show what its results are.
        small = goal_of((2, 2)) if draw.sizes else draw.standard
        for start in layers(small)[RING_MOVES] if draw.sizes and not draw.goal else ():
            yield Case(checks, {"start": start, "goal": small, **more})
        has_small = (draw.sizes and not draw.goal) or len(small) < 9
        no_answer = any(check.key == "none" for check in exercise.checks)
        if no_answer and has_small:
            start = _odd(walk(small, 5, Random(f"{exercise.key} {draw.seed} none")))
            yield Case(("none",), {"start": start, "goal": small, **more})
        # These boards have their own sizes and goals.
        goals_alike = [goals[0], goal_of((2, 3)) if draw.oblong else goals[0]]
        others = [
            one
            for one in exercise.boards
            if (draw.goals and draw.sizes) or (one[1] in goals_alike and one[2] == "manhattan")
        ]
        for i, moves in enumerate(exercise.moves):
            if moves > MAX_LAYER and not draw.h:  # its own estimate may be weak
                break
            # Before the far boards, on which a program may be stopped.
            while moves > NEAR and others:
                start, goal, name = others.pop(0)
                own = {"h": name} if h else {}
                own_checks = (name, "once") if name in h[1:] else checks
                yield Case(own_checks, {"start": start, "goal": goal, **own})
            # Layers are listed for each goal, so far boards use the first goal only.
            goal = goals[i % 2] if moves <= 14 else goals[0]
            start = board_at(goal, min(moves, deepest), random)
            yield Case(checks, {"start": start, "goal": goal, **more})
        for start in _deep_boards(exercise, goals[0], deepest):
            yield Case(checks, {"start": start, "goal": goals[0], **more})
        for name in h[1:] if draw.h else ():
            for moves in range(8, 13):
                start = board_at(goals[0], min(moves, deepest), random)
                keys = (name, "once")
                yield Case(keys, {"start": start, "goal": goals[0], "h": name})
        if no_answer and not has_small:
            yield Case(("none",), {"start": equal_tiles(goals[0]), "goal": goals[0], **more})

    return draws


def equal_tiles(goal: Cells) -> Cells:
    """Return a board whose tiles are all 1, with the blank of the goal.

    Only as many boards as it has cells can be reached from it, so a search without an answer ends
    soon on it, which takes long on other boards of 9 cells.
    """
    return tuple(min(tile, 1) for tile in goal)


def _deep_boards(exercise: Exercise, goal: Cells, deepest: int) -> Iterator[Cells]:
    """Yield the boards in `showing`, and boards of the lengths in `deep`, for every seed alike."""
    random = Random(exercise.key)
    corners = len(goal) == 9 and goal.index(0) in CORNERS
    for board in exercise.showing:
        yield mirrored(board, goal) if corners else board_at(goal, min(MAX_LAYER, deepest), random)
    for moves in exercise.deep:
        yield board_at(goal, min(moves, deepest), random)


def mirrored(board: Cells, goal: Cells) -> Cells:
    """Map a board of 9 cells from the usual goal to `goal`, at the same distance.

    The goal's blank must be in a corner: rows or columns are mirrored, and tiles renamed.

    >>> mirrored((1, 2, 3, 4, 5, 6, 0, 7, 8), (0, 1, 2, 3, 4, 5, 6, 7, 8))
    (1, 2, 0, 3, 4, 5, 6, 7, 8)
    """
    top, left = (place < 2 for place in divmod(goal.index(0), 3))
    cells = [3 * (2 - i // 3 if top else i // 3) + (2 - i % 3 if left else i % 3) for i in range(9)]
    found = [0] * 9
    for cell, tile in zip(cells, board, strict=True):
        found[cell] = goal[cells[tile - 1]] if tile else 0
    return tuple(found)


def _limited(*checks: str, name: str, further: int) -> Callable[..., Iterator[Case]]:
    """Return a generator of a limited search's cases: limits below, at and above the length."""

    def draws(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
        goals = _goals(draw, random)
        deepest = _deepest(draw)
        unlimited = tuple(check.key for check in exercise.checks if check.key != "none")
        for i, moves in enumerate(exercise.moves):
            moves = min(moves, deepest)
            start = board_at(goals[i % 2], moves, random)
            if not draw.limit:
                yield Case(unlimited, {"start": start, "goal": goals[i % 2]})
                continue
            for limit in (moves, moves + 1, moves - 1, moves - 2, moves + further):
                if limit >= 0:
                    yield Case(checks, {"start": start, "goal": goals[i % 2], name: limit})
        for start in _deep_boards(exercise, goals[0], deepest):
            more = {name: distances(goals[0])[start]} if draw.limit else {}
            keys = checks if draw.limit else unlimited
            yield Case(keys, {"start": start, "goal": goals[0], **more})
        if draw.sizes and not draw.limit and name == "limit":
            goal = goal_of((2, 2))
            yield Case(("none",), {"start": _odd(walk(goal, 5, random)), "goal": goal})
        boards = exercise.boards if draw.shape == SQUARE and draw.limit else ()
        for start, goal, _ in boards if draw.goals else ():
            yield Case(checks, {"start": start, "goal": goal, name: distances(goal)[start]})

    return draws


def _estimates(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    standard, other = _goals(draw, random)
    yield Case(("goal",), {"board": standard, "goal": standard})
    if draw.goals:
        yield Case(("goal",), {"board": other, "goal": other})
    keys = {check.key for check in exercise.checks}
    values = ("values", "admissible") if "admissible" in keys else ("values",)
    for board, goal, _ in exercise.boards if draw.goals or standard == goal_of(SQUARE) else ():
        if draw.sizes or len(board) == len(standard):
            yield Case(values if goal == standard else ("goals",), {"board": board, "goal": goal})
    for i in range(300):
        board = board_at(standard, 1 + i // 20, random)
        yield Case(values, {"board": board, "goal": standard})
    for i in range(60 if draw.goals else 0):
        goal = shuffled(draw.shape, random)
        yield Case(("goals",), {"board": walk(goal, 1 + i, random), "goal": goal})
    if draw.sizes and draw.goals:
        for i in range(60):
            goal = shuffled((4, 4), random) if i % 2 else goal_of((4, 4))
            yield Case(("goals",), {"board": walk(goal, 1 + i, random), "goal": goal})
    for i in range(30 if draw.oblong else 0):
        goal = shuffled((2, 3), random) if i % 2 and draw.goals else goal_of((2, 3))
        yield Case(values[:1], {"board": walk(goal, 1 + i, random), "goal": goal})


def _pattern_table(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    goals = _goals(draw, random)
    groups = [(1,), (5,), (2, 1), (4, 5), (1, 2, 3), (5, 4)]
    for i, tiles in enumerate(groups):
        args = {"tiles": tiles, "goal": goals[i % 2]}
        yield Case(("complete", "exact"), args)
    for tiles in (1, 2, 3), (4, 5):
        yield Case(("complete", "exact", "additive"), {"tiles": tiles, "goal": goals[0]})


def _hill_climbing(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    goals = _goals(draw, random)
    checks = tuple(local.CHECKS[exercise.key])
    for i, moves in enumerate(exercise.moves):
        start = board_at(goals[i % 2], moves, random)
        # With the Manhattan distance each move changes h by 1, so the others show more.
        for h in "manhattan", "misplaced", "inconsistent":
            yield Case(checks, {"start": start, "goal": goals[i % 2], "h": h})


def _annealing(exercise: Exercise, draw: Draw, random: Random) -> Iterator[Case]:
    goals = _goals(draw, random)
    cold, warm, hot = local.COLD, local.WARM, local.HOT

    def case(check: str, moves: int, *temperatures: tuple[float, int], goal: Cells) -> Case:
        args = {"start": board_at(goal, moves, random), "goal": goal, "h": "manhattan"}
        more = {"temperatures": temperatures, "random": random.randrange(1000)}
        return Case(("path", "goal", check), args | more)

    for i, moves in enumerate(exercise.moves):
        yield case("cold", moves, (cold, 300), goal=goals[i % 2])
    yield case("order", 16, (cold, 200), (hot, 200), goal=goals[0])
    yield case("order", 16, (hot, 100), (cold, 300), goal=goals[1])
    for goal in goals:
        yield case("hot", 16, (hot, 400), goal=goal)
    yield case("chance", 16, (warm, 1500), goal=goals[0])
    yield case("goal", 6, (hot, 1000), goal=goal_of((2, 2)))


_CASES: dict[str, Callable[[Exercise, Draw, Random], Iterator[Case]]] = {
    "find_zero": _find_zero,
    "neighbors": _neighbors,
    "is_solvable": _is_solvable,
    "path": _path,
    "bfs": _paths("path", "shortest", "once", "algorithm"),
    "dfs": _limited(*("path", "found", "within", "simple", "algorithm"), name="limit", further=2),
    "iddfs": _limited(
        *("path", "shortest", "found", "within", "algorithm"), name="depth", further=6
    ),
    "ucs": _paths("path", "cheapest", "once", "algorithm"),
    **dict.fromkeys(("misplaced", "manhattan", "linear_conflict"), _estimates),
    "greedy": _paths("path", "lowest", "once", h=("manhattan",)),
    "astar": _paths("path", "shortest", "bound", "once", h=("manhattan", "inconsistent")),
    "idastar": _paths(*("path", "shortest", "rounds", "within", "algorithm"), h=("manhattan",)),
    "rbfs": _paths("path", "shortest", "bound", "algorithm", h=("manhattan",)),
    "hill_climbing": _hill_climbing,
    "annealing": _annealing,
    "pattern_table": _pattern_table,
}


def has_answer(case: Case) -> bool:
    """Return whether a search can answer with a path."""
    start, goal = case.args["start"], case.args["goal"]
    limit = case.args.get("limit", case.args.get("depth"))
    if limit is not None:
        return distances(goal).get(start, 99) <= int(limit)
    return solvable(start, goal)


def solvable(board: Cells, goal: Cells) -> bool:
    """Return whether moves lead from the board to the goal."""
    return sorted(board) == sorted(goal) and parity(board) == parity(goal)


def parity(board: Cells) -> int:
    """Return 0 or 1, which no move changes: the parity of inversions and the blank's row."""
    _, cols = shape_of(len(board))
    tiles = [tile for tile in board if tile]
    inversions = sum(tile > later for i, tile in enumerate(tiles) for later in tiles[i + 1 :])
    # A vertical move carries a tile past cols - 1 others, so for even cols the row counts too.
    return (inversions + (0 if cols % 2 else board.index(0) // cols)) % 2


@lru_cache(maxsize=16)
def layers(goal: Cells) -> list[list[Cells]]:
    """Return lists of all boards at 0, 1, 2 ... moves from the goal, within `MAX_LAYER`."""
    return layers_within(goal, MAX_LAYER if len(goal) < 16 else MAX_LARGE_LAYER)


def layers_within(start: Cells, most: int) -> list[list[Cells]]:
    """Return lists of all boards at 0, 1, 2 ... moves from the start, up to `most`."""
    known = {start}
    found = [[start]]
    while len(found) <= most and found[-1]:
        further = []
        for board in found[-1]:
            for after in neighbors(board):
                if after not in known:
                    known.add(after)
                    further.append(after)
        found.append(further)
    return found if found[-1] else found[:-1]


@lru_cache(maxsize=16)
def distances(goal: Cells) -> dict[Cells, int]:
    """Return the distances to the goal of all boards within `MAX_LAYER` moves."""
    return {board: moves for moves, boards in enumerate(layers(goal)) for board in boards}


def board_at(goal: Cells, moves: int, random: Random) -> Cells:
    """Return a board at `moves` moves from the goal; above `MAX_LAYER` by a random walk."""
    found = layers(goal)
    if moves < len(found):
        return random.choice(found[moves])
    return walk(random.choice(found[-1]), moves - len(found) + 1, random)


def walk(board: Cells, moves: int, random: Random) -> Cells:
    """Return the end of a random walk that never takes back a move."""
    before = board
    for _ in range(moves):
        ways = [after for after in neighbors(board) if after != before]
        before, board = board, random.choice(ways)
    return board


def shuffled(shape: Shape, random: Random) -> Cells:
    """Return any arrangement of the tiles, solvable or not."""
    cells = list(range(shape[0] * shape[1]))
    random.shuffle(cells)
    return tuple(cells)
