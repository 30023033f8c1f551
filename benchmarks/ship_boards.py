"""Writes the 4x4 boards that come with the site, each with the length of its shortest solution:
`python -m benchmarks.ship_boards`, some minutes."""

from __future__ import annotations

from collections import Counter
from itertools import count

from slidewise import scramble
from slidewise.solver.known import moves_at_least
from slidewise.study.distance_ahead import look_ahead
from slidewise.study.draw import LEVELS, level
from webapp.play.boards_ahead import SHIPPED

BOARDS_OF_A_LEVEL = 334
"""How many of each level: a browser that fetches 50 boards now and then meets few of them twice."""

SEARCH_SECONDS = 60.0
"""The longest search for one board, far above what any takes."""


def main() -> None:
    """Draw boards, solve those of levels of which there are too few, and write them sorted."""
    lines, found = [], Counter[str]()
    wanted = LEVELS[4, 4]
    for number in count():
        if all(found[name] >= BOARDS_OF_A_LEVEL for name in wanted):
            break
        puzzle = scramble(4, 4, f"ahead {number}")
        open_levels = [name for name in wanted if found[name] < BOARDS_OF_A_LEVEL]
        if moves_at_least(puzzle) > max(wanted[name].most for name in open_levels):
            continue
        ahead = look_ahead(puzzle, SEARCH_SECONDS)[puzzle.start]
        name = level(puzzle, ahead.at_least)
        if ahead.exact and name in open_levels:
            found[name] += 1
            lines.append(f"{puzzle} {ahead.at_least}")
    SHIPPED.write_text("\n".join(sorted(lines, key=lambda line: int(line.split()[1]))) + "\n")
    print(f"{SHIPPED.name}: {len(lines):,} boards")


if __name__ == "__main__":
    main()
