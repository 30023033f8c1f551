"""Contradictory results claim nothing, whatever detects them."""

from dataclasses import replace
from pathlib import Path

import pytest

import slidewise
from slidewise import (
    Limits,
    Proof,
    SearchSpec,
    Status,
    algorithms,
    compare,
    fewest_slides,
    parse_puzzle,
    prove,
    scramble,
    search,
    solve,
    standard_goal,
)
from slidewise.cli.terminal import INVALID_RESULT
from slidewise.solver import fewest_slides as slides
from slidewise.solver.events import Finished, Improved
from slidewise.solver.known import Known, with_known
from slidewise.solver.result import ContradictionError, Verdict, contradiction, validated
from slidewise.solver.run import find_heuristic
from slidewise.solver.tables.exact import exact_distance
from slidewise.solver.task import Task, follow
from tests.boards import FOUR_NEAR, KORF_GOAL, SIX_MOVES, TWENTY_MOVES, UNSOLVABLE

PUZZLE = parse_puzzle(SIX_MOVES)

DAMAGE = {
    "a move is missing": {"moves": "LULDR", "length": 5, "tiles": (3, 2, 1, 4, 5)},
    "a move cannot be made": {"moves": "RULURL"},
    "the path ends elsewhere": {"moves": "RRLLRR"},
    "the length is another": {"length": 4},
    "there are more tiles": {"tiles": (3, 2, 1, 4, 5, 8, 8)},
    "the bound is above the length": {"lower_bound": 8},
    "the bound has the wrong parity": {"lower_bound": 5},
    "the bound is below what is called optimal": {"lower_bound": 4},
    "there is no bound": {"lower_bound": None},
    "it is solved without a length": {"length": None},
    "it has a path and was cut off": {"status": Status.CUTOFF},
    "parity is denied": {"status": Status.UNSOLVABLE, "length": None},
    "nothing was found in all boards": {"status": Status.EXHAUSTED, "length": None},
}


def assert_withdrawn(result):
    assert result.status is Status.INVALID
    assert (result.length, result.moves, result.tiles, result.lower_bound) == (None, "", (), None)
    assert (result.shortest, result.verdict.kind) == (None, Proof.UNPROVED)
    assert "nothing is claimed" in result.verdict.reason


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_contradictory_result_is_withdrawn(damage, caplog):
    result = solve(PUZZLE, "astar")
    assert validated(result) is result
    assert_withdrawn(validated(replace(result, **damage)))
    assert "is withdrawn" in caplog.text


NOTHING = {"length": None, "moves": "", "tiles": (), "lower_bound": None}
UNPROVED = {
    "parity is denied": {"status": Status.UNSOLVABLE, **NOTHING},
    "nothing was found in all boards": {"status": Status.EXHAUSTED, **NOTHING},
    "the bound has the wrong parity": {"lower_bound": 5},
    "the bound is above the length": {"lower_bound": 8},
    "the bound of a search cut off has the wrong parity": {
        **{"status": Status.CUTOFF, **NOTHING},
        "lower_bound": 5,
    },
}


@pytest.mark.parametrize("damage", UNPROVED.values(), ids=UNPROVED)
def test_contradiction_without_an_optimal_claim_is_found(damage):
    result = replace(solve(PUZZLE, "astar"), verdict=Verdict(Proof.UNPROVED, ""), lower_bound=4)
    assert validated(result) is result
    assert_withdrawn(validated(replace(result, **damage)))


def test_result_of_an_unsolvable_board_stands():
    result = solve(parse_puzzle(UNSOLVABLE))
    assert validated(result) is result
    assert contradiction(replace(result, status=Status.SOLVED, length=0))


@pytest.fixture
def drop_last_move(monkeypatch):
    """Make every algorithm drop the last move of its path."""
    make = Task.result

    def result(self, status, verdict, lower_bound, cost, blanks=()):
        return make(self, status, verdict, lower_bound, cost, blanks[:-1])

    monkeypatch.setattr(Task, "result", result)


@pytest.mark.parametrize("key", algorithms())
def test_check_covers_every_algorithm(key, drop_last_move):
    assert_withdrawn(solve(PUZZLE, key))
    assert_withdrawn(SearchSpec(PUZZLE, key).result())
    (result,) = compare(PUZZLE, key)
    assert_withdrawn(result)
    *_, last = search(PUZZLE, key, trace=2)
    assert_withdrawn(last.result)


def test_only_one_place_runs_an_algorithm():
    """Pages, workers and commands all call `run_task`, which validates each result."""
    root = Path(slidewise.__file__).parent.parent
    sources = [*(root / "slidewise").rglob("*.py"), *(root / "webapp").rglob("*.py")]
    runs = [file.name for file in sources if "algorithm.run(" in file.read_text()]
    assert runs == ["run.py"]


def test_check_covers_proofs(drop_last_move):
    *_, last = prove(parse_puzzle(FOUR_NEAR))
    assert_withdrawn(last.result)


@pytest.mark.parametrize("cell", [30, -1, 0])
def test_path_that_leaves_the_board_is_withdrawn(cell, monkeypatch):
    make = Task.result

    def result(self, status, verdict, lower_bound, cost, blanks=()):
        return make(self, status, verdict, lower_bound, cost, [*blanks[:-1], cell])

    monkeypatch.setattr(Task, "result", result)
    assert_withdrawn(solve(parse_puzzle(FOUR_NEAR), "astar"))


@pytest.mark.parametrize("blanks", [(2, 3), (3, 2), (0, 4), (0, -3), (8, 11), (4, 4)])
def test_illegal_steps_of_the_blank_are_refused(blanks):
    with pytest.raises(ContradictionError, match="its path takes the blank from cell"):
        follow(standard_goal(3, 3), blanks)


def test_search_that_reports_a_contradiction_ends_at_once(monkeypatch):
    def contradict(task):
        yield Improved(6, 8)
        yield Finished(task.result(Status.CUTOFF, Verdict(Proof.UNPROVED, ""), 8, None))

    entry = replace(algorithms()["bfs"], run=contradict)
    monkeypatch.setattr("slidewise.solver.run.find_algorithm", lambda key: entry)
    *others, last = search(PUZZLE, "bfs")
    assert not [event for event in others if isinstance(event, Improved)]
    assert_withdrawn(last.result)


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs", "wastar", "bfs", "best"])
def test_false_proof_is_replaced_by_the_exact_distance(algorithm, monkeypatch, caplog):
    """h is too high, although it claims to be admissible and consistent."""
    false = replace(find_heuristic("=4 * manhattan"), admissible=True, consistent=True)
    monkeypatch.setattr(type(false), "for_goal", lambda self, goal: self)
    monkeypatch.setattr("slidewise.solver.run.own_heuristic", lambda key: false)
    refuted = 0
    for seed in range(6):
        puzzle = scramble(3, 3, str(seed))
        distance = exact_distance(puzzle)
        for depth in None, distance - 2:
            result = solve(puzzle, algorithm, false.key, Limits(depth=depth))
            assert result.lower_bound <= distance
            if result.length != distance:
                assert result.verdict.kind is not Proof.OPTIMAL
            if "not true here" in result.verdict.reason:
                refuted += 1
                assert result.shortest == distance
                assert f"the exact distance table says {distance}" in result.verdict.reason
                assert result.above == (result.length and result.length - distance)
    claims = algorithm in ("astar", "idastar", "rbfs", "wastar")
    assert caplog.text.count("is refuted: the exact distance table says") == refuted
    assert (refuted > 0) == claims


def test_known_bound_above_the_path_withdraws_the_result():
    result = solve(parse_puzzle(TWENTY_MOVES), "greedy")
    for known in Known(result.length + 2, True, "a table"), Known(result.length + 2, False, "h"):
        assert_withdrawn(with_known(result, known))


def test_slides_away_from_the_goal_are_refused(monkeypatch):
    found = slides._as_proved
    monkeypatch.setattr(
        slides, "_as_proved", lambda puzzle, blanks, reason: found(puzzle, blanks[:-1], reason)
    )
    for code in SIX_MOVES, FOUR_NEAR:
        with pytest.raises(ContradictionError, match="do not lead to the goal"):
            fewest_slides(parse_puzzle(code))


def test_solve_command_has_a_special_exit_code(cli, drop_last_move, tmp_path):
    boards, certificate = tmp_path / "boards", tmp_path / "certificate"
    boards.write_text(f"{SIX_MOVES}\n{SIX_MOVES}\n")
    for words in (
        ["solve", SIX_MOVES],
        ["solve", SIX_MOVES, "--json"],
        ["solve", SIX_MOVES, "--events"],
        ["solve", "--file", str(boards)],
        ["compare", SIX_MOVES, "--algorithms", "bfs,astar"],
        ["prove", FOUR_NEAR, "--certificate", str(certificate)],
    ):
        done = cli(*words)
        assert done.code == INVALID_RESULT == 70
        assert "invalid" in done.out or "nothing is claimed" in done.out
        assert "optimal" not in done.out
        assert "Verdict" not in done.out
    assert not certificate.exists()


def test_slides_command_has_the_same_exit_code(cli, monkeypatch):
    monkeypatch.setattr(slides, "play", lambda start, moves: start)
    done = cli("slides", KORF_GOAL.replace("0.1.2.3-4", "1.0.2.3-4"), "--goal", KORF_GOAL)
    assert done.code == INVALID_RESULT
    assert "do not lead to the goal" in done.err
