"""Candidate programs: plain searches under any convention, with any known mistake."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from slidewise.puzzle import format_moves
from slidewise.solver.convention import (
    ALGORITHMS,
    ORDERS,
    SLIDEWISE,
    Convention,
    Duplicates,
    GoalTest,
    Queue,
    Ties,
    conventions,
    find_convention,
)
from slidewise.solver.engines.plain_best_first import PlainBestFirst, PlainNode, moved
from slidewise.solver.events import Fate
from slidewise.solver.find import find_algorithm, find_fitting_heuristic
from slidewise.solver.limits import EXACT_DEFAULT, Limits
from slidewise.solver.loop import Outcome
from slidewise.solver.task import Task, follow
from slidewise.solver.validation import ContradictionError
from slidewise.study.check.mistakes import PLAIN, Change, FreeTies, SortedTooEarly, habits, mistakes
from slidewise.study.check.plain_search import (
    PlainDeepening,
    PlainRecursion,
    PlainTwoEnds,
    swapped_in_place,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from slidewise.puzzle import Puzzle
    from slidewise.study.check.mistakes import Habit, Mistake, Ways
    from slidewise.study.check.plain_search import PlainSearch
    from slidewise.study.check.reading import Submission, WorkRow

    AnySearch: TypeAlias = "TracedSearch | PlainSearch"
    Estimates = dict[bytes, int]


REFERENCE_LIMITS = Limits(expansions=5_000_000)
"""Maximum expansions of the reference search: some seconds when compiled."""


@dataclass(frozen=True)
class ReferenceSearch:
    """The task of the checked program, and the limits of the reference search.

    Cached estimates are shared by all candidates.
    """

    puzzle: Puzzle
    algorithm: str
    heuristic: str | None
    limits: Limits = REFERENCE_LIMITS
    weight: Fraction = EXACT_DEFAULT
    estimates: Estimates = field(default_factory=dict, compare=False)

    def task(self, convention: Convention, change: Change = PLAIN) -> Task:
        """Return the task under a convention, with the algorithm and goal of a mistake."""
        chosen = find_algorithm(change.algorithm or self.algorithm)
        heuristic = None
        if self.heuristic and chosen.uses_heuristic:
            heuristic = find_fitting_heuristic(self.heuristic, *self.puzzle.start.size)
        puzzle = self.puzzle
        if change.goal is not None:
            puzzle = replace(puzzle, goal=change.goal(*puzzle.goal.size))
        return Task(puzzle, chosen, heuristic, Limits(), self.weight, convention=convention)

    def convention(self, text: str, change: Change = PLAIN) -> Convention:
        """Return the convention by name, for the algorithm that the program really runs."""
        return find_convention(text, change.algorithm or self.algorithm)

    def traced(self, convention: Convention, change: Change = PLAIN) -> AnySearch:
        """Return the search, before its first expansion."""
        task = self.task(convention, change)
        plain = PLAIN_SEARCHES.get(task.algorithm.key)
        if plain is None:
            return TracedSearch(self, task, change)
        return plain(task, change, self.estimates if change.goal is None else {})


PLAIN_SEARCHES: dict[str, type[PlainSearch]] = {
    "iddfs": PlainDeepening,
    "idastar": PlainDeepening,
    "rbfs": PlainRecursion,
    "bidirectional": PlainTwoEnds,
}
"""Searches that are not best-first, by algorithm key."""


class TracedSearch(PlainBestFirst):
    """A search that stores its expansions in order in `nodes`."""

    uncounted: frozenset[str] = frozenset()
    endless = False

    def __init__(self, spec: ReferenceSearch, task: Task, change: Change) -> None:
        self.nodes: list[PlainNode] = []
        self.change = change
        self._pairs: list[tuple[bytes, int]] = []
        self._done: set[bytes] = set()
        self._shared: Iterator[bytes] = iter(())
        self.ended: Outcome | None = None
        self._cols = task.puzzle.cols
        self._aim = bytes(task.puzzle.goal.cells)
        self._first = bytes(task.puzzle.start.cells)
        rank = task.algorithm.rank(task.weight)
        assert rank is not None
        super().__init__(task, rank._replace(**_weights(change, task.weight)), sound=False)
        own = change.h is None and change.goal is None and task.heuristic is not None
        if own:
            spec.estimates.update(self._estimates)
            self._estimates = spec.estimates
        if change.ways is not None:
            rows, cols = task.puzzle.start.size
            self._ways = change.ways(rows, cols, self._ways, task.convention.order)
        if change.forgets_start:
            self._reached.clear()
        if change.queue is not None or change.follows:
            start = self._queue.pop()
            self._queue = change.queue() if change.queue else FreeTies(self._board_given)
            self._queue.push(self._key(start), start)

    def step(self) -> bool:
        """Take one node; return whether it was expanded. `ended` is set at the end."""
        expanded = len(self.nodes)
        if self.ended is None:
            outcome = self.advance(1)
            self.ended = None if outcome is Outcome.RUNNING else outcome
        return len(self.nodes) > expanded

    def run(self, most: int) -> bool:
        """Run to the end; return False if that takes more than `most` expansions in all."""
        while self.ended is None and len(self.nodes) < most:
            self.step()
        return self.ended is not None

    @property
    def goal_cells(self) -> bytes:
        """Return the cells of the program's goal board."""
        return self._aim

    @property
    def ways(self) -> Ways:
        """Return the neighbour cells of each blank cell."""
        return self._ways

    def f_of(self, node: PlainNode) -> float:
        """Return the program's rank of a node in the frontier."""
        rank = self.change.rank
        scale = rank[0] if isinstance(rank, tuple) else scale_of_f(self._task)
        return self._f(node) / max(1, scale)

    def moves(self) -> str:
        """Return the moves of the path, "" without one."""
        if self.ended is not Outcome.GOAL:
            return ""
        try:
            return follow(self._task.puzzle.start, self.path())[0]
        except ContradictionError:  # the path has a step that is not a move
            return ""

    def counts(self) -> dict[str, int]:
        """Return the final counts, by the names of the fields of a result."""
        cost = self.cost(0.0)
        found = {
            "expanded": cost.expanded,
            "generated": cost.generated,
            "peak_stored": cost.peak_stored,
            "peak_frontier": cost.peak_frontier,
            "deepest": cost.deepest,
        }
        if self.ended is Outcome.GOAL:
            found["length"] = len(self.path()) - 1
        return found

    def _board_given(self) -> bytes:
        return self.change.board_given(len(self.nodes)) or self._aim

    def _key(self, node: PlainNode) -> Any:
        if not self.change.follows or self.change.queue:
            return super()._key(node)
        return node.g if self._task.algorithm.key == "bfs" else self._f(node)

    def _take(self) -> PlainNode | None:
        node = super()._take()
        if node is not None and self.change.switches.get("member") == "pairs":
            self._pairs.remove((node.cells, self._f(node)))
        return node

    def _keep(self, node: PlainNode) -> None:
        if self.change.switches.get("member") == "pairs":
            self._pairs.append((node.cells, self._f(node)))
        super()._keep(node)

    def _make(self, parent: PlainNode, cells: bytes) -> tuple[PlainNode, Fate]:
        if self.change.switches.get("copies") == "none":
            cells = next(self._shared)
        return super()._make(parent, cells)

    def _expand(self, node: PlainNode) -> None:
        self.nodes.append(node)
        self._done.add(node.cells)
        made = [moved(node.cells, cell) for cell in self._ways[node.cells.index(0)]]
        self._shared = iter(swapped_in_place(node.cells, made))
        if isinstance(self._queue, SortedTooEarly):
            self._queue.sort()
        super()._expand(node)

    def _successor(self, parent: PlainNode, cells: bytes) -> PlainNode:
        node = super()._successor(parent, cells)
        if self.change.g is not None:
            node.g = self.change.g(parent, self)
        if self.change.parents_estimate:
            node.h = self._h(parent.cells)
        return node

    def _fate(self, node: PlainNode) -> Fate:
        if self.change.switches.get("member") == "pairs":
            known = node.cells in self._done or (node.cells, self._f(node)) in self._pairs
            return Fate.REACHED if known else Fate.KEPT
        fate = super()._fate(node)
        if fate is Fate.SHORTER and self.change.switches.get("entry") == "stale":
            waiting = self._reached[node.cells]
            if waiting.waiting:
                waiting.g, waiting.parent = node.g, node.parent
                return Fate.REACHED
        again = self.change.forgets_start and node.cells == self._first
        if again and node.cells not in self._reached:
            return Fate.KEPT
        return fate

    def h_of(self, cells: bytes) -> float:
        """Return the estimate of a board."""
        return self._h(cells)

    def _h(self, cells: bytes) -> int:
        if self.change.h is None:
            return super()._h(cells)
        value: int = self.change.h(cells, self._aim, self._cols)
        return value


def _weights(change: Change, weight: Fraction) -> dict[str, int]:
    if change.rank is None:
        return {}
    rank = change.rank if isinstance(change.rank, tuple) else change.rank(weight)
    return dict(zip(("g_weight", "h_weight"), rank, strict=True))


def scale_of_f(searched: ReferenceSearch | Task) -> int:
    """Return the scale that makes g + w h, the f of weighted A*, an integer."""
    key = searched.algorithm if isinstance(searched.algorithm, str) else searched.algorithm.key
    return searched.weight.denominator if key == "wastar" else 1


def agreed(search: AnySearch, rows: Sequence[WorkRow], most: int | None = None) -> int:
    """Return the number of leading rows that match the search, up to `most`.

    The goal matches as the last row if the search takes it next.
    """
    rows = rows[:most]
    for number, row in enumerate(rows):
        if number < len(search.nodes):
            node: Any = search.nodes[number]
        elif search.step():
            node = search.nodes[-1]
        else:
            last = number == len(rows) - 1 and search.ended is Outcome.GOAL
            return number + (last and row.cells == search.goal_cells)
        if row.cells != node.cells or any(
            abs(value - value_of(search, node, key)) > TOLERANCE
            for key, value in row.values.items()
        ):
            return number
    return len(rows)


TOLERANCE = 0.01
"""Tolerance of a value printed with few decimals."""


def value_of(search: AnySearch, node: Any, key: str) -> float:
    """Return g, h or f of a node."""
    values: dict[str, float] = {"g": node.g, "h": node.h}
    return values.get(key, search.f_of(node))


def shown(moves: str) -> str:
    """Return moves for a message, with run lengths and shortened."""
    text = format_moves(moves)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} ..."


SHOWN_CHARACTERS = 200
"""Maximum length of a path repeated in a sentence."""


DEFAULT_EXPANSIONS = 300_000
"""Total expansions of all candidates, some ten seconds."""

TELLING = 20
"""Minimum matching expansions after the first difference for a partial fit. Of hundreds of
candidates, some match a little further by chance."""

LONGEST_PLAIN = 200_000
"""Maximum expansions of one candidate."""

_QUEUES: tuple[dict[str, Any], ...] = (
    {"ties": Ties.LAST_IN, "queue": Queue.COUNTER},
    {"ties": Ties.FIRST_IN, "queue": Queue.COUNTER},
    {"ties": Ties.LOWER_H, "queue": Queue.COUNTER},
    {"ties": Ties.HIGHER_G, "queue": Queue.COUNTER},
    {"ties": Ties.AS_QUEUED, "queue": Queue.BOARDS},
    {"ties": Ties.AS_QUEUED, "queue": Queue.HEAPQ},
    {"ties": Ties.AS_QUEUED, "queue": Queue.BINARY_HEAP},
    {"ties": Ties.LOWER_G, "queue": Queue.COUNTER},
    *(
        {"ties": ties, "queue": Queue.BOARDS}
        for ties in (Ties.LOWER_G, Ties.HIGHER_G, Ties.LOWER_H)
    ),
)

ORDERS_SHARE = 20
"""Expansions per given row of all searches that follow the given order of equal nodes."""

MISTAKE_WEIGHT = 1.5
"""Number of changed rules with which mistakes are tried: one, before any two."""


@dataclass(frozen=True)
class Candidate:
    """A convention, with or without a mistake; `weight` grows with its distance from the task.

    `follows` are rows that decide between boards that may come next: the board of the next row is
    taken.
    """

    convention: Convention
    weight: float
    mistake: Mistake | None = None
    habit: Habit | None = None
    follows: Sequence[WorkRow] = ()

    @property
    def change(self) -> Change:
        """Return the changes of its program to the plain one."""
        change = self.mistake.change if self.mistake else PLAIN
        switches = {**(self.habit.switches if self.habit else {}), **change.switches}
        return replace(change, switches=switches, follows=self.follows)

    @property
    def is_right(self) -> bool:
        """Return whether its program breaks no rule of the algorithm."""
        return self.mistake is None or self.mistake.is_right


@dataclass(frozen=True)
class Fit:
    """Result of a candidate: the number of matching expansions, and whether all rows match.

    `counts` are those of its whole search, `differing` the names of the counts that differ.
    """

    candidate: Candidate
    agreed: int
    whole: bool
    counts: dict[str, int]
    differing: tuple[str, ...] = ()
    moves: str = ""

    @property
    def closeness(self) -> tuple[bool, bool, int, bool, int]:
        """Return the sort key of fits."""
        candidate = self.candidate
        is_named = not candidate.follows
        return self.whole, candidate.is_right, -len(self.differing), is_named, self.agreed


@dataclass(frozen=True)
class Explained:
    """The simplest full fit, else the longest partial fit beyond the requested length. `expansions`
    is the search effort. `complete` is True after all candidates. `orders_tried` is True after all
    right searches in the given order of equal nodes."""

    fit: Fit | None
    expansions: int
    complete: bool
    orders_tried: bool = True


def conventions_from(base: Convention, algorithm: str) -> Iterator[Candidate]:
    """Yield the known conventions, by the number of rules that differ from `base`."""
    seen = {_rules(base)}
    for named in conventions().values():
        one = named.of(algorithm)
        if _rules(one) not in seen:
            seen.add(_rules(one))
            yield Candidate(one, 1)
    found = []
    for rules in product(*_changes(algorithm)):
        changed = replace(base, key=UNNAMED, **{k: v for rule in rules for k, v in rule.items()})
        if _rules(changed) not in seen:
            seen.add(_rules(changed))
            found.append(Candidate(changed, len(differing(changed, base))))
    yield from sorted(found, key=lambda candidate: candidate.weight)


UNNAMED = "unnamed"
"""Key of a trial convention; `keyed` replaces it by a parsable name."""


def _changes(algorithm: str) -> list[list[dict[str, Any]]]:
    """Return the alternatives of each rule, with the rule unchanged first."""
    as_it_is: list[dict[str, Any]] = [{}]
    siblings = [{"siblings": one} for one in (Ties.FIRST_IN, Ties.LAST_IN)]
    return [
        as_it_is + [{"order": order} for order in ORDERS],
        as_it_is + (siblings if algorithm == "dfs" else []),
        as_it_is + (list(_QUEUES) if algorithm not in ("bfs", "dfs") else []),
        as_it_is + [{"duplicates": one} for one in Duplicates],
        as_it_is + [{"goal_test": one} for one in GoalTest],
    ]


def _near(base: Convention, algorithm: str) -> Iterator[Convention]:
    """Yield the named conventions, and those with at most one rule changed from `base`."""
    for named in conventions().values():
        yield named.of(algorithm)
    for rule in _changes(algorithm):
        for change in rule[1:]:
            yield replace(base, key=UNNAMED, **change)


def in_any_order(
    spec: ReferenceSearch, base: Convention, rows: Sequence[WorkRow]
) -> Iterator[Candidate]:
    """Yield each correct variant of the search, with ties broken as in the rows."""
    if spec.algorithm in ALGORITHMS:
        rules: list[dict[str, Any]] = [
            {},
            *({"duplicates": one} for one in Duplicates if one != base.duplicates),
        ]
        for goal_test in (base.goal_test, *(one for one in GoalTest if one != base.goal_test)):
            for rule in rules:
                one = replace(base, key=UNNAMED, goal_test=goal_test, **rule)
                yield Candidate(one, 0, follows=rows)
        return
    for habit in (None, *habits(spec.algorithm)):
        yield Candidate(base, 0, habit=habit, follows=rows)


def candidates(spec: ReferenceSearch, base: Convention, rows: Sequence[WorkRow]) -> list[Candidate]:
    """Return all candidates, the simplest first."""
    found = list(_known(spec, base))
    if rows:
        for mistake in mistakes(spec.algorithm, spec.heuristic):
            for rule in (None, Duplicates.MADE, Duplicates.EXPANDED):
                one = _for(base, mistake)
                if rule and spec.algorithm in ALGORITHMS:
                    one = replace(one, key=UNNAMED, duplicates=rule)
                elif rule:
                    continue
                found.append(Candidate(one, MISTAKE_WEIGHT + 1.5, mistake, follows=rows))
    return sorted(found, key=lambda candidate: candidate.weight)


def _known(spec: ReferenceSearch, base: Convention) -> Iterator[Candidate]:
    if habits(spec.algorithm):
        yield from _plain_candidates(spec, base)
        return
    yield from conventions_from(base, spec.algorithm)
    for mistake in mistakes(spec.algorithm, spec.heuristic):
        under = _for(base, mistake)
        yield Candidate(under, MISTAKE_WEIGHT, mistake)
        algorithm = mistake.change.algorithm or spec.algorithm
        seen = {_rules(under)}
        for near in _near(under, algorithm):
            if _rules(near) not in seen:
                seen.add(_rules(near))
                yield Candidate(near, MISTAKE_WEIGHT + 1, mistake)


def _plain_candidates(spec: ReferenceSearch, base: Convention) -> Iterator[Candidate]:
    """Yield the candidates of a search that is not best-first: orders, habits and mistakes."""
    orders = [replace(base, key=f"{base.key},order={order}", order=order) for order in ORDERS]
    for mistake in (None, *mistakes(spec.algorithm, spec.heuristic)):
        weight = MISTAKE_WEIGHT if mistake else 0
        yield Candidate(base, weight, mistake)
        for order in orders:
            yield Candidate(order, weight + 1, mistake)
        for habit in habits(spec.algorithm):
            yield Candidate(base, weight + 1, mistake, habit)
            for order in orders:
                yield Candidate(order, weight + 2, mistake, habit)


def _for(base: Convention, mistake: Mistake) -> Convention:
    """Return the convention for the algorithm that a mistaken program really runs."""
    if mistake.change.algorithm is None:
        return base
    return find_convention(f"slidewise,order={base.order}", mistake.change.algorithm)


def explain_by_another(
    spec: ReferenceSearch,
    base: Convention,
    given: Submission,
    agreed_so_far: int,
    most: int,
    *,
    is_wrong: bool,
) -> Explained:
    """Return the best explanation found in about `most` expansions.

    Mistakes are tried only if no right program fits the rows. Without rows, `is_wrong` decides.
    """
    finder = _Finder(spec, given, agreed_so_far)
    right, orders_tried = None, True
    if given.rows:
        right = finder.first(
            in_any_order(spec, base, given.rows), ORDERS_SHARE * (len(given.rows) + 50)
        )
        orders_tried = finder.complete
    tried = candidates(spec, base, given.rows)
    if right is not None or not (given.rows or is_wrong):
        tried = [one for one in tried if one.is_right]
    finder.first(tried, most)
    return Explained(_named(finder.best, spec), finder.spent, finder.complete, orders_tried)


class _Finder:
    """Search for the best fit among candidates, the simplest first."""

    def __init__(self, spec: ReferenceSearch, given: Submission, before: int) -> None:
        self._spec, self._given, self._before = spec, given, before
        self.spent, self.complete = 0, True
        self.best: Fit | None = None

    def first(self, tried: Iterable[Candidate], most: int) -> Fit | None:
        """Return the first candidate that fits completely, or None.

        Spends about `most` expansions.
        """
        end = self.spent + most
        for candidate in tried:
            if self.spent >= end:
                self.complete = False
                return None
            search = self._spec.traced(candidate.convention, candidate.change)
            left = end - self.spent
            fit = _fit(search, candidate, self._given, left, self._before)
            self.spent += len(search.nodes) + 1
            if fit is None:
                continue
            best = self.best
            if best is None or fit.closeness > best.closeness:
                self.best = fit
            if fit.whole and not fit.differing:
                return fit
        return None


def _fit(
    tried: AnySearch, candidate: Candidate, given: Submission, most: int, before: int
) -> Fit | None:
    """Return the fit of a candidate, None unless it is better than `before`."""
    number = agreed(tried, given.rows, most) if given.rows else 0
    if given.rows and number <= before and number < len(given.rows):
        return None
    if number < len(given.rows):
        return Fit(candidate, number, False, {}) if _is_significant(number, given, before) else None
    if tried.endless and given.rows:
        return Fit(candidate, number, True, {})
    longest = min(most, LONGEST_PLAIN)
    if given.rows:
        longest = min(longest, len(given.rows) + 1)
    elif "expanded" in given.counts:
        longest = min(longest, given.counts["expanded"] + 2)
    if not tried.run(longest) or (given.rows and len(tried.nodes) > len(given.rows)):
        return Fit(candidate, number, False, {}) if _is_significant(number, given, before) else None
    moves, counts = tried.moves(), tried.counts()
    if given.moves is not None and moves != given.moves and not candidate.follows:
        return None
    wrong = tuple(
        name
        for name, value in given.counts.items()
        if counts.get(name) != value and name not in tried.uncounted
    )
    if wrong and not given.rows:
        return None
    return Fit(candidate, number, True, counts, wrong, moves)


def _is_significant(number: int, given: Submission, before: int) -> bool:
    """Return whether a number of matching expansions is more than chance."""
    return number >= before + TELLING and 2 * number >= len(given.rows)


def differing(one: Convention, base: Convention) -> list[str]:
    """Return the rules that differ between two conventions; a queue and its ties count as one."""
    names = ["order", "siblings", "goal_test", "duplicates"]
    found = [name for name in names if getattr(one, name) != getattr(base, name)]
    if (one.ties, one.queue) != (base.ties, base.queue):
        found.append("ties")
    return found


def _named(fit: Fit | None, spec: ReferenceSearch) -> Fit | None:
    """Return a fit whose convention has a name that `find_convention` accepts."""
    if fit is None or fit.candidate.convention.key != UNNAMED:
        return fit
    one = fit.candidate.convention
    if spec.algorithm not in ALGORITHMS:  # no name describes the convention
        rules = differing(one, SLIDEWISE)
        names = (f"order={one.order}" if rule == "order" else rule for rule in rules)
        one = replace(one, key=",".join([SLIDEWISE.key, *names]))
        return replace(fit, candidate=replace(fit.candidate, convention=one))
    algorithm = fit.candidate.change.algorithm or spec.algorithm
    texts = [
        "slidewise",
        f"order={one.order}",
        f"queue={one.queue},ties={one.ties}",
        f"siblings={one.siblings}",
        f"goal={one.goal_test}",
        f"duplicates={one.duplicates.key}",
        f"counts={one.counts}",
        f"deepest={one.deepest}",
    ]
    convention = find_convention(",".join(texts), algorithm)
    return replace(fit, candidate=replace(fit.candidate, convention=convention))


def _rules(one: Convention) -> tuple[object, ...]:
    return one.order, one.ties, one.siblings, one.goal_test, one.duplicates, one.queue
