"""Candidates for the explanation of a submission, and the better of two fits."""

from slidewise import check, find_convention, parse_puzzle
from slidewise.course.judge.printed.candidates import (
    UNNAMED,
    Candidate,
    Fit,
    candidates,
    conventions_from,
    in_any_order,
)
from slidewise.course.judge.printed.mistakes import mistakes
from slidewise.course.judge.printed.reference import ReferenceSearch
from slidewise.course.judge.printed.submission import WorkRow
from slidewise.solver.convention import SLIDEWISE
from tests.boards import TWO_MOVES
from tests.course.judge.printed import best_first
from tests.each import each

PLAIN = Candidate(SLIDEWISE, 0)
WRONG = Candidate(SLIDEWISE, 1.5, next(one for one in mistakes("astar", None) if one.mend))


def test_better_fit_is_whole_right_and_has_fewer_wrong_counts():
    fits = [
        Fit(PLAIN, 40, False, {}),
        Fit(WRONG, 30, True, {}),
        Fit(PLAIN, 30, True, {}, ("expanded", "generated")),
        Fit(PLAIN, 30, True, {}, ("expanded",)),
        Fit(PLAIN, 30, True, {}),
        Fit(PLAIN, 31, True, {}),
    ]
    assert sorted(fits, key=lambda fit: fit.closeness) == fits


def test_named_conventions_come_before_changed_rules():
    found = list(conventions_from(SLIDEWISE, "astar"))
    texts = [str(one.convention) for one in found]
    assert {"columbia", "aima4"} <= set(texts)
    assert SLIDEWISE not in [one.convention for one in found]
    assert {one.weight for one in found} == {1, 2, 3, 4}
    assert {one.weight for one in found if one.convention.key != UNNAMED} == {1}
    rules = [
        (c.order, c.ties, c.queue, c.duplicates, c.goal_test, c.siblings)
        for c in (one.convention for one in found)
    ]
    assert len(set(rules)) == len(rules)


def test_convention_of_a_mistaken_program_is_named():
    puzzle = parse_puzzle("8.1.3-4.0.2-7.6.5")
    order = best_first.best(puzzle.start.cells, puzzle.goal.cells, f="h", ties="last")
    text = best_first.text_of([state for state, *_ in order])
    found = check(puzzle, "astar", given=text).explanation
    assert (found.key, found.convention) == ("h-as-f", "slidewise,ties=last-in")


@each("convention", ["slidewise", "columbia", "princeton"])
def test_any_order_search_starts_with_the_base_rules(convention):
    base = find_convention(convention, "astar")
    first = next(in_any_order(ReferenceSearch(parse_puzzle(TWO_MOVES), "astar", None), base, ()))
    rules = first.convention.goal_test, first.convention.duplicates
    assert rules == (base.goal_test, base.duplicates)


def test_mistakes_are_tried_before_two_rules_are_changed():
    puzzle = parse_puzzle(TWO_MOVES)
    rows = (WorkRow(1, bytes(puzzle.start.cells)),)
    found = candidates(ReferenceSearch(puzzle, "astar", "manhattan"), SLIDEWISE, rows)
    assert found == sorted(found, key=lambda one: one.weight)
    weights = [{one.weight for one in found if one.mistake is None}]
    for in_own_order in False, True:
        named = [one for one in found if one.mistake and bool(one.follows) is in_own_order]
        weights.append({one.weight for one in named})
    assert weights == [{1, 2, 3, 4}, {1.5, 2.5}, {3}]
    keys = {one.mistake.key for one in found if one.weight == 1.5}
    assert keys == {one.key for one in mistakes("astar", "manhattan")}


@each("algorithm", ["iddfs", "rbfs", "bidirectional"])
def test_weight_of_other_searches_counts_mistake_habit_and_order(algorithm):
    puzzle = parse_puzzle(TWO_MOVES)
    heuristic = "manhattan" if algorithm == "rbfs" else None
    found = candidates(ReferenceSearch(puzzle, algorithm, heuristic), SLIDEWISE, ())
    for one in found:
        changes = 1.5 * bool(one.mistake) + bool(one.habit) + (one.convention.key != SLIDEWISE.key)
        assert one.weight == changes
    assert {0, 1, 1.5, 2, 2.5, 3.5} == {one.weight for one in found}


def test_rules_beside_a_mistake_are_those_of_its_search():
    found = candidates(ReferenceSearch(parse_puzzle(TWO_MOVES), "bfs", None), SLIDEWISE, ())
    rules = {}
    for one in found:
        if one.mistake:
            rules.setdefault(one.mistake.key, []).append(one.convention)
    assert len({one.siblings for one in rules["stack-for-queue"]}) == 2
    assert len({one.siblings for one in rules["never-up"]}) == 1
    assert {one.queue for one in rules["never-up"] if one.key == UNNAMED} == {SLIDEWISE.queue}
    assert {"columbia", "princeton"} <= {one.key for one in rules["never-up"]}
