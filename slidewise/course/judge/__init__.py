"""Exercises in writing searches, and a judge of the programs. Standard library only.

`exercises()` returns the data of the 18 functions to write. `judge(key, code)` runs a program on
boards drawn from a seed and returns a `Judgement`; its `as_json()` is a `ReportJson`:

- `exercise`, `title`, `seed`, `points`, `points_possible`, `passed`;
- `checks`: list of `key`, `text`, `points`, `passed` and `note` (how a board fails the check);
- `error`: null, or the `type`, `message` and `line` of the first exception;
- `mistake`: null, or the `key`, `title`, `text` and `mend` of the known mistake;
- `case`: null, or the smallest board that fails the first failed check: `check`, `board`, `goal`,
  `arguments`, `call`, `yours`, `expected`;
- `line`: null, or a change of a single line with which all checks pass: `number`, `old`, `new`;
- `figures`: sums over all calls: `calls`, `expansions`, `generated`, `reference_expansions`,
  `milliseconds`;
- `trace`: null, or a search: `board`, `goal`, `heuristic`, `expanded` boards and their `parents`
  (the index of the expansion that generated each, -1 for a root), `expansions`, `generated`,
  `path`, `differs`;
- `hint`: the next hint, or null.

A board is a flat tuple of numbers, row by row, with 0 as the blank. In a report it is text, such as
`1 2 3/4 5 6/7 8 0`. The program receives the functions that a task names. Its own functions with a
usual name, such as `get_neighbors`, are wrapped, so that their calls count too.

The judge ends a call that expands too many boards. It does not limit time or memory, and it does
not confine the program: `confined` does both, and `session` judges a program in another worker.

>>> report = judge("misplaced", "def misplaced(board, goal): return 9")
>>> report.points, report.as_json()["case"]["board"]
(0, '1 2 3/4 5 6/7 8 0')
"""

from slidewise.course.judge.catalogue import Mistake, WrongProgram
from slidewise.course.judge.driving import judge
from slidewise.course.judge.exercise import Check, Exercise, exercises, find_exercise
from slidewise.course.judge.report import Judgement, ReportJson, Rules

__all__ = [
    "Check",
    "Exercise",
    "Judgement",
    "Mistake",
    "ReportJson",
    "Rules",
    "WrongProgram",
    "exercises",
    "find_exercise",
    "judge",
]
