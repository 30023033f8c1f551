"""The plain searches of checks expand the same boards as an independent program."""

from slidewise import parse_puzzle
from slidewise.course.judge.printed.mistakes import ESTIMATES, Change
from slidewise.course.judge.printed.reference import ReferenceSearch
from slidewise.solver.convention import SLIDEWISE
from tests.course.judge.printed import other_programs
from tests.each import each

FAR = parse_puzzle("8.1.3-4.0.2-7.6.5")
MOST = 300


@each(
    "case",
    [
        ({}, {}),
        ({"turn": "layers"}, {"turns": "layers"}),
        ({"turn": "nodes"}, {"turns": "boards"}),
        ({"turn": "smaller"}, {"turns": "smaller"}),
        ({"turn": "start"}, {"turns": "start"}),
        ({"turn": "nodes", "meeting": "taken"}, {"turns": "boards", "meet": "taken"}),
        ({"turn": "smaller", "meeting": "taken"}, {"turns": "smaller", "meet": "taken"}),
        ({"turn": "nodes", "stack": "yes"}, {"turns": "boards", "take": "newest"}),
    ],
)
def test_bidirectional_search_alternates_as_a_program(case):
    switches, how = case
    assert expanded("bidirectional", Change(switches=switches)) == printed(
        other_programs.both_ends, how
    )


@each("case", [({"stored": "parents"}, {}), ({"stored": "own"}, {"f_of": "own"})])
def test_stored_f_of_an_inconsistent_estimate_matches(case):
    switches, how = case
    change = Change(h=ESTIMATES["manhattan-with-blank"], switches=switches)
    how = {"h": "manhattan-blank", **how}
    assert expanded("rbfs", change) == printed(other_programs.rbfs, how)


def expanded(algorithm, change):
    """Return the first boards that a plain search expands."""
    heuristic = "manhattan" if algorithm == "rbfs" else None
    search = ReferenceSearch(FAR, algorithm, heuristic).traced(SLIDEWISE, change)
    search.run(MOST)
    return [tuple(node.cells) for node in search.nodes]


def printed(program, how):
    """Return the first boards that a program expands."""
    order = other_programs.printed(program, FAR.start.cells, FAR.goal.cells, MOST, **how)
    return [one[0] if isinstance(one[0], tuple) else one for one in order]
