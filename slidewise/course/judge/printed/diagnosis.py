"""The first difference of a submission, the reason for the expected side, and its explanation."""

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.printed.candidates import Fit, differing
from slidewise.course.judge.printed.mistakes import NOTEBOOKS, find_rules
from slidewise.course.judge.printed.reading import Submission, WorkRow, legal_moves
from slidewise.course.judge.printed.reference import ReferenceSearch, wrong_value
from slidewise.json_schema import Keywords
from slidewise.puzzle import Board, PuzzleError, steps
from slidewise.puzzle.moves import opposite, play
from slidewise.solver.convention import (
    ALGORITHMS,
    ORDERS,
    SLIDEWISE,
    Convention,
    Queue,
    Ties,
    named,
)
from slidewise.solver.events import Expanded, Finished, Successor
from slidewise.solver.result import Result, Status
from slidewise.solver.run import search

PLAIN_EXPANSIONS = 200_000
"""Expansions of the plain loop under another convention, some ten seconds."""

NOTEBOOK_EXPANSIONS = 20_000
"""Maximum expansions of a notebook's search, which may not terminate."""

SHOWN_BEFORE = 8
"""Boards shown before the first difference."""


class DifferenceKind:
    """Kind of the first difference."""

    EXPANSION = "expansion"
    VALUE = "value"
    ENDED = "ended early"
    WENT_ON = "went on"
    ILLEGAL = "illegal move"
    NOT_SOLVED = "not solved"
    PATH = "path"
    LENGTH = "length"
    ANSWER = "answer"
    COUNT = "count"


class Shown(NamedTuple):
    """A board of the strip: its number, and its mark (right, wrong or next)."""

    number: int
    board: Board
    mark: str


@dataclass(frozen=True)
class Divergence:
    """The first difference: its kind, its expansion or step, and both sides.

    `yours` and `expected` are in words, `your_board` and `board` the boards if any. `line` is the
    line in the submission. `strip` shows the boards around it.
    """

    kind: str
    number: int
    yours: str
    expected: str
    name: str = ""
    line: int | None = None
    your_board: Board | None = None
    board: Board | None = None
    strip: tuple[Shown, ...] = ()

    @property
    def title(self) -> str:
        """Describe its position."""
        at = f"{self.number:,}"
        return {
            DifferenceKind.EXPANSION: f"First difference at expansion {at}",
            DifferenceKind.VALUE: f"First difference at expansion {at}, in {self.name}",
            DifferenceKind.ENDED: f"Your list ends after expansion {at}",
            DifferenceKind.WENT_ON: f"Your list goes on at expansion {at}",
            DifferenceKind.ILLEGAL: f"Step {at} of your path is not a legal move",
            DifferenceKind.NOT_SOLVED: "Your path does not end at the goal",
            DifferenceKind.PATH: f"First difference at step {at} of the path",
            DifferenceKind.LENGTH: "Your path is not of the shortest length",
            DifferenceKind.ANSWER: "Your answer is not right",
            DifferenceKind.COUNT: f"First difference in a count: {self.name}",
        }[self.kind]


def reference(spec: ReferenceSearch, convention: str, trace: int) -> Iterator[Expanded | Finished]:
    """Yield the expansions and the result of the reference search."""
    if convention.partition(",")[0] in NOTEBOOKS and spec.algorithm not in ALGORITHMS:
        yield from _notebook_events(spec, convention, trace)
        return
    plain = convention != "slidewise" and spec.algorithm in ALGORITHMS
    limits = spec.limits
    if plain:
        most = min(limits.expansions or PLAIN_EXPANSIONS, PLAIN_EXPANSIONS)
        limits = replace(limits, expansions=most)
    for event in search(
        spec.puzzle,
        spec.algorithm,
        spec.heuristic,
        limits,
        weight=float(spec.weight),
        trace=trace,
        convention=convention,
    ):
        if isinstance(event, (Expanded, Finished)):
            yield event


def _notebook_events(
    spec: ReferenceSearch, convention: str, trace: int
) -> Iterator[Expanded | Finished]:
    """Yield the events of a notebook's search, which ends with a path or without one."""
    plain = spec.traced(find_rules(convention, spec.algorithm))
    ended = plain.run(max(trace, NOTEBOOK_EXPANSIONS))
    for order, node in enumerate(plain.nodes[:trace], 1):
        board = _board(spec, node.cells)
        yield Expanded(order, order, None, board, node.g, int(node.h), int(node.f), ())
    *_, last = reference(spec, "slidewise", 0)
    assert isinstance(last, Finished)
    result, moves = last.result, plain.moves()
    counts: dict[str, Any] = plain.counts()
    counts.pop("length", None)
    is_solved = moves or spec.puzzle.start == spec.puzzle.goal
    status = Status.SOLVED if is_solved else Status.EXHAUSTED
    length = len(moves) if status is Status.SOLVED else None
    status = status if ended else Status.CUTOFF
    yield Finished(replace(result, status=status, moves=moves, length=length, **counts))


def compare_rows(
    spec: ReferenceSearch, convention: str, given: Submission
) -> tuple[Divergence | None, int, Result]:
    """Return the first difference between the rows and the reference expansions, if any.

    The number of rows that agree and the result of the reference search follow.
    """
    rows, found, agreed = given.rows, None, 0
    before: deque[Shown] = deque(maxlen=SHOWN_BEFORE)
    result = None
    for event in reference(spec, convention, len(rows) + 1 if rows else 0):
        if isinstance(event, Finished):
            result = event.result
        elif found is None:
            found = _difference(spec, rows, event, before)
            agreed += found is None
            before.append(Shown(event.order, event.board, "right"))
    assert result is not None
    if found is None and len(rows) > agreed and not _ends_as_given(rows, agreed, result):
        extra = _board(spec, rows[agreed].cells)
        found = Divergence(
            DifferenceKind.WENT_ON,
            agreed + 1,
            str(extra),
            "the goal, which ends the search" if result.length is not None else "nothing more",
            line=rows[agreed].line,
            your_board=extra,
            strip=(*before, Shown(agreed + 1, extra, "wrong")),
        )
    return found, agreed, result


def _difference(
    spec: ReferenceSearch, rows: tuple[WorkRow, ...], event: Expanded, before: deque[Shown]
) -> Divergence | None:
    """Return the difference between an expansion and its row, if any."""
    number, last = event.order, len(rows)
    if number > last:
        return Divergence(
            DifferenceKind.ENDED,
            last,
            "nothing more",
            str(event.board),
            line=rows[-1].line,
            board=event.board,
            strip=(*before, Shown(number, event.board, "next")),
        )
    row, wrong = rows[number - 1], None
    if row.cells == bytes(event.board.cells):
        wrong = wrong_value(row, event, spec.f_scale)
        if not wrong:
            return None
    yours = _board(spec, row.cells)
    shown = [Shown(number, yours, "wrong")]
    if wrong is None and number < last:
        shown.append(Shown(number + 1, _board(spec, rows[number].cells), "next"))
    found = Divergence(
        DifferenceKind.EXPANSION,
        number,
        str(yours),
        str(event.board),
        line=row.line,
        your_board=yours,
        board=event.board,
        strip=(*before, *shown),
    )
    if wrong is None:
        return found
    value = event.f / spec.f_scale if wrong == "f" else getattr(event, wrong)
    words = f"{row.values[wrong]:g}", f"{value:g}"
    return replace(found, kind=DifferenceKind.VALUE, name=wrong, yours=words[0], expected=words[1])


def _ends_as_given(rows: tuple[WorkRow, ...], agreed: int, result: Result) -> bool:
    """Return whether the search may go on as the rows, or the extra row is the goal."""
    goal = bytes(result.puzzle.goal.cells)
    is_goal = rows[agreed].cells == goal and agreed == len(rows) - 1
    return result.status is Status.CUTOFF or (result.status is Status.SOLVED and is_goal)


def lists_made(spec: ReferenceSearch, base: Convention, rows: tuple[WorkRow, ...]) -> bool:
    """Return whether rows are the boards in the order in which a search generates them.

    All orders of successors are tried, with all successors or those that join the frontier.
    """
    cells = [row.cells for row in rows]
    if cells[:1] == [bytes(spec.puzzle.start.cells)]:
        del cells[0]
    if len(cells) < MIN_MADE or spec.algorithm not in ALGORITHMS:
        return False
    for order in ORDERS:
        convention = named(replace(base, order=order), SLIDEWISE)
        kept, made = list[bytes](), list[bytes]()
        for event in reference(spec, str(convention), len(cells)):
            if isinstance(event, Finished):
                break
            new = [(bytes(one.board.cells), one.fate.is_kept) for one in event.successors]
            made += [board for board, _ in new]
            kept += [board for board, is_kept in new if is_kept]
            fitting = [one for one in (kept, made) if one[: len(cells)] == cells[: len(one)]]
            if any(len(one) >= len(cells) for one in fitting):
                return True
            if not fitting:
                break
    return False


MIN_MADE = 8
"""Minimum boards recognised as those generated; fewer can also be wrong expansions."""


def compare_path(spec: ReferenceSearch, given: Submission, result: Result) -> Divergence | None:
    """Return the first difference between the two paths, after the path's legality."""
    moves = given.moves
    if moves is None:
        return None
    start, goal = spec.puzzle.start, spec.puzzle.goal
    if given.is_backwards:
        words = f"the path ends at {start}", str(goal)
        return Divergence(DifferenceKind.NOT_SOLVED, len(moves), *words, your_board=start)
    try:
        board = play(start, moves)
    except PuzzleError as error:
        number = 1 + legal_moves(start, moves)
        expected = "a tile beside the blank moves"
        return Divergence(DifferenceKind.ILLEGAL, number, str(error), expected)
    if board != goal:
        kind = DifferenceKind.NOT_SOLVED
        yours = f"the moves lead to {board}"
        return Divergence(kind, len(moves), yours, str(goal), your_board=board)
    if result.length is None or moves == result.moves:
        return None
    pairs = zip(moves, result.moves, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(moves), result.length))
    return _other_path(start, moves, result.moves, same)


def _other_path(start: Board, moves: str, expected: str, same: int) -> Divergence:
    shown: list[Board | None] = []
    words = []
    for path in moves, expected:
        found = [*steps(start, path[: same + 1])]
        here = found[same] if len(found) > same else None
        shown.append(here.board if here else None)
        words.append(str(here).partition(": ")[2] if here else "no more moves")
    strip = [Shown(0, start, "right")]
    strip += [Shown(step.number, step.board, "right") for step in steps(start, moves[:same])]
    if shown[0]:
        strip.append(Shown(same + 1, shown[0], "wrong"))
    return Divergence(
        DifferenceKind.PATH,
        same + 1,
        words[0],
        words[1],
        your_board=shown[0],
        board=shown[1],
        strip=tuple(strip[-SHOWN_BEFORE - 1 :]),
    )


def compare_counts(
    given: Submission, result: Result, names: Collection[str] = ()
) -> Divergence | None:
    """Return the first known count that differs from the result, or the first of `names`."""
    if result.status is Status.CUTOFF:
        return None
    for name, value in given.counts.items():
        if names and name not in names:
            continue
        expected = getattr(result, name)
        if expected is not None and value != expected:
            return Divergence(
                DifferenceKind.COUNT, 0, f"{value:,}", f"{expected:,}", TITLES[name].lower()
            )
    return None


TITLES = {
    "length": "Path, moves",
    "expanded": "Expanded",
    "generated": "Generated",
    "peak_stored": "Reached",
    "peak_frontier": "Most waiting",
    "deepest": "Deepest",
}
"""Titles of the counts in tables."""


def _board(spec: ReferenceSearch, cells: bytes) -> Board:
    return Board(*spec.puzzle.start.size, tuple(cells))


WAYS = {"u": "up", "d": "down", "l": "left", "r": "right"}


@dataclass(frozen=True)
class Generation:
    """How a board was generated: the number and board of the expansion, and the successor."""

    order: int
    parent: Board
    successor: Successor

    @property
    def way(self) -> str:
        """Return the direction of the blank."""
        cols = self.parent.cols
        ways = {-cols: "up", cols: "down", -1: "left", 1: "right"}
        return ways[self.successor.board.blank - self.parent.blank]

    @property
    def words(self) -> str:
        """Return the origin of the board."""
        return f"from {self.order:,}, blank {self.way}"

    @property
    def tile(self) -> int:
        """Return the tile that moved into the blank."""
        return self.successor.board.cells[self.parent.blank]


@dataclass(frozen=True)
class Reason:
    """An explanation in a title and sentences. It also has, for each of the two boards, its origin
    in words and the moved tile."""

    title: str
    sentences: tuple[str, ...]
    yours_from: str = ""
    expected_from: str = ""
    yours_moved: int | None = None
    expected_moved: int | None = None


def listed(order: str) -> str:
    """Return an order of the blank's directions in words.

    >>> listed("udlr")
    'up, down, left, right'
    """
    return ", ".join(WAYS[way] for way in order)


class History:
    """Index of boards in the first expansions of a search."""

    def __init__(
        self, spec: ReferenceSearch, convention: str, boards: list[Board], expansions: int
    ) -> None:
        self.generations: dict[Board, list[Generation]] = {board: [] for board in boards}
        self.expanded: dict[Board, int] = {}
        for event in reference(spec, convention, expansions):
            if not isinstance(event, Expanded):
                break
            self._read(event)
            if event.order >= expansions:
                break

    def _read(self, event: Expanded) -> None:
        if event.board in self.generations:
            self.expanded.setdefault(event.board, event.order)
        for successor in event.successors:
            if successor.board in self.generations:
                self.generations[successor.board].append(
                    Generation(event.order, event.board, successor)
                )

    def last_kept(self, board: Board) -> Generation | None:
        """Return the last kept generation of a board on the frontier."""
        found = [entry for entry in self.generations[board] if entry.successor.fate.is_kept]
        return found[-1] if found else None


def explain(spec: ReferenceSearch, convention: Convention, found: Divergence) -> Reason:
    """Return the reason that the search expands another board than the given one."""
    yours, expected = found.your_board, found.board
    assert yours is not None
    assert expected is not None
    at = f"Expansion {found.number:,}"
    begun = _explain_start(spec, yours, expected)
    if begun is not None:
        return Reason(f"{at}: {begun[0]}", begun[1:])
    history = History(spec, str(convention), [yours, expected], found.number - 1)
    ours, theirs = history.last_kept(expected), history.last_kept(yours)
    again = history.expanded.get(yours)
    if again is not None and spec.algorithm in _REMEMBERING:
        why = [
            ": a board that was expanded before",
            f"You expand this board again: it was expanded before, at expansion {again:,}.",
            f"Here {convention.duplicates.words}.",
        ]
    elif theirs is None:
        why = [
            ": a board that is not on the frontier",
            *_not_waiting(spec, history, yours, convention),
        ]
    elif ours is None:
        how = _HOW_IT_GOES_ON.get(spec.algorithm)
        why = ["", how] if how else [""]
    else:
        why = _between(spec, convention, theirs, ours)
    title, *sentences = why
    return Reason(
        f"{at}{title}",
        tuple(sentences),
        theirs.words if theirs else "",
        ours.words if ours else "",
        theirs.tile if theirs else None,
        ours.tile if ours else None,
    )


def _explain_start(spec: ReferenceSearch, yours: Board, expected: Board) -> tuple[str, ...] | None:
    """Return the title and the reason for a start board, None for any other."""
    start, goal = spec.puzzle.start, spec.puzzle.goal
    if spec.algorithm == "bidirectional" and goal in (yours, expected):
        return "the turn of the other end", _HOW_IT_GOES_ON[spec.algorithm]
    if spec.algorithm not in ("iddfs", "idastar"):
        return None
    if yours == start:
        why = "You expand the start again, but there are still nodes within the limit."
        return "the start is expanded again too early", why
    if expected == start:
        why = (
            "No node within the limit is left, so the search begins again from the start with a "
            "higher limit."
        )
        return "a new iteration begins", why
    return None


def _not_waiting(
    spec: ReferenceSearch, history: History, board: Board, convention: Convention
) -> tuple[str, ...]:
    dropped = history.generations[board]
    if dropped:
        last = dropped[-1]
        origin = f"Expansion {last.order:,} generated it, and it was {last.successor.fate.reason}."
        if spec.algorithm not in _REMEMBERING:
            return (origin,)
        return origin, f"Here {convention.duplicates.words}."
    return (
        "No expansion so far has generated this board: it is not one move away from any board "
        "expanded.",
        "Check how your program generates successors.",
    )


def _between(
    spec: ReferenceSearch, convention: Convention, theirs: Generation, ours: Generation
) -> list[str]:
    """Return the title and the reasons that one of two frontier nodes comes first."""
    has_one_f = theirs.successor.f == ours.successor.f
    left_out = spec.algorithm in _HOW_IT_GOES_ON
    if theirs.order == ours.order and (has_one_f or spec.algorithm == "idastar"):
        order = f"{convention.title} generates successors in the order blank"
        return [
            f": another successor of {ours.order:,} comes first"
            if left_out
            else f": two successors of expansion {ours.order:,}, swapped",
            f"{order} {listed(convention.order)}.",
            f"You took {theirs.way} before {ours.way}{', or left it out' if left_out else ''}."
            if spec.algorithm in ("bfs", "dfs") or convention.ties is Ties.FIRST_IN
            else f"With equal f, {_tie(convention)}.",
        ]
    if spec.algorithm in ("greedy", "astar", "wastar", "ucs") and not has_one_f:
        value = {"greedy": "h", "ucs": "g"}.get(spec.algorithm, "f")
        return [
            f": a node with a lower {value} comes first",
            f"Yours has {_worked_out(spec, theirs)}, the expected one {_worked_out(spec, ours)}.",
            f"The node with the lowest {value} comes first.",
        ]
    origin = (
        f"Expansion {ours.order:,} generated the expected board, expansion {theirs.order:,} yours."
        if ours.order != theirs.order
        else f"Expansion {ours.order:,} generated both."
    )
    how = {
        "bfs": "The frontier is a queue: the oldest comes first.",
        "dfs": "The frontier is a stack: the newest comes first.",
        **_HOW_IT_GOES_ON,
    }.get(spec.algorithm)
    if how is not None:
        return [": another node on the frontier comes first", how, origin]
    return [": a tie", f"Both have {_worked_out(spec, ours)}; {_tie(convention)}.", origin]


_REMEMBERING = (*ALGORITHMS, "wastar")
"""Searches that have a rule for duplicate boards."""

_DEPTH_FIRST = (
    "The search goes depth first: a node is followed by its first successor within the limit and "
    "all that is below that one."
)
_HOW_IT_GOES_ON = {
    "iddfs": _DEPTH_FIRST,
    "idastar": _DEPTH_FIRST,
    "rbfs": "The successor with the lowest stored f comes first, as long as none further up has a "
    "lower one.",
    "bidirectional": "The smaller of the two outermost layers is expanded to its end, the "
    "start\u2019s if they are equal.",
}


def _tie(convention: Convention) -> str:
    if convention.ties is Ties.AS_QUEUED:
        return "whichever is at the front of the queue comes first"
    made = {Ties.FIRST_IN: "made first", Ties.LAST_IN: "made last"}
    which = made.get(convention.ties) or f"with the {convention.ties.value.replace('-', ' ')}"
    return f"the one {which} comes first"


def _worked_out(spec: ReferenceSearch, entry: Generation) -> str:
    node = entry.successor
    if spec.algorithm == "astar":
        return f"f = {node.g} + {node.h} = {node.f}"
    if spec.algorithm == "wastar":
        f = node.f / spec.f_scale
        return f"f = {node.g} + {float(spec.weight):g} \u00d7 {node.h} = {f:g}"
    return f"{'h' if spec.algorithm == 'greedy' else 'g'} = {node.f}"


_QUEUES = {
    "binary-heap": "in the order of a binary heap without a counter (Java's PriorityQueue, MinPQ)",
    "heapq": "in the order of Python's heapq when only f is compared",
    "boards": "by comparing the boards, as when a heap holds pairs of f and board",
}


@dataclass(frozen=True)
class Diagnosis:
    """The explanation of a submission: a convention, a mistake, or a way of counting.

    If not `whole`, it explains the first `agreed` expansions. `convention` is a name for
    `find_convention`.
    """

    kind: Annotated[str, Keywords(enum=["convention", "mistake", "count"])]
    key: str
    title: str
    text: str
    whole: Annotated[bool, "Whether it explains everything that was given."]
    agreed: int
    convention: str = ""
    mend: Annotated[str, "What to change, empty if nothing needs to be."] = ""
    right: Annotated[bool, "Whether it breaks no rule."] = False


def known_mistake(kind: str, key: str, more: str = "") -> Diagnosis:
    """Return the diagnosis of a known mistake that explains everything, `more` after its text."""
    one = catalogue()[key]
    return Diagnosis(kind, key, one.title, f"{one.text}{more}", True, 0, mend=one.mend)


SURE_EXPANSIONS = 40
"""Minimum expansions for naming a mistake; with fewer, a right program can give the same rows."""

_OTHERS = (
    "So little can fit other programs too: to be sure, give the boards in the order in which they "
    "are expanded, for a board that takes a hundred or more."
)


def explanation(
    fit: Fit, base: Convention, given: Submission, at: int, doubt: str, algorithm: str
) -> Diagnosis:
    """Describe a fit; the first difference is `at` an expansion, 0 for none.

    `algorithm` is the title of the search.
    """
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    rules = rule_words(one, base, at)
    if fit.candidate.habit is not None:
        rules.append(fit.candidate.habit.words)
    own = bool(fit.candidate.follows)
    if own:
        rules.append(_OWN_ORDER)
    if fit.agreed < len(given.rows):
        return _near(fit, base, given, rules)
    if mistake is not None and mistake.harmless:
        text = f"{_all_of(given)} fit a program that does so. {mistake.text}{_and(rules)}"
        return Diagnosis(
            "convention", mistake.key, mistake.title, text, True, fit.agreed, right=True
        )
    if mistake is not None:
        text = f"{_all_of(given)} fit a program with this mistake."
        possible = ""
        if len(given.rows) < SURE_EXPANSIONS:
            possible = "A possible cause: "
            text += f" {_OTHERS}"
        return Diagnosis(
            "mistake",
            mistake.key,
            possible + mistake.title,
            f"{text} {mistake.text}{_and(rules)}",
            fit.whole,
            fit.agreed,
            str(one),
            mistake.mend,
        )
    title = f"{_all_of(given)} fit {_short(one, base)}"
    if own:
        title = f"{_all_of(given)} keep to the rules of {algorithm}"
    text = _sentence(rules)
    if one.order == opposite(base.order.upper()).lower():
        named_order = listed(base.order)
        turned = f"That is \u201c{named_order}\u201d applied to the tile instead of the blank."
        text = turned if len(rules) == 1 else f"{text} {turned}"
    mend = _ADVICE.get(one.duplicates.key, "") if "duplicates" in differing(one, base) else ""
    if doubt:
        text += f" With this A* can miss the shortest path: {doubt}."
        mend = "" if one.duplicates.decreases_key else _KEEP_THE_SHORTER_PATH
    key, text_of = ("own-order", "") if own else (_key(fit), str(one))
    return Diagnosis("convention", key, title, text, fit.whole, fit.agreed, text_of, mend, True)


def _and(rules: list[str]) -> str:
    return f" And {'; '.join(rules)}." if rules else ""


def _sentence(rules: list[str]) -> str:
    """Join rules to one sentence."""
    text = "; ".join(rule.removesuffix(".") for rule in rules)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _key(fit: Fit) -> str:
    """Return the name of a convention with the rules that the name omits."""
    one, habit = fit.candidate.convention, fit.candidate.habit
    return f"{one},{habit.key}" if habit else str(one)


def _near(fit: Fit, base: Convention, given: Submission, rules: list[str]) -> Diagnosis:
    """Describe a partial fit: the last matching expansion, and no remedy."""
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    what = mistake.title if mistake is not None else _short(one, base)
    description = mistake.text if mistake is not None else ""
    more = _sentence(rules)
    return Diagnosis(
        "convention" if mistake is None else "mistake",
        _key(fit) if mistake is None else mistake.key,
        f"\u201c{what[:1].upper()}{what[1:]}\u201d fits as far as expansion {fit.agreed:,}, "
        "not further",
        f"It does not explain expansion {fit.agreed + 1:,} of your {len(given.rows):,}, so it is "
        f"not the whole answer, or not the right one. {' '.join((description, more)).strip()}",
        False,
        fit.agreed,
        str(one),
    )


_OWN_ORDER = "where several boards may come next, you take them in an order of your own"

_VISITED = (
    "Boards are expanded more than once. Keep a set of the boards reached, and leave out "
    "successors that are in it."
)
_ADVICE = {
    "nothing": _VISITED,
    "parent": _VISITED,
    "expanded-stale": "A board that waits twice is expanded twice. A test such as `board in heap` "
    "never finds it in a heap of pairs (f, board): keep a set of the boards that wait.",
}
"""Names of harmless shortcuts, by rule for duplicate boards."""

_KEEP_THE_SHORTER_PATH = (
    "When you find a shorter path to a board on the frontier, keep that one: push the node again, "
    "or lower its key."
)


def _all_of(given: Submission) -> str:
    """Name the given parts, as the subject of a sentence."""
    total = len(given.rows)
    if not total:
        return "Your path and counts" if given.moves is not None else "Your counts"
    return f"All {total:,}"


def _short(one: Convention, base: Convention) -> str:
    rules = differing(one, base)
    if "," not in str(one) and one.key != base.key:
        return f"the convention of {one.title}"
    if rules == ["order"]:
        return f"blank {listed(one.order)}"
    if not rules:
        return "another way to write the search"
    if rules == ["ties"]:
        return f"ties {tie_words(one)}"
    return "another convention"


def tie_words(one: Convention) -> str:
    """Describe the tie-breaking rule.

    >>> from slidewise import find_convention
    >>> tie_words(find_convention("slidewise,ties=last-in"))
    'last in, first out'
    """
    if one.ties is Ties.AS_QUEUED:
        return _QUEUES[one.queue.value]
    by_age = {Ties.FIRST_IN: "first in, first out", Ties.LAST_IN: "last in, first out"}
    words = by_age.get(one.ties) or f"the {one.ties.value.replace('-', ' ')} first"
    return f"{words}{', then by comparing the boards' if one.queue is Queue.BOARDS else ''}"


def rule_words(one: Convention, base: Convention, at: int) -> list[str]:
    """Describe each rule that differs from `base`, as visible from expansion `at`."""
    words = {
        "order": f"you generate successors in the order blank {listed(one.order)}",
        "siblings": f"of a node's successors you continue with the {_sibling(one)}",
        "goal_test": f"you look for the goal when a node is {one.goal_test.value}",
        "duplicates": f"your rule for boards met again: {one.duplicates.words}",
        "ties": f"{'from here on ' if at > 1 else ''}your ties are {tie_words(one)}",
    }
    return [words[rule] for rule in differing(one, base)]


def _sibling(one: Convention) -> str:
    return (
        "one made first"
        if one.siblings is Ties.FIRST_IN
        else "one made last (not pushed in reverse)"
    )
