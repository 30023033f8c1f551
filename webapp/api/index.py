"""What tells programs what there is: the page, the index, and the OpenAPI document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import Response, redirect, render_template, request, url_for

from slidewise import __version__
from webapp.api import document
from webapp.api.answers import JSON, STREAM, json_response, this_site
from webapp.api.blueprint import blueprint
from webapp.http.errors import TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from werkzeug import Response as AnyResponse

HTML = "text/html"


@blueprint.get("")
def about() -> str:
    """Show how to use all this, with examples to copy."""
    api = _document()
    return render_template("api/index.html", api=api, examples=_examples(api), problem_types=TYPES)


@blueprint.get("/v1", strict_slashes=False)
def root() -> AnyResponse:
    """List what there is; a browser goes to the page that tells of it."""
    if request.accept_mimetypes.best_match([JSON, HTML]) == HTML:
        response: AnyResponse = redirect(url_for("api.about"))
    else:
        response = json_response(_index())
    response.vary.add("Accept")
    return response


@blueprint.get("/v1/openapi.json")
def openapi() -> Response:
    """Answer with the OpenAPI document."""
    return json_response(_document())


def _document() -> dict[str, Any]:
    return document.document(this_site(), f"{request.script_root}/api/v1")


def _index() -> dict[str, Any]:
    api = _document()
    server = api["servers"][0]["url"]
    return {
        "name": api["info"]["title"],
        "version": __version__,
        "page": url_for("api.about"),
        "document": url_for("api.openapi"),
        "operations": [
            {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": f"{server}{path if path != '/' else ''}",
                "summary": operation["summary"],
            }
            for path, methods in api["paths"].items()
            for method, operation in methods.items()
        ],
    }


def _examples(api: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return shell commands for the operations of an OpenAPI document, by their ids."""
    site = request.host_url.rstrip("/") + api["servers"][0]["url"]
    found = {}
    for path, methods in api["paths"].items():
        for operation in methods.values():
            found[operation["operationId"]] = list(_commands(site + path, operation, api))
    return found


def _commands(url: str, operation: Mapping[str, Any], api: Mapping[str, Any]) -> Iterator[str]:
    if "requestBody" not in operation:
        named = operation.get("parameters", ())
        path = {one["name"]: one["example"] for one in named if one["in"] == "path"}
        query = {
            one["name"]: one["example"]
            for one in named
            if one["in"] == "query" and "example" in one
        }
        address = f"{url.rstrip('/')}".format(**path)
        yield f"curl '{address}?{urlencode(query)}'" if query else f"curl {address}"
        return
    name = operation["requestBody"]["content"][JSON]["schema"]["$ref"].rpartition("/")[2]
    body = json.dumps(api["components"]["schemas"][name]["examples"][0])
    post = f"{url} -H 'Content-Type: {JSON}' -d '{body}'"
    yield f"curl {post}"
    if STREAM in operation["responses"]["200"]["content"]:
        yield f"curl -N {post} -H 'Accept: {STREAM}'"
