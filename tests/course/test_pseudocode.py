"""The pseudocode of each recorded search has the lines of an expansion."""

import itertools

import pytest

from slidewise import algorithms, find_algorithm
from slidewise.course.searching import is_recorded
from slidewise.course.searching.recording import pseudocode

RECORDED = [entry for entry in algorithms().values() if is_recorded(entry)]


@pytest.mark.parametrize("entry", RECORDED, ids=lambda entry: entry.key)
def test_each_part_of_an_expansion_has_one_line(entry):
    lines = pseudocode(entry)
    parts = [line.part for line in lines if line.part]
    assert len(set(parts)) == len(parts)
    order = [part for part in parts if part in {"start", "take", "each", "keep", "rank", "put"}]
    assert order == sorted(order, key=["start", "take", "each", "keep", "rank", "put"].index)
    assert {"start", "take", "each", "keep", "put"} <= set(parts)
    assert ("goal" in parts) != ("meet" in parts)
    assert all(line.words.count("**") % 2 == 0 for line in lines)
    assert lines[0].indent == 0
    pairs = itertools.pairwise(lines)
    assert all(after.indent <= before.indent + 1 for before, after in pairs)


def test_convention_has_its_own_goal_tests():
    entry = find_algorithm("astar")
    words = [line.words for line in pseudocode(entry, "columbia")]
    assert "**if** s was not made before" in words
    made = [line.words for line in pseudocode(find_algorithm("bfs"), "slidewise,goal=made")]
    assert "**if** n is the goal, **return** its path" not in made
    assert "**if** s is the goal, **return** its path" in made


def test_pseudocode_names_the_first_node_of_each_queue():
    taken = {
        entry.key: next(line.words for line in pseudocode(entry) if line.part == "take")
        for entry in RECORDED
    }
    assert taken["bfs"] == "n ← **take** the oldest"
    assert taken["dfs"] == "n ← **take** the deepest"
    assert taken["ucs"] == "n ← **take** the lowest g"
    assert taken["greedy"] == "n ← **take** the lowest h"
    assert taken["astar"] == taken["wastar"] == "n ← **take** the lowest f"
