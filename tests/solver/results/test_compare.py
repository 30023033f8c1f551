"""`compare`: its searches, their order, and the facts of a comparison."""

import json
import math

import pytest

from slidewise import (
    Comparison,
    Limits,
    Status,
    UnknownNameError,
    algorithms,
    compare,
    heuristics,
    parse_puzzle,
    scramble,
    solve,
)
from slidewise.solver.compare import (
    COMPARE_LIMITS,
    Choice,
    default_choices,
    read_choices,
    runs_compiled,
)
from tests.solver.results.test_result import cells_of
from tests.solver.runs import timeless
from tests.web import markup

PUZZLE = parse_puzzle("2.3.0-1.4.6-7.5.8")
HARD = parse_puzzle("15.14.8.12-10.11.9.13-2.6.5.1-3.4.7.0")
TITLES = [
    "algorithm", "heuristic", "moves", "verdict", "expanded", "generated", "peak stored", "time",
]  # fmt: skip


def test_results_equal_solve_in_the_given_order():
    found = compare(PUZZLE, ["greedy:misplaced", "bfs", "astar", "bfs"])
    choices = [("greedy", "misplaced"), ("bfs",), ("astar", "manhattan"), ("bfs",)]
    assert [*map(timeless, found)] == [timeless(solve(PUZZLE, *choice)) for choice in choices]


def test_one_text_names_all_searches():
    assert [str(choice) for choice in read_choices(" bfs , astar : zero,greedy")] == [
        "bfs",
        "astar:zero",
        "greedy:manhattan",
    ]
    assert read_choices(["bfs"]) == read_choices("bfs:zero") == [Choice("bfs", None)]
    assert read_choices(map(str, read_choices("astar:zero"))) == [Choice("astar", "zero")]


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ("a*", r"no algorithm 'a\*'; the algorithms are .*astar"),
        ("bfs,", "no algorithm ''"),
        (["astar:taxi"], "no heuristic 'taxi'; the heuristics are .*zero"),
        ("astar:", "no heuristic ''"),
        ("bfs:taxi", "no heuristic 'taxi'"),
        ("astar:zero:zero", "no heuristic 'zero:zero'"),
        ("", "name the algorithms to compare, from .*astar"),
        ([], "name the algorithms to compare"),
    ],
)
def test_unknown_names_are_refused(selection, message):
    with pytest.raises(UnknownNameError, match=message):
        compare(PUZZLE, selection)


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (2, 5), (3, 4), (4, 4), (10, 10)])
def test_blind_searches_run_by_default_on_suitable_sizes(size):
    chosen = {choice.algorithm for choice in default_choices(scramble(*size, "seed"))}
    for key, entry in algorithms().items():
        suits = entry.uses_heuristic or math.prod(size) <= entry.suits
        assert (key in chosen) == (suits and not entry.local)


def test_each_default_choice_runs():
    chosen = default_choices(PUZZLE)
    for key, heuristic in chosen:
        uses = algorithms()[key].uses_heuristic
        assert heuristic in heuristics() if uses else heuristic is None
        assert not uses or Choice(key, "manhattan") in chosen
    assert read_choices(map(str, chosen)) == chosen
    found = compare(PUZZLE)
    assert found.all_solved
    assert [Choice(result.algorithm, result.heuristic) for result in found] == chosen


def test_each_search_has_the_limits():
    assert Limits(seconds=10) == COMPARE_LIMITS
    found = compare(HARD, "bfs,astar", Limits(expansions=10))
    assert [result.expanded for result in found] == [10, 10]
    assert [result.status for result in found] == [Status.CUTOFF] * 2
    assert not found.all_solved
    assert str(found).splitlines()[2].split()[:4] == ["bfs", "-", "-", "cutoff,"]


def test_cancelled_comparison_has_its_finished_results():
    choices = []

    def cancelled() -> bool:
        choices.append(True)
        return len(choices) > 1

    found = compare(HARD, "bfs,astar,greedy", Limits(expansions=2_000_000), cancelled=cancelled)
    assert [result.status for result in found] == [Status.CANCELLED]


def test_comparison_is_a_sequence():
    found = compare(PUZZLE, "bfs,greedy,astar")
    assert isinstance(found, Comparison)
    assert [result.algorithm for result in found] == ["bfs", "greedy", "astar"]
    assert [*found[1:], found[-1]] == [found[1], found[2], found[2]]
    assert found.puzzle == PUZZLE


def test_notebook_table_has_a_row_for_each_search():
    found = compare(PUZZLE, "bfs,astar")
    page = markup.read(found._repr_html_())
    cells = cells_of(page)
    assert cells[:9] == [f"Puzzle {PUZZLE}", *TITLES]
    assert cells[9:13] == ["bfs", "-", "6", "optimal"]
    assert len(page.all("tr")) == 3
    assert not any(one.attrs for one in page.inside)


def test_json_has_the_results():
    found = compare(PUZZLE, "bfs,astar")
    data = json.loads(json.dumps(found.as_json()))
    results = [result.as_json() for result in found]
    assert data == {"puzzle": str(PUZZLE), "plain": [], "results": results}


def test_searches_under_a_convention_are_named_as_plain():
    chosen = "bfs,dfs,idastar,astar:=2*manhattan,best"
    found = compare(PUZZLE, chosen, Limits(expansions=100), convention="princeton")
    assert found.plain == ["bfs", "dfs", "astar:=2 * manhattan"]
    assert found.form.endswith("bfs, dfs, astar:=2 * manhattan.")


def test_own_searches_are_compiled_unless_local():
    chosen = [*default_choices(PUZZLE), *default_choices(HARD), Choice("dfs", None)]
    assert all(runs_compiled(*choice) for choice in chosen)
    assert not runs_compiled("hill-climbing", "manhattan")
    assert compare(PUZZLE, "dfs,astar").form == "All searches are compiled."


def test_search_with_a_function_of_the_caller_is_plain():
    own = (
        solve(PUZZLE, "astar", lambda puzzle: 0),
        solve(PUZZLE, lambda puzzle: solve(puzzle).moves),
    )
    found = Comparison(PUZZLE, (*own, solve(PUZZLE, "bfs")))
    assert found.plain == [str(Choice(one.algorithm, one.heuristic)) for one in own]


def test_cancelled_comparison_ends_after_a_solution():
    solve(HARD, limits=Limits(expansions=1))  # so that nothing is compiled below
    (result,) = compare(HARD, "best,bfs", cancelled=lambda: True)
    assert (result.algorithm, result.status) == ("best", Status.SOLVED)
