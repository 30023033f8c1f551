"""The exercises as data, from `exercise.toml`."""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from slidewise.course.judge.catalogue import WrongProgram, as_message, changed, wrong_program
from slidewise.course.programs.boards import Cells, Shape
from slidewise.course.programs.calls import CallResult, Case
from slidewise.course.programs.running import ProgramTarget
from slidewise.puzzle import PuzzleError
from slidewise.text import message


class UnknownExerciseError(PuzzleError):
    """No exercise has the key."""


@dataclass(frozen=True)
class Check:
    """A property of correct programs, its points, and the numbers of its hints, () for all."""

    key: str
    points: int
    text: str
    hints: tuple[int, ...] = ()


class GivenCall(NamedTuple):
    """A call of a teacher's exercise, its right result if known, and a hint for a wrong result."""

    case: Case
    result: CallResult | None = None
    hint: str = ""


@dataclass(frozen=True)
class Exercise:
    """A function to write.

    `uses` are the functions given to the program. `names` are other usual names of the function.
    `programs` are correct programs: the solution, then others. `moves` are the lengths of the
    shortest paths of the boards, or of the random walks to them. `deep` are lengths for boards that
    are the same for every seed, because few boards show some mistakes; `showing` are such boards
    for the usual goal. `boards` are further puzzles with their estimate. `notebook` is the course
    notebook with the exercise, or "". `two_rows` are changes of the programs, which take square
    boards, for boards of 2x3. `unlimited` is the variant of the exercise for a search without a
    limit, or None. `blank` is the line of the solution that the exercise is about, or "". `local`
    is true for a search that may end elsewhere than at the goal: only functions in the form of the
    task are judged. `given` are the calls of a teacher's exercise, which draws no boards.
    """

    key: str = ""
    title: str = ""
    task: str = ""
    signature: str = ""
    starter: str = ""
    hints: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    mistakes: tuple[WrongProgram, ...] = ()
    programs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    moves: tuple[int, ...] = ()
    deep: tuple[int, ...] = ()
    showing: tuple[Cells, ...] = ()
    boards: tuple[tuple[Cells, Cells, str], ...] = ()
    notebook: str = ""
    two_rows: tuple[tuple[str, str], ...] = ()
    blank: str = ""
    unlimited: "Exercise | None" = None
    local: bool = False
    given: tuple[GivenCall, ...] = ()

    @property
    def solution(self) -> str:
        """The reference program."""
        return self.programs[0]

    def for_shape(self, program: str, shape: Shape) -> str:
        """Return the text of one of its programs, adapted to boards of a shape."""
        rows, cols = shape
        for old, new in self.two_rows if rows != cols else ():
            program = program.replace(old, new)
        return program

    @property
    def function(self) -> str:
        """The function's name, which is the key of each built-in exercise."""
        return self.signature.partition("(")[0]

    @property
    def parameters(self) -> list[str]:
        """The names of the function's parameters."""
        return self.signature.partition("(")[2].rstrip(")").split(", ")

    def for_draw(self, *, h: bool, limit: bool) -> "Exercise":
        """Return the variant for a search that takes no limit, or has an estimate of its own.

        The points of the check with another estimate then go to the shortest path.
        """
        exercise = self if limit else self.unlimited or self
        other = [one.points for one in exercise.checks if one.key == "inconsistent"]
        if h or not other:
            return exercise
        checks = tuple(
            replace(one, points=one.points + sum(other)) if one.key == "shortest" else one
            for one in exercise.checks
            if one.key != "inconsistent"
        )
        return replace(exercise, checks=checks)

    @property
    def target(self) -> ProgramTarget:
        """The function to write, without the solution, for the program's process."""
        return ProgramTarget(self.function, self.signature, self.names, self.uses)

    @property
    def is_search(self) -> bool:
        """Whether the function searches from a start."""
        return "start" in self.parameters

    @property
    def points(self) -> int:
        """The points of all checks together."""
        return sum(check.points for check in self.checks)


@cache
def exercises() -> dict[str, Exercise]:
    """Return all exercises by their keys, in the order of the lessons.

    >>> list(exercises())[:5]
    ['find_zero', 'neighbors', 'is_solvable', 'path', 'bfs']
    """
    text = Path(__file__).with_name("exercise.toml").read_text(encoding="utf-8")
    return {one["key"]: _exercise(one) for one in tomllib.loads(text)["exercise"]}


def find_exercise(key: str) -> Exercise:
    """Return the exercise with the key.

    Raises `UnknownExerciseError`.
    """
    if key not in exercises():
        known = ", ".join(exercises())
        raise UnknownExerciseError(
            message(
                "there is no exercise %(name)s; the exercises are %(names)s",
                name=repr(key),
                names=known,
            )
        )
    return exercises()[key]


def _exercise(one: dict[str, Any]) -> Exercise:
    solution = one["solution"].lstrip("\n")
    exercise = Exercise(
        **{name: one[name] for name in ("key", "signature", "notebook")},
        title=as_message(one["title"]),
        task=as_message(" ".join(one["task"].split())),
        starter=one["starter"].lstrip("\n"),
        hints=tuple(map(as_message, one["hints"])),
        checks=_checks(one),
        mistakes=tuple(wrong_program(mistake, solution) for mistake in one["mistake"]),
        programs=(solution, *(changed(solution, way) for way in one.get("ways", []))),
        names=tuple(one["names"]),
        uses=tuple(one.get("uses", [])),
        moves=tuple(one.get("moves", [])),
        deep=tuple(one.get("deep", [])),
        showing=tuple(map(_cells, one.get("showing", []))),
        boards=tuple((_cells(one), _cells(goal), h) for one, goal, h in one.get("boards", [])),
        blank=one.get("blank", ""),
        two_rows=tuple((old, new) for old, new in one.get("two_rows", [])),
        local=one.get("local", False),
    )
    if "unlimited" not in one:
        return exercise
    other = one["unlimited"]
    title, checks = as_message(other["title"]), _checks(other)
    # The variant shares boards and mistakes; only its task differs.
    unlimited = replace(exercise, title=title, signature=other["signature"], checks=checks)
    return replace(exercise, unlimited=unlimited)


def _checks(one: dict[str, Any]) -> tuple[Check, ...]:
    return tuple(
        Check(
            check["key"],
            check["points"],
            as_message(check["text"]),
            tuple(number - 1 for number in check.get("hints", [])),
        )
        for check in one["checks"]
    )


def _cells(board: str) -> Cells:
    return tuple(map(int, board.replace("/", " ").split()))
