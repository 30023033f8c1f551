"""The review of a game: a graph of the distance to the goal, and each move that led away from it.

It is worked out in another process. A page that comes too early says so and fetches it.
"""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from flask import Blueprint, render_template, request

from slidewise.puzzle.board import direction_word
from slidewise.study.review import review
from slidewise.text import plural
from webapp.board.cells import cells
from webapp.forms.fields import FieldError, read_number
from webapp.http.requests import current_puzzle, from_htmx
from webapp.http.visitor import current_visitor
from webapp.play.announcements import detours
from webapp.play.session import game_urls, load_game
from webapp.workers import Busy
from webapp.workers.budgets import charge_cpu_time
from webapp.workers.helpers import Questions, slot
from webapp.workers.services import service
from webapp.workers.shared import CacheKind

if TYPE_CHECKING:
    from concurrent.futures import Future

    from slidewise import Game, Puzzle
    from slidewise.study.review import DistanceBounds, Review, ReviewedMove
    from webapp.workers import Solvers
    from webapp.workers.shared import Shared

blueprint = Blueprint("review", __name__, url_prefix="/play/<code>/review")

MAX_MOVES = 1_000
"""The most moves that are reviewed, those made last."""

SECONDS = 8.0
"""The longest search for a review."""

DEADLINE_SECONDS = 60.0
"""Seconds until a review is given up: others may go first, or tables have to be built."""

FIRST_WAIT, WAIT, PAGE_WAIT = 0.3, 2.5, 4.0
"""Seconds that a request waits: the first of a page, the next ones, and that for a whole page."""

MAX_TRIES = 25
"""How often a page asks, which together takes longer than a review may."""

MAX_BOARDS, MAX_WAITING = 5, 4
"""The most reviews that are under way, and waited for by requests."""

REVIEWS = CacheKind[tuple["Puzzle", str], "Review"]("reviews", 2_000_000, 1800)
"""Those of a puzzle and the moves made, kept for as long as a review is read."""

BUSY = "Other games are being reviewed right now. Try again in a few seconds."


class Reviews:
    """Has games reviewed, and remembers the answers. It is safe to use from many threads."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        self._pool = pool
        self._reviews = Questions(self._review, REVIEWS, shared, MAX_BOARDS, 1, BUSY)
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    def within(self, puzzle: Puzzle, made: str, seconds: float, visitor: str) -> Review | None:
        """Return the review of the moves `made`, None if it is not there within `seconds`.

        Raises `Busy` where too many are asked for, or it could not be done in time.
        """
        answer = self._reviews.ask((puzzle, made), visitor)
        with slot(self._waiting) as waits:
            try:
                return answer.result(seconds if waits else 0)
            except TimeoutError:
                return None
            except CancelledError:
                raise Busy(BUSY, retry_after=5) from None

    def _review(self, game: tuple[Puzzle, str]) -> Future[Review]:
        helpers = self._pool.helpers if game[0].has_table else self._pool.reviewers
        return helpers.ask(review, *game, SECONDS, timeout=DEADLINE_SECONDS)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A move of a review in words, with its number in the whole game."""

    number: int
    move: ReviewedMove

    @property
    def made(self) -> str:
        """Return the tile and where it went."""
        return f"{self.move.step.tile} {direction_word(self.move.step.direction)}"

    @property
    def to_go(self) -> str:
        """Return how far the goal is after it."""
        return to_go_words(self.move.now)

    @property
    def was(self) -> str:
        """Return how many moves were left before it."""
        return to_go_words(self.move.was)

    @property
    def now(self) -> str:
        """Return how many moves were left after it."""
        return f"{'' if self.move.now.exact else 'at most '}{self.move.now.at_most:,}"

    @property
    def better(self) -> str:
        """Return the moves to make instead, none where there is nothing better."""
        before = self.move.before
        ways = [f"{tile} {direction_word(before.line(tile))}" for tile in self.move.better]
        return " or ".join(ways)

    @property
    def verdict(self) -> str:
        """Return what is wrong with it: nothing as a rule."""
        if not self.move.wasted:
            return ""
        word = "detour" if self.move.proved else "probably a detour"
        return f"{word}; better: {self.better}" if self.better else word


@blueprint.get("")
@charge_cpu_time()
def page() -> str:
    """Show the review of this visitor's game, at the move `move`."""
    game = load_game(current_puzzle())
    attempt = _number("try", MAX_TRIES)
    wait = PAGE_WAIT if not from_htmx() else WAIT if attempt else FIRST_WAIT
    shown = _reviewed(game, wait) if game.past and game.puzzle.solvable else {}
    shown |= {"attempt": attempt + 1 if attempt < MAX_TRIES else None}
    template = "play/_review.html" if from_htmx() else "play/review.html"
    if from_htmx() and request.args.get("part") == "move" and "review" in shown:
        template = "play/_review_move.html"
    code = str(game.puzzle)
    return render_template(
        template, game=game, puzzle=game.puzzle, code=code, urls=game_urls(code), **shown
    )


def _reviewed(game: Game, wait: float) -> dict[str, Any]:
    start, made = game.last_moves(MAX_MOVES)
    here = game.puzzle.starting_at(start)
    try:
        seen = service(Reviews).within(here, made, wait, current_visitor().name)
    except Busy:
        if not from_htmx() or _number("try", MAX_TRIES) == MAX_TRIES:
            raise
        return {"pending": True}  # the page asks again by itself
    if seen is None:
        return {"pending": True}
    first = game.move_count - len(made) + 1
    rows = [ReviewRow(first + index, move) for index, move in enumerate(seen.moves)]
    return {
        "review": seen,
        "rows": rows,
        "summary": summary(game, seen),
        "paths": graph(seen),
        "top": max(distance.at_most for distance in seen.distances),
        **_at(game, rows),
    }


def _at(game: Game, rows: list[ReviewRow]) -> dict[str, Any]:
    """Return what is shown of the move that was asked for, or else of the first wasted one."""
    wasted = [row for row in rows if row.move.wasted]
    number = _number("move", game.move_count)
    row = next((row for row in rows if row.number == number), (wasted or rows)[0])
    index = row.number - rows[0].number
    better = row.move.better[0] if row.move.better else None
    return {
        "row": row,
        "index": index,
        "cells": cells(row.move.before, game.puzzle.goal, row.move.step.tile, better),
        "here": game.puzzle.starting_at(row.move.before),
        "before": rows[max(0, index - 1)],
        "after": rows[min(len(rows) - 1, index + 1)],
        # after the last one, the first again
        "next_wasted": next(
            (other for other in wasted if other.number > row.number), next(iter(wasted), None)
        ),
    }


def summary(game: Game, seen: Review) -> str:
    """Return a review in a sentence or two."""
    first, last = seen.distances[0], seen.distances[-1]
    moves = plural(game.move_count, "move")  # the review may cover the last of them only
    cost = detours(2 * seen.wasted) if seen.wasted else "No detours."
    known = "" if seen.exact or (game.solved and first.exact) else " As far as is known,"
    if known:
        cost = f"{cost[0].lower()}{cost[1:]}"
    if not game.solved:
        return f"{moves} so far.{known} {cost} {to_go_words(last).capitalize()}."
    if first.exact:
        return f"{moves}. Shortest: {first.at_most:,}. {cost}"
    return f"{moves}. Shortest: {first.at_least:,} to {first.at_most:,}.{known} {cost}"


def graph(seen: Review) -> dict[str, str]:
    """Return the lines of the graph as data of SVG paths by their class; x is the number of moves
    made, and y falls from the greatest distance to 0."""
    top = max(distance.at_most for distance in seen.distances)
    heights = [top - distance.at_most for distance in seen.distances]
    paths: dict[str, list[str]] = {}
    before = None
    for x, (was, now) in enumerate(pairwise(seen.distances)):
        way = "away" if now.at_most > was.at_most else "nearer"
        kind = way if was.exact and now.exact else f"{way} unproved"
        line = paths.setdefault(kind, [])
        if kind != before:  # else the line goes on, so that its dashes do
            line.append(f"M{x} {heights[x]}")
        line.append(f"L{x + 1} {heights[x + 1]}")
        before = kind
        if way == "away":
            paths.setdefault("mark", []).append(f"M{x + 1} {heights[x + 1]}h0")
    moves = min(seen.distances[0].at_most, len(seen.made))
    ideal = f"M0 {heights[0]}L{moves} {heights[0] + moves}"
    return {"ideal": ideal, **{kind: "".join(lines) for kind, lines in paths.items()}}


def to_go_words(distance: DistanceBounds) -> str:
    """Return a distance in words.

    >>> from slidewise.study.review import DistanceBounds
    >>> to_go_words(DistanceBounds(12, 12)), to_go_words(DistanceBounds(90, 104))
    ('12 moves left', 'at most 104 moves left')
    """
    return f"{'' if distance.exact else 'at most '}{plural(distance.at_most, 'move')} left"


def _number(name: str, most: int) -> int:
    """Return a number of the query that is at most `most`, and 0 for anything else."""
    with suppress(FieldError):
        return min(read_number(request.args, name, int) or 0, most)
    return 0
