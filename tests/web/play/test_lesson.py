"""Lessons: the parts they hide."""

from tests.boards import SIX_MOVES
from tests.web import markup
from tests.web.streams import HTMX

PATH = f"/play/{SIX_MOVES}"


def lesson(client, hidden):
    return markup.read(client.get(f"{PATH}?lesson={hidden}"))


def test_lesson_hides_the_parts_it_names(client):
    usual = lesson(client, "")
    assert {"solver", "hint", "solve-button", "to-go", "shortest"} <= set(usual.ids())
    without = lesson(client, "solver,hint,to-go")
    assert not {"solver", "hint", "solve-button", "to-go", "shortest"} & set(without.ids())
    assert without.one("input", name="lesson")["value"] == "solver,hint,to-go"
    assert "hint" not in lesson(client, "hint").ids()
    assert "solver" in lesson(client, "hint").ids()


def test_click_stays_in_the_lesson(client):
    data = {"tile": 3, "lesson": "to-go,hint"}
    response = client.post(f"{PATH}/slide", data=data)
    assert "lesson=hint,to-go" in response.location.replace("%2C", ",")
    response = client.post(f"{PATH}/slide", data={**data, "tile": 2}, headers=HTMX)
    fragment = markup.read(response)
    assert not {"hint", "to-go"} & set(fragment.ids())
    assert "moves left" not in fragment.text
    assert "undo" in fragment.ids()


def test_lesson_that_hides_an_unknown_part_is_400(client):
    response = client.get(f"{PATH}?lesson=board")
    assert response.status_code == 400
    assert "lesson=solver,hint" in markup.read(response).text
