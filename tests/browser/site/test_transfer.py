"""Records, streak and settings move to another browser by a file."""

import json
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.steps import expect_to_fit_without_axe_violations, wait_for


def day(moves: int, **more: Any) -> dict[str, Any]:
    return {"moves": moves, "seconds": 50.25, "helped": False, **more}


def put(page: Page, **stores: Any) -> None:
    page.goto("/transfer")
    for name, value in stores.items():
        text = value if isinstance(value, str) else json.dumps(value)
        page.evaluate("([name, text]) => localStorage.setItem(name, text)", [name, text])
    page.reload()


def stored(page: Page, name: str) -> Any:
    text = page.evaluate("name => localStorage.getItem(name)", name)
    return json.loads(text or "null")


def open_file(page: Page, content: str | bytes) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    file = {"name": "slidewise.json", "mimeType": "application/json", "buffer": data}
    page.locator("#open-file").set_input_files(file)  # type: ignore[arg-type]  # a dict


def test_file_moves_records_days_and_settings_to_another_browser(page: Page) -> None:
    days = {"2026-02-27 3x3": day(28, on="2026-02-27"), "2026-02-28 3x3": day(40)}
    sums = {"solved": {"count": 9, "game": "a"}, "total": {"count": 90.5, "game": "a"}}
    bests = {"3x3 blank last": {"moves": {"count": 22, "game": "a"}, **sums}}
    lessons = {"row": 2, "corner": 0}
    stars = {"1": 3, "12": 1}
    put(page, **{"by-hand": lessons}, levels=stars, days=days, bests=bests)
    put(page, notation="letters", theme="dark")
    expect_to_fit_without_axe_violations(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a file").click()
    content = download.value.path().read_text(encoding="utf-8")

    page.evaluate("localStorage.clear()")
    mine = {"2026-02-28 3x3": day(26, on="2026-03-01"), "2026-02-28 4x4": day(60)}
    best = {"moves": {"count": 30, "game": "b"}, "seconds": {"count": 9.5, "game": "c"}}
    fewer = {"solved": {"count": 1, "game": "b"}, "total": {"count": 200, "game": "b"}}
    put(
        page,
        days=mine,
        bests={"3x3 blank last": {**best, **fewer}, "2x2 blank last": best},
        theme="light",
        levels={"12": 2, "13": 1},
        **{"by-hand": {"row": 1, "column": 4}},
    )
    open_file(page, content)
    expect(page.locator("#transfer-said")).to_contain_text("1 record and 2 solved daily")
    assert stored(page, "days") == {**mine, "2026-02-27 3x3": days["2026-02-27 3x3"]}
    assert stored(page, "levels") == {"1": 3, "12": 2, "13": 1}
    assert stored(page, "by-hand") == {"row": 1, "corner": 0, "column": 4}
    assert stored(page, "bests") == {
        "3x3 blank last": {**best, **bests["3x3 blank last"]},
        "2x2 blank last": best,
    }
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-notation", "letters")


def solve(at: int, **more: Any) -> dict[str, Any]:
    puzzle = {"puzzle": "1.2.3-4.5.6-0.7.8", "kind": "3x3 1.2.3-4.5.6-7.8.0"}
    return {"at": at, **puzzle, "ms": 900, "penalty": "", "moves": 2, **more}


def test_file_includes_each_speed_mode_solve_once(page: Page) -> None:
    played = {"slides": "L2", "times": [900]}
    old, both = solve(1_000, penalty="DNF"), solve(2_000, **played)
    put(page, solves=[old, both])
    with page.expect_download() as download:
        page.get_by_role("button", name="Save a file").click()
    content = download.value.path().read_text(encoding="utf-8")

    mine = [solve(2_000, penalty="+2", **played), solve(3_000)]
    put(page, solves=mine)
    for _ in range(2):
        page.goto("/transfer")  # without the words of the first time
        open_file(page, content)
        expect(page.locator("#transfer-said")).to_contain_text("and 2 speed mode solves")
        assert stored(page, "solves") == [old, *mine], "what is marked here stays marked"


def test_file_chosen_during_page_load_is_read(page: Page) -> None:
    held: list[Route] = []
    page.route("**/transfer*.js", lambda route: held.append(route))
    page.goto("/transfer", wait_until="commit")
    open_file(page, json.dumps({"slidewise": 1, "days": {"2026-02-28 3x3": day(26)}}))
    expect(page.get_by_role("button", name="Save a file")).to_be_disabled()
    wait_for(page, lambda: held)
    held[0].continue_()
    expect(page.locator("#transfer-said")).to_contain_text("1 solved daily puzzle")
    expect(page.get_by_role("button", name="Save a file")).to_be_enabled()


BAD_FILES = [
    (b"\xff\xd8 a photograph", "not a file from Slidewise"),
    ('{"slidewise": 2}', "from a newer version"),
    ("[1, 2]", "not a file from Slidewise"),
    ('{"slidewise": 1, "days": {"2026-02-28 3x3": {"moves": "<b>"}}}', "days in this file"),
    ('{"slidewise": 1, "records": {"3x3": {"moves": {"count": -1}}}}', "records in this file"),
    ('{"slidewise": 1, "days": {"2026-02-30x 3x3": null}}', "days in this file"),
    ('{"slidewise": 1, "solves": [{"at": 1}]}', "solves in this file"),
    ('{"slidewise": 1, "lessons": {"row": -1}}', "lessons in this file"),
    ('{"slidewise": 1, "levels": {"12": 4}}', "levels in this file"),
    ('{"slidewise": 1, "times": {"two-rows": {"times": 3}}}', "times in this file"),
    ('{"slidewise": 1, "detours": {"<b>": {"moves": 3, "at": 1}}}', "detours in this file"),
    (b'{"slidewise": 1}' + b" " * 5_000_000, "too large"),
]
"""Files, and their errors. Each error differs from the one before, which is still shown."""


def test_a_bad_file_changes_nothing(page: Page) -> None:
    days = {"2026-02-28 3x3": day(26)}
    put(page, days=days, bests={})
    status = page.locator("#transfer-said")
    for content, error in BAD_FILES:
        open_file(page, content)
        expect(status).to_contain_text(error)
        expect(status).to_contain_text("Nothing was changed.")
        assert (stored(page, "days"), stored(page, "bests")) == (days, {}), error


FULL = """() => {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = function (name, text) {
    if (name === "detours") throw new DOMException("full", "QuotaExceededError");
    return setItem.call(this, name, text);
  };
}"""
"""Leaves no room for the last value of a file."""


def test_full_storage_leaves_all_as_it_was(page: Page) -> None:
    days = {"2026-02-28 3x3": day(26)}
    put(page, days=days)
    before = page.evaluate("() => ({ ...localStorage })")
    page.evaluate(FULL)
    open_file(page, json.dumps({"slidewise": 1, "days": {"2026-03-01 3x3": day(24)}}))
    expect(page.locator("#transfer-said")).to_contain_text("Nothing was changed.")
    assert page.evaluate("() => ({ ...localStorage })") == before
