"""The nodes of a recording, compared with the events and the counts of the search."""

import json
from dataclasses import replace

import pytest

from slidewise import Limits, algorithms, conventions, find_algorithm, parse_puzzle, search
from slidewise.course.searching import State, is_recorded, record_search, recorder
from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.events import Expanded, Fate
from slidewise.solver.task import Frontier, FrontierKind, Rank
from tests.each import each

RECORDED = [key for key, entry in algorithms().items() if is_recorded(entry)]
EASY = "2.3.0-1.4.6-7.5.8"
HARDER = "7.2.4-5.0.6-8.3.1"


def run(code, algorithm, heuristic="manhattan", trace=10**6, weight=1.5, **limits):
    """Return the recording of a search and its reported expansions."""
    puzzle = parse_puzzle(code)
    if algorithm == "dfs":  # the search has tens of thousands of expansions otherwise
        limits.setdefault("depth", 8)
    events = list(
        search(puzzle, algorithm, heuristic, Limits(**limits), trace=trace, weight=weight)
    )
    recording = record_search(
        puzzle, algorithm, heuristic, Limits(**limits), weight=weight, expansions=trace, last=0
    )
    return recording, [event for event in events if isinstance(event, Expanded)]


@each("algorithm", RECORDED)
@each("code", [EASY, "1.0.3-4.2.5"])
def test_counts_are_those_of_the_result(code, algorithm):
    recording, expanded = run(code, algorithm)
    result, last = recording.result, recording.steps[-1]
    assert recording.complete
    assert recording.expansions == result.expanded == len(expanded)
    assert last.generated == result.generated
    assert max(step.frontier for step in recording.steps) <= result.peak_frontier
    assert max(recording.steps, key=lambda step: step.frontier).frontier in (
        result.peak_frontier,
        result.peak_frontier - (algorithm == "bidirectional"),
    )
    roots = sum(node.parent is None for node in recording.nodes)
    made = sum(len(step.successors) for step in recording.steps)
    begun = sum(one.root is not None for one in recording.iterations)
    assert made + 1 + (algorithm == "bidirectional") == result.generated
    if algorithm == "rbfs":  # a node that is generated again is the same one
        assert len(recording.nodes) <= made + 1
    else:
        assert len(recording.nodes) == made + roots
        assert roots == max(begun, 1 + (algorithm == "bidirectional"))


@pytest.mark.parametrize("code", [EASY, "1.2.3-4.5.6-7.8.0"])
def test_recording_is_complete_if_the_goal_counts(code):
    assert record_search(parse_puzzle(code), "astar", convention="42").complete


@each("algorithm", RECORDED)
@each("heuristic", ["manhattan", "misplaced"])
def test_each_expansion_equals_its_event(algorithm, heuristic):
    recording, expanded = run(HARDER, algorithm, heuristic, trace=1_000, expansions=1_000)
    assert len(expanded) > 20
    for event, step in zip(expanded, recording.steps, strict=False):
        at, node = event.order, recording.nodes[step.node]
        assert (node.board, node.g, node.h) == (event.board, event.g, event.h)
        assert recording.f_at(step.node, at) == event.f, (
            "what was backed up is what the search had stored"
        )
        assert recording.state_at(step.node, at) is State.EXPANDED
        successors = [(one.board, one.g, one.h, one.f, one.fate) for one in event.successors]
        assert successors == [
            (made.board, made.g, made.h, one.f, one.fate)
            for one in step.successors
            for made in [recording.nodes[one.node]]
        ]
        assert all(recording.f_at(one.node, at) == one.f for one in step.successors)


@pytest.mark.parametrize("algorithm", RECORDED)
def test_taken_node_was_first_on_the_frontier(algorithm):
    recording, _ = run(EASY, algorithm)
    nodes = recording.nodes
    firsts = {one.first for one in recording.iterations if one.root is not None}
    for at, step in enumerate(recording.steps[: recording.expansions], 1):
        if at in firsts:
            continue
        waiting = [  # nodes at the depth limit are taken, and not expanded
            place
            for place in recording.waiting_at(at - 1)
            if recording.kind is not FrontierKind.RANKED
            or recording.state_at(place, at) is not State.LEFT
        ]
        assert step.node in waiting or algorithm == "rbfs"
        if recording.kind is FrontierKind.RANKED:
            assert step.node == min(waiting, key=lambda place: (nodes[place].f, place))
        if recording.kind is FrontierKind.PATH and nodes[step.node].g < 2:
            continue
        if algorithm == "idastar":
            assert step.node == min(waiting, key=lambda place: (-nodes[place].g, place))
        assert len(recording.waiting_at(at)) == step.frontier


@pytest.mark.parametrize("algorithm", RECORDED)
def test_solution_is_the_path_of_the_result(algorithm):
    recording, _ = run(EASY, algorithm)
    result, path = recording.result, recording.solution
    boards = [recording.nodes[place].board for place in path]
    assert boards == [recording.puzzle.start, *(step.board for step in result.steps())]
    at = len(recording.steps)
    states = {recording.state_at(place, at) for place in path}
    assert states <= {State.EXPANDED, State.GOAL, State.MET, State.WAITING}
    assert str(result.length) in recording.steps[-1].why


@pytest.mark.parametrize("algorithm", RECORDED)
def test_truncated_trace_has_the_end_and_its_path(algorithm):
    recording, _ = run(EASY, algorithm, trace=4)
    result = recording.result
    assert recording.expansions == len(recording.steps) - 1 == 4
    assert not recording.complete
    path = [recording.nodes[index] for index in recording.solution]
    boards = [recording.puzzle.start]
    for tile in result.tiles:
        boards.append(boards[-1].slide(tile))
    assert [node.board for node in path] == boards
    assert [node.g for node in path] == list(range(result.length + 1))
    assert path[-1].state is State.GOAL
    assert f"after {result.expanded} expansions" in recording.steps[-1].why
    assert recording.steps[-1].generated == result.generated


def test_too_long_path_is_omitted(monkeypatch):
    monkeypatch.setattr(recorder, "LONGEST_PATH", 5)
    recording, _ = run(EASY, "astar", trace=4)
    assert recording.solution == []
    assert len(recording.steps) == 4


@each("code", ["1.2.3-4.5.0", "2.1.3-4.5.0"])
@each("algorithm", RECORDED)
def test_recording_without_a_search_is_empty(code, algorithm):
    recording, _ = run(code, algorithm)
    assert recording.steps == []
    assert recording.expansions == 0
    assert recording.as_json()["steps"] == []


@pytest.mark.parametrize("algorithm", RECORDED)
def test_json_of_a_recording_restores_the_boards(algorithm):
    recording, _ = run(EASY, algorithm)
    data = json.loads(json.dumps(recording.as_json()))
    boards = []
    for place, (parent, blank) in enumerate(zip(data["parents"], data["blanks"], strict=True)):
        if parent < 0:
            boards.append(recording.nodes[place].board)
        else:
            boards.append(boards[parent].slide(boards[parent].cells[blank]))
    assert boards == [node.board for node in recording.nodes]
    assert [node.changes for node in recording.nodes] == [
        list(zip(pairs[::2], pairs[1::2], strict=True)) for pairs in data["changes"]
    ]
    assert len(data["steps"]) == len(recording.steps)
    assert data["solution"] == recording.solution
    for name in "g", "h":
        assert data[name] == [getattr(node, name) for node in recording.nodes]


def test_sentences_of_a_star():
    """`1.0.3-4.2.5`, as in the trace of the manual."""
    recording, _ = run("1.0.3-4.2.5", "astar")
    assert [step.why for step in recording.steps] == [
        "The start is the only node.",
        "It has the lowest f = g + h: 1 + 1 = 2.",
        "It is the goal, reached in 2 moves: the search ends.",
    ]
    assert [(step.frontier, step.in_memory, step.generated) for step in recording.steps] == [
        (3, 4, 4),
        (4, 6, 7),
        (3, 6, 7),
    ]


def test_ties_are_explained():
    recording, _ = run(HARDER, "astar")
    for at, step in enumerate(recording.steps[1:50], 1):
        ranks = [recording.nodes[place].f for place in recording.waiting_at(at)]
        tied = ranks.count(min(ranks))
        words = f"of the {tied} nodes with f {min(ranks)}, it was generated first"
        assert (words in step.why) == (tied > 1)
        assert tied > 1 or "generated first" not in step.why
    weighted, _ = run(EASY, "wastar")
    assert weighted.formula == "2g + 3h"
    assert weighted.steps[1].why == "It has the lowest f = 2g + 3h: 2 + 15 = 17."


def test_new_algorithm_needs_only_its_frontier(monkeypatch):
    frontier = Frontier(FrontierKind.RANKED, rank_of=lambda task: Rank(3, 2))
    entry = replace(find_algorithm("astar"), key="new", frontier=frontier)
    monkeypatch.setattr("slidewise.solver.run.find_algorithm", lambda key: entry)
    monkeypatch.setattr("slidewise.course.searching.find_algorithm", lambda key: entry)
    recording = record_search(parse_puzzle("1.0.3-4.2.5"), "new")
    assert recording.formula == ""
    assert recording.order.startswith("A priority queue")
    assert recording.steps[1].why == "It has the lowest f on the frontier: 5."


def test_shorter_path_replaces_a_node():
    recording, _ = run("8.6.7-2.5.4-3.0.1", "greedy")
    replaced = [node for node in recording.nodes if node.state is State.REPLACED]
    assert replaced
    for node in replaced:
        at = node.changes[-1][0]
        better = [
            recording.nodes[one.node]
            for one in recording.steps[at - 1].successors
            if one.fate is Fate.SHORTER
        ]
        assert any(other.board == node.board and other.g < node.g for other in better)


def test_iterations_of_iterative_deepening():
    """`1.0.3-4.2.5` is two moves away: limits 0, 1, 2, whose starts are three nodes."""
    recording, _ = run("1.0.3-4.2.5", "iddfs")
    begun = [(one.kind, one.limit, one.first) for one in recording.iterations]
    assert begun == [("depth limit", 0, 0), ("depth limit", 1, 1), ("depth limit", 2, 2)]
    states = [recording.state_at(one.root, 1) for one in recording.iterations]
    assert states == [State.WAITING, State.EXPANDED, State.UNMADE]
    assert [len(recording.waiting_at(at)) for at in range(4)] == [1, 3, 3, 4]
    assert [step.why for step in recording.steps] == [
        "The search begins again from the start, with the depth limit 1.",
        "The search begins again from the start, with the depth limit 2.",
        "It is the first successor of the previous node within the depth limit 2: g = 1.",
        "It is the goal, reached in 2 moves: the search ends.",
    ]


def test_nodes_at_the_depth_limit_are_taken_and_left():
    recording, _ = run("8.6.7-2.5.4-3.0.1", "dfs", depth=5)
    left = [node for node in recording.nodes if node.state is State.LEFT]
    assert left
    assert {node.g for node in left} == {5}
    assert recording.complete
    assert recording.solution == []


def test_recursive_best_first_search_backs_f_up():
    recording, expanded = run(HARDER, "rbfs")
    raised = [node for node in recording.nodes if len(node.ranks) > 1]
    assert raised
    for node in raised:
        assert [f for _, f in node.ranks] == sorted(f for _, f in node.ranks)
    again = len(expanded) - len({step.node for step in recording.steps[: recording.expansions]})
    assert again > 0, "no node was expanded twice"


def test_bidirectional_ends_meet():
    recording, _ = run(EASY, "bidirectional")
    (met,) = [node for node in recording.nodes if node.state is State.MET]
    assert recording.nodes[met.other].board == met.board
    assert "The ends have met: 3 moves from the start and 3 from the goal" in (
        recording.steps[-1].why
    )
    assert "it is the smaller" in " ".join(step.why for step in recording.steps)


@each("algorithm", ALGORITHMS)
@each("convention", conventions())
def test_recording_under_a_convention_matches_its_events(algorithm, convention):
    puzzle = parse_puzzle("1.2.3-0.4.6-7.5.8")
    limits = Limits(expansions=200, depth=20 if algorithm == "dfs" else None)
    events = list(search(puzzle, algorithm, "manhattan", limits, trace=60, convention=convention))
    recording = record_search(
        puzzle, algorithm, "manhattan", limits, convention=convention, expansions=60, last=0
    )
    expanded = [event for event in events if isinstance(event, Expanded)]
    assert [recording.nodes[step.node].board for step in recording.steps[: len(expanded)]] == [
        event.board for event in expanded
    ]
    result = events[-1].result
    assert recording.complete == (result.length is not None and result.expanded <= 60)
    if recording.complete:
        path = [recording.nodes[node].board for node in recording.solution]
        assert path == [puzzle.start, *(step.board for step in result.steps())]


def recorded_as(convention, algorithm="astar", board="8.1.3-4.0.2-7.6.5"):
    """Return the recording of a search under a convention."""
    return record_search(
        parse_puzzle(board), algorithm, convention=convention, expansions=200, last=0
    )


@pytest.mark.parametrize(
    ("convention", "words"),
    [
        ("slidewise,ties=last-in", "nodes with f 10, it was generated last."),
        ("princeton", "nodes with f 10, it was at the front of the heap."),
        ("aima-python", "its board, read as a list of numbers, is the lowest."),
    ],
)
def test_ties_are_explained_in_the_words_of_the_convention(convention, words):
    assert any(words in step.why for step in recorded_as(convention).steps)


def test_goal_found_at_generation_ends_the_recording():
    recording = recorded_as("aima4", "bfs", "1.2.3-0.4.6-7.5.8")
    assert "found as soon as it was generated, 3 moves from the start" in recording.steps[-1].why


def test_nodes_skipped_by_a_convention_stay():
    recording = recorded_as("columbia,duplicates=expanded")
    twins = [node for node in recording.nodes if node.state is State.LEFT]
    assert twins
    expanded = {node.board for node in recording.nodes if node.state is State.EXPANDED}
    assert all(node.board in expanded for node in twins)
