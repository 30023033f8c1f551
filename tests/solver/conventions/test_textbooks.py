"""Each rule of a convention, compared with a program written from its definition."""

import random

import pytest

from slidewise import Limits, scramble, search
from slidewise.solver.convention import ALGORITHMS, ORDERS, Duplicates
from slidewise.solver.events import Expanded, Finished
from tests.boards import near
from tests.each import each, some
from tests.solver import oracle
from tests.solver.conventions import textbook_programs as book
from tests.solver.conventions import textbook_queues as queues

MOST = 150
"""Compared expansions: enough to distinguish each rule from the others."""

QUEUES = {
    "queue=counter": queues.Counting,
    "queue=counter,ties=last-in": lambda: queues.Counting(-1),
    "queue=counter,ties=higher-g": lambda: queues.Counting(tie=lambda node: -node.g),
    "queue=counter,ties=lower-g": lambda: queues.Counting(tie=lambda node: node.g),
    "queue=counter,ties=lower-h": lambda: queues.Counting(tie=lambda node: node.h),
    "queue=heapq": queues.PlainHeapq,
    "queue=binary-heap": queues.MinPQ,
    "queue=boards": lambda: queues.Counting(tie=lambda node: node.board),
    "queue=list,ties=first-in": queues.SortedList,
}
SIBLINGS = {"siblings=first-in": True, "siblings=last-in": False}


def frontiers(algorithm):
    """Return the frontiers that a program can use, by their convention text."""
    if algorithm == "bfs":
        return {"": queues.Fifo}
    if algorithm == "dfs":
        return {
            text: lambda on_top=on_top: queues.Stack(on_top) for text, on_top in SIBLINGS.items()
        }
    return QUEUES


def slidewise_run(puzzle, algorithm, text, depth=None):
    """Return the expansions, the path and the number of generated boards of Slidewise."""
    limits = Limits(expansions=MOST, depth=depth)
    events = list(search(puzzle, algorithm, "manhattan", limits, trace=MOST, convention=text))
    result = next(event.result for event in events if isinstance(event, Finished))
    expanded = [event.board.cells for event in events if isinstance(event, Expanded)]
    path = None
    if result.length is not None:
        path = [puzzle.start.cells, *(step.board.cells for step in result.steps())]
    return book.Found(expanded, path, result.generated)


def program_run(puzzle, algorithm, text, depth=None):
    """Return the outcome of the program that follows the rules in `text`."""
    rules = dict(rule.split("=") for rule in text.split(",")[1:])
    rank, informed = oracle.RANKS[algorithm], algorithm in ("greedy", "astar")
    start, goal = puzzle.start.cells, puzzle.goal.cells
    task = book.Puzzle(start, goal, puzzle.cols, rules["order"], rank, informed)
    held = next(make for part, make in frontiers(algorithm).items() if text.endswith(part))
    program = book.programs()[rules["duplicates"]]
    return program(task, held(), early=rules["goal"] == "made", depth=depth).run(MOST)


def some_boards(numbers):
    """Yield a random puzzle of 2x3, and one of 3x3 some moves from its goal."""
    yield scramble(2, 3, str(numbers.random()))
    yield near((3, 3), numbers.randrange(4, 40), numbers.random())


def some_texts(numbers, algorithm, rule, orders):
    """Yield texts that name each kind of frontier with this rule for duplicates."""
    for order in orders:
        for held in frontiers(algorithm):
            goal = numbers.choice(["made", "taken"])
            parts = ["columbia", f"order={order}", f"goal={goal}", f"duplicates={rule}", held]
            yield ",".join(filter(None, parts))


def compare_with_programs(algorithm, rule, rounds):
    """Compare the orders, paths and counts of Slidewise with those of the programs."""
    numbers = random.Random(f"{algorithm} {rule}")
    for _ in range(rounds):
        for text in some_texts(numbers, algorithm, rule, [numbers.choice(ORDERS)]):
            for puzzle in some_boards(numbers):
                depth = numbers.choice([None, None, 12]) if algorithm == "dfs" else None
                expected = program_run(puzzle, algorithm, text, depth)
                assert slidewise_run(puzzle, algorithm, text, depth) == expected, (
                    str(puzzle),
                    text,
                )


RULES = [one.key for one in Duplicates]


@each("algorithm", ALGORITHMS)
@each("rule", RULES)
def test_each_rule_matches_a_program_of_its_definition(algorithm, rule):
    compare_with_programs(algorithm, rule, rounds=1)


@pytest.mark.soak
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("rule", RULES)
def test_each_rule_matches_its_program_on_many_boards(algorithm, rule):
    compare_with_programs(algorithm, rule, rounds=40)


@pytest.mark.parametrize("order", some(ORDERS, 0, 9, 18))
def test_each_order_matches_the_programs(order):
    """The recursion marks a board when it visits it. Its rule is `expanded`."""
    numbers = random.Random(order)
    small, large = some_boards(numbers)
    for algorithm in ALGORITHMS:
        held = frontiers(algorithm)
        text = ",".join(
            filter(None, ["columbia", f"order={order}", "goal=taken", "duplicates=made"])
        )
        text = ",".join(filter(None, [text, numbers.choice(list(held))]))
        assert slidewise_run(large, algorithm, text) == program_run(large, algorithm, text)
    found = slidewise_run(small, "dfs", f"columbia,order={order},duplicates=expanded")
    task = book.Puzzle(
        small.start.cells, small.goal.cells, 3, order, oracle.RANKS["dfs"], informed=False
    )
    assert (found.expanded, found.path) == book.depth_first_recursion(task, MOST)
