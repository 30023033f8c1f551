"""The functions entered by a click, a Solve and `solve()`, as pages of `docs/`.

`python -m tests.lives` writes the pages into `docs/` or a given folder. It traces this process
only, with warm caches, so that the pages are equal on every machine.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from inspect import cleandoc
from pathlib import Path
from types import FrameType

from slidewise import parse_puzzle, solve
from webapp import create_app

ROOT = Path(__file__).parents[1]
PACKAGES = tuple(f"{ROOT / name}/" for name in ("slidewise", "webapp"))
CODE = "2.3.0-1.4.6-7.5.8"
PAGE = f"/play/{CODE}"
HTMX = {
    "HX-Request": "true",
    "Accept": "text/html, text/event-stream",
    "Sec-Fetch-Site": "same-origin",
}
SEARCH = {"algorithm": "astar", "heuristic": "manhattan"}

EQUAL_TRACES = 3
"""Consecutive equal traces that prove all caches warm."""

MAX_TRACES = 30
"""Traces after which varying results are an error."""


Function = tuple[str, str]
"""A file and the qualified name of a function in it."""

Trace = dict[Function, Function | None]
"""The functions entered, in the order of the first call, each with its first caller."""


def is_ours(frame: FrameType) -> bool:
    """Return whether a frame runs a named function of the project. Modules, lambdas and
    comprehensions do not count, because some versions of Python inline them."""
    code = frame.f_code
    return code.co_filename.startswith(PACKAGES) and not code.co_name.startswith("<")


def trace(action: Callable[[], object]) -> Trace:
    """Run `action` and return the functions of the project that this thread enters."""
    found: Trace = {}

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and is_ours(frame):
            # numba's frame of a compiled function has no caller
            found.setdefault(named(frame), caller_of(frame.f_back or sys._getframe(1)))

    sys.setprofile(profile)
    try:
        action()
    finally:
        sys.setprofile(None)
    return found


def named(frame: FrameType) -> Function:
    """Return the file and the qualified name of a frame's function."""
    code = frame.f_code
    return str(Path(code.co_filename).relative_to(ROOT)), code.co_qualname


def caller_of(frame: FrameType | None) -> Function | None:
    """Return the first function of the project from `frame` down the stack."""
    while frame and not is_ours(frame):
        frame = frame.f_back
    return named(frame) if frame else None


def warm_trace(once: Callable[[], Trace]) -> Trace:
    """Repeat a trace until it no longer changes."""
    traces = []
    for _ in range(MAX_TRACES):
        traces.append(once())
        if len(traces) >= EQUAL_TRACES and all(
            list(t.items()) == list(traces[-1].items()) for t in traces[-EQUAL_TRACES:]
        ):
            return traces[-1]
    raise RuntimeError(f"{MAX_TRACES} traces and no {EQUAL_TRACES} equal ones in a row")


@cache
def docstrings(file: str) -> dict[str, str]:
    """Return the first line of each function's docstring, by qualified name."""
    found = {}

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = prefix + child.name
                inner = "" if isinstance(child, ast.ClassDef) else "<locals>."
                text = cleandoc(ast.get_docstring(child) or "")
                found[name] = text.split("\n\n")[0].replace("\n", " ").split(". ")[0]
                visit(child, f"{name}.{inner}")
            else:
                visit(child, prefix)

    visit(ast.parse((ROOT / file).read_text(encoding="utf-8")), "")
    return found


def listing(traced: Trace) -> str:
    """Write a trace as a nested list: each function under its first caller."""
    called = defaultdict(list)
    for function, caller in traced.items():
        called[caller].append(function)
    lines, last = [], ""

    def add(function: Function, indent: str) -> None:
        nonlocal last
        file, name = function
        text = docstrings(file).get(name, "").rstrip(".")
        place = "" if file == last else f" in `{file}`"
        lines.append(f"{indent}- `{name}`{place}" + (f": {text}" if text else ""))
        last = file
        for inner in called[function]:
            add(inner, indent + "  ")

    for function in called[None]:
        add(function, "")
    return "\n".join(lines)


def trace_click() -> Trace:
    """Trace the second move of a game; the table of distances is loaded by the first."""
    app = create_app({"TESTING": True, "SECRET_KEY": "for tests only" * 3, "CLICK_WAIT": 60})

    def once() -> Trace:
        client = app.test_client()
        client.get(PAGE)
        client.post(f"{PAGE}/slide", data={"tile": "3"}, headers=HTMX)
        move = {"data": {"tile": "2"}, "headers": HTMX}
        return trace(lambda: client.post(f"{PAGE}/slide", **move).get_data())

    return warm_trace(once)


def trace_solve() -> Trace:
    """Trace the stream of a search, which runs in another process."""
    app = create_app({"TESTING": True, "SECRET_KEY": "for tests only" * 3})

    def once() -> Trace:
        client = app.test_client()
        client.get(PAGE)
        form = {"data": SEARCH, "headers": HTMX}
        return trace(lambda: client.post(f"{PAGE}/solve", **form).get_data())

    return warm_trace(once)


def trace_library() -> Trace:
    """Trace `solve()` of the same board."""
    puzzle = parse_puzzle(CODE)
    return warm_trace(lambda: trace(lambda: solve(puzzle, **SEARCH)))


HEAD = """# The life of {name}

Written by `python -m tests.lives` from a trace: each function of the project that {name} enters, in
the order of the first calls, under its first caller. The caches are warm. Do not edit this page.
"""


def write(folder: Path) -> None:
    """Write the pages into a folder."""
    click = HEAD.format(name="a click") + (
        f"\nA move in the game of `{CODE}`: the browser sends `POST {PAGE}/slide`.\n\n"
        f"{listing(trace_click())}\n"
    )
    search = HEAD.format(name="a Solve") + (
        f"\nA* with Manhattan distance from `{CODE}`: the browser sends `POST {PAGE}/solve`.\n\n"
        f"## In the web process\n\n{listing(trace_solve())}\n\n"
        "## In the worker\n\nThe search itself, here as `solve()` of the library runs it.\n\n"
        f"{listing(trace_library())}\n"
    )
    (folder / "life-of-a-click.md").write_text(click, encoding="utf-8")
    (folder / "life-of-a-solve.md").write_text(search, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
