"""The mistakes that the pages to learn from warn of, each shown failing on its board."""

from __future__ import annotations

import itertools

import pytest

from slidewise import exact_table, find_heuristic, parse_board, parse_puzzle, solve
from slidewise.puzzle.moves import play
from slidewise.study.checks import check
from tests.boards import KORF_GOAL
from tests.solver import mistakes, oracle
from tests.web.learn.learning import PAGES, expanded, get, recorded


def cells(code):
    puzzle = parse_puzzle(code)
    return puzzle.start.cells, puzzle.goal.cells, puzzle.rows, puzzle.cols


def solve_h(expression, puzzle):
    return find_heuristic(expression).value(puzzle.start, puzzle.goal)


def exceeds(expression, h, distance, *words):
    """Return the proof that a heuristic is not admissible: its value and the true distance."""

    def prove(code):
        puzzle = parse_puzzle(code)
        assert solve_h(expression, puzzle) == h
        assert exact_table(puzzle.goal).distance(puzzle.start) == distance
        yield from words

    return prove


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
    yield from ("46", "44")


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
    assert puzzle.goal.source("D") is not None
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
    trace = recorded(code, "astar", "manhattan")
    counts = trace.steps[-1].in_memory, trace.result.expanded, trace.result.generated
    assert counts == (6, 2, 7)
    kept = [[made.fate.is_kept for made in step.successors] for step in trace.steps[:2]]
    assert kept == [[True, True, True], [False, True, True]]
    yield from ("“6 nodes processed”", "Expanded were 2", "Generated were 7")
    yield "the 3 successors of each of the two, one of which goes straight back"


def weighted_path(code):
    assert (length(code, "wastar", "manhattan", weight=2), length(code)) == (11, 9)
    yield from ("w = 2", "11 moves, and 9 are", "2 × 9 = 18")


def step_of_one(code):
    assert mistakes.ida_star(*cells(code)) == (3, 12)
    assert expanded(code, "idastar", "manhattan") == 12
    assert mistakes.ida_star(*cells(code), step=1) == (5, 16)
    iterations = recorded(code, "idastar", "manhattan").iterations
    assert [one.limit for one in iterations] == [4, 6, 8]
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


def last_tile(code):
    own = "=manhattan_without_last"
    puzzle, other = parse_puzzle(code), "7.5.4-0.3.2-8.1.6"
    assert solve_h(own, puzzle) == 0
    assert check(own, puzzle.goal).admissible
    assert length(other) == 17
    assert (expanded(other, "astar", own), expanded(other, "astar", "manhattan")) == (80, 69)
    yield from ("h of this board is 0", "17 moves", "80 nodes instead of 69")


def pairs(code):
    yield from exceeds("=manhattan + conflict_pairs", 28, 26, "h = 28; 26 moves")(code)
    found = check("=manhattan + conflict_pairs", parse_puzzle(code).goal)
    assert (found.above, found.boards) == (7, 181_440)
    yield "7 of 181,440"
    assert oracle.fewest_removals([2, 1, 0]) == 2
    yield "4 moves, not 6"


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
    tiles = [tile for tile in other.start.cells if tile]
    assert sum(a > b for a, b in itertools.pairwise(tiles)) == 2
    yield from ("one move solves it", "two inversions", "it has 3 inversions", "twice")


def one_goal(code):
    puzzle = parse_puzzle(code)
    assert not mistakes.standard_parity(puzzle.start.cells)
    standard = parse_puzzle(str(puzzle.start))
    assert (standard.parity.inversions, puzzle.goal_name, length(code)) == (11, "spiral", 5)
    assert not parse_puzzle(f"1.2.3.4-5.6.7.8-9.10.11.12-13.14.15.0_{KORF_GOAL}").solvable
    yield from ("has 11", "5 moves reach it")


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
        "early-test": early_goal,
        "counted-otherwise": counted_otherwise,
    },
    "wastar": {"taken-for-shortest": weighted_path},
    "idastar": {"step-of-one": step_of_one, "straight-back": straight_back},
    "rbfs": {"nothing-stored": nothing_stored, "first-limit": first_limit},
    "misplaced": {"blank-counted": exceeds("=misplaced_with_blank", 2, 1, "One move", "says 2")},
    "manhattan": {
        "blank-counted": exceeds("=manhattan_with_blank", 2, 1, "One move", "h is 2"),
        "last-tile": last_tile,
        "wrong-goal": exceeds("=manhattan_wrong_goal", 12, 0, "12 where 0 moves"),
    },
    "linear-conflict": {"pairs": pairs},
    "pdb": {"counted-twice": exceeds("=manhattan + misplaced", 2, 1, "their sum is 2")},
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
