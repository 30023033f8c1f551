"""Helpers that read the pages of the lab."""

from tests.boards import TEXTBOOK
from tests.web import markup

RUNS = "bfs,greedy:manhattan,wastar:manhattan,astar:manhattan,astar:=max(manhattan, 2 * misplaced)"


def get(client, code=TEXTBOOK, part="", status=200, **query):
    """Return a page of the lab, the race or another `part`."""
    path = f"/lab/{code}{part}"
    response = client.get(path, query_string=query, follow_redirects=True)
    assert response.status_code == status, response.text[:300]
    return markup.read(response)


def of_class(page, name):
    return [one for one in page.inside if name in one.classes]


def checked(page):
    """Return the runs whose boxes are checked."""
    return [box["value"] for box in page.all("input", name="run") if "checked" in box.attrs]


def alerts(page):
    return " ".join(one.text for one in page.inside if one.get("role") == "alert")


def figures(page):
    """Return the figures at the top of the page of a heuristic as {label: number}."""
    (found,) = of_class(page, "figures")
    return {part.one("span").text: part.one("b").text for part in found.all("div")}


def rows_of(page):
    """Return the rows of a page or fragment as {number of the run: row}."""
    return {int(row["id"].removeprefix("run-")): row for row in page.all("tr") if row.get("id")}


def cells(row):
    return [cell.text for cell in (*row.all("th"), *row.all("td"))][:6]


def read_race(reader):
    """Return the rows as the stream left them, and the final summary."""
    rows, summary = {}, ""
    for message in reader.all():
        rows |= rows_of(markup.read(message.data))
        summary = message.text("#race-said") or summary
    return rows, summary


def race_id(reader):
    """Return the id of the race or the run, which the first message carries."""
    return markup.read(reader.messages[0].data).one("input", name="race")["value"]
