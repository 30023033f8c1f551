"""Reports of checks, as one file to read and to compare: `python -m tests.course.check.reports`.

The file has the whole answer to each submission, so every change shows in a diff.
"""

import json
from functools import cache
from pathlib import Path

from slidewise import check, parse_puzzle
from tests.course.check import right_programs
from tests.course.check.test_each_mistake import PROGRAMS, printed_by
from tests.course.check.test_printed import PRINTED, PUZZLE

FILE = Path(__file__).with_name("reports.txt")
EXPANSIONS = 1_000
EXPLAINED_LATE = "astar_euclidean", "pairs-in-heap"
"""Submissions whose explanation takes more expansions."""

NEAR, FAR, FIRST = "4.1.3-7.2.5-0.8.6", "8.1.3-4.0.2-7.6.5", "1.4.2-3.0.5-6.7.8_0.1.2-3.4.5-6.7.8"
ONE_MOVE = "1.2.3-4.5.6-7.0.8"
ORDER = "1.2.3-4.0.6-7.5.8\n1.0.3-4.2.6-7.5.8\n"
"""The first two expansions of the board two moves from its goal."""

SUBMISSIONS = {
    "a path whose second step is illegal": ("bfs", NEAR, {"path": "DRURDD"}),
    "the shortest path": ("bfs", PUZZLE, {"path": "UL"}),
    "the shortest path of the blank": ("bfs", PUZZLE, {"path": "DR"}),
    "a path that is longer": ("astar", PUZZLE, {"path": "DUUL"}),
    "a longer path of a search that promises none": ("dfs", PUZZLE, {"path": "DUUL"}),
    "a path of an illegal move": ("astar", PUZZLE, {"path": "ULL"}),
    "a path that ends elsewhere": ("astar", PUZZLE, {"path": "U"}),
    "a path in words": ("bfs", PUZZLE, "path_to_goal: ['Down', 'Right']\ncost_of_path: 2\n"),
    "a path off by one board": ("bfs", PUZZLE, "path: 5\n"),
    "an empty path": ("bfs", PUZZLE, "path_to_goal:\n"),
    "no solution": ("bfs", PUZZLE, "solution: none\n"),
    "a length alone": ("idastar", PUZZLE, {"length": 4}),
    "the right length alone": ("idastar", PUZZLE, {"length": 2}),
    "counts as Slidewise counts": ("bfs", PUZZLE, {"expanded": 7}),
    "counts that nobody has": ("bfs", PUZZLE, {"expanded": 3000, "generated": 5}),
    "counts with the goal": ("astar", PUZZLE, {"path": "UL", "expanded": 3}),
    "counts without the start": ("astar", PUZZLE, {"path": "UL", "generated": 6}),
    "counts of course files": ("bfs", PUZZLE, "nodes_expanded: 8\nmax_search_depth: 3\n"),
    "counts before a path that is longer": ("bfs", PUZZLE, {"path": "DUUL", "expanded": 8}),
    "two expansions": ("bfs", PUZZLE, ORDER),
    "an expansion and the goal": ("bfs", ONE_MOVE, f"{ONE_MOVE}\n1.2.3-4.5.6-7.8.0"),
    "an expansion twice": ("bfs", PUZZLE, ORDER + ORDER),
    "an expansion out of reach": ("bfs", PUZZLE, ORDER + "1.2.3-4.5.6-8.7.0"),
    "more expansions than there are": ("astar", PUZZLE, "1.2.3-4.0.6-7.5.8\n" * 2 + ORDER * 8),
    "values that nothing uses": ("bfs", PUZZLE, "board,g,h\n1.2.3-4.0.6-7.5.8,0,2\n"),
    "values of uniform cost": ("ucs", PUZZLE, "board,g,f\n1.2.3-4.0.6-7.5.8,0,1\n"),
    "a wrong h": ("astar", PUZZLE, "board,g,h\n1.2.3-4.0.6-7.5.8,0,3\n"),
    "a wrong g": ("astar", PUZZLE, "board,g,h\n1.2.3-4.0.6-7.5.8,1,2\n"),
    "a start that is the goal": ("bfs", "1.2.3-4.5.6-7.8.0", {"path": "", "expanded": 1}),
    "a weight": ("wastar", FAR, {"expanded": 20, "path": "UL"}),
    "both ends": ("bidirectional", NEAR, {"expanded": 8, "length": 6}),
    "recursive best-first search": ("rbfs", NEAR, {"expanded": 6, "generated": 15}),
    "depth-first counts": ("dfs", PUZZLE, {"expanded": 1_000_000}),
}
CONVENTIONS = {"columbia": "bfs", "princeton": "astar", "42": "astar", "aima3": "astar"}


def cases():
    """Return the arguments of `check` by name."""
    found = {}
    for name, (algorithm, puzzle, given) in SUBMISSIONS.items():
        puzzle = parse_puzzle(puzzle) if isinstance(puzzle, str) else puzzle
        found[name] = {"puzzle": puzzle, "algorithm": algorithm, "given": given}
        if name.startswith(("counts", "two", "an expansion")):
            found[f"{name}, strictly"] = {**found[name], "strict": True}
    for name, (text, *_) in PRINTED.items():
        found[f"printed: {name}"] = {"puzzle": PUZZLE, "algorithm": "bfs", "given": text}
    for convention, algorithm in CONVENTIONS.items():
        given = {"path": "UL", "expanded": 5, "generated": 9}
        start = {"puzzle": PUZZLE, "algorithm": algorithm, "convention": convention}
        found[f"under {convention}"] = {**start, "given": given}
    for algorithm, programs in right_programs.PROGRAMS.items():
        for program in programs if algorithm != "dfs" else ():
            puzzle = parse_puzzle(NEAR if algorithm == "iddfs" else FAR)
            given = program(puzzle.start.cells, puzzle.goal.cells)
            found[program.__name__] = {"puzzle": puzzle, "algorithm": algorithm, "given": given}
    for key, (first, *_) in PROGRAMS.items():
        puzzle, heuristic, given = printed_by(*first)
        start = {"puzzle": puzzle, "algorithm": first[0], "heuristic": heuristic}
        found[key] = {**start, "given": given}
    for name in EXPLAINED_LATE:
        found[name]["expansions"] = 20_000
    return found


def report_of(case):
    """Return the report as text. A line of JSON follows, without fields that repeat the text."""
    report = check(**{"expansions": EXPANSIONS, **case})
    answer = report.as_json()
    flags = {name: answer[name] for name in ("right", "wrong", "exact", "agreed", "complete")}
    for part in "divergence", "explanation":
        found = answer[part] or {}
        repeated = ("title", "text", "mend", "yours", "expected", "reason", "why", "boards")
        flags[part] = {name: value for name, value in found.items() if name not in repeated}
    line = json.dumps(flags, ensure_ascii=False)
    return f"{report.as_text()}\n\n{line}"


@cache
def stored():
    """Return the stored reports by name."""
    parts = FILE.read_text(encoding="utf-8").split("\n## ")[1:]
    return {name: text.strip() for name, _, text in (part.partition("\n") for part in parts)}


def stored_flags(name):
    """Return the JSON of a stored report."""
    return json.loads(stored()[name].splitlines()[-1])


def write():
    """Write the file of reports."""
    head = "Made by `python -m tests.course.check.reports`.\n"
    parts = [f"\n## {name}\n\n{report_of(case)}\n" for name, case in cases().items()]
    FILE.write_text(head + "".join(parts), encoding="utf-8")


if __name__ == "__main__":
    write()
