"""A recording with a gap agrees with a whole one on the last expansions."""

from collections import Counter
from functools import cache

import pytest

from slidewise import Limits, algorithms, parse_puzzle
from slidewise.course import searching
from slidewise.course.searching import State, is_recorded, record_search

RECORDED = [key for key, entry in algorithms().items() if is_recorded(entry)]
UNDER_CONVENTIONS = [
    ("bfs", "aima4"),
    ("dfs", "slidewise,ties=last-in"),
    ("ucs", "aima-python"),
    ("greedy", "columbia"),
    ("astar", "princeton"),
]
SEARCHES = [*((algorithm, "slidewise") for algorithm in RECORDED), *UNDER_CONVENTIONS]
SHORT, MEDIUM = "2.3.0-1.4.6-7.5.8", "7.2.4-5.0.6-8.3.1"
FIRST, LAST = 20, 30
WITH_A_GAP = [
    *((MEDIUM, *each) for each in SEARCHES),
    *((SHORT, *each) for each in (("bfs", "slidewise"), ("iddfs", "slidewise"))),
    (SHORT, "ucs", "aima-python"),
]
"""Searches of more expansions than are recorded."""


def run(code, algorithm, convention="slidewise", **recorded):
    """Return the recording of a search of at most 1,200 expansions."""
    limits = Limits(expansions=1_200, depth=20 if algorithm == "dfs" else None)
    return record_search(
        parse_puzzle(code), algorithm, "manhattan", limits, convention=convention, **recorded
    )


@cache
def both(code, algorithm, convention="slidewise"):
    """Return a recording with a gap, and one without."""
    cut = run(code, algorithm, convention, expansions=FIRST, last=LAST)
    return cut, run(code, algorithm, convention, expansions=10**6)


@pytest.mark.parametrize(("code", "algorithm", "convention"), WITH_A_GAP)
def test_last_expansions_are_those_of_the_whole(code, algorithm, convention):
    cut, whole = both(code, algorithm, convention)
    assert (cut.gap.after, cut.late) == (FIRST, cut.expansions - FIRST)
    assert cut.gap.left_out + cut.expansions == whole.expansions
    assert LAST - 1 <= cut.late <= LAST, "of those counted, one may be the goal"
    for at, step in enumerate(cut.steps, 1):
        number = cut.number(at)
        other = whole.steps[number - 1]
        node, same = cut.nodes[step.node], whole.nodes[other.node]
        assert (node.board, node.g, node.h) == (same.board, same.g, same.h)
        assert (step.why, step.limit, step.generated) == (other.why, other.limit, other.generated)
        assert (step.frontier, step.in_memory) == (other.frontier, other.in_memory)
        here, there = cut.iteration_at(at), whole.iteration_at(number)
        assert (here and here.limit) == (there and there.limit)
        assert cut.f_at(step.node, at) == whole.f_at(other.node, number)
        assert successors_of(cut, step) == successors_of(whole, other)


def successors_of(recording, step):
    """Return the successors of an expansion."""
    return [(recording.nodes[one.node].board, one.f, one.fate) for one in step.successors]


@pytest.mark.parametrize(("code", "algorithm", "convention"), WITH_A_GAP)
def test_nodes_of_both_parts_have_their_true_state(code, algorithm, convention):
    cut, whole = both(code, algorithm, convention)
    first = [index for index, node in enumerate(cut.nodes) if node.changes[0][0] <= FIRST]
    for at in range(FIRST + 1, cut.expansions + 1):
        number = cut.number(at)
        assert Counter(waiting(cut, at)) <= Counter(waiting(whole, number))
        if cut.root_at(at) == whole.root_at(number) == 0:
            for index in first:
                state, f = cut.state_at(index, at), cut.f_at(index, at)
                assert state is whole.state_at(index, number)
                assert state is not State.WAITING or f == whole.f_at(index, number)


def waiting(recording, at):
    """Return the recorded frontier nodes, as the cells of the blank from their root, and f."""
    return [
        (blanks(recording, node), recording.f_at(node, at)) for node in recording.waiting_at(at)
    ]


def blanks(recording, node):
    """Return the cells of the blank on the path from a node up to its root."""
    if node is None:
        return ()
    return (recording.nodes[node].board.blank, *blanks(recording, recording.nodes[node].parent))


@pytest.mark.parametrize("algorithm", ["iddfs", "idastar", "rbfs"])
def test_frontier_beside_a_path_is_whole_after_the_gap(algorithm):
    cut, whole = both(MEDIUM, algorithm)
    for at in range(FIRST + 1, cut.expansions + 1):
        assert Counter(waiting(cut, at)) == Counter(waiting(whole, cut.number(at)))


@pytest.mark.parametrize(("algorithm", "convention"), SEARCHES)
def test_late_nodes_are_drawn_with_their_paths(algorithm, convention):
    cut, _ = both(MEDIUM, algorithm, convention)
    assert cut.gap
    for at in range(cut.gap.after + 1, len(cut.steps) + 1):
        node = cut.steps[at - 1].node
        before = cut.state_at(node, at - 1)
        assert before is not State.UNMADE or at == cut.gap.after + 1 or node in roots_of(cut)
        while (parent := cut.nodes[node].parent) is not None:
            assert cut.nodes[parent].board.blank != cut.nodes[node].board.blank
            node = parent
            assert cut.state_at(node, at) in (State.EXPANDED, State.REPLACED)
        assert node in roots_of(cut)


def roots_of(recording):
    """Return the roots of the tree after the gap and of the iterations."""
    return [*recording.gap.roots, *(one.root for one in recording.iterations)]


@pytest.mark.parametrize(("algorithm", "convention"), SEARCHES)
def test_path_and_its_end_are_those_of_the_whole(algorithm, convention):
    cut, whole = both(SHORT, algorithm, convention)
    assert cut.gap or cut.complete
    boards = [cut.nodes[node].board for node in cut.solution]
    assert boards == [whole.nodes[node].board for node in whole.solution]
    if cut.solution:
        assert cut.steps[-1].why == whole.steps[-1].why
        assert cut.number(len(cut.steps)) == len(whole.steps)


@pytest.mark.parametrize(("name", "most"), [("REACH", 100), ("LONGEST_PATH", 19)])
def test_search_beyond_the_reach_has_only_its_path(name, most, monkeypatch):
    monkeypatch.setattr(searching, name, most)
    recording = run(MEDIUM, "astar", expansions=FIRST, last=LAST)
    assert recording.gap is None
    assert recording.expansions == FIRST
    assert len(recording.solution) == recording.result.length + 1
    assert recording.steps[-1].why.startswith("The search ends after")


@pytest.mark.parametrize("algorithm", ["iddfs", "idastar", "rbfs"])
def test_iterations_beyond_the_reach_are_recorded(algorithm, monkeypatch):
    whole = run(SHORT, algorithm, expansions=10**6)
    monkeypatch.setattr(searching, "REACH", 0)
    cut = run(SHORT, algorithm, expansions=1, last=1)
    assert [one.limit for one in cut.iterations] == [one.limit for one in whole.iterations]
