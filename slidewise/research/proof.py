"""Resumable proof that a path is shortest, by IDA* with pattern databases.

After the first long iteration, beam searches look for a short path once. Then IDA* continues alone
until it finds a path or proves the known path shortest. Checkpoints are written to a file
regularly.

Importing this module loads numpy and the compiled functions, so import it lazily.
"""

import contextlib
import hashlib
import io
import json
import logging
import os
import random
import statistics
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slidewise.puzzle import Puzzle, PuzzleError
from slidewise.puzzle.moves import play
from slidewise.solver import cache_dirs, loop
from slidewise.solver.engines.beam import Shortening
from slidewise.solver.engines.bracket import how_it_ends
from slidewise.solver.engines.pattern_deepening import PatternDeepening, Root
from slidewise.solver.events import Event, Improved, Iteration, Proving
from slidewise.solver.kernels import pattern_search as kernel
from slidewise.solver.loop import End, LowerBound, Outcome
from slidewise.solver.result import ContradictionError, Cost, Result, Status, Subtrees
from slidewise.solver.task import Task, follow

SPLIT_BUDGET = 1_000_000
"""Expansions of a slice when an iteration is split again on resuming, which shows no progress."""

_NUMBERS = ("limit", "last", "expanded", "_level", "_next", "_found")

_OF_BRANCH = ("path", "board")
"""Arrays of a started branch, whose counters are a row of `counts`."""


class Snapshot(NamedTuple):
    """State of a search between two slices: JSON values and arrays."""

    facts: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


class OtherSearchError(PuzzleError):
    """A snapshot that this version cannot continue identically."""


class ResumableDeepening(PatternDeepening):
    """Iterative deepening that can save and restore its state as a `Snapshot`."""

    failure = ""
    """Reason that the search cannot go on, if any."""

    forecast = 0.0
    """Estimated nodes of this iteration."""

    @property
    def is_distributed(self) -> bool:
        """Whether other machines search the current iteration."""
        return False

    def changes(self) -> Iterator[Event]:
        """Yield the machines that joined or left since the last call."""
        return iter(())

    def snapshot(self) -> Snapshot:
        """Return the state between two slices. During a split it is the state before the split."""
        branches = [branch for _, branch in self._paused]
        facts = {
            **{name: getattr(self, name) for name in _NUMBERS},
            **(self._unsplit if self._above else {}),
            "split": not self._above,
            "before": asdict(self.before),
            "subtrees": self.subtrees,
            "path": [int(cell) for cell in self._path],
            "paused": [number for number, _ in self._paused],
            "check": self._check(),
        }
        arrays: dict[str, NDArray[Any]] = {"counts": self._counts}
        for name in _OF_BRANCH:
            parts = [getattr(branch.arrays, name) for branch in branches]
            arrays[name] = np.array(parts) if parts else np.empty(0)
        return Snapshot(facts, arrays)

    def resume(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot of a search for the same puzzle with the same tables.

        Raises `OtherSearchError`.
        """
        facts, arrays = snapshot
        self.before = _read_cost(facts["before"])
        self.subtrees = None if facts["subtrees"] is None else _read_subtrees(*facts["subtrees"])
        self._take(facts, ("limit", "last", "_level"))
        self._begin()
        # Splitting is deterministic, so the checkpoint need not hold the roots.
        while self._above and facts["split"]:
            self._split(self._above, SPLIT_BUDGET)
        # The numbers of branches only mean the same roots if the order of the search is the same.
        if facts["check"] != self._check() or arrays["counts"].shape != self._counts.shape:
            raise OtherSearchError("another version of Slidewise searches in another order")
        self._take(facts, _NUMBERS)
        if not facts["split"]:
            return
        self._counts[:] = arrays["counts"]
        self._path = [int(cell) for cell in facts["path"]]
        for place, number in enumerate(facts["paused"]):
            branch = self._branch_of(self._roots[number], 1 + number)
            for name in _OF_BRANCH:
                getattr(branch.arrays, name)[:] = arrays[name][place]
            self._paused.append((number, branch))

    @property
    def share(self) -> float:
        """Completed share of this iteration's branches, from 0 to 1."""
        begun = 0 if self._above else self._next - len(self._paused)
        return begun / max(1, len(self._roots))

    @property
    def in_iteration(self) -> int:
        """Nodes expanded in this iteration."""
        return int(self._counts[:, kernel.EXPANDED].sum())

    @property
    def nodes_left(self) -> float:
        """Estimated nodes left in this iteration, 0 at its end."""
        return (1 - self.share) * max(self.in_iteration, self.forecast)

    def _begin(self) -> None:
        super()._begin()
        self._unsplit = {"expanded": self.expanded, "_level": self._level}

    def _take(self, facts: dict[str, Any], names: tuple[str, ...]) -> None:
        for name in names:
            setattr(self, name, int(facts[name]))

    def _check(self) -> int:
        """Return a checksum of the search order."""
        check = zlib.crc32(self._rules.walks.tobytes())
        for root in [] if self._above else self._roots:
            check = zlib.crc32(root.row.tobytes() + root.board.tobytes(), check)
        return check


def _read_cost(counts: dict[str, Any]) -> Cost:
    """Return the cost that a checkpoint holds; raises `TypeError` or `ValueError`."""
    whole = {name: int(counts[name]) for name in counts if name != "seconds"}
    return Cost(**whole, seconds=float(counts["seconds"]))


def _read_subtrees(partition: str, bound: int, level: int, blanks: Any, counts: Any) -> Subtrees:
    """Return the subtrees that a checkpoint holds; raises `TypeError` or `ValueError`."""
    cells = [[int(cell) for cell in path] for path in blanks]
    pairs = [(int(expanded), int(generated)) for expanded, generated in counts]
    return Subtrees(str(partition), int(bound), int(level), cells, pairs)


try:
    import fcntl
except ImportError:  # Windows, without detection of a second proof in a folder
    fcntl = None  # type: ignore[assignment]  # not on Windows

FILE_NAME = "proof.checkpoint"
"""Name of the checkpoint file in the folder of a proof."""

FORMAT = "slidewise proof, 3"

_FACTS = "facts"


class CheckpointError(PuzzleError):
    """A checkpoint that cannot be read, written or used for this puzzle."""


class Checkpoint(NamedTuple):
    """Checkpoint of a proof: its puzzle, pattern database and progress.

    `partition` names the database and `tables` is the checksum of its tables. `path` is the best
    known path as cells of the blank. It is None while beams are running, because they restart on
    resuming. `beams` is the cost of the beams, None before they ran. `growth` is the growth factor
    of the last iteration. `seconds` is the time spent on the proof.
    """

    puzzle: str
    partition: str
    tables: int
    path: list[int] | None
    beams: dict[str, float] | None
    growth: float
    seconds: float
    search: Snapshot

    @property
    def is_of_cluster(self) -> bool:
        """Whether it has pieces of branches, which only a proof on a cluster can go on with."""
        return "cluster" in self.search.facts


@contextlib.contextmanager
def held(folder: Path | None) -> Iterator[None]:
    """Lock a folder against other proofs, which would overwrite each other's checkpoints.

    Has no effect on file systems without locks, for example some network file systems.

    Raises `CheckpointError` if another proof holds the lock.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            # Locking the directory itself leaves no lock file behind after a crash.
            if folder and fcntl:
                directory = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, directory)
                try:
                    fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise CheckpointError(
                        f"another proof is under way in {folder}: wait for its end, or name "
                        "another folder"
                    ) from None
        yield


def read(folder: Path, puzzle: Puzzle) -> Checkpoint | None:
    """Return the checkpoint of a puzzle in a folder, or None if there is no file.

    Raises `CheckpointError`, also for a path that does not lead from the start to the goal.
    """
    file = folder / FILE_NAME
    try:
        found = _unpack(file.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CheckpointError(f"cannot read {file}: {error.strerror or error}") from None
    if found is None:
        raise CheckpointError(f"{file} is damaged, or no checkpoint of this version: {BEGIN_AGAIN}")
    if found.puzzle != str(puzzle):
        raise CheckpointError(
            f"{file} is the checkpoint of another puzzle, {found.puzzle}: name another folder"
        )
    if not _leads_to_goal(found, puzzle):
        raise CheckpointError(
            f"the path in {file} does not lead from the start to the goal: {BEGIN_AGAIN}"
        )
    return found


BEGIN_AGAIN = "remove it to begin the proof again, or name another folder"


def _leads_to_goal(found: Checkpoint, puzzle: Puzzle) -> bool:
    """Whether the path is missing, or legal and ends at the goal."""
    if found.path is None:
        return True
    try:
        moves, _ = follow(puzzle.start, found.path)
        return found.path[:1] == [puzzle.start.blank] and play(puzzle.start, moves) == puzzle.goal
    except (ContradictionError, PuzzleError, TypeError):
        return False


def write(folder: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint to a folder, which is created if missing.

    Raises `CheckpointError`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        cache_dirs.write_whole(folder / FILE_NAME, _pack(checkpoint))
    except OSError as error:
        raise CheckpointError(
            f"cannot write a checkpoint in {folder}: {error.strerror or error}"
        ) from None


def _pack(checkpoint: Checkpoint) -> bytes:
    """Serialise a checkpoint: a line with the format and the digest, then the data."""
    facts: dict[str, Any] = checkpoint._asdict()
    facts["search"] = checkpoint.search.facts
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    packed = io.BytesIO()
    np.savez(packed, allow_pickle=False, **{_FACTS: text}, **checkpoint.search.arrays)
    return _first_line(packed.getvalue()) + packed.getvalue()


def _unpack(data: bytes) -> Checkpoint | None:
    """Parse a checkpoint file, or return None if it is damaged."""
    rest = data.partition(b"\n")[2]
    if data != _first_line(rest) + rest:
        return None
    try:
        with np.load(io.BytesIO(rest), allow_pickle=False) as stored:
            arrays = dict(stored)
        facts = json.loads(arrays.pop(_FACTS).tobytes())
        facts |= {"growth": float(facts["growth"]), "seconds": float(facts["seconds"])}
        facts["beams"] = facts["beams"] and asdict(_read_cost(facts["beams"]))
        return Checkpoint(search=Snapshot(facts.pop("search"), arrays), **facts)
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        return None  # valid digest, foreign content


def _first_line(rest: bytes) -> bytes:
    return f"{FORMAT}, {hashlib.sha256(FORMAT.encode() + rest).hexdigest()}\n".encode()


LONG_ITERATION_NODES = 3_000_000
"""Minimum nodes of an iteration, some tenths of a second, for a forecast of the next."""

NODES_A_DRAW = 2_000
"""Nodes of the previous iteration per node of the probes. These run in Python, some 100 times
slower, so a sample costs a few hundredths of the iteration."""

MOST_DRAWS = 60_000
"""Maximum nodes expanded in probes, about 2 s of work."""


class SubtreeSample:
    """Size estimate, by random probes, of the iteration that `work` has just started.

    It does not change the search. The random draws depend only on the f-limit. The method is
    stratified sampling (Chen, 1992).
    """

    def __init__(self, work: PatternDeepening) -> None:
        self._work = work
        self._random = random.Random(work.limit)
        is_long = work.last >= LONG_ITERATION_NODES
        self._left = min(work.last // NODES_A_DRAW, MOST_DRAWS) if is_long else 0
        self._found: list[float] = []

    @property
    def is_over(self) -> bool:
        """Whether the sample has used its budget."""
        return self._left <= 0

    @property
    def nodes(self) -> float | None:
        """Estimated nodes of the iteration, None before the first probe."""
        return statistics.fmean(self._found) if self._found else None

    def advance(self) -> None:
        """Run a probe, which takes some tenths of a second."""
        found = 0.0
        level = [(1.0, self._work.root)]
        while level:
            self._left -= len(level)
            found += sum(weight for weight, _ in level)
            drawn: dict[tuple[int, ...], tuple[float, Root]] = {}
            for weight, parent in level:
                for node in self._work.successors(parent):
                    kind = tuple(node.row[_KIND].tolist())
                    # A single node of each kind stays, drawn by weight, and stands for all of them.
                    before, other = drawn.get(kind, (0.0, node))
                    total = before + weight
                    stays = self._random.random() * total >= weight
                    drawn[kind] = total, other if stays else node
            level = list(drawn.values())
        self._found.append(found)


_KIND = [kernel.BLANK, kernel.FIRST, kernel.SECOND]


log = logging.getLogger(__name__)

PATH_FROM_EXPANSIONS = 3_000_000
"""Expansions of an iteration, some tenths of a second, from which beams look for a path. Earlier
they would take longer than all the rest."""

PATH_EXPANSIONS = 2_000_000
"""Boards expanded by the beams, in some seconds; more seldom shortens the path."""

SAVE_SECONDS = 20.0
"""Seconds between checkpoints, so that a crash loses less than half a minute."""

GROWTH = 8.0
"""Assumed growth factor of the first forecast, between the usual factors on 4x4 and 5x5."""


def run(
    task: Task, work: ResumableDeepening, folder: Path | None, checkpoint: Checkpoint | None
) -> Iterator[Event]:
    """Search for the proof, yield events, and end with the best path and the proved bound."""
    search = ProofSearch(task, work, folder, checkpoint)
    return loop.run(search, task)


class ProofSearch:
    """IDA* with a single run of the beams, and checkpoints if a folder is given."""

    def __init__(
        self,
        task: Task,
        work: ResumableDeepening,
        folder: Path | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        database = task.estimate.patterns
        if database is None:
            raise TypeError(f"{task.heuristic} has no pattern database")
        self._task, self._database, self._folder = task, database, folder
        self._work = work
        self._shortening = Shortening(task, database)
        self._beams = Cost(0, 0, 0, 0, 0, 0.0)
        self._beam_budget: int | None = None  # expansions left to the beams, None before them
        self._before = 0.0  # seconds of earlier runs
        self._found = False  # a path by IDA*
        self._growth = GROWTH
        if checkpoint:
            self._resume(checkpoint)
        self._sample = SubtreeSample(self._work)  # of the iteration under way
        self._work.forecast = self._work.last * self._growth
        self._limit, self._expanded_before = self._work.limit, self.expanded
        self._bound = LowerBound(task.puzzle)
        self._bound.raise_to(self._work.proved)
        self._reported = 0, 0
        self._begun = self._saved = monotonic()

    @property
    def expanded(self) -> int:
        """Return the number of boards expanded by IDA* and in beams, in all runs."""
        return self._work.expanded + self._beams.expanded

    @property
    def path(self) -> list[int]:
        """Return the cells of the blank on the best path that is known."""
        return self._work.path() if self._found else self._shortening.path

    def close(self) -> None:
        self._work.close()

    def advance(self, budget: int) -> Outcome:
        if self._beam_budget:
            outcome = self._shortening.advance(min(budget, self._beam_budget))
            before, self._beams = self._beams.expanded, self._shortening.cost
            self._beam_budget -= self._beams.expanded - before
            # No beam is left that could shorten the path.
            if outcome is Outcome.EMPTY:
                self._beam_budget = 0
            return Outcome.RUNNING
        if not self._sample.is_over:
            self._sample.advance()
            self._work.forecast = self._sample.nodes or self._work.forecast
            if not self._work.is_distributed:
                return Outcome.RUNNING
        last = self._work.last
        outcome = self._work.advance(budget)
        self._found = outcome is Outcome.GOAL
        if outcome is Outcome.RUNNING and self._work.limit != self._limit:
            self._limit, self._sample = self._work.limit, SubtreeSample(self._work)
            if last:
                self._growth = self._work.last / last
            self._work.forecast = self._work.last * self._growth
            if self._beam_budget is None and self._work.last >= PATH_FROM_EXPANSIONS:
                self._beam_budget = PATH_EXPANSIONS
        return outcome

    def new_iterations(self) -> Iterator[Iteration]:
        return self._work.new_iterations()

    def news(self, outcome: Outcome) -> Iterator[Event]:
        """Write a checkpoint if due, and yield new bounds."""
        if self._folder and monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        yield from self._work.changes()
        if outcome is Outcome.GOAL:
            return
        self._bound.raise_to(self._work.proved)
        known = len(self.path) - 1, self._bound.moves
        if known != self._reported:
            self._reported = known
            yield Improved(*known)

    def progress(self, seconds: float) -> Proving:
        progress = self._work.progress(self._bound.moves, self._before + seconds)
        values = asdict(progress)
        values["expanded"] += self._beams.expanded
        values["generated"] += self._beams.generated
        rate = (self.expanded - self._expanded_before) / max(seconds, 0.001)
        left, more = self._left()
        return Proving(
            **values,
            length=len(self.path) - 1,
            limit=self._work.limit,
            per_second=int(rate),
            left_in_iteration=left,
            left=left + more,
        )

    def end(self, outcome: Outcome) -> End | None:
        if outcome is Outcome.GOAL:
            self._bound.raise_to(len(self.path) - 1)
        if self._work.failure:
            return End(Status.CUTOFF, self._work.failure)
        return how_it_ends(self._task, outcome, len(self.path) - 1, self._bound.moves)

    def result(self, end: End, seconds: float) -> Result:
        """Return the best known path with its bound; checkpoint an unfinished proof."""
        proved = end.status is Status.SOLVED
        if self._folder and not proved:
            self._save()
        cost, bound = self._cost(self._before + seconds), self._bound.moves
        result = loop.best_result(self._task, end, self.path, bound, cost, shortest=proved)
        return replace(result, subtrees=self._work.subtrees)

    def _cost(self, seconds: float) -> Cost:
        """Return the cost of the proof, up to the path that IDA* found, if any."""
        work = self._work.cost(seconds)
        return work.together_with(self._beams) if self._beams.expanded else work

    def _left(self) -> tuple[int, int]:
        """Estimate the nodes left in this iteration, and in all later iterations of the proof."""
        nodes, growth = max(self._work.in_iteration, self._work.forecast), self._growth
        if self._sample.nodes is not None:
            growth = nodes / self._work.last
        left, more = self._work.nodes_left, 0.0
        # f-limits grow by 2, because solutions of a puzzle have the same parity.
        for _ in range(self._work.limit + 2, len(self.path) - 1, 2):
            nodes *= growth
            more += nodes
        return int(left), int(more)

    def _save(self) -> None:
        """Write a checkpoint. Running beams restart when it is resumed."""
        if self._folder is None:
            return
        checkpoint = Checkpoint(
            puzzle=str(self._task.puzzle),
            partition=self._database.partition,
            tables=self._database.checksum,
            path=None if self._beam_budget else [int(cell) for cell in self._shortening.path],
            beams=None if self._beam_budget is None else asdict(self._beams),
            growth=self._growth,
            seconds=self._before + monotonic() - self._begun,
            search=self._work.snapshot(),
        )
        try:
            write(self._folder, checkpoint)
        except CheckpointError as error:
            # A full disk must not end a proof of days.
            log.warning("%s: the proof goes on, but it could not after a crash", error)
        self._saved = monotonic()

    def _resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint."""
        if checkpoint.tables != self._database.checksum:
            raise CheckpointError(
                f"the checkpoint in {self._folder} was written with other pattern tables: "
                f"{BEGIN_AGAIN}"
            )
        try:
            self._work.resume(checkpoint.search)
        except (OtherSearchError, KeyError, TypeError, ValueError, IndexError):
            raise CheckpointError(
                f"the checkpoint in {self._folder} is of a version of Slidewise that searches "
                f"otherwise: {BEGIN_AGAIN}"
            ) from None
        self._before, self._growth = checkpoint.seconds, checkpoint.growth
        if checkpoint.path is None:
            self._beam_budget = PATH_EXPANSIONS
        elif checkpoint.beams is not None:
            self._shortening.path = checkpoint.path
            self._beam_budget, self._beams = 0, _read_cost(checkpoint.beams)
