"""The lessons: each algorithm and heuristic has one, and its statements are true."""

import itertools
import re
from dataclasses import replace

import pytest

from slidewise import (
    algorithms,
    exact_table,
    find_algorithm,
    heuristics,
    parse_board,
    parse_puzzle,
    solve,
)
from slidewise.analysis.distance import GREATEST_DISTANCES
from slidewise.course.atlas import SEARCHED
from slidewise.course.searching import is_recorded
from slidewise.solver.convention import ALGORITHMS
from tests.each import each
from tests.web import markup
from tests.web.course.learn.learning import KEYS, PAGES, expanded, get, recorded
from webapp.course.learn import topics as learn_module
from webapp.course.learn.lessons import LESSONS
from webapp.course.learn.topics import EXAMPLE, ORDER, facts

SEARCHES = [key for key, one in algorithms().items() if is_recorded(one)]


@each("key", KEYS)
def test_facts_are_those_of_the_registry(client, key):
    page = get(client, f"/{key}")
    entry = algorithms().get(key) or heuristics()[key]
    names, values = ([one.text for one in page.one(id="facts").all(tag)] for tag in ("dt", "dd"))
    assert dict(zip(names, values, strict=True)) == facts(entry)
    values = facts(entry)
    if key in algorithms():
        assert (values["Time"], values["Space"]) == (entry.time, entry.space)
        assert values["Complete"].startswith("Yes" if entry.complete else "No")
        assert values["Optimal"].startswith("Yes") == (entry.optimal or entry.optimal_to > 0)
    else:
        assert values["Admissible"] == ("Yes" if entry.admissible else "No")
        assert values["Consistent"] == ("Yes" if entry.consistent else "No")
    assert values["Source"] == entry.source
    assert page.one("h1").text == entry.title
    assert entry.idea in page.text


@each("key", [*ORDER, "best"])
def test_topic_has_its_figure_then_its_own_text(client, app, key):
    assert f"course/learn/topics/{key}.html" in app.jinja_env.list_templates()
    response = client.get(f"/learn/{key}")
    figure = 'class="lesson-bench"' if key in LESSONS else 'data-watch="'
    marks = figure, 'id="words-title"', 'id="facts-title"'
    assert sorted(marks, key=response.text.index) == list(marks)
    words = markup.read(response).one("section", aria_labelledby="words-title")
    assert len(words.text) > 200


def test_new_algorithm_has_a_page_of_its_facts(client, monkeypatch):
    new = replace(find_algorithm("astar"), key="astar-nearest", title="A*, nearest first")
    known = {**algorithms(), new.key: new}
    monkeypatch.setattr(learn_module, "algorithms", lambda: known)
    page = get(client, "/astar-nearest")
    assert page.one("h1").text == "A*, nearest first"
    assert page.one("section", aria_label="The search as a tree")
    assert new.key in [one.key for group in learn_module.groups().values() for one in group]
    assert "mistakes" not in page.ids()
    assert EXAMPLE in str([link.get("href") for link in page.all("a")])


def test_unknown_topic_is_404(client):
    assert "no lesson called" in get(client, "/nonsense", status=404).text


FOLLOWED: dict[str, set[str]] = {}
"""The ids of the pages that a link has led to."""


@pytest.mark.parametrize("path", ["", *(f"/{page}" for page in PAGES), "/teachers"])
def test_links_of_a_lesson_work(client, path):
    page = get(client, path)
    ids = set(page.ids())
    for link in page.one("main").all("a"):
        href = link["href"]
        if href.startswith("#"):
            assert href[1:] in ids
        elif href.startswith("?"):
            assert client.get(f"/learn{path}{href}").status_code == 200
        elif not re.match(r"/lab/[^/]+\?run=", href):  # the race is a page of its own
            where, _, fragment = href.partition("#")
            if where.startswith(
                ("/learn", "/levels", "/together", "/gallery", "/api", "/privacy", "/convert")
            ):
                if where not in FOLLOWED:
                    answer = client.get(where)
                    assert answer.status_code == 200, href
                    FOLLOWED[where] = set(markup.read(answer).ids())
                if fragment and not fragment.startswith("in-words"):
                    assert fragment in FOLLOWED[where], href
            else:
                parse_puzzle(where.split("/")[2].partition("?")[0])


@each("path", ["", *(f"/{page}" for page in PAGES), "/teachers", "/challenge"])
def test_headings_are_in_order(client, path):
    headings = [one for one in get(client, path).inside if re.fullmatch("h[1-6]", one.tag)]
    levels = [int(one.tag[1]) for one in headings]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= before + 1 for before, later in itertools.pairwise(levels))


def trace_of(page):
    """Return the recording of the search on a page."""
    shown = page.one("section", aria_label="The search as a tree")["data-watch"]
    path, _, query = shown.partition("?")
    chosen = dict(part.split("=") for part in query.split("&"))
    weight = float(chosen["weight"]) if "weight" in chosen else None
    return recorded(path.split("/")[2], chosen["algorithm"], chosen.get("heuristic"), weight)


class ExpansionFacts:
    """The facts of an expansion in a recording, compared with the text of a guide."""

    def __init__(self, recording, at):
        self.recording, self.at = recording, at
        self.step = recording.steps[at - 1]
        self.node = recording.nodes[self.step.node]
        self.f = next(f for since, f in reversed(self.node.ranks) if since <= at)

    @property
    def tiles(self):
        """Yield the tiles moved to this node and to its successors."""
        here, nodes = self.node, self.recording.nodes
        if here.parent is not None:
            yield nodes[here.parent].board.cells[here.board.blank]
        for made in self.step.successors:
            yield here.board.cells[nodes[made.node].board.blank]

    @property
    def limit(self):
        return [one for one in self.recording.iterations if one.first <= self.at][-1]

    def is_sum(self, g, h, f):
        scale = {"wastar": (2, 3)}.get(self.recording.algorithm.key, (1, 1))
        return (scale[0] * self.node.g, scale[1] * self.node.h, self.f) == (g, h, f) and g + h == f

    def is_same_node(self, other):
        return self.recording.steps[other - 1].node == self.step.node


CLAIMS = {
    r"f = (\d+) \+ (\d+) = (\d+)": lambda expansion, g, h, f: expansion.is_sum(g, h, f),
    r"g = (\d+)": lambda expansion, n: expansion.node.g == n,
    r"h = (\d+)": lambda expansion, n: expansion.node.h == n,
    r"f = (\d+)": lambda expansion, n: expansion.f == n,
    r"(\d+) moves?": lambda expansion, n: expansion.node.g == n,
    r"(\d+) expansions": lambda expansion, n: (
        expansion.recording.expansions == expansion.recording.result.expanded == n
    ),
    r"(\d+) successors": lambda expansion, n: len(expansion.step.successors) == n,
    r"(\d+) (?:is|are) dropped": lambda expansion, n: (
        n == sum(not made.fate.is_kept for made in expansion.step.successors)
    ),
    r"(\d+) nodes? waits?": lambda expansion, n: expansion.step.frontier == n,
    r"(\d+) nodes are kept": lambda expansion, n: expansion.step.in_memory == n,
    r"[Oo]f the (\d+) nodes|first of the (\d+) nodes": lambda expansion, n: (
        f"of the {n} nodes" in expansion.step.why
    ),
    r"depth limit (\d+)": lambda expansion, n: (
        (expansion.limit.kind, expansion.limit.limit) == ("depth limit", n)
    ),
    r"f-limit (\d+)": lambda expansion, n: (
        (expansion.limit.kind, expansion.limit.limit) == ("f-limit", n)
    ),
    r"the node of expansion (\d+)": lambda expansion, n: expansion.is_same_node(n),
    r"tile (\d+)": lambda expansion, n: n in expansion.tiles,
}
"""The phrases with numbers in the guides, and the condition of each."""


@pytest.mark.parametrize("key", [key for key in ORDER if key not in LESSONS])
def test_numbers_of_a_guide_are_those_of_the_search(client, key):
    page = get(client, f"/{key}")
    recording = trace_of(page)
    assert recording.complete
    guide = page.one("ol", class_="guide").all("li")
    assert len(guide) >= 3
    for item in guide:
        at = int(item["data-at"])
        expansion = ExpansionFacts(recording, at)
        is_end = at == len(recording.steps)
        name, words = item.one("a").text, item.text
        assert name == ("At the end" if is_end else f"At expansion {at}")
        words = words.removeprefix(name)
        for pattern, holds in CLAIMS.items():
            for found in re.finditer(pattern, words):
                numbers = [int(one) for one in found.groups() if one]
                assert holds(expansion, *numbers), f"{key}, {at}: {found[0]}; {expansion.step.why}"
            words = re.sub(pattern, "", words)
        assert not re.search(r"\d", words), f"{key}, {at}: nobody proves {words}"
        assert re.search(rf"/watch\?.*\bat={at}\b", item.all("a")[0]["href"])


def test_comparisons_of_the_guides_are_true():
    small, trap = "1.5.2-0.4.3", "4.0.1-5.3.2"
    assert expanded(small, "bfs") == expanded(small, "ucs") == 3 * expanded(small, "bidirectional")
    assert expanded(small, "iddfs") == expanded(small, "bfs") + 4
    assert solve(parse_puzzle(small), "dfs").length == 3 * solve(parse_puzzle(small), "bfs").length
    greedy = solve(parse_puzzle(trap), "greedy", "manhattan")
    star = solve(parse_puzzle(trap), "astar", "manhattan")
    assert greedy.length == 4 * star.length
    assert 5 * star.expanded < greedy.expanded
    board = "4.1.5-0.3.2"
    assert expanded(board, "astar", "manhattan") == expanded(board, "wastar", "manhattan") + 5
    zero, misplaced = (expanded(trap, "astar", one) for one in ("zero", "misplaced"))
    assert star.expanded == 12
    assert 0.3 < misplaced / zero < 0.37
    assert 1.7 < misplaced / star.expanded < 2
    assert zero == expanded(trap, "bfs")


@pytest.mark.parametrize("size", [size for size in GREATEST_DISTANCES if size[0] <= size[1]])
def test_records_are_the_farthest_of_all_goals(size):
    rows, cols = size
    corner = [at for at in range(rows * cols) if at % cols * 2 < cols and at // cols * 2 < rows]
    blanks = corner if rows * cols < 10 else (9, 2)  # each of ten cells takes seconds
    farthest = set()
    for blank in blanks:  # those of the other corners are mirror images
        tiles = [*range(1, blank + 1), 0, *range(blank + 1, rows * cols)]
        lines = (tiles[first : first + cols] for first in range(0, len(tiles), cols))
        goal = parse_board("-".join(".".join(map(str, line)) for line in lines))
        farthest.add(exact_table(goal).diameter)
    assert max(farthest) == GREATEST_DISTANCES[size] == GREATEST_DISTANCES[cols, rows]


def test_table_of_sizes_is_right(client):
    rows = get(client, "/puzzle").one(id="states").all("tr")[1:]
    sizes = {row.all()[0].text: [one.text for one in row.all("td")] for row in rows}
    assert sizes["3 × 3"] == ["362,880", "181,440", "31"]
    assert sizes["2 × 3"] == ["720", "360", "21"]
    assert exact_table(parse_board("1.2.3-4.5.0")).boards == 360


def test_fourteen_fifteen_puzzle_is_explained_in_numbers(client):
    puzzle = parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0")
    assert puzzle.parity.explain() in get(client, "/puzzle/parity").one(id="story").text


@each("key", [key for key in SEARCHES if key not in LESSONS])
def test_example_of_a_lesson_is_a_viewer_with_a_short_search(client, key):
    page = get(client, f"/{key}")
    viewer = page.one("section", aria_label="The search as a tree")
    assert client.get(viewer["data-watch"]).get_json()["expanded"] < 80


@each("key", SEARCHES)
def test_lesson_links_to_the_check_and_to_conventions(client, key):
    links = [link["href"] for link in get(client, f"/{key}").one(id="your-own").all("a")]
    form = markup.read(client.get(links[0])).one("select", name="algorithm")
    assert [one["value"] for one in form.all("option", selected="")] == [key]
    assert any("convention=columbia" in link for link in links) == (key in ALGORITHMS)
    assert ("/learn/mistakes" in links) == (key in SEARCHED)
