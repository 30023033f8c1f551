"""Candidate programs: plain searches with any convention and any known mistake."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from slidewise.course.judge.printed.mistakes import (
    PLAIN,
    Change,
    Habit,
    WrongSearch,
    habits,
    mistakes,
)
from slidewise.course.judge.printed.reference import ReferenceSearch, TracedSearch, agreed
from slidewise.course.judge.printed.submission import Submission, WorkRow
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
    named,
)

DEFAULT_EXPANSIONS = 300_000
"""Maximum expansions of all candidates together: about ten seconds."""

TELLING = 20
"""Minimum matching expansions after the first difference for a partial fit. Of hundreds of
candidates, some match a little further by chance."""

LONGEST_PLAIN = 200_000
"""Maximum expansions of a single candidate."""

_QUEUES = (
    *((ties, Queue.COUNTER) for ties in (Ties.LAST_IN, Ties.FIRST_IN, Ties.LOWER_H, Ties.HIGHER_G)),
    *((Ties.AS_QUEUED, queue) for queue in (Queue.BOARDS, Queue.HEAPQ, Queue.BINARY_HEAP)),
    (Ties.LOWER_G, Queue.COUNTER),
    *((ties, Queue.BOARDS) for ties in (Ties.LOWER_G, Ties.HIGHER_G, Ties.LOWER_H)),
)
"""Ways to break ties, in the order of the trials."""

ORDERS_SHARE = 20
"""Expansions per given row of all searches that follow the given order of equal nodes."""

MISTAKE_WEIGHT = 1.5
"""Weight of a mistake, in changed rules: mistakes are tried after 1 changed rule and before 2."""


@dataclass(frozen=True)
class Candidate:
    """A convention, with or without a mistake; `weight` grows with its distance from the task.

    `follows` are rows that break ties: of the boards that may come next, the board of the next row
    is taken.
    """

    convention: Convention
    weight: float
    mistake: WrongSearch | None = None
    habit: Habit | None = None
    follows: Sequence[WorkRow] = ()

    @property
    def change(self) -> Change:
        """Return the changes of its program to the plain search."""
        change = self.mistake.change if self.mistake else PLAIN
        switches = {**(self.habit.switches if self.habit else {}), **change.switches}
        return replace(change, switches=switches, follows=self.follows)

    @property
    def is_right(self) -> bool:
        """Return whether its program breaks no rule of the algorithm."""
        return self.mistake is None or self.mistake.harmless


@dataclass(frozen=True)
class Fit:
    """Result of a candidate: the number of matching expansions, and whether all rows match.

    `counts` are the counts of its whole search, `differing` the names of the counts that differ.
    """

    candidate: Candidate
    agreed: int
    whole: bool
    counts: dict[str, int]
    differing: tuple[str, ...] = ()

    @property
    def closeness(self) -> tuple[bool, bool, int, bool, int]:
        """Return the sort key of fits."""
        candidate = self.candidate
        is_named = not candidate.follows
        return self.whole, candidate.is_right, -len(self.differing), is_named, self.agreed


def conventions_from(base: Convention, algorithm: str) -> Iterator[Candidate]:
    """Yield the known conventions, each with the number of rules that differ from `base`."""
    known = [one.of(algorithm) for one in conventions().values()]
    changed = (
        replace(
            base, key=UNNAMED, **{name: rule for change in rules for name, rule in change.items()}
        )
        for rules in product(*_changes(algorithm))
    )
    for one in _unseen(base, [*known, *changed]):
        yield Candidate(one, 1 if one in known else len(differing(one, base)))


def _unseen(base: Convention, tried: Iterable[Convention]) -> Iterator[Convention]:
    """Yield the conventions whose rules differ from `base` and from all earlier conventions."""
    seen = {_rules(base)}
    for one in tried:
        if _rules(one) not in seen:
            seen.add(_rules(one))
            yield one


UNNAMED = "unnamed"
"""Key of a trial convention; `named` replaces it by a parsable name."""


def _changes(algorithm: str) -> list[list[dict[str, Any]]]:
    """Return the alternatives of each rule, with the rule unchanged first."""
    as_it_is: list[dict[str, Any]] = [{}]
    siblings = [{"siblings": one} for one in (Ties.FIRST_IN, Ties.LAST_IN)]
    queues = [{"ties": ties, "queue": queue} for ties, queue in _QUEUES]
    return [
        as_it_is + [{"order": order} for order in ORDERS],
        as_it_is + (siblings if algorithm == "dfs" else []),
        as_it_is + (queues if algorithm not in ("bfs", "dfs") else []),
        as_it_is + [{"duplicates": one} for one in Duplicates],
        as_it_is + [{"goal_test": one} for one in GoalTest],
    ]


def _near(base: Convention, algorithm: str) -> Iterator[Convention]:
    """Yield the named conventions, and the conventions with a single rule changed from `base`."""
    for one in conventions().values():
        yield one.of(algorithm)
    for rule in _changes(algorithm):
        for change in rule[1:]:
            yield replace(base, key=UNNAMED, **change)


def in_any_order(
    spec: ReferenceSearch, base: Convention, rows: Sequence[WorkRow]
) -> Iterator[Candidate]:
    """Yield each correct variant of the search, with ties broken as in the rows."""
    if spec.algorithm in ALGORITHMS:
        for goal_test in sorted(GoalTest, key=lambda one: one is not base.goal_test):
            # False sorts first, so the convention's own rules are tried first.
            for rule in sorted(Duplicates, key=lambda one: one is not base.duplicates):
                one = replace(base, key=UNNAMED, goal_test=goal_test, duplicates=rule)
                yield Candidate(one, 0, follows=rows)
        return
    for habit in (None, *habits(spec.algorithm)):
        yield Candidate(base, 0, habit=habit, follows=rows)


def candidates(spec: ReferenceSearch, base: Convention, rows: Sequence[WorkRow]) -> list[Candidate]:
    """Return all candidates, the simplest first."""
    found = list(_known(spec.algorithm, spec.heuristic, base))
    rules = (Duplicates.MADE, Duplicates.EXPANDED) if spec.algorithm in ALGORITHMS else ()
    for mistake in mistakes(spec.algorithm, spec.heuristic) if rows else ():
        if (spec.algorithm, mistake.key) == ("greedy", "h-is-zero"):
            continue  # all its nodes tie, so it would fit any rows
        under = _for(base, mistake)
        for one in (under, *(replace(under, key=UNNAMED, duplicates=rule) for rule in rules)):
            found.append(Candidate(one, MISTAKE_WEIGHT + 1.5, mistake, follows=rows))
    return sorted(found, key=lambda candidate: candidate.weight)


@lru_cache(maxsize=4)  # 8,000 candidates of a best-first search, the same for each submission
def _known(algorithm: str, heuristic: str | None, base: Convention) -> tuple[Candidate, ...]:
    """Return the candidates that do not depend on the rows."""
    find = _plain_candidates if habits(algorithm) else _best_first_candidates
    return tuple(find(algorithm, heuristic, base))


def _best_first_candidates(
    algorithm: str, heuristic: str | None, base: Convention
) -> Iterator[Candidate]:
    """Yield the candidates of a best-first search: conventions and mistakes."""
    yield from conventions_from(base, algorithm)
    for mistake in mistakes(algorithm, heuristic):
        under = _for(base, mistake)
        yield Candidate(under, MISTAKE_WEIGHT, mistake)
        for near in _unseen(under, _near(under, mistake.change.algorithm or algorithm)):
            yield Candidate(near, MISTAKE_WEIGHT + 1, mistake)


def _plain_candidates(
    algorithm: str, heuristic: str | None, base: Convention
) -> Iterator[Candidate]:
    """Yield the candidates of all other searches: orders, habits and mistakes."""
    orders = [replace(base, key=f"{base.key},order={order}", order=order) for order in ORDERS]
    for mistake in (None, *mistakes(algorithm, heuristic)):
        for habit in (None, *habits(algorithm)):
            weight = (MISTAKE_WEIGHT if mistake else 0) + (1 if habit else 0)
            yield Candidate(base, weight, mistake, habit)
            for order in orders:
                yield Candidate(order, weight + 1, mistake, habit)


def _for(base: Convention, mistake: WrongSearch) -> Convention:
    """Return the convention for the algorithm that a mistaken program in fact runs."""
    if mistake.change.algorithm is None:
        return base
    return find_convention(f"slidewise,order={base.order}", mistake.change.algorithm)


class Explained:
    """The simplest full fit among candidates, otherwise the longest partial fit beyond `before`.

    `expansions` is the search effort. `complete` is True if all candidates were tried.
    `orders_tried` is True if all correct searches with the given order of ties were tried.
    """

    def __init__(self, spec: ReferenceSearch, given: Submission, before: int) -> None:
        self._spec, self._given, self._before = spec, given, before
        self.fit: Fit | None = None
        self.expansions, self.complete, self.orders_tried = 0, True, True

    def search(self, base: Convention, most: int, *, is_wrong: bool) -> None:
        """Search for the best explanation, in about `most` expansions.

        Mistakes are tried only if no correct program fits the rows, or, without rows, if
        `is_wrong`.
        """
        spec, rows, right = self._spec, self._given.rows, None
        if rows:
            right = self.first(in_any_order(spec, base, rows), ORDERS_SHARE * (len(rows) + 50))
            self.orders_tried = self.complete
        tried = candidates(spec, base, rows)
        if right is not None or not (rows or is_wrong):
            tried = [one for one in tried if one.is_right]
        self.first(tried, most)
        self.fit = _named(self.fit)

    def first(self, tried: Iterable[Candidate], most: int) -> Fit | None:
        """Return the first candidate that fits completely, or None.

        Spends about `most` expansions.
        """
        end = self.expansions + most
        for candidate in tried:
            if self.expansions >= end:
                self.complete = False
                return None
            search = self._spec.traced(candidate.convention, candidate.change)
            fit = _fit(search, candidate, self._given, end - self.expansions, self._before)
            search.close()
            self.expansions += len(search.nodes) + 1
            if fit is None:
                continue
            if self.fit is None or fit.closeness > self.fit.closeness:
                self.fit = fit
            if fit.whole and not fit.differing:
                return fit
        return None


def _fit(
    tried: TracedSearch, candidate: Candidate, given: Submission, most: int, before: int
) -> Fit | None:
    """Return a full fit, a partial fit clearly beyond `before` expansions, or None."""
    rows = given.rows
    number = agreed(tried, rows, most) if rows else 0
    # A partial fit must also cover half of the rows, or it explains too little.
    is_significant = number >= before + TELLING and 2 * number >= len(rows)
    partial = Fit(candidate, number, False, {}) if is_significant else None
    if number < len(rows):
        return partial
    if tried.endless and rows:
        return Fit(candidate, number, True, {})
    longest = min(most, LONGEST_PLAIN)
    if rows:
        # An extra expansion shows whether the search ends with the rows.
        longest = len(rows) + 1
    elif "expanded" in given.counts:
        longest = min(longest, given.counts["expanded"] + 2)
    if not tried.run(longest) or (rows and len(tried.nodes) > len(rows)):
        return partial
    # A search that follows the rows may end with another path.
    if given.moves is not None and tried.moves() != given.moves and not candidate.follows:
        return None
    counts = tried.counts()
    wrong = tuple(
        name
        for name, value in given.counts.items()
        if counts.get(name) != value and name not in tried.uncounted
    )
    if wrong and not rows:
        return None
    return Fit(candidate, number, True, counts, wrong)


def differing(one: Convention, base: Convention) -> list[str]:
    """Return the rules that differ between two conventions; ties and queue are a single rule."""
    names = ["order", "siblings", "goal_test", "duplicates"]
    found = [name for name in names if getattr(one, name) != getattr(base, name)]
    if (one.ties, one.queue) != (base.ties, base.queue):
        found.append("ties")
    return found


def _named(fit: Fit | None) -> Fit | None:
    """Return a fit whose convention has a name that `find_convention` accepts."""
    if fit is None or fit.candidate.convention.key != UNNAMED:
        return fit
    convention = named(fit.candidate.convention, SLIDEWISE)
    return replace(fit, candidate=replace(fit.candidate, convention=convention))


def _rules(one: Convention) -> tuple[object, ...]:
    return one.order, one.ties, one.siblings, one.goal_test, one.duplicates, one.queue
