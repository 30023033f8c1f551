"""PNG boards, preview cards, QR codes and animated GIFs of solutions.

Pillow is imported inside functions, because another process draws. A picture takes a tenth of a
second, an animation several. This module does not import Flask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from slidewise import Board, InvalidMovesError, Puzzle, steps
from slidewise.text import message

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

MAX_ANIMATED_MOVES = 300
"""Maximum moves of an animation; memory and time grow with them."""

CARD = (1200, 630)
"""Width and height of a link preview in pixels, as expected by chat programs."""

_PAPER, _INK, _INK_2, _ACCENT = "#f5f3ee", "#1b2226", "#535b60", "#0b665f"
_TRAY = "#d6cfbf"
_TILE, _HOME = ("#fffdf9", "#c3baa6"), ("#b7dfd4", "#7db7a8")  # face and edge
_HOME_INK = "#07423d"

_FONT_FILE = "figtree-5.3.0-latin.woff2"
_REGULAR, _BOLD = 450, 700

_PNG_SIDE, _CARD_SIDE, _GIF_SIDE = 720, 534, 360
_MOST_FRAMES = 420
_MOST_COLOURS = 16
_EASED = (0.16, 0.5, 0.84)
"""Progress of a tile in the frames of its slide: slow, fast, slow."""

SLIDE_MS, REST_MS, START_MS, END_MS = 40, 340, 900, 2_500
"""Durations in ms: frame of a slide, board, first board, last board."""


def qr_svg(link: str) -> bytes:
    """QR code of a link as SVG."""
    import segno

    data = BytesIO()
    code = segno.make_qr(link, error="l")  # a higher level if there is room
    code.save(data, kind="svg", border=4, light="#ffffff", xmldecl=False, omitsize=True)
    return data.getvalue()


def board_png(board: Board, goal: Board) -> bytes:
    """`board` as a PNG of at most 720 x 720 pixels; tiles in their `goal` cell are tinted."""
    look = _Look.within(board, _PNG_SIDE)
    picture = look.draw(board, goal)
    picture.putalpha(look.outline)
    return _png(picture)


def card_png(puzzle: Puzzle, lines: tuple[str, ...]) -> bytes:
    """Preview card of `puzzle`: its board, its size and up to two `lines` of text."""
    from PIL import Image, ImageDraw

    card = Image.new("RGB", CARD, _PAPER)
    look = _Look.within(puzzle.start, _CARD_SIDE)
    board = look.draw(puzzle.start, puzzle.goal)
    middle, width = CARD[1] // 2, (CARD[1] - _CARD_SIDE) // 2 + _CARD_SIDE
    place = width - (_CARD_SIDE + board.width) // 2, middle - board.height // 2
    card.paste(board, place, look.outline)
    draw = ImageDraw.Draw(card)
    left = width + 64
    for dx, dy, colour in ((0, 0, _ACCENT), (25, 0, "#6da39e"), (0, 25, "#a7c8c4")):
        draw.rounded_rectangle((left + dx, 133 + dy, left + dx + 20, 153 + dy), 5, colour)
    draw.text((left + 64, 156), "Slidewise", _INK, _font(46), "lm")
    draw.text((left, 318), f"{puzzle.rows} × {puzzle.cols}", _INK, _font(116), "lm")
    for top, line in zip((430, 484), lines, strict=False):
        draw.text((left, top), line, _INK_2, _font(36, _REGULAR), "lm")
    return _png(card)


def solution_gif(puzzle: Puzzle, moves: str) -> bytes:
    """The solution `moves` as an animated GIF: tiles slide, then the last board stays.

    It has a single palette, and frames hold only changed parts: 26 moves take about 100 kB. Long
    solutions slide in fewer frames.

    Raises `InvalidMovesError` above `MAX_ANIMATED_MOVES` moves, `IllegalMoveError` for an illegal
    move.
    """
    check_length(moves)
    frames, durations = _frames(puzzle, moves)
    data = BytesIO()
    frames[0].save(
        data,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        palette=frames[0].getpalette(),
        optimize=False,
    )
    return data.getvalue()


def check_length(moves: str) -> None:
    """Raise `InvalidMovesError` if there are too many moves for an animation."""
    if len(moves) > MAX_ANIMATED_MOVES:
        raise InvalidMovesError(
            message(
                "an animation can have up to %(most)s moves, not %(count)s: share the link "
                "instead, or the file to play offline",
                most=MAX_ANIMATED_MOVES,
                count=f"{len(moves):,}",
            )
        )


def _frames(puzzle: Puzzle, moves: str) -> tuple[list[Image], list[int]]:
    """Frames of a solution with a common palette, and their durations."""
    look = _Look.within(puzzle.start, _GIF_SIDE)
    canvas = look.draw(puzzle.start, puzzle.goal)
    palette = look.palette(puzzle.start, puzzle.goal)
    tiles = look.sprites(puzzle.start, palette)
    canvas = _in_colours(canvas, palette)
    empty = _in_colours(look.blank, palette)
    frames, durations, board = [canvas], [START_MS], puzzle.start
    # long solutions jump from cell to cell, as each frame takes memory
    between = _EASED if len(moves) * (1 + len(_EASED)) <= _MOST_FRAMES else ()
    for step in steps(puzzle.start, moves):
        (x0, y0), (x1, y1) = look.corner(step.board.blank), look.corner(board.blank)
        canvas = canvas.copy()
        canvas.paste(empty, (x0, y0))
        for part in between:
            sliding = canvas.copy()
            place = round(x0 + (x1 - x0) * part), round(y0 + (y1 - y0) * part)
            sliding.paste(tiles[step.tile, False], place)
            frames.append(sliding)
            durations.append(SLIDE_MS)
        home = puzzle.goal.cells[board.blank] == step.tile
        canvas.paste(tiles[step.tile, home], (x1, y1))
        frames.append(canvas)
        durations.append(REST_MS)
        board = step.board
    durations[-1] = END_MS
    return frames, durations


@dataclass(frozen=True)
class _Look:
    """Geometry of a drawn board: rows, columns and cell size in pixels."""

    rows: int
    cols: int
    cell: int

    @classmethod
    def within(cls, board: Board, side: int) -> _Look:
        """The geometry that fits into a square of `side` pixels."""
        longest = max(board.rows, board.cols)
        return cls(board.rows, board.cols, min(side // 3, int(side / (longest + 0.24))))

    @property
    def edge(self) -> int:
        """Width of the tray around the cells."""
        return max(3, round(self.cell * 0.12))

    @property
    def blank(self) -> Image:
        """Picture of an empty cell."""
        from PIL import Image

        return Image.new("RGB", (self.cell, self.cell), _TRAY)

    @property
    def size(self) -> tuple[int, int]:
        return self.cols * self.cell + 2 * self.edge, self.rows * self.cell + 2 * self.edge

    @property
    def outline(self) -> Image:
        """Mask of the tray with its round corners."""
        return _rounded(self.size, round(self.cell * 0.17))

    def corner(self, cell: int) -> tuple[int, int]:
        """Left and top of a cell."""
        row, col = divmod(cell, self.cols)
        return self.edge + col * self.cell, self.edge + row * self.cell

    def draw(self, board: Board, goal: Board) -> Image:
        """Picture of a board in its tray, with square corners (see `outline`)."""
        from PIL import Image

        picture = Image.new("RGB", self.size, _TRAY)
        for cell, tile in enumerate(board.cells):
            if tile:
                picture.paste(self.tile(tile, goal.cells[cell] == tile), self.corner(cell))
        return picture

    def tile(self, tile: int, home: bool) -> Image:
        """Picture of a tile, as wide as a cell."""
        from PIL import ImageDraw

        picture = _face(self.cell, *(_HOME if home else _TILE)).copy()
        middle, size = self.cell / 2, self.cell * 0.46
        ink = _HOME_INK if home else _INK
        ImageDraw.Draw(picture).text((middle, middle), str(tile), ink, _font(round(size)), "mm")
        return picture

    def palette(self, board: Board, goal: Board) -> Image:
        """Picture with the palette of every part of a board."""
        from PIL import Image

        sample = Image.new("RGB", (4 * self.cell, self.cell), _TRAY)
        sample.paste(self.draw(board, goal), (0, 0))
        for place, home in ((2, False), (3, True)):
            sample.paste(self.tile(8, home), (place * self.cell, 0))
        return sample.quantize(_MOST_COLOURS)

    def sprites(self, board: Board, palette: Image) -> dict[tuple[int, bool], Image]:
        """Picture of each tile, away and at home, in the colours of `palette`."""
        return {
            (tile, home): _in_colours(self.tile(tile, home), palette)
            for tile in board.cells
            if tile
            for home in (False, True)
        }


@lru_cache(maxsize=64)
def _face(cell: int, face: str, edge: str) -> Image:
    """A tile without its number: a rounded square with an edge, on the tray."""
    from PIL import Image

    picture = Image.new("RGB", (cell, cell), _TRAY)
    gap, line, radius = max(1, round(cell * 0.03)), max(1, round(cell * 0.012)), cell * 0.11
    side = cell - 2 * gap
    picture.paste(edge, (gap, gap), _rounded((side, side), round(radius)))
    inner, depth = side - 2 * line, round(cell * 0.012)  # the lower edge is thicker
    picture.paste(
        face, (gap + line, gap + line), _rounded((inner, inner - depth), round(radius - line))
    )
    return picture


@lru_cache(maxsize=64)
def _rounded(size: tuple[int, int], radius: int) -> Image:
    """Mask of a rectangle with smooth round corners."""
    from PIL import Image, ImageDraw

    fine = 4
    circle = Image.new("L", (2 * radius * fine, 2 * radius * fine), 0)
    ImageDraw.Draw(circle).ellipse((0, 0, 2 * radius * fine - 1, 2 * radius * fine - 1), 255)
    circle = circle.reduce(fine)
    mask = Image.new("L", size, 255)
    for left in (True, False):
        for top in (True, False):
            x, y = (0 if left else radius), (0 if top else radius)
            quarter = circle.crop((x, y, x + radius, y + radius))
            place = (0 if left else size[0] - radius, 0 if top else size[1] - radius)
            mask.paste(quarter, place)
    return mask


@lru_cache(maxsize=32)
def _font(size: int, weight: int = _BOLD) -> FreeTypeFont:
    """Font of the pages, so that pictures look alike on every machine."""
    from PIL import ImageFont

    folder = Path(__file__).parents[1] / "static"  # inside the package in a wheel
    if not folder.is_dir():
        folder = Path(__file__).parents[2] / "static"
    font = ImageFont.truetype(folder / "vendor" / _FONT_FILE, size)
    font.set_variation_by_axes([weight])
    return font


def _in_colours(picture: Image, palette: Image) -> Image:
    """Convert a picture to another palette, undithered, as dithering compresses badly."""
    from PIL import Image

    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def _png(picture: Image) -> bytes:
    data = BytesIO()
    picture.save(data, "PNG", compress_level=4)
    return data.getvalue()
