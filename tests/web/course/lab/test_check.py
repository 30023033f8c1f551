"""Check my work: the form, the report, and unreadable input."""

import io
from concurrent.futures import Future

import pytest

from slidewise import parse_puzzle, search
from slidewise.course.judge.catalogue import catalogue
from slidewise.solver.events import Expanded
from tests.web import markup
from tests.web.course.lab import pages
from webapp.course.lab import check as check_page
from webapp.course.lab.check import (
    EXAMPLE,
    EXAMPLE_WORK,
    MAX_CHECKS,
    MAX_WAITING,
    WorkChecks,
    WorkToCheck,
)
from webapp.http.language import COOKIE, LANGUAGES
from webapp.workers import Busy
from webapp.workers.helpers import Late, slot
from webapp.workers.shared import LocalShared, services_of


def expansions(convention):
    events = search(parse_puzzle(EXAMPLE), "bfs", None, trace=1000, convention=convention)
    return "".join(f"{event.board}\n" for event in events if isinstance(event, Expanded))


DOWN_FIRST = expansions("slidewise,order=durl")


def post(client, status=200, **fields):
    fields = {"board": EXAMPLE, "algorithm": "bfs", **fields}
    response = client.post("/lab/check", data=fields, content_type="multipart/form-data")
    assert response.status_code == status, response.text[:300]
    return response


def test_example_takes_one_click_and_shows_a_mistake(client):
    page = markup.read(client.get("/lab/check", follow_redirects=True))
    form = page.one("form", id="check-example")
    assert page.one("button", form="check-example").text == "Try an example"
    fields = {one["name"]: one["value"] for one in form.all("input")}
    report = markup.read(client.post(form["action"], data=fields))
    assert report.one(id="found").text == "First difference at expansion 10"


def test_first_difference_is_shown_with_its_explanation(client):
    page = markup.read(post(client, given=DOWN_FIRST))
    assert page.one(id="found").text == "Right, in another way"
    assert "First difference at expansion 9" in page.text
    (strip,) = pages.of_class(page, "check-strip")
    assert [one.classes for one in strip.all("li")] == [{"right"}] * 8 + [{"other"}, {"next"}]
    assert "You took down before up." in page.text
    assert "Score 100 of 100: rules right." in " ".join(page.text.split())
    button = page.one("button", name="with")
    assert button["value"] == "slidewise,order=durl"
    rows = [[cell.text for cell in row.all("td")] for row in page.one("tbody").all("tr")]
    assert rows == [
        *(["6", "6", "same"], ["53", "56", "−3"], ["145", "151", "−6"], ["92", "95", "−3"])
    ]
    again = markup.read(post(client, given=DOWN_FIRST, **{"with": button["value"]}))
    assert again.one(id="found").text == "Everything is right"


def test_report_is_in_the_language_of_the_visitor(client):
    code = "de"
    client.set_cookie(COOKIE, code)
    page = markup.read(client.post("/lab/check", data=EXAMPLE_WORK))
    mistake = catalogue()["wraps-at-row-ends"]
    gettext = LANGUAGES[code].translations.gettext
    assert all(gettext(one) in page.text for one in (mistake.title, mistake.text, mistake.mend))
    cause = gettext("A possible cause: %(title)s") % {"title": gettext(mistake.title)}
    assert cause in page.text
    title = gettext("First difference at expansion %(at)s") % {"at": 10}
    assert page.one(id="found").text == title


def test_downloaded_report_is_in_english(client):
    client.set_cookie(COOKIE, "de")
    report = client.post("/lab/check", data={**EXAMPLE_WORK, "as": "json"}).json
    assert report["explanation"]["mend"] == catalogue()["wraps-at-row-ends"].mend


def test_explanation_links_to_its_page_of_the_atlas(client):
    board = "1.2.3-8.6.7-4.0.5"
    events = search(*(parse_puzzle(board), "astar", "manhattan"), trace=1000, convention="columbia")
    given = "".join(f"{event.board}\n" for event in events if isinstance(event, Expanded))
    page = post(client, board=board, algorithm="astar", heuristic="manhattan", given=given).text
    assert 'href="/learn/mistakes/astar/columbia"' in page


def test_file_replaces_the_text(client):
    file = io.BytesIO(expansions("slidewise").encode()), "mine.txt"
    page = markup.read(post(client, given="", file=file))
    assert page.one(id="found").text == "Everything is right"
    assert page.one("textarea").text.startswith(EXAMPLE)


def test_report_can_be_downloaded_as_json(client):
    response = post(client, given="nodes_expanded: 57", **{"as": "json"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="check.json"'
    assert response.json["explanation"]["key"] == "counts-goal"


def test_unreadable_work_is_400_with_its_line_marked(client):
    page = markup.read(post(client, 400, given="\nhello <b>\n"))
    assert page.one("mark").text == "hello <b>"
    assert "Line 2: " in pages.alerts(page)
    assert page.one("textarea")["aria-invalid"] == "true"
    assert "hello <b>" in page.one("textarea").text


def test_bad_option_of_a_check_is_400(client):
    for fields, why in (
        ({"board": "1 2 3"}, "the blank is missing"),
        ({"convention": "mine"}, "there is no convention"),
        ({"algorithm": "magic"}, "magic"),
        ({"algorithm": "wastar", "weight": "heavy"}, "the weight must be from 1 to 100"),
    ):
        page = markup.read(post(client, 400, given="UL", **fields))
        assert why.lower() in pages.alerts(page).lower()
        assert page.one("textarea").text == "UL"


def test_api_check_has_the_same_report(client):
    body = {"puzzle": EXAMPLE, "algorithm": "bfs", "given": DOWN_FIRST}
    report = client.post("/api/v1/check", json=body).json
    assert (report["right"], report["divergence"]["number"]) == (True, 9)
    assert (report["exact"], report["wrong"], report["score"]) == (False, False, 100)
    assert report["explanation"]["convention"] == "slidewise,order=durl"
    cells = [int(tile) for tile in EXAMPLE.replace("-", ".").split(".")]
    assert client.post("/api/v1/check", json={**body, "puzzle": cells}).json["puzzle"] == EXAMPLE
    weighted = {**body, "algorithm": "wastar", "weight": 2}
    assert client.post("/api/v1/check", json=weighted).json["weight"] == 2
    refused = client.post("/api/v1/check", json={**body, "weight": 2})
    assert (refused.status_code, refused.json["field"]) == (422, "weight")
    refused = client.post("/api/v1/check", json={**body, "given": "hello"})
    assert (refused.status_code, refused.json["field"]) == (422, "given")
    assert "line 1: " in refused.json["detail"].lower()
    refused = client.post("/api/v1/check", json={**body, "convention": "mine"})
    assert (refused.status_code, refused.json["field"]) == (422, "convention")


def test_busy_solvers_are_503_and_the_input_stays(client, monkeypatch):
    def busy(*args):
        raise Busy("Try again.", retry_after=5)

    monkeypatch.setattr(check_page, "checked", busy)
    response = post(client, 503, given="UL")
    assert response.headers["Retry-After"] == "5"
    assert markup.read(response).one("textarea").text == "UL"


class BusyWorker:
    """A pool whose worker is busy, with its pending calls."""

    def __init__(self):
        self.calls, self.answers = self, []

    def submit(self, queue, function, *args, timeout):
        self.answers.append((Future(), function, args))
        return self.answers[-1][0]

    def finish(self):
        for answer, function, args in self.answers:
            answer.set_result(function(*args))


@pytest.fixture
def busy_worker(app, monkeypatch):
    worker = BusyWorker()
    checks = WorkChecks(worker, LocalShared())
    monkeypatch.setitem(services_of(app).by_class, WorkChecks, checks)
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 0)
    return worker


@pytest.mark.parametrize("form", ["", "json"])
def test_check_waits_in_the_queue_if_the_worker_is_busy(client, busy_worker, form):
    response = post(client, 202, given="nodes_expanded: 57", **{"as": form})
    assert "Other checks run first" in markup.read(response).one(id="queued").text
    seconds, _, address = response.headers["Refresh"].partition("; url=")
    assert seconds == response.headers["Retry-After"] == "3"
    again = client.get(address)
    assert (again.status_code, again.headers["Refresh"]) == (202, f"3; url={address}")
    assert again.headers["Cache-Control"] == "no-store"
    assert len(busy_worker.answers) == 1
    busy_worker.finish()
    report = client.get(address)
    assert report.status_code == 200
    if form:
        assert report.json["explanation"]["key"] == "counts-goal"
    else:
        assert markup.read(report).one("textarea").text == "nodes_expanded: 57"
        assert "Score 100 of 100" in " ".join(markup.read(report).text.split())
    assert post(client, 200, given="nodes_expanded: 57").text
    assert len(busy_worker.answers) == 1


def test_second_api_request_finds_the_check_of_a_busy_worker(client, busy_worker):
    body = {"puzzle": EXAMPLE, "algorithm": "bfs", "given": "nodes_expanded: 57"}
    refused = client.post("/api/v1/check", json=body)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "3")
    busy_worker.finish()
    assert client.post("/api/v1/check", json=body).json["explanation"]["key"] == "counts-goal"
    assert len(busy_worker.answers) == 1


def test_unknown_ticket_of_a_check_is_404(client):
    response = client.get("/lab/check/none")
    assert response.status_code == 404
    assert "send your work again" in response.text


def test_waiting_checks_are_limited_by_visitor_and_in_total():
    checks = WorkChecks(BusyWorker(), LocalShared())

    def start(number, visitor):
        checks.within(WorkToCheck(EXAMPLE, "bfs", None, "slidewise", str(number)), 0, visitor)

    for number in range(MAX_CHECKS):
        with pytest.raises(Late):
            start(number, f"visitor {number // 4}")
    with pytest.raises(Busy, match="Many programs") as refused:
        start("more", "visitor 0")
    assert refused.value.status == 429
    with pytest.raises(Busy, match="Many programs") as refused:
        start("more", "a new visitor")
    assert refused.value.status == 503


def test_request_beyond_the_waiting_limit_does_not_wait(app):
    checks = WorkChecks(BusyWorker(), LocalShared())
    held = [slot(checks._waiting) for _ in range(MAX_WAITING)]
    assert all(one.__enter__() for one in held)
    with pytest.raises(Late):
        checks.within(WorkToCheck(EXAMPLE, "bfs", None, "slidewise", "UL"), 3600, "visitor")


HEAD = b'--x\r\nContent-Disposition: form-data; name="given"'
SLOW_UPLOADS = {
    "head": HEAD + b'; a="b"' * 100_000 + b"\r\n\r\nU\r\n--x--",
    "folded head": HEAD + b"\r\n ; a=b" * 100_000 + b"\r\n\r\nU\r\n--x--",
    "text before the first part": b"\r\n" * 100_000 + HEAD + b"\r\n\r\nU\r\n--x--",
    "ends of no part": b"--x-\r\n\r\n" * 100 + HEAD + b"\r\n\r\nU\r\n--x--",
}


@pytest.mark.parametrize("body", SLOW_UPLOADS.values(), ids=SLOW_UPLOADS)
def test_upload_that_takes_long_to_read_is_400(client, body):
    kind = "multipart/form-data; boundary=x"
    response = client.post("/lab/check", data=body, content_type=kind)
    assert response.status_code == 400
    assert "The form cannot be read" in response.text


def test_long_form_that_is_no_upload_is_413(client):
    kind = "application/x-www-form-urlencoded"
    body = b"given=" + b"%ff" * 100_000
    assert client.post("/lab/check", data=body, content_type=kind).status_code == 413


def test_long_field_is_413(client):
    response = post(client, 413, convention="," * 100_000, given="U")
    assert "A field is longer than 10,000 characters" in response.text
    assert len(response.text) < 100_000
