"""Moves left with best play: rendered at once if known, otherwise fetched."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from operator import eq

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug import Response

from slidewise import Board, Game, Puzzle, parse_board
from slidewise.analysis.distance import SEARCH_CELLS, DistanceAhead, level, stars
from slidewise.puzzle import steps

from ..forms import query_number
from ..http.language import Language, current, noop, number, plural
from ..http.language import gettext as _
from ..http.requests import current_puzzle, from_htmx
from ..http.responses import answer, fragment
from ..http.routes import cheap
from ..http.visitor import current_visitor
from ..workers.distances import Distances
from ..workers.shared import service
from .sentences import counted_text, detours, game_text
from .session import game_urls

blueprint = Blueprint("to_go", __name__, url_prefix="/play/<code>/to-go")

MAX_TRIES = 4
"""Maximum requests of a page for a board; then it shows the last known number."""

PLACES = ("figures", "title", "won")
"""Places of the number: the current board or the puzzle's start."""


LEVEL_NAMES = {"easy": noop("Easy"), "medium": noop("Medium"), "hard": noop("Hard")}


@dataclass(frozen=True, slots=True)
class MovesLeft:
    """The known distance from `board` to the goal, exact or a lower bound.

    `attempt` numbers the next request for more, None if no more can be known. `level` is the
    difficulty, if the size has levels. `change` is the difference since the last slide, None if
    unknown.
    """

    board: Board
    moves: int
    exact: bool
    attempt: int | None
    level: str | None = None
    change: int | None = None

    @property
    def pending(self) -> bool:
        """Whether the number is still hidden, because an answer is expected at any moment."""
        return self.attempt == 1

    @property
    def words(self) -> str:
        """The number in words.

        >>> from slidewise import standard_goal
        >>> MovesLeft(standard_goal(5, 5), 90, exact=False, attempt=None).words
        'at least 90'
        """
        moves = number(self.moves)
        return moves if self.exact else game_text("at-least", moves=moves)

    @property
    def length(self) -> str:
        """The number with its noun."""
        moves = plural(self.moves, "move")
        return moves if self.exact else game_text("at-least", moves=moves)

    @property
    def level_name(self) -> str:
        """The level for display, "" if there is none."""
        return _(LEVEL_NAMES[self.level]) if self.level else ""

    @property
    def announced(self) -> str:
        """Screen reader text: the number and its change by the last slide.

        >>> from slidewise import standard_goal
        >>> MovesLeft(standard_goal(3, 3), 4, exact=True, attempt=None, change=-1).announced
        '4 moves left, down from 5.'
        >>> MovesLeft(standard_goal(5, 5), 90, exact=False, attempt=None).announced
        'At least 90 moves left.'
        """
        if not self.exact:
            return counted_text("left-at-least", self.moves)
        if self.change is None:
            return counted_text("left", self.moves)
        if self.change == 0:
            return counted_text("left-as-before", self.moves)
        key = "left-down" if self.change < 0 else "left-up"
        return counted_text(key, self.moves, was=number(self.moves - self.change))


@dataclass(frozen=True, slots=True)
class Projection:
    """The result of a game with best play from now on.

    `moves` is None while it is computed; `stars` are the stars in reach.
    """

    moves: int | None
    stars: int


def projected_result(
    made: int, left: MovesLeft | None, shortest: MovesLeft | None, was: MovesLeft | None = None
) -> Projection | None:
    """Projected result after `made` moves, None if it stays unknown.

    `was` was known before the last move: its stars stay until new stars are known.
    """
    if left is None or shortest is None:
        return None
    if left.exact and shortest.exact:
        moves = made + left.moves
        return Projection(moves, stars(moves, shortest.moves))
    if not (left.attempt or shortest.attempt):
        return None
    known = was is not None and was.exact and shortest.exact
    return Projection(None, stars(made - 1 + was.moves, shortest.moves) if was and known else 0)


def star_row(earned: int) -> Markup:
    """A row of three stars, of which `earned` are filled."""
    return _star_row(current(), earned)


@lru_cache(maxsize=16)
def _star_row(language: Language, earned: int) -> Markup:
    return fragment("play/_star_row.html", earned=earned)


def at_home(board: Board, goal: Board) -> int:
    """Number of tiles in their place.

    >>> from slidewise import parse_board, standard_goal
    >>> at_home(parse_board("1.2.3-4.5.6-7.0.8"), standard_goal(3, 3))
    7
    """
    same: int = sum(map(eq, board.cells, goal.cells))
    return same - (board.blank == goal.blank)


@blueprint.get("")
@cheap
def to_go() -> Response:
    """Answer with the number for `board` in its `place`."""
    puzzle = current_puzzle()
    if not from_htmx():
        return redirect(url_for("game.page", code=str(puzzle)))
    text, place = request.args.get("board", ""), request.args.get("place", "figures")
    here = puzzle.starting_at(parse_board(text, puzzle.start.size))
    before = request.args.get("before", "")
    came_from = parse_board(before, puzzle.start.size) if before else None
    if place not in PLACES:
        abort(400, _("The place must be one of %(places)s.", places=", ".join(PLACES)))
    attempt = request.args.get("try", "")
    tried = int(attempt) if attempt in map(str, range(MAX_TRIES)) else MAX_TRIES
    wait, visitor = current_app.config["NUMBER_WAIT"], current_visitor().name
    distances = service(Distances)
    distances.known(here)  # loads the results of other processes
    if _asks(here):
        ahead = distances.wait_for(here, wait, visitor)
    else:
        (ahead,) = distances.cached(here)
    shortest, *was = moves_left(puzzle, puzzle.start, *filter(None, [came_from]))
    left = with_change(_known(here, ahead, tried), *was)
    made, helped = query_number("made"), "helped" in request.args
    html = render_template(
        "play/_moves_left_answer.html",
        urls=game_urls(str(puzzle)),
        puzzle=puzzle,
        place=place,
        to_go=left,
        made=made,
        helped=helped,
        stars=stars,
        detours=detours,
        projection=projected_result(made, left, shortest),
        at_home=at_home(here.start, puzzle.goal),
        before=came_from,
    )
    return answer(html, "moves-left", board=here.start)


def moves_left(puzzle: Puzzle, *boards: Board) -> list[MovesLeft | None]:
    """The known distance of each board; None if the goal of `puzzle` is unreachable."""
    starts = [puzzle.starting_at(board) for board in boards]
    found = service(Distances).cached(*starts)
    return [_known(start, ahead, 0) for start, ahead in zip(starts, found, strict=True)]


def proved_by(shortest: MovesLeft | None, puzzle: Puzzle, made: int) -> MovesLeft | None:
    """Mark `shortest` exact when the game of `made` moves matched the lower bound."""
    if shortest is None or shortest.exact or shortest.moves != made:
        return shortest
    return replace(shortest, exact=True, attempt=None, level=level(puzzle, made))


def with_change(left: MovesLeft | None, was: MovesLeft | None = None) -> MovesLeft | None:
    """Add the change since the last slide, before which it `was`, if both numbers are exact."""
    if left and was and left.exact and was.exact:
        return replace(left, change=left.moves - was.moves)
    return left


def _known(puzzle: Puzzle, ahead: DistanceAhead | None, tried: int) -> MovesLeft | None:
    if ahead and ahead.exact:
        return MovesLeft(puzzle.start, ahead.at_least, True, None, level(puzzle, ahead.at_least))
    if not puzzle.solvable:
        return None
    more = ahead is None and _asks(puzzle) and tried < MAX_TRIES
    if more and tried == 0:
        return MovesLeft(puzzle.start, 0, False, 1)  # pending: no number is shown
    at_least = max(service(Distances).bound(puzzle), ahead.at_least if ahead else 0)
    return MovesLeft(puzzle.start, at_least, False, tried + 1 if more else None)


def _asks(puzzle: Puzzle) -> bool:
    """Whether a search for a shortest path is likely to succeed, so it is started."""
    return puzzle.rows * puzzle.cols <= SEARCH_CELLS


MAX_MOVES = 300
"""Longest game drawn; the points of a longer game would overlap."""

LEFT, RIGHT, HIGHEST, LOWEST = 34, 342, 12, 139
"""Bounds of the chart in SVG units."""


@dataclass(frozen=True)
class Path:
    """The moves left at the start and after each move.

    >>> path = Path((2, 3, 2, 1, 0))
    >>> path.detours, path.points.split()[:2]
    ([1], ['34,54.3', '111,12'])
    """

    left: Sequence[int]

    @property
    def moves(self) -> int:
        return len(self.left) - 1

    @property
    def top(self) -> int:
        """Largest number of moves left."""
        return max(self.left)

    @property
    def detours(self) -> list[int]:
        """Numbers of the moves that led away from the goal."""
        return [move for move, (was, now) in enumerate(pairwise(self.left), 1) if now > was]

    @property
    def points(self) -> str:
        """Points of the chart's line."""
        return " ".join(f"{self.x(move):g},{self.y(left):g}" for move, left in enumerate(self.left))

    @property
    def marks(self) -> Iterator[tuple[float, float]]:
        return ((self.x(move), self.y(self.left[move])) for move in self.detours)

    def x(self, move: int) -> float:
        """Horizontal position of the board after a number of moves."""
        return round(LEFT + move * (RIGHT - LEFT) / self.moves, 1)

    def y(self, left: float) -> float:
        """Height of a number of moves left."""
        return round(LOWEST - left * (LOWEST - HIGHEST) / self.top, 1)


def path_of(game: Game) -> Path | None:
    """Path of a finished game, None if it is too long or unknown.

    Above 10 cells it is known if the page fetched enough distances during the game.
    """
    puzzle = game.puzzle
    if game.forgotten or not puzzle.solvable or not 0 < game.move_count <= MAX_MOVES:
        return None
    boards = [puzzle.start, *(step.board for step in steps(*game.last_moves(MAX_MOVES)))]
    distances = service(Distances).cached(*map(puzzle.starting_at, boards))
    left = filled([one.at_least if one and one.exact else None for one in distances])
    return Path(left) if left else None


def filled(left: Sequence[int | None]) -> tuple[int, ...] | None:
    """Fill the gaps in the moves left, None if they are ambiguous.

    A move changes the number by 1, so a gap has only a single filling if its ends differ by its
    length.

    >>> filled([4, None, None, 1, 0]), filled([4, None, 4, 3])
    ((4, 3, 2, 1, 0), None)
    """
    known = [(move, number) for move, number in enumerate(left) if number is not None]
    if len(known) < 2 or known[0][0] > 0 or known[-1][0] < len(left) - 1:
        return None
    numbers = [known[0][1]]
    for (move, was), (next_move, now) in pairwise(known):
        moves = next_move - move
        if abs(now - was) != moves:
            return None
        numbers.extend(was + (now - was) * step // moves for step in range(1, moves + 1))
    return tuple(numbers)
