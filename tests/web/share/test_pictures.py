"""Boards as PNG, the cards of links, and solutions as animated GIF."""

from concurrent.futures import Future
from io import BytesIO
from types import SimpleNamespace

import pytest
from PIL import Image, ImageChops

from slidewise import parse_moves, parse_puzzle, scramble, steps
from tests.boards import BIG, HARDEST, SMALL, SOLVED, TINY, TINY_SOLVED
from tests.boards import TEXTBOOK as HARD
from tests.boards import TEXTBOOK_SOLUTION as SHORTEST
from tests.boards import TWO_MOVES as CODE
from tests.each import each
from tests.web import markup
from webapp.share import files, pictures
from webapp.share.pictures import MAX_ANIMATED_MOVES
from webapp.workers import Busy
from webapp.workers.shared import LocalShared

LOOKS = {"tray": (214, 207, 191), "away": (255, 253, 249), "home": (183, 223, 212)}
TRANSPARENT = 3
LONG = "9." * 999


def opened(data):
    return Image.open(BytesIO(data))


def places(picture, puzzle):
    """Return the centre of each cell of a picture, and the width of a cell."""
    cell = min(picture.width / (puzzle.cols + 0.24), picture.height / (puzzle.rows + 0.24))
    left, top = (picture.width - puzzle.cols * cell) / 2, (picture.height - puzzle.rows * cell) / 2
    return [
        (left + (index % puzzle.cols + 0.5) * cell, top + (index // puzzle.cols + 0.5) * cell)
        for index in range(puzzle.rows * puzzle.cols)
    ], cell


def looks(picture, puzzle):
    """Return the look of each cell: the empty tray, a tile away, or a tile at home."""
    centres, cell = places(picture, puzzle)
    names = {colour: name for name, colour in LOOKS.items()}
    colours = picture.convert("RGB")
    return [names.get(colours.getpixel((int(x - 0.36 * cell), int(y)))) for x, y in centres]


def expected_looks(board, goal):
    return [
        "tray" if tile == 0 else "home" if tile == at_home else "away"
        for tile, at_home in zip(board.cells, goal.cells, strict=True)
    ]


def numbers(picture, puzzle):
    """Return the ink of the number on each tile."""
    centres, cell = places(picture, puzzle)
    ink = picture.convert("L").point(lambda light: 255 * (light < 110))
    reach = 0.3 * cell
    return [
        ink.crop((int(x - reach), int(y - reach), int(x + reach), int(y + reach)))
        for x, y in centres
    ]


def difference(one, other):
    return sum(ImageChops.difference(one, other.resize(one.size)).histogram()[1:])


def read_numbers(picture, puzzle, written):
    """Return the tile of each cell, by the ink of each tile in `written`."""
    return tuple(
        min(written, key=lambda tile: difference(cell, written[tile]))
        for cell in numbers(picture, puzzle)
    )


# PNG


@pytest.mark.parametrize("code", [HARD, SMALL, BIG])
def test_picture_shows_the_board(client, code):
    puzzle = parse_puzzle(code)
    response = client.get(f"/board/{code}.png")
    assert response.mimetype == "image/png"
    picture = opened(response.data)
    assert picture.format == "PNG"
    assert max(picture.size) <= 720
    assert looks(picture, puzzle) == expected_looks(puzzle.start, puzzle.goal)
    assert picture.getpixel((0, 0))[TRANSPARENT] == 0, "the corners are round"
    tray = picture.crop((0, 0, picture.width, 3))
    assert {colour[:3] for _, colour in tray.getcolors()} == {LOOKS["tray"]}, "and have no rim"
    assert len(response.data) < 100_000


def test_numbers_are_on_their_tiles():
    solved, puzzle = parse_puzzle(SOLVED), parse_puzzle(HARDEST)
    goal = opened(pictures.board_png(solved.start, solved.goal))
    written = dict(zip(solved.start.cells, numbers(goal, solved), strict=True))
    assert len({ink.tobytes() for ink in written.values()}) == 9
    picture = opened(pictures.board_png(puzzle.start, puzzle.goal))
    assert read_numbers(picture, puzzle, written) == puzzle.start.cells


@pytest.mark.parametrize("what", [".svg", ".png", "/card.png"])
def test_pictures_are_public_and_cacheable(client, what):
    response = client.get(f"/board/{CODE}{what}")
    assert response.cache_control.public
    assert response.cache_control.max_age == 24 * 3600
    assert "Cookie" not in response.vary
    assert "Set-Cookie" not in response.headers
    assert client.head(f"/board/{CODE}{what}").status_code == 200


@each("path", ["/board/x.svg", "/board/x.png", "/board/1.2/card.png", f"/board/{LONG}.png"])
def test_picture_of_unreadable_code_is_400(client, path):
    response = client.get(path)
    assert response.status_code == 400
    assert markup.read(response).one("h1").text == "Please check this"


# Cards


@pytest.mark.parametrize("code", [HARD, str(scramble(2, 10, "1"))])
def test_card_has_1200_by_630_pixels_and_the_board(client, code):
    puzzle = parse_puzzle(code)
    card = opened(client.get(f"/board/{code}/card.png").data)
    assert card.size == (1200, 630)
    board = card.crop((48, 48, 582, 582))
    if puzzle.rows == puzzle.cols:
        assert looks(board, puzzle) == expected_looks(puzzle.start, puzzle.goal)


def test_card_names_the_number_of_moves_if_known(client, monkeypatch):
    texts = []
    monkeypatch.setattr(
        files.Pictures, "drawn", lambda self, draw, puzzle, lines: texts.append(lines) or ""
    )
    for code in HARD, BIG.replace("98.99", "99.98"), SOLVED:
        client.get(f"/board/{code}/card.png")
    assert texts == [
        ("Shortest: 26 moves", "goal: blank first"),
        ("Sliding-tile puzzle",),
        ("Sliding-tile puzzle",),
    ]


def test_words_of_a_card_are_drawn_beside_the_board():
    one, other = (
        opened(pictures.card_png(parse_puzzle(CODE), (words,))) for words in ("2 moves", "3 moves")
    )
    left, _, right, _ = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox()
    assert 600 < left < right


def test_picture_not_drawn_in_time_is_busy(app, monkeypatch):
    monkeypatch.setitem(app.config, "SOLVE_WAIT", 0)
    pool = SimpleNamespace(submit=lambda queue, *call, timeout: Future())
    pool.calls = pool
    shown = files.Pictures(pool, LocalShared())
    with app.app_context():
        for seed in range(files.MAX_PICTURES + 1):
            with pytest.raises(Busy, match="Many pictures are being drawn"):
                shown.drawn(pictures.card_png, scramble(3, 3, str(seed)), ())


# Animations


def frames(data):
    """Return the frames of a GIF as pictures, and the duration of each."""
    shown, durations = [], []
    with opened(data) as gif:
        for number in range(gif.n_frames):
            gif.seek(number)
            shown.append(gif.convert("RGB"))
            durations.append(gif.info["duration"])
    return shown, durations


def test_animation_shows_each_board_from_start_to_goal():
    puzzle = parse_puzzle(HARD)
    moves = parse_moves(SHORTEST)
    data = pictures.solution_gif(puzzle, moves)
    shown, durations = frames(data)
    assert len(shown) == 1 + 4 * 26
    boards = [puzzle.start, *(step.board for step in steps(puzzle.start, moves))]
    for frame, board in zip(shown[::4], boards, strict=True):
        assert looks(frame, puzzle) == expected_looks(board, puzzle.goal)
    written = dict(zip(puzzle.goal.cells, numbers(shown[-1], puzzle), strict=True))
    assert read_numbers(shown[0], puzzle, written) == puzzle.start.cells
    assert {frame.getpixel((0, 0)) for frame in shown} == {LOOKS["tray"]}, "up to the corners"
    assert durations == [900, *([40, 40, 40, 340] * 26)[:-1], 2500]
    assert len(data) < 300_000
    with opened(data) as gif:
        assert gif.info["loop"] == 0, "it repeats for ever"


def test_tile_of_an_animation_slides_in_steps():
    puzzle = parse_puzzle(TINY)
    shown, _ = frames(pictures.solution_gif(puzzle, "L"))
    row = 3 * shown[0].height // 4
    edges = [
        min(x for x in range(frame.width) if frame.getpixel((x, row)) == LOOKS["away"])
        for frame in shown[:-1]
    ]
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == 4


def test_animation_of_a_long_solution_has_fewer_frames():
    puzzle = parse_puzzle(TINY_SOLVED)
    assert len(frames(pictures.solution_gif(puzzle, "RL" * 50))[0]) == 1 + 4 * 100
    assert len(frames(pictures.solution_gif(puzzle, "RL" * 150))[0]) == 1 + 300


def test_animation_is_a_public_gif_with_a_file_name(client):
    response = client.get(f"/replay/{HARD}.gif?moves={SHORTEST}")
    assert response.mimetype == "image/gif"
    name = "slidewise-3x3-26-moves.gif"
    assert response.headers["Content-Disposition"] == f'inline; filename="{name}"'
    assert response.cache_control.public
    assert response.data == pictures.solution_gif(parse_puzzle(HARD), parse_moves(SHORTEST))
    response = client.get(f"/replay/{CODE}.gif?algorithm=astar")
    assert response.data == pictures.solution_gif(parse_puzzle(CODE), "UL"), "of a search"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "name the moves of the solution"),
        ("moves=LLLL", "is not legal"),
        ("moves=xyz", "expected moves such as U2RDL3"),
        ("moves=" + "UD" * MAX_ANIMATED_MOVES, f"can have up to {MAX_ANIMATED_MOVES} moves, not"),
        ("algorithm=none", "algorithm"),
    ],
)
def test_impossible_animation_is_400(client, query, words):
    response = client.get(f"/replay/{CODE}.gif?{query}")
    assert response.status_code == 400
    assert words.lower() in markup.read(response).one("main").text.lower()


def test_animation_above_the_limit_is_503(client, monkeypatch):
    taken = [files._animations.acquire(blocking=False) for _ in range(4)]
    try:
        response = client.get(f"/replay/{CODE}.gif?moves=UL")
    finally:
        for _ in taken:
            files._animations.release()
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert client.get(f"/replay/{CODE}.gif?moves=UL").status_code == 200
