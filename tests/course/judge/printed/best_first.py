"""Student searches, each with a switch for its mistakes. They share nothing with the checks.

`run` returns the expanded boards in order as text, with g, h and f if those are printed.
"""

import functools
import heapq
import itertools
import math

MOVES = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

WRAPPING = {"wrap": "udlr", "wrap right": "r", "wrap left": "l"}
"""The ways that go over a border into the next row, by the mistake."""

SHORT = {"short": "rd", **{f"short of {side}": side[0] for side in ("right", "down", "left", "up")}}
"""The ways that end a cell before the border, by the mistake."""


def goal_of(name):
    return (1, 2, 3, 4, 5, 6, 7, 8, 0) if name == "last" else (0, 1, 2, 3, 4, 5, 6, 7, 8)


def neighbours(state, order="udlr", borders="right", missing="", copies=True):
    blank = state.index(0)
    shared = list(state)
    row, col = divmod(blank, 3)
    found = []
    for way in order:
        if way in missing:
            continue
        down, right = MOVES[way]
        r, c = row + down, col + right
        inside, other = 0 <= r < 3 and 0 <= c < 3, blank + 3 * down + right
        if way in WRAPPING.get(borders, ""):
            inside = 0 <= other < 9
        elif way in SHORT.get(borders, ""):
            inside = inside and not {"r": c == 2, "d": r == 2, "l": c == 0, "u": r == 0}[way]
        elif borders == "around":
            inside, other = True, r % 3 * 3 + c % 3
        if inside:
            new = list(state) if copies else shared
            new[blank], new[other] = new[other], new[blank]
            found.append(tuple(new))
    return found


def estimate(state, goal, kind):
    total = 0
    if kind == "inversions":
        order = [goal.index(tile) for tile in state if tile]
        return sum(a > b for a, b in itertools.combinations(order, 2))
    for cell in range(9):
        tile = state[cell]
        home = goal.index(tile)
        dr, dc = abs(cell // 3 - home // 3), abs(cell % 3 - home % 3)
        if kind == "cells-at-home":
            total += state[cell] == goal[cell]
        elif kind == "misplaced-blank":
            total += state[cell] != goal[cell]
        elif kind == "manhattan-blank":
            total += dr + dc
        elif kind == "half":
            total += (dr + dc) / 2 if tile else 0
        elif kind == "formula of C" and not tile:
            total += cell // 3 + cell % 3 + 1
        elif kind in ("formula", "formula of C"):
            total += abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
        elif tile == 0 or (kind == "no-last" and tile == 8) or (kind == "no-first" and tile == 1):
            continue
        elif kind in ("manhattan", "no-last", "no-first"):
            total += dr + dc
        elif kind == "misplaced":
            total += state[cell] != goal[cell]
        elif kind == "at-home":
            total += state[cell] == goal[cell]
        elif kind == "rows":
            total += dr
        elif kind == "columns":
            total += dc
        elif kind == "mixed":
            total += abs(cell // 3 - home % 3) + abs(cell % 3 - home // 3)
        elif kind == "king":
            total += max(dr, dc)
        elif kind == "crow":
            total += math.sqrt(dr**2 + dc**2)
        elif kind == "squares":
            total += dr**2 + dc**2
        elif kind == "cells":
            total += abs(cell - home)
        elif kind == "late-abs":
            total += abs(cell // 3 - home // 3 + cell % 3 - home % 3)
    return total


def printed(search):
    """Make a search return its output and end after `most` expansions."""

    @functools.wraps(search)
    def program(start, goal, most=None, **how):
        return list(itertools.islice(search(start, goal, **how), most))

    return program


@printed
def blind(start, goal, *, take="oldest", reverse=False, test="taken", seen="made", **how):
    """Breadth-first search, or with `take` depth-first search."""
    frontier, known, visited = [start], {start}, set()
    if how.pop("forgets_start", False):
        known = set()
    while frontier:
        state = frontier.pop(0) if take == "oldest" else frontier.pop()
        if seen == "expanded" and state in visited:
            continue
        if test == "taken" and state == goal:
            return
        visited.add(state)
        yield state
        made = neighbours(state, **how)
        for new in reversed(made) if reverse else made:
            if new in (visited if seen == "expanded" else known):
                continue
            if test == "made" and new == goal:
                return
            known.add(new)
            frontier.append(new)


@printed
def best(start, goal, *, h="manhattan", f="g+h", ties="first", dup="shorter", test="taken", **how):
    """A*, or another search by `f`, with a heap of entries (f, tie, state)."""
    count = itertools.count()
    aim = goal_of(how.pop("aims", "last")) if "aims" in how else goal
    when, step = how.pop("h_of", "child"), how.pop("g", "grows")
    popped = 0

    def entry(state, g, hh):
        rank = {
            "g+h": g + hh,
            "h": hh,
            "g": g,
            "g+2h": g + 2 * hh,
            "g+3h": g + 3 * hh,
            "-": -g - hh,
            "-h": -hh,
        }[f]
        n = next(count)
        tie = {
            "first": n,
            "last": -n,
            "low-h": (hh, n),
            "high-g": (-g, n),
            "boards": state,
            "low-h-last-board": (hh, [-tile for tile in state]),
        }[ties]
        return rank, tie, n, state, g, hh

    first = entry(start, 0, estimate(start, aim, h))
    heap, best_g, done = [first], {start: 0}, set()
    while heap:
        rank, _, _, state, g, hh = heapq.heappop(heap)
        if dup == "shorter" and g > best_g[state]:
            continue
        if dup == "expanded" and state in done:
            continue
        if test == "taken" and state == goal:
            return
        done.add(state)
        popped += 1
        yield state, g, hh, rank
        for new in neighbours(state, **how):
            ng = {"grows": g + 1, "stays": g, "one": 1, "adds-h": g + hh + 1, "pops": popped}[step]
            if dup == "made" and new in best_g:
                continue
            if dup == "shorter" and new in best_g and best_g[new] <= ng:
                continue
            if dup == "expanded" and new in done:
                continue
            best_g[new] = ng
            if test == "made" and new == goal:
                return
            value = estimate(state if when == "parent" else new, aim, h)
            heapq.heappush(heap, entry(new, ng, value))


def text_of(order):
    """Return the output of a program: one board a line, or CSV with g, h and f."""
    if order and isinstance(order[0][0], tuple):
        lines = ["board,g,h,f"]
        for state, g, h, f in order:
            lines.append(f'"{" ".join(map(str, state))}",{g},{round(h, 3)},{round(f, 3)}')
        return "\n".join(lines)
    return "\n".join(" ".join(map(str, state)) for state in order)


@printed
def too_early(start, goal, *, h="manhattan", f="g+h", end="last"):
    """A sorted list to which the successors of a node are appended after the sort."""
    waiting, known = [(start, 0)], {start}

    def rank(entry):
        return estimate(entry[0], goal, h) + (entry[1] if f == "g+h" else 0)

    while waiting:
        state, g = waiting.pop() if end == "last" else waiting.pop(0)
        if state == goal:
            return
        yield state
        waiting.sort(key=rank, reverse=end == "last")
        for new in neighbours(state):
            if new not in known:
                known.add(new)
                waiting.append((new, g + 1))


@printed
def heap_error(start, goal, *, slip, h="manhattan"):
    """A* with a heap error.

    `stale` leaves the old f of a node with a shorter path. `pairs` searches pairs of f and board
    for a board.
    """
    first = estimate(start, goal, h)
    heap, count, cost, done = [(first, 0, start, 0)], itertools.count(1), {start: 0}, []
    while heap:
        *_, state, g = heapq.heappop(heap)
        if state == goal:
            return
        g = cost[state] if slip == "stale" else g
        done.append(state)
        yield state, g, estimate(state, goal, h), g + estimate(state, goal, h)
        for new in neighbours(state):
            new_f = g + 1 + estimate(new, goal, h)
            if slip == "pairs":
                if new in done or (new_f, new) in [(entry[0], entry[2]) for entry in heap]:
                    continue
            elif new in cost:
                if new not in done and g + 1 < cost[new]:
                    cost[new] = g + 1
                continue
            cost[new] = g + 1
            heapq.heappush(heap, (new_f, next(count), new, g + 1))
