"""Expansions by distance, compared with the single events."""

from collections import Counter

from slidewise import Limits, exact_table, parse_board, parse_puzzle, search
from slidewise.course import space
from slidewise.course.space import expanded_by_distance, space_facts
from slidewise.solver.compare import Choice, read_choices
from slidewise.solver.events import Expanded
from tests.boards import HARDEST
from tests.each import each

SEARCHES = read_choices(
    "bfs,dfs,ucs,iddfs,bidirectional,greedy,astar,wastar,idastar,rbfs,"
    "greedy:misplaced,astar:linear-conflict,idastar:misplaced,rbfs:misplaced"
)
CODES = [HARDEST, "1.2.5-3.4.0-6.7.8_0.1.2-3.4.5-6.7.8", "1.3.0-4.2.6-7.5.8", "1.0.3-4.2.5"]


@each("code", CODES)
@each("choice", SEARCHES)
@each("limit", [77, 600])
def test_expansions_by_distance_are_those_of_the_events(choice, code, limit, monkeypatch):
    monkeypatch.setattr(space, "MAX_EXPANSIONS", limit)
    puzzle = parse_puzzle(code)
    *events, end = search(puzzle, *choice, Limits(expansions=limit), trace=limit)
    table = exact_table(puzzle.goal)
    counted = Counter(table.distance(one.board) for one in events if isinstance(one, Expanded))
    found = expanded_by_distance(puzzle, choice)
    assert {at: count for at, count in enumerate(found.by_distance) if count} == counted
    assert (found.expanded, found.length) == (end.result.expanded, end.result.length)


def test_start_at_the_goal_expands_nothing():
    found = expanded_by_distance(parse_puzzle("1.2.3-4.5.6-7.8.0"), Choice("bfs", None))
    assert (found.expanded, found.length) == (0, 0)


def test_unreachable_board_has_no_way_in_facts():
    facts = space_facts(parse_puzzle(CODES[1]), [], parse_board("2.1.0-3.4.5-6.7.8"))
    assert facts.tiles is None
    assert sum(facts.boards) == 181_440
