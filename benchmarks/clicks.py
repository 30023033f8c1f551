"""CPU time of a click, beside that of bare Flask with the same session.

`python -m benchmarks.clicks` measures both in one run. Compare the ratios, as milliseconds depend
on the machine. `--load` prints response times with many players at once, and `--room` the cost of a
race of 30. Both are in `benchmarks/load.py`. `--cheap` measures the routes without a budget, on the
largest boards, and fails if one takes more than 15 ms.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.cookies import SimpleCookie
from typing import Any
from unittest import mock

import brotli
from flask import Flask, Response, session
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder

from benchmarks import load
from slidewise import parse_puzzle
from webapp import create_app
from webapp.http.routes import CHEAP_ENDPOINTS
from webapp.play import game
from webapp.play import session as sessions
from webapp.together import rooms as room_times
from webapp.together.rooms import MAX_PLAYERS, Rooms
from webapp.workers.shared import services_of

CODES = {
    "3x3": "7.2.4-5.0.6-8.3.1",
    "4x4": "5.1.3.4-2.6.8.12-9.10.7.11-13.14.15.0",
    "10x10": "-".join(
        ".".join(str(10 * row + col + 1) for col in range(10)) for row in range(10)
    ).replace("99.100", "0.99"),
}

CLICKS = 400
"""Clicks of one measurement: a second or so."""

MANY_MOVES = 5_000

HEADERS = {"HX-Request": "true", "Accept-Encoding": "gzip, deflate, br, zstd"}

CHEAP_MS = 15
"""Limit for the CPU time of a route without a budget."""

FIELDS = {"tile": "99", "board": CODES["10x10"], "start": CODES["10x10"], "size": "10x10"}
"""Query or form of each request of `--cheap`."""

PLACES = {
    "code": CODES["10x10"],
    "day": "2026-11-20",
    "filename": "vendor/htmx-4.0.1.min.js",
}
"""Values in the paths of `--cheap`: the largest board and the largest file."""

PARTS: dict[str, list[tuple[Any, str]]] = {
    "session": [
        (sessions.GameSessions, "open_session"),
        (sessions.GameSessions, "save_session"),
        (game, "load_game"),
        (game, "save_game"),
    ],
    "context": [(game, "_context")],
    "template": [(game, "fragment")],
    "compression": [(brotli, "compress")],
}
"""The functions that are timed one by one. None of them calls another. The rest of the time is
spent in Flask, the routes and the moves themselves."""


class Player:
    """A player who slides tiles at random, with a cookie jar."""

    def __init__(self, app: Flask, code: str) -> None:
        self._app, self._path = app, f"/play/{code}"
        self._board, self._came_from = parse_puzzle(code).start, 0
        self._cookies: dict[str, str] = {}
        self._chance = random.Random(1)
        self.length = 0

    def make(self, moves: int) -> None:
        """Make `moves` moves in one request."""
        start, directions = self._board, []
        for _ in range(moves):
            tile = self._next_tile()
            directions.append(self._board.direction_of(tile))
            self._slide(tile)
        self._post("play-on", {"start": str(start), "moves": "".join(map(str, directions))})

    def clicks(self, count: int) -> float:
        """Return the mean CPU milliseconds of `count` clicks."""
        spent = 0.0
        for _ in range(count):
            tile = self._next_tile()
            spent += self._post("slide", {"tile": str(tile)})
            self._slide(tile)
        return 1000 * spent / count

    def _next_tile(self) -> int:
        return self._chance.choice([t for t in self._board.movable if t != self._came_from])

    def _slide(self, tile: int) -> None:
        self._board, self._came_from = self._board.slide(tile), tile

    def _post(self, action: str, form: dict[str, str]) -> float:
        """Return the CPU seconds of the request in the web process."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = Headers({**HEADERS, "Cookie": cookies})
        builder = EnvironBuilder(
            f"{self._path}/{action}", method="POST", data=form, headers=headers
        )
        environ = builder.get_environ()
        started = time.process_time()
        response = Response.from_app(self._app.wsgi_app, environ, buffered=True)
        spent = time.process_time() - started
        assert response.status_code == 200, response.status
        self.length = len(response.data)
        for header in response.headers.getlist("Set-Cookie"):
            for name, cookie in SimpleCookie(header).items():
                self._cookies[name] = cookie.value
        return spent


def main(words: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--load", action="store_true", help="how soon, when many play at once")
    parser.add_argument("--cheap", action="store_true", help="the routes that are never refused")
    parser.add_argument("--room", action="store_true", help="what a race of a class costs")
    parser.add_argument("--seconds", type=float, default=load.SECONDS, help="of --load")
    args = parser.parse_args(words)
    if args.load:
        load.measure(args.seconds)
    elif args.room:
        for code in load.ROOM_CODES:
            load.measure_room(code)
    elif args.cheap:
        with _app(METRICS=True) as app:
            _measure_cheap(app)
    else:
        with _app() as app:
            _costs(app)


@contextmanager
def _app(**settings: Any) -> Iterator[Flask]:
    secret = "of the benchmark, of no use elsewhere"
    app = create_app({"SECRET_KEY": secret, "SOLVERS": 1, **settings})
    try:
        services_of(app).solvers.call(abs, 1, timeout=600)
        yield app
    finally:
        services_of(app).solvers.close()


def _room(app: Flask) -> str:
    """Return a room on the largest board whose race has started, with all its players."""
    rooms, puzzle = services_of(app).get(Rooms), parse_puzzle(CODES["10x10"])
    room = rooms.create(puzzle, "0")
    for number in range(1, MAX_PLAYERS):
        room = rooms.join(room, room.player_named(str(number)))
    with mock.patch.object(room_times, "COUNTDOWN_MS", -1_000):
        return rooms.start(room).id


def _measure_cheap(app: Flask) -> None:
    """Print the milliseconds of each cheap route, the slowest first. Exit if one is too slow."""
    spent, room = {}, _room(app)
    for rule in app.url_map.iter_rules():
        if rule.endpoint in app.extensions[CHEAP_ENDPOINTS]:
            places = {name: {**PLACES, "room": room}[name] for name in rule.arguments}
            path = app.url_map.bind("localhost").build(rule.endpoint, places)
            for method in sorted({"GET", "POST"} & (rule.methods or set())):
                spent[f"{method} {rule.rule}"] = _milliseconds(app, method, path)
    for name, (milliseconds, status) in sorted(spent.items(), key=lambda one: -one[1][0]):
        print(f"{milliseconds:8.2f} ms  {status}  {name}")
    if worst := [name for name, (milliseconds, _) in spent.items() if milliseconds > CHEAP_MS]:
        raise SystemExit(f"More than {CHEAP_MS} ms: {', '.join(worst)}")


def _milliseconds(app: Flask, method: str, path: str) -> tuple[float, int]:
    """Return the lowest CPU time of some requests after the first, and their status."""
    query, form = (FIELDS, None) if method == "GET" else (None, FIELDS)
    times, status = [], 0
    for _ in range(6):
        builder = EnvironBuilder(
            path, method=method, headers=Headers(HEADERS), query_string=query, data=form
        )
        if method == "GET" and not path.endswith("/to-go"):  # which is a fragment
            builder.headers.pop("HX-Request")
        environ = builder.get_environ()
        started = time.thread_time()
        status = Response.from_app(app.wsgi_app, environ, buffered=True).status_code
        times.append(1000 * (time.thread_time() - started))
    return min(times[1:]), status


def _costs(app: Flask) -> None:
    print("processor ms of a click      bare Flask   click  ratio   after 5,000 moves")
    for size, code in CODES.items():
        _compare(size, app, code)
    print("\nwhere they go, ms:  " + "".join(f"{part:>14}" for part in PARTS))
    for size, code in CODES.items():
        for moves in 0, MANY_MOVES:
            _divide(f"{size}, {moves:,} moves", app, code, moves)


def _compare(size: str, app: Flask, code: str) -> None:
    fresh, far = _player(app, code, 0), _player(app, code, MANY_MOVES)
    bare = Player(_bare(fresh.length), code)
    players = bare, fresh, far
    # in turn, and the lowest of three, as other programs only add time
    rounds = [[player.clicks(CLICKS) for player in players] for _ in range(3)]
    least, click, later = (min(times) for times in zip(*rounds, strict=True))
    print(
        f"{size:<26}{least:>13.2f}{click:>8.2f}{click / least:>7.1f}"
        f"{later:>14.2f} ({later / click - 1:+.0%})",
        flush=True,
    )


def _divide(name: str, app: Flask, code: str, moves: int) -> None:
    player = _player(app, code, moves)
    with ExitStack() as stack:
        spent = [stack.enter_context(_timed(functions)) for functions in PARTS.values()]
        player.clicks(CLICKS)
        print(f"{name:<20}" + "".join(f"{1000 * part[0] / CLICKS:>14.2f}" for part in spent))


def _player(app: Flask, code: str, moves: int) -> Player:
    player = Player(app, code)
    if moves:
        player.make(moves)
    player.clicks(20)
    return player


@contextmanager
def _timed(functions: list[tuple[Any, str]]) -> Iterator[list[float]]:
    """Count the CPU seconds of some functions in the `with` block."""
    spent = [0.0]

    def timed(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            started = time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                spent[0] += time.thread_time() - started

        return call

    with ExitStack() as stack:
        for owner, name in functions:
            function = timed(getattr(owner, name))
            stack.enter_context(mock.patch.object(owner, name, function))
        yield spent


def _bare(length: int) -> Flask:
    """Return an app that reads and writes a game's session and answers with `length` bytes."""
    app = Flask("bare")
    app.secret_key = "of the benchmark, of no use elsewhere"
    body = "x" * length

    @app.post("/play/<code>/slide")
    def slide(code: str) -> str:
        session.update(board=code, made=session.get("made", "")[-100:] + "U", undone="")
        session.update(forgotten=0, started=0, finished=None, helped=False)
        return body

    return app


if __name__ == "__main__":
    main()
