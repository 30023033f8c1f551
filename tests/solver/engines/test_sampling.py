"""The estimate of an iteration of IDA*, against the iteration."""

import pytest

from slidewise import Limits, parse_puzzle
from slidewise.research.proof import LONG_ITERATION_NODES, SubtreeSample
from slidewise.solver.engines.pattern_deepening import PatternDeepening
from slidewise.solver.loop import Outcome
from slidewise.solver.run import find_algorithm, find_heuristic
from slidewise.solver.task import Task
from tests.each import some

KORF_12 = "14.1.9.6-4.8.12.5-7.2.3.0-10.11.13.15_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
KORF_17 = "15.14.0.4-11.1.6.13-7.5.8.9-3.2.10.12_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"


def deepening(code):
    task = Task(parse_puzzle(code), find_algorithm("best"), find_heuristic("pdb"), Limits(cores=1))
    return PatternDeepening(task)


@pytest.mark.parametrize("code", some([KORF_12, KORF_17], 0))
def test_estimates_of_iterations_are_about_right(code):
    work = deepening(code)
    estimates = []
    outcome = Outcome.RUNNING
    while outcome is Outcome.RUNNING:
        counted = work.last
        work.last = 10 * LONG_ITERATION_NODES
        sample = SubtreeSample(work)
        sample.advance()
        while not sample.is_over:
            sample.advance()
        work.last = counted
        limit, before = work.limit, work.expanded
        while outcome is Outcome.RUNNING and work.limit == limit:
            outcome = work.advance(10_000_000)
        estimates.append((sample.nodes, work.expanded - before))
    *whole, _ = estimates  # the last one ends at the goal
    assert len(whole) >= 3
    for foretold, nodes in whole:
        assert nodes / 2 < foretold < nodes * 2


def test_short_iterations_are_not_sampled():
    sample = SubtreeSample(deepening(KORF_12))
    assert (sample.is_over, sample.nodes) == (True, None)
