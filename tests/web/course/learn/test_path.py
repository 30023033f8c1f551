"""The learning path: its steps in order, their marks, and links to all other topics."""

import itertools

from slidewise.course.judge import exercises
from tests.web import markup
from tests.web.course.learn.learning import KEYS, get
from webapp.course.learn.path import STEPS


def steps_of(page):
    return page.all("li", class_="path-step")[: len(STEPS)]


def test_path_leads_from_step_to_step(client):
    listed = [step.one("h2").one("a")["href"] for step in steps_of(get(client))]
    assert [page.removeprefix("/learn/") for page in listed] == [step.key for step in STEPS]
    for number, (here, after) in enumerate(itertools.pairwise(listed), 1):
        page = markup.read(client.get(here))
        assert f"step {number} of 11" in page.text
        assert page.one("a", class_="next-step")["href"] == after


def test_exercises_stand_on_their_steps(client):
    page = get(client)
    marks = [mark for mark in page.all("a", class_="path-mark") if mark.get("data-exercises")]
    listed = [mark["data-exercises"].split() for mark in marks]
    assert listed == [list(step.exercises) for step in STEPS]
    written = [exercise for names in listed for exercise in names]
    assert len(set(written)) == len(written)
    assert set(written) == {key for key, one in exercises().items() if not one.local}
    total = page.one("li", class_="path-step path-written").one(class_="no-js")
    assert total.text == f"{len(exercises())} programs to write"
    assert f"{len(exercises())} functions" in markup.read(client.get("/learn/write")).text
    for mark, names in zip(marks, listed, strict=True):
        assert mark["href"] == f"/learn/write/{names[0]}"
        assert f"0/{len(names)}" in mark.text or len(names) == 1


def test_exercises_lead_along_the_path(client):
    keys = list(exercises())
    assert keys[: sum(len(step.exercises) for step in STEPS)] == [
        key for step in STEPS for key in step.exercises
    ]
    for step, after in itertools.pairwise(STEPS):
        pages = [f"/learn/write/{key}" for key in step.exercises]
        for here, following in itertools.pairwise([*pages, f"/learn/{after.key}"]):
            page = markup.read(client.get(here))
            assert page.one(id="lesson")["href"] == f"/learn/{step.key}"
            assert page.one(id="next")["href"] == following


def test_local_exercise_leads_to_its_lesson(client):
    page = markup.read(client.get("/learn/write/annealing"))
    assert page.one(id="lesson")["href"] == "/learn/local-search"


def test_each_mark_has_a_name_and_a_page(client):
    page = get(client)
    marks = page.all("a", class_="path-mark")
    assert len({mark.text for mark in marks}) == len(marks)
    assert all(client.get(mark["href"]).status_code == 200 for mark in marks)


def test_each_mark_has_its_part_of_the_page(client):
    for step, listed in zip(STEPS, steps_of(get(client)), strict=True):
        marks = [mark["data-thing"] for mark in listed.all("a") if mark.get("data-thing")]
        ids = get(client, f"/{step.key}").ids()
        parts = {"Watch": "example", "Predict": "question"}
        things = ["Read", *(thing for thing, part in parts.items() if part in ids)]
        assert marks == [f"{step.key} {thing}" for thing in things]


def test_side_topic_is_no_step(client):
    assert not get(client, "/wastar").all("ol", class_="trail")


def test_every_topic_is_reached_from_the_path(client):
    found, waiting = set(), [""]
    while waiting:
        for link in get(client, waiting.pop()).one("main").all("a"):
            where = link["href"].partition("#")[0].removeprefix("/learn")
            if where.removeprefix("/") in KEYS and where not in found:
                found.add(where)
                waiting.append(where)
    assert found == {f"/{key}" for key in KEYS}
