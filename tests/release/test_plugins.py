"""A package with entry points, built as a wheel and installed: library, command and web app."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from slidewise import find_heuristic, parse_puzzle, solve
from tests.cli.commands import python
from tests.each import each

ROOT = Path(__file__).parents[2]
BOARD = "1.6.5-4.2.8-0.7.3"

WEB = """
from slidewise.solver.events import Finished
from tests.web.conftest import SETTINGS
from webapp import create_app
from webapp.workers.shared import services_of

app = create_app({**SETTINGS, "STATE": STATE})
client = app.test_client()
pages = {}
try:
    for path in PATHS:
        pages[path] = client.get(path).text
    for body in BODIES:
        answer = client.post("/api/v1/solve", json=body)
        pages[json.dumps(body)] = answer.text
finally:
    services_of(app).solvers.close()
pages["imported"] = "slidewise_dummy" in sys.modules
print(json.dumps(pages))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder of the dummy package, as unpacked by an installer."""
    folder = tmp_path_factory.mktemp("plugin")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    plugin = ROOT / "tests" / "plugin"
    subprocess.run([*build, str(folder)], cwd=plugin, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def run(installed):
    """Return a function that runs Python with the package; it returns the output and stderr."""

    def run(code, *arguments):
        program = f"import sys, json\n{code}"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)])}
        done = python("-c", program, *arguments, env=environment, cwd=ROOT)
        return done.stdout, done.stderr

    return run


def command(run, *arguments):
    return run("from slidewise.cli import main\nsys.exit(main(sys.argv[1:]))", *arguments)


def test_library_finds_plugins_and_imports_them_when_called(run):
    out, errors = run(
        f"""
import slidewise
slidewise.solve  # loads all names
seen = ["importlib.metadata" in sys.modules, "numpy" in sys.modules]
names = [*slidewise.heuristics()][-3:] + [*slidewise.algorithms()][-2:]
seen += ["slidewise_dummy" in sys.modules, slidewise.heuristics()["out-of-line"].source]
puzzle = slidewise.parse_puzzle("{BOARD}")
results = [slidewise.solve(puzzle, "idastar", "out-of-line"), slidewise.solve(puzzle, "row-by-row")]
results.append(slidewise.solve(puzzle, "astar", "=max(out_of_line, misplaced)"))
print(json.dumps([seen, names, [[one.length, one.verdict.kind] for one in results]]))
"""
    )
    seen, names, results = json.loads(out)
    assert seen == [False, False, False, "slidewise-dummy 1.2"]
    assert names == ["broken", "out-of-line", "raises", "number", "row-by-row"]
    assert results[0] == results[2] == [16, "optimal"]
    assert results[1][0] > 16
    assert results[1][1] == "unproved"
    assert errors.count("slidewise-dummy 1.2 is left out") == 2


@each(
    ("name", "message"),
    [
        ("broken", "cannot be imported: ModuleNotFoundError"),
        ("raises", "the heuristic raises failed on"),
        ("number", "must be a function, got '7'"),
    ],
)
def test_broken_plugin_is_named_once_and_the_rest_works(run, name, message):
    out, errors = run(
        """
import slidewise
puzzle = slidewise.parse_puzzle("1.0.3-4.2.5")
for _ in range(2):
    try:
        heuristic = sys.argv[1] if sys.argv[1] in slidewise.heuristics() else "manhattan"
        algorithm = sys.argv[1] if sys.argv[1] in slidewise.algorithms() else "astar"
        slidewise.solve(puzzle, algorithm, heuristic)
    except slidewise.FunctionError as error:
        print(error)
print(slidewise.solve(puzzle, "astar", "out-of-line").outcome)
""",
        name,
    )
    *refused, works = out.splitlines()
    assert len(refused) == 2
    assert all(message in text for text in refused)
    assert works == "optimal"
    assert errors.count(message) == (name != "raises")


def test_command_lists_and_runs_plugins(run):
    out, _ = command(run, "algorithms", "--json")
    listed = json.loads(out)
    assert listed["algorithms"][-1]["key"] == "row-by-row"
    assert {"out-of-line", "broken"} <= {entry["key"] for entry in listed["heuristics"]}
    assert "out-of-line" in command(run, "solve", "--help")[0]
    out, _ = command(run, "solve", BOARD, "--heuristic", "out-of-line", "--json")
    assert (json.loads(out)["length"], json.loads(out)["heuristic"]) == (16, "out-of-line")
    out, _ = command(run, "compare", BOARD, "--algorithms", "astar:out-of-line,row-by-row")
    assert "out-of-line" in out
    out, errors = command(run, "solve", BOARD, "--heuristic", "broken")
    assert (out, "ModuleNotFoundError" in errors) == ("", True)


def test_web_app_offers_plugins_and_runs_them_in_its_workers(run, tmp_path):
    paths = [
        *(f"/{page}" for page in ("api/v1/heuristics", "api/v1/algorithms")),
        *(f"/lab/{BOARD}", f"/lab/{BOARD}/watch?algorithm=astar&heuristic=out-of-line"),
        *(f"/lab/{BOARD}/heuristics?h={key}" for key in ("out-of-line", "raises", "broken")),
        *(f"/play/{BOARD}", f"/api/v1/puzzles/{BOARD}", "/learn/predict"),
        "/lab/1.2.3.4-5.6.7.8-9.10.11.12-13.14.0.15/heuristics?h=out-of-line",
    ]
    bodies = [
        {"puzzle": BOARD, "algorithm": "astar", "heuristic": "out-of-line"},
        {"puzzle": BOARD, "algorithm": "row-by-row"},
        {"puzzle": BOARD, "algorithm": "rbfs", "heuristic": "raises"},
        {"puzzle": BOARD, "algorithm": "number"},
    ]
    left_out = ["/learn", "/learn/row-by-row"]
    given = f"STATE, PATHS, BODIES = {str(tmp_path)!r}, {paths + left_out}, {bodies}"
    out, errors = run(f"{given}\n{WEB}")
    assert out, errors
    pages = json.loads(out)
    assert pages["imported"] is False
    assert 'href="/learn/astar"' in pages["/learn"]
    assert "out-of-line" not in pages["/learn"]
    assert "There is no lesson called" in pages["/learn/row-by-row"]
    for path in paths:
        listed = "out-of-line" in pages[path] or "row-by-row" in pages[path] or "broken" in path
        assert listed, path
    for body, expected in zip(
        bodies,
        ['"length":16', '"status":"solved"', "no estimate today", "must be a function"],
        strict=True,
    ):
        assert expected in pages[json.dumps(body)].replace('": ', '":'), body


def test_documented_functions_work():
    found = {}
    for page in ("adding-a-heuristic.md", "adding-an-algorithm.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        (code,) = re.findall(r"```py\n(.*?)```", text, re.DOTALL)
        (entry,) = re.findall(r'^[a-z-]+ = "my_package:(\w+)"$', text, re.MULTILINE)
        found["my_solver"] = lambda start, goal: [2, 5]
        exec(code, found)
        assert callable(found[entry])
    puzzle = parse_puzzle("1.0.3-4.2.5")
    assert (
        found["tiles_away"](puzzle)
        == find_heuristic("misplaced").value(puzzle.start, puzzle.goal)
        == 2
    )
    assert solve(puzzle, found["home_again"]).tiles == (2, 5)
