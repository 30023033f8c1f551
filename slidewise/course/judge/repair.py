"""Lines to try: small changes of a single line, each of which the judge tries itself."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.fitting import Requests
from slidewise.course.judge.reference import all_pass, limit_of, passes
from slidewise.course.judge.report import Judgement, LineChange
from slidewise.course.judge.session import MALFORMED, ForgedResultsError, judge_way
from slidewise.course.judge.tried import Tried
from slidewise.course.programs.calls import ProgramReply, Way
from slidewise.course.programs.child import LoadProgram, Run

MAX_CHANGES: Final = 150
"""Maximum changes of a program."""

MAX_CHANGES_JUDGED: Final = 3
"""Maximum changes with which a whole program is judged."""

OTHER_CALLS: Final = 4
"""Maximum failing calls that are tried after the shown call."""

CALL_TICKS: Final = 50_000
CHANGES_TICKS: Final = 2_000_000
"""Maximum ticks of a call, and of the calls with all changes."""

OFF, TURNED = "comparison-off-by-one", "comparison-turned"
FLIPPED: Final = {
    ast.Lt: ((OFF, "<="), (TURNED, ">")),
    ast.LtE: ((OFF, "<"),),
    ast.Gt: ((OFF, ">="), (TURNED, "<")),
    ast.GtE: ((OFF, ">"),),
    ast.Eq: ((TURNED, "!="),),
    ast.NotEq: ((TURNED, "=="),),
}
"""Replacements for the operator of a comparison, with the mistake that each mends."""

GENERAL: Final = frozenset(
    {
        *(OFF, TURNED, "number-off-by-one", "term-wrong", "returned-too-early"),
        *("rows-shared", "swapped-in-place", "row-and-column-swapped", "result-lost"),
        "start-not-reached",
    }
)
"""Mistakes that are possible in any exercise; all others must belong to the exercise."""

COPIES: Final = (
    ("rows-shared", "[row[:] for row in {0}]"),
    ("swapped-in-place", "{0}[:]"),
    ("swapped-in-place", "list({0})"),
    ("swapped-in-place", "{0}.copy()"),
    ("blank-counted", "[tile for tile in {0} if tile]"),
)
"""Expressions for a copy of a board, or of its tiles, with the mistake that each mends."""


def find_line(
    exercise: Exercise, code: str, report: Judgement, files: tuple[tuple[str, str], ...] = ()
) -> Requests[LineChange | None]:
    """Yield requests that try changes; return the first change with which all checks pass.

    Some of the failing calls are tried first, then the whole program is judged. The change names
    its mistake if the report has none.
    """
    shown, way = report.shown, report.way
    if not shown or not way or shown.case.every or not report.rules.hints:
        return None
    failing = [one for one in report.tried if one != shown and not passes(exercise, one)]
    ticks = judged = 0
    # Cheap tests come first: the shown call, then other failing calls, then all cases.
    for change in line_changes(code):
        if ticks > CHANGES_TICKS or judged == MAX_CHANGES_JUDGED:
            break
        load = LoadProgram(exercise.target, change.applied(code), True, files)
        reply = yield load
        is_mended = not reply.loaded.failure and not reply.ended
        for calls in [shown], failing[:OTHER_CALLS]:
            if is_mended and calls:
                reply = yield _calls(way, calls)
                ticks += sum(one.ticks for one in reply.outcomes)
                is_mended = _are_right(exercise, calls, reply)
        if reply.ended:
            break
        if is_mended:
            yield load
            judged += 1
            draw, own = shown.draw, shown.own
            try:
                again = yield from judge_way(exercise, way, draw, report.rules, 0, own=own)
            except (ForgedResultsError, *MALFORMED):
                continue
            if again.passed and again.judged >= report.judged:
                named = not report.mistake and _is_named(change.mistake, exercise)
                return change if named else change._replace(mistake="")
    return None


def _is_named(mistake: str, exercise: Exercise) -> bool:
    """Return whether a change shows a mistake.

    A changed term in a search with an estimate does not: a weaker estimate can hide many mistakes.
    """
    if mistake == "term-wrong" and "h" in exercise.parameters:
        return False
    return mistake in GENERAL or mistake in {one.key for one in exercise.mistakes}


def _calls(way: Way, calls: list[Tried]) -> Run:
    limits = tuple(limit_of(one.reference, one.draw) for one in calls)
    return Run(tuple(one.case for one in calls), limits, (way,), ticks=CALL_TICKS)


def _are_right(exercise: Exercise, calls: list[Tried], reply: ProgramReply) -> bool:
    """Return whether calls are right after a change; malformed results count as wrong."""
    try:
        again = [replace(one, outcome=new) for one, new in zip(calls, reply.outcomes, strict=True)]
        return not any(one.outcome.stopped for one in again) and all_pass(exercise, again)
    except MALFORMED:
        return False


class _Place(NamedTuple):
    """A node of a program with its surroundings, and a function for the text of nodes.

    `parameters` are the parameters of its function, `target` the variable of the innermost loop.
    """

    node: ast.AST
    parent: ast.AST
    parameters: tuple[str, ...]
    target: str
    text: Callable[[ast.AST], str]
    has_deque: bool


Rule = Callable[[_Place], Iterator[tuple[str, str]]]
"""A rule yields mistakes, and the text that replaces a node to mend each."""


def line_changes(code: str) -> Iterator[LineChange]:
    """Yield changes of a program's lines, likely kinds first; none for a syntax error.

    >>> [change.new.strip() for change in line_changes("def f(a):\\n    return a.pop()")][0]
    'return a.pop(0)'
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = code.splitlines()
    places = list(_places(tree, code))
    seen = set[LineChange]()
    for rule in RULES:
        for place in places:
            for mistake, text in rule(place):
                change = _change(lines, place.node, text, mistake)
                if change and change not in seen and len(seen) < MAX_CHANGES:
                    seen.add(change)
                    yield change


def _places(tree: ast.AST, code: str) -> Iterator[_Place]:
    """Yield the nodes of all functions that are within a single line."""

    def text(node: ast.AST) -> str:
        return ast.get_source_segment(code, node) or ""

    def walk(parent: ast.AST, parameters: tuple[str, ...], target: str) -> Iterator[_Place]:
        for node in ast.iter_child_nodes(parent):
            if getattr(node, "end_lineno", 0) == getattr(node, "lineno", None) and parameters:
                yield _Place(node, parent, parameters, target, text, "deque" in code)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names = tuple(one.arg for one in node.args.args if one.arg != "self")
                yield from walk(node, names or parameters or ("self",), "")
            elif isinstance(node, ast.For):
                yield from walk(node, parameters, text(node.target))
            else:
                yield from walk(node, parameters, target)

    yield from walk(tree, (), "")


def _change(lines: list[str], node: ast.AST, text: str, mistake: str) -> LineChange | None:
    """Return the change that replaces a node by a text, None if it changes nothing."""
    if not isinstance(node, (ast.expr, ast.stmt)) or node.end_col_offset is None:
        return None
    # The offsets of a syntax tree count bytes of UTF-8.
    old = lines[node.lineno - 1].encode()
    start, end = node.col_offset, node.end_col_offset
    new = old[:start] + text.encode() + old[end:]
    if text.startswith("\b"):  # a level of indentation less
        new = old.replace(b"    ", b"", 1)
    change = LineChange(node.lineno, old.decode(), new.decode(), mistake)
    return change if change.new != change.old else None


def _ends(place: _Place) -> Iterator[tuple[str, str]]:
    """Take a board from the other end of a frontier, or add it at the other end."""
    match place.node:
        case ast.Call(ast.Attribute(value, "pop"), [] | [ast.UnaryOp()], []):
            if place.has_deque:
                yield "stack-for-queue", f"{place.text(value)}.popleft()"
            yield "stack-for-queue", f"{place.text(value)}.pop(0)"
        case ast.Call(ast.Attribute(value, "popleft"), [], []):
            yield "queue-for-stack", f"{place.text(value)}.pop()"
        case ast.Call(ast.Attribute(value, "pop"), [ast.Constant(0)], []):
            yield "queue-for-stack", f"{place.text(value)}.pop()"
        case ast.Call(ast.Attribute(value, "appendleft"), [one], []):
            yield "stack-for-queue", f"{place.text(value)}.append({place.text(one)})"


def _results(place: _Place) -> Iterator[tuple[str, str]]:
    """Reverse a result, add an end of a path, or return the result of a call."""
    match place.node:
        case ast.Return(ast.Tuple([one, other])):
            yield "row-and-column-swapped", f"return {place.text(other)}, {place.text(one)}"
        case ast.Return(ast.Subscript(value, ast.Slice() as part)):
            yield _cut_end(part), f"return {place.text(value)}"
        case ast.Return(ast.Call(ast.Name("list"), [ast.Call(ast.Name("reversed"), [value])])):
            yield "path-reversed", f"return {place.text(value)}"
        case ast.Return(ast.Compare(_, [ast.Eq() | ast.NotEq()])):
            return
        case ast.Return(ast.Name() | ast.Call() | ast.Attribute() as value):
            yield "path-reversed", f"return {place.text(value)}[::-1]"
            for name in place.parameters:
                yield "path-without-first", f"return [{name}] + {place.text(value)}"
                yield "path-without-last", f"return {place.text(value)} + [{name}]"
        case ast.Return(ast.BinOp(left, ast.Add(), right)):
            yield "term-wrong", f"return {place.text(left)}"
            yield "term-wrong", f"return {place.text(right)}"
        case ast.Expr(ast.Call(ast.Name(), [_, *_]) as call):
            yield "result-lost", f"return {place.text(call)}"


def _cut_end(part: ast.Slice) -> str:
    """Return the mistake that a slice of a path makes."""
    if part.step:
        return "path-reversed"
    return "path-without-first" if part.lower else "path-without-last"


def _too_early(place: _Place) -> Iterator[tuple[str, str]]:
    """Return after a loop instead of within it."""
    loops = (ast.For, ast.While)
    node, parent = place.node, place.parent
    if isinstance(node, ast.Return) and isinstance(parent, loops) and parent.body[-1] is node:
        yield "returned-too-early", "\b"


def _comparisons(place: _Place) -> Iterator[tuple[str, str]]:
    """Compare with another operator, compare the whole board, or exclude the blank."""
    match place.node:
        case ast.Compare(ast.Subscript(left), [ast.Eq()], [ast.Subscript(right)]):
            yield "first-row", f"{place.text(left)} == {place.text(right)}"
    match place.node:
        case ast.Compare(left, [sign], [right]):
            a, b = place.text(left), place.text(right)
            for mistake, other in FLIPPED.get(type(sign), ()):
                yield mistake, f"{a} {other} {b}"
            # A false 0 stands for the blank, so `a and` excludes it.
            if isinstance(sign, ast.NotEq):
                yield "blank-counted", f"{a} and {a} != {b}"
                yield "blank-counted", f"{b} and {a} != {b}"
        case ast.GeneratorExp(_, [ast.comprehension(target, _, [])]) | ast.ListComp(
            _, [ast.comprehension(target, _, [])]
        ):
            whole = place.text(place.node)
            name = place.text(target.elts[-1] if isinstance(target, ast.Tuple) else target)
            # The condition goes before the closing bracket, which is part of the source segment.
            end = -1 if whole[-1:] in ")]" else len(whole)
            yield "blank-counted", f"{whole[:end]} if {name}{whole[end:]}"


def _numbers(place: _Place) -> Iterator[tuple[str, str]]:
    """Add or subtract 1."""
    match place.node:
        case ast.Call(ast.Name("range"), [stop], []):
            yield "number-off-by-one", f"range({place.text(stop)} + 1)"
            yield "number-off-by-one", f"range(1, {place.text(stop)})"
        case ast.Call(ast.Name("range"), [start, stop], []):
            yield "number-off-by-one", f"range({place.text(start)}, {place.text(stop)} + 1)"
        case ast.Constant(int(number)) if not isinstance(number, bool):
            if not isinstance(place.parent, (ast.UnaryOp, ast.Dict)):
                yield "number-off-by-one", f"{number - 1}" if number else "1"
                yield "number-off-by-one", f"{number + 1}"


def _sums(place: _Place) -> Iterator[tuple[str, str]]:
    """Add a term to a sum or remove a term."""
    match place.node:
        case ast.BinOp(left, sign, right):
            a, b = place.text(left), place.text(right)
            if isinstance(sign, ast.Sub) and isinstance(right, ast.Constant):
                yield "term-wrong", a
            elif isinstance(sign, ast.Sub):
                yield "term-wrong", f"abs({a} - {b})"
                yield "term-wrong", f"{a} + {b}"
                yield "term-wrong", f"{b} - {a}"
            elif isinstance(sign, (ast.Add, ast.Mult)):
                yield "term-wrong", b
                yield "term-wrong", a
        case ast.UnaryOp(ast.USub(), value):
            yield "term-wrong", place.text(value)
        case ast.Call(ast.Name("max"), [one, other], []):
            yield "term-wrong", f"{place.text(one)} + {place.text(other)}"
            yield "term-wrong", f"min({place.text(one)}, {place.text(other)})"
        case ast.Call(ast.Name("min"), [one, other], []):
            yield "term-wrong", f"max({place.text(one)}, {place.text(other)})"
        case ast.Tuple([first, *others], ast.Load()) if isinstance(place.parent, ast.Call):
            rest = ", ".join(map(place.text, others))
            for one in others:
                if isinstance(one, (ast.Name, ast.BinOp)):
                    yield "term-wrong", f"({place.text(first)} + {place.text(one)}, {rest})"


def _boards(place: _Place) -> Iterator[tuple[str, str]]:
    """Estimate the new board instead of its parent."""
    match place.node:
        case ast.Call(_, [ast.Name(name), *_]) if place.target not in ("", name):
            text = place.text(place.node)
            yield "parents-estimate", text.replace(f"({name}", f"({place.target}", 1)


def _states(place: _Place) -> Iterator[tuple[str, str]]:
    """Copy a board before it changes, or begin with the start."""
    match place.node:
        case ast.Assign([ast.Name() as name], value):
            one = _copied(value)
            if one:
                for mistake, copy in COPIES:
                    yield mistake, f"{name.id} = {copy.format(place.text(one))}"
            start = place.parameters[0]
            for empty, begun in ("set()", "{%s}"), ("[]", "[%s]"), ("{}", "{%s: None}"):
                if place.text(value) == empty:
                    yield "start-not-reached", f"{name.id} = {begun % start}"


def _copied(value: ast.expr) -> ast.expr | None:
    """Return the board in an expression, which may copy it, or None."""
    match value:
        case ast.Name() | ast.Attribute():
            return value
        case ast.Subscript(ast.Name() | ast.Attribute() as one, ast.Slice(None, None, None)):
            return one
        case ast.Call(ast.Attribute(ast.Name() as one, "copy"), [], []):
            return one
        case ast.Call(ast.Name("list"), [ast.Name() as one], []):
            return one
    return None


RULES: Final[tuple[Rule, ...]] = (
    *(_ends, _too_early, _results, _comparisons, _sums, _boards, _states, _numbers),
)
