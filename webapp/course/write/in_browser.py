"""The judge of the page, in Pyodide in its own worker, where no program of a student runs.

The worker imports this from the archive of `write.py`. It has the standard library,
`slidewise.course.judge` and `slidewise.course.programs`, and no other module of the web app.
The page passes each request on to the worker of the program, and the results back.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from slidewise.course.judge import Exercise, Judgement, Rules, exercises, find_exercise
from slidewise.course.judge.alike import ComparedProgram, groups_of_alike
from slidewise.course.judge.class_files import read_rules
from slidewise.course.judge.find import KnownForm, find_functions
from slidewise.course.judge.fitting import Requests
from slidewise.course.judge.gradebook import Grade, Gradebook, titles_of
from slidewise.course.judge.own_exercise import read_text
from slidewise.course.judge.repair import find_line
from slidewise.course.judge.report import LineChange, failed_report
from slidewise.course.judge.session import Session, judging, read_reply
from slidewise.course.judge.sources import UnreadableFileError, parse_source, suspicious_words
from slidewise.course.programs.calls import TRACED, Failure, ProgramReply
from slidewise.course.programs.child import LoadProgram, Run, as_line
from slidewise.puzzle import PuzzleError, parse_board
from slidewise.text import Message, message

SENTENCES = {
    "IndentationError": message(
        "The lines of a block start in the same column, four spaces further in."
    ),
    "SyntaxError": message(
        "Python cannot read this line. Look for a missing colon, bracket, quote or indentation."
    ),
    "NameError": message("No variable or function has this name here. Check its spelling."),
    "UnboundLocalError": message("The function uses this variable before it has a value."),
    "TypeError": message(
        "A value has the wrong type, or a call has the wrong number of arguments."
    ),
    "IndexError": message("The position is past the end. A list of 9 has the positions 0 to 8."),
    "KeyError": message("The dictionary has no such key. Test it with `in` first."),
    "AttributeError": message("The value has no such method. It may be None."),
    "ValueError": message("The value has the right type, but it is not possible here."),
    "RecursionError": message(
        "The function calls itself without end. Check the case that stops it."
    ),
    "ZeroDivisionError": message("The number after the division sign is 0."),
    "ModuleNotFoundError": message(
        "Only Python's standard library is here, without networks and files."
    ),
    "MemoryError": message("The program stored too much. A board may be stored again and again."),
    "EOFError": message("Nobody can answer input() here. Use the arguments of the function."),
    "AssertionError": message("An assert of your own failed."),
}
"""An explanation of each common error."""


@dataclass
class _Task:
    """A program to judge: the code that runs, its session, the last request, the report."""

    code: str
    session: Session | Requests[LineChange | None] | None = None
    request: LoadProgram | Run | None = None
    report: Judgement | None = None

    def begin_line(self) -> None:
        """Start the search for a line to try."""
        assert self.report
        self.session = find_line(self.report.exercise, self.code, self.report)

    def go_on(self, reply: ProgramReply | None) -> dict[str, Any]:
        """Return the next request, the report, or the line to try."""
        assert self.session
        try:
            self.request = self.session.send(reply) if reply else next(self.session)
        except StopIteration as end:
            if self.report:
                line = end.value.as_json() if end.value else None
                return {"line": line and line | {"messages": dict(_messages(line))}}
            self.report = end.value
            return {"report": _as_json(end.value) | {"suspicious": suspicious_words(self.code)}}
        calls = len(self.request.cases) if isinstance(self.request, Run) else 0
        return {"request": as_line(self.request), "calls": calls}


_task = _Task("")


def answer(text: str, _write: Callable[[str], object] | None = None) -> str:
    """Start a task, or continue with the results of the last request.

    `text` is JSON: a `task` with the arguments of `_begin`, `line` for a line to try after the
    report, or the `lines` of results, with `ended` for why some are missing. Returns JSON: a
    `request` with its number of `calls`, a `report`, a `line` or null, or why the file is
    `unreadable`. `alike` and `gradebook` are questions about a class, with the arguments of
    `_alike` and `_filled`.
    """
    global _task
    question = json.loads(text)
    for name, about_class in ABOUT_CLASS.items():
        if name in question:
            try:
                return json.dumps(about_class(**question[name]))
            except PuzzleError as error:
                return _unreadable(error)
    if "line" in question:
        _task.begin_line()
        return json.dumps(_task.go_on(None))
    if "task" not in question:  # the results of the last request
        assert _task.request
        reply = read_reply(_task.request, question["lines"], question["ended"])
        return json.dumps(_task.go_on(reply))
    try:
        _task = _begin(**question["task"])
    except PuzzleError as error:
        return _unreadable(error)
    return json.dumps(_task.go_on(None))


def _unreadable(error: PuzzleError) -> str:
    """Return an error as JSON, with the messages that the page translates."""
    text = error.args[0] if error.args else ""
    return json.dumps({"unreadable": text, "messages": dict(_messages(text))})


def _begin(
    exercise: str,
    code: str,
    seed: int,
    rules: str = "",
    hints: int = 0,
    suffix: str = "",
    function: str = "",
    kind: str = "",
    goal: str = "",
    files: list[tuple[str, str]] | None = None,
    own: str = "",
    explicit: bool = True,
) -> _Task:
    """Start with a program, or with a file as `slidewise grade` reads it, without its hints.

    A person can name the function, the kind of its boards and its goal. `files` are modules that it
    imports, and `own` is the file of a teacher's exercise. An exercise that neither a person nor
    the file's header names is not `explicit`. Raises `PuzzleError`.
    """
    holding = read_rules([rules])
    known = KnownForm(function.strip(), kind, parse_board(goal).cells if goal.strip() else ())
    if not suffix:
        one = _exercise(exercise, own)
        session = judging(one, code, known=known, seed=seed, rules=holding, hints_seen=hints)
        return _Task(code, session)
    source, holding = parse_source(code.encode(), suffix), replace(holding, hints=False)
    found = find_functions([*source.functions, *source.broken])
    one = _exercise(exercise or _exercise_of(found), own)
    names = [one.function] if own else found.get(one.key, source.unread_functions)
    # a broken function only counts if no version of it can be read
    if names and all(name in source.broken for name in names):
        return _Task(source.code, _broken(one, source.broken[names[0]], seed, holding))
    modules = tuple((name, text) for name, text in files or ())
    session = judging(
        one,
        source.code,
        definitions=True,
        known=known,
        files=modules,
        explicit=explicit,
        seed=seed,
        rules=holding,
    )
    return _Task(source.code, session)


def _exercise(key: str, own: str) -> Exercise:
    """Return a built-in exercise, or a teacher's from its file."""
    return read_text(own) if own else find_exercise(key)


def _exercise_of(found: dict[str, list[str]]) -> str:
    """Return the exercise of a file that names none, by its functions: its only search, also by
    its exact name, or the only function that no other uses. Raises `PuzzleError`.

    >>> _exercise_of(find_functions(["neighbors", "manhattan", "a_star"]))
    'astar'
    """
    used = {name for key in found for name in exercises()[key].uses}
    searches = [key for key in found if exercises()[key].is_search]
    exact = [key for key in searches if key in found[key]]
    keys = exact or searches or [key for key in found if key not in used]
    if len(keys) != 1:
        raise PuzzleError(
            message("the file has no exercise's name, and functions of none or several: choose one")
        )
    return keys[0]


def _broken(exercise: Exercise, error: Failure, seed: int, rules: Rules) -> Session:
    """Return the report of a function whose code cannot be read, without a request."""
    return failed_report(exercise, error, seed, rules)
    yield  # makes this a generator, like `judging`


def _alike(programs: list[tuple[str, str, str]]) -> dict[str, Any]:
    """Return groups of the programs that are alike; each has code, suffix and exercise."""
    return {"groups": groups_of_alike([_compared(*one) for one in programs])}


def _compared(code: str, suffix: str, exercise: str) -> ComparedProgram:
    try:
        return ComparedProgram(
            parse_source(code.encode(), suffix).code, (exercise,) if exercise else ()
        )
    except UnreadableFileError:
        return ComparedProgram("")


def _filled(
    file: str,
    grades: list[tuple[str, list[str], int | None, int]],
    exercise: str,
    column: str,
    own: str = "",
) -> dict[str, Any]:
    """Return a gradebook with the grades. Its bytes are characters, before and after."""
    gradebook = Gradebook(file.encode("latin-1"))
    chosen = column or gradebook.column_for(titles_of(_exercise(exercise, own)))
    filled = gradebook.filled([Grade(*one) for one in grades], chosen or gradebook.titles[0])
    return {
        "column": chosen,
        "columns": gradebook.columns,
        "file": filled.data.decode("latin-1") if chosen else "",
        "maximum": filled.maximum if chosen else 0,
        "students": [row and row._asdict() for row in filled.students],
        "missing": [row._asdict() for row in filled.missing],
    }


ABOUT_CLASS: dict[str, Callable[..., dict[str, Any]]] = {"alike": _alike, "gradebook": _filled}
"""Functions for questions about a class, by the name of the question."""


def _as_json(judged: Judgement) -> dict[str, Any]:
    report: dict[str, Any] = {
        **judged.as_json(),
        "trace": judged.trace(TRACED),
        "sentence": "",
        "read": judged.was_read,
    }
    if judged.error:
        report["sentence"] = sentence_of(judged.error, judged.exercise.signature)
    return report | {"messages": dict(_messages(report))}


def _messages(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the messages within JSON, for a page that translates them."""
    if isinstance(value, Message):
        yield str(value), {"template": value.template, "values": value.values}
        value = value.values
    if isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _messages(one)


def sentence_of(error: Failure, signature: str) -> str:
    """Explain an exception of a function with the signature.

    >>> sentence_of(
    ...     Failure("TypeError", "bfs() takes 1 positional argument ...", None), "bfs(a, b)"
    ... )
    'The judge calls the function as bfs(a, b): take these arguments, in this order.'
    >>> sentence_of(Failure("TabError", "", 1), "") == sentence_of(
    ...     Failure("IndentationError", "", 1), ""
    ... )
    True
    """
    if error.type == "TypeError" and error.line is None and "positional argument" in error.message:
        return message(
            "The judge calls the function as %(signature)s: take these arguments, in this order.",
            signature=signature,
        )
    if error.type == "ModuleNotFoundError" and "numpy" in error.message:
        return message(
            "NumPy is not here. A board is a tuple of numbers, such as (1, 2, 3, 4, 5, 6, 7, 8, 0)."
        )
    return SENTENCES.get("IndentationError" if error.type == "TabError" else error.type, "")
