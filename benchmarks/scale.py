"""Cost and rate of clicks and solves, on one machine and over Redis.

`python -m benchmarks.scale` needs redis-server. All servers run at the same time and are measured
in turn. It prints medians of several rounds. Compare the ratios to the local pool, as milliseconds
depend on the machine. CPU time is that of all processes of a server, by part, with those that have
ended and without the clients. There is no proxy: with two web processes half of the clients go to
each.
"""

import argparse
import contextlib
import os
import platform
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from redis import Redis

from benchmarks.clients import CLIENTS, KINDS, click, send_requests
from benchmarks.hostile import HOST, wait_for_connections
from benchmarks.load import wait_until_ready
from tests.web.processes import below
from tests.web.redis_server import RedisServer

ROUNDS = 5
IDLE_SECONDS = 10.0
LIMITS = {
    "SLIDEWISE_MAX_STREAMS": "1000",
    "SLIDEWISE_STREAMS_PER_VISITOR": "1000",
    "SLIDEWISE_SOLVERS": "1",
    "SLIDEWISE_SECRET_KEY": "of the benchmark, of no use elsewhere",
}
"""Limits far above the load here, one search at a time, and a shared key."""

PARTS = "web", "workers", "redis"
"""Parts with processes. The solvers of a web process without workers count as workers."""


class Setup(NamedTuple):
    """A server: processes that serve together."""

    name: str
    webs: int = 1
    workers: int = 0
    solvers: int = 1


SETUPS = (
    Setup("local pool"),
    Setup("Redis, 1 web, 1 worker", 1, 1),
    Setup("Redis, 2 web, 1 worker", 2, 1),
    Setup("Redis, 2 web, 2 workers", 2, 2),
    Setup("local pool of 2", solvers=2),
)
"""Servers to compare with the first."""


@dataclass
class Site:
    """A running server: the ports of its web processes, and its processes by part."""

    name: str
    ports: list[int] = field(default_factory=list)
    processes: dict[str, list[int]] = field(default_factory=lambda: {part: [] for part in PARTS})
    redis: Redis | None = None
    measured: dict[str, list[float]] = field(default_factory=dict)

    def note(self, what: str, figure: float) -> None:
        """Store a figure of a round."""
        self.measured.setdefault(what, []).append(figure)

    def median(self, what: str) -> float:
        """Return the median of all rounds."""
        return statistics.median(self.measured[what])

    def spent(self) -> dict[str, float]:
        """Return the CPU milliseconds of each part so far."""
        spent = {part: sum(map(_with_descendants, pids)) for part, pids in self.processes.items()}
        for web in self.processes["web"]:
            pool = sum(_with_descendants(pid) for pid in below(web) if _is_forkserver(pid))
            spent["web"] -= pool
            spent["workers"] += pool
        return spent

    def commands(self) -> int:
        """Return the number of Redis commands so far."""
        return self.redis.info("stats")["total_commands_processed"] if self.redis else 0


@contextlib.contextmanager
def started(command: list[str], **settings: str) -> Iterator[int]:
    """Run a program of the server, and yield its process. Its children end with it."""
    environment = {**os.environ, **LIMITS, **settings}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def running(setups: tuple[Setup, ...]) -> Iterator[list[Site]]:
    """Run all servers, each by itself."""
    with contextlib.ExitStack() as stack:
        sites = [_run(one, stack) for one in setups]
        for site in sites:
            for port in site.ports:
                wait_for_connections(port)
                wait_until_ready(port)
        yield sites


def _run(one: Setup, stack: contextlib.ExitStack) -> Site:
    site = Site(one.name)
    settings = {"SLIDEWISE_SOLVERS": str(one.solvers)}
    slidewise = [sys.executable, "-m", "webapp"]
    if one.workers:
        redis = RedisServer()
        stack.callback(redis.close)
        site.redis = stack.enter_context(redis.connection())
        site.processes["redis"].append(redis.process.pid)
        settings["SLIDEWISE_REDIS"] = redis.url
    for _ in range(one.workers):
        worker = started([*slidewise, "worker"], **settings)
        site.processes["workers"].append(stack.enter_context(worker))
    for _ in range(one.webs):
        port = _free_port()
        web = started([*slidewise, "serve", "--port", str(port)], **settings)
        site.processes["web"].append(stack.enter_context(web))
        site.ports.append(port)
    return site


def measure(sites: list[Site], rounds: int, clients: ProcessPoolExecutor) -> None:
    """Measure all in turn, in `rounds` rounds after a warm-up."""
    for number in range(rounds + 1):
        for site in sites:
            _round(site, clients)
            if number == 0:
                site.measured.clear()
        print(f"round {number} of {rounds}", file=sys.stderr, flush=True)
    before = [sum(site.spent().values()) for site in sites]
    time.sleep(IDLE_SECONDS)
    for site, spent in zip(sites, before, strict=True):
        site.note("idle", (sum(site.spent().values()) - spent) / IDLE_SECONDS)


def _round(site: Site, clients: ProcessPoolExecutor) -> None:
    _cost(site, "click", partial(_in_process, clients, click, site.ports))
    for kind in KINDS:
        for count in 1, CLIENTS:
            requests = partial(_in_process, clients, send_requests, site.ports, kind, count)
            _cost(site, _by(kind, count), requests)


def _in_process(clients: ProcessPoolExecutor, send: Callable[..., int], *args: object) -> int:
    """Send requests from a separate process, whose time does not count."""
    return clients.submit(send, *args).result()


def _by(kind: str, count: int) -> str:
    return f"{kind} by {count}"


def _cost(site: Site, what: str, send: Callable[[], int]) -> None:
    """Store the cost of a request of `send`, and the requests a second."""
    before, commands, began = site.spent(), site.commands(), time.perf_counter()
    sent = send()
    seconds, after = time.perf_counter() - began, site.spent()
    spent = {part: (after[part] - before[part]) / sent for part in PARTS}
    for part, milliseconds in {**spent, "all": sum(spent.values())}.items():
        site.note(f"{what}, {part}", milliseconds)
    site.note(f"{what}, commands", (site.commands() - commands) / sent)
    site.note(f"{what}, a second", sent / seconds)


def report(sites: list[Site]) -> None:
    """Print the medians, and their ratios to the first server's."""
    for what in ("click", *(_by(kind, 1) for kind in KINDS)):
        _print_costs(what, sites)
    print(f"\na second{'':<18}{'clicks':>16}", end="")
    columns = ["click", *(_by(kind, count) for kind in KINDS for count in (1, CLIENTS))]
    print("".join(f"{column:>16}" for column in columns[1:]))
    for site in sites:
        figures = [_with_times(site, sites[0], f"{what}, a second") for what in columns]
        print(f"{site.name:<26}" + "".join(f"{figure:>16}" for figure in figures))
    print("\nprocessor ms a second while nobody asks for anything")
    for site in sites:
        print(f"{site.name:<26}{site.median('idle'):>16.1f}")


def _print_costs(what: str, sites: list[Site]) -> None:
    heads = f"{'all':>16}{'web':>8}{'workers':>9}{'Redis':>8}{'commands':>10}"
    print(f"\nprocessor ms: {what:<12}{heads}")
    for site in sites:
        web, workers, redis, commands = (
            site.median(f"{what}, {part}") for part in (*PARTS, "commands")
        )
        print(
            f"{site.name:<26}{_with_times(site, sites[0], f'{what}, all'):>16}"
            f"{web:>8.1f}{workers:>9.1f}{redis:>8.2f}{commands:>10.1f}"
        )


def _with_times(site: Site, first: Site, what: str) -> str:
    figure = site.median(what)
    return f"{figure:.1f} ({figure / first.median(what):.2f})"


def _with_descendants(pid: int) -> float:
    """Return the milliseconds of a process and its descendants, with those that have ended."""
    return sum(_milliseconds(one) for one in {pid, *below(pid)})


def _milliseconds(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0  # it has just ended: its time counts as its parent's
    fields = text.rpartition(")")[2].split()
    return 1000 * sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _is_forkserver(pid: int) -> bool:
    """Return whether the solvers of a web process are forked from this process."""
    try:
        line, parent = (Path(f"/proc/{one}/cmdline").read_bytes() for one in (pid, _parent(pid)))
    except OSError:
        return False
    return b"multiprocessing.forkserver" in line and b"multiprocessing.forkserver" not in parent


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def main(words: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that no process is left
    clients = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    with running(SETUPS) as sites, clients:
        version = next(site.redis.info("server")["redis_version"] for site in sites if site.redis)
        print(f"Redis {version}, Python {platform.python_version()}", flush=True)
        measure(sites, args.rounds, clients)
    report(sites)


if __name__ == "__main__":
    main()
