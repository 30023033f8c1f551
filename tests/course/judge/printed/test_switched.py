"""Programs in other orders, under other rules and with two changes, diagnosed from their output."""

import itertools

import pytest

from slidewise import check, find_convention, parse_puzzle, search, solve
from slidewise.course.judge.catalogue import catalogue
from slidewise.solver.events import Expanded
from tests.boards import TWO_MOVES
from tests.course.judge.printed import best_first

NEAR, FAR = "4.1.3-7.2.5-0.8.6", "8.1.3-4.0.2-7.6.5"
"""Boards of 6 and 14 moves: for searches without and with an estimate."""

BLIND = {
    "order": ({"order": "durl"}, "order=durl"),
    "order 2": ({"order": "lrud"}, "order=lrud"),
    "goal when made": ({"test": "made"}, "goal=made"),
    "order and made": ({"order": "rlud", "test": "made"}, "order=rlud"),
    "order and wraps": ({"order": "lrud", "borders": "wrap"}, "wraps-at-row-ends"),
}
DEEP = {
    "not reversed": ({"take": "newest"}, "siblings=last-in"),
    "order": ({"take": "newest", "reverse": True, "order": "lrud"}, "order=lrud"),
    "seen when expanded": (
        {"take": "newest", "reverse": True, "seen": "expanded"},
        "duplicates=expanded",
    ),
    "no down": ({"take": "newest", "reverse": True, "missing": "d"}, "never-down"),
    "wraps": ({"take": "newest", "reverse": True, "borders": "wrap"}, "wraps-at-row-ends"),
}
ASTAR = {
    "last in": ({"ties": "last"}, "ties=last-in"),
    "low h": ({"ties": "low-h"}, "ties=lower-h"),
    "boards": ({"ties": "boards"}, "queue=boards"),
    "goal when made": ({"test": "made", "order": "rlud"}, "order=rlud"),
    "order and blank": ({"order": "rlud", "h": "manhattan-blank"}, "manhattan-with-blank"),
}
EARLY = {
    "sorted too early": ({}, "sorted-too-early"),
    "sorted too early, from the front": ({"end": "first"}, "sorted-too-early"),
}
LONGEST = 400
"""Expansions that a mutant prints."""


def cases():
    for name, (how, key) in BLIND.items():
        yield f"bfs, {name}", "bfs", None, NEAR, best_first.blind, how, key
    for name, (how, key) in DEEP.items():
        yield f"dfs, {name}", "dfs", None, NEAR, best_first.blind, how, key
    for name, (how, key) in ASTAR.items():
        yield f"A*, {name}", "astar", "manhattan", FAR, best_first.best, how, key
    for name, (how, key) in EARLY.items():
        how = {"h": "misplaced", "f": "h", **how}
        yield f"greedy, {name}", "greedy", "misplaced", FAR, best_first.too_early, how, key


def expected(puzzle, algorithm, heuristic):
    events = search(puzzle, algorithm, heuristic, trace=LONGEST)
    return [event for event in events if isinstance(event, Expanded)]


def first_difference(order, events):
    """Return the number of the first expansion that differs in its board or a value."""
    for number, (mine, event) in enumerate(itertools.zip_longest(order, events), 1):
        if mine is None or event is None:
            return number
        state, *values = mine if isinstance(mine[0], tuple) else (mine,)
        if state != event.board.cells:
            return number
        if values and any(
            abs(a - b) > 0.01 for a, b in zip(values, (event.g, event.h, event.f), strict=True)
        ):
            return number
    return 0


def diagnosed(report, key):
    """Return whether a report names a mistake, or a convention with a rule such as `order=rlud`."""
    explanation = report.explanation
    if explanation is None or "=" not in key:
        return explanation is not None and explanation.key == key
    named = find_convention(explanation.convention, report.algorithm)
    return find_convention(f"{explanation.convention},{key}", report.algorithm) == named


STEP = 6
"""`make test` diagnoses one of `STEP` mutants, `make soak` all of them."""


@pytest.mark.parametrize("every", [STEP, pytest.param(1, marks=pytest.mark.soak)])
def test_mutated_programs_are_diagnosed(every):
    for name, algorithm, heuristic, board, program, how, key in list(cases())[::every]:
        puzzle = parse_puzzle(board)
        order = program(puzzle.start.cells, puzzle.goal.cells, LONGEST, **how)
        report = check(
            puzzle, algorithm, heuristic, given=best_first.text_of(order), expansions=60_000
        )
        number = first_difference(order, expected(puzzle, algorithm, heuristic))
        assert report.divergence is not None, name
        is_end = report.divergence.kind == "ended early"
        assert report.divergence.number == (len(order) if is_end else number), name
        assert diagnosed(report, key), (name, key, report.explanation)


def test_nearly_fitting_mistake_is_not_presented_as_a_fact():
    puzzle = parse_puzzle(FAR)
    order = best_first.best(puzzle.start.cells, puzzle.goal.cells, h="manhattan-blank")
    order = [state for state, *_ in order[:-1]] + [puzzle.start.cells]
    explanation = check(
        puzzle, "astar", given=best_first.text_of(order), expansions=9_000
    ).explanation
    assert (explanation.key, explanation.whole, explanation.mend) == (
        "manhattan-with-blank",
        False,
        "",
    )
    assert explanation.title.endswith(f"fits as far as expansion {len(order) - 1:,}, not further")


def test_chance_match_is_not_reported():
    puzzle = parse_puzzle(FAR)
    order = best_first.best(puzzle.start.cells, puzzle.goal.cells, h="half")
    found = check(puzzle, "astar", given=best_first.text_of([state for state, *_ in order]))
    assert (found.explanation, found.complete) == (None, True)
    assert "no known mistake explains it" in found.unexplained


def test_right_path_does_not_confirm_the_search():
    path = {"path": search_path(NEAR)}
    alone, counted = check(parse_puzzle(NEAR), "bfs", given=path), {**path, "expanded": 56}
    assert (alone.right, alone.title) == (True, "Your path is right")
    assert "not the search" in alone.so_far
    assert "not the search" not in check(parse_puzzle(NEAR), "bfs", given=counted).so_far


def search_path(board):
    return solve(parse_puzzle(board), "bfs").moves


def test_right_programs_are_right():
    near, far = parse_puzzle(NEAR), parse_puzzle(FAR)
    for puzzle, algorithm, heuristic, program, how in (
        (near, "bfs", None, best_first.blind, {}),
        (far, "bfs", None, best_first.blind, {}),
        (far, "astar", "manhattan", best_first.best, {}),
        (far, "astar", "misplaced", best_first.best, {"h": "misplaced"}),
        (far, "greedy", "manhattan", best_first.best, {"f": "h"}),
        (near, "ucs", None, best_first.best, {"f": "g", "h": "zero"}),
    ):
        order = program(puzzle.start.cells, puzzle.goal.cells, **how)
        report = check(puzzle, algorithm, heuristic, given=best_first.text_of(order))
        assert report.right, (algorithm, report.as_text())


PATHS = {
    "LU": "path-reversed",
    "RD": "path-reversed",
    "DL": "up-and-down-swapped",
    "UR": "sides-swapped",
    "RRULUL": "directions-swapped",
    "U": "path-without-last",
    "L": "path-without-first",
}
"""Wrong paths instead of `UL` on the board of two moves, the longest on NEAR."""


@pytest.mark.parametrize("path", PATHS)
def test_wrong_path_is_named(path):
    puzzle = parse_puzzle(NEAR if len(path) > 2 else TWO_MOVES)
    report = check(puzzle, "bfs", given={"path": path})
    assert report.wrong
    assert report.explanation.key == PATHS[path]
    assert report.explanation.title == catalogue()[PATHS[path]].title
    assert report.explanation.mend
    assert report.explanation.agreed == 0


def test_path_to_another_usual_goal_is_named():
    puzzle = parse_puzzle("1.2.3-4.5.6-7.0.8_0.1.2-3.4.5-6.7.8")
    report = check(puzzle, "bfs", given={"path": "L"})
    assert (report.wrong, report.explanation.key) == (True, "other-goal")
    assert report.explanation.agreed == 0


@pytest.mark.parametrize(("ways", "is_right"), [("UDLR", True), ("UDRL", False)])
def test_right_path_beside_wrong_expansions_is_reported(ways, is_right):
    puzzle = parse_puzzle(NEAR)
    order = best_first.blind(puzzle.start.cells, puzzle.goal.cells, missing="u")
    boards = best_first.text_of(order).splitlines()
    path = search_path(NEAR).translate(str.maketrans("UDLR", ways))
    found = check(puzzle, "bfs", given={"expansions": boards, "path": path}, expansions=500)
    assert found.wrong
    assert ("Your path is right: only the order" in found.so_far) is is_right


def test_only_unexplained_differences_are_called_unexplained():
    puzzle = parse_puzzle(TWO_MOVES)
    for given, words in (
        (f"{puzzle.start}\n2.1.3-4.5.6-7.8.0", "No explanation was found within"),
        ({"path": "LU"}, ""),
        ({"path": "UL"}, ""),
    ):
        report = check(puzzle, "bfs", given=given, expansions=50)
        note = report.as_json()["unexplained"]
        assert (note.startswith(words), bool(note)) == (True, bool(words))


def test_queue_has_no_ties_under_any_convention():
    puzzle = parse_puzzle(NEAR)
    order = best_first.blind(puzzle.start.cells, puzzle.goal.cells, order="durl")
    report = check(
        puzzle, "bfs", convention="slidewise,ties=last-in", given=best_first.text_of(order)
    )
    assert report.divergence.why[-1] == "You took down before up."
