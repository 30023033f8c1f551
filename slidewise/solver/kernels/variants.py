"""The compiled loop that solves all 3x3 boards by one variant of best-first search.

`engines/plain_best_first.py` is the same search for one board of any size. This one supports
statements about all boards. A board is its lexicographic rank among the solvable ones, so
heuristics and moves are look-ups.

`BoardTables` holds these look-ups, of all boards: `neighbours` (boards, 4) int32, the board after
the blank went up, down, left or right, -1 over the border; `h` (boards,) int32.

`Scratch` is memory reused for each board. `kept` (boards, 2) int32 has the number of the last
search that stored a board, and its node. The other arrays have each node's `board`, `parent`,
`cost` (g as the program counts it), `f`, and the flags `expanded` and `useless`.

The queue is a heap of `keys` and the nodes in `heap`; or, if ties are broken only by creation
order, a list for each f. Then `heads` and `tails` are its first and last node, and `heap` has each
node's successor. That takes a third of the time on long searches.
"""

from typing import NamedTuple

from numba import boolean, int32, int64, uint8

from slidewise.solver.kernels.jit import Int32s, Int64s, Uint8s, entry_point, helper, tuple_type

AGAINST_MADE, AGAINST_EXPANDED, AGAINST_PATH, AGAINST_PARENT, AGAINST_NOTHING = range(5)
BY_KEY, TEXTBOOK, HEAPQ, LISTS = range(4)
FIRST_IN, LAST_IN, HIGHER_G, LOWER_H, LESSER_BOARD, AS_QUEUED = range(6)
RIGHT, ADDS_ESTIMATES, KEEPS_OLD_F = range(3)

NOT_SOLVED = -1
"""Length of a search without a result, after too many expansions or nodes."""

MOST_LISTED = 4_096
"""The values of f that have a list, from 0: a search that comes to a higher one is given up. The
highest, where estimates are added up along a path of 31 moves, is below 1,000."""

_F_BITS, _TIE_BITS = 43, 21
_MOST_TIE = 2**20
_MOST_F = 2**19


class BoardTables(NamedTuple):
    """Constants of all searches."""

    neighbours: Int32s
    h: Int32s
    goal: int


class VariantRules(NamedTuple):
    """A convention in numbers, and a mistake: see the constants above.

    `order` are the columns of `neighbours` in the order of the successors.
    """

    order: Int64s
    g_weight: int
    h_weight: int
    against: int
    decreases_key: bool
    reopens: bool
    passes_over: bool
    goal_made: bool
    queue: int
    ties: int
    mistake: int


class Scratch(NamedTuple):
    """The memory of a search."""

    kept: Int32s
    board: Int32s
    parent: Int32s
    cost: Int32s
    f: Int32s
    expanded: Uint8s
    useless: Uint8s
    keys: Int64s
    heap: Int32s
    heads: Int32s
    tails: Int32s


_INTS, _LONGS, _BYTES = int32[::1], int64[::1], uint8[::1]
BOARD_TABLES = tuple_type(BoardTables, neighbours=int32[:, ::1], h=_INTS, goal=int64)
RULES = tuple_type(
    VariantRules,
    order=_LONGS,
    g_weight=int64,
    h_weight=int64,
    against=int64,
    decreases_key=boolean,
    reopens=boolean,
    passes_over=boolean,
    goal_made=boolean,
    queue=int64,
    ties=int64,
    mistake=int64,
)
SCRATCH = tuple_type(
    Scratch,
    kept=int32[:, ::1],
    board=_INTS,
    parent=_INTS,
    cost=_INTS,
    f=_INTS,
    expanded=_BYTES,
    useless=_BYTES,
    keys=_LONGS,
    heap=_INTS,
    heads=_INTS,
    tails=_INTS,
)


@helper
def key_of(rules: VariantRules, node: int, board: int, g: int, h: int, f: int) -> int:
    """Return the key of a node in the queue."""
    tie, number = 0, node
    if rules.ties == HIGHER_G:
        tie = _MOST_TIE - g
    elif rules.ties == LOWER_H:
        tie = h
    elif rules.ties == LESSER_BOARD:
        tie = board
    elif rules.ties == LAST_IN:
        number = 2**_TIE_BITS - 1 - node
    if rules.queue != BY_KEY:
        number = 0
    return ((_MOST_F + f) << _F_BITS) | (tie << _TIE_BITS) | number


@helper
def rise(room: Scratch, at: int, key: int, node: int) -> None:
    """Put an entry into a heap at a place or above it."""
    while at > 0:
        above = (at - 1) >> 1
        if room.keys[above] <= key:
            break
        room.keys[at], room.heap[at] = room.keys[above], room.heap[above]
        at = above
    room.keys[at], room.heap[at] = key, node


@helper
def pop(room: Scratch, size: int, by_leaf: bool) -> int:
    """Remove and return the root of a heap of `size` entries, like Python's heapq if `by_leaf`."""
    taken = room.heap[0]
    last = size - 1
    key, node = room.keys[last], room.heap[last]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        right = child + 1
        if right < last and (
            room.keys[child] >= room.keys[right] if by_leaf else room.keys[child] > room.keys[right]
        ):
            child = right
        if not by_leaf and key <= room.keys[child]:
            break
        room.keys[at], room.heap[at] = room.keys[child], room.heap[child]
        at = child
    if by_leaf:
        rise(room, at, key, node)
    else:
        room.keys[at], room.heap[at] = key, node
    return taken


@helper
def put(room: Scratch, f: int, node: int, first: bool) -> None:
    """Put a node into the list of its f: as the first, or as the last."""
    head = room.heads[f]
    if head < 0 or first:
        room.heap[node], room.heads[f] = head, node
        if head < 0:
            room.tails[f] = node
        return
    room.heap[room.tails[f]], room.heap[node] = node, -1
    room.tails[f] = node


@helper
def take(room: Scratch, f: int) -> int:
    """Take the first node from the list of an f."""
    node = room.heads[f]
    room.heads[f] = room.heap[node]
    return node


@helper
def is_dropped(
    rules: VariantRules, room: Scratch, number: int, node: int, board: int, cost: int
) -> bool:
    """Return whether the successor of `node` is dropped."""
    if rules.against == AGAINST_NOTHING:
        return False
    if rules.against == AGAINST_PARENT:
        before = room.parent[node]
        return before >= 0 and room.board[before] == board
    if rules.against == AGAINST_PATH:
        above = node
        while above >= 0:
            if room.board[above] == board:
                return True
            above = room.parent[above]
        return False
    if room.kept[board, 0] != number:
        return False
    known = room.kept[board, 1]
    if cost >= room.cost[known]:
        return True
    return not (rules.reopens if room.expanded[known] else rules.decreases_key)


@helper
def moves_to(room: Scratch, node: int) -> int:
    """Return the length of the path to a node."""
    moves = 0
    while room.parent[node] >= 0:
        node = room.parent[node]
        moves += 1
    return moves


@helper
def solve_one(
    game: BoardTables, rules: VariantRules, room: Scratch, number: int, start: int, most: int
) -> tuple[int, int]:
    """Return the length of the path found, or NOT_SOLVED, and the expansions."""
    h = game.h[start]
    room.board[0], room.parent[0], room.cost[0] = start, -1, 0
    room.f[0] = rules.h_weight * h
    room.expanded[0] = room.useless[0] = 0
    if rules.against == AGAINST_MADE:
        room.kept[start, 0], room.kept[start, 1] = number, 0
    lowest = room.f[0]
    if rules.queue == LISTS:
        room.heads[:] = -1
        put(room, lowest, 0, False)
    else:
        rise(room, 0, key_of(rules, 0, start, 0, h, lowest), 0)
    nodes, size, expanded = 1, 1, 0
    while size > 0:
        if rules.queue == LISTS:
            while room.heads[lowest] < 0:
                lowest += 1
            node = take(room, lowest)
        else:
            node = pop(room, size, rules.queue == HEAPQ)
        size -= 1
        board = room.board[node]
        if rules.passes_over:
            if room.useless[node]:
                continue
            if rules.against == AGAINST_EXPANDED and room.kept[board, 0] == number:
                known = room.kept[board, 1]
                if not (rules.reopens and room.cost[node] < room.cost[known]):
                    continue
        if board == game.goal:
            return moves_to(room, node), expanded
        if expanded >= most or nodes + 4 > len(room.board):
            return NOT_SOLVED, expanded
        expanded += 1
        room.expanded[node] = 1
        if rules.against == AGAINST_EXPANDED:
            room.kept[board, 0], room.kept[board, 1] = number, node
        for way in rules.order:
            after = game.neighbours[board, way]
            if after < 0:
                continue
            cost = room.cost[node] + 1
            if rules.mistake == ADDS_ESTIMATES:
                cost = room.f[node] + 1
            if is_dropped(rules, room, number, node, after, cost):
                continue
            h = game.h[after]
            f = rules.g_weight * cost + rules.h_weight * h
            if rules.against == AGAINST_MADE:
                if room.kept[after, 0] == number:
                    known = room.kept[after, 1]
                    if not room.expanded[known]:
                        if rules.mistake == KEEPS_OLD_F:
                            room.cost[known], room.parent[known] = cost, node
                            continue
                        room.useless[known] = 1
                room.kept[after, 0], room.kept[after, 1] = number, nodes
            room.board[nodes], room.parent[nodes], room.cost[nodes] = after, node, cost
            room.f[nodes] = f
            room.expanded[nodes] = room.useless[nodes] = 0
            if rules.goal_made and after == game.goal:
                return moves_to(room, nodes), expanded
            if rules.queue == LISTS:
                if f >= MOST_LISTED:
                    return NOT_SOLVED, expanded
                put(room, f, nodes, rules.ties == LAST_IN)
                lowest = min(lowest, f)
            else:
                rise(room, size, key_of(rules, nodes, after, cost, h, f), nodes)
            size += 1
            nodes += 1
    return NOT_SOLVED, expanded


@entry_point(int64(BOARD_TABLES, RULES, SCRATCH, _INTS, int64, int64, _INTS, _LONGS))
def solve_all(
    game: BoardTables,
    rules: VariantRules,
    room: Scratch,
    boards: Int32s,
    first: int,
    most: int,
    lengths: Int32s,
    expansions: Int64s,
) -> int:
    """Solve `boards` with up to `most` expansions each; store lengths and expansions.

    `first` is the number of the first search, above all earlier ones. Return the number after the
    last.
    """
    for place in range(len(boards)):
        lengths[place], expansions[place] = solve_one(
            game, rules, room, first + place, boards[place], most
        )
    return first + len(boards)


TO_LOWEST, TO_HIGHEST, BY_FIVE = range(3)
"""Rules for the next limit: the lowest pruned f, the highest, or 5 more."""

NOTHING_CUT = 2**30


class DeepeningRules(NamedTuple):
    """The `order` of the successors as columns of `neighbours`, and a mistake."""

    order: Int64s
    visits_once: bool
    raises: int


class Trail(NamedTuple):
    """The memory of a search."""

    board: Int32s
    way: Uint8s
    visited: Int32s


DEEPENING_RULES = tuple_type(DeepeningRules, order=_LONGS, visits_once=boolean, raises=int64)
TRAIL = tuple_type(Trail, board=_INTS, way=uint8[::1], visited=_INTS)


@helper
def one_pass(
    game: BoardTables,
    rules: DeepeningRules,
    trail: Trail,
    number: int,
    start: int,
    limit: int,
    most: int,
) -> tuple[int, int, int, int]:
    """Search under a limit; return the path's length or NOT_SOLVED, the expansions, and the lowest
    and highest pruned f."""
    lowest, highest, expanded, depth = NOTHING_CUT, 0, 0, 0
    trail.board[0], trail.way[0] = start, 0
    while depth >= 0:
        board = trail.board[depth]
        if trail.way[depth] == 0:
            if board == game.goal:
                return depth, expanded, lowest, highest
            trail.visited[board] = number
            if depth >= limit:
                lowest, highest = min(lowest, depth + 1), max(highest, depth + 1)
                depth -= 1
                continue
            if expanded >= most:
                break
            expanded += 1
        if trail.way[depth] == len(rules.order):
            depth -= 1
            continue
        after = game.neighbours[board, rules.order[trail.way[depth]]]
        trail.way[depth] += 1
        if after < 0 or (depth > 0 and after == trail.board[depth - 1]):
            continue
        if rules.visits_once and trail.visited[after] == number:
            continue
        f = depth + 1 + game.h[after]
        if f > limit:
            lowest, highest = min(lowest, f), max(highest, f)
            continue
        depth += 1
        trail.board[depth], trail.way[depth] = after, 0
    return NOT_SOLVED, expanded, lowest, highest


@entry_point(int64(BOARD_TABLES, DEEPENING_RULES, TRAIL, _INTS, int64, int64, _INTS, _LONGS))
def deepen_all(
    game: BoardTables,
    rules: DeepeningRules,
    trail: Trail,
    boards: Int32s,
    first: int,
    most: int,
    lengths: Int32s,
    expansions: Int64s,
) -> int:
    """Solve `boards` with up to `most` expansions each; store lengths and expansions.

    `first` is the number of the first pass, above all earlier ones. Return the number after the
    last.
    """
    number = first
    for place in range(len(boards)):
        length, expanded, limit = NOT_SOLVED, 0, int(game.h[boards[place]])
        while length < 0 and expanded < most and limit < len(trail.board):
            length, more, lowest, highest = one_pass(
                game, rules, trail, number, boards[place], limit, most - expanded
            )
            number += 1
            expanded += more
            if rules.raises == BY_FIVE:
                limit += 5
            else:
                limit = lowest if rules.raises == TO_LOWEST else highest
            if lowest == NOTHING_CUT:
                break
        lengths[place], expansions[place] = length, expanded
    return number


READY = True  # all of the above is compiled
