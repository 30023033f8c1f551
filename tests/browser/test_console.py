"""Pages say nothing in the console, and keep to the content policy they come with."""

from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.steps import click, expect_moves, follow, open_settings

START = "7.2.4-5.0.6-8.3.1"
REPLAY = f"/replay/{START}?moves=ULDR2DL2URURDLDRUL2U&step=5"
PATHS = [
    "/",
    "/custom",
    f"/custom?start={START}",
    f"/play/{START}",
    "/play/1.2.3-4.5.6-8.7.0",
    f"/replay/{START}",
    REPLAY,
    f"/board/{START}.svg",
    "/play/nonsense",
    "/nowhere",
]


def test_pages_load_all_that_they_name_from_here(page: Page, base_url: str) -> None:
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    for path in PATHS:
        page.goto(path)
    refused = {answer.url.removeprefix(base_url) for answer in answers if answer.status >= 400}
    assert refused == {"/play/nonsense", "/nowhere"}
    assert all(answer.url.startswith(base_url) for answer in answers)


def test_a_whole_visit_says_nothing(page: Page) -> None:
    page.goto(f"/play/{START}")
    click(page, 5, 7)
    expect_moves(page, 2)
    page.locator("#undo").click()
    expect_moves(page, 1)
    open_settings(page)
    page.get_by_label("Dark").check()
    page.keyboard.press("Escape")
    page.locator("#solve-button").click()
    page.locator("#steps button").nth(3).click()
    page.get_by_role("button", name="Play on from here").click()
    expect_moves(page, 5)
    page.locator("#restart").click()
    expect_moves(page, 0)
    page.goto(REPLAY)
    page.locator("[data-go=next]").click()
    page.goto("/custom")
    page.locator("#start").fill("8 1 3 4 0 2 7 5 6")
    expect(page.locator("[data-edits=start]")).to_be_visible()
    page.locator("[data-edits=start] button").first.click()


def test_what_the_policy_forbids_would_be_noticed(page: Page, complaints: list[str]) -> None:
    page.goto(f"/play/{START}")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "document.title = 'let in'";
          document.body.append(script);
        }"""
    )
    page.evaluate("() => document.body.setAttribute('style', 'color: red')")
    expect(page).not_to_have_title("let in")
    page.title()
    assert any("Content Security Policy" in complaint for complaint in complaints)
    complaints.clear()


def test_what_a_page_throws_would_be_noticed(page: Page, complaints: list[str]) -> None:
    page.goto(f"/play/{START}")
    with page.expect_event("pageerror"):
        page.evaluate("() => { setTimeout(() => { throw new Error('noticed'); }); }")
    page.title()
    assert any("noticed" in complaint for complaint in complaints)
    complaints.clear()


def test_another_site_can_not_play_for_a_visitor(
    page: Page, context: BrowserContext, base_url: str
) -> None:
    page.goto(f"/play/{START}")
    click(page, 5)
    expect_moves(page, 1)
    form = (
        f'<form method="post" action="{base_url}/play/{START}/restart"><button>Go</button></form>'
    )
    context.route(
        "http://elsewhere.test/",
        lambda route: route.fulfill(body=form, content_type="text/html"),
    )
    elsewhere = context.new_page()
    elsewhere.goto("http://elsewhere.test/")
    follow(elsewhere, elsewhere.get_by_role("button"))
    expect(elsewhere.get_by_role("heading", level=1)).to_have_text("Not from here")
    page.reload()
    expect_moves(page, 1)
