"""The judge: namespaces, rules, hints, errors and answers in other forms."""

import json
import subprocess
import sys
from collections import Counter
from threading import Event, Thread
from typing import get_type_hints

import pytest

from slidewise import Board, Puzzle, find_heuristic, parse_puzzle, solve
from slidewise.course.judge import ReportJson, Rules, checks, exercises, find_exercise, judge
from slidewise.course.judge.answers import read_answer
from slidewise.course.judge.cases import Draw, cases_of
from slidewise.course.judge.exercise import UnknownExerciseError
from slidewise.course.judge.reference import references
from slidewise.course.programs.boards import board_text, neighbors
from slidewise.course.programs.calls import Case
from slidewise.course.programs.console import captured, no_input
from slidewise.course.programs.running import Program, sample
from slidewise.json_schema import schema_of
from slidewise.solver import functions
from tests.course.judge.judged import UNHINTED, judged
from tests.solver.patterns import fewest_moves

BFS = exercises()["bfs"]
PATH = [(0, 1, 2, 3), (1, 0, 2, 3), (1, 3, 2, 0)]
START, GOAL = PATH[0], PATH[-1]


def mistake(exercise, key):
    return next(one for one in exercise.mistakes if one.key == key).programs[0]


def test_namespace_is_judged_and_left_as_it_was():
    names = {}
    exec(BFS.solution, names)
    before = dict(names)
    assert judge("bfs", names).points == 10
    assert names == before


def test_rounding_errors_of_a_heuristic_cost_no_points():
    exercise = exercises()["manhattan"]
    programs = [exercise.solution]
    for factor in 0.1, 0.7:
        programs.append(
            f"{exercise.solution}\nwhole = manhattan\n"
            f"def manhattan(board, goal):\n"
            f"    return sum({factor} for _ in range(whole(board, goal))) / {factor}\n"
        )
    assert [judged("manhattan", program).points for program in programs] == [10] * 3
    above = programs[-1].replace("/ 0.7", "/ 0.7 + 0.01")
    assert judged("manhattan", above).points < 10


def test_tolerance_is_that_of_a_search():
    assert checks.ROUNDING_TOLERANCE == functions.ROUNDING_TOLERANCE


def holding(report):
    """Return the checks that are judged and passed."""
    return {check.key for check in report.checks if check.judged and check.passed}


@pytest.mark.parametrize(
    ("key", "wrong", "holds"),
    [
        ("bfs", "stack-for-queue", {"path", "once", "none"}),
        ("greedy", "highest-first", {"path", "once", "none"}),
        ("astar", "g-as-f", {"path", "inconsistent", "once", "none"}),
        ("idastar", "g-as-f", {"path"}),
    ],
)
def test_stopped_search_keeps_the_points_of_passed_checks(key, wrong, holds):
    exercise = exercises()[key]
    report = judged(key, mistake(exercise, wrong))
    assert any(one.outcome.stopped for one in report.tried)
    assert (holding(report), report.mistake.key) == (holds, wrong)
    assert all(check.judged for check in report.checks if check.key != "inconsistent")
    assert report.earned == sum(one.points for one in report.checks if one.key in holds) > 0


def test_search_in_circles_has_no_path():
    program = BFS.solution.replace("popleft()", "pop()").replace(
        "if after not in came_from", "if after != start"
    )
    report = judged("bfs", program)
    assert "path" in report.failing
    assert report.points < 3


def test_search_without_any_path_fails_though_it_goes_on():
    program = mistake(BFS, "stack-for-queue").replace("if board == goal", "if board == 0")
    report = judged("bfs", program)
    assert {"path", "shortest"} <= report.failing


def test_own_neighbors_are_counted():
    own = exercises()["neighbors"].solution.replace("def neighbors", "def get_neighbors")
    program = own + BFS.solution.replace("neighbors(", "get_neighbors(").replace(
        "def get_neighbors(board, after)", ""
    )
    assert judged("bfs", program).points == 10
    report = judged("bfs", program.replace("get_neighbors", "my_moves"))
    assert (report.points, report.understood["moves"]) == (10, "my_moves()")


def test_own_neighbors_of_the_same_name_count():
    own = exercises()["neighbors"]
    for program in own.solution, mistake(own, "never-left"):
        assert judged("astar", program + exercises()["astar"].solution).points == 10


def own_neighbors(turned):
    """A program with its own neighbor function. `turned` is called on its result."""
    own = exercises()["neighbors"].solution.replace("def neighbors", "def moves")
    return (
        f"{own}def get_neighbors(board):\n    return {turned}(moves(board))\n"
        + BFS.solution.replace("neighbors(board)", "get_neighbors(board)")
    )


@pytest.mark.parametrize("turned", ["tuple", "iter"])
def test_generated_counts_successors_of_own_neighbors(turned):
    given = judged("bfs", BFS.solution).as_json()["figures"]
    own = judged("bfs", own_neighbors(turned)).as_json()["figures"]
    assert own["expansions"] == given["expansions"] > 0
    assert own["generated"] == given["generated"]


@pytest.mark.parametrize("key", ["bfs", "iddfs", "idastar"])
def test_generated_counts_as_the_library_does(key):
    trace = judged(key, exercises()[key].solution).trace()
    puzzle = parse_puzzle(trace["board"], trace["goal"])
    result = solve(puzzle, key, trace["heuristic"])
    assert (trace["expansions"], trace["generated"]) == (result.expanded, result.generated)


def test_trace_names_the_first_other_expansion():
    assert judged("bfs", BFS.solution).trace()["differs"] is None
    trace = judged("bfs", mistake(BFS, "stack-for-queue")).trace()
    start, goal = (
        tuple(map(int, trace[key].replace("/", " ").split())) for key in ("board", "goal")
    )
    right = Program(BFS.target, BFS.solution).run(Case((), {"start": start, "goal": goal}))
    boards = [board_text(board) for board in right.boards(len(start))]
    at = trace["differs"]
    assert boards[: at - 1] == trace["expanded"][: at - 1]
    assert boards[at - 1 : at] != trace["expanded"][at - 1 : at]


def test_trace_has_the_successors_of_all_expansions():
    trace = judged("bfs", BFS.solution).trace(3)
    whole = judged("bfs", BFS.solution).trace()
    assert len(trace["expanded"]) == 3 < trace["expansions"] == len(whole["expanded"])
    assert trace["parents"] == whole["parents"][:3] == [-1, 0, 0]
    boards = [tuple(map(int, one.replace("/", " ").split())) for one in whole["expanded"]]
    successors = sum(len(neighbors(one)) for one in boards)
    assert trace["generated"] == whole["generated"] == 1 + successors


def test_strict_order_takes_any_convention_and_no_other_order():
    rules = Rules(strict=True)
    assert judge("bfs", BFS.solution, rules=rules).passed
    turned = BFS.solution.replace("in neighbors(board)", "in neighbors(board)[::-1]")
    assert judge("bfs", turned, rules=rules).passed
    odd = BFS.solution.replace("in neighbors(board)", "in sorted(neighbors(board))")
    assert judged("bfs", odd).passed
    report = judge("bfs", odd, rules=rules)
    assert (report.points, report.passed, report.as_json()["case"]["check"]) == (10, False, "order")


def test_rules_hide_hints_and_expected_results():
    rules = Rules(hints=False, reference=False)
    report = judge("bfs", mistake(BFS, "stack-for-queue"), rules=rules).as_json()
    assert (report["hint"], report["line"], report["case"]["expected"]) == (None, None, None)


@pytest.mark.parametrize("wrong", ["path(came_from, goal)[1:]", "marked-late"])
def test_shown_case_has_a_difference(wrong):
    known = wrong == "marked-late"
    program = mistake(BFS, wrong) if known else BFS.solution.replace("path(came_from, goal)", wrong)
    case = judge("bfs", program).as_json()["case"]
    assert case["yours"] != case["expected"]
    if known:
        assert case["yours"].startswith("expands boards again: ")
        assert case["expected"] == "Expands no board twice"
    else:
        assert case["expected"].split(", ")[-3:] == case["yours"].split(": ")[1].split(", ")


@pytest.mark.parametrize(
    ("key", "old", "new", "check"),
    [
        ("bfs", "return None", "return []", "none"),
        ("astar", "return None", "return False", "none"),
        ("dfs", "return search([start], goal, limit)",
         "return search([start], goal, limit) or []", "path"),
    ],
)  # fmt: skip
def test_empty_list_without_a_path_is_a_fault(key, old, new, check):
    report = judge(key, exercises()[key].solution.replace(old, new))
    assert report.failing == {check}
    (note,) = (one.note for one in report.checks if one.key == check)
    assert note.endswith(" instead of None")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ([("            if after not in came_from:\n    ", ""),
          ("        queue.append", "    queue.append")], "not-marked"),
        ([("came_from = {start: None}", "came_from = {start: None}; seen = {start}"),
          ("            if after not in came_from:\n                came_from[after] = board\n",
           "            came_from[after] = board\n            if after not in seen:\n"
           "                seen.add(after)\n")], "overwritten"),
    ],
)  # fmt: skip
def test_parents_in_a_circle_name_their_mistake(changes, named):
    program = BFS.solution
    for old, new in changes:
        program = program.replace(old, new)
    report = judge("bfs", program)
    assert "goes round in a circle" in report.error.message
    assert report.mistake.key == named


def test_loop_without_an_expansion_has_no_known_mistake():
    report = judge("bfs", "def bfs(start, goal):\n    while True:\n        pass\n")
    assert (report.points, report.mistake) == (0, None)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("popleft()", "pop()", "Which end of the queue"),
        ("return None", "return []", "What is left in the queue"),
        ("path(came_from, goal)", "path(came_from, goal)[1:]", "Where the goal is found"),
    ],
)
def test_hint_follows_the_fault(old, new, part):
    assert part in judge("bfs", BFS.solution.replace(old, new)).hint


def test_old_entries_of_a_heap_are_a_fault_in_each_order_of_ties():
    exercise = exercises()["astar"]
    program = exercise.solution.replace("        if g > moves[board]:\n            continue\n", "")
    newest = program.replace("g + 1 + h(after, goal), g + 1", "g + 1 + h(after, goal), -g - 1")
    newest = newest.replace("heappop(queue)", "heappop(queue)\n        g = -g")
    # Without the g in its entries it has no number to test.
    oldest = program.replace("g + 1 + h(after, goal), g + 1", "g + 1 + h(after, goal), len(moves)")
    oldest = oldest.replace("heappop(queue)", "heappop(queue)\n        g = moves[board]")
    for one in program, newest, oldest:
        report = judge("astar", one, rules=UNHINTED)
        assert report.failing == {"once"}
        assert report.mistake.key == "old-entries"


def test_hints_appear_one_at_a_time():
    easy = exercises()["find_zero"]
    hints = [judge(easy, easy.starter, hints_seen=seen).hint for seen in range(4)]
    assert hints == [*easy.hints, None]


@pytest.mark.parametrize(
    ("program", "error", "line"),
    [
        ("x = (", "SyntaxError", 1),
        ("1 / 0", "ZeroDivisionError", 1),
        ("x = 1", "NameError", None),
        ("def bfs(start, goal):\n    return start.goal", "AttributeError", 2),
        ("def bfs(start, goal):\n    bfs(start)", "TypeError", 2),
    ],
)
def test_error_has_its_type_and_line(program, error, line):
    report = judged("bfs", program).as_json()
    assert (report["error"]["type"], report["error"]["line"], report["points"]) == (error, line, 0)


def test_unknown_exercise_is_refused_with_the_list():
    with pytest.raises(UnknownExerciseError, match="find_zero, neighbors"):
        find_exercise("bsf")


def test_report_is_json_of_its_schema():
    report = judged("bfs", mistake(BFS, "marked-late")).as_json()
    assert schema_of(ReportJson)["required"] == list(report) == list(get_type_hints(ReportJson))
    assert json.loads(json.dumps(report)) == report
    assert report["trace"]["expanded"][0] == report["trace"]["board"]


def test_sample_of_boards_has_each_tile_in_each_cell():
    found = Counter(place for board in sample() for place in enumerate(board))
    assert len(found) == 81
    assert len(set(sample())) == 27_914
    assert all(abs(9 * count - 27_914) < 280 for count in found.values())


def test_mistake_on_one_in_3_000_boards_fails_the_sample():
    exercise = exercises()["is_solvable"]
    wrong = exercise.solution.replace(
        "return parity(board) ==", "return board[:4] != (0, 8, 7, 6) and parity(board) =="
    )
    report = judged("is_solvable", wrong)
    assert [check.key for check in report.checks if not check.passed] == ["every"]
    assert report.as_json()["case"]["board"].startswith("0 8 7/6")


def test_cases_depend_on_the_seed_alone():
    assert cases_of(BFS, Draw(3)) == cases_of(BFS, Draw(3)) != cases_of(BFS, Draw(4))


WIDE = Draw(1, (2, 3), sizes=False)


def test_neighbors_of_2x3_match_the_reference():
    exercise = exercises()["neighbors"]
    for case, result in zip(cases_of(exercise, WIDE), references("neighbors", WIDE), strict=True):
        assert list(map(tuple, result.value)) == neighbors(case.args["board"])


@pytest.mark.parametrize("key", ["is_solvable", "misplaced", "manhattan", "linear_conflict"])
def test_estimates_of_2x3_match_those_of_the_library(key):
    for case, result in zip(cases_of(exercises()[key], WIDE), references(key, WIDE), strict=True):
        if case.every:
            continue
        board, goal = (Board(2, 3, tuple(case.args[name])) for name in ("board", "goal"))
        if key == "is_solvable":
            assert result.value == Puzzle(board, goal).solvable
        else:
            assert result.value == find_heuristic(key.replace("_", "-")).value(board, goal)


def test_pattern_tables_of_2x3_match_the_reference():
    cases = cases_of(exercises()["pattern_table"], WIDE)
    for case, result in zip(cases, references("pattern_table", WIDE), strict=True):
        found = {tuple(cells): cost for cells, cost in result.value["pairs"]}
        tiles, goal = case.args["tiles"], case.args["goal"]
        assert found == fewest_moves(2, 3, map(goal.index, tiles), goal.index(0))


BOARDS = [list(board) for board in PATH]


@pytest.mark.parametrize(
    "value",
    [
        BOARDS,
        ["right", "down"],
        ["L", "U"],
        ["begin", "right", "down"],
        [BOARDS, 2],
        [{"pairs": [[BOARDS[0], None], [BOARDS[1], BOARDS[0]], [BOARDS[2], BOARDS[1]]]}, 3],
        [{"pairs": [[BOARDS[0], [None, None]], [BOARDS[1], [BOARDS[0], "R"]],
                    [BOARDS[2], [BOARDS[1], "D"]]]}, BOARDS[2], 3],
    ],
)  # fmt: skip
def test_path_is_read_in_usual_forms(value):
    answer = read_answer(value, START, GOAL)
    assert (answer.boards, answer.length) == (PATH, 2)


@pytest.mark.parametrize("value", [None, False, [], [None, 7]])
def test_missing_path_is_read(value):
    assert not read_answer(value, START, GOAL).found


@pytest.mark.parametrize("value", [True, 5, [list(GOAL), 2], "x"])
def test_result_without_a_path_is_not_judged(value):
    answer = read_answer(value, START, GOAL)
    assert (answer.unread, answer.length, bool(answer.note)) == (True, None, True)


def test_given_neighbors_match_the_solution():
    program = {}
    exec(exercises()["neighbors"].solution, program)
    for board in PATH:
        assert neighbors(board) == program["neighbors"](board)
    assert board_text(START) == "0 1/2 3"


def test_library_and_command_load_no_judge():
    code = (
        "import sys, slidewise, slidewise.cli; "
        "print([name for name in sys.modules if 'course.judge' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_streams_are_restored_after_calls_of_two_threads():
    """In turn: the second would otherwise restore the first's replacement of the output."""
    before, first_is_in, second_is_in, first_has_ended = sys.stdout, Event(), Event(), Event()

    def first():
        with captured(no_input):
            first_is_in.set()
            second_is_in.wait(0.5)  # never, unless both are in at once
        first_has_ended.set()

    def second():
        first_is_in.wait()
        with captured(no_input):
            second_is_in.set()
            first_has_ended.wait()

    threads = [Thread(target=one, daemon=True) for one in (first, second)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    left, sys.stdout = sys.stdout, before
    assert left is before
