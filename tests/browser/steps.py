"""What the tests do and look at again and again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

from webapp.puzzle import Board, parse_board

if TYPE_CHECKING:
    from collections.abc import Iterable

DRAWN = """() => {
  const tiles = [...document.querySelectorAll("#board .tile")];
  const place = (tile, axis) => Number(tile.className.match(axis)[1]);
  const at = (tile) => [place(tile, /\\br(\\d)\\b/), place(tile, /\\bc(\\d)\\b/)];
  return Object.fromEntries(tiles.map((tile) => [tile.value, at(tile)]));
}"""
"""Where the tiles stand on the screen, by their numbers."""

WATCH = """() => {
  window.boardsSeen = [];
  const look = () => {
    const board = document.getElementById("play").dataset.board;
    if (window.boardsSeen.at(-1) !== board) window.boardsSeen.push(board);
  };
  look();
  new MutationObserver(look).observe(
    document.getElementById("game"), { subtree: true, childList: true, attributes: true });
}"""


def tile(page: Page, number: int) -> Locator:
    """Return a tile of the board that is played."""
    return page.locator(f"#t{number}")


def expect_board(page: Page, board: str) -> None:
    """Expect the board that is played to be `board`, in data and as drawn."""
    expect(page.locator("#play")).to_have_attribute("data-board", board)
    cells = parse_board(board)
    for number, (row, col) in page.evaluate(DRAWN).items():
        assert cells.cells[row * cells.cols + col] == int(number), f"tile {number} of {board}"


def expect_moves(page: Page, count: int) -> None:
    """Expect the server to have counted so many moves."""
    expect(page.locator("#figures div").first).to_have_text(
        re.compile(rf"^\s*{count:,}\s*moves?\s*$")
    )


def boards_after(board: str, tiles: Iterable[int]) -> list[str]:
    """Return `board` and the boards after each of these tiles has been clicked."""
    boards = [parse_board(board)]
    for number in tiles:
        for direction in boards[-1].line(number):
            after = boards[-1].move(direction)
        boards.append(_played(boards[-1], boards[-1].line(number)))
    return [str(board) for board in boards]
