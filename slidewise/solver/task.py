"""Input of a search: limits, weight, algorithm, heuristic, task and frontier facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from slidewise.puzzle import Board, Puzzle, PuzzleError
from slidewise.solver.convention import SLIDEWISE, Convention
from slidewise.solver.estimate import Estimate
from slidewise.solver.result import ContradictionError, Cost, Result, Status, Verdict
from slidewise.text import message, noop

if TYPE_CHECKING:
    from slidewise.solver.events import Event, Preparing


NO_DEPTH = 2**31
"""Depth limit in kernels for an unlimited search: no path is that long."""

DEFAULT_STORED_NODES = 16_000_000
"""Stored nodes by default, 0.55 GB on 4x4 and 2.1 GB on 10x10, which a machine with 4 GB has free.
Enough for all boards of up to 10 cells, and for A* on most 4x4 boards of up to 48 moves."""

MAX_STORED_NODES = 500_000_000
"""Maximum stored nodes, for 32-bit indices of nodes and hash slots."""

NODE_BYTES = 16
"""Bytes of each node without its board."""

SLOT_BYTES = 5
"""Bytes of each slot of the hash table."""


class InvalidLimitsError(PuzzleError):
    """A limit is not a positive number."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a search; None means unlimited.

    `seconds` is wall-clock time of the search alone, as in `Result`, accurate to about 0.05 s.
    `expansions` is exact. `stored_nodes` is checked before memory is allocated. `depth` is the
    maximum length of a path. `cores` is the maximum number of threads, for algorithms that use
    several. `best` above 16 cells uses all of its seconds or expansions, but with `stops_early` it
    ends when its beams are as wide as the memory allows.

    >>> Limits(seconds=10).stored_nodes
    16000000

    Raises `InvalidLimitsError`.
    """

    seconds: float | None = None
    expansions: int | None = None
    stored_nodes: int = DEFAULT_STORED_NODES
    depth: int | None = None
    cores: int = 1
    stops_early: bool = False

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise InvalidLimitsError(
                f"seconds must be above 0, got {self.seconds}; leave it out for no limit"
            )
        for name in ("expansions", "depth"):
            value = getattr(self, name)
            if value is not None and not _is_count(value):
                raise InvalidLimitsError(
                    f"{name} must be a whole number of 1 or more, got {value}; "
                    "leave it out for no limit"
                )
        if not _is_count(self.cores):
            raise InvalidLimitsError(f"cores must be a whole number of 1 or more, got {self.cores}")
        if not _is_count(self.stored_nodes) or self.stored_nodes > MAX_STORED_NODES:
            raise InvalidLimitsError(
                f"stored_nodes must be a whole number from 1 to {MAX_STORED_NODES:,}, "
                f"got {self.stored_nodes}; leave it out for {DEFAULT_STORED_NODES:,}"
            )

    @property
    def max_depth(self) -> int:
        """The depth limit as a 64-bit number for the kernels.

        >>> Limits(depth=2**80).max_depth == Limits().max_depth == NO_DEPTH
        True
        """
        return NO_DEPTH if self.depth is None else min(self.depth, NO_DEPTH)

    def memory(self, cells: int) -> int:
        """Return the maximum bytes of the stored nodes for a board of `cells` cells.

        >>> Limits().memory(16)
        551772160
        """
        return store_bytes(self.stored_nodes, cells)


def store_bytes(nodes: int, cells: int) -> int:
    """Return the bytes of a store for `nodes` nodes of `cells` cells each.

    A node takes 8 bytes for each word of its board and 16 for its links and costs. Its slots in the
    hash take 7 to 13. The sum is 31 to 37 bytes up to 4x4, 55 to 61 on 5x5, 127 to 133 on 10x10.
    """
    return nodes * (8 * words(cells) + NODE_BYTES) + SLOT_BYTES * slots(nodes)


def nodes_within(size: int, cells: int) -> int:
    """Return the number of nodes of `cells` cells that fit in `size` bytes, at least 1.

    >>> store_bytes(nodes_within(100_000_000, 16), 16) <= 100_000_000
    True
    """
    most = 8 * words(cells) + NODE_BYTES + SLOT_BYTES * 3  # at most 3 slots a node
    return min(max(1, size // most), MAX_STORED_NODES)


def words(cells: int) -> int:
    """Return the 64-bit words of a packed board: 4 bits a cell up to 16 cells, 8 bits above.

    >>> words(16), words(25), words(100)
    (1, 4, 13)
    """
    return 1 if cells <= 16 else -(-cells // 8)


def slots(nodes: int) -> int:
    """Return the slots of the hash for `nodes` nodes: a power of two, at most 3/4 full.

    >>> slots(100)
    256
    """
    return int(1 << (-(-4 * nodes // 3) - 1).bit_length())


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


DEFAULT_WEIGHT = 1.5
HIGHEST_WEIGHT = 100


class InvalidWeightError(PuzzleError):
    """A weight is not from 1 to 100, or has more than two decimals."""


def exact_weight(weight: float) -> Fraction:
    """Return `weight` as a fraction, for integer ranks and reproducible runs.

    >>> exact_weight(1.5)
    Fraction(3, 2)

    Raises `InvalidWeightError`.
    """
    if 1 <= weight <= HIGHEST_WEIGHT:
        # 1.1 as a float is not 11/10, so the two decimals are read exactly.
        exact = Fraction(round(weight * 100), 100)
        if math.isclose(exact, weight, rel_tol=1e-12):
            return exact
    raise InvalidWeightError(
        f"the weight must be from 1 to {HIGHEST_WEIGHT} and have at most two decimals, got {weight}"
    )


EXACT_DEFAULT = exact_weight(DEFAULT_WEIGHT)

DEFAULT_SEED = "1"
DEFAULT_COOLING = 0.9999
LOWEST_COOLING, HIGHEST_COOLING = 0.5, 0.999999
"""Factors of the temperature in a step of annealing, for 8 and for 5,300,000 steps."""


class InvalidCoolingError(PuzzleError):
    """A cooling is not from 0.5 to 0.999999."""


def check_cooling(cooling: float) -> float:
    """Return `cooling`; raises `InvalidCoolingError` if it is too low or too high."""
    if LOWEST_COOLING <= cooling <= HIGHEST_COOLING:
        return cooling
    raise InvalidCoolingError(
        f"the cooling must be from {LOWEST_COOLING} to {HIGHEST_COOLING}, got {cooling}"
    )


Run = Callable[["Task"], Iterator["Event"]]
Build = Callable[["Board"], "Estimate"]
PrepareFor = Callable[["Puzzle"], Iterator["Preparing"]]


def any_size(rows: int, cols: int) -> bool:
    """Return True: every size fits."""
    return True


def no_preparation(puzzle: Puzzle) -> Iterator[Preparing]:
    """Return an empty iterator: no preparation is needed."""
    return iter(())


class UnknownNameError(PuzzleError):
    """An algorithm or a heuristic is not in the registry."""


class UnfitHeuristicError(PuzzleError):
    """A heuristic has no tables for boards of this size."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm and its facts.

    `complete`: it finds a path within the limits if a path exists. `proviso` is the condition for
    this, if not every search of the kind is complete. `optimal`: the path is shortest, with an
    admissible heuristic if it uses a heuristic. `optimal_to` is the number of cells up to which the
    path is shortest. `time` and `space` count nodes, in terms of the branching factor b, the length
    d of a shortest path and the weight w.

    `kernel` names the compiled module, if always the same. `options` are a subset of `depth` (a
    depth limit, in `Limits`), `weight`, `seed` and `cooling`. `suits` is the most cells of a random
    board that it solves in about a minute and 400 MB. `run` is the generator, `plain` the plain
    form of its search. `prepare` prepares other data than the kernel for a puzzle. `frontier`
    describes the frontier for recordings, None if the algorithm has none. `compiled` is false for a
    Python function, which reports only its moves. `local`: it goes from board to board in plain
    Python, without a frontier, and may be stuck.
    """

    key: str
    title: str
    idea: str
    complete: bool
    optimal: bool
    time: str
    space: str
    uses_heuristic: bool
    source: str
    kernel: str | None
    suits: int
    run: Run = field(repr=False)
    options: frozenset[str] = frozenset()
    prepare: PrepareFor = field(default=no_preparation, repr=False)
    optimal_to: int = 0
    proviso: str = ""
    frontier: Frontier | None = None
    compiled: bool = True
    local: bool = False

    def rank(self, weight: Fraction) -> Rank | None:
        """Return the definition of f, weighted if it has a weight, or None if it varies."""
        rank = self.frontier.rank if self.frontier else None
        return rank.weighted(weight) if rank and "weight" in self.options else rank


@dataclass(frozen=True)
class Heuristic:
    """A heuristic and its facts.

    `admissible`: never above the true distance. `consistent`: a move changes it by at most 1, and
    it is 0 at the goal. `build` creates its tables for a goal. `prepare` does the slow part of the
    build and yields its progress.

    `fits` returns whether boards of some rows and columns are supported, and `unfit` is the error
    text if not. `loads_tables`: it needs numpy and large tables, which a web process does not load.
    `compiled` is false for a Python function, which only the plain loops can call.
    """

    key: str
    title: str
    idea: str
    admissible: bool
    consistent: bool
    source: str
    build: Build = field(repr=False)
    fits: Callable[[int, int], bool] = field(default=any_size, repr=False)
    prepare: PrepareFor = field(default=no_preparation, repr=False)
    unfit: str = message("has no tables")
    loads_tables: bool = False
    compiled: bool = True

    def value(self, board: Board, goal: Board) -> int:
        """Return the estimate of the moves from `board` to `goal`, boards of the same size."""
        return self.build(goal).value(board)

    def goal_value(self, goal: Board) -> int:
        """Return the estimate at the goal."""
        return 0

    def for_goal(self, goal: Board) -> Heuristic:
        """Return the heuristic with its facts for `goal`."""
        return self


MARK = "="
"""Prefix of the keys of user-defined heuristics."""


def is_own(key: str) -> bool:
    """Whether `key` belongs to a user-defined heuristic, not to the registry."""
    return key.startswith(MARK)


def never() -> bool:
    """Return False: the search is not cancelled."""
    return False


@dataclass(frozen=True)
class Task:
    """A puzzle to solve, with the algorithm and its limits.

    `heuristic` is None if the algorithm uses none. `weight`, `seed` of the random numbers and
    `cooling` of the temperature are for algorithms with that option. The first `trace` expansions
    become events. The search calls `cancelled` many times a second and ends when it returns True.
    `convention` has the rules of a textbook or course. Unless `plain_first`, a search that has a
    compiled form begins with it.
    """

    puzzle: Puzzle
    algorithm: Algorithm
    heuristic: Heuristic | None
    limits: Limits
    weight: Fraction = EXACT_DEFAULT
    trace: int = 0
    cancelled: Callable[[], bool] = never
    convention: Convention = SLIDEWISE
    plain_first: bool = True
    seed: str = DEFAULT_SEED
    cooling: float = DEFAULT_COOLING

    @property
    def estimate(self) -> Estimate:
        """Return the heuristic for the goal, 0 if the algorithm uses none."""
        goal = self.puzzle.goal
        return self.heuristic.build(goal) if self.heuristic else Estimate(len(goal.cells), ())

    @property
    def method(self) -> str:
        """Return the titles of the algorithm, with its weight, and of the heuristic, if any."""
        title = self.algorithm.title
        if "weight" in self.algorithm.options:
            title = f"{title} (w = {float(self.weight):g})"
        title = f"{title} with {self.heuristic.title}" if self.heuristic else title
        return title if self.convention.is_own else f"{title} ({self.convention.title})"

    @property
    def rank(self) -> Rank:
        """Return the definition of f of a ranked frontier, with the weight if any."""
        frontier = self.algorithm.frontier
        rank = self.algorithm.rank(self.weight)
        if frontier and frontier.rank_of:
            return frontier.rank_of(self)
        assert rank is not None
        return rank

    @property
    def is_plain(self) -> bool:
        """Return whether a plain loop searches, not a compiled loop."""
        return not self.convention.is_own or not (self.heuristic is None or self.heuristic.compiled)

    @property
    def trusts_h(self) -> bool:
        """Return whether h is unused or admissible."""
        return self.heuristic is None or self.heuristic.admissible

    def with_heuristic(self, heuristic: Heuristic) -> Task:
        """Return the same task with another heuristic, without a trace."""
        return replace(self, heuristic=heuristic, trace=0)

    def with_facts(self) -> Task:
        """Return the same task with the facts of its heuristic for the puzzle's goal."""
        if self.heuristic is None:
            return self
        return replace(self, heuristic=self.heuristic.for_goal(self.puzzle.goal))

    def result(
        self,
        status: Status,
        verdict: Verdict,
        lower_bound: int | None,
        cost: Cost,
        blanks: Sequence[int] = (),
    ) -> Result:
        """Return the result; `blanks` is the path, as the cells of the blank from start to goal."""
        moves, tiles = follow(self.puzzle.start, blanks)
        return Result(
            status=status,
            puzzle=self.puzzle,
            algorithm=self.algorithm.key,
            heuristic=self.heuristic.key if self.heuristic else None,
            weight=float(self.weight) if "weight" in self.algorithm.options else None,
            method=self.method,
            moves=moves,
            tiles=tiles,
            length=len(moves) if blanks else None,
            verdict=verdict,
            lower_bound=lower_bound,
            convention=str(self.convention),
            expanded=cost.expanded,
            generated=cost.generated,
            peak_frontier=cost.peak_frontier,
            peak_stored=cost.peak_stored,
            deepest=cost.deepest,
            seconds=cost.seconds,
            seed=self.seed if "seed" in self.algorithm.options else None,
            cooling=self.cooling if "cooling" in self.algorithm.options else None,
        )


def follow(start: Board, blanks: Sequence[int]) -> tuple[str, tuple[int, ...]]:
    """Return the moves and the moved tiles when the blank goes through the cells `blanks`.

    >>> from slidewise import parse_board
    >>> follow(parse_board("1.0.3-4.2.5"), [1, 4, 5])
    ('UL', (2, 5))

    Raises `ContradictionError` if a step leads to a cell that is not next to the blank.
    """
    directions = {start.cols: "U", -start.cols: "D", 1: "L", -1: "R"}
    cells = list(start.cells)
    moves, tiles = [], []
    for blank, cell in pairwise(blanks):
        # A step of 1 across the end of a row is not a move.
        in_line = blank // start.cols == cell // start.cols or abs(cell - blank) == start.cols
        if not in_line or cell - blank not in directions or not 0 <= cell < len(cells):
            raise ContradictionError(f"its path takes the blank from cell {blank} to {cell}")
        moves.append(directions[cell - blank])
        tiles.append(cells[cell])
        cells[blank], cells[cell] = cells[cell], 0
    return "".join(moves), tuple(tiles)


class Rank(NamedTuple):
    """Definition of f: `g_weight` * g + `h_weight` * h."""

    g_weight: int
    h_weight: int

    def weighted(self, weight: Fraction) -> Rank:
        """Return the rank that counts h `weight` times as much, in whole numbers.

        >>> from fractions import Fraction
        >>> Rank(1, 1).weighted(Fraction(3, 2))
        Rank(g_weight=2, h_weight=3)
        """
        return Rank(self.g_weight * weight.denominator, self.h_weight * weight.numerator)

    @property
    def formula(self) -> str:
        """Return the formula of f.

        >>> Rank(1, 1).formula, Rank(-1, 0).formula, Rank(2, 3).formula
        ('g + h', '−g', '2g + 3h')
        """
        weights = {"g": self.g_weight, "h": self.h_weight}
        return " + ".join(_factor(weight, name) for name, weight in weights.items() if weight)

    def worked_out(self, g: int, h: int) -> str:
        """Return f of a node as a calculation.

        >>> Rank(2, 3).worked_out(5, 4), Rank(0, 1).worked_out(5, 4)
        ('10 + 12 = 22', '4')
        """
        parts = [weight * of for weight, of in zip(self, (g, h), strict=True) if weight]
        return f"{parts[0]} + {parts[1]} = {sum(parts)}" if len(parts) > 1 else str(sum(parts))


def _factor(weight: int, name: str) -> str:
    return {1: "", -1: "−"}.get(weight, str(weight)) + name


class FrontierKind(StrEnum):
    """Data structure of the frontier.

    `RANKED`: a priority queue, the lowest f first. `TWO_ENDS`: two queues, from the start and from
    the goal. `PATH`: a path, in a tree for each limit. `RECURSION`: a path in a single tree, whose
    nodes store the f backed up from their subtrees.
    """

    RANKED = "rank"
    TWO_ENDS = "ends"
    PATH = "path"
    RECURSION = "recursion"


@dataclass(frozen=True)
class Frontier:
    """Frontier of an algorithm, with the texts that explain it.

    `rank` defines f, before any weight. It is None if `rank_of` returns it for a task. `order`
    describes the first node, and its `first` is the first of equal nodes. For a ranked frontier,
    `reason` explains why a node is next, and `ties` names its rivals. Both are templates of
    `message` with `g`, `h`, `f`, `depth` (g in words), `formula` and `sum` (f worked out). Empty
    texts default to the texts of the kind.

    `by_hand` lists further rules for a search by hand. In pseudocode `name` is the variable of a
    ranked frontier, `takes` describes its first node, and `keeps` the successors added to it.
    """

    kind: FrontierKind
    rank: Rank | None = None
    rank_of: Callable[[Task], Rank] | None = field(default=None, repr=False)
    order: str = ""
    reason: str = ""
    ties: str = noop("with f %(f)s")
    by_hand: str = ""
    name: str = "frontier"
    takes: str = "the lowest f"
    keeps: str = "is new, or its g is now lower"

    @property
    def is_single(self) -> bool:
        """Return whether the search has a single frontier."""
        return self.kind is not FrontierKind.TWO_ENDS


ALGORITHM_FACTS = (
    "key", "title", "idea", "complete", "optimal", "optimal_to", "time", "space",
    "uses_heuristic", "source",
)  # fmt: skip
HEURISTIC_FACTS = ("key", "title", "idea", "admissible", "consistent", "source")


def facts_of(entry: Algorithm | Heuristic, names: Iterable[str]) -> dict[str, object]:
    """Return the facts `names` of an entry.

    >>> from slidewise import find_heuristic
    >>> facts_of(find_heuristic("zero"), ("key", "admissible"))
    {'key': 'zero', 'admissible': True}
    """
    return {name: getattr(entry, name) for name in names}
