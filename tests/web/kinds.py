"""One response of each kind, for tests of facts that hold for all of them."""

from functools import cache
from unittest import mock

from tests.boards import BIG, SOLVED, UNSOLVABLE
from tests.boards import TWO_MOVES as CODE
from tests.web import markup
from tests.web.streams import HTMX
from webapp.together import rooms

LONG = "x" * 200_000


def get(path, **request):
    return lambda client: client.get(path, **request)


def post(path, **request):
    return lambda client: client.post(path, **request)


def after_clicks(path, *tiles, **request):
    def send(client):
        for tile in tiles:
            client.post(f"/play/{CODE}/slide", data={"tile": tile})
        return client.get(path, **request)

    return send


def room(*steps, leave=False, made=False, **request):
    """Create a room with two players and take steps; return the last response or the page."""

    def send(client):
        clients = [client.application.test_client() for _ in range(2)]
        for one in clients:
            one.get("/together")
        response = clients[0].post("/together", data={"code": CODE})
        if made:
            return response
        path = response.location
        clients[1].post(f"{path}/join")
        here = client if leave else clients[0]
        with mock.patch.object(rooms, "COUNTDOWN_MS", -1_000):
            for step in steps:
                name, _, tile = step.partition(" ")
                if name in ("boards", "qr.svg"):
                    return here.get(f"{path}/{name}", **request)
                response = clients[0].post(f"{path}/{name}", data={"tile": tile}, **request)
        return response if request else here.get(path)

    return send


def race_on_a_board(client):
    client.get("/together")
    return client.post(f"/play/{CODE}/race")


PAGES = {
    "game": get(f"/play/{CODE}"),
    "game begun": after_clicks(f"/play/{CODE}", 5, 7),
    "game won": after_clicks(f"/play/{CODE}", 5, 8),
    "game solved from the start": get(f"/play/{SOLVED}"),
    "game that cannot be won": get(f"/play/{UNSOLVABLE}"),
    "small game": get("/play/3.1-2.0_0.1-2.3"),
    "big game": get(f"/play/{BIG}"),
    "hint": post(f"/play/{CODE}/hint"),
    "hint at the goal": post(f"/play/{SOLVED}/hint"),
    "refused click": post(f"/play/{CODE}/slide", data={"tile": "1"}),
    "no such new puzzle": get("/new?size=<b>&seed=\"'&moves=x"),
    "gallery": get("/gallery"),
    "exercises to write": get("/learn/write"),
    "exercise to write": get("/learn/write/bfs"),
    "no such exercise": get("/learn/write/<b>"),
    "exercise with rules": get("/learn/write/bfs?seed=anna&rules=strict,no-hints,no-reference"),
    "exercise from a file": get("/learn/write/opened"),
    "exercise with a bad rule": get("/learn/write/bfs?rules=<b>"),
    "class": get("/learn/class?exercise=bfs&seed=7&rules=strict"),
    "class in trouble": get("/learn/class?exercise=<b>&seed=\"'"),
    "exercise for teachers": get("/learn/teachers?exercise=bfs&seed=<b>&rules=strict"),
    "exercise for teachers in trouble": get("/learn/teachers?exercise=<b>"),
    "daily": get("/daily"),
    "no such day": get("/daily/<b>"),
    "editor": get("/custom"),
    "editor filled in": get(f"/custom?start={CODE}&goal=0.1.2-3.4.5-6.7.8"),
    "editor in trouble": post("/custom", data={"start": "<b>&\"'"}),
    "editor at odds": post("/custom", data={"start": UNSOLVABLE}),
    "replay": get(f"/replay/{CODE}?moves=UL&step=1"),
    "replay from the start": get(f"/replay/{CODE}?moves=UL"),
    "replay not to the goal": get(f"/replay/{CODE}?moves=URDL"),
    "replay without moves": get(f"/replay/{CODE}"),
    "replay of a search": get(f"/replay/{CODE}?algorithm=astar&step=2"),
    "challenge": get(f"/play/{CODE}?beat=3"),
    "challenge over": after_clicks(f"/play/{CODE}?beat=2", 5, 8),
    "sharing": get(f"/play/{CODE}/share"),
    "sharing a game begun": after_clicks(f"/play/{CODE}/share", 5),
    "sharing a solution": get(f"/play/{CODE}/share?moves=UL&step=1"),
    "sharing a big game": get(f"/play/{BIG}_{BIG}/share?beat=9"),
    "no such animation": get(f"/replay/{CODE}.gif"),
    "review": after_clicks(f"/play/{CODE}/review?move=2", 5, 5, 5, 8),
    "review of nothing": get(f"/play/{CODE}/review"),
    "review of what cannot be won": get(f"/play/{UNSOLVABLE}/review"),
    "heuristic on the board": get(f"/lab/{CODE}/heuristics"),
    "heuristic of conflicts": get("/lab/3.2.1-7.0.6-4.5.8/heuristics?h=linear-conflict"),
    "heuristic of groups": get(f"/lab/{CODE}/heuristics?h=pdb"),
    "heuristic of one's own": get(f"/lab/{CODE}/heuristics?h==9 * manhattan"),
    "heuristic in trouble": get(f"/lab/{CODE}/heuristics?own=<b>\"'"),
    "heuristic of a big board": get(f"/lab/{BIG}/heuristics"),
    "race": get(f"/lab/{CODE}?run=bfs,astar:%3D2+*+manhattan&go=1"),
    "race to start": get(f"/lab/{BIG}"),
    "race that cannot be won": get(f"/lab/{UNSOLVABLE}"),
    "race in trouble": get(f"/lab/{CODE}?run=<b>\"'&more=<i>"),
    "many boards": get(f"/lab/{CODE}/many?boards=2&run=bfs&go=1", follow_redirects=True),
    "many boards in trouble": get(f"/lab/{CODE}/many?seed=<b>\"'&moves=<i>"),
    "nothing to solve": post(f"/play/{SOLVED}/solve"),
    "no solution": post(f"/play/{UNSOLVABLE}/solve"),
    "no such page": get("/<b>&\"'"),
    "no such puzzle": get("/play/<b>&\"'"),
    "wrong method": get(f"/play/{CODE}/slide"),
    "other site": post(f"/play/{CODE}/undo", headers={"Sec-Fetch-Site": "cross-site"}),
    "too long": post(f"/play/{CODE}/slide", data={"tile": LONG}),
    "convert": get("/convert"),
    "converted": get(f"/convert?start={CODE}&goal=012345678&moves=tile:UL"),
    "converted moves": get("/convert?start=1.2.5-3.4.0-6.7.8&moves=blank:Up"),
    "convert in trouble": get("/convert?start=<b>\"'%0A1 2&moves=<i>"),
    "convert asks": get("/convert?start=3x2:+1+2+3+4+5+0"),
    "what is stored": get("/privacy"),
    "nothing is stored": post("/privacy"),
    "for programs": get("/api"),
    "lessons": get("/learn"),
    "levels": get("/levels"),
    "game of a level": get("/play/1.0.3-4.2.5-7.8.6?level=1"),
    "trainer": get("/learn/by-hand/trainer?kind=two-columns"),
    "trainer of a detour": get(f"/learn/by-hand/trainer?board={CODE}"),
    "trainer in trouble": get("/learn/by-hand/trainer?kind=<b>&board=<i>"),
    "lessons by hand": get("/learn/by-hand"),
    "lesson by hand": get("/learn/by-hand/corner?board=2"),
    "no such lesson by hand": get("/learn/by-hand/<b>&\"'"),
    "lesson on the puzzle": get("/learn/puzzle"),
    "parity": get("/learn/puzzle/parity"),
    "lesson on an algorithm": get("/learn/astar"),
    "lesson on local search": get("/learn/local-search"),
    "lesson answered": get("/learn/astar?at=3&answer=1"),
    "lesson in trouble": get("/learn/astar?at=<b>&answer=9"),
    "lesson on a heuristic": get("/learn/linear-conflict"),
    "no such lesson": get("/learn/<b>&\"'"),
    "how far": get("/learn/challenge"),
    "how far, never": get(f"/learn/challenge?start={UNSOLVABLE}"),
    "how far, in trouble": get("/learn/challenge?start=<b>\"'"),
    "prediction": get("/learn/predict?size=3x3&algorithm=bfs"),
    "prediction marked": get("/learn/predict?answer=1&asked=4&right=2"),
    "prediction in trouble": get("/learn/predict?heuristic=<b>\"'"),
    "whole space": get("/learn/space"),
    "whole space in trouble": get("/learn/space?start=<b>\"'&a=<i>&board=<u>"),
    "worksheet": get("/learn/worksheet?size=2x4"),
    "worksheet in trouble": get("/learn/worksheet?run=<b>&seed=\"'"),
    "for teachers": get("/learn/teachers"),
    "links for teachers": get(f"/learn/teachers?start={UNSOLVABLE}&run=bfs&hide=hint&seed=<b>\"'"),
    "rooms": get("/together"),
    "no such room": get("/together/<b>"),
    "room": room(),
    "room of others": room(leave=True),
    "race with others": room("start"),
    "race won": room("start", "slide 5", "slide 8"),
    "race watched": room("start", leave=True),
    "race that one has left": room("start", "leave"),
    "game in a lesson": get(f"/play/{CODE}?lesson=solver,hint,to-go"),
}
"""Whole pages, as a browser without JavaScript gets them."""

FRAGMENTS = {
    "players of a room": room("boards", headers=HTMX),
    "boards of a race": room("start", "boards", headers=HTMX),
    "slide in a race": room("start", "slide 5", headers=HTMX),
    "slide in no race": post("/together/0000-00000-0000/slide", headers=HTMX),
    "how far, htmx": get(f"/learn/challenge?start={CODE}", headers=HTMX),
    "how far, in trouble, htmx": get("/learn/challenge?start=<b>", headers=HTMX),
    "slide in a lesson": post(
        f"/play/{CODE}/slide", data={"tile": 5, "lesson": "solver,to-go"}, headers=HTMX
    ),
    "hint, htmx": post(f"/play/{CODE}/hint", headers=HTMX),
    "moves to go": get(f"/play/{CODE}/to-go?board={CODE}", headers=HTMX),
    "moves of the puzzle": get(f"/play/{CODE}/to-go?board={CODE}&place=title", headers=HTMX),
    "moves to go at least": get(f"/play/{BIG}/to-go?board={BIG}", headers=HTMX),
    "moves to go nowhere": get(f"/play/{UNSOLVABLE}/to-go?board={UNSOLVABLE}", headers=HTMX),
    "review, htmx": after_clicks(f"/play/{CODE}/review", 5, 5, 5, 8, headers=HTMX),
    "slide": post(f"/play/{CODE}/slide", data={"tile": 5}, headers=HTMX),
    "sharing, htmx": get(f"/play/{CODE}/share?moves=UL", headers=HTMX),
    "last slide": post("/play/1.2.3-4.5.6-7.0.8/slide", data={"tile": 8}, headers=HTMX),
    "refused slide": post(f"/play/{CODE}/slide", headers=HTMX),
    "big slide": post(f"/play/{BIG}/slide", data={"tile": 9}, headers=HTMX),
    "checked": post("/custom", data={"start": CODE}, headers=HTMX),
    "checked, none": post("/custom", data={"start": ""}, headers=HTMX),
    "checked, bad": post("/custom", data={"start": "<b>\"'"}, headers=HTMX),
    "checked, at odds": post("/custom", data={"start": UNSOLVABLE}, headers=HTMX),
    "expression": get(f"/lab/{CODE}/heuristics/read?own=zero", headers=HTMX),
    "expression in trouble": get(f"/lab/{CODE}/heuristics/read?own=<b>", headers=HTMX),
    "notice": get("/play/<b>&\"'", headers=HTMX),
    "notice, too long": post(f"/play/{CODE}/slide", data={"tile": LONG}, headers=HTMX),
}
"""Fragments for htmx."""

OTHERS = {
    "room made": room(made=True),
    "room made on a board": race_on_a_board,
    "QR code of a room": room("qr.svg"),
    "home": get("/"),
    "new": get("/new"),
    "canonical": get("/play/123406758"),
    "click without htmx": post(f"/play/{CODE}/slide", data={"tile": 5}),
    "moves to go without htmx": get(f"/play/{CODE}/to-go?board={CODE}"),
    "solution without htmx": post(f"/play/{CODE}/solve"),
    "stop": post(f"/play/{CODE}/solve/stop", headers=HTMX),
    "picture": get(f"/board/{CODE}.svg"),
    "picture, PNG": get(f"/board/{CODE}.png"),
    "card": get(f"/board/{CODE}/card.png"),
    "QR code": get(f"/qr/play/{CODE}.svg?beat=9"),
    "QR code of a solution": get(f"/qr/replay/{CODE}.svg?moves=UL"),
    "animation": get(f"/replay/{CODE}.gif?moves=UL"),
    "file": get(f"/replay/{CODE}.html?moves=UL"),
    "style": get("/static/css/play.css"),
    "script": get("/static/js/play/view.js"),
    "icon": get("/static/icon.svg"),
    "manifest": get("/manifest.webmanifest"),
    "no such file": get("/static/none.js"),
    "stream": post(f"/play/{CODE}/solve", headers=HTMX),
    "puzzle for programs": get(f"/api/v1/puzzles/{CODE}"),
    "problem for programs": get("/api/v1/puzzles/<b>&\"'"),
    "stream for programs": post(
        "/api/v1/solve", json={"puzzle": CODE}, headers={"Accept": "text/event-stream"}
    ),
    "race, stream": post(f"/lab/{CODE}/race", data={"run": "bfs"}, headers=HTMX),
    "many boards, stream": post(
        f"/lab/{CODE}/many/run", data={"run": "bfs", "boards": "2"}, headers=HTMX
    ),
    "race stopped": post(f"/lab/{CODE}/race/stop", headers=HTMX),
    "race, CSV": get(f"/lab/{CODE}.csv?run=bfs"),
    "race, JSON": get(f"/lab/{CODE}.json?run=bfs"),
    "many boards, CSV": get(f"/lab/{CODE}/many/boards.csv?boards=2&run=bfs"),
    "lab": get("/lab"),
    "another board for the lab": get(f"/lab/{CODE}/another"),
    "options": lambda client: client.options(f"/play/{CODE}"),
    "head": lambda client: client.head(f"/play/{CODE}"),
}
"""Redirects, files and streams."""


EVERY_KIND = {**PAGES, **FRAGMENTS, **OTHERS}
assert len(EVERY_KIND) == len(PAGES) + len(FRAGMENTS) + len(OTHERS), "a name stands twice"


@cache
def response(app, kind):
    """Return the complete response of a kind, requested once."""
    found = EVERY_KIND[kind](app.test_client())
    found.get_data()
    found.close()
    return found


@cache
def shown(app, kind):
    """Return the parsed page or fragment. Tags that do not match are an error."""
    return markup.read(response(app, kind))
