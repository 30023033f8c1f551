"""The pages to learn from: there is one for all there is, and what they tell is true."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from tests.search import mistakes, oracle
from tests.web import markup
from webapp.puzzle import parse_board, parse_puzzle
from webapp.puzzle.moves import play
from webapp.search import (
    algorithms,
    exact_table,
    find_algorithm,
    find_heuristic,
    heuristics,
    search,
    solve,
)
from webapp.search.checks import check
from webapp.search.recording import is_recorded, record
from webapp.search.standing import RECORDS, standing
from webapp.web import learn as learn_module
from webapp.web.learn import EXAMPLE, ORDER, facts

KEYS = [*algorithms(), *heuristics()]
PAGES = ["puzzle", *KEYS]


def get(client, path="", status=200, **query):
    response = client.get(f"/learn{path}", query_string=query)
    assert response.status_code == status, response.text[:300]
    return markup.read(response)


def by_id(page, name):
    return page.one(id=name)


# A page for each, with the facts of the registry


def test_all_are_in_the_contents_in_the_order_to_read_them(client):
    page = get(client)
    cards = [
        one.one("a")["href"].removeprefix("/learn/") for one in page.all("li", class_="card topic")
    ]
    topics = [card for card in cards if card in KEYS]
    assert sorted(topics) == sorted(KEYS)
    assert [key for key in topics if key in ORDER] == list(ORDER)
    assert "/api" in [link.get("href") for link in page.all("a")]


@pytest.mark.parametrize("key", KEYS)
def test_the_facts_are_those_of_the_registry(client, key):
    page = get(client, f"/{key}")
    entry = algorithms().get(key) or heuristics()[key]
    shown = by_id(page, "facts")
    names, told = ([one.text for one in shown.all(tag)] for tag in ("dt", "dd"))
    assert dict(zip(names, told, strict=True)) == facts(entry)
    if key in algorithms():
        assert (facts(entry)["Time"], facts(entry)["Space"]) == (entry.time, entry.space)
        assert facts(entry)["Complete"].startswith("Yes" if entry.complete else "No")
        assert facts(entry)["Optimal"].startswith("Yes") == (entry.optimal or entry.optimal_to > 0)
    else:
        assert facts(entry)["Admissible"] == ("Yes" if entry.admissible else "No")
        assert facts(entry)["Consistent"] == ("Yes" if entry.consistent else "No")
    assert facts(entry)["Source"] == entry.source
    assert page.one("h1").text == entry.title
    assert entry.idea in page.text


@pytest.mark.parametrize("key", [*ORDER, "best"])
def test_each_has_words_of_its_own(client, app, key):
    assert f"learn/topics/{key}.html" in app.jinja_env.list_templates()
    page = get(client, f"/{key}")
    assert len(page.one("section", aria_labelledby="words-title").text) > 200


def test_a_new_algorithm_has_a_page_of_its_facts(client, monkeypatch):
    new = replace(find_algorithm("astar"), key="astar-nearest", title="A*, nearest first")
    known = {**algorithms(), new.key: new}
    monkeypatch.setattr(learn_module, "algorithms", lambda: known)
    page = get(client, "/astar-nearest")
    assert page.one("h1").text == "A*, nearest first"
    assert page.one("section", aria_label="The search as a tree")
    assert "astar-nearest" in [
        topic.key for group in learn_module.groups().values() for topic in group
    ]
    assert not [one for one in page.inside if one.get("id") == "mistakes"]
    assert EXAMPLE in str([link.get("href") for link in page.all("a")])


def test_there_is_no_other_page(client):
    assert "no page" in get(client, "/nonsense", status=404).text


@pytest.mark.parametrize("path", ["", *(f"/{page}" for page in PAGES), "/teachers"])
def test_links_lead_somewhere(client, path):
    page = get(client, path)
    ids = set(page.ids())
    for link in page.one("main").all("a"):
        href = link["href"]
        if href.startswith("#"):
            assert href[1:] in ids
        elif not re.match(r"/lab/[^/]+\?run=", href):  # the race, a page of its own
            where, _, fragment = href.partition("#")
            if where.startswith(("/learn", "/gallery", "/api")):
                answer = client.get(where)
                assert answer.status_code == 200, href
                if fragment and not fragment.startswith("in-words"):
                    assert fragment in markup.read(answer).ids(), href
            else:
                parse_puzzle(where.split("/")[2].partition("?")[0])


@pytest.mark.parametrize("path", ["", *(f"/{page}" for page in PAGES), "/teachers", "/challenge"])
def test_headings_stand_in_order(client, path):
    levels = [
        int(one.tag[1]) for one in get(client, path).inside if re.fullmatch("h[1-6]", one.tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= before + 1 for before, later in itertools.pairwise(levels))


# The guide: every number that it tells is that of the search


def trace_of(page):
    """Return the recording of the search that a page shows."""
    shown = page.one("section", aria_label="The search as a tree")["data-watch"]
    path, _, query = shown.partition("?")
    chosen = dict(part.split("=") for part in query.split("&"))
    puzzle, key = parse_puzzle(path.split("/")[2]), chosen["algorithm"]
    weight = float(chosen["weight"]) if "weight" in chosen else None
    options = {"weight": weight} if weight else {}
    events = search(puzzle, key, chosen.get("heuristic"), trace=2_000, **options)
    return record(puzzle, find_algorithm(key), events, weight)


class Told:
    """What a recording tells of an expansion, to be held against the words of a guide."""

    def __init__(self, recording, at):
        self.recording, self.at = recording, at
        self.step = recording.steps[at - 1]
        self.node = recording.nodes[self.step.node]
        self.f = next(f for since, f in reversed(self.node.ranks) if since <= at)

    @property
    def tiles(self):
        """Yield the tiles moved to come here, and to go on."""
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
    r"f = (\d+) \+ (\d+) = (\d+)": lambda told, g, h, f: told.is_sum(g, h, f),
    r"g = (\d+)": lambda told, n: told.node.g == n,
    r"h = (\d+)": lambda told, n: told.node.h == n,
    r"f = (\d+)": lambda told, n: told.f == n,
    r"(\d+) moves?": lambda told, n: told.node.g == n,
    r"(\d+) expansions": lambda told, n: (
        told.recording.expansions == told.recording.result.expanded == n
    ),
    r"(\d+) successors": lambda told, n: len(told.step.successors) == n,
    r"(\d+) (?:is|are) dropped": lambda told, n: (
        n == sum(not made.fate.is_kept for made in told.step.successors)
    ),
    r"(\d+) nodes? waits?": lambda told, n: told.step.frontier == n,
    r"(\d+) nodes are kept": lambda told, n: told.step.kept == n,
    r"[Oo]f the (\d+) nodes|first of the (\d+) nodes": lambda told, n: (
        f"of the {n} nodes" in told.step.why
    ),
    r"depth limit (\d+)": lambda told, n: (told.limit.kind, told.limit.limit) == ("depth limit", n),
    r"f-limit (\d+)": lambda told, n: (told.limit.kind, told.limit.limit) == ("f-limit", n),
    r"the node of expansion (\d+)": lambda told, n: told.is_same_node(n),
    r"tile (\d+)": lambda told, n: n in told.tiles,
}
"""How the guides tell numbers, and when each is true."""


@pytest.mark.parametrize("key", ORDER)
def test_every_number_of_the_guide_is_that_of_the_search(client, key):
    page = get(client, f"/{key}")
    recording = trace_of(page)
    assert recording.complete
    guide = page.one("ol", class_="guide").all("li")
    assert len(guide) >= 3
    for item in guide:
        at = int(item["data-at"])
        told = Told(recording, at)
        is_end = at == len(recording.steps)
        name, words = item.one("a").text, item.text
        assert name == ("At the end" if is_end else f"At expansion {at}")
        words = words.removeprefix(name)
        for pattern, holds in CLAIMS.items():
            for found in re.finditer(pattern, words):
                numbers = [int(one) for one in found.groups() if one]
                assert holds(told, *numbers), f"{key}, {at}: {found[0]}; {told.step.why}"
            words = re.sub(pattern, "", words)
        assert not re.search(r"\d", words), f"{key}, {at}: nobody proves {words}"
        assert item.one("a")["href"].endswith(f"at={at}") or f"at={at}&" in item.one("a")["href"]


def expanded(code, algorithm, heuristic=None, **options):
    return solve(parse_puzzle(code), algorithm, heuristic, **options).expanded


def test_what_the_guides_compare():
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


# The mistakes: a faulty search, or an expression, on the board that the page shows


def cells(code):
    puzzle = parse_puzzle(code)
    return puzzle.start.cells, puzzle.goal.cells, puzzle.rows, puzzle.cols


def excess(expression, code):
    """Return h and the true distance, of a heuristic that is not admissible there."""
    puzzle = parse_puzzle(code)
    h = solve_h(expression, puzzle)
    return h, exact_table(puzzle.goal).distance(puzzle.start)


def solve_h(expression, puzzle):
    return find_heuristic(expression).value(puzzle.start, puzzle.goal)


def length(code, algorithm="bfs", heuristic=None, **options):
    return solve(parse_puzzle(code), algorithm, heuristic, **options).length


def no_reached(code):
    faulty, moves = mistakes.bfs_without_reached(*cells(code))
    assert (moves, faulty, expanded(code, "bfs")) == (4, 37, 15)
    yield from ("4 moves from the goal", "37 nodes where 15 are")


def early_test_of_bfs(code):
    assert (mistakes.bfs_early(*cells(code)), expanded(code, "bfs")) == (10, 15)
    yield "10 expansions do instead of 15"


def early_goal(code):
    early, late = (mistakes.dearest_tiles(*cells(code), early=one) for one in (True, False))
    assert (early, late) == (46, 44)
    yield from ("costs 46", "one for 44")


def no_limit(code):
    assert (length(code), length(code, "dfs")) == (2, 64_328)
    yield from ("Two moves", "7 and 8 to the left", "64,328 moves")
    board = parse_puzzle(code).start
    assert board.slide(7).slide(8) == parse_puzzle(code).goal


def recursion(code):
    assert length(code) == 1
    assert mistakes.recursion_depth(*cells(code), most=1_000) > 1_000
    yield from ("one move from the goal", "1,000 calls deep")


def reached_in_limit(code):
    assert length(code) == 9
    assert not mistakes.dfs_visited(*cells(code), 9)
    assert length(code, "iddfs") == 9
    yield from ("9 moves from the goal", "depth limit of 9", "nothing is found")


def visited_kept(code):
    assert length(code) == length(code, "iddfs") == 10
    fresh = next(limit for limit in range(40) if mistakes.dfs_visited(*cells(code), limit))
    assert fresh == 12
    assert mistakes.iddfs_visited_kept(*cells(code)) is None
    _, goal, rows, cols = cells(code)
    for other, distance in oracle.distances(goal, rows, cols).items():
        found = mistakes.iddfs_visited_kept(other, goal, rows, cols, most=6)
        assert (found is not None) == (distance <= 2)
    yield from ("Ten moves", "says 12", "more than 2 moves away")


def cut_off(code):
    assert not mistakes.dfs_visited(*cells(code), 1)
    assert length(code) == 2
    yield from ("limit 1", "2 moves reach it")


def not_turned(code):
    puzzle = parse_puzzle(code)
    assert solve(puzzle, "bidirectional").moves == "LDLU"
    meeting = play(puzzle.start, "LD")
    assert play(puzzle.goal, "DR") == meeting
    assert [puzzle.goal.source(way) is not None for way in "D"] == [True]
    assert puzzle.goal.slide(3).slide(2) == meeting
    with pytest.raises(ValueError, match="not beside"):
        meeting.slide(3)
    yield from ("3 down and 2 right", "2 left, then 3 up")


def greedy_path(code):
    assert (length(code, "greedy", "manhattan"), length(code)) == (53, 11)
    yield "53 moves, and 11 are"


def no_reopening(code):
    own = "=manhattan * (manhattan % 3 > 0)"
    puzzle = parse_puzzle(code)
    found = check(own, puzzle.goal)
    assert (found.admissible, found.consistent) == (True, False)
    _, goal, _, cols = cells(code)

    def h(state):
        value = oracle.manhattan(state, goal, cols)
        return value if value % 3 else 0

    kept, reopened = (mistakes.astar(*cells(code), h, reopen=one).length for one in (False, True))
    assert (kept, reopened, length(code, "astar", own), length(code)) == (13, 11, 11, 11)
    yield from ("returns 13 moves", "the shortest, 11")


def counted_otherwise(code):
    result = solve(parse_puzzle(code), "astar", "manhattan")
    events = search(parse_puzzle(code), "astar", "manhattan", trace=100)
    reached = record(parse_puzzle(code), find_algorithm("astar"), events).steps[-1].kept
    assert (reached, result.expanded, result.generated) == (6, 2, 7)
    yield from ("“6 nodes processed”", "Expanded were 2", "Generated were 7")


def weighted_path(code):
    assert (length(code, "wastar", "manhattan", weight=2), length(code)) == (11, 9)
    yield from ("w = 2", "11 moves, and 9 are", "2 × 9 = 18")


def step_of_one(code):
    assert mistakes.ida_star(*cells(code)) == (3, 12)
    assert expanded(code, "idastar", "manhattan") == 12
    assert mistakes.ida_star(*cells(code), step=1) == (5, 16)
    events = search(parse_puzzle(code), "idastar", "manhattan", trace=100)
    trace = record(parse_puzzle(code), find_algorithm("idastar"), events)
    assert [one.limit for one in trace.iterations] == [4, 6, 8]
    yield from ("4, 6 and 8", "5 searches instead of 3", "16 expansions instead of 12")


def straight_back(code):
    assert mistakes.ida_star(*cells(code), back=True)[1] == 19
    yield "19 expansions here instead of 12"


def nothing_stored(code):
    with pytest.raises(mistakes.TooMuch):
        mistakes.rbfs(*cells(code), stored=False)
    assert mistakes.rbfs(*cells(code)) == length(code) == 7
    assert expanded(code, "rbfs", "manhattan") == 11
    example = "2.3.0-1.4.6-7.5.8"
    assert mistakes.rbfs(*cells(example), stored=False) == 6
    yield from ("7 moves from the goal", "100,000 expansions, where 11 are")


def first_limit(code):
    start, goal, _, cols = cells(code)
    assert oracle.manhattan(start, goal, cols) == 5
    assert mistakes.rbfs(*cells(code), limit=5) is None
    assert length(code) == 7
    yield from ("which is 5 here", "7 moves do it")


def misplaced_with_blank(code):
    assert excess("=misplaced_with_blank", code) == (2, 1)
    yield from ("One move", "says 2")


def manhattan_with_blank(code):
    assert excess("=manhattan_with_blank", code) == (2, 1)
    yield from ("One move", "h is 2")


def last_tile(code):
    own = "=manhattan_without_last"
    puzzle, other = parse_puzzle(code), "7.5.4-0.3.2-8.1.6"
    assert solve_h(own, puzzle) == 0
    assert check(own, puzzle.goal).admissible
    assert length(other) == 17
    assert (expanded(other, "astar", own), expanded(other, "astar", "manhattan")) == (80, 69)
    yield from ("h of this board is 0", "17 moves", "80 nodes instead of 69")


def wrong_goal(code):
    assert excess("=manhattan_wrong_goal", code) == (12, 0)
    yield "12 where 0 moves"


def pairs(code):
    assert excess("=manhattan + conflict_pairs", code) == (28, 26)
    found = check("=manhattan + conflict_pairs", parse_puzzle(code).goal)
    assert (found.above, found.boards) == (7, 181_440)
    yield from ("h = 28; 26 moves", "7 of 181,440")
    assert oracle.fewest_removals([2, 1, 0]) == 2
    yield "4 moves, not 6"


def counted_twice(code):
    assert excess("=manhattan + misplaced", code) == (2, 1)
    yield "their sum is 2"


def other_goal(code):
    puzzle = parse_puzzle(code)
    standard = parse_board("1.2.3-4.5.6-7.8.0")
    assert exact_table(puzzle.goal).distance(puzzle.start) == 26
    assert exact_table(standard).distance(puzzle.start) == 20
    yield from ("26 moves from 0, 1, 2", "20 from 1, 2, 3")


def adjacent_pairs(code):
    puzzle, other = parse_puzzle(code), parse_puzzle("3.2.1-4.5.6-7.8.0")
    assert not mistakes.adjacent_parity(puzzle.start.cells)
    assert (length(code), puzzle.parity.inversions) == (1, 2)
    assert mistakes.adjacent_parity(other.start.cells)
    assert (other.solvable, other.parity.inversions) == (False, 3)
    yield from ("one move solves it", "two inversions", "it has 3 inversions")


def one_goal(code):
    puzzle = parse_puzzle(code)
    assert not mistakes.standard_parity(puzzle.start.cells)
    standard = parse_puzzle(str(puzzle.start))
    assert (standard.parity.inversions, puzzle.goal_name, length(code)) == (11, "spiral", 5)
    first = parse_puzzle(
        "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0_0.1.2.3-4.5.6.7-8.9.10.11-12.13.14.15"
    )
    assert not first.solvable
    yield from ("has 11", "5 moves reach it")


def early_test_of_astar(code):
    yield from early_goal_figures(code)


def early_goal_figures(code):
    assert mistakes.dearest_tiles(*cells(code), early=True) == 46
    assert mistakes.dearest_tiles(*cells(code), early=False) == 44
    yield "46 instead of 44"


MISTAKES = {
    "puzzle": {"adjacent-pairs": adjacent_pairs, "one-goal": one_goal},
    "bfs": {"no-reached": no_reached, "early-test": early_test_of_bfs},
    "ucs": {"early-goal": early_goal},
    "dfs": {"no-limit": no_limit, "recursion": recursion, "reached-in-limit": reached_in_limit},
    "iddfs": {"visited-kept": visited_kept, "cut-off": cut_off},
    "bidirectional": {"not-turned": not_turned},
    "greedy": {"taken-for-shortest": greedy_path},
    "astar": {
        "no-reopening": no_reopening,
        "early-test": early_test_of_astar,
        "counted-otherwise": counted_otherwise,
    },
    "wastar": {"taken-for-shortest": weighted_path},
    "idastar": {"step-of-one": step_of_one, "straight-back": straight_back},
    "rbfs": {"nothing-stored": nothing_stored, "first-limit": first_limit},
    "misplaced": {"blank-counted": misplaced_with_blank},
    "manhattan": {
        "blank-counted": manhattan_with_blank,
        "last-tile": last_tile,
        "wrong-goal": wrong_goal,
    },
    "linear-conflict": {"pairs": pairs},
    "pdb": {"counted-twice": counted_twice},
    "exact": {"other-goal": other_goal},
}
"""Each mistake that a page tells of, and the proof that it is as the page says."""


@pytest.mark.parametrize("key", PAGES)
def test_the_mistakes_are_as_told(client, key):
    page = get(client, f"/{key}")
    shown = {
        one["id"].removeprefix("mistake-"): one
        for one in page.all("article")
        if "mistake" in one.classes
    }
    assert shown.keys() == MISTAKES.get(key, {}).keys()
    for name, prove in MISTAKES.get(key, {}).items():
        links = [link["href"] for link in shown[name].all("a") if link["href"].startswith("/play/")]
        code = links[-1].removeprefix("/play/")
        for words in prove(code):
            assert words in shown[name].text.replace(" ,", ",").replace(" .", "."), words


# The puzzle in figures


def test_the_records_are_the_farthest_of_all_goals():
    for (rows, cols), record_moves in RECORDS.items():
        if rows * cols > 9:
            continue  # see below
        farthest = set()
        for blank in range(rows * cols):
            tiles = list(range(1, rows * cols))
            board = parse_board(_code([*tiles[:blank], 0, *tiles[blank:]], cols))
            farthest.add(exact_table(board).diameter)
        assert max(farthest) == record_moves


def test_the_records_of_ten_cells():
    assert (
        max(
            exact_table(parse_board(code)).diameter
            for code in ("1.2.3.4.5-6.7.8.9.0", "1.2.0.3.4-5.6.7.8.9")
        )
        == RECORDS[2, 5]
    )
    assert RECORDS[2, 5] == RECORDS[5, 2]


def _code(tiles, cols):
    return "-".join(
        ".".join(map(str, tiles[row : row + cols])) for row in range(0, len(tiles), cols)
    )


def test_the_table_of_sizes(client):
    rows = by_id(get(client, "/puzzle"), "states").all("tr")[1:]
    told = {row.all()[0].text: [one.text for one in row.all("td")] for row in rows}
    assert told["3 × 3"] == ["362,880", "181,440", "31"]
    assert told["2 × 3"] == ["720", "360", "21"]
    assert exact_table(parse_board("1.2.3-4.5.0")).boards == 360


def test_the_fourteen_fifteen_is_explained_in_numbers(client):
    puzzle = parse_puzzle("1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0")
    assert puzzle.parity.explain() in by_id(get(client, "/puzzle"), "story").text


@pytest.mark.parametrize("key", [key for key, one in algorithms().items() if is_recorded(one)])
def test_the_example_is_the_live_viewer_with_a_preset(client, key):
    page = get(client, f"/{key}")
    viewer = page.one("section", aria_label="The search as a tree")
    assert client.get(viewer["data-watch"]).get_json()["expanded"] < 80


# The challenge


def challenge(client, **query):
    return get(client, "/challenge", **query)


def test_the_challenge_says_how_far(client, helped):
    answer = by_id(challenge(client, start="8.6.7-2.5.4-3.0.1"), "answer").text
    assert "31 of 31" in answer
    assert "That is the record for 3 × 3" in answer
    assert "2 of the 181,440 boards" in answer
    assert "1 in 90,720" in answer


def test_the_challenge_takes_any_goal(client, helped):
    answer = by_id(challenge(client, start="724506831", goal="012345678"), "answer").text
    assert "26 of 31" in answer
    answer = by_id(challenge(client, start="4 5 0 1 2 3", size="2x3"), "answer").text
    assert "21 of 21" in answer


def test_the_farthest_of_a_goal_may_be_less_than_the_record(client, helped):
    goal = parse_board("1.2.3-4.0.5-6.7.8")
    start = next(iter(exact_table(goal).at(30)))
    answer = by_id(challenge(client, start=str(start), goal=str(goal)), "answer").text
    assert "30 of 31" in answer
    assert "No start is farther from this goal" in answer


def test_the_challenge_says_why_there_is_no_way(client):
    page = challenge(client, start="1.2.3-8.0.4-7.6.5")
    assert "This goal cannot be reached" in by_id(page, "answer").text
    assert "swap the tiles" in by_id(page, "answer").text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"start": "1 2 3"}, "3 cells fill no board"),
        ({"start": "1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0"}, "up to 10 cells"),
        ({"start": "<b>"}, "'<b>'"),
        ({"start": "123456780", "goal": "12340"}, "Expected 9 cells"),
    ],
)
def test_the_challenge_says_what_was_wrong_and_keeps_what_was_typed(client, query, said):
    page = challenge(client, **query)
    assert said in page.one(role="alert", class_="proof unproved").text
    assert page.one("textarea", name="start").text == query["start"]


def test_while_it_is_typed_the_answer_alone_comes(client, helped):
    response = client.get("/learn/challenge?start=123456708", headers={"HX-Request": "true"})
    page = markup.read(response)
    assert "A shortest solution has 1 move" in page.text
    assert not page.all("main")


def test_standing_counts_boards_as_far():
    table = exact_table(parse_board("1.2.3-4.5.0"))
    for distance in (0, 1, 20, 21):
        found = standing(parse_puzzle(str(next(iter(table.at(distance))))))
        values = oracle.distances((1, 2, 3, 4, 5, 0), 2, 3).values()
        assert found == (distance, 21, sum(one >= distance for one in values), 360)
    assert standing(parse_puzzle("2.1.3-4.5.0")) is None


# Lessons


def lesson(client, hidden, path="/play/2.3.0-1.4.6-7.5.8"):
    return markup.read(client.get(f"{path}?lesson={hidden}"))


def test_a_lesson_hides_what_it_says(client, at_once):
    usual = lesson(client, "")
    assert {"solver", "hint", "give-up", "to-go", "shortest"} <= set(usual.ids())
    without = lesson(client, "solver,hint,to-go")
    assert not {"solver", "hint", "give-up", "to-go", "shortest"} & set(without.ids())
    assert without.one("input", name="lesson")["value"] == "solver,hint,to-go"
    assert "hint" not in lesson(client, "hint").ids()
    assert "solver" in lesson(client, "hint").ids()


def test_clicks_stay_in_the_lesson(client, at_once):
    lesson(client, "to-go,hint")
    data = {"tile": 3, "lesson": "to-go,hint"}
    response = client.post("/play/2.3.0-1.4.6-7.5.8/slide", data=data)
    assert "lesson=hint,to-go" in response.headers["Location"].replace("%2C", ",")
    fragment = markup.read(
        client.post(
            "/play/2.3.0-1.4.6-7.5.8/slide",
            data={**data, "tile": 2},
            headers={"HX-Request": "true"},
        )
    )
    assert not {"hint", "to-go"} & set(fragment.ids())
    assert "to go" not in fragment.text
    assert "give-up" in fragment.ids()


def test_what_cannot_be_hidden_is_refused(client):
    response = client.get("/play/2.3.0-1.4.6-7.5.8?lesson=board")
    assert response.status_code == 400
    assert "lesson=solver,hint" in markup.read(response).text


def test_teachers_get_links(client):
    page = get(
        client,
        "/teachers",
        start="724506831",
        goal="012345678",
        run=["astar:manhattan", "bfs"],
        hide=["hint", "solver"],
        seed="anna",
    )
    links = {
        one.text.strip(): one.one("input")["value"] for one in by_id(page, "links").all("label")
    }
    code = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
    assert f"/play/{code}?lesson=solver" in links["Play it"].replace("%2C", ",")
    assert links["Race the searches"].endswith(f"/lab/{code}?run=astar:manhattan,bfs")
    assert "algorithm=astar" in links["Watch the first search"]
    assert "seed=anna" in links["Predict the next expansion"]
    assert "seed=anna" in links["Worksheet"]
    played = client.get(links["Play it"].removeprefix("http://localhost"))
    assert not {"hint", "solver"} & set(markup.read(played).ids())


def test_teachers_are_told_what_was_wrong(client):
    page = get(client, "/teachers", start="1 2 3 4")
    assert page.one(role="alert", class_="proof unproved")
    page = get(client, "/teachers", start="1.2.3-8.0.4-7.6.5", run=["best", "nonsense"])
    assert "cannot be reached" in by_id(page, "links").text
    labels = [one.text for one in by_id(page, "links").all("label")]
    assert not any("Watch" in label for label in labels)
