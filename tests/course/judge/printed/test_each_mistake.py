"""Each known mistake against a small wrong program."""

from dataclasses import fields

import pytest

from slidewise import check, parse_puzzle
from slidewise.course.judge.printed.mistakes import CODE, Change, find_rules, table, wrong_searches
from slidewise.course.judge.printed.reading import read_given
from slidewise.course.judge.printed.reference import ReferenceSearch, agreed
from slidewise.solver.convention import SLIDEWISE, InvalidConventionError, find_convention
from slidewise.solver.task import exact_weight
from tests.course.judge.printed import best_first, other_programs
from tests.each import each

NEAR, FAR = "4.1.3-7.2.5-0.8.6", "8.1.3-4.0.2-7.6.5"
FIRST = "1.4.2-3.0.5-6.7.8_0.1.2-3.4.5-6.7.8"
"""A board whose goal has the blank first."""

STALE, PAIRS = "1.0.5-4.6.2-7.3.8", "0.6.8-1.4.3-7.2.5"
"""Boards on which a waiting board soon gets a shorter path."""

PRINTED = 120
"""Expansions that a wrong program prints."""


def astar(**how):
    return "astar", best_first.best, how


def of(algorithm, **how):
    rank = {"greedy": "h", "ucs": "g"}.get(algorithm, "g+h")
    return algorithm, best_first.best, {"f": rank, **how}


def heap_error(slip, board):
    how = {"slip": slip, "h": "misplaced", "board": board, "printed": 400}
    return "astar", best_first.heap_error, how


def bfs(**how):
    return "bfs", best_first.blind, how


def idastar(**how):
    return "idastar", other_programs.idastar, how


def iddfs(**how):
    return "iddfs", other_programs.iddfs, how


def rbfs(**how):
    return "rbfs", other_programs.rbfs, how


def weighted(**how):
    return "wastar", other_programs.weighted, how


def both_ends(**how):
    return "bidirectional", other_programs.both_ends, how


STACK = {"take": "newest", "reverse": True}
PROGRAMS = {
    "weight-on-g": [weighted(g_weight=1.5, h_weight=1)],
    "weight-left-out": [weighted(h_weight=1)],
    "other-weight": [weighted(h_weight=times) for times in (1.5, 2, 3, 5)],
    "limit-plus-one": [idastar(limit="plus one")],
    "limit-highest": [idastar(limit="highest", h="misplaced")],
    "limit-last": [idastar(limit="last", h="misplaced")],
    "below-the-limit": [
        idastar(keep="<", h="misplaced"),
        idastar(keep="<", limit="plus one"),
    ],
    "one-visited-set": [
        iddfs(seen="visited", board=FAR, printed=2000),
        idastar(seen="visited", h="misplaced", printed=400),
    ],
    "visited-between-limits": [
        iddfs(seen="ever"),
        iddfs(seen="ever", first=1),
        iddfs(seen="kept"),
        iddfs(seen="kept", first=1),
    ],
    "depth-limit-off-by-one": [iddfs(late=True), iddfs(late=True, first=1)],
    "limit-steps": [iddfs(step=2)],
    "f-not-stored": [
        rbfs(stores=False),
        rbfs(stores=False, f_of="own"),
        rbfs(stores=False, f_of="own", begins="h"),
        rbfs(stores=False, f_of="own", begins="h", back=True),
    ],
    "own-f-only": [rbfs(f_of="own")],
    "alternative-ignored": [rbfs(hand_down="limit")],
    "alternative-alone": [rbfs(hand_down="second")],
    "below-the-bound": [rbfs(back_at=">=")],
    "both-ends-stack": [
        both_ends(turns="smaller layer", take="newest"),
        both_ends(turns="boards", take="newest"),
    ],
    "one-end-only": [both_ends(turns="start")],
    "manhattan-with-blank": [astar(h="manhattan-blank")],
    "manhattan-blank-by-formula": [astar(h="formula"), astar(h="formula of C")],
    "misplaced-with-blank": [astar(h="misplaced-blank", asked="misplaced")],
    "manhattan-without-last": [astar(h="no-last")],
    "manhattan-without-first": [astar(h="no-first")],
    "manhattan-rows-columns": [astar(h="mixed")],
    "rows-only": [astar(h="rows")],
    "columns-only": [astar(h="columns")],
    "manhattan-sign": [astar(h="late-abs")],
    "chebyshev": [astar(h="king")],
    "euclidean": [astar(h="crow")],
    "squared": [astar(h="squares")],
    "index-distance": [astar(h="cells")],
    "counts-at-home": [astar(h="at-home"), astar(h="cells-at-home")],
    "misplaced-not-manhattan": [astar(h="misplaced", asked="manhattan")],
    "manhattan-not-misplaced": [astar(h="manhattan", asked="misplaced")],
    "inversions": [astar(h="inversions")],
    "manhattan-other-goal": [astar(aims="first"), astar(aims="last", board=FIRST)],
    "misplaced-other-goal": [
        astar(aims="first", h="misplaced", asked="misplaced"),
        astar(aims="last", h="misplaced", asked="misplaced", board=FIRST),
    ],
    "h-is-zero": [astar(h="zero")],
    "parents-estimate": [astar(h_of="parent")],
    "h-as-f": [astar(f="h")],
    "g-as-f": [astar(f="g")],
    "double-h": [astar(f="g+2h")],
    "greedy-adds-g": [of("greedy", f="g+h")],
    "highest-first": [astar(f="-"), ("greedy", best_first.best, {"f": "-h"})],
    "g-not-updated": [astar(g="stays")],
    "g-always-one": [astar(g="one")],
    "g-adds-h": [astar(g="adds-h")],
    "g-counts-expansions": [astar(g="pops")],
    "wraps-at-row-ends": [
        bfs(borders="wrap"),
        bfs(borders="wrap right"),
        bfs(borders="wrap left"),
    ],
    "around-the-board": [bfs(borders="around")],
    "short-of-border": [bfs(borders="short")],
    "short-of-last-column": [bfs(borders="short of right")],
    "short-of-last-row": [bfs(borders="short of down")],
    "short-of-first-column": [bfs(borders="short of left")],
    "short-of-first-row": [bfs(borders="short of up")],
    "never-up": [bfs(missing="u")],
    "never-down": [bfs(missing="d")],
    "never-left": [bfs(missing="l")],
    "never-right": [bfs(missing="r")],
    "start-not-reached": [bfs(forgets_start=True)],
    "swapped-in-place": [bfs(copies=False)],
    "stale-entry": [heap_error("stale", STALE)],
    "pairs-in-heap": [heap_error("pairs", PAIRS)],
    "other-goal": [idastar(goal="first"), idastar(goal="last", board=FIRST)],
    "stack-for-queue": [bfs(**STACK)],
    "queue-for-stack": [("dfs", best_first.blind, {})],
    "not-sorted": [("astar", best_first.blind, {})],
    "sorted-too-early": [
        ("astar", best_first.too_early, {}),
        ("astar", best_first.too_early, {"end": "first"}),
    ],
    "a-stack": [("astar", best_first.blind, STACK)],
}
"""For each key, programs that make the mistake, one for each way to make it."""


def printed_by(algorithm, program, how):
    """Return the puzzle, the chosen heuristic and the output of a program."""
    how = dict(how)
    asked = how.pop("asked", "misplaced" if how.get("h") == "misplaced" else "manhattan")
    board = how.pop("board", NEAR if algorithm in ("iddfs", "bfs") else FAR)
    puzzle = parse_puzzle(board)
    goal, most = how.pop("goal", None), how.pop("printed", PRINTED)
    aim = best_first.goal_of(goal) if goal else puzzle.goal.cells
    if program in (best_first.best, best_first.blind, best_first.too_early, best_first.heap_error):
        order = program(puzzle.start.cells, aim, most, **how)
    else:
        order = other_programs.printed(program, puzzle.start.cells, aim, most, **how)
    return puzzle, asked, best_first.text_of(order)


def traces(mistake, algorithm, program, how):
    """Return the output of a program, and the searches with the mistake and without it."""
    puzzle, heuristic, text = printed_by(algorithm, program, how)
    assert mistake.fits(algorithm, heuristic), mistake.key
    weight = exact_weight(2 if mistake.change.rank == (2, 3) else 1.5)
    asked = ReferenceSearch(puzzle, algorithm, heuristic, weight=weight)
    truly = mistake.change.algorithm or algorithm
    wrong = asked.traced(find_convention("slidewise", truly), mistake.change)
    return read_given(text, puzzle).rows, wrong, asked.traced(SLIDEWISE)


@pytest.mark.parametrize("key", sorted({one.key for one in wrong_searches()}))
def test_known_mistake_expands_as_a_wrong_program(key):
    ways = [one for one in wrong_searches() if one.key == key]
    unmatched = list(PROGRAMS[key])
    for mistake in ways:
        for algorithm, program, how in list(unmatched):
            if algorithm not in mistake.algorithms:
                continue
            rows, wrong, right = traces(mistake, algorithm, program, how)
            assert agreed(right, rows) < len(rows), "the mistake does not show"
            if agreed(wrong, rows) == len(rows):
                unmatched.remove((algorithm, program, how))
                break
        else:
            pytest.fail(f"no program makes the mistake {mistake.title!r} as it is described")
    assert not unmatched


def rows_of_the_table():
    """Return the rows of the table with their keys, each row of `each` with all its fields."""
    for key, row in table()["mistake"].items():
        for way in row.get("each", [{}]):
            yield key, {**row, **way}


def test_fields_of_the_table_are_those_of_the_reader():
    known = {"searches", "heuristic", "harmless", "code", "each"}
    known |= {field.name for field in fields(Change)}
    assert {name for _, row in rows_of_the_table() for name in row} <= known


def test_code_of_each_change_belongs_to_a_mistake():
    named = {row.get("code") for _, row in rows_of_the_table()}
    assert set(CODE) <= {one.key for one in wrong_searches()} | named


def test_each_wrong_program_has_a_known_mistake():
    assert set(PROGRAMS) == {one.key for one in wrong_searches()}


NAMED = (
    *("visited-between-limits", "depth-limit-off-by-one", "f-not-stored", "swapped-in-place"),
    *("stale-entry", "pairs-in-heap", "double-h", "h-as-f", "parents-estimate", "below-the-bound"),
    "highest-first",
)


MORE_PROGRAMS = [(key, *way) for key in NAMED for way in PROGRAMS[key][1:]]
OTHERWISE_NAMED = ("euclidean", "other-goal", "not-sorted")
"""A harmless mistake, and two that expand as another does."""

ALL_PROGRAMS = [
    (key, *way) for key in PROGRAMS if key not in OTHERWISE_NAMED for way in PROGRAMS[key]
]
"""`make test` names only `MORE_PROGRAMS` of them."""


@pytest.mark.parametrize(
    "chosen", [MORE_PROGRAMS, pytest.param(ALL_PROGRAMS, marks=pytest.mark.soak)], ids=len
)
def test_wrong_program_is_named_and_not_called_right(chosen):
    for key, algorithm, program, how in chosen:
        puzzle, heuristic, text = printed_by(algorithm, program, how)
        weight = 2 if how == {"h_weight": 1.5} else 1.5
        report = check(puzzle, algorithm, heuristic, given=text, weight=weight, expansions=60_000)
        assert (report.right, report.wrong) == (False, True), (key, how)
        assert report.explanation is not None, (key, how)
        assert report.explanation.key == key, report.as_text()
        assert report.explanation.mend


@each("ties", [{"ties": "low-h", "dup": "made"}, {"ties": "last", "order": "rlud"}])
def test_mistake_is_named_whatever_the_order_of_equal_nodes(ties):
    puzzle = parse_puzzle(FAR)
    how = {"order": "rlud", **ties}
    order = best_first.best(puzzle.start.cells, puzzle.goal.cells, f="h", **how)
    text = best_first.text_of([state for state, *_ in order])
    report = check(puzzle, "astar", given=text)
    assert (report.wrong, report.explanation.key) == (True, "h-as-f")
    assert report.explanation.whole


@each("case", [("iddfs", "notebook-iddfs"), ("rbfs", "notebook-rbfs")])
def test_notebook_is_right_under_its_own_convention(case):
    algorithm, convention = case
    if algorithm == "iddfs":
        program, how = other_programs.iddfs, {"seen": "ever", "first": 1, "order": "ulrd"}
    else:
        how = {"stores": False, "f_of": "own", "begins": "h", "back": True, "order": "rdlu"}
        program = other_programs.rbfs
    puzzle, heuristic, text = printed_by(algorithm, program, how)
    under = check(puzzle, algorithm, heuristic, convention, text, strict=True)
    assert under.agreed == len(text.splitlines()) - (algorithm == "rbfs")
    named = check(puzzle, algorithm, heuristic, given=text)
    keys = {"iddfs": "visited-between-limits", "rbfs": "f-not-stored"}
    assert named.explanation.key == keys[algorithm]


def test_notebooks_name_only_conventions_of_their_search():
    assert find_rules("notebook-iddfs,order=udlr", "iddfs").order == "udlr"
    for text, algorithm in (("notebook-iddfs", "rbfs"), ("columbia", "iddfs")):
        with pytest.raises(InvalidConventionError):
            find_rules(text, algorithm)


def test_wrong_order_of_greedy_search_is_not_an_estimate_of_0():
    puzzle = parse_puzzle(NEAR)
    waiting, known, order = [puzzle.start.cells], {puzzle.start.cells}, []
    while len(order) < 60:
        order.append(waiting.pop(7 * len(order) % len(waiting)))
        made = [new for new in best_first.neighbours(order[-1]) if new not in known]
        waiting += made
        known.update(made)
    report = check(puzzle, "greedy", given=best_first.text_of(order), expansions=60_000)
    assert report.wrong
    assert report.explanation is None or report.explanation.key != "h-is-zero"
