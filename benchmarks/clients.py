"""Clients of `benchmarks.scale`, which click, solve and request distances over HTTP."""

import asyncio
import random
import time
from collections.abc import Iterator

from benchmarks.hostile import FORM, HOST
from benchmarks.load import Clicker
from slidewise import Board, parse_puzzle
from tests.boards import FOUR, HARDEST

CLIENTS = 8
"""Clients at the same time, more than cores and solvers."""

CLICK_SECONDS = 3.0
"""Duration of the clicks of a round. Each client makes them one after the other."""

MAX_CLICKS = 3_000
"""Limit above the clicks of a client in a round."""

REQUESTS = 24
"""Requests of each kind in a round, one after the other, then again by all clients together."""

SOLVES = {
    "3x3": (HARDEST, "algorithm=astar&heuristic=manhattan"),
    "4x4": (FOUR, "algorithm=best"),
}
"""Boards with their forms: the hardest 3x3, 31 moves, and a 4x4 of 52 moves."""

TO_GO = "to go"
"""The number of moves left on 4x4, which a page requests after a click unless it is hidden."""

KINDS = (*SOLVES, TO_GO)


def click(ports: list[int]) -> int:
    """Let all clients click for a while, each right after its last answer."""
    return asyncio.run(_click(ports))


async def _click(ports: list[int]) -> int:
    made = 0
    players = [Clicker(ports[n % len(ports)], n, MAX_CLICKS) for n in range(CLIENTS)]
    until = time.perf_counter() + CLICK_SECONDS

    async def one(player: Clicker) -> None:
        nonlocal made
        while time.perf_counter() < until:
            if not await player.click():
                raise SystemExit("a click was refused")
            made += 1

    async with asyncio.TaskGroup() as tasks:
        for player in players:
            tasks.create_task(one(player))
    return made


def send_requests(ports: list[int], kind: str, count: int) -> int:
    """Let `count` clients send requests of a kind, each right after its last answer."""
    return asyncio.run(_send_requests(ports, kind, count))


async def _send_requests(ports: list[int], kind: str, count: int) -> int:
    async def one(port: int) -> None:
        for board in _random_boards(REQUESTS // count):
            await (_to_go(port, board) if kind == TO_GO else _solve(port, *SOLVES[kind]))

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(one(ports[number % len(ports)]))
    return REQUESTS // count * count


def _random_boards(length: int) -> Iterator[Board]:
    """Yield the boards of a random walk, so that no cache knows them."""
    board, before = parse_puzzle(FOUR).start, 0
    for number in range(100 + length):
        before = random.choice([tile for tile in board.movable if tile != before])
        board = board.slide(before)
        if number >= 100:
            yield board


async def _solve(port: int, code: str, form: str) -> None:
    """Request a solution, and read the stream completely."""
    head = f"POST /play/{code}/solve HTTP/1.1\r\n{FORM}Content-Length: {len(form)}\r\n"
    if b"shortest" not in (answer := await _answer(port, head, form)):
        raise SystemExit(f"not solved: {answer[:200]!r}")


async def _to_go(port: int, board: Board) -> None:
    head = f"GET /play/{FOUR}/to-go?board={board}&try=1 HTTP/1.1\r\nHX-Request: true\r\n"
    if not (answer := await _answer(port, head)).startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"not answered: {answer[:200]!r}")


async def _answer(port: int, head: str, form: str = "") -> bytes:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(f"{head}Host: {HOST}\r\nConnection: close\r\n\r\n{form}".encode())
    answer = await reader.read()
    writer.close()
    return answer
