"""An expression that cannot be read: what the page says then, and what it does not say."""

from __future__ import annotations

import pytest

from slidewise.solver.own.parse import EXPRESSION_CHARACTERS, parse
from tests.web import markup

CODE, FOUR = "7.2.4-5.0.6-8.3.1", "15.14.8.12-10.11.9.13-2.6.5.1-3.4.7.0"
WRONG = {
    "typed": (CODE, {"own": "foo + 1"}, "There is no name 'foo'"),
    "unfinished": (CODE, {"own": "manhattan +"}, "Expected a name"),
    "by a link": (CODE, {"h": "=manhattan / 2"}, "write // to divide"),
    "on a large board": (FOUR, {"h": "=2 * manhattan"}, "up to 10 cells"),
}


@pytest.fixture(params=WRONG.values(), ids=WRONG)
def refused(client, request):
    code, query, words = request.param
    response = client.get(f"/lab/{code}/heuristics", query_string=query)
    assert response.status_code == 400
    return markup.read(response), words


def test_no_other_heuristic_is_told_of(refused):
    page, _ = refused
    assert page.all(id="all") == []
    assert "Admissible." not in page.text
    assert "Manhattan" not in page.one("h1").parent.text
    assert [link.text for link in page.all("a", aria_current="true")] == ["Your own"]
    assert "Race it" not in page.text


def test_the_error_is_at_the_field(refused):
    page, words = refused
    field = page.one(id="expression")
    assert field["aria-invalid"] == "true"
    told = [page.one(id=name) for name in field["aria-describedby"].split()]
    assert words in told[0].text
    assert told[0].one("p", role="alert")


def test_the_title_tells_it(refused):
    page, _ = refused
    assert page.one("title").text.startswith("Error in your own heuristic")


def test_the_page_opens_at_the_field_or_else_at_what_was_found(client):
    page = markup.read(client.get(f"/lab/{CODE}/heuristics"))
    form = next(one for one in page.all("form") if one["action"].endswith("/heuristics#expression"))
    field = form.one("input", name="own")
    assert field["id"] == "expression"
    assert "aria-invalid" not in field.attrs
    found = client.get(f"/lab/{CODE}/heuristics", query_string={"own": "zero"})
    assert found.location.endswith("#all")
    page = markup.read(client.get(found.location))
    assert page.one(id="all-title").text == "On all boards: zero"


def test_what_is_given_as_an_example_is_right(client):
    field = markup.read(client.get(f"/lab/{CODE}/heuristics")).one(id="expression")
    found = client.get(
        f"/lab/{CODE}/heuristics",
        query_string={"own": field["placeholder"]},
        follow_redirects=True,
    )
    assert "✓Admissible." in markup.read(found).one(id="all").text.replace(" ", "")


def test_no_more_can_be_typed_than_is_taken(client):
    field = markup.read(client.get(f"/lab/{CODE}/heuristics")).one(id="expression")
    assert field["maxlength"] == str(EXPRESSION_CHARACTERS)


def test_signs_are_read_as_they_are_printed_too():
    assert str(parse("2 × manhattan − misplaced")) == "2 * manhattan - misplaced"
