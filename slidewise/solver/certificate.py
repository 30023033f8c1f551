"""Certificates: proofs of a search, written for an independent checker.

A certificate is a JSON object with the boards, the moves, the lower bound and the groups of
tiles that share a pattern table. `slidewise/verify.py` checks certificates without
this package's code. It builds the tables of these groups itself.

Importing this module loads numpy.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from slidewise.solver import cache_dirs
from slidewise.solver.tables.patterns.database import used
from slidewise.solver.tables.patterns.partition import find_partition

if TYPE_CHECKING:
    from pathlib import Path

    from slidewise.solver.result import Result

FORMAT = "slidewise certificate 2"

CHECKED_CELLS = 16
"""Cells of the largest board whose lower bound the checker can verify.

It can build the default tables, but not those with 7 and 8 tiles in a group."""


def write_certificate(file: Path, result: Result) -> None:
    """Write the certificate of a result that has a path and a lower bound.

    Raises `UnknownPartitionError` for boards without pattern tables.
    """
    cache_dirs.write_whole(file, json.dumps(certificate(result)).encode() + b"\n")


def certificate(result: Result) -> dict[str, Any]:
    """Return the certificate of a result that has a path and a lower bound."""
    start, goal = result.puzzle.start, result.puzzle.goal
    frame, partition = used(goal)
    if len(goal.cells) <= CHECKED_CELLS:  # ignore larger tables, built on request
        partition = find_partition(frame.rows, frame.cols, frame.blank)
    tile_at = dict(zip(frame.views[0], goal.cells, strict=True))
    return {
        "format": FORMAT,
        "rows": goal.rows,
        "cols": goal.cols,
        "start": list(start.cells),
        "goal": list(goal.cells),
        "moves": result.moves,
        "length": result.length,
        "lower_bound": result.lower_bound,
        "expanded": result.expanded,
        "groups": [[tile_at[home] for home in group] for group in partition.groups],
    }
