"""Reading the path that a program found: moves in any notation, a plan, or the boards along it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from slidewise.puzzle import PuzzleError, read_moves, steps
from slidewise.puzzle.moves import opposite, play
from slidewise.puzzle.writing import read_plan
from slidewise.study.check.fields import as_letters
from slidewise.study.check.given import UnreadableError

if TYPE_CHECKING:
    from slidewise.puzzle import Board, Puzzle


def path_in(text: str, line: int, puzzle: Puzzle, *, of_blank: bool = False) -> tuple[str, bool]:
    """Return the directions of the tiles, and whether the letters are those of the blank.

    They are taken to be the blank's with `of_blank`, or if only that leads to the goal. Raises
    `UnreadableError` with the `line`.
    """
    letters = as_letters(text)
    try:
        moves = read_moves(letters, puzzle.start) if letters.strip() else ""
    except PuzzleError as error:
        raise UnreadableError(line, str(error)) from None
    ways = [opposite(moves), moves] if of_blank else [moves, opposite(moves)]
    if re.fullmatch(r"[\s0-9,]*", letters):
        ways = [moves]
    longest = max(ways, key=lambda way: _legal_moves(puzzle.start, way))
    taken = next((way for way in ways if _leads_there(puzzle, way)), longest)
    return taken, taken != moves


def plan_in(text: str, puzzle: Puzzle) -> str:
    """Return the directions of the tiles of a plan for the PDDL domain.

    Raises `UnreadableError` with the line of the first step that is wrong.
    """
    steps_alone = re.sub(";.*", "", text)
    try:
        return read_plan(steps_alone, puzzle.start)
    except PuzzleError as error:
        wrong = re.match(r"step (\d+), ", str(error))
        begun = [step.start() for step in re.finditer(r"\([^()]*\)", steps_alone)]
        at = begun[int(wrong[1]) - 1] if wrong and int(wrong[1]) <= len(begun) else 0
        raise UnreadableError(1 + steps_alone.count("\n", 0, at), str(error)) from None


def moves_along(boards: list[bytes], start: Board) -> str | None:
    """Return the moves from each board to the next, None where one is no move away."""
    if not boards or boards[0] != bytes(start.cells):
        return None
    moves = []
    steps = {start.cols: "U", -start.cols: "D", 1: "L", -1: "R"}
    for before, after in pairwise(boards):
        blank, cell = before.index(0), after.index(0)
        moved = bytearray(before)
        moved[blank], moved[cell] = before[cell], 0
        is_row = abs(cell - blank) == 1 and cell // start.cols != blank // start.cols
        if bytes(moved) != after or cell - blank not in steps or is_row:
            return None
        moves.append(steps[cell - blank])
    return "".join(moves)


def _legal_moves(start: Board, moves: str) -> int:
    """Return how many of the first moves can be made."""
    made = 0
    try:
        for _ in steps(start, moves):
            made += 1
    except PuzzleError:
        pass
    return made


def _leads_there(puzzle: Puzzle, moves: str) -> bool:
    try:
        return play(puzzle.start, moves) == puzzle.goal
    except PuzzleError:
        return False
