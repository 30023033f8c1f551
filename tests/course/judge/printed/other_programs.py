"""Student searches that are not best-first, each with a switch for its mistakes."""

import contextlib
import math

from tests.course.judge.printed.best_first import estimate, neighbours


class Printed(Exception):
    """A program has printed the wanted number of lines."""


class Printer:
    """The boards that a program prints at expansion, up to `most`."""

    def __init__(self, most):
        self.order, self.most = [], most

    def __call__(self, *line):
        if len(self.order) == self.most:
            raise Printed
        self.order.append(line if len(line) > 1 else line[0])


def printed(program, start, goal, most=400, **how):
    """Run a program and return its output, at most `most` lines."""
    show = Printer(most)
    with contextlib.suppress(Printed):
        program(start, goal, show, **how)
    return show.order


def idastar(
    start,
    goal,
    show,
    *,
    h="manhattan",
    limit="lowest",
    keep="<=",
    seen="parent",
    order="udlr",
    **how,
):
    """Recursive IDA*."""
    bound = estimate(start, goal, h)

    def search(path, g, visited):
        state = path[-1]
        f = g + estimate(state, goal, h)
        if f > bound or (keep == "<" and f == bound and g):
            return False, [f] if keep == "<=" else [max(f, bound + 1)]
        if seen == "visited":
            if state in visited:
                return False, []
            visited.add(state)
        if state == goal:
            return True, []
        show(state, g, f - g, f)
        above = []
        for new in neighbours(state, order=order, **how):
            if seen == "path" and new in path:
                continue
            if seen in ("parent", "visited") and len(path) > 1 and new == path[-2]:
                continue
            found, more = search([*path, new], g + 1, visited)
            if found:
                return True, []
            above += more
        return False, above

    while True:
        found, above = search([start], 0, set())
        if found or not above:
            return
        bound = {
            "lowest": min(above),
            "highest": max(above),
            "last": above[-1],
            "plus one": bound + 1,
        }[limit]


def iddfs(start, goal, show, *, seen="parent", step=1, late=False, first=0, order="udlr", **how):
    """Recursive iterative deepening that counts down."""
    ever = []

    def search(state, before, left, visited):
        if seen in ("visited", "kept"):
            if state in visited:
                return False
            visited.add(state)
        if state == goal and not (late and left == 0):
            return True
        if left == 0:
            return False
        show(state)
        made = neighbours(state, order=order, **how)
        if seen == "ever":
            ever.append(state)
            made = [new for new in made if new not in ever]
        return any(
            search(new, state, left - 1, visited) for new in made if seen == "ever" or new != before
        )

    limit, kept = first, set()
    while not search(start, None, limit, kept if seen == "kept" else set()):
        kept.discard(start)
        limit += step


def rbfs(
    start,
    goal,
    show,
    *,
    h="manhattan",
    f_of="max",
    hand_down="min",
    back_at=">",
    resort=False,
    stores=True,
    back=False,
    begins="inf",
    order="udlr",
    **how,
):
    """Recursive best-first search in AIMA's form."""

    def search(state, before, g, f, limit):
        if state == goal:
            return True, f
        show(state, g, estimate(state, goal, h), f)
        below = []
        for new in neighbours(state, order=order, **how):
            if back or new != before:
                own = g + 1 + estimate(new, goal, h)
                below.append([max(own, f) if f_of == "max" else own, new])
        while True:
            ranked = sorted(below, key=lambda one: one[0])
            if resort:
                below = ranked
            best = ranked[0]
            second = ranked[1][0] if len(ranked) > 1 else math.inf
            if best[0] > limit or (back_at == ">=" and best[0] >= limit):
                return False, best[0]
            down = {"min": min(limit, second), "limit": limit, "second": second}[hand_down]
            found, returned = search(best[1], state, g + 1, best[0], down)
            if found:
                return True, best[0]
            best[0] = returned if stores else best[0]

    first = estimate(start, goal, h)
    search(start, None, 0, first, math.inf if begins == "inf" else first)


def both_ends(start, goal, show, *, turns="smaller layer", meet="made", take="oldest", **how):
    """Breadth-first search from both ends."""
    reached, layers = ({start}, {goal}), [[start], [goal]]
    if take == "newest" or turns not in ("smaller layer", "layers"):
        return one_by_one(start, goal, show, turns, meet, take, **how)
    end = 1
    while all(layers):
        end = 1 - end if turns == "layers" else int(len(layers[1]) < len(layers[0]))
        following = []
        for state in layers[end]:
            if meet == "taken" and state in reached[1 - end]:
                return None
            show(state)
            for new in neighbours(state, **how):
                if meet == "made" and new in reached[1 - end]:
                    return None
                if new not in reached[end]:
                    reached[end].add(new)
                    following.append(new)
        layers[end] = following
    return None


def one_by_one(start, goal, show, turns, meet, take, **how):
    """Take one board at a time by `turns`.

    The ends alternate, the start alone goes on, or the end with fewer waiting boards is next. With
    "smaller layer", that end empties its current layer first.
    """
    reached, waiting, end, left = ({start}, {goal}), ([start], [goal]), 1, 0
    while True:
        if turns == "smaller layer":
            if not left:
                end = int(len(waiting[1]) < len(waiting[0]))
                left = len(waiting[end])
            left -= 1
        elif turns == "smaller":
            end = int(len(waiting[1]) < len(waiting[0]))
        else:
            end = 0 if turns == "start" else 1 - end
        state = waiting[end].pop(0 if take == "oldest" else -1)
        if meet == "taken" and state in reached[1 - end]:
            return
        show(state)
        for new in neighbours(state, **how):
            if meet == "made" and new in reached[1 - end]:
                return
            if new not in reached[end]:
                reached[end].add(new)
                waiting[end].append(new)


def weighted(start, goal, show, *, h="manhattan", g_weight=1, h_weight=1.5, order="udlr", **how):
    """Weighted A* whose frontier is a list that is sorted each time."""
    frontier, best = [(h_weight * estimate(start, goal, h), 0, start)], {start: 0}
    while frontier:
        frontier.sort(key=lambda one: one[0])
        f, g, state = frontier.pop(0)
        if g > best[state]:
            continue
        if state == goal:
            return
        show(state, g, estimate(state, goal, h), f)
        for new in neighbours(state, order=order, **how):
            if g + 1 < best.get(new, math.inf):
                best[new] = g + 1
                f = g_weight * (g + 1) + h_weight * estimate(new, goal, h)
                frontier.append((f, g + 1, new))
