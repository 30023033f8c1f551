"""Right programs in the styles of different courses, each with its order and counts.

Each takes the start and the goal as tuples of 9 cells, and returns its output.
"""

import heapq
import itertools
from collections import deque

from tests.course.judge.printed import other_programs
from tests.course.judge.printed.best_first import best, blind, estimate, neighbours


def lines(order, path=(), **counts):
    """Return a printed trace: expanded boards, the path and counts."""
    printed = [" ".join(map(str, state)) for state in order]
    if path:
        printed += ["", f"path: {list(path)}"]
    return "\n".join(printed + [f"{name}: {count}" for name, count in counts.items()])


def words(states):
    """Return the directions of the blank along a path of boards."""
    ways = {-3: "Up", 3: "Down", -1: "Left", 1: "Right"}
    return [ways[after.index(0) - before.index(0)] for before, after in itertools.pairwise(states)]


def traced(parents, goal):
    path = [goal]
    while parents[path[-1]] is not None:
        path.append(parents[path[-1]])
    return path[::-1]


def style(search, *, goal_last=False, **how):
    """Return one of the searches that have switches, as a program of this module."""

    def program(start, goal):
        if search in (best, blind):
            order = search(start, goal, **how)
        else:
            order = other_programs.printed(search, start, goal, most=None, **how)
        states = [one[0] if isinstance(one[0], tuple) else one for one in order]
        return lines([*states, goal] if goal_last else states)

    return program


def astar_list(start, goal):
    """A*: the frontier is a list that is searched for the lowest f.

    A shorter path replaces the node in place.
    """
    waiting, closed, order = [[start, 0, None]], {}, []
    while waiting:
        best = min(range(len(waiting)), key=lambda n: waiting[n][1] + h(waiting[n][0], goal))
        state, g, parent = waiting.pop(best)
        closed[state] = parent
        if state == goal:
            return lines(order, words(traced(closed, goal)))
        order.append(state)
        for new in neighbours(state, order="rlud"):
            if new in closed:
                continue
            known = next((node for node in waiting if node[0] == new), None)
            if known is None:
                waiting.insert(0, [new, g + 1, state])
            elif g + 1 < known[1]:
                known[1], known[2] = g + 1, state
    return None


def bfs_layers(start, goal):
    """Breadth-first search by layers, each a set. It stops after the layer with the goal."""
    layer, seen, order = {start}, {start}, []
    while goal not in layer:
        following = set()
        for state in sorted(layer, reverse=True):
            order.append(state)
            following.update(neighbours(state))
        layer = following - seen
        seen |= layer
    return lines(order)


def idastar_best_first(start, goal):
    """IDA* that tries the successors with the lowest h first and skips boards of its path."""
    order, limit = [], h(start, goal)

    def search(path, g):
        f = g + h(path[-1], goal)
        if f > limit:
            return f
        if path[-1] == goal:
            return 0
        order.append(path[-1])
        found = []
        for new in sorted(neighbours(path[-1]), key=lambda state: h(state, goal)):
            if new not in path:
                found.append(search([*path, new], g + 1))
                if not found[-1]:
                    return 0
        return min(found, default=99)

    while limit:
        limit = search([start], 0)
    return lines(order)


def shorter_only(start, goal, limit, estimate, order):
    """Return to a board only by a shorter path, in rounds up to the next limit."""
    shown, above = [], []

    def search(state, g, met):
        f = g + estimate(state, goal)
        if f > limit or (estimate is zero and f == limit and state != goal):
            above.append(f if f > limit else f + 1)
            return False
        if state == goal:
            return True
        if met.get(state, 99) <= g:
            return False
        met[state] = g
        shown.append(state)
        return any(search(new, g + 1, met) for new in neighbours(state, order=order))

    while not search(start, 0, {}):
        limit = min(above)
        above.clear()
    return lines(shown)


def iddfs_shorter_only(start, goal):
    return shorter_only(start, goal, 0, zero, "lrud")


def idastar_shorter_only(start, goal):
    return shorter_only(start, goal, h(start, goal), h, "rdlu")


def both_ends_by_layers(start, goal):
    """Bidirectional search that expands whole layers, as sets, before it compares them."""
    order, layers, seen = [], [{start}, {goal}], [{start}, {goal}]
    while True:
        for end in (0, 1):
            made = set()
            for state in sorted(layers[end]):
                order.append(state)
                made.update(neighbours(state))
            layers[end] = made - seen[end]
            seen[end] |= made
            if seen[0] & seen[1]:
                return lines(order)


def entered(start, goal, limit, estimate):
    """Print each board when it is entered, also those that the limit cuts off."""
    shown, above, path = [], [limit], []
    while not path:
        limit, above = min(above), []
        path = descend([start], goal, limit, estimate, shown, above)
    return lines(shown, words(path))


def descend(path, goal, limit, estimate, shown, above):
    """Return the path to the goal within the limit, or none."""
    state, f = path[-1], len(path) - 1 + estimate(path[-1], goal)
    shown.append(state)
    if state == goal and f <= limit:
        return path
    if f > limit or (estimate is zero and f == limit):
        above.append(f if f > limit else f + 1)
        return []
    for new in neighbours(state, order="lrud"):
        if new not in path:
            found = descend([*path, new], goal, limit, estimate, shown, above)
            if found:
                return found
    return []


def idastar_entered(start, goal):
    """IDA* that prints the boards above the limit too."""
    return entered(start, goal, h(start, goal), h)


def iddfs_entered(start, goal):
    """Iterative deepening from a limit of 1 that prints the boards at the limit too."""
    return entered(start, goal, 1, zero)


def bfs_visited(start, goal):
    """Breadth-first search that counts the boards taken from the queue as visited."""
    waiting, parents, order = deque([start]), {start: None}, []
    while waiting:
        state = waiting.popleft()
        order.append(state)
        if state == goal:
            return lines(order, words(traced(parents, goal)), nodes_visited=len(order))
        for new in neighbours(state, order="lrud"):
            if new not in parents:
                parents[new] = state
                waiting.append(new)
    return None


def weighted_in_integers(start, goal):
    """Weighted A* that prints 2g + 3h and takes the last board first among equals."""
    heap, cost, order = [(3 * h(start, goal), start)], {start: 0}, []
    while heap:
        f, state = heapq.heappop(heap)
        if state == goal:
            break
        if state in {one for one, _ in order}:
            continue
        order.append((state, f))
        for new in neighbours(state):
            if cost[state] + 1 < cost.get(new, 99):
                cost[new] = cost[state] + 1
                heapq.heappush(heap, (2 * cost[new] + 3 * h(new, goal), new))
    return "board,f\n" + "\n".join(f"{' '.join(map(str, state))},{f}" for state, f in order)


def h(state, goal):
    return estimate(state, goal, "manhattan")


def zero(state, goal):
    return 0


PROGRAMS = {
    "astar": (
        astar_list,
        style(best, ties="last"),
        style(best, ties="boards", order="lrdu"),
        style(best, ties="low-h-last-board"),
        style(best, h="crow", ties="boards"),
    ),
    "bfs": (
        style(blind, test="made", order="ldru"),
        bfs_layers,
        style(blind, seen="expanded", order="drul", goal_last=True),
        bfs_visited,
    ),
    "dfs": (style(blind, take="newest", order="rudl"),),
    "greedy": (style(best, f="h", ties="last", dup="made", order="rdlu"),),
    "ucs": (style(best, f="g", h="zero", ties="boards", order="lrdu"),),
    "idastar": (idastar_best_first, idastar_shorter_only, idastar_entered),
    "iddfs": (
        style(other_programs.iddfs, order="dlur"),
        iddfs_shorter_only,
        iddfs_entered,
    ),
    "rbfs": (style(other_programs.rbfs, back=True, goal_last=True),),
    "bidirectional": (both_ends_by_layers,),
    "wastar": (weighted_in_integers,),
}
