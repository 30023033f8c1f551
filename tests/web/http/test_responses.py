"""The headers by which the scripts of a page recognise an answer."""

from __future__ import annotations

from tests.web.streams import HTMX

CODE = "1.2.3-4.0.6-7.5.8"
GAME = f"/play/{CODE}"


def marks(response):
    return [response.headers.get(f"Slidewise-{name}") for name in ("Answer", "Board")]


def test_a_click_answers_with_the_board_after_it(client):
    response = client.post(f"{GAME}/slide", data={"tile": "5"}, headers=HTMX)
    assert marks(response) == ["board", "1.2.3-4.5.6-7.0.8"]


def test_a_click_that_is_refused_answers_with_the_board_as_it_was(client):
    response = client.post(f"{GAME}/slide", data={"tile": "1"}, headers=HTMX)
    assert response.status_code == 422
    assert marks(response) == ["refused", CODE]


def test_the_game_as_it_is_can_be_fetched(client):
    assert marks(client.get(GAME, headers=HTMX)) == ["board", CODE]


def test_a_number_of_moves_names_its_board(client):
    response = client.get(f"{GAME}/to-go", query_string={"board": CODE}, headers=HTMX)
    assert marks(response) == ["moves-left", CODE]


def test_an_error_is_a_notice(client):
    response = client.post(f"{GAME}/play-on", data={"start": "x"}, headers=HTMX)
    assert marks(response) == ["notice", None]


def test_a_whole_page_has_no_mark(client):
    assert marks(client.get(GAME)) == [None, None]
