"""Recursive best-first search has no iterations, and no page claims any."""

from tests.web import markup

CODE = "5.2.3-1.4.0"


def test_text_of_the_watched_search_names_the_lowest_f(client):
    page = markup.read(client.get(f"/lab/{CODE}/watch?algorithm=rbfs"))
    words = page.one(id="in-words").text
    assert "The lowest f at the start rose to 6." in words
    assert "teration" not in words
    assert "f-limit" not in words


def test_trace_names_the_lowest_f(client):
    texts = client.get(f"/lab/{CODE}/trace?algorithm=rbfs").json
    assert texts["sorting"] == "recursion"
    kinds = {kind for kind, *_ in texts["iterations"]}
    assert kinds == {"lowest f"}
    others = client.get(f"/lab/{CODE}/trace?algorithm=idastar").json
    assert {kind for kind, *_ in others["iterations"]} == {"f-limit"}


def test_solve_stream_names_the_lowest_f(solve):
    messages = solve("8.6.7-2.5.4-3.0.1", algorithm="rbfs").all()
    texts = [one.text("#under-way") for one in messages if "#under-way" in one.partials]
    assert texts[-1] == "Lowest f at the start: 31"
