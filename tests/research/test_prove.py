"""Proofs: their results, and that a resumed proof equals an uninterrupted one."""

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from slidewise import (
    Limits,
    Proof,
    Puzzle,
    Status,
    UnfitHeuristicError,
    parse_puzzle,
    solve,
    standard_goal,
)
from slidewise.research import proof
from slidewise.research import prove as proving
from slidewise.research.proof import FILE_NAME, CheckpointError, held
from slidewise.research.prove import prove
from slidewise.solver.events import Finished, Improved, Proving
from tests.boards import FOUR_NEAR, SMALL_UNSOLVABLE, SOLVED, korf, walked
from tests.each import some
from tests.solver import oracle
from tests.solver.runs import timeless

HARD = parse_puzzle(korf(15)[58][0])
"""Some 800,000 expansions: enough for an iteration that is split."""

OLD = Path(__file__).parents[1] / "data" / "old"


def result_of(puzzle, **options):
    *_, last = prove(puzzle, **options)
    assert isinstance(last, Finished)
    return last.result


@pytest.fixture
def splits_on_small_boards(monkeypatch):
    """Enable beams, splits and checkpoints on small boards too."""
    monkeypatch.setattr(proof, "PATH_FROM_EXPANSIONS", 20_000)
    monkeypatch.setattr(proof, "PATH_EXPANSIONS", 3_000)


def test_proof_is_of_the_shortest_path():
    for code, shortest in korf(15)[:5]:
        result = result_of(parse_puzzle(code))
        assert (result.length, result.lower_bound) == (shortest, shortest)
        assert result.verdict.kind is Proof.OPTIMAL


def test_trivial_puzzles_need_no_search():
    assert result_of(parse_puzzle(SOLVED)).length == 0
    assert result_of(parse_puzzle(SMALL_UNSOLVABLE)).status is Status.UNSOLVABLE


def test_proof_needs_tables():
    with pytest.raises(UnfitHeuristicError, match=r"for 5x5, not for 6x3: `solve` finds"):
        prove(parse_puzzle("0.1.2-3.4.5-6.7.8-9.10.11-12.13.14-15.16.17"))


def test_bounds_of_a_proof_converge(splits_on_small_boards):
    events = list(prove(HARD))
    improvements = [
        (event.length, event.lower_bound) for event in events if isinstance(event, Improved)
    ]
    lengths, bounds = zip(*improvements, strict=True)
    result = events[-1].result
    assert list(lengths) == sorted(lengths, reverse=True)
    assert list(bounds) == sorted(bounds)
    assert bounds[-1] <= result.length <= lengths[-1]
    for event in events:
        if isinstance(event, Proving):
            assert 0 <= event.left_in_iteration <= event.left


@pytest.mark.parametrize("cores", [1, 3])
def test_often_stopped_proof_has_the_counts_of_a_whole_one(splits_on_small_boards, tmp_path, cores):
    whole = result_of(HARD, limits=Limits(cores=cores))
    assert timeless(result_of(HARD)) == timeless(whole)
    draw, stop, runs = random.Random(cores), 0, 0
    while True:
        stop += draw.randrange(1, whole.expanded // 6)
        part = result_of(HARD, limits=Limits(cores=cores, expansions=stop), state=tmp_path)
        runs += 1
        if part.verdict.kind is Proof.OPTIMAL:
            break
        assert part.lower_bound <= whole.length <= part.length
    assert runs > 4
    assert timeless(part) == timeless(whole)


KILLED = """
import os, signal, sys
from pathlib import Path
from slidewise import Limits, parse_puzzle
from slidewise.solver import loop
from slidewise.research import proof
from slidewise.research.prove import prove
proof.SAVE_SECONDS, loop.HIGHEST_BUDGET = 0, 20_000
proof.PATH_FROM_EXPANSIONS, proof.PATH_EXPANSIONS = 20_000, 3_000
sync, saves = os.fsync, 0
def die_at_last(handle):
    global saves
    saves += 1
    if saves == 11:  # of a file, and not of its folder
        os.kill(os.getpid(), signal.SIGKILL)
    sync(handle)
os.fsync = die_at_last
for event in prove(parse_puzzle(sys.argv[1]), Limits(cores=2), state=Path(sys.argv[2])):
    pass
"""
"""A proof that is killed while it writes a checkpoint."""


def test_killed_proof_is_resumed(splits_on_small_boards, tmp_path):
    words = [sys.executable, "-c", KILLED, str(HARD), str(tmp_path)]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 2
    assert timeless(result_of(HARD, state=tmp_path)) == timeless(result_of(HARD))


def test_checkpoint_of_an_older_version_is_continued(tmp_path):
    shutil.copy(OLD / FILE_NAME, tmp_path)
    stopped_again = result_of(HARD, limits=Limits(expansions=1), state=tmp_path)
    assert stopped_again.lower_bound == 55, "as proved before the stop"
    assert result_of(HARD, state=tmp_path).lower_bound == korf(15)[58][1]


def stopped(folder, puzzle=HARD):
    return result_of(puzzle, limits=Limits(expansions=500_000), state=folder)


def test_checkpoint_of_another_puzzle_is_refused(tmp_path):
    stopped(tmp_path)
    with pytest.raises(CheckpointError, match=r"of another puzzle, .*: name another folder"):
        result_of(parse_puzzle(FOUR_NEAR), state=tmp_path)
    assert stopped(tmp_path).length


def test_checkpoint_of_another_search_order_is_refused(tmp_path, monkeypatch):
    stopped(tmp_path)
    monkeypatch.setattr(proof.ResumableDeepening, "_check", lambda self: 0)
    with pytest.raises(CheckpointError, match=r"searches otherwise: remove it"):
        result_of(HARD, state=tmp_path)


def test_unwritable_folder_is_reported_at_once(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match=r"cannot write checkpoints in .*: name a folder"):
        result_of(HARD, state=tmp_path / "file")


def test_second_proof_in_the_same_folder_is_refused(tmp_path):
    with (
        held(tmp_path),
        pytest.raises(CheckpointError, match=r"under way in .*: wait for its end, or name"),
    ):
        result_of(HARD, state=tmp_path)
    assert stopped(tmp_path).length
    assert stopped(tmp_path).length, "the first has let it go"


def test_full_disk_does_not_end_a_proof(tmp_path, monkeypatch, caplog):
    def refuse(handle):
        raise OSError("no space left on device")

    monkeypatch.setattr(proof, "SAVE_SECONDS", 0)
    monkeypatch.setattr(os, "fsync", refuse)
    assert result_of(HARD, state=tmp_path).verdict.kind is Proof.OPTIMAL
    assert "the proof goes on" in caplog.messages[0]
    assert list(tmp_path.iterdir()) == []


FIVE = standard_goal(5, 5)


def arrangements_within(cells, moves):
    """Return all arrangements of 25 cells within `moves` moves, with the fewest to each."""
    fewest, layer = {cells: 0}, {cells}
    for move in range(1, moves + 1):
        layer = {new for board in layer for new in oracle.successors(board, 5, 5)} - fewest.keys()
        fewest |= dict.fromkeys(layer, move)
    return fewest


@pytest.fixture(scope="module")
def around_the_goal():
    return arrangements_within(FIVE.cells, 11)


@pytest.mark.parametrize("seed", some(range(20), 0, 7, 17))
def test_lengths_on_5x5_equal_plain_bidirectional_search(seed, around_the_goal, monkeypatch):
    monkeypatch.setattr(proving, "BEST_TABLES_CELLS", 26)  # without the tables that take a minute
    board = walked(FIVE, 12 + seed % 9, seed)
    shortest = min(
        moves + around_the_goal[cells]
        for cells, moves in arrangements_within(board.cells, 9).items()
        if cells in around_the_goal
    )
    result = result_of(Puzzle(board, FIVE))
    assert (result.length, result.lower_bound) == (shortest, shortest)
    assert result.verdict.kind is Proof.OPTIMAL
    assert list(result.steps())[-1].board == FIVE


@pytest.fixture(scope="module")
def far_around_the_goal():
    return arrangements_within(FIVE.cells, 14)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_lengths_with_the_largest_tables_equal_plain_search(seed, far_around_the_goal):
    puzzle = Puzzle(walked(FIVE, 20 + seed, seed), FIVE)
    lengths = [
        moves + far_around_the_goal[cells]
        for cells, moves in arrangements_within(puzzle.start.cells, 12).items()
        if cells in far_around_the_goal
    ]
    for result in result_of(puzzle), solve(puzzle, "best", limits=Limits(seconds=600)):
        assert result.length == min(lengths) if lengths else result.length > 14 + 12
        assert (result.lower_bound, result.verdict.kind) == (result.length, Proof.OPTIMAL)


@pytest.mark.soak
@pytest.mark.parametrize("number", [40, 38, 25, 32, 44])
def test_24_puzzles_have_their_published_lengths(number):
    code, shortest = korf(24)[number - 1]
    result = result_of(parse_puzzle(code))
    assert (result.length, result.verdict.kind) == (shortest, Proof.OPTIMAL)
