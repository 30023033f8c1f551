"""Known mistakes in estimates."""

from __future__ import annotations

from typing import Any

from slidewise.study.check import wrong_estimates
from slidewise.study.check.change import Change
from slidewise.study.check.mistake import ESTIMATING, NEVER_ABOVE, Mistake


def _h_mistake(key: str, title: str, what: str, mend: str, h: Any, of: str = "") -> Mistake:
    return Mistake(key, title, what, mend, ESTIMATING, Change(h=h), of)


_SKIP_BLANK = "Skip the blank in the sum: `if tile != 0`."
_GOAL = "Take each tile's home from the goal that the search looks for."

ESTIMATES = (
    _h_mistake(
        "manhattan-with-blank",
        "Your Manhattan distance counts the blank",
        f"The blank adds its own distance from home. {NEVER_ABOVE}",
        _SKIP_BLANK,
        wrong_estimates.with_blank,
        "manhattan",
    ),
    *(
        _h_mistake(
            "manhattan-blank-by-formula",
            "Your Manhattan distance counts the blank, as a tile whose home is outside the board",
            "With homes worked out from tile - 1, the blank, 0, gets one beyond the border. "
            f"{NEVER_ABOVE}",
            _SKIP_BLANK,
            wrong_estimates.blank_by_formula(truncates=truncates),
            "manhattan",
        )
        for truncates in (False, True)
    ),
    _h_mistake(
        "misplaced-with-blank",
        "Your count of misplaced tiles counts the blank",
        f"The blank out of place adds 1. {NEVER_ABOVE}",
        _SKIP_BLANK,
        wrong_estimates.misplaced_with_blank,
        "misplaced",
    ),
    _h_mistake(
        "manhattan-without-last",
        "Your Manhattan distance forgets the last tile",
        "The tile with the highest number adds nothing. Paths are still shortest, but more nodes "
        "are expanded.",
        "Let the loop run to the last tile: `range(1, n)` ends at n - 1.",
        wrong_estimates.without_last,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-without-first",
        "Your Manhattan distance forgets tile 1",
        "Tile 1 adds nothing.",
        "Begin the loop with tile 1; only the blank, 0, is left out.",
        wrong_estimates.without_first,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-rows-columns",
        "Your Manhattan distance mixes rows and columns",
        "The row of a tile is compared with the column of its home.",
        "Compare row with row and column with column: `cell // columns` and `cell % columns`, and "
        "the same for the home.",
        wrong_estimates.mixed,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-rows-only",
        "Your Manhattan distance counts rows only",
        "The columns add nothing.",
        "Add the difference of the columns too.",
        wrong_estimates.rows_only,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-columns-only",
        "Your Manhattan distance counts columns only",
        "The rows add nothing.",
        "Add the difference of the rows too.",
        wrong_estimates.columns_only,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-sign",
        "Your Manhattan distance takes the absolute value too late",
        "Rows and columns of opposite sign cancel out before the absolute value is taken.",
        "Take the absolute value of each difference, then add: `abs(rows) + abs(columns)`.",
        wrong_estimates.signed,
        "manhattan",
    ),
    _h_mistake(
        "chebyshev",
        "You take the larger of rows and columns, not their sum",
        "That is the Chebyshev distance, for kings that move diagonally.",
        "Add the two differences.",
        wrong_estimates.chebyshev,
        "manhattan",
    ),
    _h_mistake(
        "euclidean",
        "You use Euclidean distance",
        "It is never above the true distance, so paths stay shortest. Manhattan distance is never "
        "less, and expands fewer boards.",
        "",
        wrong_estimates.euclidean,
        "manhattan",
    ),
    _h_mistake(
        "squared",
        "You add the squares of the distances",
        f"Squares can be more than the moves that are needed. {NEVER_ABOVE}",
        "Add the differences of rows and columns themselves.",
        wrong_estimates.squared,
        "manhattan",
    ),
    _h_mistake(
        "index-distance",
        "You take differences of cell numbers",
        f"A tile one row below its home counts as many moves as the board has columns. "
        f"{NEVER_ABOVE}",
        "Divide cell numbers into rows and columns first.",
        wrong_estimates.by_index,
        "manhattan",
    ),
    _h_mistake(
        "counts-at-home",
        "You count the tiles that are at home, not those that are misplaced",
        "The estimate grows towards the goal, where it should be 0.",
        "Count the tiles that differ from the goal: `!=` in place of `==`.",
        wrong_estimates.tiles_at_home,
    ),
    _h_mistake(
        "counts-cells-at-home",
        "You count the cells that are as in the goal, not the tiles that are misplaced",
        "The estimate grows towards the goal, where it should be 0.",
        "Count the tiles, not the blank, that differ from the goal: `!=` in place of `==`.",
        wrong_estimates.at_home,
    ),
    _h_mistake(
        "misplaced-not-manhattan",
        "You count misplaced tiles where Manhattan distance was asked for",
        "Each tile adds 1 however far it is from home.",
        "Add the rows and columns that each tile is from home.",
        wrong_estimates.misplaced,
        "manhattan",
    ),
    _h_mistake(
        "manhattan-not-misplaced",
        "You use Manhattan distance where misplaced tiles were asked for",
        "Each tile adds its distance from home.",
        "Add 1 for each tile that is not at home.",
        wrong_estimates.manhattan,
        "misplaced",
    ),
    _h_mistake(
        "inversions",
        "Your estimate counts inversions",
        f"One move can remove several inversions. {NEVER_ABOVE}",
        "Add the rows and columns that each tile is from home.",
        wrong_estimates.inversions,
    ),
    _h_mistake(
        "manhattan-blank-last-goal",
        "Your Manhattan distance is to the goal with the blank last",
        "The search and the estimate have different goals.",
        _GOAL,
        wrong_estimates.manhattan_of("last"),
        "manhattan",
    ),
    _h_mistake(
        "manhattan-blank-first-goal",
        "Your Manhattan distance is to the goal with the blank first",
        "The search and the estimate have different goals.",
        _GOAL,
        wrong_estimates.manhattan_of("first"),
        "manhattan",
    ),
    _h_mistake(
        "misplaced-blank-last-goal",
        "Your misplaced tiles are counted against the goal with the blank last",
        "The search and the estimate have different goals.",
        _GOAL,
        wrong_estimates.misplaced_of("last"),
        "misplaced",
    ),
    _h_mistake(
        "misplaced-blank-first-goal",
        "Your misplaced tiles are counted against the goal with the blank first",
        "The search and the estimate have different goals.",
        _GOAL,
        wrong_estimates.misplaced_of("first"),
        "misplaced",
    ),
    _h_mistake(
        "h-is-zero",
        "Your estimate is always 0",
        "All boards look equally far from the goal.",
        "Return the sum, worked out for the successor.",
        wrong_estimates.nothing,
    ),
)
"""The mistakes in estimates, in the order in which they are tried."""
