"""The first difference of a submission, the reason for the expected side, and its explanation."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import islice
from typing import Annotated, Any, NamedTuple

from slidewise.course.judge.catalogue import catalogue
from slidewise.course.judge.printed.candidates import Fit, differing
from slidewise.course.judge.printed.mistakes import written_as
from slidewise.course.judge.printed.reference import (
    ReferenceSearch,
    TracedSearch,
    agreed,
    wrong_value,
)
from slidewise.course.judge.printed.submission import Submission, WorkRow, legal_moves
from slidewise.course.searching.recording import order_words
from slidewise.json_schema import Keywords
from slidewise.puzzle import Board, PuzzleError, parse_board, steps
from slidewise.puzzle.moves import opposite, play
from slidewise.solver.convention import (
    ALGORITHMS,
    DIRECTION_NAMES,
    ORDERS,
    SLIDEWISE,
    Convention,
    GoalTest,
    Queue,
    Ties,
)
from slidewise.solver.events import Expanded, Successor
from slidewise.solver.loop import Outcome
from slidewise.solver.plain.search import PlainSearch, Watcher
from slidewise.solver.result import Result, Status
from slidewise.solver.run import solve
from slidewise.text import message, noop, with_commas

PLAIN_EXPANSIONS = 200_000
"""Maximum expansions of the plain loop under another convention: about ten seconds."""

NOTEBOOK_EXPANSIONS = 20_000
"""Maximum expansions of a notebook's search, which may not terminate."""

SHOWN_BEFORE = 8
"""Boards shown before the first difference."""

NOTHING_MORE = message("nothing more")
"""The side of a list that has ended."""


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
    board: str
    mark: str


@dataclass(frozen=True)
class Divergence:
    """The first difference: its kind, its expansion or step, and both sides in words.

    `reason` and `why` are the title and the sentences of an explanation. Boards come with the
    origin and the moved tile, if known. `boards` are the boards around the difference.
    """

    kind: Annotated[str, "Where the difference is, such as `expansion`, `path` or `count`."]
    number: int
    title: str = field(init=False)
    name: Annotated[str, "The count, or the value, that differs."] = field(default="", kw_only=True)
    line: Annotated[int | None, "The line of the text given."] = field(default=None, kw_only=True)
    yours: str
    expected: str
    reason: str = ""
    why: tuple[str, ...] = ()
    your_board: str | None = None
    your_board_from: str = ""
    your_board_moved: int | None = None
    expected_board: str | None = None
    expected_board_from: str = ""
    expected_board_moved: int | None = None
    boards: tuple[Shown, ...] = ()

    def __post_init__(self) -> None:
        title = message(_TITLES[self.kind], at=self.number, name=self.name)
        object.__setattr__(self, "title", title)


_TITLES = {
    DifferenceKind.EXPANSION: noop("First difference at expansion %(at)s"),
    DifferenceKind.VALUE: noop("First difference at expansion %(at)s, in %(name)s"),
    DifferenceKind.ENDED: noop("Your list ends after expansion %(at)s"),
    DifferenceKind.WENT_ON: noop("Your list goes on at expansion %(at)s"),
    DifferenceKind.ILLEGAL: noop("Step %(at)s of your path is not a legal move"),
    DifferenceKind.NOT_SOLVED: noop("Your path does not end at the goal"),
    DifferenceKind.PATH: noop("First difference at step %(at)s of the path"),
    DifferenceKind.LENGTH: noop("Your path is not of the shortest length"),
    DifferenceKind.ANSWER: noop("Your answer is not right"),
    DifferenceKind.COUNT: noop("First difference in a count: %(name)s"),
}
"""Templates of the titles of differences."""


def compare_rows(
    spec: ReferenceSearch, rules: Convention, given: Submission
) -> tuple[Divergence | None, int, Result]:
    """Return the first difference between the rows and the reference expansions, or None.

    Also returned are the number of rows that agree, and the result of the reference search.
    """
    is_notebook, limits = bool(written_as(rules)), spec.limits
    if not rules.is_own and spec.algorithm in ALGORITHMS:  # it has no compiled form
        most = min(limits.expansions or PLAIN_EXPANSIONS, PLAIN_EXPANSIONS)
        limits = replace(limits, expansions=most)
    result = solve(
        spec.puzzle,
        spec.algorithm,
        spec.heuristic,
        limits,
        weight=float(spec.weight),
        convention=SLIDEWISE.key if is_notebook else str(rules),
    )
    if not given.rows and not is_notebook:
        return None, 0, result
    search = spec.traced(rules)
    same = agreed(search, given.rows)
    if is_notebook:
        result = _of_notebook(search, result)
    # The goal agrees as the last row, but it is not an expansion.
    expanded = min(same, len(search.nodes))
    return _difference(spec, given.rows, search, same, result), expanded, result


def _of_notebook(search: TracedSearch, result: Result) -> Result:
    """Return the result with the path and the counts of a notebook's search."""
    ended = search.run(max(len(search.nodes), NOTEBOOK_EXPANSIONS))
    is_solved = search.ended is Outcome.GOAL
    status = Status.SOLVED if is_solved else Status.EXHAUSTED if ended else Status.CUTOFF
    counts: dict[str, Any] = {"length": None, **search.counts()}
    return replace(result, status=status, moves=search.moves(), **counts)


def _difference(
    spec: ReferenceSearch,
    rows: tuple[WorkRow, ...],
    search: TracedSearch,
    same: int,
    result: Result,
) -> Divergence | None:
    """Return the difference after the first `same` rows, which agree with the search, if any."""
    row = rows[same] if same < len(rows) else None
    node = search.nodes[same] if same < len(search.nodes) or search.step() else None
    if not rows or (row is None and node is None):
        return None
    yours = _code(spec, row.cells) if row else None
    board = _code(spec, node.cells) if node else None
    kind, number, name = DifferenceKind.EXPANSION, same + 1, ""
    words = yours or NOTHING_MORE, board or NOTHING_MORE
    boards = [
        Shown(at, _code(spec, rows[at - 1].cells), "right")
        for at in range(max(1, number - SHOWN_BEFORE), number)
    ]
    boards.append(Shown(number, yours or board or "", "wrong" if yours else "next"))
    if row is None:
        kind, number = DifferenceKind.ENDED, same
    elif node is None:
        kind = DifferenceKind.WENT_ON
        if result.length is not None:
            words = words[0], message("the goal, which ends the search")
    elif row.cells != node.cells:
        following = rows[number : number + 1]
        boards += [Shown(number + 1, _code(spec, one.cells), "next") for one in following]
    else:
        kind, name = DifferenceKind.VALUE, wrong_value(row, node, search.f_scale)
        value = node.f / search.f_scale if name == "f" else getattr(node, name)
        words = f"{row.values[name]:g}", f"{value:g}"
    return Divergence(
        kind,
        number,
        *words,
        name=name,
        line=(row or rows[-1]).line,
        your_board=yours,
        expected_board=board,
        boards=tuple(boards),
    )


class _Expansions(Watcher):
    """The new expansions of a search."""

    def __init__(self) -> None:
        self.new: list[Expanded] = []

    def expand(self, search: PlainSearch, expansion: Expanded) -> None:
        """Store an expansion."""
        self.new.append(expansion)


def expansions(spec: ReferenceSearch, rules: Convention, most: int) -> Iterator[Expanded]:
    """Yield the first expansions of the reference search, with their successors."""
    search, outcome = spec.search(spec.task(rules)), Outcome.RUNNING
    search.watcher = watcher = _Expansions()
    while outcome is Outcome.RUNNING and search.expanded < most:
        outcome = search.advance(1)
        yield from watcher.new
        watcher.new.clear()


def lists_made(spec: ReferenceSearch, base: Convention, rows: tuple[WorkRow, ...]) -> bool:
    """Return whether the rows are in the order of generation instead of expansion.

    All orders of successors are tried, with all successors or only the successors that are stored.
    """
    cells = [row.cells for row in rows]
    # No expansion generates the start.
    if cells[:1] == [bytes(spec.puzzle.start.cells)]:
        del cells[0]
    if len(cells) < MIN_MADE or spec.algorithm not in ALGORITHMS:
        return False
    for order in ORDERS:
        kept, made = list[bytes](), list[bytes]()
        for event in expansions(spec, replace(base, order=order), len(cells)):
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
"""Minimum rows for recognising the order of generation; fewer can also be wrong expansions."""


def compare_path(spec: ReferenceSearch, given: Submission, result: Result) -> Divergence | None:
    """Return the first difference between the paths, or the reason that the path is wrong."""
    moves = given.moves
    if moves is None:
        return None
    start, goal = spec.puzzle.start, spec.puzzle.goal
    if given.is_backwards:
        words = message("the path ends at %(board)s", board=str(start)), str(goal)
        return Divergence(DifferenceKind.NOT_SOLVED, len(moves), *words, your_board=str(start))
    try:
        board = play(start, moves)
    except PuzzleError as error:
        number = 1 + legal_moves(start, moves)
        expected = message("a tile beside the blank moves")
        return Divergence(DifferenceKind.ILLEGAL, number, error.args[0], expected)
    if board != goal:
        kind = DifferenceKind.NOT_SOLVED
        yours = message("the moves lead to %(board)s", board=str(board))
        return Divergence(kind, len(moves), yours, str(goal), your_board=str(board))
    if result.length is None or moves == result.moves:
        return None
    pairs = zip(moves, result.moves, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(moves), result.length))
    return _other_path(start, moves, result.moves, same)


def _other_path(start: Board, moves: str, expected: str, same: int) -> Divergence:
    """Return the difference of two paths after their common part."""
    boards, words = list[str | None](), list[str]()
    for path in moves, expected:
        here = next(islice(steps(start, path[: same + 1]), same, None), None)
        boards.append(str(here.board) if here else None)
        moved = message(_MOVES[here.direction], tile=here.tile) if here else None
        words.append(moved or message("no more moves"))
    strip = [Shown(0, str(start), "right")]
    strip += [Shown(step.number, str(step.board), "right") for step in steps(start, moves[:same])]
    if boards[0]:
        strip.append(Shown(same + 1, boards[0], "wrong"))
    return Divergence(
        DifferenceKind.PATH,
        same + 1,
        words[0],
        words[1],
        your_board=boards[0],
        expected_board=boards[1],
        boards=tuple(strip[-SHOWN_BEFORE - 1 :]),
    )


_MOVES = {
    "U": noop("tile %(tile)s moves up; the blank moves down"),
    "D": noop("tile %(tile)s moves down; the blank moves up"),
    "L": noop("tile %(tile)s moves left; the blank moves right"),
    "R": noop("tile %(tile)s moves right; the blank moves left"),
}


def compare_counts(
    given: Submission, result: Result, names: Collection[str] = ()
) -> Divergence | None:
    """Return the first count that differs from the result, of `names` only if given."""
    if result.status is Status.CUTOFF:
        return None
    for name, value in given.counts.items():
        if names and name not in names:
            continue
        expected = getattr(result, name)
        if expected is not None and value != expected:
            words = f"{value:,}", f"{expected:,}"
            return Divergence(DifferenceKind.COUNT, 0, *words, name=COUNT_NAMES[name])
    return None


TITLES = {
    "length": message("Path, moves"),
    "expanded": message("Expanded"),
    "generated": message("Generated"),
    "peak_stored": message("Reached"),
    "peak_frontier": message("Most waiting"),
    "deepest": message("Deepest"),
}
"""Titles of the counts in tables."""

COUNT_NAMES = {
    "length": message("path, moves"),
    "expanded": message("expanded"),
    "generated": message("generated"),
    "peak_stored": message("reached"),
    "peak_frontier": message("most waiting"),
    "deepest": message("deepest"),
}
"""Names of the counts in sentences."""


def _code(spec: ReferenceSearch, cells: bytes) -> str:
    return str(Board(*spec.puzzle.start.size, tuple(cells)))


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
        ways = {-cols: "u", cols: "d", -1: "l", 1: "r"}
        return DIRECTION_NAMES[ways[self.successor.board.blank - self.parent.blank]]

    @property
    def words(self) -> str:
        """Return the origin of the board."""
        return message("from %(number)s, blank %(way)s", number=self.order, way=self.way)

    @property
    def tile(self) -> int:
        """Return the tile that moved into the blank."""
        return self.successor.board.cells[self.parent.blank]


def listed(order: str) -> object:
    """Return an order of the blank's directions in words.

    >>> listed("udlr")
    'up, down, left, right'
    """
    return with_commas([DIRECTION_NAMES[way] for way in order])


def explain(spec: ReferenceSearch, convention: Convention, found: Divergence) -> Divergence:
    """Return a difference with the reason that the search expands another board."""
    yours, expected = parse_board(found.your_board or ""), parse_board(found.expected_board or "")
    start, goal = spec.puzzle.start, spec.puzzle.goal
    reasons = _Reasons(spec, convention, yours, expected)
    if spec.algorithm == "bidirectional" and goal in (yours, expected):
        title = noop("Expansion %(number)s: the turn of the other end")
        why = reasons.order
    elif spec.algorithm in ("iddfs", "idastar") and yours == start:
        title = noop("Expansion %(number)s: the start is expanded again too early")
        why = [message("You expand the start again, but there are still nodes within the limit.")]
    elif spec.algorithm in ("iddfs", "idastar") and expected == start:
        title = noop("Expansion %(number)s: a new iteration begins")
        why = [
            message(
                "No node within the limit is left, so the search begins again from the start with "
                "a higher limit."
            )
        ]
    else:
        title, *why = reasons.after(found.number - 1)
    ours, theirs = reasons.ours, reasons.theirs
    return replace(
        found,
        reason=message(title, number=found.number, before=ours.order if ours else 0),
        why=tuple(why),
        your_board_from=theirs.words if theirs else "",
        your_board_moved=theirs.tile if theirs else None,
        expected_board_from=ours.words if ours else "",
        expected_board_moved=ours.tile if ours else None,
    )


class _Reasons:
    """The reasons that a search expands a board before another.

    `theirs` and `ours` are the last generations at which the boards were stored, None if unknown.
    """

    def __init__(
        self, spec: ReferenceSearch, convention: Convention, yours: Board, expected: Board
    ) -> None:
        self._spec, self._convention = spec, convention
        self._yours, self._expected = yours, expected
        self._remembers = spec.algorithm in (*ALGORITHMS, "wastar")
        self.theirs: Generation | None = None
        self.ours: Generation | None = None

    def after(self, most: int) -> list[str]:
        """Return a title and the reasons after the first `most` expansions."""
        made: dict[Board, list[Generation]] = {self._yours: [], self._expected: []}
        again = 0
        # The search runs again, so that only the generations of these two boards are stored.
        for event in expansions(self._spec, self._convention, most):
            if event.board == self._yours:
                again = again or event.order
            for successor in event.successors:
                if successor.board in made:
                    found = Generation(event.order, event.board, successor)
                    made[successor.board].append(found)
        self.theirs, self.ours = (
            next((one for one in reversed(found) if one.successor.fate.is_kept), None)
            for found in made.values()
        )
        if again and self._remembers:
            repeated = message(
                "You expand this board again: it was expanded before, at expansion %(number)s.",
                number=again,
            )
            title = noop("Expansion %(number)s: a board that was expanded before")
            return [title, repeated, self._duplicates]
        if self.theirs is None:
            title = noop("Expansion %(number)s: a board that is not on the frontier")
            return [title, *self._not_waiting(made[self._yours])]
        if self.ours is None:
            return [noop("Expansion %(number)s"), *self.order]
        return self._between(self.theirs, self.ours)

    @property
    def order(self) -> list[str]:
        """Return the rules for the next node."""
        task = self._spec.task(self._convention)
        more = task.algorithm.frontier.by_hand if task.algorithm.frontier else ""
        return [order_words(task), *([more] if more else [])]

    @property
    def _duplicates(self) -> str:
        return message("Here %(rule)s.", rule=self._convention.duplicates.words)

    def _not_waiting(self, dropped: list[Generation]) -> list[str]:
        if not dropped:
            return [
                message(
                    "No expansion so far has generated this board: it is not one move away from "
                    "any board expanded."
                ),
                message("Check how your program generates successors."),
            ]
        origin = message(
            "Expansion %(number)s generated it, and it was %(fate)s.",
            number=dropped[-1].order,
            fate=dropped[-1].successor.fate.reason,
        )
        return [origin, self._duplicates] if self._remembers else [origin]

    def _between(self, theirs: Generation, ours: Generation) -> list[str]:
        """Return the title and the reasons for the order of two frontier nodes."""
        # In IDA* successors of the same board follow their order, whatever their f.
        has_one_f = theirs.successor.f == ours.successor.f
        algorithm = self._spec.algorithm
        if theirs.order == ours.order and (has_one_f or algorithm == "idastar"):
            return self._between_successors(theirs, ours)
        why = self.order
        if algorithm in ("greedy", "astar", "wastar", "ucs"):
            values = _worked_out(self._spec, theirs), _worked_out(self._spec, ours)
            compared = message(
                "Yours has %(yours)s, the expected one %(expected)s.",
                yours=values[0],
                expected=values[1],
            )
            if has_one_f:
                compared = message("Both have %(value)s.", value=values[0])
            why.append(compared)
        origin = message(
            "Expansion %(number)s generated the expected board, expansion %(other)s yours.",
            number=ours.order,
            other=theirs.order,
        )
        if ours.order == theirs.order:
            origin = message("Expansion %(number)s generated both.", number=ours.order)
        title = noop("Expansion %(number)s: another node on the frontier comes first")
        return [title, *why, origin]

    def _between_successors(self, theirs: Generation, ours: Generation) -> list[str]:
        """Return the title and the reasons for the order of two successors of the same board."""
        title = noop("Expansion %(number)s: two successors of expansion %(before)s, swapped")
        took = noop("You took %(yours)s before %(expected)s.")
        if not self._remembers:
            title = noop("Expansion %(number)s: another successor of %(before)s comes first")
            took = noop("You took %(yours)s before %(expected)s, or left it out.")
        generated = message(
            "%(convention)s generates successors in the order blank %(order)s.",
            convention=self._convention.title,
            order=listed(self._convention.order),
        )
        is_by_order = self._convention.ties is Ties.FIRST_IN
        if is_by_order or self._spec.algorithm in ("bfs", "dfs"):
            return [title, generated, message(took, yours=theirs.way, expected=ours.way)]
        return [title, generated, *self.order]


def _worked_out(spec: ReferenceSearch, entry: Generation) -> str:
    node = entry.successor
    if spec.algorithm == "astar":
        return f"f = {node.g} + {node.h} = {node.f}"
    if spec.algorithm == "wastar":
        f = node.f / spec.weight.denominator
        return f"f = {node.g} + {float(spec.weight):g} \u00d7 {node.h} = {f:g}"
    return f"{'h' if spec.algorithm == 'greedy' else 'g'} = {node.f}"


_QUEUES = {
    Queue.BINARY_HEAP: message(
        "in the order of a binary heap without a counter (Java's PriorityQueue, MinPQ)"
    ),
    Queue.HEAPQ: message("in the order of Python's heapq when only f is compared"),
    Queue.BOARDS: message("by comparing the boards, as when a heap holds pairs of f and board"),
}
"""Orders of nodes of equal f by the queue."""


@dataclass(frozen=True)
class Diagnosis:
    """The explanation of a submission: a convention, a mistake, or a way of counting.

    If not `whole`, it explains only the first `agreed` expansions. `convention` is a name for
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


def known_mistake(kind: str, key: str, *more: str) -> Diagnosis:
    """Return the diagnosis of a known mistake that explains everything, `more` after its text."""
    one = catalogue()[key]
    return Diagnosis(kind, key, one.title, sentences(one.text, *more), True, 0, mend=one.mend)


SURE_EXPANSIONS = 40
"""Minimum expansions for naming a mistake; with fewer, a correct program may match as well."""

_OTHERS = message(
    "So little can fit other programs too: to be sure, give the boards in the order in which they "
    "are expanded, for a board that takes a hundred or more."
)


def explanation(
    fit: Fit, base: Convention, given: Submission, at: int, doubt: str, algorithm: str
) -> Diagnosis:
    """Describe a fit; `at` is the expansion of the first difference, 0 for none.

    `algorithm` is the title of the search.
    """
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    rules = rule_sentences(one, base, at)
    if fit.candidate.habit is not None:
        rules.append(fit.candidate.habit.words)
    own = bool(fit.candidate.follows)
    if own:
        rules.append(_OWN_ORDER)
    if fit.agreed < len(given.rows):
        return _near(fit, base, given, rules)
    every = _all_of(given)
    if mistake is not None and mistake.harmless:
        fits = message("%(all)s fit a program that does so.", all=every)
        text = sentences(fits, mistake.text, *rules)
        return Diagnosis(
            "convention", mistake.key, mistake.title, text, True, fit.agreed, right=True
        )
    if mistake is not None:
        is_sure, title = len(given.rows) >= SURE_EXPANSIONS, mistake.title
        fits = message("%(all)s fit a program with this mistake.", all=every)
        return Diagnosis(
            "mistake",
            mistake.key,
            title if is_sure else message("A possible cause: %(title)s", title=title),
            sentences(fits, *([] if is_sure else [_OTHERS]), mistake.text, *rules),
            fit.whole,
            fit.agreed,
            str(one),
            mistake.mend,
        )
    title = message("%(all)s fit %(rules)s", all=every, rules=_short(one, base))
    if own:
        title = message(
            "%(all)s keep to the rules of %(algorithm)s", all=every, algorithm=algorithm
        )
    # A typical slip: the same order of directions, but of the tile.
    if one.order == opposite(base.order.upper()).lower():
        turned = message(
            "That is \u201c%(order)s\u201d applied to the tile instead of the blank.",
            order=listed(base.order),
        )
        rules = [turned] if len(rules) == 1 else [*rules, turned]
    mend = _ADVICE.get(one.duplicates.key, "") if "duplicates" in differing(one, base) else ""
    if doubt:
        rules.append(message("With this A* can miss the shortest path: %(doubt)s.", doubt=doubt))
        mend = "" if one.duplicates.decreases_key else _KEEP_THE_SHORTER_PATH
    key, text_of = ("own-order", "") if own else (_key(fit), str(one))
    return Diagnosis(
        "convention", key, title, sentences(*rules), fit.whole, fit.agreed, text_of, mend, True
    )


def sentences(*given: str) -> str:
    """Join sentences.

    >>> sentences("It is right.", message("There is %(one)s path.", one=1))
    'It is right. There is 1 path.'
    """
    first, *others = given or ("",)
    return reduce(lambda one, more: message("%(one)s %(more)s", one=one, more=more), others, first)


def _key(fit: Fit) -> str:
    """Return the name of a convention with the rules that the name omits."""
    one, habit = fit.candidate.convention, fit.candidate.habit
    return f"{one},{habit.key}" if habit else str(one)


def _near(fit: Fit, base: Convention, given: Submission, rules: list[str]) -> Diagnosis:
    """Describe a partial fit: the last matching expansion, without a remedy."""
    one, mistake = fit.candidate.convention, fit.candidate.mistake
    not_all = message(
        "It does not explain expansion %(number)s of your %(all)s, so it is not the whole answer, "
        "or not the right one.",
        number=fit.agreed + 1,
        all=len(given.rows),
    )
    return Diagnosis(
        "convention" if mistake is None else "mistake",
        _key(fit) if mistake is None else mistake.key,
        message(
            "\u201c%(rules)s\u201d fits as far as expansion %(number)s, not further",
            rules=_short(one, base) if mistake is None else mistake.title,
            number=fit.agreed,
        ),
        sentences(not_all, *([] if mistake is None else [mistake.text]), *rules),
        False,
        fit.agreed,
        str(one),
    )


_OWN_ORDER = message("If several boards may come next, you take them in an order of your own.")

_VISITED = message(
    "Boards are expanded more than once. Keep a set of the boards reached, and leave out "
    "successors that are in it."
)
_ADVICE = {
    "nothing": _VISITED,
    "parent": _VISITED,
    "expanded-stale": message(
        "A board that waits twice is expanded twice. A test such as `board in heap` never finds it "
        "in a heap of pairs (f, board): keep a set of the boards that wait."
    ),
}
"""Advice on harmless shortcuts, by rule for duplicate boards."""

_KEEP_THE_SHORTER_PATH = message(
    "When you find a shorter path to a board on the frontier, keep that one: push the node again, "
    "or lower its key."
)


def _all_of(given: Submission) -> str:
    """Name the given parts, as the subject of a sentence."""
    if given.rows:
        return message("All %(number)s", number=len(given.rows))
    if given.moves is not None:
        return message("Your path and counts")
    return message("Your counts")


def _short(one: Convention, base: Convention) -> str:
    rules = differing(one, base)
    if "," not in str(one) and one.key != base.key:
        return message("the convention of %(title)s", title=one.title)
    if rules == ["order"]:
        return message("blank %(order)s", order=listed(one.order))
    if not rules:
        return message("another way to write the search")
    if rules == ["ties"]:
        return message("ties %(rule)s", rule=tie_words(one))
    return message("another convention")


def tie_words(one: Convention) -> str:
    """Describe the tie-breaking rule.

    >>> from slidewise import find_convention
    >>> tie_words(find_convention("slidewise,ties=last-in"))
    'last in, first out'
    """
    if one.ties is Ties.AS_QUEUED:
        return _QUEUES[one.queue]
    words = _TIES[one.ties]
    if one.queue is Queue.BOARDS:
        return message("%(rule)s, then by comparing the boards", rule=words)
    return words


_TIES = {
    Ties.FIRST_IN: message("first in, first out"),
    Ties.LAST_IN: message("last in, first out"),
    Ties.HIGHER_G: message("the higher g first"),
    Ties.LOWER_G: message("the lower g first"),
    Ties.LOWER_H: message("the lower h first"),
}
"""Rules for nodes of equal f, as the end of a sentence after "ties"."""


def rule_sentences(one: Convention, base: Convention, at: int) -> list[str]:
    """Describe each rule that differs from `base`, as visible from expansion `at`."""
    order, ties = listed(one.order), tie_words(one)
    described = {
        "order": message("You generate successors in the order blank %(order)s.", order=order),
        "siblings": message("Of a node's successors you continue with the node generated first.")
        if one.siblings is Ties.FIRST_IN
        else message(
            "Of a node's successors you continue with the one made last (not pushed in reverse)."
        ),
        "goal_test": _GOAL_TESTS[one.goal_test],
        "duplicates": message(
            "Your rule for boards met again: %(rule)s.", rule=one.duplicates.words
        ),
        "ties": message("From here on your ties are %(rule)s.", rule=ties)
        if at > 1
        else message("Your ties are %(rule)s.", rule=ties),
    }
    return [described[rule] for rule in differing(one, base)]


_GOAL_TESTS = {
    GoalTest.TAKEN: message("You look for the goal when a node is taken."),
    GoalTest.MADE: message("You look for the goal when a node is made."),
}
