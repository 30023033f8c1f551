"""`search` and `solve`: their arguments, their events and the order of these."""

import json
import pickle
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from slidewise import (
    InvalidTraceError,
    InvalidWeightError,
    Limits,
    Proof,
    PuzzleError,
    Status,
    UnknownNameError,
    algorithms,
    find_heuristic,
    parse_puzzle,
    search,
    solve,
)
from slidewise.solver import compiling
from slidewise.solver.events import (
    Expanded,
    Fate,
    Finished,
    Improved,
    Iteration,
    Preparing,
    Progress,
    Started,
    Successor,
)
from tests.cli.commands import RESULT_FIELDS, python
from tests.solver.runs import timeless

TWO_MOVES = parse_puzzle("1.0.3-4.2.5")
UNSOLVABLE = parse_puzzle("1.2.3-8.0.4-7.6.5")


@pytest.fixture
def no_compiler(monkeypatch):
    """Fail if a kernel is requested."""

    def refuse(name):
        raise AssertionError("a kernel was loaded")

    monkeypatch.setattr(compiling, "start_loading", refuse)
    monkeypatch.setattr(compiling, "ready", lambda name: False)


def test_preparing_is_reported_first_and_once(monkeypatch):
    loaded = []

    def begin(name):
        loaded.append(name)
        loading = Future()
        loading.set_result(None)
        return loading

    monkeypatch.setattr(compiling, "start_loading", begin)
    monkeypatch.setattr(compiling, "ready", lambda name: name in loaded)
    events = list(search(TWO_MOVES, "bfs", plain_first=False))
    assert events[:3] == [
        Preparing("compiling the search", 0, 1),
        Preparing("compiling the search", 1, 1),
        Started("1.0.3-4.2.5", "bfs", None),
    ]
    assert loaded == ["best_first"]
    assert isinstance(next(search(TWO_MOVES, "bfs")), Started)


@pytest.mark.parametrize("algorithm", algorithms())
def test_unsolvable_puzzle_is_found_before_any_search(algorithm, no_compiler):
    started, finished = search(UNSOLVABLE, algorithm)
    assert isinstance(started, Started)
    result = finished.result
    assert result.status is Status.UNSOLVABLE
    assert result.verdict.reason == UNSOLVABLE.parity.explain()
    assert (result.length, result.lower_bound, result.moves, result.tiles) == (None, None, "", ())
    assert (result.expanded, result.generated, result.seconds) == (0, 1, 0)


@pytest.mark.parametrize("algorithm", algorithms())
def test_solved_start_needs_no_search(algorithm, no_compiler):
    result = solve(parse_puzzle("1.2.3-4.5.6-7.8.0"), algorithm)
    assert (result.status, result.length, result.moves) == (Status.SOLVED, 0, "")
    assert (result.verdict.kind, result.verdict.reason) == (Proof.OPTIMAL, "the start is the goal")
    assert result.lower_bound == 0
    assert list(result.steps()) == []


def test_algorithms_handle_a_solved_start():
    """Callers can pass them a solved start directly."""
    from slidewise.solver.task import Task

    for algorithm in algorithms().values():
        heuristic = find_heuristic("manhattan") if algorithm.uses_heuristic else None
        task = Task(parse_puzzle("1.2.3-4.5.0"), algorithm, heuristic, Limits())
        *_, finished = algorithm.run(task)
        assert finished.result.length == 0
        assert finished.result.expanded == 0
        assert finished.result.verdict.kind is Proof.OPTIMAL


@pytest.mark.parametrize("algorithm", ["bfs", "ucs"])
@pytest.mark.parametrize("heuristic", ["manhattan", "zero", None])
def test_unused_heuristic_is_ignored(algorithm, heuristic):
    started, *_, finished = search(TWO_MOVES, algorithm, heuristic)
    assert started.heuristic is None
    assert finished.result.heuristic is None


def test_unknown_name_is_refused_at_once_with_the_list():
    with pytest.raises(UnknownNameError, match=r"no algorithm 'a\*'; the algorithms are .*astar"):
        search(TWO_MOVES, "a*")
    with pytest.raises(UnknownNameError, match=r"no heuristic 'taxi'; the heuristics are .*zero"):
        search(TWO_MOVES, "astar", "taxi")
    with pytest.raises(UnknownNameError, match="astar needs a heuristic; the heuristics are"):
        search(TWO_MOVES, "astar", None)
    with pytest.raises(InvalidTraceError, match="trace must be 0"):
        search(TWO_MOVES, trace=-1)
    for weight in (0.99, -1, 101, 1.005, float("nan"), float("inf")):
        with pytest.raises(InvalidWeightError, match="from 1 to 100 and have at most two decimals"):
            search(TWO_MOVES, weight=weight)
    assert all(
        issubclass(error, PuzzleError)
        for error in (UnknownNameError, InvalidWeightError, InvalidTraceError)
    )


@pytest.mark.parametrize("algorithm", algorithms().values(), ids=lambda entry: entry.key)
def test_result_has_the_weight_of_a_weighted_search(algorithm):
    expected = 2.25 if "weight" in algorithm.options else None
    for puzzle in TWO_MOVES, UNSOLVABLE:
        result = solve(puzzle, algorithm.key, weight=2.25)
        assert result.weight == result.as_json()["weight"] == expected
    assert solve(TWO_MOVES, "wastar").weight == 1.5


def test_json_of_a_result_without_a_path():
    data = solve(TWO_MOVES, "bfs", limits=Limits(expansions=1)).as_json()
    assert list(data) == RESULT_FIELDS
    assert json.loads(json.dumps(data)) == data
    assert (data["status"], data["verdict"], data["lower_bound"]) == ("cutoff", "unproved", 2)
    assert (data["moves"], data["tiles"], data["length"]) == ("", [], None)


def test_json_of_events():
    board = TWO_MOVES.start
    result = solve(TWO_MOVES)
    expected = {
        Preparing("compiling", 0, 1): {"what": "compiling", "done": 0, "total": 1},
        Started("1.0.3-4.2.5", "bfs", None): {
            "puzzle": "1.0.3-4.2.5",
            "algorithm": "bfs",
            "heuristic": None,
        },
        Progress(1, 4, 3, 4, 0, 2, 0.5): {
            "expanded": 1,
            "generated": 4,
            "frontier": 3,
            "stored": 4,
            "deepest": 0,
            "lower_bound": 2,
            "seconds": 0.5,
        },
        Iteration("f-limit", 4): {"kind": "f-limit", "limit": 4},
        Expanded(1, 0, None, board, 0, 2, 2, (Successor(board, 1, 1, 3, 4, Fate.SHORTER),)): {
            "order": 1,
            "node": 0,
            "parent": None,
            "board": "1.0.3-4.2.5",
            "g": 0,
            "h": 2,
            "f": 2,
            "successors": [
                {
                    "board": "1.0.3-4.2.5",
                    "node": 1,
                    "g": 1,
                    "h": 3,
                    "f": 4,
                    "fate": "shorter",
                    "reason": "kept: a shorter path to a board that was reached before",
                }
            ],
        },
        Improved(None, 40): {"length": None, "lower_bound": 40, "moves": ""},
        Finished(result): {"result": result.as_json()},
    }
    for event, fields in expected.items():
        data = event.as_json()
        assert data == {"event": type(event).__name__.lower(), **fields}
        assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize("fate", Fate)
def test_each_fate_has_a_reason(fate):
    assert fate.reason.startswith("kept" if fate.is_kept else "dropped: ")


def test_events_of_a_search_can_be_pickled_and_are_json():
    puzzle = parse_puzzle("8.6.7-2.5.4-3.0.1")
    for event in search(puzzle, "greedy", trace=50):
        assert json.loads(json.dumps(event.as_json())) == event.as_json()
        assert pickle.loads(pickle.dumps(event)) == event


def test_searches_in_several_threads_are_independent():
    choices = [("bfs", None), ("astar", "misplaced"), ("greedy", "manhattan"), ("ucs", None)]
    puzzles = [parse_puzzle("8.6.7-2.5.4-3.0.1"), parse_puzzle("6.4.7-8.5.0-3.2.1")]
    tasks = [(puzzle, *choice) for puzzle in puzzles for choice in choices]
    alone = [solve(*task) for task in tasks]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda task: solve(*task), tasks))
    assert [*map(timeless, together)] == [*map(timeless, alone)]


LOADED = """
import sys
from slidewise import parse_puzzle, search
seen = set()
for words in sys.argv[1:]:
    code, *names = words.split()
    for event in search(parse_puzzle(code), *names, plain_first=False):
        pass
    modules = [name for name in sys.modules if ".kernels." in name]
    kernels = {name for name in modules if hasattr(sys.modules[name], "READY")}
    print(*sorted(name.rpartition(".")[2] for name in kernels - seen))
    seen |= kernels
"""


def test_search_loads_only_its_kernel():
    """Each takes seconds to compile, once on a machine."""
    near = "2.3.0-1.4.6-7.5.8"
    searches = {
        f"{near} astar manhattan": "best_first patterns",
        f"{near} idastar manhattan": "deepening",
        f"{near} rbfs manhattan": "rbfs",
        "1.2.3.4-5.6.7.8-9.10.11.0-13.14.15.12": "pattern_search",
    }
    done = python("-c", LOADED, *searches)
    assert done.stdout.splitlines() == [*searches.values()]
