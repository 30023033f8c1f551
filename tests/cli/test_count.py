"""`slidewise count` and `slidewise slides`, run in this process."""

import json

HARDEST = "8.6.7-2.5.4-3.0.1"
UNSOLVABLE = "2.1.3-4.5.6-7.8.0"


def test_shortest_solutions_are_counted_with_forced_moves(cli):
    done = cli("count", HARDEST)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[1] == "40 shortest solutions of 31 moves, on 527 boards."
    assert lines[2] == (
        f"In the solution below, {done.out.count('only move')} of 31 moves are forced."
    )
    assert len(lines) == 6 + 31
    assert lines[6].split("  ", 3)[-1].endswith("tile 5 (5), tile 3 (6)")


def test_given_solution_is_compared(cli):
    done = cli("count", "1.2.3-4.5.6-7.0.8", "--moves", "L")
    assert done.out.splitlines()[-1].split() == ["1", "8", "1", "only", "move"]
    refused = cli("count", "1.2.3-4.5.6-7.0.8", "--moves", "RLL")
    assert refused.code == 2
    assert "not a shortest solution, which ends at the goal after 1 move" in refused.err


def test_fewest_slides_are_shown(cli):
    done = cli("slides", "1.2.3-4.5.6-0.7.8")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1:] == [
        "Solved in 1 slide, which are 2 moves of single tiles.",
        "Last tile of each slide: 8",
        "Tile directions:         L2",
        "Verdict: proved fewest: read from the table of all boards.",
    ]


def test_json_is_one_object_on_one_line(cli):
    counted = cli("count", HARDEST, "--json")
    assert counted.out.count("\n") == 1
    count = json.loads(counted.out)
    assert (count["length"], count["count"], len(count["steps"])) == (31, 40, 31)
    slid = json.loads(cli("slides", HARDEST, "--json").out)
    assert (slid["slides"], slid["lower_bound"], slid["proved"]) == (20, 20, True)


def test_unsolvable_puzzle_is_explained(cli):
    for command in "count", "slides":
        done = cli(command, UNSOLVABLE)
        assert done.code == 1
        assert "parity proves it" in done.out


def test_limit_ends_the_slide_search_on_4x4(cli):
    far = "14.13.15.7-11.12.9.5-6.0.2.1-4.8.10.3"
    done = cli("slides", far, "--goal", "first", "--seconds", "0.5")
    assert (done.code, done.err) == (0, "")
    assert "Verdict: each solution has at least" in done.out
    assert done.out.endswith("Known: stopped after 0.5 s.\n")
