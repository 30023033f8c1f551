"""The interface for programs against its own OpenAPI document, with what Hypothesis thinks up."""

from __future__ import annotations

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.generation import GenerationMode

from slidewise import Board, Puzzle
from slidewise.json_schema import schema_of
from slidewise.solver.convention import conventions
from webapp.api import schemas
from webapp.api.boards import ConvertRequest, FactsQuery, RandomQuery, ShortestQuery
from webapp.api.catalogue import HeuristicRequest
from webapp.api.many import ManyRequest
from webapp.api.schemas import (
    BOARD_FORMAT,
    CONVENTION_FORMAT,
    OWN_FORMAT,
    OWN_RUN_FORMAT,
    PUZZLE_FORMAT,
    CompareRequest,
    Site,
    SolveRequest,
)
from webapp.api.searches import CheckRequest

SITE = Site(seconds=20, wait=10, size=128 * 1024)
REQUESTS = {
    name: schema_of(declared, SITE)
    for name, declared in {
        "solve": SolveRequest,
        "compare": CompareRequest,
        "many": ManyRequest,
        "heuristics/check": HeuristicRequest,
        "check": CheckRequest,
        "convert": ConvertRequest,
        "random": RandomQuery,
        "facts": FactsQuery,
        "shortest": ShortestQuery,
    }.items()
}
READ_BY_PEOPLE = {"title", "description", "examples", "format"}

CONFIG = {
    "checks": {
        # 422: as the document has it, but no puzzle or no search, such as a goal of another size
        "positive_data_acceptance": {"expected-statuses": ["2xx", "422"]},
        # 413: a body that is wrong can be too long as well, which is found before it is read
        "negative_data_rejection": {
            "expected-statuses": ["400", "404", "405", "413", "415", "422"]
        },
    }
}
"""All checks are on; these two are told what the statuses mean here."""


def boards(rows=3, cols=3):
    cells = st.permutations(range(rows * cols))
    return cells.map(lambda order: Board(rows, cols, tuple(order)))


FEW, MANY = 3, 200
"""Examples of each operation, by whether they are sent in all runs of the tests."""

PUZZLES = st.one_of(
    boards().map(Puzzle.standard),
    boards(2, 2).map(Puzzle.standard),
    st.builds(Puzzle, boards(2, 3), boards(2, 3)),
)
schemathesis.openapi.format(PUZZLE_FORMAT, PUZZLES.map(str))
schemathesis.openapi.format(BOARD_FORMAT, boards().map(str))
CONVENTIONS = st.sampled_from([*conventions(), "aima3,order=rlud,ties=last-in", "oxford"])
schemathesis.openapi.format(CONVENTION_FORMAT, CONVENTIONS)
OWN = st.sampled_from(["=manhattan", "= max(misplaced,\n2)", "=inversions // 2 - 1"])
schemathesis.openapi.format(OWN_FORMAT, OWN)
schemathesis.openapi.format(OWN_RUN_FORMAT, OWN.map("astar:{}".format))


@pytest.fixture(scope="module")
def described(app):
    """The operations as the document that is served describes them."""
    return schemathesis.openapi.from_wsgi(
        "/api/v1/openapi.json", app, config=SchemathesisConfig.from_dict(CONFIG)
    )


def test_the_document_is_one(described):
    described.validate()


OPERATIONS = (
    ("GET", "/"),
    ("GET", "/algorithms"),
    ("GET", "/heuristics"),
    ("POST", "/heuristics/check"),
    ("GET", "/puzzles/{code}"),
    ("GET", "/puzzles/{code}/hint"),
    ("GET", "/puzzles/{code}/shortest"),
    ("GET", "/puzzles/{code}/slides"),
    ("GET", "/random"),
    ("GET", "/facts/{size}"),
    ("POST", "/convert"),
    ("POST", "/check"),
    ("POST", "/solve"),
    ("POST", "/compare"),
    ("POST", "/many"),
)
STREAMED = {"/solve", "/compare"}


def test_all_operations_are_tried(described):
    told = {(one.ok().method.upper(), one.ok().path) for one in described.get_all_operations()}
    assert set(OPERATIONS) >= told


def ask(described, method, path, accept, mode, examples):
    """Send what Hypothesis thinks up, hold the answers against the document; return statuses."""
    statuses = set()

    # Not generated at import, as that takes seconds.
    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), deadline=None)
    @given(case=described[path][method].as_strategy(generation_mode=mode))
    def answer(case):
        assume([] not in (case.query or {}).values())  # nothing would be sent of it
        # In one process nobody unpacks what is compressed.
        headers = {"Accept": accept, "Accept-Encoding": "identity"}
        response = case.call_and_validate(headers=headers)
        statuses.add(response.status_code)

    answer()
    return statuses


def check_operation(described, method, path, mode, examples):
    takes_nothing = (method, path) in {("GET", "/"), ("GET", "/algorithms"), ("GET", "/heuristics")}
    if takes_nothing and mode is GenerationMode.NEGATIVE:
        return  # there is nothing to get wrong
    kinds = ["application/json", *(["text/event-stream"] if path in STREAMED else [])]
    for accept in kinds:
        statuses = ask(described, method, path, accept, mode, examples)
        if mode is GenerationMode.NEGATIVE:
            assert min(statuses) >= 400
        elif examples > 5:
            assert 200 in statuses


@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_is_answered_is_what_the_document_says(described, method, path, mode):
    """With few examples, as each search takes a process; `make soak` sends many."""
    if path != "/many" or mode is GenerationMode.NEGATIVE:  # else it takes seconds for each
        check_operation(described, method, path, mode, FEW)


@pytest.mark.soak
@pytest.mark.parametrize("mode", GenerationMode, ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_is_answered_is_what_the_document_says_to_many(described, method, path, mode):
    check_operation(described, method, path, mode, MANY // 20 if path == "/many" else MANY)


# The check of a body against the schema


def keywords(described_by):
    for keyword, value in described_by.items():
        yield keyword
        if keyword == "properties":
            for part in value.values():
                yield from keywords(part)
        if keyword == "items":
            yield from keywords(value)
        if keyword == "anyOf":
            for way in value:
                yield from keywords(way)


def objects(described_by):
    if described_by.get("type") == "object":
        yield described_by
        for part in described_by["properties"].values():
            yield from objects(part)
    for part in described_by.get("anyOf", ()):
        yield from objects(part)
    if "items" in described_by:
        yield from objects(described_by["items"])


@pytest.mark.parametrize("request_schema", REQUESTS.values(), ids=REQUESTS)
def test_all_keywords_of_the_requests_are_heeded(request_schema):
    assert set(keywords(request_schema)) <= schemas.CHECKED | READ_BY_PEOPLE
    for part in objects(request_schema):
        assert part["additionalProperties"] is False


NAMES = st.sampled_from(
    [
        *("puzzle", "boards", "runs", "moves", "convention", "goal", "size", "algorithm"),
        *("limits", "seconds", "x"),
    ]
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 20_000)
    | st.floats(0, 200)
    | st.sampled_from(["", "bfs", "astar:manhattan", "astar:", "2x3", "1x3", "2x3\n", "manhattan"])
    | st.sampled_from(["=", "=1", "=\n", "a=1", "astar:=", "astar:=1", "astar:a=1", "a:=1", ":=1"])
    | st.integers(295, 305).map(lambda length: f"={'1' * length}")
    | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(NAMES, inside, max_size=3),
    max_leaves=6,
)
GOOD = {
    "puzzle": "1.2-3.0",
    "goal": "1.2-0.3",
    "size": "2x2",
    "algorithm": "astar",
    "heuristic": "zero",
    "depth": 3,
    "weight": 1.5,
    "trace": 2.0,
    "limits": {"seconds": 1, "expansions": 5},
    "runs": ["bfs", "astar:zero", {"algorithm": "wastar", "weight": 2}],
    "boards": True,
    "convention": "columbia",
    "board": [[1, 2], [3, 0]],
    "moves": "10-20",
    "seed": "x",
    "seconds": 1,
    "difficulty": "hard",
}
BODIES = st.builds(
    lambda good, strange: {**{name: GOOD[name] for name in good}, **strange},
    st.sets(st.sampled_from(sorted(GOOD))),
    st.dictionaries(st.sampled_from([*GOOD, "x"]), JSON, max_size=1),
)


@pytest.mark.parametrize("request_schema", REQUESTS.values(), ids=REQUESTS)
@given(body=BODIES | JSON)
def test_a_body_is_refused_where_json_schema_refuses_it(request_schema, body):
    if jsonschema_rs.validator_for(request_schema).is_valid(body):
        schemas.check(body, request_schema)
    else:
        with pytest.raises(schemas.SchemaError):
            schemas.check(body, request_schema)
