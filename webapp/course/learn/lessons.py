"""Lessons on the path: a figure that is a run of the exercise's program, and a question."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from keyword import iskeyword
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from slidewise import parse_puzzle
from slidewise.course.judge.exercise import Exercise
from slidewise.course.programs.boards import manhattan
from slidewise.course.stepping import (
    SearchRun,
    SearchStep,
    Value,
    run_heuristic,
    run_pattern_table,
    run_search,
)
from slidewise.text import message

from ...http.language import gettext as _
from ...http.language import ngettext, plural, translated
from .figures import Figure
from .path import step_of

STORED = 9
"""Maximum boards of a frontier that are listed."""


class Kind(NamedTuple):
    """A kind of board to choose: the choice itself, its name, and the search that takes it."""

    choose: Callable[[SearchRun, int], int]
    label: str
    wrong: str = ""


NEXT = message("Which board is taken next?")


@dataclass(frozen=True, kw_only=True)
class SearchLesson:
    """A lesson of a search.

    `at` is the step that is shown first and that the question is about; `answers` are the boards to
    choose, of which the first is right. `value` is shown for a board: its moves, cost, h or f.
    `store` is the name of the program's store. `rivals` are searches whose expansions are compared.
    `complete` replaces the registry's fact for a program with another rule.
    """

    board: str
    at: int
    value: str
    store: str
    figure: str
    question: str = NEXT
    answers: tuple[str, str, str]
    right: str
    why: tuple[str, str]
    memory: str = message("every board reached")
    rivals: tuple[str, ...] = ()
    limit: int | None = None
    complete: str = ""
    is_tall: bool = False


LESSONS = {
    "bfs": SearchLesson(
        board="1.5.2-0.4.3",
        at=7,
        value="moves",
        store=message("queue"),
        figure=message("A row at a time"),
        answers=("oldest", "nearest", "newest"),
        right=message(
            "The queue gives out the board that waits longest. Breadth-first search does not look "
            "ahead, not even at a board one move from the goal."
        ),
        why=(
            message(
                "The queue holds boards in the order of their distance. So when the goal is taken, "
                "no shorter path is left to find."
            ),
            message(
                "Mark a board when it enters the queue, not when it leaves it: otherwise it enters "
                "twice."
            ),
        ),
        is_tall=True,
    ),
    "dfs": SearchLesson(
        board="1.5.2-0.4.3",
        at=11,
        value="moves",
        store=message("path"),
        figure=message("One path at a time, at most 4 moves"),
        answers=("deepest", "nearest", "oldest"),
        right=message(
            "It goes on below the last board, although a board one move from the goal waits "
            "beside it."
        ),
        why=(
            message(
                "Only the path is stored, so its memory is small. The limit ends every path, and "
                "then the search goes back to the last board with a neighbor left."
            ),
            message(
                "The first path found need not be a shortest one: with a higher limit a longer "
                "path may come first."
            ),
        ),
        memory=message("one path"),
        rivals=("bfs",),
        limit=4,
        complete=message("Within the limit"),
        is_tall=True,
    ),
    "ucs": SearchLesson(
        board="1.5.2-0.4.3",
        at=5,
        value="cost",
        store=message("heap"),
        figure=message("A move costs the number of its tile"),
        answers=("cheapest", "oldest", "newest"),
        right=message("The lowest cost comes first, however many moves it took."),
        why=(
            message(
                "Boards leave the heap in the order of their cost. When the goal is taken, "
                "everything that waits costs as much or more."
            ),
            message(
                "A cheaper path to a board that waits may turn up later. The old entry stays in "
                "the heap and is left out when it is taken."
            ),
        ),
        rivals=("bfs",),
    ),
    "iddfs": SearchLesson(
        board="1.5.2-0.4.3",
        at=21,
        value="moves",
        store=message("path"),
        figure=message("Each limit begins again"),
        question=message("Limit 3 has found nothing. Where does limit 4 begin?"),
        answers=("start", "here", "row"),
        right=message(
            "Nothing is remembered: it begins at the start, and looks at all boards again."
        ),
        why=(
            message(
                "The first limit at which the goal is found is the length of a shortest path: "
                "every shorter limit was searched in full."
            ),
            message(
                "The last limit costs about as much as all before it together, since most boards "
                "are at the bottom."
            ),
        ),
        memory=message("one path"),
        rivals=("bfs",),
        limit=10,
        is_tall=True,
    ),
    "manhattan": SearchLesson(
        board="4.0.1-5.3.2",
        at=4,
        value="distance",
        store=message("so far"),
        figure=message("Each tile alone, and its way home"),
        question=message("Which board has h = 6?"),
        answers=("h", "exact", "with blank"),
        right=message(
            "With h = 6, the rows and columns of all tiles add up to 6. That board takes 8 moves, "
            "so h is not too high."
        ),
        why=(
            message(
                "A move brings one tile one step nearer at best. So at least as many moves are "
                "needed, and the estimate is never too high."
            ),
            message("It does not see that tiles are in each other's way."),
        ),
        memory=message("none"),
    ),
    "greedy": SearchLesson(
        board="0.2.3-5.1.4",
        at=13,
        value="h",
        store=message("heap"),
        figure=message("Greedy search with Manhattan distance"),
        answers=("nearest", "newest", "lowest"),
        right=message(
            "The lowest h comes first. How many moves it took to get there does not count."
        ),
        why=(
            message(
                "It follows the estimate alone, and often reaches a goal after few boards. Each "
                "board is expanded once, so it ends."
            ),
            message(
                "Moves made are never counted, so it may go a long way round: here 19 moves, where "
                "11 are enough."
            ),
        ),
        rivals=("astar",),
    ),
    "astar": SearchLesson(
        board="4.2.0-5.1.3",
        at=9,
        value="f",
        store=message("heap"),
        figure=message("A* with Manhattan distance"),
        answers=("lowest", "newest", "oldest"),
        right=message("A* takes the lowest f, so it turns back to the other branch."),
        why=(
            message(
                "Every board that waits promises at least f moves. When the goal is taken, nothing "
                "that waits promises fewer: its path is a shortest one."
            ),
            message(
                "That holds while h is never too high. If a longer path to a board was found "
                "first, the shorter one must be allowed to replace it."
            ),
        ),
        rivals=("bfs",),
    ),
    "idastar": SearchLesson(
        board="4.2.0-5.1.3",
        at=4,
        value="f",
        store=message("path"),
        figure=message("Each limit begins again"),
        question=message("Limit 5 has found nothing. Where does limit 7 begin?"),
        answers=("start", "cut", "deepest cut"),
        right=message("Only the lowest f above the limit is remembered: the search begins again."),
        why=(
            message(
                "A limit that finds nothing proves that no path is so short. The next one is the "
                "lowest f that was left out, so no length is passed over."
            ),
            message(
                "Only one path is stored. The price is that boards are looked at again for each "
                "limit."
            ),
        ),
        memory=message("one path"),
        rivals=("astar",),
    ),
    "rbfs": SearchLesson(
        board="4.2.0-5.1.3",
        at=5,
        value="f",
        store=message("waiting"),
        figure=message("The path, and what waits beside it"),
        answers=("lowest rank", "newest", "start"),
        right=message(
            "The other branch has a lower f than all below this one. So this branch is left, and "
            "its lowest f is stored."
        ),
        why=(
            message(
                "It follows the lowest f as A* does, but forgets a branch that it leaves. Only the "
                "lowest f found there is stored, as a promise."
            ),
            message(
                "Because of that f it comes back only when nothing better waits. Then it makes the "
                "branch again."
            ),
        ),
        memory=message("the path and its neighbors"),
        rivals=("astar",),
    ),
    "pdb": SearchLesson(
        board="1.2.3-4.5.0",
        at=13,
        value="cost",
        store=message("queue"),
        figure=message("Tile 1 alone, from the goal"),
        answers=("front", "oldest", "end"),
        right=message(
            "A move of another tile costs nothing, so its board goes to the front of the queue."
        ),
        why=(
            message(
                "Only moves of the pattern's tiles count. So no move counts for two groups of "
                "tiles, and the sum of their tables is never too high."
            ),
            message(
                "With one tile, the table holds its Manhattan distance. With more, it also knows "
                "how they are in each other's way."
            ),
        ),
        memory=message("the table"),
    ),
}
"""The lessons by topic, which is the key of the exercise too, except for `pdb`."""

PATTERN = (1,)
"""The tiles of the pattern database: with more, the figure would have hundreds of boards."""

MEASURED = {
    "h": (4, 0, 1, 2, 5, 3),
    "exact": (4, 1, 3, 2, 5, 0),
    "with blank": (5, 2, 0, 1, 4, 3),
}
"""The boards of the question about Manhattan distance, by kind."""


RIVALS = {"bfs": message("Breadth-first search"), "astar": "A*"}
"""Titles of the searches that others are compared with."""


def _in_state(run: SearchRun, at: int, state: str) -> list[int]:
    return [node for node, one in run.steps[at].states.items() if one == state]


def _waiting(run: SearchRun, at: int) -> list[int]:
    return _in_state(run, at, "wait")


def _h(run: SearchRun, node: int) -> int:
    return manhattan(run.nodes[node].board, run.goal)


def _f(run: SearchRun, node: int) -> int:
    return run.nodes[node].depth + _h(run, node)


def _least(value: Callable[[SearchRun, int], float]) -> Callable[[SearchRun, int], int]:
    """Return the choice of the waiting board with the lowest value."""
    return lambda run, at: min(_waiting(run, at), key=lambda node: (value(run, node), node))


KINDS = {
    "oldest": Kind(
        lambda run, at: min(_waiting(run, at)),
        message("the oldest"),
        message("Not the oldest: that is breadth-first search."),
    ),
    "newest": Kind(
        lambda run, at: max(_waiting(run, at)),
        message("the newest"),
        message("Not the newest: that is depth-first search."),
    ),
    "nearest": Kind(
        _least(_h),
        message("looks nearest"),
        message("Not the nearest to the goal: that is greedy search."),
    ),
    "lowest": Kind(
        _least(_f),
        message("the lowest g + h"),
        message("Not the lowest g + h: that is A*."),
    ),
    "front": Kind(lambda run, at: run.steps[at].waiting[0], message("the front of the queue")),
    "end": Kind(
        lambda run, at: run.steps[at].waiting[-1],
        message("the end of the queue"),
        message("Not the end of the queue: depth-first search takes its last board."),
    ),
    "cheapest": Kind(_least(lambda run, node: run.nodes[node].g), message("the lowest cost")),
    "deepest": Kind(
        lambda run, at: max(_waiting(run, at), key=lambda node: run.nodes[node].depth),
        message("the deepest"),
    ),
    "lowest rank": Kind(
        lambda run, at: min(_waiting(run, at), key=run.steps[at].ranks.__getitem__),
        message("the lowest f"),
    ),
    "start": Kind(
        lambda run, at: 0,
        message("the start"),
        message("Not the start: IDA* begins again there."),
    ),
    "here": Kind(
        lambda run, at: run.steps[at].node or 0,
        message("where it stopped"),
        message("Not there: the new limit holds for the boards before it too."),
    ),
    "row": Kind(
        lambda run, at: next(
            node for node, one in enumerate(run.nodes) if one.depth == run.steps[at].limit
        ),
        message("the last row"),
        message("Not the last row: breadth-first search goes on there, as it stores the row."),
    ),
    "deepest cut": Kind(
        lambda run, at: max(_in_state(run, at, "cut"), key=lambda node: run.nodes[node].depth),
        message("the deepest"),
        message("Not the deepest: depth-first search without a limit goes on there."),
    ),
    "h": Kind(lambda run, at: len(run.goal), message("h = %(h)s", h=6)),
    "exact": Kind(
        lambda run, at: len(run.goal) + 1,
        message("h = %(h)s", h=4),
        message("Not the board that 6 moves solve: that is the exact distance."),
    ),
    "with blank": Kind(
        lambda run, at: len(run.goal) + 2,
        message("h = %(h)s", h=5),
        message("Not with the blank's own step: the blank is no tile."),
    ),
    "cut": Kind(
        lambda run, at: min(_in_state(run, at, "cut"), key=lambda node: (_f(run, node), node)),
        message("the lowest f left out"),
        message("Not the lowest f left out: A* goes on there, as it stores the board."),
    ),
}
"""The kinds of boards by name. A kind that is never a wrong answer has no sentence."""


RIGHT = message("Right.")


class BoardAnswer(NamedTuple):
    """A board to choose: its node, value and name, and the verdict if it is chosen."""

    node: int
    value: str
    label: str
    feedback: str
    is_right: bool


@cache
def run_of(topic: str, board: str = "") -> SearchRun:
    """Return the run of the program of an exercise, on the board of its lesson by default."""
    lesson = LESSONS[topic]
    puzzle = parse_puzzle(board or lesson.board)
    if topic == "manhattan":
        others = tuple(MEASURED.values())
        return run_heuristic(topic, puzzle.start.cells, puzzle.goal.cells, others)
    if topic == "pdb":
        return run_pattern_table(PATTERN, puzzle.goal.cells)
    return run_search(topic, puzzle.start.cells, puzzle.goal.cells, lesson.limit)


@cache
def figure_of(topic: str) -> Figure:
    return Figure(run_of(topic), LESSONS[topic].is_tall, LESSONS[topic].value == "f")


def answers_of(topic: str) -> list[BoardAnswer]:
    """Return the boards to choose, in the order in which the program made them."""
    lesson, run = LESSONS[topic], run_of(topic)
    found = []
    for kind in lesson.answers:
        node, is_right = KINDS[kind].choose(run, lesson.at), kind == lesson.answers[0]
        feedback = RIGHT if is_right else KINDS[kind].wrong
        label = translated(KINDS[kind].label)
        value = "" if lesson.value == "distance" else "".join(value_of(topic, node))
        found.append(BoardAnswer(node, value, label, translated(feedback), is_right))
    return sorted(found)


def value_of(topic: str, node: int, step: SearchStep | None = None) -> tuple[str, str]:
    """Return the value of a board, a bold part and the rest."""
    one, kind = run_of(topic).nodes[node], LESSONS[topic].value
    if kind == "moves":
        return plural(one.depth, "move"), ""
    if kind == "cost":
        return f"g = {one.g}", ""
    if kind == "h":
        return f"h = {one.h}", ""
    assert one.h is not None
    f = one.g + one.h  # or the distance of a single tile
    stored = step.ranks.get(node, f) if step and topic == "rbfs" else f
    return f"{stored:g}", f" = {one.g} + {one.h}" if stored == f else f" ({one.g} + {one.h})"


def data_of(topic: str) -> list[dict[str, Any]]:
    """Return what each step shows, for the page and its script."""
    run, figure = run_of(topic), figure_of(topic)
    return [
        {
            "node": step.node,
            "states": step.states,
            "edges": _edges(run, step),
            "numbers": step.numbers,
            "values": {
                node: value_of(topic, node, step) for node in step.states if topic == "rbfs"
            },
            "view": view,
            "moments": [
                [moment.line, {line: _shown(value) for line, value in moment.values.items()}]
                for moment in step.moments
            ],
            "value": value_of(topic, step.node or 0, step),
            "words": words_of(topic, at),
            "store": _store(topic, step),
            "limit": step.limit,
        }
        for at, (step, view) in enumerate(zip(run.steps, figure.views, strict=True))
    ]


def _edges(run: SearchRun, step: SearchStep) -> dict[int, str]:
    """Return the class of the edge above each visible node: `on` the path, or its state."""
    path = set[int]()
    node = step.node
    while node is not None:
        path.add(node)
        node = run.nodes[node].parent
    return {node: "on" if node in path else state for node, state in step.states.items()}


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return _("%(number)s of %(all)s", number=value[0], all=value[1])
    return {"yes": _("yes"), "no": _("no")}.get(value, value)


def _store(topic: str, step: SearchStep) -> list[tuple[str, str]]:
    """Return the boards that the program stores: their values, and whether they are new."""
    run, nodes = run_of(topic), step.waiting
    is_path = LESSONS[topic].store == "path"
    shown = [
        (
            f"{step.ranks.get(node, run.nodes[node].depth):g}"
            if LESSONS[topic].value != "moves" and not is_path
            else f"{run.nodes[node].depth}",
            "here" if node == step.node else "new" if node in step.made and not is_path else "",
        )
        for node in nodes
    ]
    more = len(shown) - STORED
    return [*shown[:STORED], (f"+{more}", "more")] if more > 0 else shown


def words_of(topic: str, at: int) -> str:
    """Say what happens in a step."""
    run = run_of(topic)
    step, is_last = run.steps[at], at == len(run.steps) - 1
    if step.node is None:
        return (
            _("The queue is empty. The table gets the lowest g of each place of tile 1.")
            if is_last
            else _("Nothing has been taken yet.")
        )
    if topic == "manhattan":
        return _cell_words(run, step, is_last)
    if is_last:
        moves, expansions = len(run.found) - 1, len(run.expanded)
        return _(
            "It is the goal: %(moves)s, %(expansions)s.",
            moves=plural(moves, "move"),
            expansions=plural(expansions, "expansion"),
        )
    if topic in ("dfs", "iddfs", "idastar"):
        return _path_words(run, step)
    if topic == "rbfs" and run.nodes[run.steps[at + 1].node or 0].parent != step.node:
        lowest = min(step.ranks[node] for node in step.made)
        return _("Elsewhere a lower f waits. This branch is left with f = %(f)s.", f=f"{lowest:g}")
    if not step.beside:
        return _("A cheaper path to this board was found meanwhile, so it is left out.")
    if not step.made:
        return _("All its neighbors were reached before.")
    if topic == "pdb":
        return _pattern_words(run, step)
    if len(step.made) == step.beside:
        return _("All its neighbors are new. They wait.")
    return ngettext(
        "Of its %(all)s neighbors %(num)s is new. It waits.",
        "Of its %(all)s neighbors %(num)s are new. They wait.",
        len(step.made),
        all=step.beside,
    )


def _cell_words(run: SearchRun, step: SearchStep, is_last: bool) -> str:
    assert step.node is not None
    one = run.nodes[step.node]
    tile = max(one.board)
    if not tile:
        return _("The blank is no tile, so it is left out.")
    words = _("Tile %(tile)s: rows and columns between its cell and its home.", tile=tile)
    total = sum(step.ranks.values())
    return f"{words} {_('Together %(total)s.', total=f'{total:g}')}" if is_last else words


def _pattern_words(run: SearchRun, step: SearchStep) -> str:
    """Say at which end of the queue the new boards wait."""
    here = run.nodes[step.node or 0].g
    free = sum(run.nodes[node].g == here for node in step.made)
    first = ngettext(
        "Another tile moves: %(num)s new board at the front.",
        "Another tile moves: %(num)s new boards at the front.",
        free,
    )
    last = _("Tile 1 moves: a new board at the end.")
    return " ".join([first] * bool(free) + [last] * (len(step.made) - free))


def _path_words(run: SearchRun, step: SearchStep) -> str:
    node = step.node or 0
    one = run.nodes[node]
    if step.states[node] == "cut":
        f = one.g + (one.h or 0)
        return _("f = %(f)s is above the limit, so it is left out.", f=f)
    if not step.beside:
        return _("The limit is reached: the search goes back.")
    begin = "" if node else _("Limit %(limit)s begins.", limit=step.limit) + " "
    if not step.made:
        return begin + _("All its neighbors are on the path: the search goes back.")
    return begin + _("The search goes on below it.")


def rounds_of(topic: str) -> list[tuple[int, int, int]]:
    """Return the rounds of a deepening search: limit, first step, number of boards."""
    found: dict[int, list[int]] = {}
    for at, step in enumerate(run_of(topic).steps):
        if step.limit is not None:
            found.setdefault(step.limit, []).append(at)
    return (
        [(limit, steps[0], len(steps)) for limit, steps in found.items()]
        if (len(found) > 1)
        else []
    )


def here_of(topic: str) -> list[str]:
    """Say how many boards the program expands, and how many other searches do."""
    lesson, run = LESSONS[topic], run_of(topic)
    moves = plural(len(run.found) - 1, "move")
    if topic == "pdb":
        boards = plural(len(run.nodes), "board")
        return [_("%(boards)s, %(places)s places of tile 1", boards=boards, places=len(run.goal))]
    if topic == "manhattan":
        return [_("h = %(h)s", h=f"{sum(run.steps[-1].ranks.values()):g}")]
    found = [f"{plural(len(run.expanded), 'expansion')}, {moves}"]
    for rival in lesson.rivals:
        other = run_of(rival, lesson.board)
        counts = plural(len(other.expanded), "expansion")
        if len(other.found) != len(run.found):
            counts += f", {plural(len(other.found) - 1, 'move')}"
        found.append(f"{_rival(rival, topic)}: {counts}")
    return found


def _rival(rival: str, topic: str) -> str:
    """Return the title of a search, and its step if that comes after the one of a topic."""
    title, step, here = translated(RIVALS[rival]), step_of(rival), step_of(topic)
    if step is None or here is None or step.number < here.number:
        return title
    return _("%(title)s, step %(number)s", title=title, number=step.number)


_WORDS = re.compile(r"(?P<fn>\w+)(?=\()|(?P<kw>\b[A-Za-z]+\b)|(?P<nu>\b\d+\b)|\w+|\W")


def in_colours(code: str) -> Markup:
    """Mark the keywords, numbers and called functions of a line of Python.

    >>> in_colours("if f(x) < 1:")
    Markup('<b class="kw">if</b> <b class="fn">f</b>(x) &lt; <b class="nu">1</b>:')
    """
    parts = []
    for match in _WORDS.finditer(code):
        kind, text = match.lastgroup, match.group()
        if kind == "kw" and not iskeyword(text):
            kind = None
        parts.append(Markup('<b class="{}">{}</b>').format(kind, text) if kind else escape(text))
    return Markup("").join(parts)


def stub_of(exercise: Exercise) -> str:
    """Return the first lines of an exercise, without its imports and docstring."""
    lines = exercise.starter.splitlines()
    first = lines.index(f"def {exercise.signature}:")
    code = [line for line in lines[first:] if '"""' not in line]
    return "\n".join([*code[:3], "    …"])


def given_of(exercise: Exercise) -> list[str]:
    names = [name for name in exercise.uses if name != "is_goal"]
    return [*names, "h"] if "h" in exercise.parameters else names
