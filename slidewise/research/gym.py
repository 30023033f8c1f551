"""A Gymnasium environment of the sliding-tile puzzle, for boards from 2x2 to 10x10.

Importing it registers `Slidewise-v0`. It needs `pip install "slidewise[gym]"`.

>>> import gymnasium
>>> import slidewise.gym
>>> env = gymnasium.make("Slidewise-v0", rows=3, cols=3, reward="distance", distance=(5, 10))
>>> board, info = env.reset(seed=7)
>>> 5 <= info["distance"] <= 10, board.shape
(True, (3, 3))
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slidewise.analysis.distance import SEARCH_CELLS, Range
from slidewise.puzzle import Board, Puzzle, PuzzleError, parse_board, parse_puzzle, scramble
from slidewise.puzzle.board import DIRECTIONS
from slidewise.puzzle.scramble import goal_of_size
from slidewise.research.benchmark import distance_of, draw_at
from slidewise.solver.tables.exact import exact_table

try:
    import gymnasium
    from gymnasium.spaces import Discrete, MultiDiscrete
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        'slidewise.gym needs Gymnasium: pip install "slidewise[gym]"', name=missing.name
    ) from missing
from collections.abc import Sequence

Cells = NDArray[np.integer[Any]]

REWARDS = ("moves", "distance")

MAX_STEPS = 1_000
"""Default limit of an episode's steps, which `gymnasium.make` can change."""

MAX_CACHED = 10_000
"""Maximum cached distances of boards of 11 to 16 cells, each of which took a search."""


class SlidingPuzzleEnv(gymnasium.Env[Cells, np.int64]):
    """A sliding-tile puzzle. An action is the direction of a tile: 0 up, 1 down, 2 left, 3 right.

    The observation is the board, an array of rows and columns with 0 for the blank. `info` has:

    `puzzle`: the code of the current board and the goal. `action_mask`: 1 for each action that
    moves a tile. `moves`: the moves so far. `distance`: the moves of a shortest solution from here.
    `regret`: the least number of moves that the episode has above the shortest solution. `distance`
    and `regret` are exact up to 16 cells, otherwise None, also with `distances=False`.

    The reward is -1 for each move, or with `reward="distance"` the moves that the board came nearer
    to the goal, 1 or -1. An action that moves no tile costs 1 and leaves the board as it is.

    `distance` is the difficulty of each episode, a number of moves or a range. `reset` has the
    option `distance` for a different difficulty, and `puzzle` for a board or puzzle code. Without
    either the board is drawn uniformly. Up to 10 cells a distance is looked up in a table. From 11
    to 16 cells it takes a search, milliseconds for most boards and seconds for the hardest.

    Raises `PuzzleError`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        rows: int = 3,
        cols: int = 3,
        goal: str | None = None,
        *,
        reward: str = "moves",
        distance: int | Sequence[int] | None = None,
        distances: bool = True,
        render_mode: str | None = None,
    ) -> None:
        self._goal = goal_of_size(rows, cols, parse_board(goal) if goal else None)
        cells = rows * cols
        if reward not in REWARDS:
            raise PuzzleError(f"the reward must be one of {', '.join(REWARDS)}, got {reward!r}")
        if render_mode not in (None, "ansi"):
            raise PuzzleError(f"the render mode must be ansi or None, got {render_mode!r}")
        self._knows = distances and cells <= SEARCH_CELLS
        if not self._knows and (reward == "distance" or distance is not None):
            raise PuzzleError(
                f"distances are known up to {SEARCH_CELLS} cells and with distances=True: "
                f"use the reward moves, and no distance, for {rows}x{cols}"
            )
        self.render_mode = render_mode
        self.observation_space = MultiDiscrete(np.full((rows, cols), cells))
        self.action_space = Discrete(len(DIRECTIONS))
        self._reward, self._range = reward, _range(distance)
        self._board, self._moves = self._goal, 0
        self._distance = self._first = 0 if self._knows else None
        self._found: dict[Board, int | None] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        """Begin an episode; the options are `distance` and `puzzle`."""
        super().reset(seed=seed)
        options = dict(options or {})
        code, moves = options.pop("puzzle", None), _range(options.pop("distance", None))
        if options:
            raise PuzzleError(f"the options are puzzle and distance, got {', '.join(options)}")
        if code is not None and moves is not None:
            raise PuzzleError("name a puzzle or a distance, not both")
        # Drawn in every case, so that the options do not change the later episodes of a seed.
        drawn = str(self.np_random.integers(2**62))
        if code is not None:
            self._board = self._given(str(code))
        elif moves or self._range:
            if not self._knows:
                raise PuzzleError("a distance needs distances=True and up to 16 cells")
            puzzle, _ = draw_at(self._goal, drawn, moves or self._range or Range(1, 1))
            self._board = puzzle.start
        else:
            self._board = scramble(*self._goal.size, drawn, self._goal).start
        self._moves = 0
        self._distance = self._first = self._distance_here()
        return self._observation(), self._info()

    def step(self, action: int | np.int64) -> tuple[Cells, float, bool, bool, dict[str, Any]]:
        """Move the tile that can go in the direction of the action."""
        direction = DIRECTIONS[int(action)]
        before = self._distance
        reward = -1.0
        if direction in self._board.legal_directions:
            self._board = self._board.move(direction)
            self._moves += 1
            self._distance = self._distance_here()
            if self._reward == "distance" and before is not None and self._distance is not None:
                reward = float(before - self._distance)
        return self._observation(), reward, self._board == self._goal, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions move a tile, under the name that MaskablePPO calls."""
        legal = self._board.legal_directions
        return np.array([direction in legal for direction in DIRECTIONS])

    def render(self) -> str | None:
        """Return the board as text in the mode `ansi`."""
        return self._board.boxed() if self.render_mode == "ansi" else None

    def _observation(self) -> Cells:
        return np.array(self._board.grid, dtype=np.int64)

    def _info(self) -> dict[str, Any]:
        regret = None
        if self._distance is not None and self._first is not None:
            regret = self._moves + self._distance - self._first
        return {
            "puzzle": str(Puzzle(self._board, self._goal)),
            "action_mask": self.action_masks().astype(np.int8),
            "moves": self._moves,
            "distance": self._distance,
            "regret": regret,
        }

    def _given(self, code: str) -> Board:
        """Return the board of the option `puzzle`."""
        code = code if "_" in code else f"{code}_{self._goal}"
        puzzle = parse_puzzle(code)
        if puzzle.goal != self._goal:
            raise PuzzleError(f"this environment has the goal {self._goal}, got {puzzle}")
        if not puzzle.solvable or puzzle.start == puzzle.goal:
            raise PuzzleError(f"expected a board that can be solved and is not, got {puzzle.start}")
        return puzzle.start

    def _distance_here(self) -> int | None:
        if not self._knows:
            return None
        if self._goal.has_table:
            return exact_table(self._goal).distance(self._board)
        if self._board not in self._found:
            if len(self._found) >= MAX_CACHED:
                # Clearing is enough: an episode's boards are soon looked up again.
                self._found.clear()
            self._found[self._board] = distance_of(Puzzle(self._board, self._goal))
        return self._found[self._board]


def _range(distance: int | Sequence[int] | None) -> Range | None:
    """Return a number of moves or a pair as a range."""
    if distance is None or isinstance(distance, int):
        return None if distance is None else Range(distance, distance)
    try:
        least, most = map(int, distance)
    except (TypeError, ValueError):
        raise PuzzleError(
            f"a distance is a number of moves or a pair such as (5, 10), got {distance!r}"
        ) from None
    return Range(least, most)


gymnasium.register(
    id="Slidewise-v0",
    entry_point="slidewise.research.gym:SlidingPuzzleEnv",
    max_episode_steps=MAX_STEPS,
)
