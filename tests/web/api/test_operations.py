"""Operations that a part of an installed package adds to the API."""

import pytest

from tests.web import markup
from tests.web.api_requests import post, problem

MODULE = """
from typing import Annotated, TypedDict
from flask import Blueprint
from slidewise.json_schema import Keywords
from webapp.api.operations import EmptyQuery, operation
from webapp.api.schemas import Size
from slidewise.parts import Part

class PileRequest(TypedDict):
    floors: Annotated[int, Keywords(minimum=1), "How many floors."]

class {tower}(TypedDict):
    size: str
    floors: int

blueprint = Blueprint("tower", __name__, url_prefix="/api/v1/towers")

@blueprint.get("/<size>")
@operation("getTower", "A tower", "With one floor.", "The tower.")
def tower(size: Size, query: EmptyQuery) -> {tower}:
    return {{"size": size, "floors": 1}}

@blueprint.post("/<size>")
@operation("pileTower", "A high tower", "With `floors`.", "It.", examples=[{{"floors": 7}}])
def pile(size: Size, body: PileRequest) -> {tower}:
    return {{"size": size, "floors": body["floors"]}}

PART = Part("tower", pages=[__name__])
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package whose response has the name `tower`."""

    def write(name, tower="TowerJSON"):
        about = tmp_path / f"{name}-1.0.dist-info"
        about.mkdir()
        (tmp_path / f"{name}.py").write_text(MODULE.format(tower=tower))
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[slidewise.parts]\ntower = {name}:PART\n")
        monkeypatch.syspath_prepend(tmp_path)

    return write


def test_operation_of_a_part_is_checked_by_its_declaration(install, new_app):
    install("checked_tower")
    client = new_app().test_client()
    answer = client.get("/api/v1/towers/2x3")
    assert (answer.json, answer.headers["Cache-Control"]) == (
        {"size": "2x3", "floors": 1},
        "no-store",
    )
    assert post(client, "towers/2x3", floors=4).json == {"size": "2x3", "floors": 4}
    refusal = problem(post(client, "towers/2x3", floors=0), 400)
    assert (refusal["field"], refusal["detail"]) == (
        "floors",
        "floors must be at least 1, found 0.",
    )
    assert problem(client.get("/api/v1/towers/tall"), 400)["field"] == "size"
    assert problem(client.get("/api/v1/towers/2x3?floors=2"), 400)["field"] == "floors"
    assert problem(client.get("/api/v1/towers/2x3", headers={"Accept": "image/png"}), 406)


def test_operation_of_a_part_is_documented_after_the_others(install, new_app):
    install("documented_tower")
    client = new_app().test_client()
    document = client.get("/api/v1/openapi.json").json
    assert [*document["paths"]][-2:] == ["/many", "/towers/{size}"]
    tower = document["paths"]["/towers/{size}"]
    assert set(tower["get"]["responses"]) == {"200", "400", "404", "406", "500"}
    assert set(tower["post"]["responses"]) - set(tower["get"]["responses"]) == {"403", "413", "415"}
    assert [one["name"] for one in tower["get"]["parameters"]] == ["size"]
    schemas = document["components"]["schemas"]
    assert schemas["Tower"]["required"] == ["size", "floors"]
    assert schemas["PileRequest"]["examples"] == [{"floors": 7}]
    index = client.get("/api/v1", headers={"Accept": "application/json"}).json
    assert [one["id"] for one in index["operations"]][-2:] == ["getTower", "pileTower"]
    page = markup.read(client.get("/api"))
    text = page.one("section", aria_labelledby="pileTower").text
    assert """/api/v1/towers/... -H 'Content-Type: application/json' -d '{"floors": 7}'""" in text


def test_document_refuses_two_declarations_of_one_name(install, new_app):
    install("other_result", "ResultJSON")
    with pytest.raises(ValueError, match="two classes are called Result in the document"):
        new_app().test_client().get("/api/v1/openapi.json")
