"""The page of a solution counts the shortest solutions on request."""

from slidewise import format_moves
from tests.boards import HARDEST
from tests.boards import SIX_MOVES as CODE
from tests.web import markup


def replay(client, code, moves):
    return markup.read(client.get(f"/replay/{code}", query_string={"moves": moves}))


def shortest_of(client):
    return format_moves(client.get(f"/api/v1/puzzles/{HARDEST}/shortest").json["moves"])


def test_shortest_solutions_are_counted_on_request(client):
    moves = shortest_of(client)
    fold = replay(client, HARDEST, moves).one("details", id="count")
    assert "open" not in fold.attrs
    link = fold.one("a")["href"]
    assert link == fold["hx-get"]
    assert (fold["hx-trigger"], fold["hx-target"]) == ("toggle once", "#counted")
    fragment = client.get(link, headers={"HX-Request": "true"}).text
    assert "40 shortest solutions" in fragment
    assert "26 of the 31 moves" in fragment
    assert "<html" not in fragment
    page = markup.read(client.get(link))
    assert "open" in page.one("details", id="count").attrs
    rows = [row.text.split() for row in page.one("table").one("tbody").all("tr")]
    assert rows[:2] == [["1", "1", "5,", "3"], ["2", "4", "only", "move"]]
    assert sum(len(row) - 3 for row in rows if "only" in row) == 26
    assert "The fewest possible is 20" in page.one(id="counted").text


def test_longer_solution_is_not_among_the_shortest(client):
    answer = client.get(f"/replay/{CODE}/count", query_string={"moves": "RLR2ULUL"})
    assert "The solution shown is not among them" in markup.read(answer).one(id="counted").text


def test_moves_that_do_not_solve_the_puzzle_are_not_counted(client):
    answer = client.get(f"/replay/{CODE}/count", query_string={"moves": "R"})
    assert answer.status_code == 400
    assert "nothing to count" in answer.text


def test_solutions_of_large_boards_are_not_counted(client):
    code = "1.2.3.4.5-6.7.8.9.10-11.12.13.14.15-16.17.18.19.20-21.22.23.0.24"
    assert not replay(client, code, "L").all(id="count")
    assert client.get(f"/replay/{code}/count?moves=L").status_code == 400
