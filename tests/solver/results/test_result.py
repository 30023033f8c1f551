"""Results as text and as escaped HTML, for every kind of outcome."""

from dataclasses import replace

import pytest

from slidewise import Limits, Proof, Status, Verdict, parse_puzzle, solve
from slidewise.text import duration, html_table, text_table
from tests.web import markup

PUZZLE = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")


def cells_of(page):
    """Return the texts of the cells and of the caption."""
    return [one.text for one in page.inside if one.tag in ("td", "th", "caption")]


@pytest.fixture(scope="module")
def solved():
    return solve(PUZZLE, "astar")


def test_each_outcome_has_its_sentence(solved):
    bounded = Verdict(Proof.BOUNDED, "within 1.5 times the shortest")
    unproved = Verdict(Proof.UNPROVED, "nothing is proved")
    assert solved.outcome == "optimal"
    assert replace(solved, verdict=bounded, lower_bound=22).outcome == (
        "bounded, at most 4 above the shortest"
    )
    assert replace(solved, verdict=unproved).outcome == "unproved"
    for status in Status.CUTOFF, Status.CANCELLED:
        stopped = replace(solved, status=status, length=None, verdict=unproved, lower_bound=20)
        assert stopped.outcome == f"{status}, at least 20 moves"
    for status in Status.UNSOLVABLE, Status.EXHAUSTED:
        none = replace(solved, status=status, length=None, verdict=unproved, lower_bound=None)
        assert none.outcome == status


def test_method_has_the_titles_of_the_registry(solved):
    assert solved.method == "A* with Manhattan distance"
    assert solve(PUZZLE, "bfs").method == "Breadth-first search"
    assert solve(PUZZLE, "wastar").method == "Weighted A* (w = 1.5) with Manhattan distance"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0.0 ms"), (0.00128, "1.3 ms"), (1, "1.0 s"), (75.04, "75.0 s")]
)
def test_durations_are_readable(seconds, text):
    assert duration(seconds) == text


def test_result_prints_as_a_summary(solved):
    first, because, puzzle, cost = str(solved).splitlines()
    assert first == "A* with Manhattan distance: 26 moves, optimal"
    assert because == f"because: {solved.verdict.reason}"
    assert puzzle == f"puzzle {PUZZLE}"
    assert cost.startswith(f"expanded {solved.expanded:,}, generated {solved.generated:,}, peak")
    stopped = solve(PUZZLE, "astar", limits=Limits(expansions=1))
    assert "no solution found, cutoff, at least 1" in str(stopped)


def test_result_has_html_for_a_notebook(solved):
    page = markup.read(solved._repr_html_())
    cells = cells_of(page)
    facts = dict(zip(cells[::2], cells[1::2], strict=True))
    assert list(facts) == [
        "puzzle", "method", "moves", "verdict", "solution", "expanded", "generated",
        "peak stored", "time",
    ]  # fmt: skip
    assert facts["puzzle"] == str(PUZZLE)
    assert facts["moves"] == "26"
    assert facts["verdict"] == f"optimal: {solved.verdict.reason}"
    assert {one.tag for one in page.inside} == {"table", "tr", "th", "td"}
    assert not any(one.attrs for one in page.inside)


def test_result_without_a_path_has_html():
    stopped = solve(PUZZLE, "astar", limits=Limits(expansions=1))
    cells = cells_of(markup.read(stopped._repr_html_()))
    assert "solution" not in cells
    assert cells[5] == "none found"


def test_long_path_is_shortened_in_a_notebook(solved):
    cells = cells_of(markup.read(replace(solved, moves="UDLR" * 10_000)._repr_html_()))
    assert cells[cells.index("solution") + 1] == f"{'UDLR' * 50} ..."


def test_html_is_escaped(solved):
    evil = "<script>alert('\"&')</script>"
    unproved = replace(solved, verdict=Verdict(Proof.UNPROVED, evil))
    page = markup.read(unproved._repr_html_())
    assert f"unproved: {evil}" in cells_of(page)
    assert not page.all("script")
    page = markup.read(html_table(evil, [evil], [[evil]]))
    assert cells_of(page) == [evil] * 3
    tags = [one.tag for one in page.inside]
    assert tags == ["table", "caption", "tr", "th", "tr", "td"]


def test_text_table_has_aligned_columns():
    lines = text_table(["a", "long title"], [["long cell", "1"], ["b", "22"]], frozenset({1}))
    assert lines.splitlines() == [
        "a          long title",
        "---------  ----------",
        "long cell           1",
        "b                  22",
    ]
