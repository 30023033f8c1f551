"""One response of each kind that the app gives, for tests of what holds for all of them."""

from __future__ import annotations

from functools import cache

from tests.boards import BIG, SOLVED, UNSOLVABLE
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.streams import HTMX

LONG = "x" * 200_000


def _after_clicks(client, path, *tiles, **request):
    for tile in tiles:
        client.post(f"/play/{CODE}/slide", data={"tile": tile})
    return client.get(path, **request)


PAGES = {
    "game": lambda client: client.get(f"/play/{CODE}"),
    "game begun": lambda client: _after_clicks(client, f"/play/{CODE}", 5, 7),
    "game won": lambda client: _after_clicks(client, f"/play/{CODE}", 5, 8),
    "game solved from the start": lambda client: client.get(f"/play/{SOLVED}"),
    "game that cannot be won": lambda client: client.get(f"/play/{UNSOLVABLE}"),
    "small game": lambda client: client.get("/play/3.1-2.0_0.1-2.3"),
    "big game": lambda client: client.get(f"/play/{BIG}"),
    "hint": lambda client: client.post(f"/play/{CODE}/hint"),
    "hint at the goal": lambda client: client.post(f"/play/{SOLVED}/hint"),
    "refused click": lambda client: client.post(f"/play/{CODE}/slide", data={"tile": "1"}),
    "no such new puzzle": lambda client: client.get("/new?size=<b>&seed=\"'&moves=x"),
    "gallery": lambda client: client.get("/gallery"),
    "daily": lambda client: client.get("/daily"),
    "no such day": lambda client: client.get("/daily/<b>"),
    "editor": lambda client: client.get("/custom"),
    "editor filled in": lambda client: client.get(f"/custom?start={CODE}&goal=0.1.2-3.4.5-6.7.8"),
    "editor in trouble": lambda client: client.post("/custom", data={"start": "<b>&\"'"}),
    "editor at odds": lambda client: client.post("/custom", data={"start": UNSOLVABLE}),
    "replay": lambda client: client.get(f"/replay/{CODE}?moves=UL&step=1"),
    "replay from the start": lambda client: client.get(f"/replay/{CODE}?moves=UL"),
    "replay not to the goal": lambda client: client.get(f"/replay/{CODE}?moves=URDL"),
    "replay without moves": lambda client: client.get(f"/replay/{CODE}"),
    "replay of a search": lambda client: client.get(f"/replay/{CODE}?algorithm=astar&step=2"),
    "challenge": lambda client: client.get(f"/play/{CODE}?beat=3"),
    "challenge over": lambda client: _after_clicks(client, f"/play/{CODE}?beat=2", 5, 8),
    "sharing": lambda client: client.get(f"/play/{CODE}/share"),
    "sharing a game begun": lambda client: _after_clicks(client, f"/play/{CODE}/share", 5),
    "sharing a solution": lambda client: client.get(f"/play/{CODE}/share?moves=UL&step=1"),
    "sharing a big game": lambda client: client.get(f"/play/{BIG}_{BIG}/share?beat=9"),
    "no such animation": lambda client: client.get(f"/replay/{CODE}.gif"),
    "review": lambda client: _after_clicks(client, f"/play/{CODE}/review?move=2", 5, 5, 5, 8),
    "review of nothing": lambda client: client.get(f"/play/{CODE}/review"),
    "review of what cannot be won": lambda client: client.get(f"/play/{UNSOLVABLE}/review"),
    "heuristic on the board": lambda client: client.get(f"/lab/{CODE}/heuristics"),
    "heuristic of conflicts": lambda client: client.get(
        "/lab/3.2.1-7.0.6-4.5.8/heuristics?h=linear-conflict"
    ),
    "heuristic of groups": lambda client: client.get(f"/lab/{CODE}/heuristics?h=pdb"),
    "heuristic of one's own": lambda client: client.get(f"/lab/{CODE}/heuristics?h==9 * manhattan"),
    "heuristic in trouble": lambda client: client.get(f"/lab/{CODE}/heuristics?own=<b>\"'"),
    "heuristic of a big board": lambda client: client.get(f"/lab/{BIG}/heuristics"),
    "race": lambda client: client.get(f"/lab/{CODE}?run=bfs,astar:%3D2+*+manhattan&go=1"),
    "race to start": lambda client: client.get(f"/lab/{BIG}"),
    "race that cannot be won": lambda client: client.get(f"/lab/{UNSOLVABLE}"),
    "race in trouble": lambda client: client.get(f"/lab/{CODE}?run=<b>\"'&more=<i>"),
    "many boards": lambda client: client.get(
        f"/lab/{CODE}/many?boards=2&run=bfs&go=1", follow_redirects=True
    ),
    "many boards in trouble": lambda client: client.get(f"/lab/{CODE}/many?seed=<b>\"'&moves=<i>"),
    "nothing to solve": lambda client: client.post(f"/play/{SOLVED}/solve"),
    "no solution": lambda client: client.post(f"/play/{UNSOLVABLE}/solve"),
    "no such page": lambda client: client.get("/<b>&\"'"),
    "no such puzzle": lambda client: client.get("/play/<b>&\"'"),
    "wrong method": lambda client: client.get(f"/play/{CODE}/slide"),
    "other site": lambda client: client.post(
        f"/play/{CODE}/undo", headers={"Sec-Fetch-Site": "cross-site"}
    ),
    "too long": lambda client: client.post(f"/play/{CODE}/slide", data={"tile": LONG}),
    "for programs": lambda client: client.get("/api"),
    "lessons": lambda client: client.get("/learn"),
    "lesson on the puzzle": lambda client: client.get("/learn/puzzle"),
    "lesson on an algorithm": lambda client: client.get("/learn/astar"),
    "lesson on a heuristic": lambda client: client.get("/learn/linear-conflict"),
    "no such lesson": lambda client: client.get("/learn/<b>&\"'"),
    "how far": lambda client: client.get("/learn/challenge"),
    "how far, never": lambda client: client.get(f"/learn/challenge?start={UNSOLVABLE}"),
    "how far, in trouble": lambda client: client.get("/learn/challenge?start=<b>\"'"),
    "prediction": lambda client: client.get("/learn/predict?size=3x3&algorithm=bfs"),
    "prediction marked": lambda client: client.get("/learn/predict?answer=1&asked=4&right=2"),
    "prediction in trouble": lambda client: client.get("/learn/predict?heuristic=<b>\"'"),
    "worksheet": lambda client: client.get("/learn/worksheet?size=2x4"),
    "worksheet in trouble": lambda client: client.get("/learn/worksheet?run=<b>&seed=\"'"),
    "for teachers": lambda client: client.get("/learn/teachers"),
    "links for teachers": lambda client: client.get(
        f"/learn/teachers?start={UNSOLVABLE}&run=bfs&hide=hint&seed=<b>\"'"
    ),
    "game in a lesson": lambda client: client.get(f"/play/{CODE}?lesson=solver,hint,to-go"),
}
"""Whole pages, as a browser without JavaScript gets them."""

FRAGMENTS = {
    "how far, htmx": lambda client: client.get(f"/learn/challenge?start={CODE}", headers=HTMX),
    "how far, in trouble, htmx": lambda client: client.get(
        "/learn/challenge?start=<b>", headers=HTMX
    ),
    "slide in a lesson": lambda client: client.post(
        f"/play/{CODE}/slide", data={"tile": 5, "lesson": "solver,to-go"}, headers=HTMX
    ),
    "hint, htmx": lambda client: client.post(f"/play/{CODE}/hint", headers=HTMX),
    "moves to go": lambda client: client.get(f"/play/{CODE}/to-go?board={CODE}", headers=HTMX),
    "moves of the puzzle": lambda client: client.get(
        f"/play/{CODE}/to-go?board={CODE}&place=title", headers=HTMX
    ),
    "moves to go at least": lambda client: client.get(
        f"/play/{BIG}/to-go?board={BIG}", headers=HTMX
    ),
    "moves to go nowhere": lambda client: client.get(
        f"/play/{UNSOLVABLE}/to-go?board={UNSOLVABLE}", headers=HTMX
    ),
    "review, htmx": lambda client: _after_clicks(
        client, f"/play/{CODE}/review", 5, 5, 5, 8, headers=HTMX
    ),
    "slide": lambda client: client.post(f"/play/{CODE}/slide", data={"tile": 5}, headers=HTMX),
    "sharing, htmx": lambda client: client.get(f"/play/{CODE}/share?moves=UL", headers=HTMX),
    "last slide": lambda client: client.post(
        "/play/1.2.3-4.5.6-7.0.8/slide", data={"tile": 8}, headers=HTMX
    ),
    "refused slide": lambda client: client.post(f"/play/{CODE}/slide", headers=HTMX),
    "big slide": lambda client: client.post(f"/play/{BIG}/slide", data={"tile": 9}, headers=HTMX),
    "checked": lambda client: client.post("/custom", data={"start": CODE}, headers=HTMX),
    "checked, none": lambda client: client.post("/custom", data={"start": ""}, headers=HTMX),
    "checked, bad": lambda client: client.post("/custom", data={"start": "<b>\"'"}, headers=HTMX),
    "checked, at odds": lambda client: client.post(
        "/custom", data={"start": UNSOLVABLE}, headers=HTMX
    ),
    "expression": lambda client: client.get(f"/lab/{CODE}/heuristics/read?own=zero", headers=HTMX),
    "expression in trouble": lambda client: client.get(
        f"/lab/{CODE}/heuristics/read?own=<b>", headers=HTMX
    ),
    "notice": lambda client: client.get("/play/<b>&\"'", headers=HTMX),
    "notice, too long": lambda client: client.post(
        f"/play/{CODE}/slide", data={"tile": LONG}, headers=HTMX
    ),
}
"""What htmx gets."""

OTHERS = {
    "home": lambda client: client.get("/"),
    "new": lambda client: client.get("/new"),
    "canonical": lambda client: client.get("/play/123406758"),
    "click without htmx": lambda client: client.post(f"/play/{CODE}/slide", data={"tile": 5}),
    "moves to go without htmx": lambda client: client.get(f"/play/{CODE}/to-go?board={CODE}"),
    "solution without htmx": lambda client: client.post(f"/play/{CODE}/solve"),
    "stop": lambda client: client.post(f"/play/{CODE}/solve/stop", headers=HTMX),
    "picture": lambda client: client.get(f"/board/{CODE}.svg"),
    "picture, PNG": lambda client: client.get(f"/board/{CODE}.png"),
    "card": lambda client: client.get(f"/board/{CODE}/card.png"),
    "QR code": lambda client: client.get(f"/qr/play/{CODE}.svg?beat=9"),
    "QR code of a solution": lambda client: client.get(f"/qr/replay/{CODE}.svg?moves=UL"),
    "animation": lambda client: client.get(f"/replay/{CODE}.gif?moves=UL"),
    "file": lambda client: client.get(f"/replay/{CODE}.html?moves=UL"),
    "style": lambda client: client.get("/static/css/play.css"),
    "script": lambda client: client.get("/static/js/app.js"),
    "icon": lambda client: client.get("/static/icon.svg"),
    "no such file": lambda client: client.get("/static/none.js"),
    "stream": lambda client: client.post(f"/play/{CODE}/solve", headers=HTMX),
    "puzzle for programs": lambda client: client.get(f"/api/v1/puzzles/{CODE}"),
    "problem for programs": lambda client: client.get("/api/v1/puzzles/<b>&\"'"),
    "stream for programs": lambda client: client.post(
        "/api/v1/solve", json={"puzzle": CODE}, headers={"Accept": "text/event-stream"}
    ),
    "race, stream": lambda client: client.post(
        f"/lab/{CODE}/race", data={"run": "bfs"}, headers=HTMX
    ),
    "many boards, stream": lambda client: client.post(
        f"/lab/{CODE}/many/run", data={"run": "bfs", "boards": "2"}, headers=HTMX
    ),
    "race stopped": lambda client: client.post(f"/lab/{CODE}/race/stop", headers=HTMX),
    "race, CSV": lambda client: client.get(f"/lab/{CODE}.csv?run=bfs"),
    "race, JSON": lambda client: client.get(f"/lab/{CODE}.json?run=bfs"),
    "many boards, CSV": lambda client: client.get(f"/lab/{CODE}/many/boards.csv?boards=2&run=bfs"),
    "lab": lambda client: client.get("/lab"),
    "another board for the lab": lambda client: client.get(f"/lab/{CODE}/another"),
    "options": lambda client: client.options(f"/play/{CODE}"),
    "head": lambda client: client.head(f"/play/{CODE}"),
}
"""Redirects, files, the stream."""


EVERY_KIND = {**PAGES, **FRAGMENTS, **OTHERS}
assert len(EVERY_KIND) == len(PAGES) + len(FRAGMENTS) + len(OTHERS), "a name stands twice"


@cache
def response(app, kind):
    """Return the response of a kind, read to its end: each is asked for once."""
    found = EVERY_KIND[kind](app.test_client())
    found.get_data()
    found.close()
    return found


@cache
def shown(app, kind):
    """Return what a page or a fragment shows; reading it fails where tags do not match."""
    return markup.read(response(app, kind))
