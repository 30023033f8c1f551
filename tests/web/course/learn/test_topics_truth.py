"""Statements of the lessons on counts, bounds and watched searches, compared with real searches."""

import itertools
import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from slidewise import (
    Limits,
    Proof,
    Status,
    find_algorithm,
    find_heuristic,
    parse_board,
    parse_puzzle,
    solve,
)
from slidewise.course.searching import RECORDED_EXPANSIONS
from slidewise.course.searching.explanation import check
from tests.each import each
from tests.solver import oracle
from tests.solver.patterns import fewest_moves, neighbours
from tests.web.course.learn.learning import PAGES, get, recorded
from webapp.course.learn.topics import facts

SMALL = "1.5.2-0.4.3"
"""The board of the guides to the uninformed searches."""


@pytest.mark.parametrize("key", PAGES)
def test_watched_search_done_right_is_optimal(client, key):
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


def fewest_moves_alone(homes):
    """Return the fewest moves of tiles that are alone on a 3x3 board, by their cells."""
    fewest, waiting = {homes: 0}, [homes]
    for places in waiting:
        for place, cell in enumerate(places):
            for other in neighbours(3, 3, cell):
                after = (*places[:place], other, *places[place + 1 :])
                if other not in places and after not in fewest:
                    fewest[after] = fewest[places] + 1
                    waiting.append(after)
    return fewest


def table_of(fewest):
    """Return the fewest moves as a table whose index has the cells as digits in base 9."""
    size = len(next(iter(fewest)))
    table = np.full(9**size, 99)
    for places, moves in fewest.items():
        table[sum(place * 9**digit for digit, place in enumerate(places))] = moves
    return table


def test_mean_of_pattern_databases_is_as_stated(client):
    """Also without the tiles of the other groups on the board."""
    goal = parse_board("1.2.3-4.5.6-7.8.0")
    views = find_heuristic("pdb").build(goal).patterns.groups_of(goal)
    places = np.array(list(itertools.permutations(range(9))))  # of the blank, 1, 2, 3 ...
    odd = sum(places[:, a] > places[:, b] for a in range(9) for b in range(a + 1, 9)) % 2
    blank_odd = (places[:, 0] // 3 + places[:, 0] % 3) % 2
    places = places[odd == blank_odd]
    assert len(places) == 181_440

    def mean(fewest):
        """Return the mean of the larger of the two views, each the sum of its groups."""
        sums = [0, 0]
        for number, view in enumerate(views):
            for group in view:
                table = table_of(fewest(tuple(tile - 1 for tile in group.tiles)))
                index = places[:, list(group.tiles)] @ 9 ** np.arange(len(group.tiles))
                sums[number] = sums[number] + table[index]
        return np.maximum(*sums).mean()

    means = mean(lambda homes: fewest_moves(3, 3, homes, 8)), mean(fewest_moves_alone)
    assert [round(mean, 2) for mean in means] == [19.18, 15.63]
    found = check("pdb", goal)
    assert means[0] == pytest.approx(found.mean_h)
    words = get(client, "/pdb").text
    for number in (*means, found.mean_distance):
        assert f"{number:.2f}" in words


def paths(rows, cols, most):
    """Return the number of paths of each length that never go straight back."""
    ends = {(cell, None): 1 for cell in range(rows * cols)}
    counts = []
    for _ in range(most):
        after = {}
        for (cell, before), count in ends.items():
            board = tuple(0 if here == cell else here + 1 for here in range(rows * cols))
            for new in oracle.successors(board, rows, cols):
                if (there := new.index(0)) != before:
                    after[there, cell] = after.get((there, cell), 0) + count
        ends = after
        counts.append(sum(ends.values()))
    return counts


def test_growth_of_paths_from_limit_to_limit_is_as_stated(client):
    words = get(client, "/iddfs").one("section", aria_labelledby="words-title").text
    for rows, cols, times, together in ((3, 3, 1.7, 1.4), (4, 4, 2.1, 0.9)):
        counts = paths(rows, cols, 30)
        assert round((counts[-1] / counts[-3]) ** 0.5, 1) == times
        assert round(sum(counts[:-1]) / counts[-1], 1) == together
        assert re.search(rf"{times} times (as many )?on {rows} × {cols}", words)
        assert re.search(rf"{together} times (as much )?on {rows} × {cols}", words)


def test_late_goal_test_generates_nodes_beyond_the_goal(client):
    """Nodes d + 1 moves away are generated if the goal is d moves away."""
    for key in ("bfs", "ucs"):
        recording = recorded(SMALL, key)
        assert max(node.g for node in recording.nodes) == recording.result.length + 1
        assert facts(find_algorithm(key))["Time"] == "O(b^(d+1))"
        assert "nodes d + 1 moves away may have been generated" in get(client, f"/{key}").text
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
def test_completeness_needs_the_reached_boards(client, key):
    told = facts(find_algorithm(key))["Complete"]
    assert told.startswith(
        "Yes, because the number of boards is finite and reached boards are stored"
    )
    assert told in get(client, f"/{key}").one(id="facts").text


def test_depth_first_paths_on_3x3_are_as_long_as_stated():
    assert "on 3x3, tens of thousands of moves" in find_algorithm("dfs").idea
    assert solve(parse_puzzle("1.2.3-4.5.6-0.7.8"), "dfs").length > 10_000
    for code in SMALL, "4.5.0-1.2.3":  # 2x3 has no more boards
        assert solve(parse_puzzle(code), "dfs").length < 360


@each("key", PAGES)
def test_no_line_of_pseudocode_is_empty(client, key):
    for code in get(client, f"/{key}").all("ol"):
        if "code" in code.classes:
            assert all(line.text.strip() for line in code.all("li"))


def test_answer_of_the_challenge_has_a_link(client):
    page = get(client, "/challenge", start="867254301", goal="")
    link = next(one for one in page.one(id="answer").all("a") if "Link" in one.text)
    assert "867" not in link["href"]
    again = get(client, link["href"].removeprefix("/learn"))
    assert again.one(id="answer").text == page.one(id="answer").text
