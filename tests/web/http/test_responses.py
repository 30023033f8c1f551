"""The headers by which the scripts of a page recognise a response."""

import pytest

from tests.boards import ONE_MOVE
from tests.boards import TWO_MOVES as CODE
from tests.web.streams import HTMX
from webapp.http import responses
from webapp.http.responses import Busy


@pytest.mark.parametrize(
    ("method", "path", "form", "headers", "marks"),
    [
        ("POST", "/slide", {"tile": "5"}, HTMX, ["board", ONE_MOVE]),
        ("POST", "/slide", {"tile": "1"}, HTMX, ["refused", CODE]),
        ("GET", "", {}, HTMX, ["board", CODE]),
        ("GET", f"/to-go?board={CODE}", {}, HTMX, ["moves-left", CODE]),
        ("POST", "/play-on", {"start": "x"}, HTMX, ["notice", None]),
        ("GET", "", {}, {}, [None, None]),
    ],
    ids=["click", "click refused", "game as it is", "moves left", "error", "whole page"],
)
def test_response_names_its_kind_and_its_board(client, method, path, form, headers, marks):
    response = client.open(f"/play/{CODE}{path}", method=method, data=form, headers=headers)
    assert [response.headers.get(f"Slidewise-{name}") for name in ("Answer", "Board")] == marks
    assert response.status_code == (400 if "notice" in marks else 200)


def test_stream_whose_search_cannot_be_stopped_still_ends():
    ended = []

    def stop():
        raise Busy("The solvers cannot be reached right now.", 10)

    response = responses.response(iter(["data: 1\n\n"]), stop)
    response.call_on_close(lambda: ended.append("stream"))
    response.close()
    assert ended == ["stream"]
