import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from slidewise import parse_board
from slidewise.puzzle.board import CELL, EDGE, svg
from tests.puzzle.strategies import boards, puzzles

SVG = "{http://www.w3.org/2000/svg}"
PRESENTATION = {
    f"{SVG}svg": {"viewBox", "width", "height", "role", "aria-label"},
    f"{SVG}rect": {"x", "y", "width", "height", "rx", "fill", "stroke", "stroke-width"},
    f"{SVG}text": {
        "x", "y", "fill", "font-family", "font-size", "font-weight", "text-anchor",
        "dominant-baseline",
    },
}  # fmt: skip


def tiles(picture: str):
    """Return each tile of a picture as (number, x, y, fill)."""
    parts = list(ElementTree.fromstring(picture))[1:]
    return [
        (int(text.text), float(text.get("x")), float(text.get("y")), rect.get("fill"))
        for rect, text in zip(parts[::2], parts[1::2], strict=True)
    ]


@given(puzzles(), st.booleans())
def test_picture_is_well_formed_without_styles_and_scripts(puzzle, with_goal):
    root = ElementTree.fromstring(svg(puzzle.start.grid, puzzle.goal.grid if with_goal else ()))
    assert root.tag == f"{SVG}svg"
    for element in root.iter():
        assert set(element.attrib) <= PRESENTATION[element.tag], element.tag
        assert not any("url(" in value for value in element.attrib.values())


@given(boards())
def test_each_tile_is_in_its_cell(board):
    found = tiles(svg(board.grid))
    assert [number for number, *_ in found] == [tile for tile in board.cells if tile]
    for number, x, y, _ in found:
        cell = int((y - EDGE) // CELL) * board.cols + int((x - EDGE) // CELL)
        assert board.cells[cell] == number


@given(boards())
def test_view_box_holds_all_tiles(board):
    root = ElementTree.fromstring(svg(board.grid))
    left, top, width, height = map(int, root.get("viewBox").split())
    assert (left, top) == (0, 0)
    assert (str(width), str(height)) == (root.get("width"), root.get("height"))
    for rect in root.iter(f"{SVG}rect"):
        assert 0 <= float(rect.get("x", 0)) + float(rect.get("width")) <= width
        assert 0 <= float(rect.get("y", 0)) + float(rect.get("height")) <= height


@given(boards())
def test_tiles_fill_their_cells_without_touching(board):
    """Each is a square with centred number and the same gap on all sides."""
    parts = list(ElementTree.fromstring(svg(board.grid)))
    tray, rects, texts = parts[0], parts[1::2], parts[2::2]
    lefts = [(float(rect.get("x")), float(rect.get("y"))) for rect in rects]
    side = float(rects[0].get("width"))
    assert CELL * 0.8 < side < CELL
    gap = (CELL - side) / 2
    for rect, text, (left, top) in zip(rects, texts, lefts, strict=True):
        assert float(rect.get("width")) == float(rect.get("height")) == side
        assert (float(text.get("x")), float(text.get("y"))) == (left + side / 2, top + side / 2)
        assert (left - EDGE - gap) % CELL == (top - EDGE - gap) % CELL == 0
    assert float(tray.get("width")) == board.cols * CELL + 2 * EDGE
    assert float(tray.get("height")) == board.rows * CELL + 2 * EDGE


@given(puzzles())
def test_tiles_at_home_are_tinted(puzzle):
    plain = {fill for *_, fill in tiles(svg(puzzle.start.grid))}
    assert len(plain) == 1
    at_home = {
        tile
        for tile, goal_tile in zip(puzzle.start.cells, puzzle.goal.cells, strict=True)
        if tile == goal_tile != 0
    }
    tinted = tiles(svg(puzzle.start.grid, puzzle.goal.grid))
    assert plain == {fill for *_, fill in tiles(svg(((1, 2), (3, 0)), ((2, 1), (0, 3))))}
    assert {number for number, *_, fill in tinted if fill not in plain} == at_home


@given(boards())
def test_label_reads_the_board_out(board):
    root = ElementTree.fromstring(svg(board.grid))
    assert root.get("role") == "img"
    label = root.get("aria-label")
    assert label.startswith("Board: ")
    rows = label.removeprefix("Board: ").replace("blank", "0").split("; ")
    assert parse_board("/".join(rows)) == board
