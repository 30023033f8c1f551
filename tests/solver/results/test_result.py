"""Results as text and as escaped HTML, for every kind of outcome."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from slidewise import Limits, Proof, Status, Verdict, parse_puzzle, solve
from slidewise.text import duration, html_table, text_table

PUZZLE = parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")


class Page(HTMLParser):
    """The tags of a page in order, its attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.cells: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells[-1] += data


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
    page = Page(solved._repr_html_())
    facts = dict(zip(page.cells[::2], page.cells[1::2], strict=True))
    assert list(facts) == [
        "puzzle", "method", "moves", "verdict", "solution", "expanded", "generated",
        "peak stored", "time",
    ]  # fmt: skip
    assert facts["puzzle"] == str(PUZZLE)
    assert facts["moves"] == "26"
    assert facts["verdict"] == f"optimal: {solved.verdict.reason}"
    assert set(page.tags) == {"table", "tr", "th", "td"}
    assert page.attributes == []


def test_result_without_a_path_has_html():
    page = Page(solve(PUZZLE, "astar", limits=Limits(expansions=1))._repr_html_())
    assert "solution" not in page.cells
    assert page.cells[5] == "none found"


def test_long_path_is_shortened_in_a_notebook(solved):
    page = Page(replace(solved, moves="UDLR" * 10_000)._repr_html_())
    assert page.cells[page.cells.index("solution") + 1] == f"{'UDLR' * 50} ..."


def test_html_is_escaped(solved):
    evil = "<script>alert('\"&')</script>"
    page = Page(replace(solved, verdict=Verdict(Proof.UNPROVED, evil))._repr_html_())
    assert f"unproved: {evil}" in page.cells
    assert "script" not in page.tags
    page = Page(html_table(evil, [evil], [[evil]]))
    assert page.cells == [evil] * 3
    assert page.tags == ["table", "caption", "tr", "th", "tr", "td"]


def test_text_table_has_aligned_columns():
    lines = text_table(["a", "long title"], [["long cell", "1"], ["b", "22"]], frozenset({1}))
    assert lines.splitlines() == [
        "a          long title",
        "---------  ----------",
        "long cell           1",
        "b                  22",
    ]
