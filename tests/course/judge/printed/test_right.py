"""Right programs in many styles are not accused, and wrong work is not called right."""

import pytest

from slidewise import Limits, check, parse_puzzle, search, solve
from slidewise.course.judge.printed import diagnosis
from slidewise.solver.events import Expanded
from tests.course.judge.printed import best_first, right_programs
from tests.course.judge.printed.best_first import neighbours
from tests.each import each

NEAR, FAR = "4.1.3-7.2.5-0.8.6", "8.1.3-4.0.2-7.6.5"
"""Boards of 6 and 14 moves."""

STALE = "1.0.5-4.6.2-7.3.8"
"""A board on which a waiting board soon gets a shorter path."""

MANY = 10_000
"""Limit of traced expansions, above the number of all."""


@pytest.mark.soak
@each("algorithm", right_programs.PROGRAMS)
def test_right_program_is_not_accused(algorithm):
    puzzle = parse_puzzle(NEAR if algorithm in ("bfs", "dfs", "ucs", "iddfs") else FAR)
    for program in right_programs.PROGRAMS[algorithm]:
        printed = program(puzzle.start.cells, puzzle.goal.cells)
        report = check(puzzle, algorithm, given=printed, expansions=20_000)
        verdict = report.right, report.wrong, report.score
        assert verdict == (True, False, 100), (program, report.as_text())
        assert report.exact or report.explanation.right


@each(("algorithm", "board"), [("astar", FAR), ("iddfs", NEAR), ("bidirectional", FAR)])
def test_right_program_in_another_order_is_wrong_strictly(algorithm, board):
    puzzle = parse_puzzle(board)
    printed = right_programs.PROGRAMS[algorithm][0](puzzle.start.cells, puzzle.goal.cells)
    assert check(puzzle, algorithm, given=printed, expansions=2_000).right
    strict = check(puzzle, algorithm, given=printed, expansions=2_000, strict=True)
    assert (strict.right, strict.wrong) == (False, True)
    assert strict.score < 100


@each("convention", ["columbia", "princeton", "42", "aima3", "aima4", "aima-python"])
@each("algorithm", ["bfs", "astar"])
def test_counts_of_each_convention_are_right(convention, algorithm):
    puzzle = parse_puzzle(FAR if algorithm == "astar" else NEAR)
    result = solve(puzzle, algorithm, convention=convention)
    names = ("expanded", "generated", "deepest")
    given = {"path": result.moves, **{name: getattr(result, name) for name in names}}
    report = check(puzzle, algorithm, given=given)
    assert report.right, report.as_text()
    assert not any("With that, however" in note for note in report.notes)
    assert len(set(report.notes)) == len(report.notes)
    assert report.exact or report.explanation.right


def test_longer_path_is_wrong_for_an_optimal_search():
    puzzle = parse_puzzle("1.0.3-4.2.5")
    longer = next(
        moves
        for moves in ("URDLUL", "LRUL", "RLUL", "LURDUL", "ULRL")
        if check(puzzle, "greedy", given={"path": moves}).score == 100
    )
    for algorithm, right in (("bfs", False), ("astar", False), ("greedy", True), ("dfs", True)):
        found = check(puzzle, algorithm, given={"path": longer}, expansions=500)
        assert found.right is right, algorithm
        if not right:
            assert found.title == "Your path is not of the shortest length"
            assert [(one.key, one.right) for one in found.properties] == [
                ("path", True),
                ("length", False),
            ]
            assert found.score == 50


def test_counts_impossible_for_a_right_search_are_wrong():
    puzzle = parse_puzzle(FAR)
    shortest = solve(puzzle).moves
    for algorithm in ("bfs", "astar"):
        found = check(puzzle, algorithm, given={"path": shortest, "expanded": 3}, expansions=500)
        assert [one.right for one in found.properties] == [True, True, False]
        assert found.wrong
    more = check(puzzle, "astar", given={"path": shortest, "expanded": 99_999}, expansions=500)
    assert (more.right, more.title) == (True, "Your path is right")
    assert "Not known to be right or wrong: expanded." in more.notes
    alone = check(puzzle, "greedy", given={"expanded": 99_999}, expansions=500)
    assert (alone.right, alone.wrong) == (False, False)
    assert "cannot be checked" in alone.title


def test_reference_is_limited_only_under_other_conventions(monkeypatch):
    monkeypatch.setattr(diagnosis, "PLAIN_EXPANSIONS", 5)
    puzzle = parse_puzzle(NEAR)
    for algorithm, convention, is_cut in (
        ("bfs", "slidewise", False),
        ("idastar", "slidewise", False),
        ("bfs", "columbia", True),
    ):
        found = check(puzzle, algorithm, "misplaced", convention, {"path": solve(puzzle).moves})
        assert (found.result.length is None) is is_cut, (algorithm, convention)
    for convention in ("slidewise", "columbia"):
        limits = Limits(expansions=2)
        limited = check(puzzle, "bfs", convention=convention, given="UL", limits=limits)
        assert limited.result.length is None


def test_search_without_a_visited_set_is_right_with_advice():
    puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    waiting, order = [puzzle.start.cells], []
    while waiting[0] != puzzle.goal.cells:
        order.append(waiting.pop(0))
        waiting += neighbours(order[-1], order="rdlu")
    found = check(puzzle, "bfs", given=right_programs.lines(order))
    assert found.right
    assert "Keep a set of the boards reached" in found.explanation.mend
    assert "To fix it" not in found.as_text()


@each("heuristic", ["euclidean", "manhattan"])
def test_euclidean_distance_is_no_mistake(heuristic):
    kind = {"euclidean": "crow", "manhattan": "manhattan"}[heuristic]
    puzzle = parse_puzzle(FAR)
    order = best_first.best(puzzle.start.cells, puzzle.goal.cells, h=kind)
    found = check(puzzle, "astar", given=best_first.text_of(order))
    assert (found.right, found.score) == (True, 100), found.as_text()
    assert found.explanation is None or found.explanation.mend == ""


def test_peak_frontier_of_another_convention_is_not_wrong():
    puzzle = parse_puzzle(FAR)
    other = solve(puzzle, "bfs", convention="aima3")
    given = {"path": other.moves, "peak_frontier": other.peak_frontier}
    assert other.peak_frontier < other.expanded
    assert check(puzzle, "bfs", given=given, expansions=500).score == 100


@each("algorithm", ["bfs", "dfs", "greedy", "astar", "bidirectional"])
def test_more_expanded_than_generated_allows_is_wrong(algorithm):
    puzzle = parse_puzzle("1.2.3-4.0.6-7.5.8")
    found = check(puzzle, algorithm, given={"expanded": 3000, "generated": 5}, expansions=500)
    assert (found.wrong, found.score) == (True, 0)


@each("algorithm", ["greedy", "idastar", "iddfs", "rbfs", "bidirectional"])
@each("name", ["expanded", "generated"])
def test_fewer_nodes_than_moves_is_wrong(algorithm, name):
    found = check(parse_puzzle(FAR), algorithm, given={name: 5}, expansions=500)
    assert (found.wrong, found.score) == (True, 0)


@each("given", [{"expanded": 99_999}, {"length": 40}])
def test_strict_count_that_differs_is_wrong(given):
    puzzle = parse_puzzle(FAR)
    liberal = check(puzzle, "greedy", given=given, expansions=500)
    strict = check(puzzle, "greedy", given=given, expansions=500, strict=True)
    assert (liberal.wrong, liberal.score) == (False, 100)
    assert (strict.wrong, strict.score) == (True, 0)
    assert not any("Not known" in note for note in strict.notes)


@each("convention", ["princeton", "42", "slidewise,counts=taken"])
@each("algorithm", ["bfs", "astar"])
def test_count_without_the_goal_does_not_leave_out_the_start(convention, algorithm):
    for text in ("1.2.3-4.5.6-7.8.0", NEAR):
        puzzle = parse_puzzle(text)
        counted = solve(puzzle, algorithm, convention=convention).expanded
        for offset, title in ((-1, "The goal is not counted as expanded"), (1, None)):
            given = {"expanded": counted + offset}
            found = check(puzzle, algorithm, convention=convention, given=given, expansions=0)
            assert not found.wrong
            if title:
                assert found.explanation.title == title
            assert "The goal is counted as expanded" not in found.as_text()


def expansions(board, algorithm, heuristic="manhattan", convention="slidewise"):
    """Return the boards that a search expands, one a line."""
    events = search(parse_puzzle(board), algorithm, heuristic, trace=MANY, convention=convention)
    return "\n".join(str(event.board) for event in events if isinstance(event, Expanded))


def test_goal_at_the_end_of_the_expansions_is_no_difference():
    puzzle = parse_puzzle(NEAR)
    found = check(puzzle, "bfs", given=f"{expansions(NEAR, 'bfs')}\n{puzzle.goal}")
    assert (found.exact, found.title) == (True, "Everything is right")
    longer = f"{expansions(NEAR, 'bfs')}\n{puzzle.start}"
    assert check(puzzle, "bfs", given=longer).divergence.kind == "went on"


def test_rule_that_makes_a_star_suboptimal_is_named():
    text = expansions(STALE, "astar", "misplaced", "slidewise,duplicates=made")
    found = check(parse_puzzle(STALE), "astar", "misplaced", given=text)
    assert "With this A* can miss the shortest path" in found.explanation.text
    assert found.explanation.mend.startswith("When you find a shorter path")


def test_boards_of_the_first_different_step_are_numbered():
    puzzle = parse_puzzle(NEAR)
    moves = solve(puzzle, "greedy").moves
    back = {"U": "DU", "D": "UD", "L": "RL", "R": "LR"}[moves[1]]
    longer = moves[:2] + back + moves[2:]
    found = check(puzzle, "greedy", given={"path": longer}, expansions=500).divergence
    assert found.kind == "path"
    assert [(one.number, one.mark) for one in found.boards][-1] == (found.number, "wrong")
    assert [one.number for one in found.boards] == list(range(found.number + 1))


def test_unfinished_list_in_another_order_breaks_no_rule():
    puzzle = parse_puzzle(FAR)
    order = best_first.best(puzzle.start.cells, puzzle.goal.cells, h="misplaced", ties="last")
    for given in (order[:40], [state for state, *_ in order[:40]]):
        text = best_first.text_of(given)
        found = check(puzzle, "astar", "misplaced", given=text, expansions=2_000)
        assert found.title == "Your list ends after expansion 40"
        assert (found.agreed, found.wrong) == (40, True)
        assert found.properties[0].words == "The expansions break no rule, but end too early."
        assert found.explanation.right


def test_board_after_the_first_different_expansion_is_shown():
    boards = expansions(NEAR, "bfs").split()
    boards[1:3] = boards[2], boards[1]
    found = check(parse_puzzle(NEAR), "bfs", given="\n".join(boards), expansions=500).divergence
    assert [(one.number, one.mark) for one in found.boards] == [
        (1, "right"),
        (2, "wrong"),
        (3, "next"),
    ]


@each("case", [({"nodes_expanded": 3}, False), ({"max_search_depth": 77}, False), ({}, None)])
def test_counts_do_not_change_the_verdict_on_expansions(case):
    counts, right = case
    boards = expansions(NEAR, "bfs").split()
    found = check(parse_puzzle(NEAR), "bfs", given={"expansions": boards, **counts})
    verdicts = {one.key: one.right for one in found.properties}
    assert (verdicts["rules"], verdicts.get("counts")) == (True, right)


def test_path_beyond_the_goal_differs_after_the_last_move():
    puzzle = parse_puzzle(FAR)
    moves = solve(puzzle, "greedy").moves
    on = {"U": "DU", "D": "UD", "L": "RL", "R": "LR"}[moves[-1]]
    found = check(puzzle, "greedy", given={"path": moves + on}, expansions=500).divergence
    assert (found.number, found.expected) == (len(moves) + 1, "no more moves")
    shown = [one.number for one in found.boards]
    assert shown == list(range(found.number - diagnosis.SHOWN_BEFORE, found.number + 1))


@each("ways", ["DURL", "UDRL"])
def test_wrong_path_does_not_make_right_expansions_wrong(ways):
    puzzle = parse_puzzle(FAR)
    boards = expansions(FAR, "astar", convention="slidewise,ties=last-in").split()
    path = solve(puzzle).moves.translate(str.maketrans("UDLR", ways))
    given = {"expansions": boards, "path": path[::-1] if ways == "DURL" else path}
    found = check(puzzle, "astar", given=given, expansions=3_000)
    verdicts = {one.key: one.right for one in found.properties}
    assert verdicts == {"path": False, "length": False, "rules": True}
    assert found.explanation.key == {"DURL": "path-reversed", "UDRL": "sides-swapped"}[ways]


def test_count_between_the_fewest_and_most_expansions_is_right():
    puzzle = parse_puzzle(FAR)
    moves, goal = solve(puzzle).moves, puzzle.goal.cells
    depths = {puzzle.start.cells: 0}
    layer = [puzzle.start.cells]
    for depth in range(1, len(moves) + 1):
        layer = [new for state in layer for new in neighbours(state) if new not in depths]
        depths |= dict.fromkeys(layer, depth)
    f = [depth + best_first.estimate(state, goal, "manhattan") for state, depth in depths.items()]
    least, most = sum(one < len(moves) for one in f), sum(one <= len(moves) for one in f)
    for expanded, is_wrong in ((least - 2, True), (least - 1, False), (most, False)):
        given = {"path": moves, "expanded": expanded}
        assert check(puzzle, "astar", given=given, expansions=0).wrong is is_wrong
    given = {"path": moves, "expanded": (least + most) // 2}
    notes = check(puzzle, "astar", given=given, expansions=0).notes
    assert any(f"Expanded can be from {least:,} to {most:,}," in note for note in notes)
