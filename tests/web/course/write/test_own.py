"""Exercises of the operator's folder, and the page of an opened file."""

import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from slidewise.course.judge import judge
from slidewise.course.judge.own_exercise import read_text
from tests.web import markup
from tests.web.conftest import services_of
from webapp.course.write.own import OwnExercises

EXAMPLES = Path(__file__).parents[4] / "examples" / "exercises"
SOLUTION = (EXAMPLES / "rows-out" / "solution.py").read_text()


@pytest.fixture(scope="module")
def site(new_app, tmp_path_factory):
    """Return a client of a site with a good exercise and a bad one, both tried."""
    folder = tmp_path_factory.mktemp("exercises")
    copytree(EXAMPLES / "rows-out", folder / "rows-out")
    table = (EXAMPLES / "rows-out" / "exercise.toml").read_text()
    copytree(EXAMPLES / "rows-out", folder / "hostile")
    title = 'title = "<b>100 % \\"%(x)s\\"</b>"'
    (folder / "hostile" / "exercise.toml").write_text(re.sub("title = .*", lambda _: title, table))
    copytree(EXAMPLES / "rows-out", folder / "bad")
    (folder / "bad" / "exercise.toml").write_text(table.replace("points = 4", "points = '4'"))
    app = new_app(EXERCISES=str(folder))
    client = app.test_client()
    first = client.get("/learn/write")
    assert (first.status_code, "are being read" in first.text) == (202, True)
    waiting = client.get("/learn/write/own/rows-out")
    assert waiting.status_code == 503
    for path in ("class", "teachers"):
        waiting = markup.read(client.get(f"/learn/{path}?exercise=rows-out"))
        assert "This exercise is not yet read." in waiting.one("p", role="alert").text
        assert "are being read" in waiting.text
    services_of(app).get(OwnExercises).join()
    return client


def test_list_has_the_exercises_of_the_folder(site):
    response = site.get("/learn/write")
    assert response.status_code == 200
    page = markup.read(response)
    items = [one["data-exercise"] for one in page.all("li") if "data-exercise" in one.attrs]
    assert items[-2:] == ["own:hostile", "own:rows-out"]
    assert '<b>100 % "%(x)s"</b>' in page.text


def test_list_has_the_reason_of_a_bad_exercise(site):
    words = "bad/exercise.toml, check 1, points: needs a whole number from 1 to 100; found '4'"
    assert words in markup.read(site.get("/learn/write")).text
    assert site.get("/learn/write/own/bad").status_code == 404


def test_page_has_task_starter_and_file(site):
    page = markup.read(site.get("/learn/write/own/rows-out"))
    main = page.one("main")
    assert main["data-exercise"] == "own:rows-out"
    assert "slidewise grade --exercise rows-out rows-out.py" in main["data-head"]
    assert judge(read_text(main["data-own"]), SOLUTION).passed
    checks = [item["data-check"] for item in page.all("li") if "data-check" in item.attrs]
    assert checks == ["check-1", "check-2", "admissible"]
    assert "return 0" in page.one("textarea").text


def test_downloads_are_the_starter_and_the_file(site):
    starter = site.get("/learn/write/own/rows-out.py")
    assert starter.headers["Content-Disposition"] == 'attachment; filename="rows-out.py"'
    assert starter.text.startswith("# Slidewise exercise: rows-out\n")
    file = site.get("/learn/write/own/rows-out.json")
    name = 'attachment; filename="rows-out.exercise.json"'
    assert file.headers["Content-Disposition"] == name
    assert json.loads(file.text)["name"] == "rows-out"


def test_class_page_offers_the_exercises_of_the_folder(site):
    page = markup.read(site.get("/learn/class?exercise=rows-out"))
    chosen = page.one("option", selected="")
    assert chosen["data-file"] == "/learn/write/own/rows-out.json"
    assert '<b>100 % "%(x)s"</b>' in page.one("select", id="exercise").text
    assert "no exercise" not in page.text


def test_teachers_page_makes_links_of_an_own_exercise(site):
    page = markup.read(site.get("/learn/teachers?exercise=rows-out&seed=anna&rules=no-hints"))
    assert (
        page.one("option", selected="").text
        == read_text(site.get("/learn/write/own/rows-out.json").text).title
    )
    links = [one["value"] for one in page.one(id="exercise").all("input", readonly="")]
    for link, to in zip(links, ("write/own/rows-out?", "class?exercise=rows-out&"), strict=True):
        assert link == f"http://localhost/learn/{to}seed=anna&rules=no-hints"
        assert site.get(link.removeprefix("http://localhost")).status_code == 200


@pytest.mark.parametrize("path", ["none", "none.json", "none.py", "..", "bfs"])
def test_unknown_exercise_of_the_folder_is_404(site, path):
    assert site.get(f"/learn/write/own/{path}").status_code == 404


def test_folder_that_is_missing_is_on_the_list(new_app, tmp_path, caplog):
    client = new_app(EXERCISES=str(tmp_path / "none")).test_client()
    assert "SLIDEWISE_EXERCISES: cannot read" in caplog.text
    response = client.get("/learn/write")
    assert response.status_code == 200
    assert "SLIDEWISE_EXERCISES: cannot read" in response.text


def test_folder_is_tried_in_another_process_for_a_limited_time(new_app, tmp_path, monkeypatch):
    monkeypatch.setattr("webapp.course.write.own.TRY_SECONDS", 0)
    copytree(EXAMPLES / "rows-out", tmp_path / "rows-out")
    app = new_app(EXERCISES=str(tmp_path))
    app.test_client().get("/learn/write")
    services_of(app).get(OwnExercises).join()
    assert "rows-out: was not tried within 0 seconds" in app.test_client().get("/learn/write").text


def test_site_without_a_folder_has_no_section(client):
    page = markup.read(client.get("/learn/write"))
    assert "own-title" not in [one.get("id") for one in page.all("h2")]


def test_page_of_a_file_is_blank_without_scripts(client):
    page = markup.read(client.get("/learn/write/opened?name=x"))
    assert page.one("h1").text.strip() == "Exercise from a file"
    assert "slidewise grade --exercise FILE" in page.text
