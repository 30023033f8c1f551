"""Proofs that a path is shortest, as a stream of events, and certificates for a checker.

A certificate is a JSON object with the boards, the moves, the lower bound, the groups of tiles
that share a pattern table, and the subtrees of the last complete search for a shorter solution.
`slidewise/verify.py` checks certificates without this package's code. It builds the tables of the
groups and recomputes the subtrees (docs/certificates.md).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidewise.puzzle import Board, Puzzle
from slidewise.solver import cache_dirs, compiling
from slidewise.solver.estimate import Estimate
from slidewise.solver.events import Event, Preparing
from slidewise.solver.known import PROOF_TITLE
from slidewise.solver.result import Result, Subtrees
from slidewise.solver.run import DEFAULT_LIMITS, find_algorithm, find_heuristic, run_task
from slidewise.solver.tables.patterns.partition import Frame, find_partition, partitions
from slidewise.solver.task import Limits, Task, UnfitHeuristicError, follow, never

if TYPE_CHECKING:
    from distributed import Client

    from slidewise.research.proof import Checkpoint


BEST_TABLES_CELLS = 17
"""Minimum cells for which the tables with the highest mean are built. A proof takes minutes with
these large tables, and many times as long with the default tables."""


def prove(
    puzzle: Puzzle,
    limits: Limits = DEFAULT_LIMITS,
    *,
    state: Path | None = None,
    cancelled: Callable[[], bool] = never,
    client: Client | None = None,
) -> Iterator[Event]:
    """Return the events of a proof that a path is shortest, which end with `Finished`.

    `state` is a directory for a checkpoint, written every 20 s. The next call with the same puzzle
    resumes from it, with the counts and the path of an uninterrupted proof. Missing pattern
    databases are built first. On 5x5 with the blank in a corner of the goal that is 6-6-6-6, which
    takes 1 GB on disk. Databases exist for up to 16 cells and for 5x5.

    `client` is the client of a Dask cluster, whose machines then search the long iterations, with
    the result and the counts of one core. The event `Machine` reports machines that join or are
    lost. A limit on expansions is not exact then.

    >>> from slidewise import parse_puzzle
    >>> *_, last = prove(parse_puzzle("5.1.2.4-9.6.3.8-13.10.7.11-0.14.15.12"))
    >>> last.result.length, last.result.verdict.kind.value
    (9, 'optimal')

    Raises `UnfitHeuristicError` for other sizes, and `CheckpointError`.
    """
    heuristic = find_heuristic("pdb")
    if not heuristic.fits(puzzle.rows, puzzle.cols):
        raise UnfitHeuristicError(
            "proofs need pattern databases, which there are for boards of up to 16 cells and for "
            f"5x5, not for {puzzle.rows}x{puzzle.cols}: `solve` finds a solution"
        )
    proof = _Proof(state, client)
    algorithm = replace(
        find_algorithm("best"), title=PROOF_TITLE, kernel="pattern_search", run=proof.run
    )
    heuristic = replace(heuristic, prepare=proof.prepare, build=proof.build)
    return run_task(Task(puzzle, algorithm, heuristic, limits, cancelled=cancelled))


class _Proof:
    """Tables of a proof, and its checkpoint if any."""

    def __init__(self, folder: Path | None, client: Client | None) -> None:
        self._folder, self._client = folder, client
        self._name: str | None = None
        self._checkpoint: Checkpoint | None = None

    def prepare(self, puzzle: Puzzle) -> Iterator[Preparing]:
        """Read the checkpoint, and load or build the tables for it or for the size."""
        yield from compiling.prepare("patterns", "beam")
        # deferred: loads numpy and the compiled kernels
        from slidewise.research import proof
        from slidewise.solver.tables.patterns import database

        if self._folder:
            if not cache_dirs.is_writable(self._folder):
                raise proof.CheckpointError(
                    f"cannot write checkpoints in {self._folder}: name a folder that can be written"
                )
            with proof.held(self._folder):
                self._checkpoint = proof.read(self._folder, puzzle)
            if self._checkpoint and self._checkpoint.is_of_cluster and self._client is None:
                raise proof.CheckpointError(
                    f"the checkpoint in {self._folder} is of a proof on a cluster: go on there, "
                    "for example with --cluster local, or name another folder"
                )
        self._name = self._checkpoint.partition if self._checkpoint else best_partition(puzzle.goal)
        yield from database.prepare(*puzzle.goal.size, puzzle.goal, self._name)

    def build(self, goal: Board) -> Estimate:
        """Return the estimate of the tables."""
        from slidewise.solver.tables.patterns.database import load

        return Estimate(len(goal.cells), (), load(goal, self._name))

    def run(self, task: Task) -> Iterator[Event]:
        """Run the proof, with the checkpoint locked."""
        from slidewise.research import cluster, proof

        with proof.held(self._folder):
            if self._client:
                work: proof.ResumableDeepening = cluster.ClusterDeepening(task, self._client)
            else:
                work = proof.ResumableDeepening(task)
            yield from proof.run(task, work, self._folder, self._checkpoint)


def best_partition(goal: Board) -> str | None:
    """Return the name of the tables for a proof, None for the best available.

    >>> from slidewise import standard_goal
    >>> best_partition(standard_goal(5, 5))
    '6-6-6-6'
    """
    if len(goal.cells) < BEST_TABLES_CELLS:
        return None
    frame = Frame.of(goal)
    choices = partitions(frame.rows, frame.cols, frame.blank)
    # As a rule, tables with a higher mean search fewer nodes.
    return max(choices.values(), key=lambda partition: partition.mean).name


FORMAT = "slidewise certificate 3"

CHECKED_TILES = 6
"""Maximum tiles of a group whose table the checker can build; the partition 7-8 is too large."""


def write_certificate(file: Path, result: Result) -> None:
    """Write the certificate of a result that has a path and a lower bound.

    Raises `UnknownPartitionError` for boards without pattern tables.
    """
    cache_dirs.write_whole(file, text_of(certificate(result)).encode())


def text_of(claims: dict[str, Any]) -> str:
    """Return a certificate as text, with a line for each claim and each subtree."""
    subtrees = ",\n".join(map(json.dumps, claims.get("subtrees", ())))
    lines = [
        f"{json.dumps(name)}: {json.dumps(value) if name != 'subtrees' else f'[{subtrees}]'}"
        for name, value in claims.items()
    ]
    return "{" + ",\n".join(lines) + "}\n"


def certificate(result: Result) -> dict[str, Any]:
    """Return the certificate of a result that has a path and a lower bound."""
    from slidewise.solver.tables.patterns.database import used  # deferred: loads numpy

    start, goal, subtrees = result.puzzle.start, result.puzzle.goal, result.subtrees
    if subtrees and subtrees.bound != result.lower_bound:
        subtrees = None  # the bound has another proof
    frame, partition = used(goal, subtrees and subtrees.partition)
    if max(map(len, partition.groups)) > CHECKED_TILES:
        # The subtrees belong to their tables, so both are replaced.
        subtrees, partition = None, find_partition(frame.rows, frame.cols, frame.blank)
    # Groups are cells of the frame; certificates name the puzzle's own tiles.
    tile_at = dict(zip(frame.views[0], goal.cells, strict=True))
    claims = {
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
    return claims | (_parts(subtrees, start, frame) if subtrees else {})


def _parts(subtrees: Subtrees, start: Board, frame: Frame) -> dict[str, Any]:
    """Return the subtrees, and the rules of the search that they depend on."""
    from slidewise.solver.engines.walks import LONGEST_WALK_MOVES

    return {
        "views": [[frame.views[0].index(cell) for cell in view] for view in frame.views],
        "walk": LONGEST_WALK_MOVES,
        "level": subtrees.level,
        "subtrees": [
            [follow(start, blanks)[0], *counts]
            for blanks, counts in zip(subtrees.blanks, subtrees.counts, strict=True)
        ],
    }
