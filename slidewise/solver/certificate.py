"""Certificates: what a search has proved, written down so that another program can check it.

A certificate is a JSON object. It has the boards, the moves of the path and the lower bound, and
says which pattern tables prove it: their file, with its SHA-256, where in it they begin, the home
cells of each group on the grid of the tables, and for each view the grid's cell of each cell of
the board. `slidewise/verify.py` checks one and shares no code with this.

Importing this module loads numpy.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import PuzzleError
from slidewise.solver import places
from slidewise.solver.tables.patterns import files
from slidewise.solver.tables.patterns.database import load, used
from slidewise.solver.tables.patterns.partition import find_partition

if TYPE_CHECKING:
    from pathlib import Path

    from slidewise.solver.result import Result

FORMAT = "slidewise certificate 1"


CHECKED_CELLS = 16
"""Up to so many cells the checker can find out that the usual tables are right: those with 7 and 8
tiles in a group are too large for that."""


class NoTablesError(PuzzleError):
    """A result whose tables are not in a file, so that nobody else could check them."""


def write_certificate(file: Path, result: Result) -> None:
    """Write the certificate of a result that has a path and a lower bound.

    Raises `NoTablesError`, and `UnknownPartitionError` for boards without pattern tables.
    """
    places.write_whole(file, json.dumps(certificate(result)).encode() + b"\n")


def certificate(result: Result) -> dict[str, Any]:
    """Return the certificate of a result that has a path and a lower bound."""
    start, goal = result.puzzle.start, result.puzzle.goal
    frame, partition = used(goal)
    if len(goal.cells) <= CHECKED_CELLS:  # and not larger ones that were built on request
        partition = find_partition(frame.rows, frame.cols, frame.blank)
        load(goal, partition.name)
    tables = files.path(partition)
    if files.read(partition) is None:
        raise NoTablesError(
            f"the pattern tables of {goal.rows}x{goal.cols} are not in {tables}: run "
            f"`slidewise tables build --size {goal.rows}x{goal.cols}` where it can be written"
        )
    with tables.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()
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
        "tables": {
            "file": str(tables.resolve()),
            "sha256": digest,
            "offset": files.HEADER_BYTES,
            "rows": frame.rows,
            "cols": frame.cols,
            "groups": [list(group) for group in partition.groups],
            "views": [list(view) for view in frame.views],
        },
    }
