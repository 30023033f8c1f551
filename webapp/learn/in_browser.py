"""Runs in Pyodide, in a worker of the page: judges a program and explains its errors.

The worker imports this from the archive of `write.py`. It has the standard library and
`slidewise.study.exercises`, and no other module of the web app.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slidewise.study.exercises import find_exercise, judge
from slidewise.study.exercises.cases import Draw
from slidewise.study.exercises.child import fit
from slidewise.study.exercises.handed_in import read_rules
from slidewise.study.exercises.judging import failed_report, judge_program
from slidewise.study.exercises.running import Failure, LoadError
from slidewise.study.exercises.sources import UnreadableFileError, find_functions, parse_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from slidewise.study.exercises import Judgement

MAX_RECURSION = 3_000
"""Highest recursion limit: WebAssembly's own stack ends the interpreter above it."""

MAX_WATCHED = 2_000
"""Expansions that the page shows and stores."""

FORBIDDEN = ("js", "pyodide_js")
"""Modules that are the worker's JavaScript."""

SENTENCES = {
    "IndentationError": "The lines of a block start in the same column, four spaces further in.",
    "SyntaxError": "Python cannot read this line. Look for a missing colon, bracket or quote.",
    "NameError": "No variable or function has this name here. Check its spelling.",
    "UnboundLocalError": "The function uses this variable before it has a value.",
    "TypeError": "A value has the wrong type, or a call has the wrong number of arguments.",
    "IndexError": "The position is past the end. A list of 9 has the positions 0 to 8.",
    "KeyError": "The dictionary has no such key. Test it with `in` first.",
    "AttributeError": "The value has no such method. It may be None.",
    "ValueError": "The value has the right type, but it is not possible here.",
    "RecursionError": "The function calls itself without end. Check the case that stops it.",
    "ZeroDivisionError": "The number after the division sign is 0.",
    "ModuleNotFoundError": "Only Python's standard library is here, without networks and files.",
    "MemoryError": "The program stored too much. A board may be stored again and again.",
    "EOFError": "Nobody can answer input() here. Use the arguments of the function.",
    "AssertionError": "An assert of your own failed.",
}
"""An explanation of each common error."""


def prepare() -> None:
    """Cap the recursion limit and remove JavaScript, before the first program runs."""
    set_limit = sys.setrecursionlimit
    sys.setrecursionlimit = lambda limit: set_limit(min(limit, MAX_RECURSION))
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "JsFinder"]
    for name in list(sys.modules):
        if name.partition(".")[0] in FORBIDDEN:
            del sys.modules[name]


def run(
    exercise: str,
    code: str,
    seed: int,
    hints_seen: int,
    on_case: Callable[[int, int], None],
    rules: str = "",
) -> str:
    """Judge a program and return the report as JSON, with a sentence about its error."""
    judged = judge(
        exercise,
        code,
        seed=seed,
        rules=read_rules([rules]),
        hints_seen=hints_seen,
        on_case=on_case,
    )
    return _as_text(judged)


def run_file(
    exercise: str,
    text: str,
    suffix: str,
    seed: int,
    on_case: Callable[[int, int], None],
    rules: str = "",
) -> str:
    """Judge a file as `slidewise grade` reads it, a program or a notebook, without its hints."""
    one, holding = find_exercise(exercise), replace(read_rules([rules]), hints=False)
    try:
        source = parse_source(text.encode(), suffix)
        found = find_functions([*source.functions, *source.broken])
        names = [name for name, keys in found.items() if exercise in keys]
        if not names:
            raise UnreadableFileError(f"the file has no function {exercise}")
        if exercise not in names and names[0] in source.broken:
            names = sorted(names, key=source.broken.__contains__)
        name = exercise if exercise in names else names[0]
        if name in source.broken:
            kind, _, message = source.broken[name].partition(": ")
            return _as_text(failed_report(one, Failure(kind, message, None), seed, holding))
        program, shape, sizes = fit(one, source.code, name)
    except UnreadableFileError as error:
        return json.dumps({"unreadable": str(error)})
    except LoadError as error:
        return _as_text(failed_report(one, error.failure, seed, holding))
    return _as_text(judge_program(program, Draw(seed, shape, sizes), holding, on_case=on_case))


def _as_text(judged: Judgement) -> str:
    report: dict[str, Any] = {
        **judged.as_json(),
        "trace": judged.trace(MAX_WATCHED),
        "sentence": "",
    }
    if report["error"]:
        report["sentence"] = sentence_of(report["error"]["type"])
    return json.dumps(report)


def sentence_of(error: str) -> str:
    """Explain an exception type.

    >>> sentence_of("TabError") == sentence_of("IndentationError")
    True
    """
    return SENTENCES.get("IndentationError" if error == "TabError" else error, "")
