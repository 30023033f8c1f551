"""Writes the boards that come with the site, each with the length of its shortest solution:
`python -m benchmarks.ship_boards`, some minutes."""

from collections import Counter
from itertools import count

from slidewise import scramble
from slidewise.analysis.distance import LEVELS, level, look_ahead
from slidewise.solver.known import moves_at_least
from webapp.play.new import SHIPPED

BOARDS_OF_A_LEVEL = {(2, 3): 34, (3, 3): 334, (4, 4): 334}
"""Boards of each level, enough that a browser that fetches 50 at a time rarely meets one twice.
There are only 360 boards of 2x3."""

SEARCH_SECONDS = 60.0
"""Limit of the search for one board, far above the longest."""


def main() -> None:
    """Draw boards, solve those of incomplete levels, and write them sorted."""
    lines = [line for size in BOARDS_OF_A_LEVEL for line in _of_size(*size)]
    SHIPPED.write_text("\n".join(lines) + "\n")
    print(f"{SHIPPED.name}: {len(lines):,} boards")


def _of_size(rows: int, cols: int) -> list[str]:
    boards, found = dict[str, int](), Counter[str]()
    wanted, most = LEVELS[rows, cols], BOARDS_OF_A_LEVEL[rows, cols]
    for number in count():
        open_levels = [name for name in wanted if found[name] < most]
        if not open_levels:
            break
        puzzle = scramble(rows, cols, f"ahead {number}")
        if moves_at_least(puzzle) > max(wanted[name].most for name in open_levels):
            continue
        ahead = look_ahead(puzzle, SEARCH_SECONDS)[puzzle.start]
        name = level(puzzle, ahead.at_least)
        if ahead.exact and name in open_levels and str(puzzle) not in boards:
            found[name] += 1
            boards[str(puzzle)] = ahead.at_least
    return [f"{code} {moves}" for code, moves in sorted(boards.items(), key=lambda board: board[1])]


if __name__ == "__main__":
    main()
