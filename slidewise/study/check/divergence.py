"""The first difference between a submission and the reference search."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from slidewise.puzzle import Board, PuzzleError, steps
from slidewise.solver.convention import ALGORITHMS
from slidewise.solver.events import Expanded, Finished
from slidewise.solver.result import Result, Status
from slidewise.solver.run import search
from slidewise.study.check.candidates import TOLERANCE, scale_of_f
from slidewise.study.check.mistakes import NOTEBOOKS, find_rules
from slidewise.text import plural

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from slidewise.study.check.candidates import ReferenceSearch
    from slidewise.study.check.submission import Submission, WorkRow

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


@dataclass(frozen=True)
class Compared:
    """Result of a comparison: the first difference in the expansions, if any, and the search
    result."""

    divergence: Divergence | None
    agreed: int
    result: Result


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
    plain: Any = spec.traced(find_rules(convention, spec.algorithm))
    ended = plain.run(max(trace, NOTEBOOK_EXPANSIONS))
    for order, node in enumerate(plain.nodes[:trace], 1):
        board = _board(spec, node.cells)
        yield Expanded(order, order, None, board, node.g, int(node.h), int(node.f), ())
    *_, last = reference(spec, "slidewise", 0)
    assert isinstance(last, Finished)
    result, moves = last.result, plain.moves()
    counts: dict[str, Any] = plain.counts()
    counts.pop("length", None)
    status = Status.SOLVED if moves or plain.start == plain.goal_cells else Status.EXHAUSTED
    length = len(moves) if status is Status.SOLVED else None
    status = status if ended else Status.CUTOFF
    yield Finished(replace(result, status=status, moves=moves, length=length, **counts))


def compare_rows(spec: ReferenceSearch, convention: str, given: Submission) -> Compared:
    """Return the first difference between the rows and the reference expansions."""
    rows, found, agreed = given.rows, None, 0
    before: deque[Shown] = deque(maxlen=SHOWN_BEFORE)
    result = None
    for event in reference(spec, convention, len(rows) + 1 if rows else 0):
        if isinstance(event, Finished):
            result = event.result
        elif found is not None:
            continue
        elif event.order > len(rows):
            found = _ended(rows, event, before)
        else:
            found = _row_difference(spec, rows[event.order - 1], event, before)
            agreed += found is None
            before.append(Shown(event.order, event.board, "right"))
    assert result is not None
    if found is not None and found.kind == DifferenceKind.EXPANSION and found.number < len(rows):
        after = Shown(found.number + 1, _board(spec, rows[found.number].cells), "next")
        found = replace(found, strip=(*found.strip, after))
    if found is None and len(rows) > agreed:
        found = _went_on(spec, rows, agreed, result, before)
    return Compared(found, agreed, result)


def _row_difference(
    spec: ReferenceSearch, row: WorkRow, event: Expanded, before: deque[Shown]
) -> Divergence | None:
    board = _board(spec, row.cells)
    if row.cells != bytes(event.board.cells):
        strip = (*before, Shown(event.order, board, "wrong"))
        return Divergence(
            DifferenceKind.EXPANSION,
            event.order,
            str(board),
            str(event.board),
            line=row.line,
            your_board=board,
            board=event.board,
            strip=strip,
        )
    for name, value in row.values.items():
        if name == "h" and spec.heuristic is None:
            continue
        if name == "f" and spec.algorithm == "dfs":
            continue
        expected = getattr(event, name)
        scale = scale_of_f(spec) if name == "f" else 1
        if min(abs(value - expected), abs(value - expected / scale)) > TOLERANCE:
            expected = expected / scale
            return Divergence(
                DifferenceKind.VALUE,
                event.order,
                f"{value:g}",
                f"{expected:g}",
                name,
                row.line,
                board,
                event.board,
                (*before, Shown(event.order, board, "wrong")),
            )
    return None


def _ended(rows: tuple[WorkRow, ...], event: Expanded, before: deque[Shown]) -> Divergence:
    return Divergence(
        DifferenceKind.ENDED,
        len(rows),
        "nothing more",
        str(event.board),
        line=rows[-1].line,
        board=event.board,
        strip=(*before, Shown(event.order, event.board, "next")),
    )


def _went_on(
    spec: ReferenceSearch,
    rows: tuple[WorkRow, ...],
    agreed: int,
    result: Result,
    before: deque[Shown],
) -> Divergence | None:
    """Return the difference if the search ended before the rows; None if the extra row is the
    goal."""
    row = rows[agreed]
    goal = bytes(spec.puzzle.goal.cells)
    if result.status is Status.SOLVED and row.cells == goal and agreed == len(rows) - 1:
        return None
    if result.status is Status.CUTOFF:
        return None
    board = _board(spec, row.cells)
    expected = "the goal, which ends the search" if result.length is not None else "nothing more"
    return Divergence(
        DifferenceKind.WENT_ON,
        agreed + 1,
        str(board),
        expected,
        line=row.line,
        your_board=board,
        strip=(*before, Shown(agreed + 1, board, "wrong")),
    )


def compare_path(spec: ReferenceSearch, given: Submission, result: Result) -> Divergence | None:
    """Return the first difference between the two paths, after the path's legality."""
    moves = given.moves
    if moves is None:
        return None
    board = start = spec.puzzle.start
    try:
        for step in steps(start, moves):
            board = step.board
    except PuzzleError as error:
        number = 1 + next(n for n in range(len(moves)) if not _legal(start, moves[: n + 1]))
        return Divergence(
            DifferenceKind.ILLEGAL, number, str(error), "a tile beside the blank moves"
        )
    if board != spec.puzzle.goal:
        return Divergence(
            DifferenceKind.NOT_SOLVED,
            len(moves),
            str(board),
            str(spec.puzzle.goal),
            your_board=board,
        )
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


def _legal(start: Board, moves: str) -> bool:
    try:
        return bool([*steps(start, moves)])
    except PuzzleError:
        return False


def _board(spec: ReferenceSearch, cells: bytes) -> Board:
    return Board(*spec.puzzle.start.size, tuple(cells))


def cutoff_note(result: Result) -> str:
    """Return the note on a search stopped by a limit."""
    return f"The reference search was stopped after {plural(result.expanded, 'expansion')}."
