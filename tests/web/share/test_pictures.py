"""Boards as PNG, the cards of links, and solutions as animated GIF."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from slidewise import parse_moves, parse_puzzle, scramble
from tests.web import markup
from tests.web.kinds import BIG, CODE, SOLVED
from webapp.share import files, pictures

HARD = "7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8"
SHORTEST = "RDLU2RDL2DR2UL2UR2DL2DRURD"
LOOKS = {"tray": (216, 210, 196), "away": (255, 253, 249), "home": (223, 240, 234)}
TRANSPARENT = 3


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
    """Return what each cell looks like: the empty tray, a tile away, or a tile at home."""
    centres, cell = places(picture, puzzle)
    colours = picture.convert("RGB")
    return [
        min(
            LOOKS,
            key=lambda name: sum(
                abs(one - other)
                for one, other in zip(
                    colours.getpixel((int(x - 0.36 * cell), int(y))), LOOKS[name], strict=True
                )
            ),
        )
        for x, y in centres
    ]


def expected_looks(board, goal):
    return [
        "tray" if tile == 0 else "home" if tile == at_home else "away"
        for tile, at_home in zip(board.cells, goal.cells, strict=True)
    ]


def numbers(picture, puzzle):
    """Return the ink of each cell: what is written on its tile."""
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
    """Return the tile of each cell, `written` being what each tile has on it."""
    return tuple(
        min(written, key=lambda tile: difference(cell, written[tile]))
        for cell in numbers(picture, puzzle)
    )


# PNG


@pytest.mark.parametrize("code", [CODE, HARD, "1.2-0.3", "1.0.3-4.2.5", BIG])
def test_a_picture_shows_the_board(client, code):
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
    solved, puzzle = parse_puzzle(SOLVED), parse_puzzle("8.6.7-2.5.4-3.0.1")
    goal = opened(pictures.board_png(solved.start, solved.goal))
    written = dict(zip(solved.start.cells, numbers(goal, solved), strict=True))
    assert len({ink.tobytes() for ink in written.values()}) == 9
    picture = opened(pictures.board_png(puzzle.start, puzzle.goal))
    assert read_numbers(picture, puzzle, written) == puzzle.start.cells


@pytest.mark.parametrize("what", [".png", "/card.png"])
def test_pictures_are_for_all_to_keep(client, what):
    response = client.get(f"/board/{CODE}{what}")
    assert response.cache_control.public
    assert response.cache_control.max_age == 24 * 3600
    assert "Cookie" not in response.vary
    assert "Set-Cookie" not in response.headers
    assert client.head(f"/board/{CODE}{what}").status_code == 200
    assert client.get(f"/board/123406758{what}").location == f"/board/{CODE}{what}"


@pytest.mark.parametrize(
    "path", ["/board/x.png", "/board/1.2/card.png", f"/board/{'9.' * 999}.png"]
)
def test_of_what_is_no_board_there_is_none(client, path):
    response = client.get(path)
    assert response.status_code == 400
    assert markup.read(response).one("h1").text == "Please check this"


# Cards


@pytest.mark.parametrize("code", [CODE, HARD, str(scramble(2, 10, "1")), BIG])
def test_a_card_has_the_size_that_chats_ask_for_and_the_board(client, code):
    puzzle = parse_puzzle(code)
    card = opened(client.get(f"/board/{code}/card.png").data)
    assert card.size == (1200, 630)
    middle, half = 48 + 534 / 2, 534 / 2
    board = card.crop((48, int(315 - half), int(middle + half), int(315 + half)))
    if puzzle.rows == puzzle.cols:
        assert looks(board, puzzle) == expected_looks(puzzle.start, puzzle.goal)


def test_a_card_says_how_many_moves_where_that_is_known(app, monkeypatch):
    said = []
    monkeypatch.setattr(pictures, "card_png", lambda puzzle, lines: said.append(lines) or b"")
    for code in HARD, BIG.replace("98.99", "99.98"), SOLVED, "8.1.3-4.0.2-7.5.6":
        app.test_client().get(f"/board/{code}/card.png")
    assert said == [
        ("26 moves at best", "goal: blank first"),
        ("Sliding-tile puzzle", said[1][1]),
        ("Sliding-tile puzzle", "goal: blank last"),
        said[3],
    ]


def test_the_words_are_drawn():
    puzzle = parse_puzzle(CODE)
    one, other = (pictures.card_png(puzzle, (words,)) for words in ("2 moves", "3 moves"))
    assert (
        opened(one).crop((0, 0, 600, 630)).tobytes()
        == opened(other).crop((0, 0, 600, 630)).tobytes()
    )
    assert opened(one).tobytes() != opened(other).tobytes()


# Animations


def frames(data):
    """Return the frames of a GIF as pictures, and how long each is shown."""
    shown, durations = [], []
    with opened(data) as gif:
        for number in range(gif.n_frames):
            gif.seek(number)
            shown.append(gif.convert("RGB"))
            durations.append(gif.info["duration"])
    return shown, durations


def test_an_animation_goes_from_the_start_to_the_goal():
    puzzle = parse_puzzle(HARD)
    moves = parse_moves(SHORTEST)
    data = pictures.solution_gif(puzzle, moves)
    shown, durations = frames(data)
    assert len(shown) == 1 + 4 * 26
    assert looks(shown[0], puzzle) == expected_looks(puzzle.start, puzzle.goal)
    assert looks(shown[-1], puzzle) == expected_looks(puzzle.goal, puzzle.goal)
    written = dict(zip(puzzle.goal.cells, numbers(shown[-1], puzzle), strict=True))
    assert read_numbers(shown[0], puzzle, written) == puzzle.start.cells
    assert {frame.getpixel((0, 0)) for frame in shown} == {LOOKS["tray"]}, "up to the corners"
    assert durations == [900, *([40, 40, 40, 340] * 26)[:-1], 2500]
    assert len(data) < 300_000


def test_each_move_ends_with_the_board_after_it():
    puzzle = parse_puzzle(CODE)
    shown, _ = frames(pictures.solution_gif(puzzle, "UL"))
    board = puzzle.start
    for number, move in enumerate("UL", start=1):
        board = board.move(move)
        assert looks(shown[4 * number], puzzle) == expected_looks(board, puzzle.goal)


def test_a_tile_slides_in_steps():
    puzzle = parse_puzzle("1.2-0.3")
    shown, _ = frames(pictures.solution_gif(puzzle, "L"))
    row = 3 * shown[0].height // 4
    edges = [
        min(x for x in range(frame.width) if frame.getpixel((x, row)) == LOOKS["away"])
        for frame in shown[:-1]
    ]
    assert edges == sorted(edges, reverse=True)
    assert len(set(edges)) == 4


def test_it_repeats_for_ever():
    with opened(pictures.solution_gif(parse_puzzle(CODE), "UL")) as gif:
        assert gif.info["loop"] == 0


def test_long_solutions_have_fewer_frames():
    puzzle = parse_puzzle(SOLVED)
    assert len(frames(pictures.solution_gif(puzzle, "RL" * 50))[0]) == 1 + 4 * 100
    assert len(frames(pictures.solution_gif(puzzle, "RL" * 150))[0]) == 1 + 300


def test_the_page_of_an_animation(client):
    response = client.get(f"/replay/{HARD}.gif?moves={SHORTEST}")
    assert response.mimetype == "image/gif"
    assert response.headers["Content-Disposition"] == (
        'inline; filename="slidewise-3x3-26-moves.gif"'
    )
    assert response.cache_control.public
    assert response.data == pictures.solution_gif(parse_puzzle(HARD), parse_moves(SHORTEST))


def test_the_animation_of_a_search(client):
    response = client.get(f"/replay/{CODE}.gif?algorithm=astar")
    assert response.data == pictures.solution_gif(parse_puzzle(CODE), "UL")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "name the moves of the solution"),
        ("moves=LLLL", "is not legal"),
        ("moves=xyz", "expected moves such as U2RDL3"),
        ("moves=" + "UD" * 151, "an animation has up to 300 moves, these are 302: share the link"),
        ("moves=U99999", "has up to"),
        ("algorithm=none", "algorithm"),
    ],
)
def test_what_cannot_be_animated_is_told_so(client, query, words):
    response = client.get(f"/replay/{CODE}.gif?{query}")
    assert response.status_code == 400
    assert words.lower() in markup.read(response).one("main").text.lower()


def test_when_many_wait_for_animations_others_are_asked_to_come_back(client, monkeypatch):
    taken = [files._animations.acquire(blocking=False) for _ in range(4)]
    try:
        response = client.get(f"/replay/{CODE}.gif?moves=UL")
    finally:
        for _ in taken:
            files._animations.release()
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert client.get(f"/replay/{CODE}.gif?moves=UL").status_code == 200


def test_the_app_starts_without_pillow_and_segno():
    code = (
        "import sys; from webapp import create_app; import webapp.share.sheet\n"
        "create_app({'SECRET_KEY': 'x'}); print({'PIL', 'segno'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "set()\n"
