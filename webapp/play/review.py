"""Game review: a graph of the distance to the goal, and each wasted move.

Another process computes it. Until then the page shows its progress and polls.
"""

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from flask import Blueprint, render_template, request

from slidewise import Game, Puzzle
from slidewise.analysis.distance import SEARCH_CELLS
from slidewise.analysis.review import DistanceBounds, Review, ReviewedMove, review
from slidewise.text import message

from ..board import cells
from ..forms import query_number
from ..http import language
from ..http.language import gettext as _
from ..http.language import ngettext, plural, sentence
from ..http.requests import current_puzzle, from_htmx
from ..http.visitor import current_visitor
from ..workers import Busy, Solvers
from ..workers.budgets import charge_cpu_time
from ..workers.helpers import CoalescedCalls, Late
from ..workers.shared import CacheKind, Shared, service
from ..workers.solvers import CallQueue
from .sentences import detours, lowered, so_far, tile_moves
from .session import game_urls, load_game

blueprint = Blueprint("review", __name__, url_prefix="/play/<code>/review")

MAX_MOVES = 1_000
"""Maximum moves reviewed, the last of the game."""

SECONDS = 8.0
"""Time limit of a review's search, in seconds."""

DEADLINE_SECONDS = 60.0
"""Timeout of a review in seconds, including the queue and the building of tables."""

FIRST_WAIT, WAIT, PAGE_WAIT = 0.3, 2.5, 4.0
"""Wait per request in seconds: the first of a page, its later requests, and a whole page."""

MAX_TRIES = 25
"""Maximum polls of a page; together they exceed a review's time limit."""

MAX_BOARDS, MAX_WAITING = 5, 4
"""Maximum reviews running, and requests waiting for them."""

REVIEWS = CacheKind[tuple["Puzzle", str], "Review"]("reviews", 2_000_000, 1800)
"""Cached reviews by puzzle and moves, for the time it takes to read them."""

BUSY = message("Other games are being reviewed right now. Try again in a few seconds.")


class Reviews(CoalescedCalls[tuple[Puzzle, str], Review]):
    """Runs reviews of games, by puzzle and moves, and caches the results."""

    def __init__(self, pool: Solvers, shared: Shared) -> None:
        waiting = threading.BoundedSemaphore(MAX_WAITING)
        super().__init__(partial(_start, pool), REVIEWS, shared, MAX_BOARDS, 1, BUSY, waiting)


def _start(pool: Solvers, game: tuple[Puzzle, str]) -> Future[Review]:
    # a table answers at once, a search takes seconds
    queue = CallQueue.CLICK if game[0].has_table else CallQueue.REVIEW
    return pool.calls.submit(queue, review, *game, SECONDS, timeout=DEADLINE_SECONDS)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A reviewed move in words, with its number in the whole game."""

    number: int
    move: ReviewedMove

    @property
    def made(self) -> str:
        """The tile moved and its direction."""
        return tile_moves(self.move.step.tile, self.move.step.direction)

    @property
    def to_go(self) -> str:
        """Distance to the goal after the move."""
        return to_go_words(self.move.now)

    @property
    def was(self) -> str:
        """Moves left before the move."""
        return to_go_words(self.move.was)

    @property
    def now(self) -> str:
        """Moves left after the move."""
        moves = language.number(self.move.now.at_most)
        return moves if self.move.now.exact else _("at most %(moves)s", moves=moves)

    @property
    def better(self) -> str:
        before = self.move.before
        ways = [tile_moves(tile, before.line(tile)) for tile in self.move.better]
        return language.listed(ways, "or") if ways else ""

    @property
    def verdict(self) -> str:
        """The move's mistake, usually ""."""
        if not self.move.wasted:
            return ""
        if not self.better:
            return _("detour") if self.move.proved else _("probably a detour")
        if self.move.proved:
            return _("detour; better: %(moves)s", moves=self.better)
        return _("probably a detour; better: %(moves)s", moves=self.better)


@blueprint.get("")
@charge_cpu_time()
def page() -> str:
    """Show the review of this visitor's game at the move `move`."""
    game = load_game(current_puzzle())
    attempt = query_number("try", MAX_TRIES)
    wait = PAGE_WAIT if not from_htmx() else WAIT if attempt else FIRST_WAIT
    shown = _reviewed(game, wait) if game.past and game.puzzle.solvable else {}
    shown |= {"attempt": attempt + 1 if attempt < MAX_TRIES else None}
    template = "review/_card.html" if from_htmx() else "review/page.html"
    if from_htmx() and request.args.get("part") == "move" and "review" in shown:
        template = "review/_move.html"
    code = str(game.puzzle)
    return render_template(
        template, game=game, puzzle=game.puzzle, code=code, urls=game_urls(code), **shown
    )


def _reviewed(game: Game, wait: float) -> dict[str, Any]:
    start, made = game.last_moves(MAX_MOVES)
    here = game.puzzle.starting_at(start)
    try:
        seen = service(Reviews).within((here, made), wait, current_visitor().name)
    except Busy as busy:
        # a page without scripts and the last poll show that too many run
        is_last = not from_htmx() or query_number("try", MAX_TRIES) == MAX_TRIES
        if is_last and not isinstance(busy, Late):
            raise
        return {"pending": True}  # the page polls
    first = game.move_count - len(made) + 1
    rows = [ReviewRow(first + index, move) for index, move in enumerate(seen.moves)]
    return {
        "review": seen,
        "rows": rows,
        "summary": summary(game, seen),
        "detours": detours_to_train(here, rows),
        "paths": graph(seen),
        "top": max(distance.at_most for distance in seen.distances),
        **_at(game, rows),
    }


MAX_DETOURS, MIN_DETOUR_MOVES = 5, 3
"""Maximum of boards of a game for the trainer, and their fewest moves left."""


def detours_to_train(puzzle: Puzzle, rows: list[ReviewRow]) -> list[str]:
    """The boards before proved detours with their moves left, nearest to the goal first.

    Each has the form `CODE:MOVES`, for the trainer in the browser.
    """
    if len(puzzle.start.cells) > SEARCH_CELLS:
        return []
    boards = {
        row.move.before: row.move.was.at_most
        for row in rows
        if row.move.wasted and row.move.proved and row.move.was.at_most >= MIN_DETOUR_MOVES
    }
    nearest = sorted(boards, key=lambda board: boards[board])[:MAX_DETOURS]
    return [f"{puzzle.starting_at(board)}:{boards[board]}" for board in nearest]


def _at(game: Game, rows: list[ReviewRow]) -> dict[str, Any]:
    """The reviewed move to show: the requested move, or else the first wasted move."""
    wasted = [row for row in rows if row.move.wasted]
    number = query_number("move", game.move_count)
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
        # after the last wasted move, the first again
        "next_wasted": next(
            (other for other in wasted if other.number > row.number), next(iter(wasted), None)
        ),
    }


def summary(game: Game, seen: Review) -> str:
    """A review in a sentence or two."""
    first, last = seen.distances[0], seen.distances[-1]
    cost = detours(2 * seen.wasted) if seen.wasted else _("No detours.")
    if not (seen.exact or (game.solved and first.exact)):
        cost = _("As far as is known, %(cost)s", cost=lowered(cost))
    if not game.solved:
        return f"{so_far(game)} {cost} {sentence(to_go_words(last))}"
    moves = plural(game.move_count, "move")  # a long game is only reviewed from a later move on
    most = language.number(first.at_most)
    if first.exact:
        shortest = _("Shortest: %(length)s.", length=most)
    else:
        least = language.number(first.at_least)
        shortest = _("Shortest: %(least)s to %(most)s.", least=least, most=most)
    return f"{moves}. {shortest} {cost}"


def graph(seen: Review) -> dict[str, str]:
    """Lines of the graph as SVG path data by class.

    x is the number of moves made; y falls from the greatest distance to 0.
    """
    top = max(distance.at_most for distance in seen.distances)
    heights = [top - distance.at_most for distance in seen.distances]
    paths: dict[str, list[str]] = {}
    before = None
    for x, (was, now) in enumerate(pairwise(seen.distances)):
        way = "away" if now.at_most > was.at_most else "nearer"
        kind = way if was.exact and now.exact else f"{way} unproved"
        line = paths.setdefault(kind, [])
        if kind != before:  # otherwise the line continues, and so do its dashes
            line.append(f"M{x} {heights[x]}")
        line.append(f"L{x + 1} {heights[x + 1]}")
        before = kind
        if way == "away":
            # a path of no length draws a dot
            paths.setdefault("mark", []).append(f"M{x + 1} {heights[x + 1]}h0")
    moves = min(seen.distances[0].at_most, len(seen.made))
    ideal = f"M0 {heights[0]}L{moves} {heights[0] + moves}"
    return {"ideal": ideal, **{kind: "".join(lines) for kind, lines in paths.items()}}


def to_go_words(distance: DistanceBounds) -> str:
    """A distance in words.

    >>> from slidewise.analysis.review import DistanceBounds
    >>> to_go_words(DistanceBounds(12, 12)), to_go_words(DistanceBounds(90, 104))
    ('12 moves left', 'at most 104 moves left')
    """
    moves = distance.at_most
    if distance.exact:
        return ngettext("%(num)s move left", "%(num)s moves left", moves)
    return ngettext("at most %(num)s move left", "at most %(num)s moves left", moves)
