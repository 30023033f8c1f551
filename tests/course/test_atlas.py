"""The atlas of mistakes, compared with exact distances and with the searches of textbooks."""

import re
import statistics
from heapq import heappop, heappush
from itertools import count
from pathlib import Path

import pytest

from slidewise import algorithms, parse_puzzle
from slidewise.cli import main
from slidewise.course import atlas as module
from slidewise.course.atlas import COMPUTING, NAMES, SEARCHED, Variant, atlas, entry_for, variants
from slidewise.course.atlas_run import AtlasJob, drawn_boards, summarise
from slidewise.course.sample import DrawnPuzzle
from slidewise.solver.task import never
from tests.each import each, some
from tests.solver import mistakes
from tests.solver.oracle import STANDARD, distances, manhattan, successors

CHECKED = 2
"""Boards compared with the exact distances, for each search that is not long."""

MANY_EXPANSIONS = 5_000
"""Average expansions of a long search."""

SHORT = [key for key, one in atlas().items() if one.expanded < MANY_EXPANSIONS]


def answers(key, count=CHECKED):
    return [AtlasJob(key, drawn).result(never) for drawn in drawn_boards(count)]


def _ignore(key, done, of):
    """Take progress."""


@each("key", SHORT)
def test_answers_fit_the_distances_and_the_atlas(key):
    for answer in answers(key):
        shortest = distances(STANDARD, 3, 3)[parse_puzzle(answer.board).start.cells]
        assert answer.shortest == shortest
        excess = answer.found - shortest
        assert excess % 2 == 0
        assert 0 <= excess <= atlas()[key].worst


@pytest.mark.soak
@pytest.mark.parametrize("key", sorted(set(variants()) - set(SHORT)))
def test_answers_of_long_searches_fit_the_distances(key):
    for answer in answers(key, 2):
        assert answer.found or atlas()[key].given_up
        assert answer.found is None or 0 <= answer.found - answer.shortest <= atlas()[key].worst


@each("key", [key for key in SHORT if atlas()[key].example])
def test_each_example_matches_the_atlas(key):
    summary = atlas()[key]
    puzzle = parse_puzzle(summary.example)
    assert distances(STANDARD, 3, 3)[puzzle.start.cells] == summary.shortest
    answer = AtlasJob(key, DrawnPuzzle(puzzle, summary.shortest)).result(never)
    assert answer.found == summary.found


def _with_blank(cells):
    """Return Manhattan distance with the blank's."""
    row, col = divmod(cells.index(0), 3)
    return manhattan(cells, STANDARD, 3) + (2 - row) + (2 - col)


def _squared(cells):
    homes = [divmod((tile - 1) % 9, 3) for tile in cells]
    return sum(
        (row - cell // 3) ** 2 + (col - cell % 3) ** 2
        for cell, (row, col) in enumerate(homes)
        if cells[cell]
    )


def _manhattan(cells):
    return manhattan(cells, STANDARD, 3)


BOOKS = {
    "astar/slidewise": (1, _manhattan, True),
    "astar/never-again": (1, _manhattan, False),
    "astar/manhattan-with-blank": (1, _with_blank, True),
    "astar/squared": (1, _squared, True),
    "greedy/squared": (0, _squared, True),
    "greedy/never-again": (0, _manhattan, False),
    "bfs/slidewise": (1, lambda cells: 0, False),
    "dfs/columbia": (-1, lambda cells: 0, False),
}
"""Weight of g, h, and whether a shorter path adds a board again."""


def _by_the_book(puzzle, weight, h, reopen):
    """Return the length of the path found, and the number of boards expanded.

    The first generated of the boards with the lowest f is next. With `reopen`, a shorter path adds
    a reached board again.
    """
    number, start = count(), puzzle.start.cells
    frontier, reached = [(h(start), next(number), 0, start)], {start: 0}
    expanded = 0
    while True:
        *_, g, board = heappop(frontier)
        if g > reached[board]:
            continue  # a shorter path was found meanwhile
        if board == puzzle.goal.cells:
            return g, expanded
        expanded += 1
        for after in successors(board, 3, 3):
            if after not in reached or (reopen and g + 1 < reached[after]):
                reached[after] = g + 1
                heappush(frontier, (weight * (g + 1) + h(after), next(number), g + 1, after))


@pytest.mark.parametrize("key", some(BOOKS, 1, 3, 4))
def test_answers_equal_a_search_by_the_book(key):
    for answer in answers(key, 3):
        found = _by_the_book(parse_puzzle(answer.board), *BOOKS[key])
        assert (answer.found, answer.expanded) == found


def test_limit_raised_by_five_expands_as_a_recursion_does():
    for answer in answers("idastar/limit-by-five", 3):
        cells = parse_puzzle(answer.board).start.cells
        _, expanded = mistakes.ida_star(cells, STANDARD, 3, 3, step=5)
        assert answer.expanded == expanded


@pytest.mark.parametrize("cores", [1, 2])
def test_summary_equals_that_of_the_answers(cores, monkeypatch):
    keys, count = ["astar/never-again", "astar/columbia", "greedy/squared"], 20
    monkeypatch.setattr(Variant, "boards", count)
    summaries = list(summarise(keys, cores, _ignore))
    assert [one.key for one in summaries] == keys
    for summary in summaries:
        found = answers(summary.key, count)
        longer = [one for one in found if one.found > one.shortest]
        share = len(longer) / count
        error = 100 * (share * (1 - share) / count) ** 0.5
        assert (summary.boards, summary.longer) == (count, len(longer))
        assert summary.longer_error == pytest.approx(error, abs=0.01)
        assert summary.worst == max(one.found - one.shortest for one in longer)
        numbers = [one.expanded for one in found]
        assert summary.expanded == pytest.approx(statistics.mean(numbers), abs=0.05)
        error = statistics.stdev(numbers) / count**0.5
        assert summary.expanded_error == pytest.approx(error, abs=0.05)
        nearest = min((one.shortest, one.board) for one in longer)
        assert (summary.shortest, summary.example) == nearest
        assert (summary.given_up, summary.given_up_error) == (0, None)
        assert pytest.approx(1 - (1 - summary.unseen / 100) ** count, abs=0.001) == 0.95


def test_search_without_an_end_is_given_up(monkeypatch):
    monkeypatch.setattr(module, "MOST_EXPANSIONS", 20_000)
    monkeypatch.setattr(Variant, "boards", 2)
    (summary,) = summarise(["bfs/notebook-play"], 1, _ignore)
    assert (summary.given_up, summary.longer, summary.expanded) == (2, 0, 20_000)


def test_page_command_and_docs_name_the_same_duration(capsys):
    main(["atlas", "--help"])
    root = Path(__file__).parents[2]
    texts = [capsys.readouterr().out, (root / "docs/atlas.md").read_text()]
    page = (root / "templates/course/learn/mistakes.html").read_text()
    assert all(COMPUTING in " ".join(text.split()) for text in texts)
    assert "{{ computing }}" in page
    assert not re.search(r"about (?:an|[a-z]+) hours?", page)


def test_atlas_has_each_algorithm_and_each_entry():
    assert {one.algorithm for one in variants().values()} == set(SEARCHED)
    assert set(SEARCHED) <= {key for key in algorithms() if key != "best"}
    assert {key: one.boards for key, one in variants().items()} == {
        key: one.boards for key, one in atlas().items()
    }


def test_diagnosis_of_another_name_has_its_entry():
    for diagnosis, name in NAMES.items():
        entries = {entry_for(algorithm, diagnosis) for algorithm in SEARCHED} - {""}
        assert entries == {key for key in variants() if key.endswith(f"/{name}")}
    assert entry_for("rbfs", "stale-entry") == ""
