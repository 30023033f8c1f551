"""Replays of slidysim and scrambles of csTimer, compared with an encoder written here."""

import base64
import json
import random
import zlib
from contextlib import suppress
from itertools import groupby
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from slidewise import (
    InvalidBoardError,
    Puzzle,
    PuzzleError,
    SlidysimReplay,
    parse_board,
    parse_puzzle,
    read_moves,
    read_replays,
    read_scramble,
    scramble,
    standard_goal,
    write_board,
    write_replay,
    write_scramble,
)
from tests.each import each

FIVE = parse_board("1 2 3/4 0 6/7 5 8")


def packed(text):
    return base64.b64encode(zlib.compress(text.encode())).decode()


def address(values, host="https://slidysim.github.io/replay"):
    return f"{host}?r={quote(packed(json.dumps(values)), safe='')}"


def entry(solves, width=3, height=3, kind="Standard"):
    """Return an entry of the leaderboard, whose ten values slidysim passes to its player."""
    item = {"width": width, "height": height, "gameMode": kind, "time": 1, "moves": 2000}
    rest = [{"isTrusted": True}, 28603, width, height, "<span>title</span>", -1, "alpha", False]
    return [item, packed(solves), *rest]


def walk(goal, length, seed):
    """Return a board `length` moves from the goal, and these moves."""
    draws, board, moves = random.Random(seed), goal, ""
    for _ in range(length):
        moves += draws.choice(board.legal_directions)
        board = board.move(moves[-1])
    return board, moves


def back(moves):
    return moves[::-1].translate(str.maketrans("UDLR", "DURL"))


def runs(moves):
    pieces = ["".join(run) for _, run in groupby(moves)]
    return [f"{one[0]}{len(one) if len(one) > 1 else ''}" for one in pieces]


@each("size", [(2, 2), (3, 5), (4, 4), (10, 10)])
def test_shared_replay_is_read_and_written(size):
    start, moves = walk(standard_goal(*size), 30, str(size))
    solution = back(moves)
    times = [40 * place for place in range(30)]
    rows = "/".join(" ".join(map(str, row)) for row in start.grid)
    given = ["".join(runs(solution)), 1234, rows, times]
    assert read_replays(address(given)) == [SlidysimReplay(start, solution, tuple(times))]
    given[3] = -1
    assert read_replays(address(given))[0].times is None

    query = parse_qs(urlsplit(write_replay(start, solution, times)).query)
    text = zlib.decompress(base64.b64decode(query["r"][0])).decode()
    assert json.loads(text) == [given[0], round(30_000_000 / times[-1]), rows, times]


def test_replay_without_its_padding_is_read():
    for speed in 3**7, 3**15, 3**24:  # texts of 44, 50 and 55 characters
        whole = address(["L", speed, "1 2/0 3", -1])
        assert read_replays(whole.replace("%3D", ""))[0].moves == "L"


def test_leaderboard_replay_has_the_start_of_its_solution():
    found = []
    for seed in range(2):
        start, moves = walk(standard_goal(5, 3), 12, seed)
        found.append((start, back(moves)))
    solutions = ",".join("".join(runs(moves)) for _, moves in found)
    times = ";".join(",".join(str(seed + 9 * place) for place in range(12)) for seed in range(2))
    solves = f"{solutions};1.5,2.5;12,12;8.0,4.8;-1;[{times}]"
    replays = read_replays(address(entry(solves, width=3, height=5)))
    assert [(one.start, one.moves) for one in replays] == found
    assert [one.times[:2] for one in replays] == [(0, 9), (1, 10)]
    assert read_replays(address(entry("UL;0.9;2;2.2;-1")))[0] == SlidysimReplay(FIVE, "UL")


@each("host", ["https://slidysim.online/lb", "http://slidysim.github.io/lb"])
def test_replay_url_is_read_in_every_text_field(host):
    text = address(["UL", 15000, "1 2 3/4 0 6/7 5 8", -1], host)
    assert parse_puzzle(text) == Puzzle.standard(FIVE)
    assert parse_board(text) == FIVE
    assert read_moves(text, FIVE) == "UL"


@each(
    "text",
    [
        "https://slidysim.github.io/replay?r=",
        "https://slidysim.github.io/replay?r=eJyLjg",
        "https://slidysim.github.io/replay?r=%00%00",
        "https://slidysim.github.io/replay?r=" + quote(packed("[" * 100_000)),
        "https://slidysim.github.io/replay?r=" + quote(packed("[" + " " * 3_000_000)),
        address(7),
        address([]),
        address({"a": 1}),
        address(["UL", 1]),
        address(["UL", 1, "1 2 3/4 0/7 5 8", -1]),
        address(["UL", 1, "1 1/1 0", -1]),
        address(["UL", 1, "1 2/3 x", -1]),
        address(["UP", 1, "1 2/0 3", -1]),
        address(["L999999999", 1, "1 2/0 3", -1]),
        address(["LL", 1, "1 2/0 3", -1]),
        address([7, 1, "1 2/0 3", -1]),
        address(entry("-1;0.9;2;2.2;-1")),
        address(entry("UU;0.9;2;2.2;-1", 2, 2)),
        address(entry("UL;0.9;2;2.2;-1", 20, 20)),
        address(entry("UL;0.9;2;2.2;-1;" + " " * 3_000_000)),
        address(entry("UL,U;1,1;2,1;2,1;-1", kind="2-N relay")),
        address([{}, "x", 1]),
        address(["UL", 1, 7, -1]),
        address(["LR" * 10_001, 1, "1 2/0 3", -1]),
        address(entry(",".join(["LR" * 5_000] * 3) + ";1;1;1;-1", 2, 2)),
        address(entry("UL;0.9;2;2.2;-1;[1e999,0]")),
        address(entry("UL;0.9;2;2.2;-1", 1e999)),
        address(entry("UL;0.9;2;2.2;-1", None)),
    ],
)
def test_damaged_replay_is_refused(text):
    with pytest.raises(PuzzleError):
        read_replays(text)
    with pytest.raises(PuzzleError):
        parse_board(text)


def test_other_text_is_not_a_replay():
    for text in ("1 2 3 0", "https://example.org/replay?r=eJw", "http://[::1", ""):
        with pytest.raises(InvalidBoardError, match="expected an address such as"):
            read_replays(text)


def test_scramble_of_slidysim_is_a_notation():
    board = scramble(3, 4, "s").start
    assert write_board(board, "slidysim") == "/".join(" ".join(map(str, row)) for row in board.grid)
    assert parse_board(write_board(board, "slidysim")) == board


@each("size", [(3, 3), (4, 4), (2, 5)])
def test_scramble_of_cstimer_round_trips(size):
    goal = standard_goal(*size)
    for seed in range(5):
        start, moves = walk(goal, 40, seed)
        written = write_scramble(back(moves))
        assert written.split() == runs(moves)
        opposite = written.translate(str.maketrans("UDLR", "DURL"))
        for text in (written, " ".join(moves), written.translate(str.maketrans("UDLR", "￪￬￩￫"))):
            assert read_scramble(text, goal) == Puzzle(start, goal)
        assert read_scramble(opposite, goal, blank_directions=True).start == start
        assert read_scramble(f"blank: {opposite}", goal).start == start
    assert write_scramble("") == ""


@each("text", ["UU", "over", "D9"])
def test_wrong_scramble_is_refused(text):
    with pytest.raises(PuzzleError):
        read_scramble(text, standard_goal(3, 3))


def test_any_values_are_read_or_refused():
    draws, read = random.Random(3), 0
    good = [
        "UL",
        "1 2 3/4 0 6/7 5 8",
        packed("UL,UL;1;2;3;-1;[0,1;x,y]"),
        {"width": 3, "height": 3},
    ]
    values = [7, -1, None, True, [], [1, 2], {}, "x", "é", 1e999, packed("\0"), *good, *good]
    for _ in range(3_000):
        text = address([draws.choice(values) for _ in range(draws.randrange(11))])
        if draws.random() < 0.3:
            place = draws.randrange(40, len(text))
            text = text[:place] + draws.choice("abc%=+/é\0 ") + text[place + 1 :]
        with suppress(PuzzleError):
            read += all(len(one.moves) == 2 for one in read_replays(text))
    assert read > 5
