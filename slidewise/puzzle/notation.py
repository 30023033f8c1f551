"""Liberal parsing of boards and puzzles. `str(board)` and `str(puzzle)` write them.

The canonical form, `7.2.4-5.0.6-8.3.1`, is used in links, cookies, files and commands.
`parse_board` also reads many other forms:

- rows on lines of their own, or split by `/` or `;`; cells split by spaces, commas, dots, bars;
- boards drawn with lines, as this project prints them, with marks on the moved tile;
- nested lists, with or without commas, and the arrays of programs;
- digits run together, hexadecimal digits up to 16 cells, and letters from A on;
- the blank as `0`, or as a cell of its own such as `_`, `x`, `.`, `-1`, `None`, or left empty;
- the files of courses, with comments and a size before the rows; lists with an index;
- URLs of this site.

The strict reader runs first, to keep its results stable. `docs/notation.md` lists all forms.
"""

import re
from contextlib import suppress

from slidewise.puzzle.board import (
    MAX_SIDE,
    AmbiguousBoardError,
    Board,
    InvalidBoardError,
    SizeNeededError,
    check_size,
    quoted,
    standard_goal,
)
from slidewise.puzzle.layouts import as_rows, start_and_goal
from slidewise.puzzle.puzzle import Puzzle
from slidewise.puzzle.reading import (
    CANONICAL,
    Size,
    advice_on,
    lists_in,
    read_address,
    read_liberal,
    read_plain,
    with_text,
)
from slidewise.text import message

MAX_TEXT = 4_000
"""Maximum length of a board's text, in characters."""

_NO_QUOTES = str.maketrans("", "", "\"'`")
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*[xX×*,]\s*|\s+)([0-9]{1,3})")
_BOARD = r"[0-9]++(?:\.[0-9]++)++(?:-[0-9]++(?:\.[0-9]++)++)++"
_LISTED = re.compile(
    rf"(?:[0-9]{{1,9}}[:)]?[\s,;]++)?({_BOARD}(?:_{_BOARD})?)(?:[\s,;]++[0-9]{{1,12}}){{0,3}}"
)
"""A code in a list: the number before it, and figures after it, for example its length."""

# An underscore between two cells joins start and goal; elsewhere it is the blank.
_CODE_JOINT = re.compile(r"(?<=[0-9A-Fa-f\]\)])\s*_\s*(?=[0-9A-Fa-f\[\(])")


def parse_size(text: str) -> Size:
    """Return (rows, columns) of a size such as `2x3`.

    >>> parse_size("2x3")
    (2, 3)

    Raises `InvalidBoardError` for other text and for sides outside 2 to 10.
    """
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise InvalidBoardError(
            message(
                "expected a size such as 3x3 (rows x columns), found %(found)s", found=quoted(text)
            )
        )
    rows, cols = int(match[1]), int(match[2])
    check_size(rows, cols)
    return rows, cols


def parse_board(text: str, size: Size | None = None) -> Board:
    """Parse a board in any notation of this module.

    `size` is (rows, columns), for a flat list that fills no square.

    >>> str(parse_board("[1,2,3,-1,4,5,6,7,8]"))
    '1.2.3-0.4.5-6.7.8'
    >>> str(parse_board("1 0 3 4 2 5", size=(2, 3)))
    '1.0.3-4.2.5'

    Raises `InvalidBoardError` with the expected form, the fault and the text. It is
    `SizeNeededError` if only the size is missing.
    """
    try:
        return _read_board(text, size)
    except InvalidBoardError as error:
        raise _with_advice(error, text) from None


def _with_advice(error: InvalidBoardError, text: str) -> InvalidBoardError:
    """Return the error with its text, or better advice if the text is not a single board."""
    if type(error) is InvalidBoardError and len(text) <= MAX_TEXT:
        advice = advice_on(_without_figures(text)) or _advice_on_lines(text)
        error = InvalidBoardError(advice) if advice else error
    return _with_text(error, text)


def _with_text(error: InvalidBoardError, text: str) -> InvalidBoardError:
    """Return the error with the faulty line or text in its message."""
    error.args = (with_text(error, text),)
    return error


def _advice_on_lines(text: str) -> str:
    """Return advice for a list with a board on each line, "" for other text."""
    lines = text.strip().splitlines()
    if len(lines) < 2:
        return ""
    try:
        # Two boards are enough to recognise a list, and long lists stay cheap.
        for line in lines[:2]:
            parse_puzzle(line)
    except InvalidBoardError:
        return ""
    return message(
        "expected one board, found one on each of %(lines)s lines: give one of them",
        lines=len(lines),
    )


def parse_puzzle(text: str, goal: str | None = None, size: Size | None = None) -> Puzzle:
    """Parse a puzzle: a board, or a code `START_GOAL`.

    `goal` is the text of the goal if separate. The default is the standard goal.

    >>> str(parse_puzzle("1 2 3 4 5 6 7 8 0"))
    '1.2.3-4.5.6-7.8.0'

    Raises `InvalidBoardError`.
    """
    start, code_goal = _read_code(_without_figures(text), size)
    if goal is not None and goal.strip():
        if code_goal is not None:
            raise InvalidBoardError(
                message(
                    "found two goals: leave out %(goal)s or the goal in %(code)s",
                    goal=quoted(goal),
                    code=quoted(text),
                )
            )
        code_goal = parse_board(goal, start.size)
    return Puzzle(start, code_goal or standard_goal(*start.size))


def _read_code(text: str, size: Size | None) -> tuple[Board, Board | None]:
    try:
        return _read_joined(text, size)
    except InvalidBoardError as error:
        if len(text) > MAX_TEXT:
            raise
        refusal = error
    address = read_address(text)
    if address:
        stated = parse_size(address.size) if address.size.strip() else size
        start = _read_cells(address.start, stated)
        return start, parse_board(address.goal, start.size) if address.goal.strip() else None
    # Looser forms come last, so that they never change the result of a stricter form.
    two = _two_lists(text, size) or _two_blocks(text, size)
    if two:
        return two
    try:
        return parse_board(text, size), None
    except SizeNeededError:
        raise
    except InvalidBoardError:
        if _CODE_JOINT.search(text):
            raise _with_advice(refusal, text) from None
        raise


def _read_joined(text: str, size: Size | None) -> tuple[Board, Board | None]:
    """Return the unambiguous boards of a text: a start, or a start and a goal joined by `_`."""
    joints = list(_CODE_JOINT.finditer(text[:MAX_TEXT]))
    if len(joints) == 1:
        before, after = text[: joints[0].start()], text[joints[0].end() :]
        try:
            start = _read_strictly(before, size)
        except SizeNeededError:
            raise  # all tiles and a blank are present, and so `_` is not a blank
        except InvalidBoardError:
            if CANONICAL.fullmatch(before.strip()):
                raise  # certainly a code; otherwise the `_` may be the blank of a single board
        else:
            return start, parse_board(after, start.size)
    return _read_strictly(text, size), None


def _two_lists(text: str, size: Size | None) -> tuple[Board, Board] | None:
    """Return the start and the goal of two adjacent lists, as in programs."""
    try:
        leaves = [leaf for leaf, _ in lists_in(text.translate(_NO_QUOTES))]
        if len(leaves) % 2 or len(leaves) > 2 * MAX_SIDE:
            return None
        # Both boards have the same size, so each takes half of the innermost lists.
        half = len(leaves) // 2
        boards = [_read_board("\n".join(part), size) for part in (leaves[:half], leaves[half:])]
        return (boards[0], boards[1]) if boards[0].size == boards[1].size else None
    except InvalidBoardError:
        return None


def _two_blocks(text: str, size: Size | None) -> tuple[Board, Board] | None:
    """Return the start and the goal of two boards with these labels."""
    texts = start_and_goal(text)
    if texts is None:
        return None
    start = parse_board(texts[0], size)
    return start, parse_board(texts[1], start.size)


def _read_strictly(text: str, size: Size | None) -> Board:
    try:
        _check_text(text)
        return read_plain(text, size)
    except InvalidBoardError as error:
        raise _with_text(error, text) from None


def _without_figures(text: str) -> str:
    """Return the code in a line of a list of boards, for example `1 1.2-0.3 4`."""
    listed = _LISTED.fullmatch(text.strip()) if len(text) <= MAX_TEXT else None
    return listed[1] if listed else text


def _read_board(text: str, size: Size | None) -> Board:
    _check_text(text)
    text = _without_figures(text)
    address = read_address(text)
    if not address:
        return _read_cells(text, size)
    return _read_cells(address.start, parse_size(address.size) if address.size.strip() else size)


def _read_cells(text: str, size: Size | None) -> Board:
    try:
        return read_plain(text, size)
    except InvalidBoardError as error:
        refusal = error
    try:
        return read_liberal(text, size, refusal)
    except (AmbiguousBoardError, SizeNeededError):
        raise
    except InvalidBoardError:
        # Other layouts are tried last. If none fits, the error for the text as given is raised.
        rows = as_rows(text)
        if rows is not None:
            with suppress(InvalidBoardError):
                return read_liberal(rows, size, refusal)
        raise


def _check_text(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise InvalidBoardError(
            message(
                "a board has at most %(most)s characters, got %(count)s",
                most=MAX_TEXT,
                count=len(text),
            )
        )
    # int() accepts digits of all scripts, but links and files have ASCII only.
    strange = next((c for c in text if c.isdigit() and not c.isascii()), None)
    if strange:
        raise InvalidBoardError(
            message("write the digits as 0 to 9, found %(digit)s", digit=repr(strange))
        )
