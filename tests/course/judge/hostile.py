"""Hostile programs: each manipulates its runner to get unearned points."""

import textwrap

ATTACKS: dict[str, str] = {
    "json writes a right result": """
import json
real = json.dumps
def dumps(value, *more, **named):
    if isinstance(value, dict) and "checks" in value:
        for check in value["checks"]: check["passed"], check["note"] = True, ""
        value["points"] = 10
        value["passed"] = True
    if isinstance(value, dict) and "milliseconds" in value:
        value["points"], value["passed"], value["error"] = 10, True, None
    return real(value, *more, **named)
json.dumps = dumps
""",
    "builtins agree to all": """
import builtins
builtins.sorted = lambda *a, **k: []
builtins.all = lambda *a: True
builtins.any = lambda *a: False
builtins.len = lambda *a: 0
""",
    "equality and bool": """
import builtins
class Yes(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__
builtins.int = Yes
builtins.isinstance = lambda *a: True
""",
    "modules of the judge are replaced": """
import sys, types
class Anything(types.ModuleType):
    def __getattr__(self, name): return lambda *a, **k: ""
for name in list(sys.modules):
    if "exercises" in name or "judg" in name or "check" in name:
        sys.modules[name] = Anything(name)
for name in "judging", "checks", "answers", "data", "session":
    sys.modules["slidewise.course.judge." + name] = Anything(name)
""",
    "every function of the judge is patched": """
import gc, types
for one in gc.get_objects():
    if isinstance(one, types.FunctionType) and one.__name__ in (
        "fault", "_equal", "_same", "_path", "_shortest", "_first_fault", "judge", "assess"
    ):
        one.__code__ = (lambda *a, **k: "").__code__
""",
    "classes of the judge are patched": """
import gc
for one in gc.get_objects():
    if isinstance(one, type) and one.__name__ in ("Judgement", "Judged"):
        one.points = property(lambda self: 10)
        one.passed = property(lambda self: True)
""",
    "frames of the caller": """
import sys
def reach():
    frame = sys._getframe()
    while frame:
        for name, value in list(frame.f_locals.items()):
            if name in ("outcome", "report", "reference"):
                try: value.passed = True
                except Exception: pass
                try: value.points = 10
                except Exception: pass
        for name in ("assess", "fault", "judge", "failed_report"):
            if name in frame.f_globals: frame.f_globals[name] = lambda *a, **k: ""
        frame = frame.f_back
reach()
""",
    "a report is printed": """
import json, os, sys
REPORT = json.dumps({"report": {"points": 10, "points_possible": 10, "passed": True,
                                "checks": [], "error": None}, "answer": "{}"})
print(REPORT)
sys.stdout.write(REPORT + chr(10))
sys.__stdout__.write(REPORT + chr(10))
""",
    "a report at the end": """
import atexit, json
atexit.register(lambda: print(json.dumps({"points": 10, "passed": True})))
""",
    "the reference is imported": """
import slidewise.course.judge
exec(slidewise.course.judge.exercises()[KEY].solution, globals())
""",
    "a given function is imported": """
from slidewise.course.programs import boards
globals()[KEY] = getattr(boards, KEY)
""",
    "the reference is in memory": """
import gc
for one in gc.get_objects():
    if isinstance(one, dict) and isinstance(one.get("solution"), str) and one.get("key") == KEY:
        exec(one["solution"], globals())
    if isinstance(getattr(one, "programs", None), tuple) and getattr(one, "key", 0) == KEY:
        exec(one.programs[0], globals())
""",
    "a given function is in memory": """
import gc, types
for one in gc.get_objects():
    if isinstance(one, types.FunctionType) and one.__name__ in (KEY, "solvable"):
        if (one.__module__ or "").startswith("slidewise"):
            globals()[KEY] = one
""",
}
"""Statements that a program runs."""

FILES = """
import pathlib, sys
for folder in [*sys.path, "/library"]:
    for file in pathlib.Path(folder or ".").glob("slidewise/course/judge/*.toml"):
        import tomllib
        for one in tomllib.loads(file.read_text())["exercise"]:
            if one["key"] == KEY: exec(one["solution"], globals())
"""
"""Reads the solutions. Only the page has no files with them."""

WRONG = {
    "find_zero": "def find_zero(board):\n    return 9, 9\n",
    "neighbors": "def neighbors(board):\n    return []\n",
    "is_solvable": "def is_solvable(board, goal):\n    return True\n",
    "manhattan": "def manhattan(board, goal):\n    return 99\n",
    "bfs": "def bfs(start, goal):\n    return [start, goal]\n",
}
"""A wrong function of each exercise."""


def hostile_program(key: str, *attacks: str) -> str:
    """Return a wrong program with attacks, which also run if only definitions are run."""
    bodies = [textwrap.indent(attack.replace("KEY", repr(key)), "    ") for attack in attacks]
    tried = [f"try:\n{body}\nexcept Exception:\n    pass\n" for body in bodies]
    return "\n".join([WRONG[key], *tried])
