"""A teacher's exercise: opened from a file, and on the site."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from slidewise.course.judge.own_exercise import MAX_BYTES, as_text, packed, read_folder
from tests.browser.steps import (
    block_python,
    expect_no_axe_violations,
    expect_to_fit_without_axe_violations,
    wait_for,
    wait_for_module,
)
from tests.course.cli.test_grade_class import zip_of
from tests.course.judge.test_own_exercise import BLANK_COUNTED, EXAMPLE, SOLUTION, answering

READY = re.compile("Python is ready")


def opened_with(page: Page, text: str) -> None:
    """Open a file on the page with the list."""
    page.goto("/learn/write")
    choose_file(page, text, "x.exercise.json")


def choose_file(page: Page, text: str | bytes, name: str) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    file: Any = {"name": name, "mimeType": "application/json", "buffer": data}
    page.locator("#open-file").set_input_files(file)


def run(page: Page, code: str) -> None:
    page.locator("#code").fill(code)
    page.locator("#run").click()
    expect(page.locator("#stop")).to_be_hidden()


@pytest.fixture(scope="module")
def file() -> str:
    """Return the text of the example's file."""
    return as_text(packed(read_folder(EXAMPLE), answering()))


def test_file_is_opened_judged_and_stored(page: Page, file: str) -> None:
    sent = list[str]()
    page.on("request", lambda request: sent.append(request.method))
    opened_with(page, file)
    expect(page.locator("h1")).to_have_text("Tiles outside their row")
    expect(page.locator("#checks li")).to_have_count(3)
    expect(page.locator("#state")).to_have_text(READY)
    run(page, BLANK_COUNTED)
    expect(page.locator("#points")).to_have_text("2 of 10 points")
    expect(page.locator("#says .call")).to_have_text("rows_out((1, 0, 3, 2), (1, 2, 3, 0))")
    expect(page.locator("#says")).to_contain_text("Hint: Is the blank counted?")
    run(page, SOLUTION)
    expect(page.locator("#state")).to_contain_text("All checks passed")
    assert set(sent) == {"GET"}
    block_python(page)
    page.reload()
    expect(page.locator("#code")).to_have_value(SOLUTION)
    stored = page.evaluate("Object.keys(localStorage)")
    assert {"exercise rows-out", "code own:rows-out"} <= {*stored}
    page.goto("/learn/write")
    item = page.locator("#opened li")
    expect(item).to_have_class(re.compile("is-done"))
    item.get_by_role("button", name="Remove Tiles outside their row").click()
    expect(item).to_have_count(0)
    expect(page.locator("#open-file")).to_be_focused()


def test_texts_of_a_file_are_shown_as_text(page: Page, file: str) -> None:
    block_python(page)
    hostile = "<img src=x onerror=alert(1)> `<b>code</b>`"
    table = json.loads(file)
    table |= {"title": hostile, "task": hostile, "hints": [hostile], "uses": [hostile]}
    table["check"][0]["text"] = hostile
    opened_with(page, json.dumps(table))
    expect(page.locator("h1")).to_have_text(hostile)
    expect(page.locator("#task-text")).to_have_text("<img src=x onerror=alert(1)> <b>code</b>")
    expect(page.locator("#checks li").first).to_contain_text(hostile)
    assert page.locator("main img, main b > code, main code > b").count() == 0
    page.goto("/learn/write")
    expect(page.locator("#opened h3")).to_have_text(hostile)
    expect_to_fit_without_axe_violations(page)


def test_file_that_is_no_exercise_is_refused(page: Page, file: str) -> None:
    page.goto("/learn/write")
    wrong = ["", "{}", "[" * 100_000, '{"format": "slidewise exercise 1"}', b"\xff\xfe\0"]
    for number, text in enumerate([*wrong, file + " " * MAX_BYTES]):
        choose_file(page, text, f"{number}.json")
        words = f"{number}.json is no exercise of Slidewise"
        expect(page.locator("#refused")).to_contain_text(words)
        expect(page).to_have_url(re.compile("/learn/write$"))


def test_wrong_call_of_a_file_is_refused_at_the_run(page: Page, file: str) -> None:
    table = json.loads(file)
    table["check"][0]["cases"][0]["call"] = "rows_out(__import__('js'))"
    opened_with(page, json.dumps(table))
    expect(page.locator("#state")).to_have_text(READY)
    run(page, SOLUTION)
    expect(page.locator("#state")).to_contain_text("The exercise cannot be used: the file, check 1")


def test_name_that_is_not_stored_leads_to_the_list(page: Page) -> None:
    page.goto("/learn/write/opened?name=bfs")
    expect(page.locator("#no-file")).to_contain_text("This browser has no exercise of this name.")
    expect(page.locator("#run")).to_be_hidden()
    expect_no_axe_violations(page)


def test_exercise_of_the_site_is_judged(page: Page) -> None:
    page.goto("/learn/write")  # starts to read the folder
    wait_for(page, lambda: page.request.get("/learn/write").status == 200)
    page.goto("/learn/write")
    page.locator("[data-exercise='own:rows-out'] a").click()
    expect(page.locator("#state")).to_have_text(READY)
    run(page, SOLUTION)
    expect(page.locator("#state")).to_contain_text("All checks passed")
    expect(page.locator("#done")).to_contain_text("Exercise done.")


def test_class_is_graded_with_the_exercise_of_a_file(page: Page, file: str) -> None:
    page.goto("/learn/class")
    wait_for_module(page, "course/learn/class")
    files = {
        "Anna Berg_12_assignsubmission_file/a.py": "# Slidewise exercise: rows-out\n" + SOLUTION,
        "Ben Fischer_13_assignsubmission_file/b.py": BLANK_COUNTED,
    }
    sheet = "Identifier,Full name,Email,Grade\nParticipant 12,Anna Berg,a@u.example,\n"
    chosen: Any = [
        {"name": "rows-out.exercise.json", "mimeType": "", "buffer": file.encode()},
        {"name": "class.zip", "mimeType": "", "buffer": zip_of(files)},
        {"name": "sheet.csv", "mimeType": "", "buffer": sheet.encode()},
        {"name": "other.json", "mimeType": "", "buffer": b"{}"},
    ]
    page.locator("#files").set_input_files(chosen)
    expect(page.locator("#chosen")).to_have_text("Tiles outside their row")
    expect(page.locator("#refused")).to_contain_text("other.json is no exercise")
    page.locator("#run").click()
    expect(page.locator("#fill")).to_be_visible(timeout=60_000)
    for button, rows in ("#fill", "a@u.example,10"), ("#moodle", "a@u.example,Anna Berg,10"):
        with page.expect_download() as download:
            page.locator(button).click()
        assert rows in download.value.path().read_text()
    expect(page.locator("#mistakes li")).to_have_count(0)
    expect(page.locator("#failed-checks li")).to_contain_text("Counts on small boards")
    expect(page.locator("#rows")).to_contain_text("Check failed: Counts on small boards")
    page.reload()
    expect(page.locator("#exercise optgroup option")).to_have_text(["Tiles outside their row"])
