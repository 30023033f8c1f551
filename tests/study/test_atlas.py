"""The atlas of mistakes, held against the exact distances and against the plain loop."""

import numpy as np
import pytest

from slidewise import Puzzle, parse_puzzle, solve
from slidewise.study.atlas.run import AllBoards
from slidewise.study.atlas.summary import DRAWN, LONG, atlas, variants
from tests.solver.oracle import STANDARD, distances, manhattan

CHECKED, CHECKED_OF_LONG, SOAKED = 200, 5, 200
"""Boards of each search that are held against the exact distances; of those that take long."""


@pytest.fixture(scope="module")
def everything():
    return AllBoards()


def _each():
    for key in variants():
        yield pytest.param(key, CHECKED_OF_LONG if key in LONG else CHECKED, id=key)
        if key in LONG:
            yield pytest.param(key, SOAKED, id=f"{key}-soak", marks=pytest.mark.soak)


@pytest.mark.parametrize(("key", "count"), list(_each()))
def test_each_search_answers_as_the_atlas_says(everything, key, count):
    variant, summary = variants()[key], atlas()[key]
    boards = everything.drawn(count, seed=len(key))
    found = everything.solve(variant.algorithm, variant.convention, variant.mistake, boards)
    known = [distances(STANDARD, 3, 3)[everything.board(int(place)).cells] for place in boards]
    assert found.distances.tolist() == known
    solved = found.lengths >= 0
    excess = (found.lengths - found.distances)[solved]
    assert (excess >= 0).all()
    assert (excess % 2 == 0).all()
    assert not summary.is_whole or excess.max(initial=0) <= summary.worst
    assert summary.unsolved or solved.all()
    assert not summary.is_whole or summary.longer or not excess.any()


@pytest.mark.parametrize("key", [key for key, one in atlas().items() if one.example])
def test_each_example_is_answered_as_the_atlas_says(everything, key):
    summary, variant = atlas()[key], variants()[key]
    puzzle = parse_puzzle(summary.example)
    boards = np.array([everything.place(puzzle.start)], dtype=np.int32)
    found = everything.solve(variant.algorithm, variant.convention, variant.mistake, boards)
    assert (found.lengths[0], found.distances[0]) == (summary.found, summary.shortest)


@pytest.mark.parametrize("key", [key for key, one in variants().items() if not one.mistake.key])
def test_the_compiled_loop_and_the_plain_one_answer_alike(everything, key):
    variant = variants()[key]
    near = everything.solvable[everything.far(12)]
    boards = near[:: len(near) // 2][:2]
    found = everything.solve(variant.algorithm, variant.convention, boards=boards)
    for at, place in enumerate(boards):
        if found.expanded[at] > 5_000:
            continue
        puzzle = Puzzle(everything.board(int(place)), everything.goal)
        rules = f"{variant.convention.key},counts=expanded"
        plain = solve(puzzle, variant.algorithm, convention=rules)
        assert (plain.length, plain.expanded) == (found.lengths[at], found.expanded[at])


def test_the_estimates_without_a_mistake_are_manhattan_distances(everything):
    for place in everything.drawn(20, seed=3):
        cells = everything.board(int(place)).cells
        estimates = variants()["astar/slidewise"].mistake.estimate
        column = np.array(cells, dtype=np.uint8).reshape(-1, 1)
        assert estimates(column, STANDARD, 3)[0] == manhattan(cells, STANDARD, 3)


def test_all_boards_were_solved_where_the_atlas_does_not_say_otherwise():
    assert set(atlas()) == set(variants())
    for key, summary in atlas().items():
        assert summary.boards == (DRAWN if key in LONG else 181_440)
