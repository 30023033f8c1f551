"""The id of a request, and its line in the log."""

import json
import logging
import re

import pytest

from tests.web import markup
from tests.web.kinds import CODE
from tests.web.streams import HTMX
from webapp.http.log import PATH_CHARACTERS, LogLines

PLAIN = {"LOG": "text", "TESTING": False, "PROPAGATE_EXCEPTIONS": False}


class Log(logging.Handler):
    """A handler that collects the log lines as the server writes them."""

    def __init__(self, as_json):
        super().__init__()
        self.setFormatter(LogLines(as_json=as_json))
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


@pytest.fixture
def logged(new_app):
    """Return clients of new apps with their log lines."""
    handlers = []

    def make(**settings):
        app = new_app(**{**PLAIN, **settings})
        app.add_url_rule("/broken", view_func=lambda: 1 / 0)
        handlers.append(Log(app.config["LOG"] == "json"))
        app.logger.addHandler(handlers[-1])
        return app.test_client(), handlers[-1].lines

    yield make
    logger = logging.getLogger("webapp")
    for handler in handlers:
        logger.removeHandler(handler)


def test_line_has_the_path_without_query_status_time_and_id(logged):
    client, lines = logged()
    answer = client.get("/custom?start=secret")
    pattern = r"\[[-\d]+ [\d:,]+\] GET /custom 200 [\d.]+ ms ([0-9a-f]{8})"
    assert re.fullmatch(pattern, lines[0])[1] == answer.headers["X-Request-ID"]
    client.post(f"/play/{CODE}/slide", data={"tile": "5"}, headers=HTMX)
    assert f" POST /play/{CODE}/slide 200 " in lines[1]
    assert client.get("/").headers["X-Request-ID"] not in "".join(lines[:2])
    assert len(lines) == 3


def test_line_of_a_json_log_is_an_object(logged):
    client, lines = logged(LOG="json")
    answer = client.get("/nowhere%0A%22?x=secret")
    entry = json.loads(lines[0])
    assert (entry.pop("ms") >= 0, entry.pop("time")[-1]) == (True, "Z")
    assert entry == {
        "level": "INFO",
        "method": "GET",
        "path": "/nowhere%0A%22",
        "status": 404,
        "id": answer.headers["X-Request-ID"],
    }


def test_no_request_breaks_a_line_or_makes_it_long(logged):
    client, lines = logged(LOG_ADDRESSES=True, PROXIES=1)
    odd = "%0A[2026-01-01%2000:00:00] GET /forged%1B%E2%80%A8"
    client.get(f"/{odd}", headers={"X-Forwarded-For": "1.2.3.4\u2028é, \x1b[31m"})
    client.open("/" + "x" * 9000, method="X" * 100)
    assert len(lines) == 2
    for line in lines:
        assert line.isprintable()
        assert line.isascii()
        assert len(line) < PATH_CHARACTERS + 250


def test_addresses_are_logged_only_if_configured(logged):
    for settings, entry in ({}, False), ({"LOG_ADDRESSES": True}, True):
        client, lines = logged(**settings)
        client.get("/api", environ_base={"REMOTE_ADDR": "192.0.2.77"})
        assert lines[0].endswith(" 192.0.2.77") is entry


@pytest.mark.parametrize("how", ["off", "text", "json"])
def test_internal_error_is_logged_with_the_id_of_its_page(logged, how):
    client, lines = logged(LOG=how, CONTACT="games@example.org")
    answer = client.get("/broken?typed=secret")
    words = markup.read(answer).one("main").text
    entry = answer.headers["X-Request-ID"]
    assert f"send games@example.org this number: {entry} (Slidewise" in " ".join(words.split())
    assert len(lines) == (1 if how == "off" else 2)
    assert entry in lines[0].split("\n")[0]
    assert "ZeroDivisionError" in lines[0]
    assert "secret" not in "".join(lines)
    notice = client.get("/broken", headers=HTMX)
    assert f"this number: {notice.headers['X-Request-ID']}." in notice.text


def test_api_problem_has_the_id_the_version_and_the_contact(new_app, client):
    answer = client.get("/api/nowhere")
    assert answer.json["request_id"] == answer.headers["X-Request-ID"]
    assert answer.json["version"]
    assert "contact" not in answer.json
    contact = "https://example.org/contact?about=games"
    entry = new_app(CONTACT=contact).test_client().get("/api/nowhere").json
    assert entry["contact"] == contact


@pytest.mark.parametrize(
    ("proxies", "sent", "taken"),
    [
        *((1, sent, True) for sent in ("5f0c-7.A_b", "a" * 64)),
        *((1, sent, False) for sent in ("a" * 65, "short", "abc def", "<script>", "ébène00")),
        (0, "5f0c-7.A_b", False),
    ],
)
def test_request_id_of_a_trusted_proxy_is_used(new_app, proxies, sent, taken):
    client, sent_id = new_app(PROXIES=proxies).test_client(), {"X-Request-ID": sent}
    ids = {client.get("/nowhere", headers=sent_id).headers["X-Request-ID"] for _ in range(2)}
    assert ids == {sent} if taken else len(ids) == 2


def test_probes_are_not_logged(logged):
    client, lines = logged()
    for path in "/healthz", "/readyz":
        client.get(path)
    assert lines == []


def test_stream_is_logged_at_its_end(logged):
    client, lines = logged()
    answer = client.post(f"/play/{CODE}/solve", headers=HTMX, buffered=False)
    assert lines == []
    assert answer.headers["X-Request-ID"]
    answer.get_data()
    answer.close()
    assert f" POST /play/{CODE}/solve 200 " in lines[0]
    assert len(lines) == 1
