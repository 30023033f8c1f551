import json

import numpy as np
import pytest

from slidewise import SearchSpec, Status, parse_puzzle
from slidewise.analysis.daily import FIRST_DAY, daily_puzzles
from slidewise.analysis.distance import look_ahead
from slidewise.course.sample import draw_boards
from slidewise.solver.events import Fate
from slidewise.solver.task import Limits
from slidewise.text import Message, message, plural
from tests.boards import FOUR, HARDEST
from webapp.workers import Failed, Waiting
from webapp.workers.json_values import UnknownError, dumps, loads, qualified_name, resolve

SPEC = SearchSpec(parse_puzzle(HARDEST), "astar", limits=Limits(seconds=30), trace=20)


@pytest.mark.parametrize(
    "value",
    [
        SPEC,
        [*SPEC.events()],
        (Waiting(1, 2), Failed("It was lost."), Status.SOLVED),
        look_ahead(parse_puzzle(FOUR), 0.1),
        daily_puzzles(FIRST_DAY, FIRST_DAY),
        {"a": (1, [2.5, None, True]), 3: b"\x00\xff", (4, 5): range(6, 9, 2)},
        draw_boards(parse_puzzle(FOUR).goal, "1", range(2), 2),
        (Fate.KEPT, "text", -1, 2.0, False, None),
    ],
    ids=[
        *("spec", "events", "pool", "distances", "days", "containers"),
        *("named tuples", "scalars"),
    ],
)
def test_written_value_is_read_again(value):
    again = loads(dumps(value))
    assert again == value
    assert type(again) is type(value)
    if type(value) is list:
        assert list(map(type, again)) == list(map(type, value))


def test_numbers_of_numpy_become_plain():
    assert json.loads(dumps([np.int64(3), np.float64(0.5)])) == [3, 0.5]


@pytest.mark.parametrize("value", [object(), {1, 2}, lambda: None, SearchSpec])
def test_unknown_value_is_refused(value):
    with pytest.raises(TypeError, match="cannot be sent"):
        dumps(value)


@pytest.mark.parametrize(
    "name",
    ["os:system", "subprocess:Popen", "slidewise.nowhere:x", "webapp.config:os", "webapp.app:a.b"],
)
def test_names_outside_this_project_are_refused(name):
    with pytest.raises(UnknownError):
        resolve(name)
    with pytest.raises(UnknownError):
        loads(json.dumps({"of": [name, {}]}))


def test_class_without_values_is_not_instantiated():
    with pytest.raises(UnknownError, match="no class of values"):
        loads(json.dumps({"of": ["webapp.workers.local:LocalSolvers", {}]}))


def test_unknown_field_is_ignored_and_missing_one_is_the_default():
    (kind,) = json.loads(dumps(SPEC)).values()
    name, fields = kind
    del fields["trace"]
    again = loads(json.dumps({"of": [name, {**fields, "colour": "red"}]}))
    assert again == SearchSpec(SPEC.puzzle, "astar", limits=SPEC.limits)
    del fields["puzzle"]
    with pytest.raises(UnknownError, match="other fields"):
        loads(json.dumps({"of": [name, fields]}))


def test_unknown_kind_of_value_is_named_in_the_error():
    with pytest.raises(UnknownError, match="colour"):
        loads('{"colour": 1}')


def test_function_is_resolved_by_its_name():
    assert resolve(qualified_name(look_ahead)) is look_ahead


def test_message_has_its_values_after_loading():
    sent = message(
        "%(stopped)s: at least %(moves)s", stopped=message("stopped"), moves=plural(3, "move")
    )
    received = loads(dumps(sent))
    assert received == sent == "stopped: at least 3 moves"
    assert received.template == sent.template
    assert type(received.values["stopped"]) is Message
    assert (received.values["moves"].number, received.values["moves"].noun) == (3, "move")
