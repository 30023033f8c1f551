"""Lines to try: small changes of one line, each of which the judge tries itself."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from slidewise.course.judge.checks import Tried
from slidewise.course.judge.exercise import Exercise
from slidewise.course.judge.fitting import Requests
from slidewise.course.judge.reference import all_pass, limit_of, passes
from slidewise.course.judge.report import Judgement, LineChange
from slidewise.course.judge.session import MALFORMED, ForgedResultsError, judge_way
from slidewise.course.programs.calls import ProgramReply, Way
from slidewise.course.programs.child import LoadProgram, Run

MAX_CHANGES: Final = 150
"""Changes of one program at most."""

MAX_CHANGES_JUDGED: Final = 3
"""Changes with which a program is judged at most."""

OTHER_CALLS: Final = 4
"""Further calls that failed, which are tried after the one that is shown."""

CALL_TICKS: Final = 50_000
CHANGES_TICKS: Final = 2_000_000
"""Ticks of a call, and of the calls with all changes."""

FLIPPED: Final = {
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<",),
    ast.Gt: (">=", "<"),
    ast.GtE: (">",),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
}
"""Other signs for the sign of a comparison."""

COPIES: Final = (
    *("[row[:] for row in {0}]", "{0}[:]", "list({0})", "[tile for tile in {0} if tile]"),
)
"""Expressions for a copy of a board, or of its tiles."""


def find_line(
    exercise: Exercise, code: str, report: Judgement, files: tuple[tuple[str, str], ...] = ()
) -> Requests[LineChange | None]:
    """Yield requests that try changes; return the first with which all checks pass.

    Some of the calls that fail are tried first, then the whole program is judged.
    """
    shown, way = report.shown, report.way
    if not shown or not way or shown.case.every or not report.rules.hints:
        return None
    failing = [one for one in report.tried if one != shown and not passes(exercise, one)]
    ticks = judged = 0
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
                return change
    return None


def _calls(way: Way, calls: list[Tried]) -> Run:
    limits = tuple(limit_of(one.reference, one.draw) for one in calls)
    return Run(tuple(one.case for one in calls), limits, (way,), ticks=CALL_TICKS)


def _are_right(exercise: Exercise, calls: list[Tried], reply: ProgramReply) -> bool:
    """Return whether calls are right after a change, whose results may be anything."""
    try:
        again = [replace(one, outcome=new) for one, new in zip(calls, reply.outcomes, strict=True)]
        return not any(one.outcome.stopped for one in again) and all_pass(exercise, again)
    except MALFORMED:
        return False


class _Place(NamedTuple):
    """A node of a program with its surroundings and a function for the text of nodes.

    `parameters` are those of the function, `target` the variable of the innermost loop.
    """

    node: ast.AST
    parent: ast.AST
    parameters: tuple[str, ...]
    target: str
    text: Callable[[ast.AST], str]
    has_deque: bool


Rule = Callable[[_Place], Iterator[str]]


def line_changes(code: str) -> Iterator[LineChange]:
    """Yield changes of a program's lines, the likely kinds first; none if it has no syntax tree.

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
            for text in rule(place):
                change = _change(lines, place.node, text)
                if change and change not in seen and len(seen) < MAX_CHANGES:
                    seen.add(change)
                    yield change


def _places(tree: ast.AST, code: str) -> Iterator[_Place]:
    """Yield the nodes of all functions that stand on one line."""

    def text(node: ast.AST) -> str:
        return ast.get_source_segment(code, node) or ""

    def walk(parent: ast.AST, parameters: tuple[str, ...], target: str) -> Iterator[_Place]:
        for node in ast.iter_child_nodes(parent):
            if getattr(node, "end_lineno", 0) == getattr(node, "lineno", None) and parameters:
                yield _Place(node, parent, parameters, target, text, "deque" in code)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names = tuple(one.arg for one in node.args.args if one.arg != "self")
                yield from walk(node, names or parameters, "")
            elif isinstance(node, ast.For):
                yield from walk(node, parameters, text(node.target))
            else:
                yield from walk(node, parameters, target)

    yield from walk(tree, (), "")


def _change(lines: list[str], node: ast.AST, text: str) -> LineChange | None:
    """Return the change that puts a text in place of a node, None if Python cannot read it."""
    if not isinstance(node, (ast.expr, ast.stmt)) or node.end_col_offset is None:
        return None
    old = lines[node.lineno - 1].encode()
    start, end = node.col_offset, node.end_col_offset
    new = old[:start] + text.encode() + old[end:]
    if text.startswith("\b"):  # one level to the left
        new = old.replace(b"    ", b"", 1)
    change = LineChange(node.lineno, old.decode(), new.decode())
    return change if change.new != change.old else None


def _ends(place: _Place) -> Iterator[str]:
    """Take a board from the other end of a frontier, or add it there."""
    match place.node:
        case ast.Call(ast.Attribute(value, "pop"), [] | [ast.UnaryOp()], []):
            if place.has_deque:
                yield f"{place.text(value)}.popleft()"
            yield f"{place.text(value)}.pop(0)"
        case ast.Call(ast.Attribute(value, "popleft"), [], []):
            yield f"{place.text(value)}.pop()"
        case ast.Call(ast.Attribute(value, "pop"), [ast.Constant(0)], []):
            yield f"{place.text(value)}.pop()"
        case ast.Call(ast.Attribute(value, "appendleft"), [one], []):
            yield f"{place.text(value)}.append({place.text(one)})"


def _results(place: _Place) -> Iterator[str]:
    """Turn a result round, add an end of a path, or return the result of a call."""
    match place.node:
        case ast.Return(ast.Tuple([one, other])):
            yield f"return {place.text(other)}, {place.text(one)}"
        case ast.Return(ast.Subscript(value, ast.Slice())):
            yield f"return {place.text(value)}"
        case ast.Return(ast.Call(ast.Name("list"), [ast.Call(ast.Name("reversed"), [value])])):
            yield f"return {place.text(value)}"
        case ast.Return(ast.Compare(_, [ast.Eq() | ast.NotEq()])):
            return
        case ast.Return(ast.Name() | ast.Call() | ast.Attribute() as value):
            yield f"return {place.text(value)}[::-1]"
            for name in place.parameters:
                yield f"return [{name}] + {place.text(value)}"
                yield f"return {place.text(value)} + [{name}]"
        case ast.Return(ast.BinOp(left, ast.Add(), right)):
            yield f"return {place.text(left)}"
            yield f"return {place.text(right)}"
        case ast.Expr(ast.Call(ast.Name(), [_, *_]) as call):
            yield f"return {place.text(call)}"


def _too_early(place: _Place) -> Iterator[str]:
    """Return after a loop, not within it."""
    loops = (ast.For, ast.While)
    node, parent = place.node, place.parent
    if isinstance(node, ast.Return) and isinstance(parent, loops) and parent.body[-1] is node:
        yield "\b"


def _comparisons(place: _Place) -> Iterator[str]:
    """Compare with another sign, compare the whole, or leave the blank out."""
    match place.node:
        case ast.Compare(ast.Subscript(left), [ast.Eq()], [ast.Subscript(right)]):
            yield f"{place.text(left)} == {place.text(right)}"
    match place.node:
        case ast.Compare(left, [sign], [right]):
            a, b = place.text(left), place.text(right)
            yield from (f"{a} {other} {b}" for other in FLIPPED.get(type(sign), ()))
            if isinstance(sign, ast.NotEq):
                yield f"{a} and {a} != {b}"
                yield f"{b} and {a} != {b}"
        case ast.GeneratorExp(_, [ast.comprehension(target, _, [])]) | ast.ListComp(
            _, [ast.comprehension(target, _, [])]
        ):
            whole = place.text(place.node)
            name = place.text(target.elts[-1] if isinstance(target, ast.Tuple) else target)
            end = -1 if whole[-1:] in ")]" else len(whole)
            yield f"{whole[:end]} if {name}{whole[end:]}"


def _numbers(place: _Place) -> Iterator[str]:
    """Count one more or one less."""
    match place.node:
        case ast.Call(ast.Name("range"), [stop], []):
            yield f"range({place.text(stop)} + 1)"
            yield f"range(1, {place.text(stop)})"
        case ast.Call(ast.Name("range"), [start, stop], []):
            yield f"range({place.text(start)}, {place.text(stop)} + 1)"
        case ast.Constant(int(number)) if not isinstance(number, bool):
            if not isinstance(place.parent, ast.UnaryOp):
                yield f"{number - 1}" if number else "1"
                yield f"{number + 1}"


def _sums(place: _Place) -> Iterator[str]:
    """Add a term to a sum or leave one out."""
    match place.node:
        case ast.BinOp(left, sign, right):
            a, b = place.text(left), place.text(right)
            if isinstance(sign, ast.Sub) and isinstance(right, ast.Constant):
                yield a
            elif isinstance(sign, ast.Sub):
                yield f"abs({a} - {b})"
                yield f"{a} + {b}"
                yield f"{b} - {a}"
            elif isinstance(sign, (ast.Add, ast.Mult)):
                yield b
                yield a
        case ast.UnaryOp(ast.USub(), value):
            yield place.text(value)
        case ast.Call(ast.Name("max"), [one, other], []):
            yield f"{place.text(one)} + {place.text(other)}"
            yield f"min({place.text(one)}, {place.text(other)})"
        case ast.Call(ast.Name("min"), [one, other], []):
            yield f"max({place.text(one)}, {place.text(other)})"
        case ast.Tuple([first, *others], ast.Load()) if isinstance(place.parent, ast.Call):
            rest = ", ".join(map(place.text, others))
            for one in others:
                if isinstance(one, (ast.Name, ast.BinOp)):
                    yield f"({place.text(first)} + {place.text(one)}, {rest})"


def _boards(place: _Place) -> Iterator[str]:
    """Estimate the new board in place of the one before it."""
    match place.node:
        case ast.Call(_, [ast.Name(name), *_]) if place.target not in ("", name):
            text = place.text(place.node)
            yield text.replace(f"({name}", f"({place.target}", 1)


def _states(place: _Place) -> Iterator[str]:
    """Copy a board before it changes, or begin with the start."""
    match place.node:
        case ast.Assign([ast.Name() as name], value):
            one = _copied(value)
            if one:
                yield from (f"{name.id} = {copy.format(place.text(one))}" for copy in COPIES)
            start = place.parameters[0]
            for empty, begun in ("set()", "{%s}"), ("[]", "[%s]"), ("{}", "{%s: None}"):
                if place.text(value) == empty:
                    yield f"{name.id} = {begun % start}"


def _copied(value: ast.expr) -> ast.expr | None:
    """Return the board of an expression for it or for a copy of it, or None."""
    match value:
        case ast.Name():
            return value
        case ast.Subscript(ast.Name() as one, ast.Slice(None, None, None)):
            return one
        case ast.Call(ast.Attribute(ast.Name() as one, "copy"), [], []):
            return one
        case ast.Call(ast.Name("list"), [ast.Name() as one], []):
            return one
    return None


RULES: Final[tuple[Rule, ...]] = (
    *(_ends, _too_early, _results, _comparisons, _sums, _boards, _states, _numbers),
)
