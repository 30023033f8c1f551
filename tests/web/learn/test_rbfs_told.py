"""Recursive best-first search has no iterations, and nowhere is it said to have any."""

from tests.web import markup

CODE = "5.2.3-1.4.0"


def test_in_words_the_lowest_f_at_the_start_rises(client):
    page = markup.read(client.get(f"/lab/{CODE}/watch?algorithm=rbfs"))
    words = page.one(id="in-words").text
    assert "The lowest f at the start rose to 6." in words
    assert "teration" not in words
    assert "f-limit" not in words


def test_the_viewer_has_the_same(client):
    told = client.get(f"/lab/{CODE}/trace?algorithm=rbfs").json
    assert told["sorting"] == "recursion"
    kinds = {kind for kind, *_ in told["iterations"]}
    assert kinds == {"lowest f"}
    others = client.get(f"/lab/{CODE}/trace?algorithm=idastar").json
    assert {kind for kind, *_ in others["iterations"]} == {"f-limit"}


def test_the_solve_card_tells_it(solve):
    messages = solve("8.6.7-2.5.4-3.0.1", algorithm="rbfs").all()
    told = [one.text("#under-way") for one in messages if "#under-way" in one.partials]
    assert told[-1] == "Lowest f at the start: 31"
