"""Proofs on a cluster: the result equals that of one process, despite machine failures."""

import json
import random
import re
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from distributed import Client, LocalCluster

from slidewise import Limits, Proof, UnknownNameError, parse_puzzle, scramble, solve_many, verify
from slidewise.cli import main
from slidewise.research import cluster, proof
from slidewise.research import prove as proving
from slidewise.research.proof import CheckpointError
from slidewise.research.prove import certificate, prove
from slidewise.solver.events import Machine, Proving
from tests.boards import FOUR_FARTHEST, FOUR_NEAR, SMALL, SMALL_UNSOLVABLE, korf, near
from tests.each import some
from tests.research.test_prove import HARD, result_of
from tests.solver.runs import timeless

SPLIT = parse_puzzle(korf(15)[87][0])
"""Twice as many, with branches of very unequal size."""


@pytest.fixture(autouse=True)
def small_bundles(monkeypatch):
    """Distribute small boards too, in bundles of about one slice."""
    monkeypatch.setattr(cluster, "FROM_EXPANSIONS", 0)
    monkeypatch.setattr(cluster, "BUNDLE_SECONDS", 0.001)
    monkeypatch.setattr(cluster, "LEAST_SECONDS", 0.001)
    monkeypatch.setattr(cluster, "SLICE_NODES", 20_000)
    monkeypatch.setattr(cluster, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(proof, "PATH_FROM_EXPANSIONS", 20_000)
    monkeypatch.setattr(proof, "PATH_EXPANSIONS", 3_000)


def facts(result):
    """Return all of a result but the time, with the certificate."""
    return {**result.as_json(), "seconds": None}, certificate(result)


def stop_at_first_machine(puzzle, client, **options):
    """Stop a proof when a machine is reported. Return the result and the reports."""
    changes: list[Machine] = []
    for event in prove(puzzle, client=client, cancelled=lambda: bool(changes), **options):
        if isinstance(event, Machine):
            changes.append(event)
    return event.result, changes


@dataclass
class LocalFuture:
    """A future of a task that has run, or whose machine was lost."""

    value: Any
    status: str = "finished"

    def add_done_callback(self, call):
        if self.status != "pending":
            call(self)

    def result(self, timeout):
        if self.status == "error":
            raise self.value
        return self.value

    def cancel(self):
        self.status = "cancelled"


class LocalClient:
    """Machines in this process, in place of a Dask client.

    With `lose`, the machine of the first bundle is lost, and others at random, with their tasks.
    """

    status = "running"

    def __init__(self, cores=1, machines=1, lose=0.0, seed=0, fail=None):
        self._draw, self._lose, self._cores, self._fail = random.Random(seed), lose, cores, fail
        self._addresses = [f"machine {number}" for number in range(machines)]
        self.lost = self.bundles = 0
        self.first: dict[str, list[cluster.Key]] = {}  # pieces of each machine's first bundle

    def nthreads(self):
        return dict.fromkeys(self._addresses, self._cores)

    def submit(self, function, *args, key, workers, pure):
        self.bundles += 1
        is_bundle = function is cluster.search_bundle
        draw = 0.0 if is_bundle and not self.first else self._draw.random()
        if is_bundle:
            self.first.setdefault(workers[0], [piece.key for piece in cluster.unpack(args[1])])
        if draw < self._lose:
            self.lost += 1
            self._addresses.remove(workers[0])
            self._addresses.append(f"machine {len(self._addresses) + self.bundles}")
            return LocalFuture(None, "pending")
        if is_bundle and self._fail == workers[0]:
            return LocalFuture(MemoryError("no room"), "error")
        return LocalFuture(function(*args))


@pytest.mark.parametrize(
    ("nodes", "machines", "cores"),
    some(product([5_000, 40_000, 10**9], [1, 3], [1, 3]), 1, 4, 10),
)
def test_cluster_has_all_facts_of_one_process(monkeypatch, nodes, machines, cores):
    monkeypatch.setattr(cluster, "SLICE_NODES", nodes)
    client = LocalClient(cores, machines)
    assert facts(result_of(SPLIT, client=client)) == facts(result_of(SPLIT))
    assert client.bundles > machines


def test_machines_take_turns_at_the_pieces():
    client = LocalClient(machines=3)
    result_of(SPLIT, client=client)
    assert sorted(keys[0] for keys in client.first.values()) == [(0,), (1,), (2,)]
    assert all(len(keys) > 1 for keys in client.first.values())


@pytest.fixture
def usual_bundles(monkeypatch):
    monkeypatch.setattr(cluster, "BUNDLE_SECONDS", 5.0)
    monkeypatch.setattr(cluster, "LEAST_SECONDS", 0.5)


@pytest.mark.parametrize(
    ("left", "machines", "seconds"),
    [
        (3_600, [1, 1], 5),
        (3_600, [16] * 63, 1.79),  # half of the remaining time
        (8, [1, 1], 2),
        (0, [1, 1], 0.5),
        (8, [16], 5),  # a single machine waits for no other
        (8, [1] * 200, 1),  # no more bundles than a scheduler can distribute
    ],
)
def test_bundles_are_shorter_at_the_end(usual_bundles, left, machines, seconds):
    assert cluster.bundle_size(1_000, left, machines[0], machines)[0] == pytest.approx(
        seconds, rel=0.01
    )


@pytest.mark.parametrize(
    ("waiting", "left", "machines", "pieces"),
    [
        (4_000, 400, [4], 4_000),
        (4_000, 400, [4, 4], 1_000),  # half of an equal share
        (4_000, 1e6, [4, 4], 2),  # 32 times those that last 5 s on average
        (3, 1e6, [1, 1], 1),
        (9_000, 0, [1], cluster.MOST_PIECES),
    ],
)
def test_bundles_have_spare_pieces(usual_bundles, waiting, left, machines, pieces):
    assert cluster.bundle_size(waiting, left, machines[0], machines)[1] == pieces


@pytest.mark.parametrize("seed", some(range(3), 0))
def test_lost_machines_change_no_fact(seed):
    client = LocalClient(machines=3, lose=0.2, seed=seed)
    *events, last = prove(HARD, client=client)
    assert facts(last.result) == facts(result_of(HARD))
    lost = [e for e in events if isinstance(e, Machine) and e.change == "lost" and e.again]
    assert 0 < len(lost) <= client.lost


def test_failing_machine_is_left_out():
    *events, last = prove(HARD, client=LocalClient(machines=2, fail="machine 0"))
    assert facts(last.result) == facts(result_of(HARD))
    (refused,) = [e for e in events if isinstance(e, Machine) and e.change == "refused"]
    assert (refused.address, refused.reason) == ("machine 0", "MemoryError: no room")
    assert refused.words == (
        "machine 0 refused: MemoryError: no room, its last work is done again; "
        "1 machine with 1 core"
    )


def test_machine_with_another_version_is_refused(monkeypatch):
    client = LocalClient()
    monkeypatch.setattr(cluster, "tables_digest", lambda *_: "Slidewise 0 with other tables")
    result, (refused,) = stop_at_first_machine(HARD, client)
    assert refused.reason.startswith("it has Slidewise 0 with other tables, not Slidewise ")
    assert (result.verdict.kind is Proof.OPTIMAL, client.bundles) == (False, 1)


@pytest.mark.parametrize("seed", some(range(3), 0))
def test_stopped_proof_goes_on_with_all_facts(tmp_path, seed):
    """Each run stops after a random number of nodes. The first runs are of one process."""
    whole, draw, stop, runs = result_of(HARD), random.Random(seed), 0, 0
    while True:
        stop += draw.randrange(1, whole.expanded // 6)
        client = LocalClient(2, 2, lose=0.1, seed=seed) if runs > seed else None
        limits = Limits(expansions=stop)
        part = result_of(HARD, limits=limits, state=tmp_path, client=client)
        if part.verdict.kind is Proof.OPTIMAL:
            break
        runs += 1
    assert runs > seed + 1
    assert facts(part) == facts(whole)


def test_checkpoint_of_a_cluster_is_refused_by_one_process(tmp_path):
    result, _ = stop_at_first_machine(HARD, LocalClient(), state=tmp_path)
    assert result.verdict.kind is not Proof.OPTIMAL
    with pytest.raises(CheckpointError, match="is of a proof on a cluster: go on there"):
        result_of(HARD, state=tmp_path)


def test_stored_nodes_have_a_limit():
    limits = Limits(stored_nodes=4_200)
    here, there = (
        result_of(SPLIT, limits=limits),
        result_of(SPLIT, limits=limits, client=LocalClient(2)),
    )
    assert (here.status, here.verdict.reason) == (there.status, there.verdict.reason)


# With Dask


@pytest.fixture(scope="module")
def dask():
    """Return a client of a scheduler without workers."""
    with (
        LocalCluster(
            n_workers=0, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as scheduler,
        Client(scheduler) as client,
    ):
        yield client


@contextmanager
def program(name, *words):
    """Run a program of Dask, which ends with the context."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *words]
    process = subprocess.Popen([*command, "--no-dashboard"], stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def machine(address, cores=1):
    words = f"--no-nanny --nthreads {cores} --memory-limit 0 --host 127.0.0.1".split()
    return program("worker", address, *words)


def test_machine_killed_at_work_and_one_that_joins_later(dask, monkeypatch):
    address = dask.scheduler_info()["address"]
    with ExitStack() as stack:
        first = stack.enter_context(machine(address, cores=2))
        changes, waits = [], 0
        for event in prove(HARD, client=dask):
            if isinstance(event, Machine):
                changes.append((event.change, event.again, event.machines, event.cores))
                if event.change == "joined" and len(changes) == 1:
                    first.send_signal(signal.SIGSTOP)  # so that it does not finish its bundle
                if event.change == "lost":
                    stack.enter_context(machine(address))
            elif isinstance(event, Proving) and changes and waits < 3:
                waits += 1
                if waits == 3:
                    first.kill()
        assert changes == [("joined", False, 1, 2), ("lost", True, 0, 0), ("joined", False, 1, 1)]
    assert facts(event.result) == facts(result_of(HARD))


@pytest.mark.soak
def test_24_puzzle_proved_by_two_machines_one_killed(dask, monkeypatch, tmp_path):
    """The certificate equals that of one process. The checker refuses another count."""
    monkeypatch.setattr(proving, "BEST_TABLES_CELLS", 26)  # without the tables that take a minute
    monkeypatch.setattr(cluster, "BUNDLE_SECONDS", 0.2)
    puzzle, address = near((5, 5), 140, 10), dask.scheduler_info()["address"]
    with machine(address) as first, machine(address):
        changes, waits = [], 0
        for event in prove(puzzle, client=dask):
            if isinstance(event, Machine):
                changes.append((event.change, event.again))
                if len(changes) == 2:
                    first.send_signal(signal.SIGSTOP)  # so that it does not finish its bundle
            elif isinstance(event, Proving) and len(changes) == 2 and waits < 3:
                waits += 1
                if waits == 3:
                    first.kill()
    assert changes == [("joined", False), ("joined", False), ("lost", True)]
    assert facts(event.result) == facts(result_of(puzzle))
    claims, file = certificate(event.result), tmp_path / "certificate.json"

    def check(sample=None):
        file.write_text(json.dumps(claims))
        return verify.verify(file, verify.Options(sample, state=tmp_path / "checks"))

    assert (check(20).code, check().code) == (verify.ON_TRUST, verify.CHECKED)
    claims["subtrees"][100][1] += 1
    answer = check()
    assert (answer.code, "subtree" in answer.error) == (verify.REFUTED, True)


def test_many_puzzles_survive_a_killed_worker(dask):
    address = dask.scheduler_info()["address"]
    puzzles = [scramble(3, 3, f"cluster {number}") for number in range(60)]
    puzzles[3:3] = [parse_puzzle(SMALL_UNSOLVABLE), parse_puzzle(SMALL)]
    with ExitStack() as stack:
        first = stack.enter_context(machine(address))
        results = solve_many(iter(puzzles), client=dask)
        found = [next(results)]
        first.kill()
        stack.enter_context(machine(address))
        found += results
    assert [*map(timeless, found)] == [*map(timeless, solve_many(puzzles))]


def test_many_puzzles_by_command_and_their_errors(cli, dask, tmp_path):
    address, file = dask.scheduler_info()["address"], tmp_path / "puzzles"
    file.write_text(f"{SMALL}\n\nnonsense\n{FOUR_NEAR}\n")
    with machine(address, cores=2):
        done = cli("solve", "--file", str(file), "--cluster", address)
        with pytest.raises(UnknownNameError):
            list(solve_many([HARD], "nonsense", client=dask))
        slow, seen = [parse_puzzle(SMALL), *[parse_puzzle(FOUR_FARTHEST)] * 9], []
        seen += solve_many(slow, "idastar", client=dask, cancelled=lambda: bool(seen))
    assert [line.partition(" ")[0] for line in done.out.splitlines()] == [
        f"{SMALL}:",
        f"{FOUR_NEAR}:",
    ]
    assert (done.code, "slidewise: error: line 3: " in done.err) == (2, True)
    assert len(seen) == 1


def test_lost_scheduler_leaves_a_checkpoint_of_the_command(tmp_path, capsys):
    with program("scheduler", "--host", "127.0.0.1", "--port", "0") as scheduler:
        lines = (re.search(r"tcp://[\d.:]+", line) for line in scheduler.stderr)
        address = next(found[0] for found in lines if found)
        with machine(address):
            assert main(["prove", str(HARD), "--cluster", address]) == 0
            out = capsys.readouterr().out
            assert re.search(r"^tcp://\S+ joined; 1 machine with 1 core$", out, re.MULTILINE)
            assert "Verdict: proved shortest" in out
            with Client(address, timeout=120) as client:
                for event in prove(HARD, client=client, state=tmp_path):
                    if isinstance(event, Machine):
                        scheduler.kill()
    assert event.result.verdict.kind is not Proof.OPTIMAL
    assert "the scheduler of the cluster cannot be reached" in event.result.verdict.reason
    again = result_of(HARD, client=LocalClient(), state=tmp_path)
    assert facts(again) == facts(result_of(HARD))


def test_command_without_a_scheduler_names_the_remedy(monkeypatch, capsys):
    monkeypatch.setattr("slidewise.cli.arguments.CONNECT_SECONDS", 0.1)
    assert main(["prove", FOUR_NEAR, "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "start one with `dask scheduler`" in capsys.readouterr().err


def test_command_without_dask_names_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["prove", FOUR_NEAR, "--cluster", "local"]) == 2
    assert "pip install 'slidewise[cluster]'" in capsys.readouterr().err
