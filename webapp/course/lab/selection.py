"""Selection of searches and time limits in forms and links."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from flask import current_app
from werkzeug.datastructures import MultiDict

from slidewise import (
    Algorithm,
    Heuristic,
    Puzzle,
    PuzzleError,
    SearchSpec,
    find_algorithm,
    find_heuristic,
    heuristics,
)
from slidewise.solver.compare import (
    Choice,
    default_choices,
    form_sentence,
    parse_runs,
    runs_compiled,
)
from slidewise.solver.run import forecast
from slidewise.solver.task import DEFAULT_WEIGHT
from slidewise.text import message

from ... import forms
from ...http.language import translated

MAX_RUNS = 16
"""Maximum searches of a race."""

RUNS_CHARACTERS = 1_000
"""Longest text of run names in characters, so that parsing is fast, and of a form that becomes a
link."""

WEAKEST_FIRST = (
    *("zero", "misplaced", "euclidean", "manhattan", "linear-conflict", "walking-distance"),
    *("pdb", "exact", "nilsson"),
)

SECONDS = 5.0
"""Default time limit of a search in seconds."""

MAX_SECONDS = 240.0
"""Maximum total time of a race in seconds."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Searches of a race, each with a limit of `seconds`, `lanes` of them at a time."""

    choices: tuple[Choice, ...]
    seconds: float = SECONDS
    weight: float = DEFAULT_WEIGHT
    lanes: int = 1
    usual_seconds: float = SECONDS

    @property
    def runs(self) -> str:
        """Searches in the syntax of links."""
        return ",".join(map(str, self.choices))

    @property
    def link(self) -> dict[str, Any]:
        fields = {"run": self.runs}
        if self.seconds != self.usual_seconds:
            fields["seconds"] = f"{self.seconds:g}"
        if self.weight != DEFAULT_WEIGHT:
            fields["weight"] = f"{self.weight:g}"
        if self.lanes > 1:
            fields["lanes"] = str(self.lanes)
        return fields

    def specs(self, puzzle: Puzzle) -> list[SearchSpec]:
        """Specs of the searches, all in the same form; raises `PuzzleError` if any does not fit."""
        chosen = (
            forms.spec(puzzle, *choice, seconds=self.seconds, weight=self.weight)
            for choice in self.choices
        )
        return [replace(spec, plain_first=False) for spec in chosen]

    @property
    def plain(self) -> list[str]:
        """Names of the searches that run in plain Python, not compiled."""
        return [str(choice) for choice in self.choices if not runs_compiled(*choice)]

    @property
    def form(self) -> str:
        """Sentence on the form of the searches, empty if all are compiled."""
        titles = [
            find_algorithm(choice.algorithm).title
            for choice in self.choices
            if not runs_compiled(*choice)
        ]
        return form_sentence(titles, len(self.choices)) if titles else ""

    def options(self, choice: Choice) -> dict[str, Any]:
        """Options of a search, by the Solve card's names."""
        options = {"algorithm": choice.algorithm, "seconds": f"{self.seconds:.6f}"}
        if choice.heuristic is not None:
            options["heuristic"] = choice.heuristic
        if "weight" in find_algorithm(choice.algorithm).options:
            options["weight"] = f"{self.weight:g}"
        return options

    def long(self, puzzle: Puzzle) -> list[Choice]:
        """Searches that will probably not finish on the size of `puzzle`."""
        return [one for one in self.choices if forecast(puzzle, one.algorithm)]


def read_selection(
    puzzle: Puzzle,
    typed: MultiDict[str, str],
    usual: str = "",
    seconds: float = SECONDS,
    most: int = MAX_RUNS,
) -> Selection:
    """Parse a selection: `run`, repeated or with commas, and `more`, typed runs.

    Known runs stay in the `order` they had before; new runs come last.

    Without runs, `usual` are the default, or `first_choices`. `seconds` is the default time
    limit. Raises `PuzzleError`, also for more runs than `most`.
    """
    text = named(typed)
    if len(text) > RUNS_CHARACTERS:
        raise PuzzleError(
            message("the runs take up to %(most)s characters: name fewer", most=RUNS_CHARACTERS)
        )
    if "run" in typed or "more" in typed:
        choices = parse_runs(text)
    else:
        choices = parse_runs(usual) if usual else first_choices(puzzle)
    choices = list(dict.fromkeys(choices))
    # a form sends its boxes in the order of the page
    before = typed.get("order", "")[:RUNS_CHARACTERS].split(",")
    # unknown runs follow by name
    choices.sort(key=lambda choice: (*before, str(choice)).index(str(choice)))
    if len(choices) > most:
        raise PuzzleError(
            message(
                "up to %(most)s searches can take part, and you named %(count)s: leave some out",
                most=most,
                count=len(choices),
            )
        )
    # all searches together stay within MAX_SECONDS
    longest = min(current_app.config["SOLVE_SECONDS"], MAX_SECONDS / len(choices))
    limit = forms.read_seconds(typed, longest, clips=True)
    weight = forms.weight(typed)
    selection = Selection(
        tuple(choices),
        round(min(seconds if limit is None else limit, longest), 2),
        weight,
        2 if typed.get("lanes") == "2" else 1,
        seconds,
    )
    selection.specs(puzzle)  # an error here, not when the race runs
    return selection


FIRST = ("bfs", "dfs", "greedy", "astar", "idastar")
"""Algorithms of a race without named searches."""


def first_choices(puzzle: Puzzle) -> list[Choice]:
    """Return the searches of a race without named searches: `FIRST`, except if too slow here."""
    choices = default_choices(puzzle)
    first = {choice.algorithm: choice for choice in reversed(choices)}
    return [first[key] for key in FIRST if key in first]


def named(typed: MultiDict[str, str]) -> str:
    """Runs named in a form or a link, separated by commas."""
    parts = (part.strip(" ,;") for part in (*typed.getlist("run"), typed.get("more", "")))
    return ",".join(filter(None, parts))


def search_title(algorithm: str, heuristic: str | None) -> str:
    """Titles of an algorithm and its heuristic.

    >>> search_title("astar", "manhattan")
    'A*, Manhattan distance'
    """
    title = translated(find_algorithm(algorithm).title)
    return f"{title}, {translated(find_heuristic(heuristic).title)}" if heuristic else title


@dataclass(frozen=True, slots=True)
class Offer:
    """An algorithm of the form, with its runs: a heuristic or none, and its name."""

    entry: Algorithm
    runs: dict[str, Heuristic | None]
    suits: bool


def offers(puzzle: Puzzle) -> Iterator[Offer]:
    """Yield the form's choices on the board.

    Algorithms without heuristic come first; heuristics are ordered from weakest to strongest.
    """
    known = [one for one in heuristics().values() if one.fits(puzzle.rows, puzzle.cols)]
    fitting = sorted(known, key=lambda one: (*WEAKEST_FIRST, one.key).index(one.key))
    entries = forms.solver_choices(puzzle, {})["algorithms"]
    for entry in sorted(entries, key=lambda entry: entry.uses_heuristic):
        runs: dict[str, Any] = (
            {str(Choice(entry.key, one.key)): one for one in fitting}
            if entry.uses_heuristic
            else {entry.key: None}
        )
        yield Offer(entry, runs, forecast(puzzle, entry.key) is None)


def choices_shown(
    puzzle: Puzzle, typed: MultiDict[str, str], selection: Selection | None
) -> dict[str, Any]:
    """State of the form's boxes: from a selection, otherwise as typed.

    `more` are the runs without a box, or the unreadable input.
    """
    offered = list(offers(puzzle))
    if selection:
        chosen = list(map(str, selection.choices))
    else:
        chosen = [part.strip() for part in named(typed).split(",")]
    boxes = {run for offer in offered for run in offer.runs}
    more = ",".join(run for run in chosen if run not in boxes)
    if not selection:
        more = typed.get("more") or more
    return {"offers": offered, "chosen": chosen, "more": more, "typed": typed}
