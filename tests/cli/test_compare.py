"""`slidewise compare`, run in this process."""

import csv
import io
import json

from slidewise import Limits, algorithms, parse_puzzle, solve
from slidewise.solver.compare import default_choices
from tests.boards import FOUR_FAR, SIX_MOVES, TEXTBOOK, TWENTY_MOVES, UNSOLVABLE
from tests.cli.commands import RESULT_FIELDS


def test_table_has_a_row_for_each_search(cli):
    done = cli(
        "compare", TWENTY_MOVES, "--goal", "first", "--algorithms", "bfs,greedy,astar:misplaced"
    )
    assert (done.code, done.err) == (0, "")
    puzzle, titles, rule, *rows, form = done.out.splitlines()
    assert form == "All searches are compiled."
    assert puzzle == f"Puzzle {TEXTBOOK}"
    assert titles.split() == [
        "algorithm", "heuristic", "moves", "verdict", "expanded", "generated", "peak", "stored",
        "time",
    ]  # fmt: skip
    assert set(rule) == {"-", " "}
    assert [row.split()[:2] for row in rows] == [
        ["bfs", "-"],
        ["greedy", "manhattan"],
        ["astar", "misplaced"],
    ]
    assert rows[0].split()[2:4] == ["26", "optimal"]
    assert " 30 above the shortest " in rows[1]
    for row in rows:
        algorithm, heuristic = row.split()[:2]
        result = solve(parse_puzzle(TEXTBOOK), algorithm, heuristic.replace("-", "zero"))
        counts = result.expanded, result.generated, result.peak_stored
        assert row.split()[-5:-2] == [f"{count:,}" for count in counts]


def test_repeated_option_adds_searches(cli):
    done = cli("compare", SIX_MOVES, "--algorithms", "bfs", "--algorithms", "astar,bfs", "--json")
    results = json.loads(done.out)["results"]
    assert [result["algorithm"] for result in results] == ["bfs", "astar", "bfs"]


def test_json_is_one_object_on_one_line(cli):
    done = cli("compare", TEXTBOOK, "--algorithms", "bfs,greedy:misplaced", "--json")
    assert (done.code, done.err, done.out.count("\n")) == (0, "", 1)
    data = json.loads(done.out)
    assert list(data) == ["puzzle", "plain", "results"]
    assert data["puzzle"] == TEXTBOOK
    assert [list(result) for result in data["results"]] == [RESULT_FIELDS, RESULT_FIELDS]
    assert data["results"][0]["length"] == 26
    assert data["results"][1]["heuristic"] == "misplaced"


def test_csv_has_a_header_and_a_line_for_each_search(cli):
    done = cli("compare", TEXTBOOK, "--algorithms", "bfs,greedy:misplaced", "--csv")
    assert (done.code, done.err) == (0, "")
    bfs, greedy = csv.DictReader(io.StringIO(done.out))
    assert list(bfs) == [key for key in RESULT_FIELDS if key not in ("moves", "tiles")]
    assert (bfs["puzzle"], bfs["algorithm"], bfs["heuristic"]) == (TEXTBOOK, "bfs", "")
    assert (bfs["length"], bfs["verdict"], bfs["status"]) == ("26", "optimal", "solved")
    assert (greedy["heuristic"], greedy["verdict"], greedy["lower_bound"]) == (
        "misplaced",
        "bounded",
        "26",
    )
    assert int(greedy["expanded"]) == solve(parse_puzzle(TEXTBOOK), "greedy", "misplaced").expanded


def test_csv_without_a_path_has_empty_cells(cli):
    done = cli("compare", UNSOLVABLE, "--algorithms", "bfs", "--csv")
    [row] = csv.DictReader(io.StringIO(done.out))
    assert done.code == 1
    assert (row["status"], row["length"], row["lower_bound"]) == ("unsolvable", "", "")
    assert row["reason"] == parse_puzzle(UNSOLVABLE).parity.explain()


def test_default_runs_all_suitable_searches(cli):
    results = json.loads(cli("compare", SIX_MOVES, "--json").out)["results"]
    chosen = default_choices(parse_puzzle(SIX_MOVES))
    assert [(result["algorithm"], result["heuristic"]) for result in results] == chosen
    usual = {key for key, entry in algorithms().items() if not entry.local}
    assert {result["algorithm"] for result in results} == usual


def test_stopped_search_has_a_reason_and_the_others_continue(cli):
    done = cli("compare", FOUR_FAR, "--algorithms", "astar,greedy", "--seconds", "0.05")
    lines = done.out.splitlines()
    assert done.code == 1
    assert lines[3].split()[:5] == ["astar", "manhattan", "-", "cutoff,", "at"]
    assert lines[4].split()[0] == "greedy"
    assert lines[4].split()[3] == "unproved"
    assert lines[6].startswith("astar:manhattan: stopped after 0.05 s; the shortest has at least")


def test_unreachable_goal_is_explained_once(cli):
    done = cli("compare", UNSOLVABLE, "--algorithms", "bfs,astar")
    assert done.code == 1
    assert done.out.count("unsolvable") == 2
    assert done.out.count(parse_puzzle(UNSOLVABLE).parity.explain()) == 1


def test_default_limit_is_ten_seconds_each(cli, monkeypatch):
    given = []

    def run(spec, interrupted, title):
        given.append(spec.limits)
        return solve(spec.puzzle, spec.algorithm, spec.heuristic)

    monkeypatch.setattr("slidewise.cli.compare.run_with_progress", run)
    assert cli("compare", SIX_MOVES, "--algorithms", "bfs,astar").code == 0
    assert given == [Limits(seconds=10)] * 2


def test_minus_and_size_are_read_as_in_solve(cli):
    out = cli("compare", "-", "--size", "2x3", "--algorithms", "bfs", stdin="1 0 3 4 2 5").out
    assert out.startswith("Puzzle 1.0.3-4.2.5\n")


def test_convention_applies_to_the_searches_that_it_covers(cli):
    options = "--convention", "columbia", "--order", "rlud"
    run = cli("compare", "1.0.3-4.2.5", "--algorithms", "bfs,idastar", *options)
    assert run.out.endswith("Under ColumbiaX with order=rlud: bfs.\n")
    run = cli("compare", "1.0.3-4.2.5", "--algorithms", "bfs,idastar", *options, "--csv")
    rows = csv.DictReader(io.StringIO(run.out))
    assert [row["convention"] for row in rows] == ["columbia,order=rlud", "slidewise"]
