"""Solving by hand: the next step of a method in words, and lessons to practise its parts.

This is the method that most people use. Rows are filled from the top, each from the left, and the
last two tiles of a row slide in together. The last two rows are filled column by column in the same
way. The last 2x2 block is slid round until it is in order. It applies to the standard goal.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from slidewise.puzzle.board import Board, sources
from slidewise.solver.engines.constructive import fewest_moves
from slidewise.solver.task import follow
from slidewise.text import Message, message


def parts(rows: int, cols: int) -> Iterator[tuple[int, ...]]:
    """Yield the tiles that the method brings home together, in its order.

    >>> list(parts(3, 3))
    [(1,), (2, 3), (4, 7), (5, 6, 8)]
    """
    for first in range(1, cols * (rows - 2) + 1, cols):
        yield from ((tile,) for tile in range(first, first + cols - 2))
        yield first + cols - 2, first + cols - 1
    # By columns, because filling a row would leave a single row, where tiles cannot change places.
    first = cols * (rows - 2) + 1  # of the last two rows
    yield from ((tile, tile + cols) for tile in range(first, first + cols - 2))
    end = rows * cols
    yield end - cols - 1, end - cols, end - 1


@dataclass(frozen=True, slots=True)
class Idea:
    """The next step of the method on a board.

    `cells` maps tiles to the cells where the step brings them. The tiles `done` are home and stay
    there.
    """

    text: Message
    cells: Mapping[int, int]
    done: tuple[int, ...]

    def fulfilled(self, board: Board) -> bool:
        """Return whether the tiles are where the step brings them."""
        return all(board.cells[cell] == tile for tile, cell in self.cells.items())


def next_idea(board: Board) -> Idea | None:
    """Return the next step towards the standard goal, None at the goal.

    >>> from slidewise.puzzle import parse_board
    >>> next_idea(parse_board("1.2.6-4.0.5-7.8.3")).text
    'Bring the 2 to the corner, and the 3 right below it.'
    """
    done: list[int] = []
    for tiles in parts(board.rows, board.cols):
        if any(board.cells[tile - 1] != tile for tile in tiles):
            return _idea(board, tiles, tuple(done))
        done += tiles
    return None


def _idea(board: Board, tiles: tuple[int, ...], done: tuple[int, ...]) -> Idea:
    if len(tiles) == 1:
        return Idea(_single(tiles[0], board.cols), {tiles[0]: tiles[0] - 1}, done)
    if len(tiles) == 2:
        return _pair(board, *tiles, done)
    away = [tile for tile in tiles if board.cells[tile - 1] != tile]
    if len(away) == 1:
        text = (
            message("Slide the %(tile)s up into its place, and all is solved.", tile=away[0])
            if board.line(away[0])[0] == "U"
            else message("Slide the %(tile)s left into its place, and all is solved.", tile=away[0])
        )
    else:
        text = message("Slide the last three tiles round until they are in order.")
    return Idea(text, _home(tiles), done)


def _home(tiles: Collection[int]) -> dict[int, int]:
    return {tile: tile - 1 for tile in tiles}


def _single(tile: int, cols: int) -> Message:
    if tile == 1:
        return message("Bring the 1 to its corner.")
    if tile % cols == 1:
        return message(
            "Bring the %(tile)s to its place below the %(other)s.", tile=tile, other=tile - cols
        )
    return message(
        "Bring the %(tile)s to its place beside the %(other)s.", tile=tile, other=tile - 1
    )


def _pair(board: Board, first: int, last: int, done: tuple[int, ...]) -> Idea:
    """The next step for the last two tiles of a line.

    `first` waits in the place of `last`, with `last` behind it; then both slide in.
    """
    is_row = last == first + 1
    # `behind` is the next cell off the line, from where `last` follows `first` into the line.
    end = last - 1
    behind = end + (board.cols if is_row else 1)
    here = board.cells.index
    if here(first) == first - 1 and here(last) == behind and here(0) == end:
        text = (
            message("Slide the %(tile)s up into its place.", tile=last)
            if is_row
            else message("Slide the %(tile)s left into its place.", tile=last)
        )
        return Idea(text, _home((first, last)), done)
    both = {"first": first, "last": last}
    if here(first) == end and here(last) == behind:
        text = (
            message("Slide the %(first)s to the left into its place. The %(last)s follows.", **both)
            if is_row
            else message("Slide the %(first)s up into its place. The %(last)s follows.", **both)
        )
        return Idea(text, _home((first, last)), done)
    if here(first) == end:
        text = (
            message("Bring the %(last)s right below the %(first)s. Then both slide in.", **both)
            if is_row
            else message(
                "Bring the %(last)s right beside the %(first)s. Then both slide in.", **both
            )
        )
    elif is_row:
        text = (
            message("Bring the %(first)s to the corner, and the %(last)s right below it.", **both)
            if first <= board.cols
            else message(
                "Bring the %(first)s to the end of its row, and the %(last)s right below it.",
                **both,
            )
        )
    else:
        text = (
            message("Bring the %(first)s to the corner, and the %(last)s right beside it.", **both)
            if last % board.cols == 1
            else message(
                "Bring the %(first)s to the bottom of its column, and the %(last)s right beside "
                "it.",
                **both,
            )
        )
    return Idea(text, {first: end, last: behind}, done)


def moves_to(board: Board, cells: Mapping[int, int], still: Collection[int]) -> list[int]:
    """Return the tiles to move, in order, to bring the tiles of `cells` to their cells.

    The number of moves is minimal. The tiles `still` do not move, and all other tiles are alike.

    >>> from slidewise.puzzle import parse_board
    >>> moves_to(parse_board("1.2.0-4.5.3-7.8.6"), {3: 2}, {1, 2})
    [3]

    Raises `ValueError` if there is no way.
    """
    walls = {board.cells.index(tile) for tile in still}
    beside = [
        [cell for cell in around.values() if cell not in walls]
        for around in sources(board.rows, board.cols)
    ]
    start = (board.blank, *(board.cells.index(tile) for tile in cells))
    blanks = fewest_moves(beside, start, tuple(cells.values()))
    if blanks is None:
        raise ValueError(f"no way to {dict(cells)} from {board}")
    return list(follow(board, [board.blank, *blanks])[1])


class Scene(NamedTuple):
    """A part of a demonstration: `tiles` move on `board`, and `text` describes it.

    A `wrong` scene shows a way that does not work.
    """

    board: Board
    tiles: list[int]
    text: str
    wrong: bool = False

    @property
    def after(self) -> Board:
        """Return the board after the moves."""
        board = self.board
        for tile in self.tiles:
            board = board.slide(tile)
        return board


class Start(NamedTuple):
    """A board to start a lesson from, and the fewest moves to its aim."""

    code: str
    fewest: int


@dataclass(frozen=True)
class Lesson:
    """A lesson: boards with the tiles `given` home, and the `aims` to bring home in turn.

    `wrong` describes the wrong way in the demonstration: the last tile goes in alone.
    """

    key: str
    title: str
    aim: str
    text: str
    size: tuple[int, int]
    given: tuple[int, ...]
    aims: tuple[tuple[int, ...], ...]
    starts: tuple[Start, ...] = field(repr=False)
    wrong: str = ""

    @property
    def tiles(self) -> tuple[int, ...]:
        """Return all tiles that are home at the end."""
        return *self.given, *chain.from_iterable(self.aims)

    @property
    def is_whole(self) -> bool:
        """Return whether the whole board is solved."""
        return not self.given and len(self.tiles) == self.size[0] * self.size[1] - 1

    def scenes(self, board: Board) -> Iterator[Scene]:
        """Yield the scenes of a demonstration: any wrong way, then the method."""
        if self.wrong:
            last = self.aims[-1][-1]
            # The other tile of the pair is not held still, so this way pushes it out.
            yield Scene(board, moves_to(board, _home([last]), self.given), self.wrong, wrong=True)
        wanted = set(self.tiles)
        # `next_idea` continues to the goal; the lesson ends with the last of its own tiles.
        while (idea := next_idea(board)) and wanted.intersection(idea.cells):
            scene = Scene(board, moves_to(board, idea.cells, idea.done), idea.text)
            yield scene
            board = scene.after


def _starts(*starts: tuple[str, int]) -> tuple[Start, ...]:
    return tuple(Start(*start) for start in starts)


THREE, FOUR = (3, 3), (4, 4)

LESSONS = (
    Lesson(
        "one-tile",
        message("One tile"),
        message("Bring the 1 to its corner, top left."),
        message(
            "Look at the 1 only. To move it, first bring the blank to the side where it wants to "
            "go."
        ),
        THREE,
        (),
        ((1,),),
        _starts(
            ("2.1.3-0.4.6-5.7.8", 2),
            ("2.7.6-1.8.3-0.5.4", 5),
            ("0.2.8-7.4.5-1.3.6", 7),
            ("6.3.8-4.7.5-0.2.1", 11),
        ),
    ),
    Lesson(
        "two-in-line",
        message("Two in a line"),
        message("Slide the 2 and the 3 into the top row."),
        message(
            "The 2 stands in the corner, with the 3 right below it. Bring the blank beside the 1."
            " Then the 2 slides left, and the 3 follows."
        ),
        THREE,
        (1,),
        ((2, 3),),
        _starts(
            ("1.0.2-5.7.3-8.6.4", 2),
            ("1.7.2-6.0.3-4.5.8", 3),
            ("1.5.2-0.6.3-4.8.7", 4),
            ("1.5.2-6.4.3-0.7.8", 5),
        ),
    ),
    Lesson(
        "row",
        message("A row"),
        message("Bring the 2 and the 3 into the top row."),
        message(
            "First put them in a line: the 2 in the corner, the 3 right below it. Then both slide"
            " in."
        ),
        THREE,
        (1,),
        ((2, 3),),
        _starts(
            ("1.2.4-5.0.3-6.7.8", 9),
            ("1.5.6-2.3.7-8.4.0", 12),
            ("1.5.8-2.0.7-4.3.6", 14),
            ("1.0.6-3.5.7-4.2.8", 16),
        ),
    ),
    Lesson(
        "corner",
        message("The corner that does not fit"),
        message("Bring the 3 into its corner. The 2 may go out, and must come back."),
        message(
            "Another tile sits in the corner and cannot get out: the 2 and the 3 close it in. So "
            "the 2 gives way, and waits in the corner for the 3."
        ),
        THREE,
        (1,),
        ((2, 3),),
        _starts(
            ("1.2.6-0.5.3-8.7.4", 8),
            ("1.2.6-4.0.3-7.8.5", 9),
            ("1.2.7-6.5.3-8.0.4", 10),
            ("1.2.7-8.6.3-5.4.0", 11),
        ),
        message("The 3 goes in alone. But look: now the 2 is out."),
    ),
    Lesson(
        "column",
        message("The column"),
        message("Bring the 4 and the 7 into the left column."),
        message(
            "A row again, only turned: the 4 waits in the corner below, with the 7 to the right "
            "of it. Then the 4 slides up, and the 7 follows."
        ),
        THREE,
        (1, 2, 3),
        ((4, 7),),
        _starts(
            ("1.2.3-6.7.0-4.5.8", 6),
            ("1.2.3-6.7.4-5.0.8", 9),
            ("1.2.3-6.4.5-7.8.0", 12),
            ("1.2.3-6.0.4-8.5.7", 15),
        ),
    ),
    Lesson(
        "column-corner",
        message("The column that does not fit"),
        message("Bring the 7 into its corner. The 4 may go out, and must come back."),
        message(
            "The corner again: another tile is shut in by the 4 and the 7. The 4 gives way, and "
            "waits in the corner for the 7."
        ),
        THREE,
        (1, 2, 3),
        ((4, 7),),
        _starts(
            ("1.2.3-4.6.5-8.7.0", 11),
            ("1.2.3-4.8.0-5.7.6", 12),
            ("1.2.3-4.0.6-8.7.5", 13),
        ),
        message("The 7 goes in alone. But look: now the 4 is out."),
    ),
    Lesson(
        "last-four",
        message("The last four cells"),
        message("Put the 5, the 6 and the 8 in order."),
        message(
            "Only three tiles are left. Slide them round and round, always the same way, until "
            "they are in order."
        ),
        THREE,
        (1, 2, 3, 4, 7),
        ((5, 6, 8),),
        _starts(
            ("1.2.3-4.0.5-7.8.6", 2),
            ("1.2.3-4.8.5-7.6.0", 4),
            ("1.2.3-4.6.8-7.5.0", 4),
            ("1.2.3-4.0.8-7.6.5", 6),
        ),
    ),
    Lesson(
        "last-six",
        message("The last six cells"),
        message("Solve the two last rows: first the column, then the rest."),
        message(
            "First the 4 and the 7, as in the column lesson. Then the last three tiles go round."
        ),
        THREE,
        (1, 2, 3),
        ((4, 7), (5, 6, 8)),
        _starts(
            ("1.2.3-7.0.8-6.4.5", 10),
            ("1.2.3-4.8.0-6.5.7", 13),
            ("1.2.3-4.7.5-6.8.0", 16),
            ("1.2.3-7.5.8-4.0.6", 19),
        ),
    ),
    Lesson(
        "whole",
        message("A whole board"),
        message("Solve it: the top row, the left column, the rest."),
        message(
            "You know every step now. The lit tiles come next. It may take many moves: that is "
            "fine."
        ),
        THREE,
        (),
        ((1,), (2, 3), (4, 7), (5, 6, 8)),
        _starts(
            ("5.4.1-3.0.2-7.8.6", 12),
            ("1.2.7-5.0.6-4.8.3", 16),
            ("0.5.6-1.3.4-7.8.2", 20),
            ("1.4.6-5.0.7-2.8.3", 24),
        ),
    ),
    Lesson(
        "row-of-four",
        message("A row of four"),
        message("Bring 1, 2, 3 and 4 into the top row."),
        message(
            "The 1 and the 2 go home one by one. The 3 and the 4 slide in together: the 3 waits "
            "in the corner, with the 4 right below it."
        ),
        FOUR,
        (),
        ((1,), (2,), (3, 4)),
        _starts(
            ("1.11.4.14-15.2.3.5-13.10.0.7-12.8.9.6", 14),
            ("2.11.14.7-1.3.12.5-15.0.4.13-8.6.10.9", 18),
            ("8.14.3.1-0.2.15.5-13.9.7.4-11.10.6.12", 21),
            ("5.9.13.4-2.12.14.8-7.3.10.11-1.15.6.0", 25),
        ),
    ),
    Lesson(
        "corner-of-four",
        message("The corner, on a larger board"),
        message("Bring the 4 into its corner. The 3 may go out, and must come back."),
        message(
            "The same trick as on the small board: the 3 gives way, and waits in the corner for "
            "the 4."
        ),
        FOUR,
        (1, 2),
        ((3, 4),),
        _starts(
            ("1.2.3.11-14.0.9.4-10.7.6.5-13.12.15.8", 8),
            ("1.2.3.6-7.5.0.4-10.9.11.13-15.12.14.8", 9),
            ("1.2.3.10-9.7.11.4-6.15.8.13-12.0.5.14", 10),
            ("1.2.3.6-8.9.15.4-14.11.5.7-10.13.0.12", 11),
        ),
        message("The 4 goes in alone. But look: now the 3 is out."),
    ),
    Lesson(
        "second-row",
        message("The second row"),
        message("Bring 5, 6, 7 and 8 into the second row."),
        message(
            "The top row is done: leave it in peace. The second row is filled in the same way, "
            "and the 7 and the 8 slide in together."
        ),
        FOUR,
        (1, 2, 3, 4),
        ((5,), (6,), (7, 8)),
        _starts(
            ("1.2.3.4-5.0.10.15-13.12.6.8-14.11.9.7", 14),
            ("1.2.3.4-5.10.0.8-7.11.15.14-13.6.12.9", 17),
            ("1.2.3.4-6.0.11.14-10.5.7.13-8.12.15.9", 20),
            ("1.2.3.4-10.12.9.14-8.6.5.15-0.13.7.11", 23),
        ),
    ),
    Lesson(
        "two-columns",
        message("Two columns"),
        message("Bring 9 and 13 home, then 10 and 14."),
        message(
            "Two rows are left. Now go column by column: the 9 waits in the corner below, with "
            "the 13 to the right of it. Then the 10 and the 14 in the same way."
        ),
        FOUR,
        tuple(range(1, 9)),
        ((9, 13), (10, 14)),
        _starts(
            ("1.2.3.4-5.6.7.8-10.13.11.15-9.0.12.14", 11),
            ("1.2.3.4-5.6.7.8-13.9.14.0-10.15.11.12", 14),
            ("1.2.3.4-5.6.7.8-13.10.0.15-11.12.9.14", 17),
            ("1.2.3.4-5.6.7.8-10.11.0.15-13.9.14.12", 20),
        ),
    ),
    Lesson(
        "last-six-of-four",
        message("The last six cells of a larger board"),
        message("Bring 10 and 14 home. Then put 11, 12 and 15 in order."),
        message("One more column, and then the last three tiles go round."),
        FOUR,
        (*range(1, 10), 13),
        ((10, 14), (11, 12, 15)),
        _starts(
            ("1.2.3.4-5.6.7.8-9.14.0.10-13.11.15.12", 8),
            ("1.2.3.4-5.6.7.8-9.15.12.0-13.10.11.14", 11),
            ("1.2.3.4-5.6.7.8-9.10.0.11-13.12.14.15", 14),
            ("1.2.3.4-5.6.7.8-9.0.11.15-13.14.10.12", 17),
        ),
    ),
    Lesson(
        "whole-of-four",
        message("A whole larger board"),
        message("Solve it: two rows, two columns, the rest."),
        message("Fifteen tiles, and the same few steps. The lit tiles come next. Take your time."),
        FOUR,
        (),
        ((1,), (2,), (3, 4), (5,), (6,), (7, 8), (9, 13), (10, 14), (11, 12, 15)),
        _starts(
            ("14.10.2.4-5.9.12.0-7.8.13.15-11.1.6.3", 50),
            ("1.9.6.10-4.15.0.12-11.3.13.7-5.2.14.8", 53),
            ("6.7.14.2-3.15.11.12-13.4.1.10-0.5.8.9", 53),
            ("13.3.1.14-15.7.12.5-8.11.6.4-9.2.0.10", 53),
        ),
    ),
)
"""Lessons in their order, each with boards whose fewest moves to the aim are known."""
