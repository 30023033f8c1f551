"""Exercises of a teacher: a folder with `exercise.toml`, `starter.py` and `solution.py`.

`read_folder` reads a folder. `packed` runs its solution once and fills in the right results. The
packed exercise is plain data without the solution, and so is its file (`as_text`, `read_text`),
which pages open and `slidewise grade` reads. docs/teaching.md has an example.
"""

import ast
import json
import re
import reprlib
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, Final

from slidewise.course.judge.cases import walk
from slidewise.course.judge.driving import Answer, drive
from slidewise.course.judge.exercise import Check, Exercise, GivenCall, exercises
from slidewise.course.judge.find import own_way
from slidewise.course.judge.fitting import Requests
from slidewise.course.judge.report import Judgement, Rules
from slidewise.course.judge.session import judging
from slidewise.course.programs.boards import ESTIMATES, board_of, goal_of, plain
from slidewise.course.programs.calls import CallResult, Case
from slidewise.course.programs.child import LoadProgram, Run
from slidewise.course.programs.running import MAX_EXPANSIONS
from slidewise.puzzle import PuzzleError

FORMAT: Final = "slidewise exercise 1"
TABLE, STARTER, SOLUTION = "exercise.toml", "starter.py", "solution.py"

MAX_BYTES: Final = 500_000
"""Maximum size of a packed file, and of each file of a folder."""

MAX_CALLS: Final = 200
CHECK_KEYS: Final = ("key", "text", "points", "cases", "boards", "call")
MAX_CHECKS, MAX_HINTS, MAX_POINTS, MAX_MOVES = 20, 20, 100, 200
TITLE, TEXT, CODE = 100, 4_000, 100_000
"""Maximum characters of a title, of other texts and of the starter."""

SHAPES: Final = ((2, 2), (2, 3), (3, 3), (4, 4))
SIZES: Final = ", ".join(f"{rows} x {cols}" for rows, cols in SHAPES)
BOARDS: Final = ("board", "start", "goal")
"""Parameters that are boards."""

USES: Final = ("neighbors", "path", "cost", "manhattan", "is_goal")
OF_SEARCHES: Final = ("path", "shortest", "cheapest", "simple", "once", "bound", "lowest")
"""Checks of the built-in searches that a teacher's check can have as its key."""

OF_ESTIMATES: Final = ("bound", "lowest")
NEVER_ABOVE: Final = "admissible"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


class BadExerciseError(PuzzleError):
    """A folder or file is no exercise; the message names the place and the remedy."""


def _wrong(place: str, needed: str, found: object) -> BadExerciseError:
    shown = "nothing" if found is None else reprlib.repr(found)
    return BadExerciseError(f"{place}: needs {needed}; found {shown}")


class _Table:
    """A table of an exercise, which checks each value that is read."""

    def __init__(self, values: object, place: str, *keys: str) -> None:
        if not isinstance(values, dict):
            raise _wrong(place, f"a table with the keys {', '.join(keys)}", values)
        if unknown := [key for key in values if key not in keys]:
            raise _wrong(place, f"no other keys than {', '.join(keys)}", unknown[0])
        self.values: dict[str, Any] = values
        self.place = place

    def text(self, key: str, most: int = TEXT, default: str | None = None) -> str:
        """Return a text, which is not empty."""
        if default is not None and key not in self.values:
            return default
        value = self.values.get(key)
        if not isinstance(value, str) or not value.strip() or len(value) > most:
            raise _wrong(f"{self.place}, {key}", f"a text of 1 to {most:,} characters", value)
        return value

    def number(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Return a whole number."""
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise _wrong(f"{self.place}, {key}", f"a whole number from {least} to {most:,}", value)
        return value

    def items(self, key: str, most: int, kind: type = object, *, least: int = 0) -> list[Any]:
        """Return a list of values of a kind."""
        value = self.values.get(key, [])
        if (
            not isinstance(value, list)
            or not least <= len(value) <= most
            or not all(isinstance(one, kind) for one in value)
        ):
            raise _wrong(f"{self.place}, {key}", f"a list of {least} to {most} {_OF[kind]}", value)
        return value


_OF: Final = {object: "values", str: "texts", int: "whole numbers", dict: "tables"}


def read_folder(folder: Path) -> Exercise:
    """Read an exercise, whose solution is not yet run. Raises `BadExerciseError`."""
    name = folder.resolve().name
    place = f"{name}/{TABLE}"
    try:
        table = tomllib.loads(_read(folder / TABLE))
        keys = "title", "task", "signature", "uses", "hints", "check"
        _Table(table, place, *keys)
        table |= {"name": name, "starter": _read(folder / STARTER)}
        return replace(_exercise(table, place), programs=(_read(folder / SOLUTION),))
    except BadExerciseError:
        raise
    except (ValueError, RecursionError) as error:
        raise BadExerciseError(f"{place}: cannot be read as TOML: {error}") from None


def read_text(text: str, place: str = "the file") -> Exercise:
    """Read a packed exercise. Raises `BadExerciseError`."""
    made = "make it with slidewise grade --exercise FOLDER --pack FILE"
    try:
        table = json.loads(text) if len(text) <= MAX_BYTES else None
        if not isinstance(table, dict) or table.pop("format", "") != FORMAT:
            raise BadExerciseError(f"{place}: this is no exercise of at most 500 kB; {made}")
        exercise = _exercise(table, place)
    except BadExerciseError:
        raise
    except (ValueError, RecursionError):
        raise BadExerciseError(f"{place}: cannot be read as JSON; {made}") from None
    if any(one.result is None for one in exercise.given):
        raise BadExerciseError(f"{place}: its results are missing; {made}")
    return exercise


def read_file(path: Path) -> Exercise:
    """Read a packed exercise from a file. Raises `BadExerciseError`."""
    return read_text(_read(path), path.name)


def _read(path: Path) -> str:
    place = f"{path.parent.resolve().name}/{path.name}"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadExerciseError(f"{place}: has more than {MAX_BYTES // 1000:,} kB; shorten it")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or "it is not UTF-8"
        raise BadExerciseError(f"{place}: cannot be read: {why}") from None


def _exercise(table: dict[str, Any], place: str) -> Exercise:
    keys = "name", "title", "task", "signature", "starter", "uses", "hints", "check"
    one = _Table(table, place, *keys)
    name = one.text("name")
    if not _NAME.fullmatch(name) or name in exercises():
        needed = "a name of up to 40 letters, digits, - and _ that no built-in exercise has"
        raise _wrong(place, needed, name)
    function, parameters = _signature(one.text("signature", TITLE), f"{place}, signature")
    uses = one.items("uses", len(USES), str)
    if not {*uses} <= {*USES} - {function}:
        raise _wrong(f"{place}, uses", f"some of {', '.join(USES)}, not {function} itself", uses)
    hints = one.items("hints", MAX_HINTS, str)
    if any(len(hint) > TEXT for hint in hints):
        raise _wrong(
            f"{place}, hints", f"texts of at most {TEXT:,} characters", max(hints, key=len)
        )
    exercise = Exercise(
        key=name,
        title=one.text("title", TITLE),
        task=" ".join(one.text("task").split()),
        signature=f"{function}({', '.join(parameters)})",
        starter=one.text("starter", CODE),
        hints=tuple(hints),
        uses=tuple(uses),
    )
    checks, calls = [], list[GivenCall]()
    for number, row in enumerate(one.items("check", MAX_CHECKS, dict, least=1), 1):
        check = _Table(row, f"{place}, check {number}", *CHECK_KEYS)
        key = _key(check, number, exercise)
        checks.append(Check(key, check.number("points", 1, MAX_POINTS), check.text("text")))
        before = len(calls)
        calls += [*_cases(check, key, exercise), *_drawn(check, key, exercise)]
        if not before < len(calls) <= MAX_CALLS:
            raise _wrong(check.place, f"cases or boards, {MAX_CALLS} in all checks", None)
    if len({check.key for check in checks}) < len(checks):
        raise _wrong(place, "each key once", [check.key for check in checks])
    return replace(exercise, checks=tuple(checks), given=tuple(calls))


def _signature(text: str, place: str) -> tuple[str, list[str]]:
    """Return the name and the parameters of a function."""
    needed = "a function with its parameters, such as f(board, goal)"
    function, values = _parts(text, place, needed)
    names = [one.id for one in values if isinstance(one, ast.Name)]
    if not values or len({*names}) < len(values):
        raise _wrong(place, needed, text)
    for name, others in (("start", {"goal"}), ("h", {"start", "goal"})):
        if name in names and not others <= {*names}:
            raise _wrong(place, f"{' and '.join(sorted(others))} next to {name}", text)
    return function, names


def _parts(text: str, place: str, needed: str) -> tuple[str, list[ast.expr]]:
    """Return the function and the arguments of a call."""
    node = _parsed(text, place)
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords):
        raise _wrong(place, needed, text)
    return node.func.id, node.args


def _parsed(text: str, place: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise _wrong(place, "a Python expression", text) from None


def _literal(node: ast.expr, place: str, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise _wrong(place, "values, such as 3 or (1, 2, 3, 0)", text) from None


def _key(check: _Table, number: int, exercise: Exercise) -> str:
    """Return the key of a check, by which the judge finds a built-in check."""
    own = f"check-{number}"
    known = [one for one in OF_SEARCHES if "h" in exercise.parameters or one not in OF_ESTIMATES]
    if not exercise.is_search:
        known = [NEVER_ABOVE] if {"board", "goal"} <= {*exercise.parameters} else []
    key = check.text("key", TITLE, own)
    if key not in (own, *known):
        choice = f"one of {', '.join(known)} or no key" if known else "no key"
        why = f"{choice}, to compare results with the solution's"
        raise _wrong(f"{check.place}, key", why, key)
    return key


def _cases(check: _Table, key: str, exercise: Exercise) -> Iterator[GivenCall]:
    for number, row in enumerate(check.items("cases", MAX_CALLS, dict), 1):
        place = f"{check.place}, case {number}"
        one = _Table(row, place, "call", "expected", "hint", "result", "expansions")
        args = _args(one.text("call"), exercise, {}, f"{place}, call")
        yield GivenCall(Case((key,), args), _result(one), one.text("hint", TEXT, ""))


def _result(one: _Table) -> CallResult | None:
    """Return the right result of a case, None if only the solution has it."""
    if not {"result", "expected"} & one.values.keys():
        return None
    value = one.values.get("result")
    if "expected" in one.values:
        place, value = f"{one.place}, expected", one.values["expected"]
        if isinstance(value, str):
            value = _literal(_parsed(one.text("expected"), place), place, value)
        value = plain(value)
    if not _is_data(value):
        raise _wrong(one.place, "a result of numbers, texts, lists and dictionaries", value)
    return CallResult(value, expansions=one.number("expansions", 0, MAX_EXPANSIONS, 0))


def _is_data(value: object) -> bool:
    """Return whether a value is plain data as `plain` returns it, without objects."""
    if isinstance(value, dict):
        return value.keys() == {"pairs"} and _is_data(value["pairs"])
    if isinstance(value, list):
        return all(map(_is_data, value))
    return (
        value is None or isinstance(value, (int, str)) or (type(value) is float and isfinite(value))
    )


def _drawn(check: _Table, key: str, exercise: Exercise) -> Iterator[GivenCall]:
    """Yield the calls with the boards of random walks from the goal, the same in each run."""
    if "boards" not in check.values:
        return
    one = _Table(check.values["boards"], f"{check.place}, boards", "rows", "cols", "moves")
    shape = one.number("rows", 2, 4), one.number("cols", 2, 4)
    if shape not in SHAPES:
        raise _wrong(one.place, f"a size of {SIZES} as rows and cols", shape)
    call = check.text("call", TEXT, exercise.signature)
    random, goal = Random(f"{exercise.key} {key}"), goal_of(shape)
    for moves in one.items("moves", MAX_CALLS, int, least=1):
        if not 0 <= moves <= MAX_MOVES:
            raise _wrong(f"{one.place}, moves", f"numbers from 0 to {MAX_MOVES}", moves)
        board = walk(goal, moves, random)
        names = {"board": board, "start": board, "goal": goal, "moves": moves}
        yield GivenCall(Case((key,), _args(call, exercise, names, f"{check.place}, call")))


def _args(text: str, exercise: Exercise, names: dict[str, Any], place: str) -> dict[str, Any]:
    """Return the arguments of a call, with the value of each of `names`."""
    needed = f"a call of {exercise.signature} with all arguments in order"
    function, nodes = _parts(text, place, needed)
    if (function, len(nodes)) != (exercise.function, len(exercise.parameters)):
        raise _wrong(place, needed, text)
    names = {"h": "manhattan", **names}
    values = [
        names[one.id]
        if isinstance(one, ast.Name) and one.id in names
        else _literal(one, place, text)
        for one in nodes
    ]
    args = dict(zip(exercise.parameters, values, strict=True))
    boards = [args[name] for name in BOARDS if name in args]
    if not all(type(one) is tuple and board_of(one) == one for one in boards):
        raise _wrong(place, f"boards of {SIZES} such as (1, 2, 3, 0), a tuple row by row", text)
    if len({*map(len, boards)}) > 1:
        raise _wrong(place, "boards of the same size", text)
    if not (isinstance(args.get("h", "manhattan"), str) and args.get("h") in (None, *ESTIMATES)):
        raise _wrong(place, "h as an argument", text)
    return args


def packed(exercise: Exercise, answer: Answer) -> Exercise:
    """Run the solution of a folder; return the exercise with all results, without the solution.

    Raises `BadExerciseError` if the solution misses points, or the starter misses none.
    """
    results = drive(_results(exercise), answer)
    pairs = zip(exercise.given, results, strict=True)
    given = tuple(
        one._replace(result=replace(result, value=one.result.value) if one.result else result)
        for one, result in pairs
    )
    ready = replace(exercise, given=given, programs=())
    place = f"{exercise.key}/{SOLUTION}"
    solved = _judged(ready, exercise.solution, answer)
    if not solved.passed or solved.judged < ready.points:
        failed = next(one for one in solved.checks if one.note)
        case = solved.as_json()["case"]
        call = f", for {case['call']}" if case else ""
        raise BadExerciseError(
            f"{place}: has {solved.earned} of {ready.points} points; correct it or the check "
            f"{failed.text!r}: {failed.note}{call}"
        )
    if _judged(ready, exercise.starter, answer).passed:
        raise BadExerciseError(f"{exercise.key}/{STARTER}: has all points; take out the answer")
    return ready


def _judged(exercise: Exercise, code: str, answer: Answer) -> Judgement:
    return drive(judging(exercise, code, definitions=True, rules=Rules()), answer)


def _results(exercise: Exercise) -> Requests[list[CallResult]]:
    """Return the results of the solution."""
    place = f"{exercise.key}/{SOLUTION}"
    reply = yield LoadProgram(exercise.target, exercise.solution, True)
    names = {one.full_name for one in reply.loaded.functions}
    if reply.loaded.failure or exercise.function not in names:
        why = reply.loaded.failure or reply.ended or f"has no function {exercise.signature}"
        raise BadExerciseError(f"{place}: {getattr(why, 'message', why)}")
    results = []
    for one in exercise.given:
        way = own_way(exercise, exercise.function)
        reply = yield Run((one.case,), (MAX_EXPANSIONS,), (way,))
        outcome = reply.outcomes[0] if reply.outcomes else CallResult()
        error = f"{outcome.error.type}: {outcome.error.message}" if outcome.error else ""
        why = reply.ended or error or ("does not end" if outcome.stopped else "")
        if why or not _is_data(outcome.value):
            why = why or "returns an object; return numbers, texts, lists or dictionaries"
            raise BadExerciseError(f"{place}: {why}, for {_call(exercise, one.case)}")
        results.append(CallResult(outcome.value, expansions=outcome.expansions))
    return results


def as_text(exercise: Exercise) -> str:
    """Return the file of a packed exercise. Raises `BadExerciseError` if it is too large."""
    checks = [
        {
            "key": check.key,
            "text": check.text,
            "points": check.points,
            "cases": [
                _case(exercise, one) for one in exercise.given if check.key in one.case.checks
            ],
        }
        for check in exercise.checks
    ]
    names = "title", "task", "signature", "starter", "uses", "hints"
    table = {name: getattr(exercise, name) for name in names}
    table = {"format": FORMAT, "name": exercise.key, **table, "check": checks}
    text = json.dumps(table)  # ASCII, so its length is its size
    if len(text) > MAX_BYTES:
        raise BadExerciseError(
            f"{exercise.key}: its file would have {len(text) // 1000:,} kB, at most "
            f"{MAX_BYTES // 1000} are possible; use fewer boards or shorter results"
        )
    return text


def _case(exercise: Exercise, one: GivenCall) -> dict[str, Any]:
    assert one.result
    case = {"call": _call(exercise, one.case), "result": one.result.value}
    more = {"expansions": one.result.expansions, "hint": one.hint}
    return case | {name: value for name, value in more.items() if value}


def _call(exercise: Exercise, case: Case) -> str:
    return f"{exercise.function}({', '.join(map(repr, case.args.values()))})"
