"""Links, files and notebooks of a class."""

import ast
import contextlib
import io
import json
import re

import pytest

from slidewise.course.judge import Rules, exercises, judge, judging
from slidewise.course.judge.class_files import MAX_FILES, SUBMITTED, header, read_header, read_seed
from slidewise.course.judge.own_exercise import as_text, packed, read_folder
from slidewise.course.judge.sources import parse_source
from tests.course.judge.test_own_exercise import EXAMPLE, answering
from tests.each import some
from tests.solver.runs import SWEEP
from tests.web import markup
from webapp.course.write import in_browser
from webapp.course.write.pages import Assignment, notebook_of
from webapp.http.static import PACKAGE
from webapp.http.texts import script_texts

LINK = "/learn/write/find_zero?seed=7&rules=strict,no-hints,no-reference"


def test_page_names_the_rules_of_its_link(client):
    page = markup.read(client.get(LINK))
    words = page.one("p", _class="rules").text
    assert "boards of seed 7" in words
    assert "order of the expansions counts, no hints, expected results are hidden" in words
    assert page.one("main")["data-rules"] == "strict,no-hints,no-reference"
    assert page.one("main")["data-seed"] == "7"


def test_page_names_the_seed_as_its_link_does(client):
    page = markup.read(client.get("/learn/write/find_zero?seed=%20anna"))
    assert "boards of seed anna" in page.one("p", _class="rules").text
    assert page.one("main")["data-seed"] == str(read_seed("anna"))
    notebooks = [link["href"] for link in page.all("a") if ".ipynb" in link.get("href", "")]
    assert all("seed=anna" in link for link in notebooks)
    assert notebooks


def test_page_without_hints_contains_no_hint(client):
    hint = exercises()["find_zero"].hints[-1].split("`")[0]
    assert hint in client.get("/learn/write/find_zero").text
    assert hint not in client.get(LINK).text


@pytest.mark.parametrize(
    ("query", "words"), [("rules=no-spam", "no-spam"), (f"seed={'x' * 41}", "at most 40")]
)
@pytest.mark.parametrize("path", ["/learn/write/bfs", "/learn/class"])
def test_bad_rule_or_seed_is_explained(client, path, query, words):
    alert = markup.read(client.get(f"{path}?{query}")).one("p", role="alert").text
    assert words in alert


def test_class_page_chooses_the_exercise_of_its_link(client):
    page = markup.read(client.get("/learn/class?exercise=bfs"))
    assert page.one("option", selected="")["value"] == "bfs"


def test_class_page_explains_an_unknown_exercise(client):
    page = markup.read(client.get("/learn/class?exercise=<b>"))
    assert "no exercise" in page.one("p", role="alert").text


def test_class_page_without_javascript_offers_grade(client):
    words = markup.read(client.get("/learn/class")).one("p", _class="card no-js").text
    assert "slidewise grade submissions.zip --gradebook grades.csv" in words


def test_class_page_has_the_patterns_and_bounds_of_the_library(client):
    main = markup.read(client.get("/learn/class")).one("main")
    assert json.loads(main["data-submitted"]) == [one.pattern for one in SUBMITTED]
    assert json.loads(main["data-bounds"])["files"] == MAX_FILES


def about_class(**question):
    return json.loads(in_browser.answer(json.dumps(question)))


def test_judge_of_the_page_fills_in_a_gradebook():
    table = b"Name,Grade\nAnna,\nBen,\n".decode("latin-1")
    grades = [["", ["anna"], 8, 10], ["", ["Cleo"], 5, 10]]
    found = about_class(
        gradebook={"file": table, "grades": grades, "exercise": "bfs", "column": ""}
    )
    assert found["file"] == table.replace("Anna,", "Anna,8")
    assert [row and row["name"] for row in found["students"]] == ["Anna", None]
    assert [row["name"] for row in found["missing"]] == ["Ben"]


def test_judge_of_the_page_explains_another_table():
    question = {"file": "a,b\n1,2\n", "grades": [], "exercise": "bfs", "column": ""}
    found = about_class(gradebook=question)
    assert found["messages"][found["unreadable"]]["values"] == {}


@pytest.mark.parametrize("wrong", [{"code": "{", "suffix": ".ipynb"}, {"goal": "1 2 2/3 4 0"}])
def test_page_translates_why_a_file_is_unreadable(wrong):
    task = {"exercise": "bfs", "code": "", "seed": 1, **wrong}
    found = json.loads(in_browser.answer(json.dumps({"task": task})))
    assert found["unreadable"] in found["messages"]
    script = script_texts(PACKAGE)["js/texts/exercises-de.js"]
    for one in found["messages"].values():
        assert f"  {json.dumps(one['template'])}: " in script


OWN = as_text(packed(read_folder(EXAMPLE), answering()))


def test_gradebook_of_a_teachers_exercise_has_its_title():
    table = "Name,Sums,Tiles outside their row\nAnna,,\n"
    question = {"file": table, "grades": [["", ["Anna"], 8, 10]], "exercise": "rows-out"}
    found = about_class(gradebook={**question, "column": "", "own": OWN})
    assert found["file"] == table.replace("Anna,,", "Anna,,8")


def begun(code, **more):
    """Return the first answer of the judge about a file."""
    task = {"exercise": "", "code": code, "seed": 1, "suffix": ".py", **more}
    return json.loads(in_browser.answer(json.dumps({"task": task})))


@pytest.mark.parametrize("key", exercises())
def test_exercise_of_a_file_is_found_by_its_functions(key):
    source = parse_source(exercises()[key].solution.encode(), ".py")
    assert in_browser._exercise_of(in_browser.find_functions(source.functions)) == key


@pytest.mark.parametrize("code", ["x = 1", "def bfs(s, g): 0\ndef dfs(s, g): 0"])
def test_file_without_a_clear_exercise_is_not_read(code):
    assert "functions of none or several" in begun(code)["unreadable"]
    assert "request" in begun(code, exercise="bfs")


def test_broken_function_of_a_teachers_exercise_is_an_error():
    report = begun("def rows_out(board, goal)\n  x", exercise="rows-out", own=OWN)["report"]
    assert (report["exercise"], report["error"]["type"]) == ("rows-out", "SyntaxError")


def test_syntax_error_of_the_only_function_is_named():
    report = begun("def my_search(start, goal):\n    return [start\n", exercise="bfs")["report"]
    assert report["checks"][0]["note"] == "SyntaxError in line 2: '[' was never closed"


def test_judge_of_the_page_finds_alike_programs():
    code = exercises()["bfs"].solution
    book = json.dumps({"cells": [{"cell_type": "code", "source": code.replace("queue", "q")}]})
    programs = [[code, ".py", "bfs"], ["{", ".ipynb", ""], [book, ".ipynb", ""]]
    assert about_class(alike={"programs": programs}) == {"groups": [[0, 2]]}


def test_starter_of_a_link_names_its_seed_and_rules(client):
    text = client.get("/learn/write/find_zero.py?seed=7&rules=strict").text
    assert text.startswith(header("find_zero", 7, Rules(strict=True)))
    assert read_header(text)[:2] == ("find_zero", 7)


def test_teachers_form_makes_the_links_of_an_exercise(client):
    page = markup.read(
        client.get("/learn/teachers?exercise=bfs&seed=anna&rules=no-hints&rules=strict")
    )
    links = [one["value"] for one in page.all("input", readonly="")]
    assert links[0].endswith("/learn/write/bfs?seed=anna&rules=strict,no-hints")
    assert links[1].endswith("/learn/class?exercise=bfs&seed=anna&rules=strict,no-hints")


def test_teachers_form_explains_a_bad_rule(client):
    page = markup.read(client.get("/learn/teachers?exercise=bfs&rules=spam"))
    assert "spam" in page.one("p", role="alert").text


HIDDEN = re.compile(
    r"the reference|instead of|the shortest|the cheapest|the fewest|above the|leaves out a board:"
    r"|\d moves of the tiles|enough"
)
"""Phrases before a result of the reference."""


@pytest.mark.parametrize("key", some(exercises(), 0, 8))
def test_no_wrong_program_shows_a_hidden_reference(key, monkeypatch):
    monkeypatch.setattr(judging, "name_mistake", lambda *_, **__: None)  # takes most of the time
    rules = Rules(reference=False, every=False)
    programs = [one.programs[0] for one in exercises()[key].mistakes[:: 1 if SWEEP else 4]]
    endless = f"def {exercises()[key].signature}:\n    while True: neighbors(start)\n"
    for program in (*programs, endless):
        report = judge(key, program, rules=rules).as_json()
        notes = [check["note"] for check in report["checks"]]
        case = report["case"] or {"yours": "", "expected": None}
        assert not [one for one in (*notes, case["yours"]) if HIDDEN.search(one)]
        assert case["expected"] is None


@pytest.mark.parametrize("key", some(exercises(), 0, 4))
def test_notebook_with_the_solution_has_all_points(key):
    exercise = exercises()[key]
    book = notebook_of(exercise, Assignment(1, Rules(every=False)))
    assert [cell["cell_type"] for cell in book["cells"]] == ["markdown", "code", "markdown", "code"]
    program, judged = ("".join(book["cells"][i]["source"]) for i in (1, 3))
    assert program.endswith(exercise.starter.rstrip("\n"))
    ast.parse(program)
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for code in (exercise.solution, judged):
            exec(code, names)
    assert f"{exercise.points} of {exercise.points} points" in printed.getvalue()


def test_notebook_is_valid_nbformat_4(client):
    response = client.get("/learn/write/bfs.ipynb?seed=7&rules=no-hints")
    assert response.headers["Content-Disposition"] == 'attachment; filename="bfs.ipynb"'
    book = json.loads(response.text)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    for cell in book["cells"]:
        expected = {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            expected |= {"execution_count", "outputs"}
        assert cell.keys() == expected
    assert "seed=7" in "".join(book["cells"][3]["source"])
    assert client.get("/learn/write/spam.ipynb").status_code == 404
