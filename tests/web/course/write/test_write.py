"""Exercises to write: pages, files of the worker with their headers, and the judge."""

import ast
import hashlib
import json
import re
from pathlib import Path
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import brotli
import pytest

from slidewise.course.judge import exercises
from slidewise.course.programs import child
from tests.each import each, some
from tests.web import markup
from tests.web.kinds import PAGES, shown
from tests.web.test_scripts import imported_by
from webapp.course.lab.selection import FIRST
from webapp.course.write import in_browser
from webapp.course.write import pages as write

STATIC = Path(__file__).parents[4] / "static"
VENDOR = STATIC / "vendor" / "pyodide"
ROW = re.compile(r"^\| `([^`]+)` \| ([\d,]+) \| ([\d,]+) \| `(\w+)` \|$", re.MULTILINE)
TABLE = ROW.findall((VENDOR / "README.md").read_text())
BROTLI = {"Accept-Encoding": "gzip, br"}
MAX_BYTES = 4_473_000


@pytest.fixture
def files(client):
    main = markup.read(client.get("/learn/write/bfs")).one("main")
    return {
        name: main[f"data-{name}"] for name in ("machine", "library", "judge", "program", "worker")
    }


@pytest.mark.parametrize(("name", "unpacked", "compressed", "digest"), TABLE)
def test_vendored_file_has_the_hash_of_the_table(name, unpacked, compressed, digest):
    packed = (VENDOR / f"{name}.br").read_bytes()
    data = brotli.decompress(packed)
    assert hashlib.sha256(data).hexdigest() == digest
    assert (f"{len(data):,}", f"{len(packed):,}") == (unpacked, compressed)


def test_table_names_each_vendored_file():
    assert sorted(f"{name}.br" for name, *_ in TABLE) == sorted(p.name for p in VENDOR.glob("*.br"))
    assert "Mozilla Public License" in (VENDOR / "pyodide-LICENSE").read_text()
    assert "PYTHON SOFTWARE FOUNDATION" in (VENDOR / "python-LICENSE").read_text()


def test_list_links_each_exercise_in_order(client):
    page = markup.read(client.get("/learn/write"))
    links = [link["href"] for link in page.all("a") if "/learn/write/" in link.get("href", "")]
    assert links == [f"/learn/write/{key}" for key in exercises()]


@pytest.mark.parametrize("key", exercises())
def test_page_has_the_task_and_the_starter(client, key):
    exercise = exercises()[key]
    page = markup.read(client.get(f"/learn/write/{key}"))
    (editor,) = page.all("textarea")
    assert "".join(editor.content).lstrip("\n") == exercise.starter
    checks = [item["data-check"] for item in page.all("li") if "data-check" in item.attrs]
    assert checks == [check.key for check in exercise.checks]


def test_page_without_javascript_offers_the_file_and_grade(client):
    page = markup.read(client.get("/learn/write/bfs"))
    words = page.one("p", _class="card no-js")
    assert "needs JavaScript" in words.text
    assert "slidewise grade bfs.py" in words.text
    assert [link["href"] for link in words.all("a")] == ["/learn/write/bfs.py"]
    download = page.one(id="download")
    assert (download["href"], download["download"]) == ("/learn/write/bfs.py", "bfs.py")
    assert "js-only" in page.one(id="run").parent.classes


def test_download_is_the_starter_as_python(client):
    response = client.get("/learn/write/bfs.py")
    assert response.headers["Content-Disposition"] == 'attachment; filename="bfs.py"'
    ast.parse(response.text)
    assert response.text.endswith(exercises()["bfs"].starter)


@pytest.mark.parametrize("path", ["nonsense", "nonsense.py", "files/0/worker.js", "files/0/x"])
def test_unknown_exercise_or_file_is_404(client, path):
    assert client.get(f"/learn/write/{path}").status_code == 404


def test_files_are_sent_as_stored_with_brotli(client, files):
    sent = {name: client.get(url, headers=BROTLI) for name, url in files.items()}
    for response in sent.values():
        assert response.headers["Content-Encoding"] == "br"
        assert "immutable" in response.headers["Cache-Control"]
        assert "Accept-Encoding" in response.headers["Vary"]
    assert sent["machine"].data == (VENDOR / "pyodide.asm.wasm.br").read_bytes()
    assert sent["machine"].mimetype == "application/wasm"
    total = sum(len(response.data) for response in sent.values())
    assert total < MAX_BYTES
    assert f"{total / 1e6:.1f} MB" in client.get("/learn/write/bfs").text


def test_client_without_brotli_gets_the_unpacked_file(client, files):
    for url in files.values():
        packed = client.get(url, headers=BROTLI)
        plain = client.get(url, headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert plain.data == brotli.decompress(packed.data)


def test_worker_has_a_policy_that_loads_nothing(client, files):
    policy = client.get(files["worker"]).headers.getlist("Content-Security-Policy")
    assert policy == [
        "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'none'",
    ]


def test_worker_is_one_file_without_imports(client, files):
    text = client.get(files["worker"], headers={"Accept-Encoding": "identity"}).text
    assert not re.search(r"^(?:import|export)\b", text, re.MULTILINE)
    assert text.endswith((STATIC / "js" / "course" / "write" / "python_worker.js").read_text())


PROGRESS = {
    "course/write/write_store.js",
    "course/write/write_list.js",
    "course/write/write_own.js",
}
"""Scripts of the exercises that other pages load to show finished exercises."""


def loaded_scripts(page):
    """Return the scripts of a page with all their imports."""
    sources = [script.get("src", "") for script in page.all("script")]
    todo = [source.partition("/js/")[2] for source in sources if "/js/" in source]
    found = set()
    while todo:
        script = todo.pop()
        if script not in found:
            found.add(script)
            todo += imported_by(script)
    return found


@each("kind", PAGES)
def test_only_exercises_and_class_load_python(app, kind):
    page = shown(app, kind)
    python = {
        script for script in loaded_scripts(page) if re.search("/(write|class|python)", script)
    }
    main = page.one("main")
    if main.classes & {"write-page", "class-page"}:
        assert "course/write/write_runner.js" in python
        assert main["data-machine"]
        return
    assert python <= PROGRESS
    assert not [one for one in page.inside if "learn/write/files" in str(one.attrs)]


def test_game_stores_no_file_of_the_exercises(client):
    build = json.loads(client.get("/worker.js").text.partition("const BUILD = ")[2].split(";\n")[0])
    assert not [url for url in build["files"] if "pyodide" in url or "write" in url]
    (later,) = build["later"]
    assert len(later["assets"]) == len(write.assets(STATIC))
    assert [url.rpartition("/static/")[2].partition("/")[2] for url in later["files"]] == list(
        write.STORED_FILES
    )


def test_stored_files_are_those_of_the_pages():
    named = {
        path.relative_to(STATIC).as_posix()
        for pattern in ("js/course/write/write*.js", "css/course/write.css")
        for path in STATIC.glob(pattern)
    }
    assert named == set(write.STORED_FILES)


def run_in_page(exercise, code, *, tries=False, **more):
    """Judge a program like the page, with both workers in this process.

    With `tries` a line to try comes after the report. A worker is for one program, and forgets the
    functions that solve its exercise; this process goes on.
    """
    runner, question = (
        child.Runner(),
        {"task": {"exercise": exercise, "code": code, "seed": 1, **more}},
    )
    if tries:
        run_in_page(exercise, code, **more)
        question = {"line": True}
    with patch.object(child, "forget"):
        while "request" in (step := json.loads(in_browser.answer(json.dumps(question)))):
            lines = list(child.answers(runner, step["request"]))
            question = {"lines": lines, "ended": ""}
    return step


def test_line_to_try_comes_with_the_words_of_its_mistake():
    code = """def misplaced(board, goal):
    count = 0
    for cell, tile in enumerate(board):
        count += tile not in (0, goal[cell])
        return count
"""
    line = run_in_page("misplaced", code, tries=True)["line"]
    title = line["mistake"]["title"]
    assert (line["number"], line["mistake"]["key"]) == (5, "returned-too-early")
    assert line["messages"][title] == {"template": title, "values": {}}


@pytest.mark.parametrize("key", some(["hill_climbing", "annealing"], 1))
def test_local_search_is_judged_by_the_sources_of_the_page(key):
    exercise = exercises()[key]
    assert run_in_page(key, exercise.solution)["report"]["points"] == 10
    report = run_in_page(key, exercise.mistakes[0].programs[0])["report"]
    assert report["mistake"]["key"] == exercise.mistakes[0].key


@pytest.mark.parametrize(("explicit", "points"), [(True, 4), (False, 10)])
def test_path_without_start_is_a_fault_if_the_task_is_named(explicit, points):
    """As by command: `slidewise grade`, with and without the exercise in the file's header."""
    code = exercises()["bfs"].solution.replace("(came_from, goal)", "(came_from, goal)[1:]")
    report = run_in_page("bfs", code, suffix=".py", explicit=explicit)["report"]
    assert report["points"] == points


def test_sources_of_programs_have_no_solution():
    sources = "".join(write._sources("program.json").values())
    for exercise in exercises().values():
        body = exercise.solution.partition(f"def {exercise.key}(")[2].partition("\n")[2]
        assert body
        assert body not in sources
    assert "exercise.toml" not in sources
    assert "class Judgement" not in sources


ERRORS = [
    ("def find_zero(board)\n    return 1", "SyntaxError", 1),
    ("def find_zero(board):\nreturn 1", "IndentationError", 2),
    ("def find_zero(board):\n    return spam", "NameError", 2),
    ("def find_zero(board):\n    return board[99]", "IndexError", 2),
    ("def find_zero(board):\n    return board.spam", "AttributeError", 2),
    ("def find_zero(board):\n    return len(5)", "TypeError", 2),
    ("def find_zero(board):\n    return {}[1]", "KeyError", 2),
    ("def find_zero(board):\n    return int('x')", "ValueError", 2),
    ("def find_zero(board):\n    return 1 / 0", "ZeroDivisionError", 2),
    ("import spam", "ModuleNotFoundError", 1),
    ("def find_zero(board):\n    return find_zero(board)", "RecursionError", 2),
]


@pytest.mark.parametrize(("code", "error", "line"), some(ERRORS, 0, 2, 9, 10))
def test_common_error_has_its_line_and_a_sentence(code, error, line):
    report = run_in_page("find_zero", code)["report"]
    assert (report["error"]["type"], report["error"]["line"]) == (error, line)
    assert report["sentence"] == in_browser.SENTENCES[error]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def find_zero(): return 0", "calls the function as find_zero(board)"),
        ("raise ModuleNotFoundError(\"No module named 'numpy'\")", "NumPy is not here"),
    ],
)
def test_form_of_a_notebook_is_explained(code, words):
    assert words in run_in_page("find_zero", code)["report"]["sentence"]


@pytest.mark.parametrize("key", ["bfs", "ucs", "rbfs", "manhattan"])
def test_race_has_the_built_in_search_of_the_exercise(client, key):
    race = urlsplit(markup.read(client.get(f"/learn/write/{key}")).one("main")["data-race"])
    runs = parse_qs(race.query).get("run", [",".join(FIRST)])[0].split(",")
    assert key == "manhattan" or key in [run.partition(":")[0] for run in runs]
    assert len(runs) <= 6
