"""Results of searches: status, path, verdict and cost, and their validation.

`validated` checks every result before it leaves the solver. It replays the path from the start to
the goal. It compares the length with the lower bound and the parity in the result. A contradictory
result is replaced by a result with `Status.INVALID`, which claims nothing. The cause is a bug in
the solver or corrupt data.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from html import escape
from typing import Annotated, NamedTuple, NotRequired, TypedDict

from slidewise.json_schema import Amount, Count, Keywords
from slidewise.puzzle import Puzzle, PuzzleError, Step, format_moves, steps
from slidewise.puzzle.moves import play
from slidewise.puzzle.puzzle import grid_distance
from slidewise.text import duration, message, plural


class Proof(StrEnum):
    """Kind of a verdict: the strength of the proof for a path."""

    OPTIMAL = "optimal"
    BOUNDED = "bounded"
    UNPROVED = "unproved"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Proof about the length of a path, with the reason in words.

    `optimal`: no path is shorter. `bounded`: it is within a stated bound. `unproved`: neither, or
    there is no path, and the reason states the known bound.

    `because` is the part of the reason about the search alone: its method, or why it was
    stopped. `source` names the other proof that the verdict uses, or is "". `exact` means that
    `source` gives the length of a shortest path.
    """

    kind: Proof
    reason: str
    because: str = ""
    source: str = ""
    exact: bool = False


def path_verdict(
    length: int, lower_bound: int, because: str, *, shortest: bool = False, bounded: bool = False
) -> Verdict:
    """Return the verdict on a path of `length` moves.

    `because` describes the algorithm. `shortest` and `bounded` state its own proof of the length.
    A path whose length equals the lower bound is shortest in any case.

    >>> path_verdict(12, 12, "").reason
    'every solution has at least 12 moves'
    >>> path_verdict(34, 28, "weighted A* with w = 1.5 ...", bounded=True).reason
    'weighted A* with w = 1.5 ...; at most 6 moves above the shortest, which has at least 28 moves'
    """
    if shortest:
        return Verdict(Proof.OPTIMAL, because, because)
    if length == lower_bound:
        reason = message("every solution has at least %(moves)s", moves=plural(length, "move"))
        return Verdict(Proof.OPTIMAL, reason, because)
    if bounded:
        reason = message(
            "%(because)s; at most %(above)s above the shortest, which has at least %(least)s",
            because=because,
            above=plural(length - lower_bound, "move"),
            least=plural(lower_bound, "move"),
        )
        return Verdict(Proof.BOUNDED, reason, because)
    reason = message(
        "%(because)s; the shortest has between %(least)s and %(moves)s",
        because=because,
        least=lower_bound,
        moves=plural(length, "move"),
    )
    return Verdict(Proof.UNPROVED, reason, because)


def compare_with_shortest(length: int, shortest: int, because: str, source: str) -> Verdict:
    """Return the verdict on a path of `length` moves, given the `shortest` from `source`.

    >>> compare_with_shortest(30, 24, "greedy search", "the exact distance table says 24").reason
    'greedy search; the exact distance table says 24'
    """
    if length == shortest:
        reason = message(
            "%(because)s, but %(source)s; no solution is shorter", because=because, source=source
        )
        return Verdict(Proof.OPTIMAL, reason, because, source, exact=True)
    reason = message("%(because)s; %(source)s", because=because, source=source)
    return Verdict(Proof.BOUNDED, reason, because, source, exact=True)


def bound_verdict(stopped: str, lower_bound: int) -> Verdict:
    """Return the verdict of a search that was stopped without a path.

    >>> bound_verdict("stopped after 10 s", 24).reason
    'stopped after 10 s; the shortest has at least 24 moves'
    """
    reason = message(
        "%(stopped)s; the shortest has at least %(least)s",
        stopped=stopped,
        least=plural(lower_bound, "move"),
    )
    return Verdict(Proof.UNPROVED, reason, stopped)


SHOWN_CHARACTERS = 200
"""Maximum characters of a solution in a notebook."""


class Status(StrEnum):
    """Final status of a search.

    `solved`: it found a path. `unsolvable`: parity forbids a path, so it did not start.
    `exhausted`: no state that can be reached is the goal. `cutoff`: it met a limit before it found
    a path. `stuck`: a local search cannot go on, which proves nothing about the puzzle.
    `cancelled`: the caller stopped it. `invalid`: the result contradicted itself and claims nothing
    (see `validated`).
    """

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    EXHAUSTED = "exhausted"
    CUTOFF = "cutoff"
    STUCK = "stuck"
    CANCELLED = "cancelled"
    INVALID = "invalid"


_PROOFS = {
    Proof.OPTIMAL: message("proved shortest"),
    Proof.BOUNDED: message("proved within a bound"),
    Proof.UNPROVED: message("not proved shortest"),
}


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a search: its counts, defined in `slidewise.solver.events`, and seconds."""

    expanded: int
    generated: int
    peak_frontier: int
    peak_stored: int
    deepest: int
    seconds: float

    def together_with(self, other: Cost) -> Cost:
        """Return the cost of this search plus a concurrent search."""
        return Cost(
            expanded=self.expanded + other.expanded,
            generated=self.generated + other.generated,
            peak_frontier=max(self.peak_frontier, other.peak_frontier),
            peak_stored=max(self.peak_stored, other.peak_stored),
            deepest=max(self.deepest, other.deepest),
            seconds=self.seconds,
        )


NO_SEARCH = Cost(0, generated=1, peak_frontier=1, peak_stored=1, deepest=0, seconds=0.0)
"""Cost of a test of the start alone."""


class Subtrees(NamedTuple):
    """Subtrees of a completed iteration of a proof, in the order of the search.

    They are the boards at some level of the search, each with the boards below it. No solution has
    fewer than `bound` moves, as neither they nor the boards above them contain the goal.
    `partition` names the pattern database. `blanks` are the cells of the blank from the start to
    each root. `counts` are the expanded and generated boards of each subtree.
    """

    partition: str
    bound: int
    level: int
    blanks: Sequence[Sequence[int]]
    counts: Sequence[tuple[int, int]]


class ResultJSON(TypedDict):
    """A result as JSON values, with the puzzle as its code."""

    puzzle: str
    algorithm: Annotated[str, Keywords(enum=lambda site: site.algorithms)]
    heuristic: str | None
    weight: float | None
    seed: Annotated[str | None, "The seed of the random numbers; null if it draws none."]
    cooling: Annotated[float | None, "The factor of the temperature in each step; null without."]
    convention: str
    status: Annotated[str, Keywords(enum=[status.value for status in Status])]
    length: Annotated[Count | None, "The length of the path; null if there is none."]
    moves: Annotated[str, Keywords(pattern="^[UDLR]*$"), "The directions in which the tiles move."]
    tiles: list[Count]
    verdict: Annotated[
        str,
        Keywords(enum=[proof.value for proof in Proof]),
        "What is proved about the length of the path; `unproved` if there is none. The status "
        "`unsolvable`, that there can be none, is proved by parity.",
    ]
    lower_bound: Annotated[
        Count | None, "Every solution has at least this many moves; null if there is none."
    ]
    reason: Annotated[str, "Why the verdict holds."]
    expanded: Count
    generated: Count
    peak_frontier: Count
    peak_stored: Count
    deepest: Count
    seconds: Amount
    boards: NotRequired[
        Annotated[
            list[str] | None,
            "The boards of the path, if they were asked for; null as described there.",
        ]
    ]


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a search, and its cost.

    `algorithm` and `heuristic` are keys of the registry. `heuristic`, `weight`, `seed` and
    `cooling` are None if the algorithm uses none. `convention` has the format of `find_convention`.
    `method` describes all of these in words.

    `moves` is a string of the tiles' directions `U`, `D`, `L`, `R`, and `tiles` their numbers.
    Without a path both are empty and `length` is None. `lower_bound` is proved for every
    solution, None if there is no solution. `seconds` excludes compiling, loading and tables. The
    counts are defined in `slidewise.solver.events`. Proofs have the `subtrees` of their
    certificate.
    """

    status: Status
    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    weight: float | None
    method: str
    moves: str
    tiles: tuple[int, ...]
    length: int | None
    verdict: Verdict
    lower_bound: int | None
    expanded: int
    generated: int
    peak_frontier: int
    peak_stored: int
    deepest: int
    seconds: float
    convention: str = "slidewise"
    seed: str | None = None
    cooling: float | None = None
    subtrees: Subtrees | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """Return `as_text()`."""
        return self.as_text()

    def _repr_html_(self) -> str:
        """Show the result as a small table in a notebook."""
        return self.as_html()

    @property
    def shortest(self) -> int | None:
        """Return the length of a shortest solution, None if unknown."""
        exact = self.verdict.kind is Proof.OPTIMAL or self.verdict.exact
        return self.lower_bound if exact else None

    @property
    def above(self) -> int | None:
        """Return the excess moves over the shortest solution, None if unknown."""
        if self.length is None or self.shortest is None:
            return None
        return self.length - self.shortest

    @property
    def proof(self) -> str:
        """Describe the proof for the path in a few words.

        >>> from slidewise import parse_puzzle, solve
        >>> solve(parse_puzzle("1.0.3-4.2.5")).proof
        'proved shortest'
        """
        if self.above:
            return message("%(moves)s above the shortest", moves=plural(self.above, "move"))
        return _PROOFS[self.verdict.kind]

    @property
    def outcome(self) -> str:
        """Summarise the status and the bounds in a few words.

        >>> from slidewise import Limits, parse_puzzle, solve
        >>> solve(parse_puzzle("1.0.3-4.2.5")).outcome
        'optimal'
        >>> solve(parse_puzzle("1.0.3-4.2.5"), "astar", limits=Limits(expansions=1)).outcome
        'cutoff, at least 2 moves'
        """
        kind, bound = self.verdict.kind, self.lower_bound
        if self.status is Status.SOLVED:
            if self.above:
                return f"{self.above:,} above the shortest"
            if kind is Proof.BOUNDED and self.length is not None and bound is not None:
                return f"{kind}, at most {self.length - bound:,} above the shortest"
            return str(kind)
        if self.shortest is not None:
            return f"{self.status}, the shortest has {plural(self.shortest, 'move')}"
        known = "" if bound is None else f", at least {plural(bound, 'move')}"
        return f"{self.status}{known}"

    def as_text(self) -> str:
        """Return four lines: method and outcome, reason, puzzle, cost."""
        length = "no solution found" if self.length is None else plural(self.length, "move")
        return (
            f"{self.method}: {length}, {self.outcome}\n"
            f"because: {self.verdict.reason}\n"
            f"puzzle {self.puzzle}\n"
            f"expanded {self.expanded:,}, generated {self.generated:,}, "
            f"peak stored {self.peak_stored:,}, {duration(self.seconds)}"
        )

    def as_html(self) -> str:
        """Return the facts of `as_text` and the moves as a small HTML table."""
        moves = format_moves(self.moves)
        if len(moves) > SHOWN_CHARACTERS:
            moves = f"{moves[:SHOWN_CHARACTERS]} ..."
        facts = {
            "puzzle": str(self.puzzle),
            "method": self.method,
            "moves": "none found" if self.length is None else f"{self.length:,}",
            "verdict": f"{self.outcome}: {self.verdict.reason}",
            "solution": moves,
            "expanded": f"{self.expanded:,}",
            "generated": f"{self.generated:,}",
            "peak stored": f"{self.peak_stored:,}",
            "time": duration(self.seconds),
        }
        rows = (
            f"<tr><th>{escape(name)}</th><td>{escape(fact)}</td></tr>"
            for name, fact in facts.items()
            if fact
        )
        return f"<table>{''.join(rows)}</table>"

    def steps(self) -> Iterator[Step]:
        """Yield the steps of the path, each with the board after it."""
        return steps(self.puzzle.start, self.moves)

    def as_json(self) -> ResultJSON:
        """Return the result as JSON values, with the puzzle as its code."""
        return {
            "puzzle": str(self.puzzle),
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "weight": self.weight,
            "status": self.status.value,
            "length": self.length,
            "moves": self.moves,
            "tiles": list(self.tiles),
            "verdict": self.verdict.kind.value,
            "lower_bound": self.lower_bound,
            "reason": self.verdict.reason,
            "expanded": self.expanded,
            "generated": self.generated,
            "peak_frontier": self.peak_frontier,
            "peak_stored": self.peak_stored,
            "deepest": self.deepest,
            "seconds": self.seconds,
            "convention": self.convention,
            "seed": self.seed,
            "cooling": self.cooling,
        }


log = logging.getLogger(__name__)


class ContradictionError(Exception):
    """A search contradicts itself. The message describes the contradiction."""


def validated(result: Result) -> Result:
    """Return `result` if consistent; otherwise log the reason and return an empty claim."""
    why = contradiction(result)
    return withdrawn(result, why) if why else result


def withdrawn(result: Result, why: str) -> Result:
    """Return `result` without its path, its lower bound and its verdict."""
    log.error("The result of %s for %s is withdrawn: %s", result.method, result.puzzle, why)
    reason = f"the result is withdrawn and nothing is claimed, as {why}; please report this"
    return replace(
        result,
        status=Status.INVALID,
        moves="",
        tiles=(),
        length=None,
        lower_bound=None,
        verdict=Verdict(Proof.UNPROVED, reason, reason),
    )


def contradiction(result: Result) -> str:
    """Describe how a result contradicts itself, "" if it does not.

    >>> from slidewise import parse_puzzle, solve
    >>> result = solve(parse_puzzle("1.0.3-4.2.5"))
    >>> contradiction(result), contradiction(replace(result, moves="UR"))
    ('', 'its path ends at 1.2.3-0.4.5 and not at the goal')
    """
    puzzle, status = result.puzzle, result.status
    if (status is Status.SOLVED) != (result.length is not None):
        return f"its status is {status} and its length {result.length}"
    if status in (Status.UNSOLVABLE, Status.EXHAUSTED) and puzzle.solvable:
        return "it says that there is no solution, and the parity says that there is one"
    optimal = result.verdict.kind is Proof.OPTIMAL
    return _path_contradiction(result) or bounds_contradiction(
        puzzle, result.length, result.lower_bound, optimal=optimal
    )


def bounds_contradiction(
    puzzle: Puzzle, length: int | None, bound: int | None, *, optimal: bool
) -> str:
    """Describe the error in the length of a solution or its lower bound, "" if none."""
    # Each move takes the blank to a neighbouring cell, which changes the parity.
    odd = grid_distance(puzzle.start, puzzle.goal) % 2
    for name, moves in (("length", length), ("lower bound", bound)):
        if moves is not None and moves % 2 != odd:
            return (
                f"its {name} is {moves}, and every solution has an {'odd' if odd else 'even'} "
                "number of moves"
            )
    if length is not None and bound is not None and length < bound:
        return (
            f"its path has {plural(length, 'move')}, and it says that no solution has fewer than "
            f"{bound}"
        )
    if optimal and length != bound:
        return f"it calls {length} moves the fewest, and its lower bound is {bound}"
    return ""


def _path_contradiction(result: Result) -> str:
    if result.length is None:
        return ""
    if not result.length == len(result.moves) == len(result.tiles):
        return f"its path has {plural(len(result.moves), 'move')} and its length is {result.length}"
    try:
        end = play(result.puzzle.start, result.moves)
    except PuzzleError as error:
        return f"its path cannot be made: {error}"
    return "" if end == result.puzzle.goal else f"its path ends at {end} and not at the goal"
