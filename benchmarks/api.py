"""Rate and cost of short solves by the HTTP API: `python -m benchmarks.api`.

Rounds alternate between random 15-puzzles by `POST /api/v1/solve`, from several clients at a time,
and the same puzzles by `solve_many` in this process. Both costs are CPU time a puzzle, so their
ratio holds on a busy machine, unlike the rate. The API's cost is that of the web process and its
solvers, without the clients.
"""

import argparse
import http.client
import json
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from benchmarks.hostile import HOST
from benchmarks.scale import Setup, Site, running
from slidewise import Puzzle, scramble, solve_many

CLIENTS = 4
"""Clients, each with one request at a time: twice as many as solvers, so that none is idle."""


def main() -> None:
    """Print the medians of some rounds."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.api")
    parser.add_argument("--solvers", type=int, default=2, help="searches at a time")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--puzzles", type=int, default=100, help="puzzles of a round")
    args = parser.parse_args()
    with running((Setup("local pool", solvers=args.solvers),)) as [site]:
        for number in range(args.rounds + 1):
            puzzles = [scramble(4, 4, f"{number}-{seed}") for seed in range(args.puzzles)]
            _round(site, puzzles)
            if number == 0:
                site.measured.clear()  # kernels and tables were loaded
        for what, unit in (
            ("web", "ms"),
            ("workers", "ms"),
            ("batch", "ms"),
            ("ratio", "times"),
            ("rate", "a second"),
        ):
            figures = site.measured[what]
            spread = f"{min(figures):.2f} to {max(figures):.2f}"
            print(f"{what:<8} {statistics.median(figures):8.2f} {unit} ({spread})")


def _round(site: Site, puzzles: list[Puzzle]) -> None:
    began = time.process_time()
    lengths = [result.length for result in solve_many(puzzles)]
    batch = 1000 * (time.process_time() - began) / len(puzzles)
    before, began = site.spent(), time.perf_counter()
    if _by_api(site.ports[0], puzzles) != lengths:
        raise SystemExit("the API found other lengths")
    seconds, after = time.perf_counter() - began, site.spent()
    spent = {part: (after[part] - before[part]) / len(puzzles) for part in ("web", "workers")}
    for what, cost in {**spent, "batch": batch}.items():
        site.note(what, cost)
    site.note("ratio", sum(spent.values()) / batch)
    site.note("rate", len(puzzles) / seconds)


def _by_api(port: int, puzzles: list[Puzzle]) -> list[int]:
    """Return the lengths of the API's solutions."""
    lengths = [0] * len(puzzles)
    numbers = count()

    def client() -> None:
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        while (number := next(numbers)) < len(puzzles):
            body = json.dumps({"puzzle": str(puzzles[number])})
            headers = {"Content-Type": "application/json"}
            connection.request("POST", "/api/v1/solve", body, headers)
            lengths[number] = json.loads(connection.getresponse().read())["length"]
        connection.close()

    with ThreadPoolExecutor(CLIENTS) as clients:
        for done in [clients.submit(client) for _ in range(CLIENTS)]:
            done.result()
    return lengths


if __name__ == "__main__":
    main()
