"""Compilation: loaded kernels, and processes forked from one with a kernel."""

import os
from pathlib import Path

from slidewise.solver import compiling
from tests.cli.commands import python


def test_loaded_kernel_is_ready():
    module = compiling.load("best_first")
    assert compiling.ready("best_first")
    assert not compiling.ready("nothing_of_that_name")
    assert len(module.search_slice.signatures) == 1, "one compilation serves all boards"


FORKSERVER = """
import multiprocessing, sys
from slidewise.puzzle import parse_puzzle
from slidewise import Limits, search

def work(connection):
    events = list(search(parse_puzzle("8.6.7-2.5.4-3.0.1"), "bfs"))
    connection.send([type(event).__name__ for event in events] + [events[-1].result.length])

if __name__ == "__main__":
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["slidewise.solver.kernels.best_first"])
    pairs = [context.Pipe(duplex=False) for _ in range(2)]
    workers = [context.Process(target=work, args=(ours,)) for _, ours in pairs]
    for worker in workers:
        worker.start()
    for theirs, _ in pairs:
        seen = theirs.recv()
        assert (seen[0], seen[-2:]) == ("Started", ["Finished", 31]), seen
    for worker in workers:
        worker.join()
    print("done")
"""


def test_forked_workers_use_the_loaded_kernel(tmp_path):
    script = tmp_path / "serve.py"
    script.write_text(FORKSERVER)
    root = str(Path(compiling.__file__).parents[2])
    done = python(str(script), env={**os.environ, "PYTHONPATH": root})
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
