"""Proofs on a cluster: `python -m benchmarks.cluster measure`, or `simulate`.

`measure` proves a 24-puzzle of R. E. Korf and A. Felner (2002) by turns in this process and on
worker processes of this machine. Workers have loaded their tables before. Times are CPU seconds, as
wall-clock times mean little on a busy machine: of the command with its scheduler, of all workers,
and of their searches. Results and certificates have to be equal.

`simulate` shares one iteration after the other between machines with `bundle_size` of the program.
The sizes of its branches are those of the last complete iteration of the board, in their order, and
scaled. A cut halves the rest of a branch again and again, as measured on the largest branches of
board 25. Costs of a bundle are `SCHEDULER`, `LATENCY` and `PIECE`.
"""

import argparse
import heapq
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter, process_time
from typing import Any, NamedTuple

import dask
from distributed import Client, Future, LocalCluster

from benchmarks.fifteen import read
from slidewise import Limits, Puzzle, prove
from slidewise.cli.arguments import QUIET
from slidewise.research import cluster
from slidewise.research.cluster import BundleResult, bundle_size
from slidewise.research.prove import best_partition, certificate
from slidewise.solver.events import Finished
from slidewise.solver.result import Result

# Measuring

SETUPS = ((0, 1), (1, 1), (0, 2), (2, 1), (1, 2))
"""Workers and threads of each. Without workers the threads are cores of the command."""


@dataclass
class Recorder:
    """Client of a cluster that remembers the results of bundles."""

    client: Client
    bundles: list[BundleResult] = field(default_factory=list)

    @property
    def status(self) -> str:
        """Status of the client."""
        return str(self.client.status)

    def nthreads(self) -> dict[str, int]:
        """Return the threads of each worker."""
        threads: dict[str, int] = self.client.nthreads()
        return threads

    def submit(self, function: Callable[..., Any], *args: Any, **options: Any) -> Future[Any]:
        """Submit a task."""
        future = self.client.submit(function, *args, **options)
        if function is cluster.search_bundle:
            future.add_done_callback(lambda done: self.bundles.append(done.result()))
        return future

    def cpu_seconds(self) -> float:
        """Return the CPU time of the workers."""
        return float(sum(self.client.run(process_time).values()))


def result_of(puzzle: Puzzle, cores: int = 1, client: Any = None) -> Result:
    """Return the result of a proof."""
    *_, last = prove(puzzle, Limits(cores=cores), client=client)
    assert isinstance(last, Finished)
    return last.result


def measure(number: int, rounds: int) -> None:
    """Print duration and CPU time, in seconds, of proofs in this process and on local workers."""
    puzzle = read("korf24.txt")[number - 1][0]
    whole = result_of(puzzle)  # also loads the tables
    print("workers x threads   duration    command    workers    searches    bundles  seconds each")
    for _ in range(rounds):
        for workers, threads in SETUPS:
            name = f"{workers} x {threads}"
            if not workers:
                began, started = perf_counter(), process_time()
                result = result_of(puzzle, threads)
                spent = process_time() - started
                print(f"{name:>17} {perf_counter() - began:10.1f} {spent:10.1f}", flush=True)
            else:
                result = _on_workers(puzzle, workers, threads, name)
            assert replace(result, seconds=0) == replace(whole, seconds=0)
            assert certificate(result) == certificate(whole)


def _on_workers(puzzle: Puzzle, workers: int, threads: int, name: str) -> Result:
    with (
        dask.config.set(QUIET),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=threads,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
        ) as scheduler,
        Client(scheduler) as client,
    ):
        client.run(cluster.tables_digest, str(puzzle), best_partition(puzzle.goal))
        recorder = Recorder(client)
        before, began, started = recorder.cpu_seconds(), perf_counter(), process_time()
        result = result_of(puzzle, client=recorder)
        duration = perf_counter() - began
        command, spent = process_time() - started, recorder.cpu_seconds() - before
        seconds = [bundle.seconds for bundle in recorder.bundles]
        print(
            f"{name:>17} {duration:10.1f} {command:10.1f} {spent:10.1f} {sum(seconds):11.1f}"
            f" {len(seconds):10} {statistics.fmean(seconds):13.2f}",
            flush=True,
        )
    return result


# Simulating

CLUSTERS = ((1, 1), (2, 1), (1, 16), (16, 1), (7, 16), (100, 1), (63, 16), (1_000, 1))
"""Machines and cores of each."""

SCHEDULER, LATENCY, PIECE = 0.003, 0.02, 16e-6
"""Seconds of a bundle: in the scheduler and the client, which serve one at a time, on the way to an
idle machine, and for packing each piece."""

CUTTING = 0.05
"""Seconds until an idle thread has a piece of another one's branch."""

SPLITTING = 0.1
"""Seconds of the command to cut an iteration into branches."""

GROWTH = 7.0
"""Factor between the sizes of iterations."""

SHORT = 0.7
"""CPU seconds of an iteration that the command searches alone, ten million nodes."""

CUT = [0.5**level for level in range(1, 12)] + [0.5**11]
"""Parts into which the rest of a branch is cut."""

Part = tuple[tuple[int, ...], float]
"""Key of a piece, and its CPU seconds."""


class Searched(NamedTuple):
    """Result of a bundle: started pieces, the parts that they were cut into, and others."""

    seconds: float
    work: float
    begun: list[Part]
    cut: list[Part]
    others: list[Part]


def search(parts: list[Part], seconds: float, cores: int) -> Searched:
    """Search pieces, each thread the next one as soon as it is idle."""
    threads, starts = [0.0] * cores, list[float]()
    for _, size in parts:
        if threads[0] >= seconds:
            break
        starts.append(heapq.heapreplace(threads, threads[0] + size))
    begun, others = parts[: len(starts)], parts[len(starts) :]
    late = [max(0.0, start + part[1] - seconds) for start, part in zip(starts, begun, strict=True)]
    work, left = sum(size for _, size in begun), sum(late)
    if not others:  # idle threads share the rest
        left = max(0.0, work - cores * seconds)
        seconds = min(seconds, work / cores + (CUTTING if cores > 1 else 0.0))
    cut = [
        ((*key, number), more * left / sum(late) * share)
        for (key, _), more in zip(begun, late, strict=True)
        if left and more
        for number, share in enumerate(CUT)
    ]
    return Searched(seconds, work - left, begun, cut, others)


class Simulation:
    """An iteration of `work` CPU seconds on machines with `cores` each."""

    def __init__(self, shares: list[float], work: float, machines: int, cores: int) -> None:
        self._work, self._machines, self._cores = work, machines, cores
        self._waiting: list[Part] = [((n,), work * share) for n, share in enumerate(shares)]
        self._unfinished = [1] * len(shares)  # pieces of each branch
        self._done = self._scheduler = 0.0  # CPU seconds; when the scheduler is idle again
        self.bundles = 0

    def run(self) -> float:
        """Return the seconds until all is searched."""
        now, idle = 0.0, list(range(self._machines))
        events: list[tuple[float, int, Searched]] = []
        while True:
            self._waiting.sort()
            while idle and self._waiting:
                heapq.heappush(events, self._hand_out(now, idle.pop()))
            if not events:
                return now
            now, machine, searched = heapq.heappop(events)
            self._take_in(searched)
            idle.append(machine)

    def _hand_out(self, now: float, machine: int) -> tuple[float, int, Searched]:
        complete = self._unfinished.count(0) / len(self._unfinished)
        left = (1 - complete) * max(self._work, self._done)
        machines = [self._cores] * self._machines
        seconds, size = bundle_size(len(self._waiting), left, self._cores, machines)
        taken = slice(0, size * self._machines, self._machines)
        parts = self._waiting[taken]
        del self._waiting[taken]
        self.bundles += 1
        self._scheduler = max(now, self._scheduler) + SCHEDULER + PIECE * len(parts)
        searched = search(parts, seconds, self._cores)
        return self._scheduler + LATENCY + searched.seconds, machine, searched

    def _take_in(self, searched: Searched) -> None:
        self._done += searched.work
        for key, _ in searched.begun:
            self._unfinished[key[0]] -= 1
        for key, _ in searched.cut:
            self._unfinished[key[0]] += 1
        self._waiting += searched.cut + searched.others


def simulate(number: int, hours: list[float]) -> None:
    """Print the efficiency of clusters for proofs of `hours` core-hours."""
    found = result_of(read("korf24.txt")[number - 1][0]).subtrees
    assert found is not None
    nodes = [expanded for expanded, _ in found.counts]
    shares = [count / sum(nodes) for count in nodes]
    print(f"{len(nodes)} branches, the largest {max(shares):.1%} of the nodes")
    print("core-hours    machines x cores    seconds    efficiency    bundles")
    for proof in hours:
        for machines, cores in CLUSTERS:
            work, seconds, bundles = proof * 3600 * (1 - 1 / GROWTH), 0.0, 0
            while work > SHORT:
                iteration = Simulation(shares, work, machines, cores)
                seconds += SPLITTING + iteration.run()
                bundles += iteration.bundles
                work /= GROWTH
            seconds += work / (1 - 1 / GROWTH)
            efficiency = proof * 3600 / seconds / machines / cores
            name = f"{machines} x {cores}"
            print(f"{proof:10g} {name:>19} {seconds:10.0f} {efficiency:13.2f} {bundles:10}")


def main(words: list[str] | None = None) -> None:
    """Measure or simulate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=("measure", "simulate"))
    parser.add_argument("--board", type=int, default=30, help="number of a 24-puzzle")
    parser.add_argument("--rounds", type=int, default=1, help="of `measure`")
    parser.add_argument("--hours", type=float, nargs="+", default=[1, 10], help="of `simulate`")
    args = parser.parse_args(words)
    if args.mode == "measure":
        measure(args.board, args.rounds)
    else:
        simulate(args.board, args.hours)


if __name__ == "__main__":
    main()
