"""Clients of `benchmarks.scale`: several that click, solve and ask how far it is, over HTTP."""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING

from benchmarks.hostile import FORM, HOST
from benchmarks.load import Clicker
from slidewise import Board, parse_puzzle
from tests.boards import FOUR, HARDEST

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENTS = 8
"""Who ask at the same time: more than there are cores and lanes."""

CLICK_SECONDS = 3.0
"""How long clicks are made in each round, one after the other by each client."""

MAX_CLICKS = 3_000
"""More than a client makes in a round."""

REQUESTS = 24
"""Of each kind in a round, one after the other; then as many by all clients at the same time."""

SOLVES = {
    "3x3": (HARDEST, "algorithm=astar&heuristic=manhattan"),
    "4x4": (FOUR, "algorithm=best"),
}
"""What is solved: the hardest board of 3x3, 31 moves, and one of 52 moves."""

TO_GO = "to go"
"""How many moves are to go on 4x4, which a page asks for after a click unless that is hidden."""

KINDS = (*SOLVES, TO_GO)


def click(ports: list[int]) -> int:
    """Have clients click for a while, each as soon as its last click was answered."""
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


def ask(ports: list[int], kind: str, many: int) -> int:
    """Have so many clients ask for things of a kind, each as soon as its last answer has ended."""
    return asyncio.run(_ask(ports, kind, many))


async def _ask(ports: list[int], kind: str, many: int) -> int:
    async def one(port: int) -> None:
        for board in _walk(REQUESTS // many):
            await (_to_go(port, board) if kind == TO_GO else _solve(port, *SOLVES[kind]))

    async with asyncio.TaskGroup() as tasks:
        for number in range(many):
            tasks.create_task(one(ports[number % len(ports)]))
    return REQUESTS // many * many


def _walk(length: int) -> Iterator[Board]:
    """Return the boards of somebody who moves at random, in a game that nobody else plays."""
    board, before = parse_puzzle(FOUR).start, 0
    for number in range(100 + length):
        before = random.choice([tile for tile in board.movable if tile != before])
        board = board.slide(before)
        if number >= 100:
            yield board


async def _solve(port: int, code: str, form: str) -> None:
    """Ask for a solution, and read the stream to its end."""
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
