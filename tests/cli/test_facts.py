"""`slidewise facts`, run in this process."""

import json

import pytest

from slidewise import exact_table, parse_board

HARDEST = ["8.6.7-2.5.4-3.0.1", "6.4.7-8.5.0-3.2.1"]


def test_report_names_counts_and_hardest_boards(cli):
    done = cli("facts", "3x3")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:3] == [
        "Goal 1.2.3-4.5.6-7.8.0",
        "181,440 of 362,880 boards can reach it.",
        "They need 21.97 moves on average, and at most 31.",
    ]
    assert lines[-3:] == [
        "The hardest take 31 moves (2 boards):",
        *(f"  {code}" for code in HARDEST),
    ]


def test_table_has_a_bar_for_each_distance(cli):
    rows = [line.split() for line in cli("facts", "2x3").out.splitlines() if "#" in line]
    counts = exact_table(parse_board("1.2.3-4.5.0")).counts
    assert [(int(moves), int(boards)) for moves, boards, _ in rows] == list(enumerate(counts))
    bars = [len(bar) for *_, bar in rows]
    assert max(bars) == bars[counts.index(max(counts))] == 40
    assert min(bars) == 1, "even one board is seen"


def test_json_is_one_object_on_one_line(cli):
    done = cli("facts", "3x3", "--json")
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    facts = json.loads(done.out)
    assert list(facts) == [
        *("rows", "cols", "goal", "boards", "diameter", "mean", "counts", "hardest")
    ]
    assert (facts["rows"], facts["cols"], facts["goal"]) == (3, 3, "1.2.3-4.5.6-7.8.0")
    assert (facts["boards"], facts["diameter"], round(facts["mean"], 2)) == (181_440, 31, 21.97)
    assert facts["counts"][:4] == [1, 2, 4, 8]
    assert len(facts["counts"]) == 32
    assert facts["hardest"] == HARDEST


@pytest.mark.parametrize(
    ("argv", "goal", "diameter"),
    [
        (["2x4"], "1.2.3.4-5.6.7.0", 36),
        (["3x2", "--goal", "first"], "0.1-2.3-4.5", 21),
        (["--goal", "1.2.3-4.0.5-6.7.8"], "1.2.3-4.0.5-6.7.8", 30),
    ],
)
def test_any_small_size_and_goal_is_taken(cli, argv, goal, diameter):
    facts = json.loads(cli("facts", *argv, "--json").out)
    assert (facts["goal"], facts["diameter"]) == (goal, diameter)


def test_long_list_of_hardest_boards_is_cut_with_a_count(cli):
    goal = "1.2.3-4.0.5-6.7.8"
    lines = cli("facts", "--goal", goal).out.splitlines()
    table = exact_table(parse_board(goal))
    assert lines[-22] == f"The hardest take 30 moves ({table.counts[-1]} boards):"
    for line in lines[-21:-1]:
        assert table.distance(parse_board(line.strip())) == 30
    assert lines[-1] == f"  and {table.counts[-1] - 20} more"
