"""Counts of solutions from other processes: limits of waiting."""

from concurrent.futures import Future

import pytest
from flask import Flask

from slidewise import parse_puzzle
from webapp.workers import Busy
from webapp.workers.shared import LocalShared
from webapp.workers.solution_counts import SolutionCounts

PUZZLE = parse_puzzle("1.2.3-4.0.5-7.8.6")


class Requests(Future):
    """A call that does not end: while one request waits for it, the next arrives."""

    def __init__(self):
        super().__init__()
        self.calls, self.waits = self, []

    def submit(self, *args, **how):
        return self

    def result(self, timeout=None):
        self.waits.append(timeout)
        if timeout:
            self.counts.slides(PUZZLE, "anyone")
        raise TimeoutError


def test_fifth_request_does_not_wait():
    requests = Requests()
    requests.counts = SolutionCounts(requests, LocalShared())
    app = Flask(__name__)
    app.config["SOLVE_WAIT"] = 9
    with app.app_context(), pytest.raises(Busy, match="Other boards"):
        requests.counts.slides(PUZZLE, "anyone")
    assert requests.waits == [9, 9, 9, 9, 0]
