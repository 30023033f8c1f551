"""The compiled loop that solves all 3x3 boards by one variant of best-first search.

`engines/by_the_book.py` is the same search for one board of any size; this one is for statements
about all boards. A board is its place in the lexicographic order of the 9! arrangements, so what a
heuristic says and where the moves lead are look-ups.

`Game` holds these look-ups, of all boards: `neighbours` (9!, 4) int32, the board after the blank
went up, down, left or right, -1 over the border; `h` (9!,) int32.

`Room` is memory for one board after the other: `seen` (9!,) int32 the number of the search in which
a board was last kept, `latest` (9!,) int32 the node that it was kept as; and of each node its
`board`, `parent`, `cost` (what the program takes for g), `f`, whether it was `expanded` and is
`useless`; `keys` and `heap` the queue.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import boolean, int32, int64, uint8

from slidewise.solver.kernels.arrays import Int32s, Int64s, Uint8s
from slidewise.solver.kernels.jit import entry_point, helper, tuple_type

AGAINST_MADE, AGAINST_EXPANDED, AGAINST_PATH, AGAINST_PARENT, AGAINST_NOTHING = range(5)
BY_KEY, TEXTBOOK, HEAPQ = range(3)
FIRST_IN, LAST_IN, HIGHER_G, LOWER_H, LESSER_BOARD, AS_QUEUED = range(6)
RIGHT, ADDS_ESTIMATES, KEEPS_OLD_F = range(3)

NOT_SOLVED = -1
"""The length where the search ended without the goal: too many expansions or nodes."""

_F_BITS, _TIE_BITS = 43, 21
_MOST_TIE = 2**20
_MOST_F = 2**19


class Game(NamedTuple):
    """What does not change from search to search."""

    neighbours: Int32s
    h: Int32s
    goal: int


class Rules(NamedTuple):
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


class Room(NamedTuple):
    """The memory of a search."""

    seen: Int32s
    latest: Int32s
    board: Int32s
    parent: Int32s
    cost: Int32s
    f: Int32s
    expanded: Uint8s
    useless: Uint8s
    keys: Int64s
    heap: Int32s


_INTS, _LONGS, _BYTES = int32[::1], int64[::1], uint8[::1]
GAME = tuple_type(Game, neighbours=int32[:, ::1], h=_INTS, goal=int64)
RULES = tuple_type(
    Rules,
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
ROOM = tuple_type(
    Room,
    seen=_INTS,
    latest=_INTS,
    board=_INTS,
    parent=_INTS,
    cost=_INTS,
    f=_INTS,
    expanded=_BYTES,
    useless=_BYTES,
    keys=_LONGS,
    heap=_INTS,
)


@helper
def key_of(rules: Rules, node: int, board: int, g: int, h: int, f: int) -> int:
    """Return what the queue compares."""
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
def push(room: Room, size: int, key: int, node: int) -> None:
    """Add an entry to a heap of `size` entries."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if room.keys[above] <= key:
            break
        room.keys[at], room.heap[at] = room.keys[above], room.heap[above]
        at = above
    room.keys[at], room.heap[at] = key, node


@helper
def pop(room: Room, size: int, by_leaf: bool) -> int:
    """Take the root of a heap of `size` entries; with `by_leaf` as Python's heapq does."""
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
        while at > 0:
            above = (at - 1) >> 1
            if room.keys[above] <= key:
                break
            room.keys[at], room.heap[at] = room.keys[above], room.heap[above]
            at = above
    room.keys[at], room.heap[at] = key, node
    return taken


@helper
def is_dropped(rules: Rules, room: Room, number: int, node: int, board: int, cost: int) -> bool:
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
    if room.seen[board] != number:
        return False
    known = room.latest[board]
    if cost >= room.cost[known]:
        return True
    return not (rules.reopens if room.expanded[known] else rules.decreases_key)


@helper
def moves_to(room: Room, node: int) -> int:
    """Return the length of the path to a node."""
    moves = 0
    while room.parent[node] >= 0:
        node = room.parent[node]
        moves += 1
    return moves


@helper
def solve_one(
    game: Game, rules: Rules, room: Room, number: int, start: int, most: int
) -> tuple[int, int]:
    """Return the length of the path found, or NOT_SOLVED, and the expansions."""
    h = game.h[start]
    room.board[0], room.parent[0], room.cost[0] = start, -1, 0
    room.f[0] = rules.h_weight * h
    room.expanded[0] = room.useless[0] = 0
    if rules.against == AGAINST_MADE:
        room.seen[start], room.latest[start] = number, 0
    push(room, 0, key_of(rules, 0, start, 0, h, room.f[0]), 0)
    nodes, size, expanded = 1, 1, 0
    while size > 0:
        node = pop(room, size, rules.queue == HEAPQ)
        size -= 1
        board = room.board[node]
        if rules.passes_over:
            if room.useless[node]:
                continue
            if rules.against == AGAINST_EXPANDED and room.seen[board] == number:
                known = room.latest[board]
                if not (rules.reopens and room.cost[node] < room.cost[known]):
                    continue
        if board == game.goal:
            return moves_to(room, node), expanded
        if expanded >= most or nodes + 4 > len(room.board):
            return NOT_SOLVED, expanded
        expanded += 1
        room.expanded[node] = 1
        if rules.against == AGAINST_EXPANDED:
            room.seen[board], room.latest[board] = number, node
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
                if room.seen[after] == number:
                    known = room.latest[after]
                    if not room.expanded[known]:
                        if rules.mistake == KEEPS_OLD_F:
                            room.cost[known], room.parent[known] = cost, node
                            continue
                        room.useless[known] = 1
                room.seen[after], room.latest[after] = number, nodes
            room.board[nodes], room.parent[nodes], room.cost[nodes] = after, node, cost
            room.f[nodes] = f
            room.expanded[nodes] = room.useless[nodes] = 0
            if rules.goal_made and after == game.goal:
                return moves_to(room, nodes), expanded
            push(room, size, key_of(rules, nodes, after, cost, h, f), nodes)
            size += 1
            nodes += 1
    return NOT_SOLVED, expanded


@entry_point(int64(GAME, RULES, ROOM, _INTS, int64, int64, _INTS, _LONGS))
def solve_all(
    game: Game,
    rules: Rules,
    room: Room,
    boards: Int32s,
    first: int,
    most: int,
    lengths: Int32s,
    expansions: Int64s,
) -> int:
    """Solve `boards`, with up to `most` expansions each; write down lengths and expansions.

    `first` is the number of the first search, above those that used the room before. Return the
    number after the last.
    """
    for place in range(len(boards)):
        lengths[place], expansions[place] = solve_one(
            game, rules, room, first + place, boards[place], most
        )
    return first + len(boards)


READY = True
