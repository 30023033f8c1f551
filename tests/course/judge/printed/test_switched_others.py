"""Mutated programs of IDA*, iterative deepening, RBFS, weighted A* and bidirectional search."""

import pytest

from slidewise import check, parse_puzzle
from tests.course.judge.printed import best_first, other_programs
from tests.course.judge.printed.test_switched import FAR, NEAR

IDASTAR = {
    "order": ({"order": "durl"}, "slidewise,order=durl"),
    "order of a lecture": ({"order": "ulrd"}, "slidewise,order=ulrd"),
    "straight back": ({"seen": "nothing"}, "slidewise,back=none"),
    "order and limit + 1": ({"limit": "plus one", "order": "lrud"}, "limit-plus-one"),
    "blank counted": ({"h": "manhattan-blank"}, "manhattan-with-blank"),
    "wraps": ({"borders": "wrap"}, "wraps-at-row-ends"),
}
IDDFS = {
    "order": ({"order": "rdlu"}, "slidewise,order=rdlu"),
    "no left": ({"missing": "l"}, "never-left"),
}
RBFS = {
    "order": ({"order": "lrud"}, "slidewise,order=lrud"),
    "sorted in place": ({"resort": True, "h": "misplaced"}, "slidewise,ties=sorted"),
    "order and own f": ({"f_of": "own", "order": "rlud"}, "own-f-only"),
    "no last tile": ({"h": "no-last"}, "manhattan-without-last"),
}
WEIGHTED = {
    "order": ({"order": "rdlu"}, "slidewise,order=rdlu"),
    "h alone": ({"g_weight": 0, "h_weight": 1}, "h-as-f"),
    "rows": ({"h": "rows"}, "rows-only"),
}
BOTH_ENDS = {
    "order": ({"order": "durl"}, "slidewise,order=durl"),
    "layers in turn": ({"turns": "layers"}, "slidewise,turn=layers"),
    "boards in turn": ({"turns": "boards"}, "slidewise,turn=nodes"),
    "met when taken": ({"meet": "taken"}, "slidewise,meeting=taken"),
}


def cases():
    for algorithm, program, mutants in (
        ("idastar", other_programs.idastar, IDASTAR),
        ("iddfs", other_programs.iddfs, IDDFS),
        ("rbfs", other_programs.rbfs, RBFS),
        ("wastar", other_programs.weighted, WEIGHTED),
        ("bidirectional", other_programs.both_ends, BOTH_ENDS),
    ):
        for name, (how, key) in mutants.items():
            board = NEAR if algorithm == "iddfs" else FAR
            heuristic = "misplaced" if how.get("h") == "misplaced" else "manhattan"
            yield f"{algorithm}, {name}", algorithm, heuristic, board, program, how, key


def report(algorithm, heuristic, board, program, how):
    puzzle = parse_puzzle(board)
    order = other_programs.printed(program, puzzle.start.cells, puzzle.goal.cells, **how)
    given = best_first.text_of(order)
    return check(puzzle, algorithm, heuristic, given=given, expansions=60_000), order


STEP = 5
"""`make test` diagnoses one of `STEP` mutants, `make soak` all of them."""


@pytest.mark.parametrize("every", [STEP, pytest.param(1, marks=pytest.mark.soak)])
def test_mutated_programs_of_other_searches_are_diagnosed(every):
    for name, *asked, key in list(cases())[::every]:
        diagnosis = report(*asked)[0].explanation
        assert diagnosis is not None, name
        assert (diagnosis.key, diagnosis.convention) == (key, ""), name


def test_reason_omits_repeated_boards_for_a_search_on_trees():
    for how, why in (
        ({"limit": "highest", "h": "misplaced"}, "dropped: its f is above the f-limit."),
        ({"keep": "<", "limit": "plus one"}, "there are still nodes within the limit."),
        ({"order": "ulrd"}, "You took right before down, or left it out."),
    ):
        heuristic = how.get("h", "manhattan")
        found, _ = report("idastar", heuristic, FAR, other_programs.idastar, how)
        assert found.divergence.why[-1].endswith(why)


def test_right_programs_of_other_searches_are_right():
    for _, algorithm, heuristic, board, program, *_ in {case[1]: case for case in cases()}.values():
        found, order = report(algorithm, heuristic, board, program, {})
        assert found.right, (algorithm, found.as_text())
        assert found.agreed == len(order)


def test_weighted_a_star_is_checked_with_the_chosen_weight():
    puzzle = parse_puzzle(FAR)
    for yours, asked, key in (2, 2, None), (1.5, 2, "other-weight"), (3, 1.5, "other-weight"):
        order = other_programs.printed(
            other_programs.weighted, puzzle.start.cells, puzzle.goal.cells, h_weight=yours
        )
        found = check(puzzle, "wastar", given=best_first.text_of(order), weight=asked)
        assert found.result.weight == asked
        assert (found.explanation and found.explanation.key) == key
        assert found.right is (key is None)
    on_g = other_programs.printed(
        other_programs.weighted, puzzle.start.cells, puzzle.goal.cells, g_weight=2, h_weight=1
    )
    found = check(puzzle, "wastar", given=best_first.text_of(on_g), weight=2)
    assert found.explanation.key == "weight-on-g"
