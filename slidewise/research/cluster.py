"""IDA* with pattern databases on the machines of a Dask cluster.

The branches of a long iteration are searched in bundles. Each machine (a Dask worker) has a single
bundle at a time. Its threads share the bundle and the mapping of the tables. A machine hands back
the rest of its bundle after some seconds. The stack of an unfinished branch is then cut into
pieces, which are the roots of everything left to search.

Counts and path equal the results of `PatternDeepening` on one core. A piece has a key, and the
order of the keys is the order of the search on one core. If a goal is found, only pieces before it
are still searched, and only they are counted. So a result does not depend on machines, cuts or
losses.

Importing this module loads numpy and the compiled functions, so import it lazily. The worker needs
Dask, but this module imports it in functions only.
"""

from __future__ import annotations

import functools
import heapq
import secrets
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from queue import Empty, SimpleQueue
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slidewise.puzzle import parse_puzzle
from slidewise.research.proof import ResumableDeepening, Snapshot
from slidewise.solver import compiling
from slidewise.solver.engines.pattern_deepening import (
    Branch,
    Root,
    SearchTables,
    new_counts,
    search_tables,
    successors,
)
from slidewise.solver.events import Machine
from slidewise.solver.kernels import pattern_search as kernel
from slidewise.solver.kernels.jit import Int64s, Uint64s
from slidewise.solver.loop import Outcome
from slidewise.solver.solve_many import withdrawn
from slidewise.solver.tables.patterns import database
from slidewise.solver.tables.patterns.database import PatternDatabase
from slidewise.solver.task import Task
from slidewise.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

Key = tuple[int, ...]


class Piece(NamedTuple):
    """A subtree to search.

    `key` is the number of its branch, then its number at each cut. `stored` is the number of nodes
    that the undivided search stores when it reaches the root, without the nodes above the branch.
    """

    key: Key
    root: Root
    stored: int

    @property
    def rank(self) -> tuple[int, int, Key]:
        """Rank in a queue: first branches first, and in a branch the roots with large subtrees."""
        return self.key[0], self.root.g, self.key


class PackedPieces(NamedTuple):
    """Pieces as arrays, for the network and for checkpoints."""

    keys: NDArray[np.int64]
    key_ends: NDArray[np.int64]
    blanks: NDArray[np.uint8]
    blank_ends: NDArray[np.int64]
    rows: Uint64s
    boards: Uint64s
    stored: NDArray[np.int64]


def pack(pieces: list[Piece]) -> PackedPieces:
    """Pack pieces into arrays."""
    keys, blanks = [piece.key for piece in pieces], [piece.root.blanks for piece in pieces]
    return PackedPieces(
        np.array([number for key in keys for number in key], dtype=np.int64),
        np.array([*accumulate(map(len, keys))], dtype=np.int64),
        np.frombuffer(b"".join(map(bytes, blanks)), dtype=np.uint8),
        np.array([*accumulate(map(len, blanks))], dtype=np.int64),
        np.array([piece.root.row for piece in pieces], dtype=np.uint64),
        np.array([piece.root.board for piece in pieces], dtype=np.uint64),
        np.array([piece.stored for piece in pieces], dtype=np.int64),
    )


def unpack(packed: PackedPieces) -> list[Piece]:
    """Return the pieces of `pack`."""
    keys, blanks = packed.keys.tolist(), packed.blanks.tolist()
    key_ends, blank_ends = [0, *packed.key_ends.tolist()], [0, *packed.blank_ends.tolist()]
    return [
        Piece(tuple(keys[first:last]), Root(tuple(blanks[start:end]), row, board), stored)
        for (first, last), (start, end), row, board, stored in zip(
            pairwise(key_ends),
            pairwise(blank_ends),
            packed.rows,
            packed.boards,
            packed.stored.tolist(),
            strict=True,
        )
    ]


def cut(piece: Piece, branch: Branch, rules: SearchTables, limit: int) -> list[Piece]:
    """Return everything that a paused search of a piece has left, in the order of the search."""
    path, board = branch.arrays.path, branch.arrays.board.copy()
    top = int(branch.counts[kernel.LEVEL])
    blanks = branch.blanks()
    waiting = (path[:top, kernel.KEPT] - path[:top, kernel.NEXT]).tolist()
    stored = [*accumulate((rest + 1 for rest in waiting), initial=piece.stored)]
    # The deepest node comes first, as the depth-first search would go on there.
    found = [(Root(blanks, path[top].copy(), board.copy()), stored[top])]
    for level in range(top - 1, -1, -1):
        blank, cell = path[level, kernel.BLANK], path[level + 1, kernel.BLANK]
        board[cell], board[blank] = board[blank], 0
        node = Root(blanks[: piece.root.g + level + 1], path[level].copy(), board.copy())
        taken = int(path[level, kernel.NEXT]) - kernel.SUCCESSORS
        rest = [*successors(node, rules, limit)][taken:]
        found += [(root, stored[level] + len(rest) - number) for number, root in enumerate(rest)]
    return [Piece((*piece.key, number), *facts) for number, facts in enumerate(found)]


class BundleSpec(NamedTuple):
    """Everything but the pieces that a machine needs to search a bundle.

    `level` is the level of the branches, to which the counts of pieces refer.
    """

    puzzle: str
    partition: str
    digest: str
    limit: int
    level: int
    room: int
    slice_nodes: int


class BundleResult(NamedTuple):
    """Result of a bundle.

    `counts` has a row for each of `keys`, the pieces that were begun. `cuts` has the number of
    pieces for each piece that was cut. `rest` was not begun. `goal` is the first goal found: its
    piece and the cells of the blank from the start. `full`: the stored nodes were at their limit.
    `seconds` is CPU time of all threads.
    """

    keys: list[Key]
    counts: Int64s
    cuts: dict[Key, int]
    rest: PackedPieces
    goal: tuple[Key, list[int]] | None
    full: bool
    seconds: float


def tables_digest(puzzle: str, partition: str) -> str:
    """Return the version and a checksum of the search, after building missing tables."""
    return _machine_tables(puzzle, partition)[1]


@functools.lru_cache(maxsize=2)
def _machine_tables(puzzle: str, partition: str) -> tuple[SearchTables, str]:
    for _ in compiling.prepare("patterns", "pattern_search"):
        pass
    found = parse_puzzle(puzzle)
    tables = database.load(found.goal, partition)
    rules, _ = search_tables(found.start, tables)
    return rules, _digest(rules, tables)


def _digest(rules: SearchTables, tables: PatternDatabase) -> str:
    # The order of tiles and walks decides the order of nodes, so it must agree too.
    order = zlib.crc32(rules.tiles.tobytes(), zlib.crc32(rules.walks.tobytes()))
    return f"Slidewise {__version__} with tables {tables.checksum:08x} in order {order:08x}"


def search_bundle(
    spec: BundleSpec, packed: PackedPieces, seconds: float, cores: int
) -> BundleResult:
    """Search pieces on this machine for `seconds`, with `cores` threads."""
    rules, digest = _machine_tables(spec.puzzle, spec.partition)
    if digest != spec.digest:
        raise RuntimeError(f"it has {digest}, not {spec.digest}")
    search = _BundleSearch(spec, rules, unpack(packed), monotonic() + seconds, withdrawn())
    with ThreadPoolExecutor(cores) as pool:
        for thread in [pool.submit(search.run) for _ in range(cores)]:
            thread.result()
    return search.result()


class _BundleSearch:
    """Search of a bundle, shared by the threads that call `run`.

    A thread without work waits until another thread has cut its piece.
    """

    def __init__(
        self,
        spec: BundleSpec,
        rules: SearchTables,
        pieces: list[Piece],
        deadline: float,
        withdrawn: Callable[[], bool],
    ) -> None:
        self._spec, self._rules = spec, rules
        self._queue = [(piece.rank, piece) for piece in pieces]
        heapq.heapify(self._queue)
        self._deadline, self._withdrawn = deadline, withdrawn
        self._changed = threading.Condition()
        self._busy = self._idle = 0
        self._counts: dict[Key, Int64s] = {}
        self._cuts: dict[Key, int] = {}
        self._goal: tuple[Key, list[int]] | None = None
        self._full = False
        self._seconds = 0.0

    def run(self) -> None:
        """Search pieces until none is left or the time is over."""
        started = thread_time()
        piece = self._take(first=True)
        while piece:
            rest = list[Piece]()
            try:
                rest = self._search(piece)
            finally:
                with self._changed:
                    self._busy -= 1
                    # Even after an error, so that the other threads are not left waiting.
                    for part in rest:
                        heapq.heappush(self._queue, (part.rank, part))
                    self._changed.notify_all()
            piece = self._take()
        with self._changed:
            self._seconds += thread_time() - started

    def result(self) -> BundleResult:
        """Return the result, after all threads have ended."""
        counts = np.array([*self._counts.values()], dtype=np.int64).reshape(-1, kernel.COUNTS)
        rest = pack([piece for _, piece in self._queue if not self._is_late(piece.key)])
        return BundleResult(
            [*self._counts], counts, self._cuts, rest, self._goal, self._full, self._seconds
        )

    @property
    def _is_over(self) -> bool:
        return self._full or monotonic() >= self._deadline or self._withdrawn()

    def _is_late(self, key: Key) -> bool:
        """Whether a piece comes after the goal."""
        return self._goal is not None and key > self._goal[0]

    def _take(self, *, first: bool = False) -> Piece | None:
        """Return the next piece, or None at the end.

        A thread's first piece is always searched, so that each bundle makes progress.
        """
        with self._changed:
            while first or not self._is_over:
                while self._queue and self._is_late(self._queue[0][1].key):
                    heapq.heappop(self._queue)
                if self._queue:
                    self._busy += 1
                    return heapq.heappop(self._queue)[1]
                # Without busy threads no piece can be cut any further: the bundle is done.
                if not self._busy:
                    break
                self._idle += 1
                self._changed.wait()
                self._idle -= 1
            return None

    def _search(self, piece: Piece) -> list[Piece]:
        """Search a piece; return the pieces that it was cut into."""
        counts = new_counts(1)[0]
        if len(piece.key) > 1:
            # A cut piece starts with the nodes that the undivided search would hold here.
            counts[[kernel.STORED, kernel.PEAK_STORED, kernel.PEAK_FRONTIER]] = piece.stored, 0, 0
        branch = Branch(piece.root, self._rules, self._spec.limit, counts)
        code, rest = kernel.BUDGET_USED, list[Piece]()
        while code == kernel.BUDGET_USED and not rest:
            code = branch.advance(self._spec.slice_nodes, self._spec.room)
            with self._changed:
                if self._is_late(piece.key):
                    return []
                self._full = self._full or code == kernel.NODES_FULL
                if code == kernel.GOAL:
                    self._goal = piece.key, branch.to_goal()
                is_short = self._idle > 0 and not self._queue
            if code in (kernel.BUDGET_USED, kernel.NODES_FULL) and (is_short or self._is_over):
                rest = cut(piece, branch, self._rules, self._spec.limit)
        # Counts of depth refer to the branch, and the piece starts deeper.
        below = piece.root.g - self._spec.level
        counts[[kernel.FOLLOWING, kernel.DEEPEST]] += below
        counts[kernel.PEAK_FRONTIER] -= below
        with self._changed:
            self._counts[piece.key] = counts
            if rest:
                self._cuts[piece.key] = len(rest)
        return rest


BUNDLE_SECONDS, LEAST_SECONDS = 5.0, 0.5
"""Seconds of a bundle, usually and at the end of an iteration; the overhead is about 0.02 s."""

SCHEDULER_SECONDS = 0.005
"""Minimum mean interval between bundles of a cluster. The scheduler takes half of it."""

NODES_A_SECOND = 10_000_000
"""Assumed nodes per CPU second before the first bundle is done."""

SPARE = 32
"""Pieces of a bundle, as a multiple of the number that fills its time at the mean size. Most of the
work is in a few large pieces, and the rest is handed back."""

SLICE_NODES = 500_000
"""Nodes of a slice, some 0.05 s, after which a thread checks the clock and for idle threads."""

FROM_EXPANSIONS = 10_000_000
"""Size of an iteration, under 1 s of one core, after which the next iteration is distributed."""

MOST_PIECES = 4_000
"""Maximum number of pieces in a bundle, about 2 MB."""

LOOK_SECONDS = 1.0
"""Interval between checks for machines that joined or left."""

WAIT_SECONDS = 0.1
"""Maximum wait for a result, and so the delay of progress reports and of a stop."""

RESULT_SECONDS = 30.0
"""Timeout for fetching a finished result, which fails if its machine is lost meanwhile."""


@dataclass
class _Worker:
    """A machine of the cluster, with its task under way and the pieces of the task.

    `future` computes the digest first. `ready` is True if the digest is right, `refused` if it is
    wrong or a bundle failed.
    """

    cores: int
    future: Future[Any] | None = None
    pieces: list[Piece] | None = None
    ready: bool = False
    refused: bool = False


def bundle_size(waiting: int, left: float, cores: int, machines: list[int]) -> tuple[float, int]:
    """Return the seconds and the pieces of the next bundle for a machine with `cores`.

    `waiting` pieces are to be handed out. `left` estimates the CPU seconds left in the iteration.
    `machines` has the cores of each machine. If `left` is too low, bundles are short, and if it is
    too high, small pieces end them early.
    """
    seconds, share = BUNDLE_SECONDS, waiting
    if len(machines) > 1:
        least = max(LEAST_SECONDS, SCHEDULER_SECONDS * len(machines))
        seconds = min(BUNDLE_SECONDS, max(least, left / sum(machines) / 2))
        # Half of each machine's share, so that no machine takes the work of the others.
        share = -(-waiting // (2 * len(machines)))
    enough = int(SPARE * seconds * cores * waiting / max(left, 1e-3))
    return seconds, max(1, min(enough, share, MOST_PIECES))


class ClusterDeepening(ResumableDeepening):
    """Iterative deepening whose long iterations are searched on a Dask cluster.

    The client splits the iterations and searches the short iterations itself.
    """

    def __init__(self, task: Task, client: Client) -> None:
        self._client, self._task = client, task
        self._token = secrets.token_hex(4)
        self._workers: dict[str, _Worker] = {}
        self._finished: SimpleQueue[Future[Any]] = SimpleQueue()
        self._news: list[Machine] = []
        self._nodes, self._cpu_seconds = 0, 0.0  # of all bundles
        self._look_at = 0.0
        self._bundles = 0
        self._forget()
        super().__init__(task)
        tables = task.estimate.patterns
        assert tables is not None
        self._own_digest = _digest(self._rules, tables)

    def _forget(self) -> None:
        """Reset the state of an iteration."""
        self._waiting: list[Piece] = []
        self._records: list[dict[Key, Int64s]] = []  # of each branch, until it is complete
        self._cuts: dict[Key, list[int]] = {}  # pieces unfinished, and all
        self._goal: Key | None = None
        self._complete = 0
        self._is_full = False

    @property
    def is_distributed(self) -> bool:
        """Whether the current iteration is searched on the cluster."""
        return bool(self._records) and self.last >= FROM_EXPANSIONS

    @property
    def share(self) -> float:
        if not self.is_distributed:
            return super().share
        return self._complete / max(1, len(self._roots))

    def changes(self) -> Iterator[Machine]:
        while self._news:
            yield self._news.pop(0)

    def close(self) -> None:
        """Withdraw the tasks under way."""
        for worker in self._workers.values():
            self._withdraw(worker)
        super().close()

    def advance(self, budget: int, *, spared: int = 0, hold: bool = False) -> Outcome:
        """Hand out pieces and wait a moment for results, or search a short iteration here."""
        if not self.is_distributed:
            return super().advance(budget, spared=spared, hold=hold)
        self._look_for_machines()
        self._hand_out()
        try:
            future = self._finished.get(timeout=WAIT_SECONDS)
            while True:
                self._fetch(future)
                future = self._finished.get_nowait()
        except Empty:
            pass
        if self._is_full:
            return Outcome.FULL
        if self._waiting or any(worker.pieces for worker in self._workers.values()):
            return Outcome.RUNNING
        return Outcome.GOAL if self._path else self._go_on()

    def snapshot(self) -> Snapshot:
        """Return the state; pieces under way are searched again when it is resumed."""
        facts, arrays = super().snapshot()
        if not self.is_distributed:
            return Snapshot(facts, arrays)
        pieces = self._waiting + [
            piece for worker in self._workers.values() for piece in worker.pieces or ()
        ]
        records = {key: row for found in self._records for key, row in found.items()}
        facts["cluster"] = {
            "records": [*records],
            "cuts": [*self._cuts.items()],
            "goal": self._goal,
            "complete": self._complete,
        }
        arrays |= {f"piece_{name}": part for name, part in pack(pieces)._asdict().items()}
        arrays["records"] = np.array([*records.values()], dtype=np.int64)
        return Snapshot(facts, arrays)

    def resume(self, snapshot: Snapshot) -> None:
        """Continue from a snapshot, also of a proof on a single machine.

        Raises `OtherSearchError`.
        """
        super().resume(snapshot)
        if not self.is_distributed:
            return
        facts, arrays = snapshot
        if "cluster" not in facts:
            self._goal = (self._found,) if self._path else None
            self._waiting = [piece for piece in self._waiting if piece.key[0] >= self._next]
            self._complete = self._next - len(self._paused)
            for number, branch in self._paused:
                # A paused branch of a single machine is cut like a piece that was handed back.
                whole = Piece((number,), branch.root, 1)
                pieces = cut(whole, branch, self._rules, self.limit)
                self._records[number][number,] = branch.counts.copy()
                self._cuts[number,] = [len(pieces)] * 2
                self._add(pieces)
            self._paused = []
            return
        found = facts["cluster"]
        packed = {name: arrays[f"piece_{name}"] for name in PackedPieces._fields}
        self._waiting = []
        self._add(unpack(PackedPieces(**packed)))
        for key, row in zip(found["records"], arrays["records"], strict=True):
            self._records[key[0]][tuple(key)] = row
        self._cuts = {tuple(key): open_and_all for key, open_and_all in found["cuts"]}
        self._goal = None if found["goal"] is None else tuple(found["goal"])
        self._complete = found["complete"]

    def _begin(self) -> None:
        self._forget()
        super()._begin()

    def _lay_out(self, roots: list[Root]) -> None:
        super()._lay_out(roots)
        self._records = [{} for _ in roots]
        self._add([Piece((number,), root, 1) for number, root in enumerate(roots)])

    def _add(self, pieces: Iterable[Piece]) -> None:
        self._waiting += [piece for piece in pieces if self._goal is None or piece.key < self._goal]

    # The machines

    def _look_for_machines(self) -> None:
        """Check new machines, and take back the pieces of lost machines."""
        if monotonic() < self._look_at:
            return
        self._look_at = monotonic() + LOOK_SECONDS
        try:
            there = self._client.nthreads() if self._client.status == "running" else None
        except OSError:
            there = None
        if there is None:
            self.failure = "the scheduler of the cluster cannot be reached"
            return
        for address in self._workers.keys() - there.keys():
            worker = self._workers.pop(address)
            # The pieces of a lost machine are searched again from their roots, and counted once.
            again = self._withdraw(worker)
            if worker.ready:
                self._report(address, "lost", again=again)
        for address in there.keys() - self._workers.keys():
            worker = self._workers[address] = _Worker(there[address])
            arguments = str(self._task.puzzle), self._partition
            self._submit(address, worker, "prove tables", tables_digest, *arguments)

    def _withdraw(self, worker: _Worker) -> bool:
        """Cancel a worker's task; return whether its pieces have to be searched again."""
        if worker.future is not None and self._client.status == "running":
            worker.future.cancel()
        again = worker.pieces or []
        worker.future = worker.pieces = None
        self._add(again)
        return bool(again)

    def _submit(
        self, address: str, worker: _Worker, name: str, function: Callable[..., Any], *args: Any
    ) -> None:
        """Run a function on a machine, under a name that the dashboard shows."""
        self._bundles += 1
        key = f"{name}-{self._bundles}-{self._token}"
        future = self._client.submit(function, *args, key=key, workers=[address], pure=False)
        worker.future = future
        future.add_done_callback(self._finished.put)

    def _report(self, address: str, change: str, *, again: bool = False, reason: str = "") -> None:
        ready = [worker for worker in self._workers.values() if worker.ready]
        cores = sum(worker.cores for worker in ready)
        self._news.append(Machine(address, change, len(ready), cores, again, reason))

    def _refuse(self, address: str, worker: _Worker, reason: str) -> None:
        """Give a machine no more work."""
        again = self._withdraw(worker)
        worker.ready, worker.refused = False, True
        self._report(address, "refused", again=again, reason=reason)

    # The bundles

    def _hand_out(self) -> None:
        """Give each idle machine a bundle."""
        ready = {address: worker for address, worker in self._workers.items() if worker.ready}
        idle = {address: worker for address, worker in ready.items() if worker.future is None}
        if not idle:
            return
        self._waiting.sort(key=lambda piece: piece.rank)
        machines = [worker.cores for worker in ready.values()]
        left = self.nodes_left / self._nodes_a_second
        for address, worker in idle.items():
            if self._waiting:
                waiting = len(self._waiting)
                seconds, size = bundle_size(waiting, left, worker.cores, machines)
                # Every n-th piece, so that each machine gets early and late pieces of the search.
                taken = slice(0, size * len(machines), len(machines))
                pieces = self._waiting[taken]
                del self._waiting[taken]
                spec = BundleSpec(
                    puzzle=str(self._task.puzzle),
                    partition=self._partition,
                    digest=self._own_digest,
                    limit=self.limit,
                    level=self._g,
                    room=self._room,
                    slice_nodes=SLICE_NODES,
                )
                name = f"prove f{self.limit}"
                args = spec, pack(pieces), seconds, worker.cores
                self._submit(address, worker, name, search_bundle, *args)
                worker.pieces = pieces

    @property
    def _nodes_a_second(self) -> float:
        """Nodes per CPU second, measured in the bundles so far."""
        return max(1, self._nodes) / self._cpu_seconds if self._cpu_seconds else NODES_A_SECOND

    def _fetch(self, future: Future[Any]) -> None:
        """Take in the result of a task, or its failure."""
        found = [pair for pair in self._workers.items() if pair[1].future is future]
        if not found:
            return  # withdrawn, or of a lost machine
        address, worker = found[0]
        try:
            result = future.result(timeout=RESULT_SECONDS)
        except Exception as error:  # of any kind, as it comes from another machine
            # The machine raised the error itself; otherwise it was lost, and its pieces go back.
            if future.status == "error":
                self._refuse(address, worker, f"{type(error).__name__}: {error}")
            else:
                self._withdraw(worker)
                self._look_at = 0.0
            return
        worker.future = None
        if isinstance(result, str):
            worker.ready = result == self._own_digest
            if worker.ready:
                self._report(address, "joined")
            else:
                self._refuse(address, worker, f"it has {result}, not {self._own_digest}")
            return
        worker.pieces = None
        self._take_in(result)

    def _take_in(self, result: BundleResult) -> None:
        """Count a bundle, and queue its rest."""
        if result.goal and (self._goal is None or result.goal[0] < self._goal):
            self._stop_at(*result.goal)
        self._add(unpack(result.rest))
        self._is_full = self._is_full or result.full
        nodes = int(result.counts[:, kernel.EXPANDED].sum())
        self.expanded += nodes
        self._nodes += nodes
        self._cpu_seconds += result.seconds
        for key, row in zip(result.keys, result.counts, strict=True):
            # Pieces after the goal are not counted, so that the counts equal a search on one core.
            if self._goal is None or key <= self._goal:
                self._record(key, row, result.cuts.get(key, 0))

    def _stop_at(self, goal: Key, path: list[int]) -> None:
        """Leave out everything behind a goal."""
        self._goal, self._found, self._path = goal, goal[0], path
        self._waiting = [piece for piece in self._waiting if piece.key < goal]
        for worker in self._workers.values():
            if worker.pieces and all(piece.key > goal for piece in worker.pieces):
                self._withdraw(worker)
        records = self._records[goal[0]]
        for key in [key for key in records if key > goal]:
            del records[key]
        self._counts[1 + goal[0]] = merged(records.values()) if records else new_counts(1)[0]

    def _record(self, key: Key, row: Int64s, pieces: int) -> None:
        """Store the counts of a piece, and the counts of its branch so far."""
        number = key[0]
        total = self._counts[1 + number]
        self._counts[1 + number] = merged([total, row])
        self._records[number][key] = row
        if pieces:
            self._cuts[key] = [pieces, pieces]
        elif key != self._goal:  # pieces after a goal are not searched to their end
            self._close(key)

    def _close(self, key: Key) -> None:
        """Join the records of a completely searched piece with its parent's records."""
        records = self._records[key[0]]
        while len(key) > 1:
            key = key[:-1]
            self._cuts[key][0] -= 1
            # A piece is complete once all the pieces that it was cut into are.
            left, pieces = self._cuts[key]
            if left:
                return
            parts = [records.pop((*key, number)) for number in range(pieces)]
            records[key] = merged([records[key], *parts])
            del self._cuts[key]
        records.clear()
        self._complete += 1


_SUMS = [kernel.EXPANDED, kernel.GENERATED]
_PEAKS = [kernel.PEAK_STORED, kernel.PEAK_FRONTIER, kernel.DEEPEST]


def merged(rows: Iterable[Int64s]) -> Int64s:
    """Return the joint counts of several pieces of a branch."""
    found = np.array([*rows])
    total: Int64s = found[0].copy()
    total[_SUMS] = found[:, _SUMS].sum(axis=0)
    total[_PEAKS] = found[:, _PEAKS].max(axis=0)
    total[kernel.FOLLOWING] = found[:, kernel.FOLLOWING].min()
    return total
