"""Response times of clicks with many players beside searches.

Run it with `python -m benchmarks.clicks --load`. All traffic stays on this machine. `--room`
measures the cost of a room: a class races, each page polls and each player moves.

Players click at fixed times, whether or not answers come (an open loop), from a process of their
own. A click's time starts when the generator makes it, and the generator's lateness is printed too.
The wait for a player's previous click is part of a click's time.
"""

import asyncio
import contextlib
import http.client
import multiprocessing
import os
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchmarks.hostile import FORM, HARD, HOST, PUZZLE, serving
from slidewise import parse_puzzle
from webapp.together.pages import POLL_MS
from webapp.together.rooms import COUNTDOWN_MS

CLICKS_PER_SECOND = 300
PLAYERS = 60
STREAMS = 16
"""Long searches, each of one visitor. As many run as there are solvers. The others wait."""

SECONDS = 20
SOON_MS = 25
STARTING_SECONDS = 10
"""Warm-up in which all players connect and play, before the measurement."""


@dataclass
class Answers:
    """Answers to clicks: response times in ms, lateness of the generator in ms, and failures."""

    times: list[float]
    late: list[float]
    failed: int


class Clicker:
    """A player with a connection and cookies, whose clicks are answered one after the other."""

    def __init__(self, port: int, number: int, clicks: int) -> None:
        self._port, self._lock = port, asyncio.Lock()
        self._cookies: dict[str, str] = {}
        self._tiles = _walk(number, clicks)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def click(self) -> bool:
        """Make the next click, and return whether it succeeded."""
        async with self._lock:
            if self._streams is None:
                self._streams = await asyncio.open_connection(HOST, self._port)
            reader, writer = self._streams
            writer.write(self._request(f"tile={next(self._tiles)}"))
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = 0
            for line in head.split("\r\n"):
                name, _, value = line.partition(": ")
                if name.lower() == "set-cookie":
                    cookie, _, content = value.partition(";")[0].partition("=")
                    self._cookies[cookie] = content
                elif name.lower() == "content-length":
                    length = int(value)
            await reader.readexactly(length)
            return head.startswith("HTTP/1.1 200")

    def _request(self, form: str) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return (
            f"POST {PUZZLE}/slide HTTP/1.1\r\nHost: {HOST}\r\n{FORM}Cookie: {cookies}\r\n"
            f"Accept-Encoding: gzip, deflate, br\r\nContent-Length: {len(form)}\r\n\r\n{form}"
        ).encode()


def _walk(seed: int, moves: int, code: str = PUZZLE.rpartition("/")[2]) -> Iterator[int]:
    """Return the tiles of a walk that never turns back. They are computed in advance."""
    board, chance, tiles = parse_puzzle(code).start, random.Random(seed), [0]
    for _ in range(moves):
        tiles.append(chance.choice([tile for tile in board.movable if tile != tiles[-1]]))
        board = board.slide(tiles[-1])
    return iter(tiles[1:])


def play(port: int, seconds: float) -> Answers:
    """Click for `seconds`, and return the answers."""
    return asyncio.run(_play(port, seconds))


async def _play(port: int, seconds: float) -> Answers:
    clicks = round(CLICKS_PER_SECOND * seconds)
    players = [Clicker(port, number, clicks // PLAYERS + 1) for number in range(PLAYERS)]
    answers = Answers([], [], 0)
    started = time.perf_counter() + 0.1

    async def one(player: Clicker) -> None:
        began = time.perf_counter()
        if not await player.click():
            answers.failed += 1
        answers.times.append(1000 * (time.perf_counter() - began))

    async with asyncio.TaskGroup() as tasks:
        for number in range(clicks):
            due = started + number / CLICKS_PER_SECOND
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            answers.late.append(1000 * (time.perf_counter() - due))
            tasks.create_task(one(players[number % PLAYERS]))
    return answers


@contextlib.contextmanager
def searches(port: int, count: int) -> Iterator[None]:
    """Run long searches of `count` visitors, and read their streams."""
    done = threading.Event()
    streams = [threading.Thread(target=_read_search, args=(port, done)) for _ in range(count)]
    for stream in streams:
        stream.start()
    try:
        yield
    finally:
        done.set()
        for stream in streams:
            stream.join()


def _read_search(port: int, done: threading.Event) -> None:
    connection = http.client.HTTPConnection(HOST, port, timeout=60)
    connection.request("GET", HARD)
    page = connection.getresponse()
    page.read()
    visitor = (page.headers["Set-Cookie"] or "").partition(";")[0]
    headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
    form = "algorithm=idastar&heuristic=misplaced"
    connection.request("POST", f"{HARD}/solve", form, {**headers, "Cookie": visitor})
    stream = connection.getresponse()
    while not done.is_set() and stream.read1():
        pass
    if not done.is_set():
        print(f"a stream ended early ({stream.status})", flush=True)
    connection.close()


def measure(seconds: float) -> None:
    """Serve the app, and print response times without and beside searches."""
    command = f"{sys.executable} -m webapp serve --port {{port}}"
    spawn = multiprocessing.get_context("spawn")
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(serving(command))
        wait_until_ready(port)
        web = _web_process()  # while the server is the only child of this process
        generator = stack.enter_context(ProcessPoolExecutor(1, mp_context=spawn))
        print(f"{CLICKS_PER_SECOND} clicks a second of {PLAYERS} players", flush=True)
        for count in 0, STREAMS:
            with searches(port, count):
                generator.submit(play, port, STARTING_SECONDS).result()
                before = _processor_ms(web)
                answers = generator.submit(play, port, seconds).result()
                spent = _processor_ms(web) - before
            _print_times(f"beside {count} streams", answers, spent)


HX = MappingProxyType({"HX-Request": "true"})

ROOM_PLAYERS = 30
"""A class in one room."""

ROOM_CODES = "7.2.4-5.0.6-8.3.1", "15.14.1.6-9.11.4.12-0.10.7.3-13.8.5.2"

ROOM_SECONDS = 20


class Member:
    """A player of a room: a browser with a cookie, whose page polls."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=60)
        self._headers = {
            "Accept-Encoding": "br",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.bytes = self.requests = 0
        cookie = self.request("GET", "/together").headers["Set-Cookie"] or ""
        self._headers["Cookie"] = cookie.partition(";")[0]

    def slide(self, room: str, tile: int) -> None:
        """Make a move."""
        answer = self.request("POST", f"{room}/slide", f"tile={tile}", HX)
        if answer.headers["Slidewise-Answer"] != "board":
            raise SystemExit(f"a move was not taken: {answer.status}")

    def poll(self, room: str, tag: str) -> str:
        """Request the boards, and return their tag."""
        answer = self.request("GET", f"{room}/boards?seen={tag}", headers=HX)
        return answer.headers["Slidewise-Room"] or tag

    def request(
        self,
        method: str,
        path: str,
        form: str = "",
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> http.client.HTTPResponse:
        """Send a request, and return the answer, read completely."""
        self._connection.request(method, path, form, {**self._headers, **headers})
        answer = self._connection.getresponse()
        self.bytes += len(answer.read())
        self.requests += 1
        return answer


def measure_room(code: str) -> None:
    """Serve the app, let a class race, and print the CPU time of a poll and of a move."""
    command = f"{sys.executable} -m webapp serve --port {{port}}"
    with serving(command) as port:
        wait_until_ready(port)
        web = _web_process()
        members = [Member(port) for _ in range(ROOM_PLAYERS)]
        room = members[0].request("POST", "/together", f"code={code}").headers["Location"] or ""
        for member in members[1:]:
            member.request("POST", f"{room}/join")
        members[0].request("POST", f"{room}/start")
        time.sleep(COUNTDOWN_MS / 1000)
        walks = [_walk(number, 10_000, code) for number in range(ROOM_PLAYERS)]
        tags = [""] * ROOM_PLAYERS
        moves = _per_request(web, lambda: _all_slide(members, walks, room))
        polls = _per_request(web, lambda: _all_poll(members, tags, room))
        before, count = _processor_ms(web), sum(member.requests for member in members)
        received = sum(member.bytes for member in members)
        ends = time.monotonic() + ROOM_SECONDS
        while time.monotonic() < ends:
            began = time.monotonic()
            _all_slide(members, walks, room)
            _all_poll(members, tags, room)
            time.sleep(max(0.0, POLL_MS["race"] / 1000 - (time.monotonic() - began)))
        spent = _processor_ms(web) - before
        count = sum(member.requests for member in members) - count
        received = sum(member.bytes for member in members) - received
        print(
            f"{ROOM_PLAYERS} players on {code}: {moves:.2f} ms of the web process a move, "
            f"{polls:.2f} ms a poll after all have moved;\n"
            f"{count / ROOM_SECONDS:.0f} requests a second take {spent / ROOM_SECONDS / 10:.0f} % "
            f"of a core and {received / count:,.0f} bytes each",
            flush=True,
        )


def _all_slide(members: list[Member], walks: list[Iterator[int]], room: str) -> int:
    for member, walk in zip(members, walks, strict=True):
        member.slide(room, next(walk))
    return len(members)


def _all_poll(members: list[Member], tags: list[str], room: str) -> int:
    tags[:] = [member.poll(room, tag) for member, tag in zip(members, tags, strict=True)]
    return len(members)


def _per_request(web: int, send: Callable[[], int], rounds: int = 20) -> float:
    """Return the CPU milliseconds of a request. Clock ticks are 10 ms, so it makes many."""
    before, made = _processor_ms(web), 0
    for _ in range(rounds):
        made += send()
    return (_processor_ms(web) - before) / made


def _print_times(name: str, answers: Answers, spent: float) -> None:
    times, clicks = answers.times, len(answers.times)
    soon = sum(time <= SOON_MS for time in times) / clicks
    print(
        f"{name}: {soon:.2%} within {SOON_MS} ms; median {statistics.median(times):.1f}, "
        f"99th percentile {_percentile(times):.1f}, worst {max(times):.0f} ms; "
        f"the generator was late by {_percentile(answers.late):.1f} ms (99th percentile); "
        f"{spent / clicks:.2f} ms of the web process a click; {answers.failed} failed",
        flush=True,
    )


def _percentile(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[-1]


def _web_process() -> int:
    """Return the web process, a child of the server's supervisor."""
    [server] = _children(os.getpid())
    return max(_children(server), key=_processor_ms)


def wait_until_ready(port: int) -> None:
    """Wait while the server compiles, which it does once on a machine."""
    ready = 0
    while ready != 200:
        time.sleep(0.2)
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        connection.request("GET", "/readyz")
        ready = connection.getresponse().status
        connection.close()


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _processor_ms(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
