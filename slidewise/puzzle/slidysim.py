"""Replays of slidysim, the simulator of speedsolvers, read and written as addresses.

The field `r` of an address is JSON, deflated (zlib), in Base64 and percent-encoded. There are two
forms. A shared replay is `[solution, tps, scramble, times]`: the moves as directions of the tiles
with run lengths, 1000 times the moves a second, the rows of the start between slashes, and the
milliseconds from the first move to each, or -1. An entry of the leaderboard has ten values. The
first has the `width` and the `height`, and the second is the solves, deflated and in Base64 again:
`solutions;times;moves;tps;memo;[times of moves]`, each a list with commas. It has no scramble, as
each solution ends with the blank last.

Source: `shareReplay`, `customReplayCheck` and `readSolveData` in modules/replayGeneration.js and
`compressArrayToString` in modules/dataFetching.js of github.com/slidysim/slidysim.github.io, and
replay_generator.py of github.com/dphdmn/slidyreplay.
"""

import base64
import binascii
import json
import re
import zlib
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

from slidewise.puzzle.board import Board, InvalidBoardError, PuzzleError, quoted, standard_goal

ADDRESS = "https://slidysim.github.io/replay?r="
"""Beginning of the addresses that are written."""

HOSTS = frozenset({"slidysim.github.io", "slidysim.online"})
"""Hosts of replays; the second is the older host."""

MAX_BYTES = 2_000_000
"""Maximum bytes of an inflated replay, against zip bombs; a 10x10 has some 10,000."""

MAX_MOVES = 20_000
"""Maximum moves of all solves of an address, which take tenths of a second to play."""

_DAMAGED = (
    *(ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError),
    *(RecursionError, zlib.error),
)
"""Errors of values that do not have the form of a replay."""

DEFAULT_SPEED = 15.0
"""Moves a second of a replay without times, as slidysim has it."""

_MOVES = re.compile(r"(?:[UDLR][0-9]*+)++")
_RUN = re.compile(r"([UDLR])([0-9]*)")
_BACK = str.maketrans("UDLR", "DURL")
_TIMES = re.compile(r"\[([^\[\]]*)\]")


class SlidysimReplay(NamedTuple):
    """A replay: the start, the moves as directions of the tiles, and the times of the moves.

    `times` are milliseconds from the first move, None if unknown. The goal is the standard goal.
    """

    start: Board
    moves: str
    times: tuple[int, ...] | None = None


def is_replay(address: str) -> bool:
    """Return whether a text is the address of a replay of slidysim.

    >>> is_replay("https://slidysim.github.io/replay?r=eJw")
    True
    """
    try:
        parts = urlsplit(address.strip())
        return parts.hostname in HOSTS and "r" in dict(parse_qsl(parts.query, max_num_fields=9))
    except ValueError:
        return False


def read_replays(address: str) -> list[SlidysimReplay]:
    """Return the replays of an address: a single solve, or the solves of an average.

    >>> read_replays(write_replay(Board(2, 2, (1, 2, 0, 3)), "L", [0]))
    [SlidysimReplay(start=Board(rows=2, cols=2, cells=(1, 2, 0, 3)), moves='L', times=(0,))]

    Raises `InvalidBoardError` for another text and for a replay that is damaged, has no solution,
    has boards above 10x10, or has boards of several sizes. A move that cannot be made raises
    `IllegalMoveError`.
    """
    if not is_replay(address):
        raise _unreadable("expected an address such as https://slidysim.github.io/replay?r=...")
    query = dict(parse_qsl(urlsplit(address.strip()).query))
    try:
        values = json.loads(_inflated(query["r"]))
        if not isinstance(values, list) or len(values) < 2:
            raise _unreadable("the address is damaged")
        found = _of_leaderboard(values) if isinstance(values[0], dict) else [_shared(values)]
    except PuzzleError:
        raise
    except _DAMAGED:
        raise _unreadable("the address is damaged: copy it whole") from None
    return found


def write_replay(
    start: Board, moves: str, times: list[int] | None = None, speed: float = DEFAULT_SPEED
) -> str:
    """Return the address of a replay from `start`; `times` are milliseconds from the first move.

    `speed` is the moves a second without times.
    """
    if times and times[-1] > 0:
        # With times, slidysim expects the average speed that follows from them.
        speed = len(moves) * 1000 / times[-1]
    runs = re.sub(r"(.)\1+", lambda run: f"{run[1]}{len(run[0])}", moves)
    values = [runs, round(1000 * speed), scramble_of(start), times or -1]
    packed = zlib.compress(json.dumps(values, separators=(",", ":")).encode(), 9)
    return ADDRESS + quote(base64.b64encode(packed).decode(), safe="")


def scramble_of(board: Board) -> str:
    """Return a board as slidysim writes it.

    >>> scramble_of(Board(2, 2, (1, 2, 0, 3)))
    '1 2/0 3'
    """
    return "/".join(" ".join(map(str, row)) for row in board.grid)


def _shared(values: list[Any]) -> SlidysimReplay:
    """Return a shared replay."""
    rows = [[int(cell) for cell in row.split()] for row in values[2].split("/")]
    if len({len(row) for row in rows}) != 1:
        raise _unreadable("the rows of the board differ in length")
    start = Board(len(rows), len(rows[0]), tuple(cell for row in rows for cell in row))
    moves = _expanded(values[0], MAX_MOVES)
    board = start
    for move in moves:
        board = board.move(move)
    return SlidysimReplay(start, moves, _times(values[3] if len(values) > 3 else -1, len(moves)))


def _of_leaderboard(values: list[Any]) -> list[SlidysimReplay]:
    """Return the solves of an entry of the leaderboard."""
    item, solves = values[0], _inflated(values[1])
    kind = str(item.get("gameMode", ""))
    if "relay" in kind.lower():
        raise _unreadable(f"its solves have boards of several sizes ({quoted(kind)})")
    goal = standard_goal(int(item["height"]), int(item["width"]))
    listed = _TIMES.search(solves)
    times = [part.split(",") for part in listed[1].split(";")] if listed else []
    found: list[SlidysimReplay] = []
    left = MAX_MOVES
    for place, solution in enumerate(_TIMES.sub("", solves).split(";")[0].split(",")):
        if solution in ("", "-1"):
            raise _unreadable("it has no solution")
        moves = _expanded(solution, left)
        left -= len(moves)
        # An entry has no scramble: playing its moves backwards from the goal gives the start.
        start = goal
        for move in reversed(moves):
            start = start.move(move.translate(_BACK))
        found.append(
            SlidysimReplay(
                start, moves, _times(times[place] if place < len(times) else -1, len(moves))
            )
        )
    return found


def _expanded(solution: object, most: int) -> str:
    """Return the moves, up to `most`, without run lengths."""
    if not isinstance(solution, str) or not _MOVES.fullmatch(solution):
        raise _unreadable(f"expected moves such as R2UL, found {quoted(str(solution))}")
    # Seven digits are above the limit already, and int() rejects very long numbers.
    runs = [(way, int(count[:7] or 1)) for way, count in _RUN.findall(solution)]
    if sum(count for _, count in runs) > most:
        raise _unreadable(f"it has more than {MAX_MOVES:,} moves")
    return "".join(way * count for way, count in runs)


def _times(times: object, moves: int) -> tuple[int, ...] | None:
    """Return the times if each move has a time."""
    if not isinstance(times, list) or len(times) != moves:
        return None
    return tuple(round(float(time)) for time in times)


def _inflated(text: object) -> str:
    """Return the text in a deflated value in Base64."""
    # A plus sign that was not percent-encoded arrives as a space.
    packed = str(text).replace(" ", "+")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4))
    except binascii.Error:
        raise _unreadable("the address is damaged: copy it whole") from None
    # An address is untrusted, so the output is limited, unlike in zlib.decompress.
    inflate = zlib.decompressobj()
    found = inflate.decompress(data, MAX_BYTES)
    if inflate.unconsumed_tail or not inflate.eof:
        raise _unreadable("the address is damaged, or the replay too long")
    return found.decode()


def _unreadable(why: str) -> InvalidBoardError:
    return InvalidBoardError(f"this replay of slidysim cannot be read: {why}")
