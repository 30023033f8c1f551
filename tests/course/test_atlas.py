"""The atlas of mistakes, compared with the exact distances and with the plain loop."""

import re
from pathlib import Path

import numpy as np
import pytest

from slidewise import Puzzle, algorithms, conventions, parse_puzzle, solve
from slidewise.cli import main
from slidewise.course.atlas import (
    COMPUTING,
    DEEPENING,
    DRAWN,
    LEFT_OUT,
    MISTAKES,
    ON_ALL,
    SEARCHED,
    atlas,
    variants,
)
from slidewise.course.atlas_run import PLAIN, AllBoards
from slidewise.course.check.mistakes import known_mistakes
from tests.each import each
from tests.solver.oracle import STANDARD, distances, manhattan

CHECKED, CHECKED_OF_LONG = 200, 5
"""Boards to compare with the exact distances, for each search and for each slow one."""

MANY_EXPANSIONS = 5_000
"""Average expansions of a slow search: 200 boards take a million."""


@pytest.fixture(scope="module")
def all_boards():
    return AllBoards()


def _each():
    for key, variant in variants().items():
        if key not in atlas():
            continue
        long = atlas()[key].expanded > MANY_EXPANSIONS or variant.algorithm in PLAIN
        yield pytest.param(key, CHECKED_OF_LONG if long else CHECKED, id=key)
        if long:
            yield pytest.param(key, CHECKED, id=f"{key}-soak", marks=pytest.mark.soak)


@pytest.mark.parametrize(("key", "count"), list(_each()))
def test_each_search_matches_the_atlas(all_boards, key, count):
    variant, summary = variants()[key], atlas()[key]
    boards = all_boards.drawn(count, seed=len(key))
    found = all_boards.solve(variant.algorithm, variant.convention, variant.mistake, boards)
    known = [distances(STANDARD, 3, 3)[all_boards.board(int(place)).cells] for place in boards]
    assert found.distances.tolist() == known
    solved = found.lengths >= 0
    excess = (found.lengths - found.distances)[solved]
    assert (excess >= 0).all()
    assert (excess % 2 == 0).all()
    assert not summary.is_whole or excess.max(initial=0) <= summary.worst
    assert summary.unsolved or solved.all()
    assert not summary.is_whole or summary.longer or not excess.any()


@each("key", [key for key, one in atlas().items() if one.example])
def test_each_example_matches_the_atlas(all_boards, key):
    summary, variant = atlas()[key], variants()[key]
    puzzle = parse_puzzle(summary.example)
    boards = np.array([all_boards.number(puzzle.start)], dtype=np.int32)
    found = all_boards.solve(variant.algorithm, variant.convention, variant.mistake, boards)
    assert (found.lengths[0], found.distances[0]) == (summary.found, summary.shortest)


@each("key", [key for key, one in variants().items() if one.has_convention and not one.mistake.key])
def test_compiled_loop_matches_the_plain_loop(all_boards, key):
    variant = variants()[key]
    near = all_boards.far(12)
    boards = near[:: len(near) // 2][:2]
    found = all_boards.solve(variant.algorithm, variant.convention, boards=boards)
    for at, place in enumerate(boards):
        if found.expanded[at] > 5_000:
            continue
        puzzle = Puzzle(all_boards.board(int(place)), all_boards.goal)
        rules = f"{variant.convention.key},counts=expanded"
        plain = solve(puzzle, variant.algorithm, convention=rules)
        assert (plain.length, plain.expanded) == (found.lengths[at], found.expanded[at])


def test_estimates_without_mistakes_are_manhattan_distances(all_boards):
    for place in all_boards.drawn(20, seed=3):
        cells = all_boards.board(int(place)).cells
        estimates = variants()["astar/slidewise"].mistake.estimate
        column = np.array(cells, dtype=np.uint8).reshape(-1, 1)
        assert estimates(column, STANDARD, 3)[0] == manhattan(cells, STANDARD, 3)


@pytest.mark.parametrize("key", [*DEEPENING, *PLAIN, "wastar"])
def test_other_searches_match_the_library(all_boards, key):
    variant = variants()[f"{key}/slidewise"]
    boards = all_boards.far(12)[::700]
    found = all_boards.solve(key, variant.convention, boards=boards)
    for at, number in enumerate(boards):
        plain = solve(Puzzle(all_boards.board(int(number)), all_boards.goal), key)
        assert (plain.length, plain.expanded) == (found.lengths[at], found.expanded[at])


def _steps(cells):
    """Return the boards one move away: the blank up, down, left, right."""
    blank = cells.index(0)
    row, col = divmod(blank, 3)
    for to, inside in (
        (blank - 3, row > 0),
        (blank + 3, row < 2),
        (blank - 1, col > 0),
        (blank + 1, col < 2),
    ):
        if inside:
            after = list(cells)
            after[blank], after[to] = after[to], 0
            yield tuple(after)


def _recursive_length(cells, h, *, once, next_limit):
    """Return the length found by a recursive program that deepens with the mistake."""
    limit = h(cells)
    while True:
        cut, visited = [], set()

        def look(path, limit=limit, cut=cut, visited=visited):
            board, g = path[-1], len(path) - 1
            if board == tuple(STANDARD):
                return g
            visited.add(board)
            if g == limit:
                cut.append(g + 1)
                return None
            for after in _steps(board):
                if after in path[-2:-1] or (once and after in visited):
                    continue
                if g + 1 + h(after) > limit:
                    cut.append(g + 1 + h(after))
                elif (found := look([*path, after])) is not None:
                    return found
            return None

        found = look([cells])
        if found is not None:
            return found
        limit = next_limit(limit, cut)


@pytest.mark.parametrize("algorithm", DEEPENING)
@pytest.mark.parametrize(
    ("name", "once", "next_limit"),
    [
        ("visits-once", True, lambda limit, cut: min(cut)),
        ("limit-by-five", False, lambda limit, cut: limit + 5),
        ("highest-cut-off", False, lambda limit, cut: max(cut)),
    ],
)
def test_wrong_deepening_matches_a_recursive_program(all_boards, algorithm, name, once, next_limit):
    if f"{algorithm}/{name}" not in variants():
        pytest.skip("not in the atlas")
    variant = variants()[f"{algorithm}/{name}"]
    boards = all_boards.far(9)[::20]
    found = all_boards.solve(algorithm, variant.convention, variant.mistake, boards)

    def h(cells):
        return manhattan(cells, STANDARD, 3) if algorithm == "idastar" else 0

    known = [
        _recursive_length(all_boards.board(int(number)).cells, h, once=once, next_limit=next_limit)
        for number in boards
    ]
    assert found.lengths.tolist() == known


@pytest.mark.parametrize("key", [one.key for one in MISTAKES if one.is_of_estimate])
def test_estimates_are_those_of_program_checks(all_boards, key):
    (known,) = (one for one in known_mistakes() if one.key == key)
    (mistake,) = (one for one in MISTAKES if one.key == key)
    assert (mistake.title, mistake.what, mistake.mend) == (known.title, known.what, known.mend)
    for number in all_boards.drawn(20, seed=4):
        cells = all_boards.board(int(number)).cells
        column = np.array(cells, dtype=np.uint8).reshape(-1, 1)
        value = known.change.h(bytes(cells), bytes(STANDARD), 3)
        assert mistake.estimate(column, STANDARD, 3)[0] == value


def test_atlas_covers_all_boards_or_the_drawn_ones():
    assert set(atlas()) == set(variants())
    for key, summary in atlas().items():
        is_drawn = variants()[key].algorithm not in ON_ALL
        assert summary.boards == (DRAWN if is_drawn else 181_440)


def test_page_command_and_docs_name_the_same_duration(capsys):
    main(["atlas", "--help"])
    root = Path(__file__).parents[2]
    texts = [capsys.readouterr().out, (root / "docs/atlas.md").read_text()]
    page = (root / "templates/course/learn/mistakes.html").read_text()
    assert all(COMPUTING in " ".join(text.split()) for text in texts)
    assert "{{ computing }}" in page
    assert not re.search(r"about (?:an|[a-z]+) hours?", page)


def test_atlas_has_each_algorithm_and_lists_its_omissions():
    assert {one.algorithm for one in variants().values()} == set(SEARCHED)
    assert set(SEARCHED) <= {key for key in algorithms() if key != "best"}
    for key in LEFT_OUT:
        algorithm, name = key.split("/")
        assert algorithm in conventions()[name].written_for
