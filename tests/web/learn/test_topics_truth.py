"""What the lessons say of counts, bounds and watched searches, held against searches that run."""

from __future__ import annotations

import itertools
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from slidewise import Limits, Proof, Status, find_algorithm, parse_puzzle, solve
from tests.each import each
from tests.solver import oracle
from tests.web import markup
from tests.web.learn.learning import PAGES, get, recorded
from webapp.lab.recordings import RECORDED_EXPANSIONS
from webapp.learn.topics import facts

SMALL = "1.5.2-0.4.3"
"""The board of the guides to the uninformed searches."""


@pytest.mark.parametrize("key", PAGES)
def test_what_is_watched_done_right_is_right(client, key):
    for link in get(client, f"/{key}").all("a"):
        if not link.text.startswith("Watch it done right"):
            continue
        path, query = urlsplit(link["href"])[2:4]
        chosen = {name: values[0] for name, values in parse_qs(query).items()}
        depth = int(chosen["depth"]) if "depth" in chosen else None
        entry = find_algorithm(chosen["algorithm"])
        heuristic = chosen.get("heuristic", "manhattan") if entry.uses_heuristic else None
        puzzle = parse_puzzle(path.split("/")[2])
        result = solve(puzzle, entry.key, heuristic, Limits(depth=depth))
        assert result.status is Status.SOLVED
        assert result.verdict.kind is Proof.OPTIMAL or result.length == depth
        assert result.expanded <= RECORDED_EXPANSIONS, "the viewer shows all of it"


def test_what_the_limits_of_iterative_deepening_cost(client):
    recording = recorded(SMALL, "iddfs")
    firsts = [max(one.first, 1) for one in recording.iterations] + [recording.expansions + 1]
    costs = [after - first for first, after in itertools.pairwise(firsts)]
    assert costs == [0, 1, 3, 6, 9]
    assert "costs nearly as much as all before it together" in get(client, "/iddfs").text


def paths(rows, cols, most):
    """Return how many paths there are of each length, none of which goes straight back."""
    ends = {(cell, None): 1 for cell in range(rows * cols)}
    counts = []
    for _ in range(most):
        after = {}
        for (cell, before), ways in ends.items():
            board = tuple(0 if here == cell else here + 1 for here in range(rows * cols))
            for new in oracle.successors(board, rows, cols):
                if (there := new.index(0)) != before:
                    after[there, cell] = after.get((there, cell), 0) + ways
        ends = after
        counts.append(sum(ends.values()))
    return counts


def test_how_paths_multiply_from_limit_to_limit(client):
    words = get(client, "/iddfs").one("section", aria_labelledby="words-title").text
    for rows, cols, times, together in ((3, 3, 1.7, 1.4), (4, 4, 2.1, 0.9)):
        counts = paths(rows, cols, 30)
        assert round((counts[-1] / counts[-3]) ** 0.5, 1) == times
        assert round(sum(counts[:-1]) / counts[-1], 1) == together
        assert re.search(rf"{times} times (as many )?on {rows} × {cols}", words)
        assert re.search(rf"{together} times (as much )?on {rows} × {cols}", words)


def test_a_late_test_for_the_goal_makes_nodes_beyond_it(client):
    """Nodes d + 1 moves away are made, where the goal is d moves away."""
    for key in ("bfs", "ucs"):
        recording = recorded(SMALL, key)
        assert max(node.g for node in recording.nodes) == recording.result.length + 1
        assert facts(find_algorithm(key))["Time"] == "O(b^(d+1))"
        assert "nodes d + 1 moves away may have been made" in get(client, f"/{key}").text
    recording = recorded(SMALL, "iddfs")
    assert max(node.g for node in recording.nodes) == recording.result.length
    assert "d + 1" not in get(client, "/iddfs").one(id="facts").text


def test_weighted_astar_may_go_deeper_than_the_shortest_solution():
    code, weight = "2.5.0-1.3.4", 2
    recording = recorded(code, "wastar", "manhattan", weight)
    deepest = max(recording.nodes[step.node].g for step in recording.steps)
    shortest = solve(parse_puzzle(code), "bfs").length
    assert shortest < deepest <= weight * shortest


@pytest.mark.parametrize("key", ["dfs", "greedy"])
def test_complete_only_because_boards_reached_are_remembered(client, key):
    told = facts(find_algorithm(key))["Complete"]
    assert told.startswith("Yes, as the boards are finitely many and those reached are remembered")
    assert told in get(client, f"/{key}").one(id="facts").text


def test_on_three_by_three_depth_first_paths_are_that_long():
    assert "on 3x3, tens of thousands of moves" in find_algorithm("dfs").idea
    assert solve(parse_puzzle("1.2.3-4.5.6-0.7.8"), "dfs").length > 10_000
    for code in SMALL, "4.5.0-1.2.3":  # of 2x3: there are no more boards to pass
        assert solve(parse_puzzle(code), "dfs").length < 360


@pytest.mark.parametrize("key", ["iddfs", "idastar", "rbfs"])
def test_parity_comes_before_a_search_that_would_not_end(client, key):
    unsolvable = "2.1-3.0"
    heuristic = "manhattan" if find_algorithm(key).uses_heuristic else None
    result = solve(parse_puzzle(unsolvable), key, heuristic)
    assert (result.status, result.expanded) == (Status.UNSOLVABLE, 0)
    code = get(client, f"/{key}").one("ol", class_="code").all("li")
    assert "parity" in code[0].text
    assert all("no solution" not in line.text for line in code[1:])


def test_the_tree_has_no_end_where_only_straight_back_moves_are_left_out():
    assert min(paths(2, 2, 60)) > 0


def test_a_start_that_is_the_goal_needs_no_meeting(client):
    result = solve(parse_puzzle("1.2.3-4.5.0"), "bidirectional")
    assert (result.length, result.expanded) == (0, 0)
    code = get(client, "/bidirectional").one("ol", class_="code").all("li")
    assert code[0].text == "if start is goal: return a path of no moves"


@each("key", PAGES)
def test_no_line_of_pseudocode_is_empty(client, key):
    for code in get(client, f"/{key}").all("ol"):
        if "code" in code.classes:
            assert all(line.text.strip() for line in code.all("li"))


def test_the_first_lesson_leads_from_step_to_step(client):
    path = get(client).one("section", aria_labelledby="path-title")
    listed = [link["href"] for link in path.all("a")]
    assert len(listed) == 6
    for number, (here, after) in enumerate(itertools.pairwise(listed), 1):
        step = markup.read(client.get(here)).one("p", class_="row course")
        assert step.text.startswith(f"Step {number} of 6")
        assert step.one("a")["href"] == after


def test_other_lessons_are_no_steps_of_it(client):
    assert not get(client, "/ucs").all("p", class_="row course")


def test_an_answer_of_the_challenge_has_a_link(client):
    page = get(client, "/challenge", start="867254301", goal="")
    link = next(one for one in page.one(id="answer").all("a") if "Link" in one.text)
    assert "867" not in link["href"]
    again = get(client, link["href"].removeprefix("/learn"))
    assert again.one(id="answer").text == page.one(id="answer").text
