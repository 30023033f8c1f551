"""Widgets for notebooks: a board to play, a solution to replay, a search to watch.

They need `pip install "slidewise[notebook]"`.

>>> from slidewise import notebook, parse_puzzle, solve
>>> game = notebook.play("2.3.0-1.4.6-7.5.8")
>>> game.observe(lambda change: print(f"moves {change.new}, board {game.board}"), "moves")
>>> game.moves = "R"
moves R, board 2.0.3-1.4.6-7.5.8
>>> replay = notebook.replay(solve(parse_puzzle(game.board)))
>>> replay.step = replay.total
>>> replay.total, replay.board, replay.solved
(5, '1.2.3-4.5.6-7.8.0', True)

Without a kernel, such as in an exported page, a widget is HTML that needs nothing else.
"""

import json
from html import escape
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Literal
from uuid import uuid4

from slidewise.component import component
from slidewise.puzzle import Board, Puzzle, PuzzleError, format_moves, parse_puzzle, read_moves
from slidewise.puzzle.board import svg
from slidewise.puzzle.moves import parse_moves, steps
from slidewise.puzzle.moves import play as board_after
from slidewise.solver.result import Result
from slidewise.solver.task import DEFAULT_WEIGHT
from slidewise.text import plural

try:
    from anywidget import AnyWidget
    from traitlets import Bool, Dict, Int, Unicode, observe, validate
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'slidewise.notebook needs anywidget: pip install "slidewise[notebook]"', name=missing.name
    ) from missing
from traitlets.utils.bunch import Bunch

if TYPE_CHECKING:
    from slidewise.course.searching import Recording

Theme = Literal["", "light", "dark"]
"""Colours of a widget; "" follows the system."""

WATCHED_EXPANSIONS = 500
"""Default number of first expansions recorded. With the last 100 they take 200 kB in a notebook."""

COMPONENT = component()
"""Script of the web component `<slide-wise>`."""


class PuzzleWidget(AnyWidget):
    """Base of the widgets, with traits that `observe` works on.

    `puzzle` and `board` are the codes of the puzzle and of the board shown. `moves` has a letter
    for each tile moved, in the tile's direction. `solved` is whether the goal is shown.
    """

    _esm = COMPONENT + Path(__file__).with_name("widget.js").read_text(encoding="utf-8")

    puzzle = Unicode(read_only=True).tag(sync=True)
    board = Unicode(read_only=True).tag(sync=True)
    solved = Bool(read_only=True).tag(sync=True)
    _attributes = Dict(help="of the element").tag(sync=True)
    _recording = Dict(default_value=None, allow_none=True).tag(sync=True)

    def __init__(self, puzzle: Puzzle, theme: Theme, label: str, **attributes: str) -> None:
        self._puzzle = puzzle
        self.set_trait("puzzle", str(puzzle))
        self._show(puzzle.start)
        given = {"goal": str(puzzle.goal), "theme": theme, "label": label, **attributes}
        self._attributes = {name: value for name, value in given.items() if value}
        super().__init__()

    def _show(self, board: Board) -> None:
        self.set_trait("board", str(board))
        self.set_trait("solved", board == self._puzzle.goal)

    def as_html(self) -> str:
        """Return self-contained HTML of the present state, for pages without a kernel.

        Without JavaScript it shows a picture of the board.
        """
        attributes, script = self._attributes | self._present(), ""
        if self._recording is not None:
            # A page may hold several widgets, so each script element needs its own id.
            attributes["watch"] = f"#slide-wise-{uuid4().hex}"
            # "<" is escaped, or a text with "</script>" would end the element.
            data = json.dumps(self._recording, separators=(",", ":")).replace("<", r"\u003c")
            name = attributes["watch"][1:]
            script = f'<script type="application/json" id="{name}">{data}</script>'
        html = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        picture = svg(self._puzzle.start.grid, self._puzzle.goal.grid)
        return (
            f"{script}<slide-wise{html}>{picture}<p>{escape(self._in_words())}</p></slide-wise>"
            f"<script>{COMPONENT}</script>"
        )

    def _repr_html_(self) -> str:
        """Show the widget in viewers without widgets; IPython adds it to the widget's own form."""
        return self.as_html()

    def _present(self) -> dict[str, str]:
        """Return the element's attributes for the present state; subclasses define them."""
        raise NotImplementedError

    def _in_words(self) -> str:
        """Return the text for viewers without scripts; subclasses define it."""
        raise NotImplementedError


class PlayWidget(PuzzleWidget):
    """A board to play. Set `moves` to make or take back moves from Python."""

    moves = Unicode().tag(sync=True)

    @validate("moves")
    def _check_moves(self, proposal: Bunch) -> str:
        moves = parse_moves(proposal["value"])
        board_after(self._puzzle.start, moves)
        return moves

    @observe("moves")
    def _make_moves(self, change: Bunch) -> None:
        self._show(board_after(self._puzzle.start, change["new"]))

    def _present(self) -> dict[str, str]:
        return {"board": self.board}

    def _in_words(self) -> str:
        return f"{plural(len(self.moves), 'move')} made."


class StepsWidget(PuzzleWidget):
    """Base of the widgets with steps. Set `step`, from 0 to `total`, to show another step."""

    step = Int().tag(sync=True)

    def __init__(
        self, puzzle: Puzzle, boards: list[Board], theme: Theme, label: str, **attributes: str
    ) -> None:
        self._boards = boards
        super().__init__(puzzle, theme, label, **attributes)

    @property
    def total(self) -> int:
        """Return the number of the last step."""
        return len(self._boards) - 1

    @validate("step")
    def _check_step(self, proposal: Bunch) -> int:
        step: int = proposal["value"]
        if not 0 <= step <= self.total:
            raise PuzzleError(f"step must be from 0 to {self.total:,}, got {step:,}")
        return step

    @observe("step")
    def _show_step(self, change: Bunch) -> None:
        self._show(self._boards[change["new"]])

    def _present(self) -> dict[str, str]:
        return {"step": str(self.step)}


class ReplayWidget(StepsWidget):
    """A solution to replay: `step` is the number of `moves` made."""

    moves = Unicode(read_only=True).tag(sync=True)

    def __init__(self, puzzle: Puzzle, moves: str, theme: Theme, label: str) -> None:
        # A read-only trait can only be set with `set_trait`.
        self.set_trait("moves", moves)
        boards = [puzzle.start, *(step.board for step in steps(puzzle.start, moves))]
        attributes = {"board": str(puzzle.start), "moves": format_moves(moves)}
        super().__init__(puzzle, boards, theme, label, **attributes)

    def _in_words(self) -> str:
        return f"{plural(len(self.moves), 'move')}: {format_moves(self.moves)}"


class WatchWidget(StepsWidget):
    """A search to watch: `step` counts its recorded expansions; the last shows the goal.

    `recording` has the details of the steps, and `result` is the result of the search.
    """

    def __init__(self, recording: "Recording", theme: Theme, label: str) -> None:
        assert recording.result is not None
        self.recording, self.result = recording, recording.result
        boards = [recording.nodes[step.node].board for step in recording.steps]
        self._recording = recording.as_json()
        super().__init__(
            recording.puzzle, [recording.puzzle.start, *boards], theme, label or recording.title
        )

    def _in_words(self) -> str:
        return f"{self._recording['title']}: {self._recording['words']}"


def play(puzzle: Puzzle | Board | str, *, theme: Theme = "", label: str = "") -> PlayWidget:
    """Return a board to play: click, swipe, arrow keys.

    `puzzle` may be its code, or any other text that `parse_puzzle` reads. `label` is the board's
    name for screen readers.
    """
    return PlayWidget(_puzzle(puzzle), theme, label)


def replay(
    solution: Result | Puzzle | Board | str,
    moves: str = "",
    *,
    theme: Theme = "",
    label: str = "",
) -> ReplayWidget:
    """Return a replay of a result, or of `moves` from the start of a puzzle.

    `moves` is text that `read_moves` reads. Raises `PuzzleError` for a result without a solution.
    """
    if isinstance(solution, Result):
        if solution.length is None:
            raise PuzzleError(f"there is no solution to replay: {solution.outcome}")
        return ReplayWidget(solution.puzzle, solution.moves, theme, label)
    puzzle = _puzzle(solution)
    read = read_moves(moves, puzzle.start, goal=puzzle.goal)
    return ReplayWidget(puzzle, read, theme, label)


def watch(
    puzzle: Puzzle | Board | str,
    algorithm: str = "astar",
    heuristic: str | None = "manhattan",
    *,
    weight: float = DEFAULT_WEIGHT,
    convention: str = "slidewise",
    expansions: int = WATCHED_EXPANSIONS,
    theme: Theme = "",
    label: str = "",
) -> WatchWidget:
    """Run a search and return its recording, to be seen expansion by expansion.

    The first `expansions` are recorded, and the last 100. `label` is the title, by default the
    algorithm's. The other arguments are as for `search`.
    """
    # By name, because the course is an optional part that nothing outside it imports.
    record = resolve_name("slidewise.course.searching:record_search")
    recording = record(
        *(_puzzle(puzzle), algorithm, heuristic),
        weight=weight,
        convention=convention,
        expansions=expansions,
    )
    return WatchWidget(recording, theme, label)


def _puzzle(puzzle: Puzzle | Board | str) -> Puzzle:
    if isinstance(puzzle, Board):
        return Puzzle.standard(puzzle)
    return parse_puzzle(puzzle) if isinstance(puzzle, str) else puzzle
