"""An independent version of the names in expressions: slow, on tuples of cells."""

import functools
import itertools
import math

from tests.solver import oracle


def ways(cells, goal, cols, tiles):
    """Return (rows, columns) from home of each of `tiles`."""
    for tile in tiles:
        (row, col), (home_row, home_col) = (
            divmod(side.index(tile), cols) for side in (cells, goal)
        )
        yield abs(row - home_row), abs(col - home_col)


def tiles(cells):
    return range(1, len(cells))


def conflict_pairs(cells, goal, cols):
    found = 0
    for line in oracle.lines(len(goal) // cols, cols):
        here = [cells[cell] for cell in line]
        home = [goal[cell] for cell in line]
        both = [tile for tile in here if tile and tile in home]
        found += sum(home.index(a) > home.index(b) for a, b in itertools.combinations(both, 2))
    return 2 * found


def gaschnig(cells, goal, cols):
    """Count swaps of the blank with the tile of its cell, or if home with a wrong tile."""
    cells, swaps = list(cells), 0
    while tuple(cells) != goal:
        blank = cells.index(0)
        wanted = goal[blank]
        if not wanted:
            wanted = next(tile for tile, home in zip(cells, goal, strict=True) if tile != home)
        there = cells.index(wanted)
        cells[blank], cells[there] = wanted, 0
        swaps += 1
    return swaps


def sequence_score(cells, goal, cols):
    rows = len(goal) // cols
    ring = [0]
    for step, count in ((1, cols - 1), (cols, rows - 1), (-1, cols - 1), (-cols, rows - 1)):
        ring += [ring[-1] + step * (n + 1) for n in range(count)]
    ring.pop()
    here, home = ([side[cell] for cell in ring] for side in (cells, goal))
    follows = dict(zip(home, home[1:] + home[:1], strict=True))
    score = sum(
        2
        for tile, after in zip(here, here[1:] + here[:1], strict=True)
        if tile and follows.get(tile) != after
    )
    return score + sum(
        cells[cell] != goal[cell] for cell in range(len(goal)) if cell not in ring and cells[cell]
    )


def walking_distance(cells, goal, cols):
    """Return the moves of `walks` from the rows' contents, and from the columns'."""
    rows = len(goal) // cols
    found = 0
    for lines in oracle.lines(rows, cols)[:rows], oracle.lines(rows, cols)[rows:]:
        line_of = {goal[cell]: number for number, line in enumerate(lines) for cell in line}
        line_of[0] = -1
        here, home = (contents(side, lines, line_of) for side in (cells, goal))
        found += walks(home)[here]
    return found


def contents(cells, lines, line_of):
    """Return for each line the sorted home lines of its tiles, -1 for the blank."""
    return tuple(tuple(sorted(line_of[cells[cell]] for cell in line)) for line in lines)


@functools.cache
def walks(home):
    """Return the moves to `home` from all contents of lines, by breadth-first search."""
    moves, layer = {home: 0}, [home]
    while layer:
        following = []
        for state in layer:
            blank = next(number for number, line in enumerate(state) if -1 in line)
            for other in {blank - 1, blank + 1} & set(range(len(state))):
                for place, tile in enumerate(state[other]):
                    lines = list(map(list, state))
                    lines[other][place] = -1
                    lines[blank][lines[blank].index(-1)] = tile
                    after = tuple(tuple(sorted(line)) for line in lines)
                    if after not in moves:
                        moves[after] = moves[state] + 1
                        following.append(after)
        layer = following
    return moves


def wrong_goal(goal):
    last = (*range(1, len(goal)), 0)
    return tuple(range(len(goal))) if goal == last else last


REFERENCE = {
    "manhattan": oracle.manhattan,
    "misplaced": oracle.misplaced,
    "linear_conflict": oracle.linear_conflict,
    "zero": oracle.zero,
    "manhattan_with_blank": lambda cells, goal, cols: sum(
        map(sum, ways(cells, goal, cols, range(len(goal))))
    ),
    "manhattan_without_last": lambda cells, goal, cols: sum(
        map(sum, ways(cells, goal, cols, range(1, len(goal) - 1)))
    ),
    "manhattan_wrong_goal": lambda cells, goal, cols: oracle.manhattan(
        cells, wrong_goal(goal), cols
    ),
    "misplaced_with_blank": lambda cells, goal, cols: sum(
        tile != home for tile, home in zip(cells, goal, strict=True)
    ),
    "conflict_pairs": conflict_pairs,
    "out_of_row": lambda cells, goal, cols: sum(
        down > 0 for down, _ in ways(cells, goal, cols, tiles(goal))
    ),
    "out_of_column": lambda cells, goal, cols: sum(
        right > 0 for _, right in ways(cells, goal, cols, tiles(goal))
    ),
    "euclidean": lambda cells, goal, cols: math.ceil(
        math.fsum(math.dist((0, 0), way) for way in ways(cells, goal, cols, tiles(goal)))
    ),
    "walking_distance": walking_distance,
    "nilsson": lambda cells, goal, cols: (
        oracle.manhattan(cells, goal, cols) + 3 * sequence_score(cells, goal, cols)
    ),
    "max_distance": lambda cells, goal, cols: max(map(sum, ways(cells, goal, cols, tiles(goal)))),
    "inversions": lambda cells, goal, cols: sum(
        goal.index(a) > goal.index(b)
        for a, b in itertools.combinations([tile for tile in cells if tile], 2)
    ),
    "gaschnig": gaschnig,
    "sequence_score": sequence_score,
}
