"""What programs are told: the schemas of answers and of events."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from slidewise import Event, Proof, Status, algorithms
from webapp.api.requests import Schema, object_of
from webapp.workers import Failed, Waiting

NUMBER = {"type": "number", "minimum": 0}
NUMBER_OR_NULL = {"type": ["number", "null"]}
BOOLEAN = {"type": "boolean"}
COUNT = {"type": "integer", "minimum": 0}
COUNT_OR_NULL = {"type": ["integer", "null"], "minimum": 0}
TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
LINK = {"type": "string", "format": "uri-reference"}


def whole(properties: Schema, **more: object) -> Schema:
    """Return the schema of an object that has all of these fields."""
    return object_of(properties, list(properties), **more)


def object_or_null(properties: Schema) -> Schema:
    """Return the schema of an object that has all of these fields, or of null."""
    return {**whole(properties), "type": ["object", "null"]}


def list_of(items: Schema, **more: object) -> Schema:
    """Return the schema of a list of such items."""
    return {"type": "array", "items": items, **more}


def result_schema() -> Schema:
    counts = ("expanded", "generated", "peak_frontier", "peak_stored", "deepest")
    told = whole(
        {
            "puzzle": TEXT,
            "algorithm": {"type": "string", "enum": list(algorithms())},
            "heuristic": {"type": ["string", "null"]},
            "weight": {"type": ["number", "null"]},
            "convention": {"type": "string"},
            "status": {"type": "string", "enum": [status.value for status in Status]},
            "length": {
                **COUNT_OR_NULL,
                "description": "The length of the path; null if there is none.",
            },
            "moves": {
                "type": "string",
                "pattern": "^[UDLR]*$",
                "description": "The directions in which the tiles move.",
            },
            "tiles": {"type": "array", "items": COUNT},
            "verdict": {
                "type": "string",
                "enum": [proof.value for proof in Proof],
                "description": "What is proved about the length of the path; `unproved` if there "
                "is none. The status `unsolvable`, that there can be none, is proved by parity.",
            },
            "lower_bound": {
                **COUNT_OR_NULL,
                "description": "Every solution has at least this many moves; null if there is "
                "none.",
            },
            "reason": {"type": "string", "description": "Why the verdict holds."},
            **dict.fromkeys(counts, COUNT),
            "seconds": NUMBER,
        }
    )
    told["properties"]["boards"] = {
        "type": ["array", "null"],
        "items": TEXT,
        "description": "The boards of the path, if they were asked for; null as described there.",
    }
    return told


COMPARISON = whole(
    {
        "puzzle": TEXT,
        "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
    }
)

LINKS = whole({"self": LINK, "play": LINK, "picture": LINK}, description="Addresses on this site.")

PUZZLE_FACTS = whole(
    {
        "puzzle": {"type": "string", "description": "The code."},
        "rows": COUNT,
        "cols": COUNT,
        "start": TEXT,
        "goal": TEXT,
        "goal_name": {"type": "string", "description": "Such as blank last, or custom."},
        "solvable": {"type": "boolean"},
        "parity": whole(
            {
                **dict.fromkeys(("transpositions", "grid_distance"), COUNT),
                **dict.fromkeys(("inversions", "row_distance"), COUNT),
                "explanation": TEXT,
            },
            description="The numbers that decide whether the goal can be reached.",
        ),
        "distance": {
            **COUNT_OR_NULL,
            "description": "The length of a shortest solution; null if it is not known at once.",
        },
        "lower_bound": {
            **COUNT_OR_NULL,
            "description": "Every solution has at least this many moves; null if there is none.",
        },
        "estimates": {
            "type": "object",
            "additionalProperties": COUNT_OR_NULL,
            "description": "What each heuristic for this size says; null if its tables are not "
            "ready yet, so ask again.",
        },
        "links": LINKS,
    }
)

PROBLEM_SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id", "version"],
    "properties": {
        "type": {
            **LINK,
            "description": "What kind of problem it is: an address on this site that describes "
            "it, or `about:blank` if the status says enough.",
        },
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What was wrong, and what to do."},
        "field": {"type": "string", "description": "Where in the body it was wrong."},
        "request_id": {"type": "string", "description": "The id of the request in the log."},
        "version": {"type": "string", "description": "The version of Slidewise."},
        "contact": {"type": "string", "description": "Whom to contact, by mail or on a page."},
        "readings": {
            "type": "array",
            "items": whole({"means": TEXT, "puzzle": TEXT}),
            "description": "If a text can mean several boards: each meaning, and how to write it "
            "so that it can mean nothing else.",
        },
    },
}

EVENTS: tuple[type, ...] = (Waiting, *get_args(Event), Failed)
"""All that an event stream can tell."""


def event_kind(event: object) -> str:
    """Return the kind of an event, as it stands in a stream and in the event's JSON."""
    return (event if isinstance(event, type) else type(event)).__name__.lower()


def event_schema(event: type) -> Schema:
    """Return the schema of a kind of event; its words are those of the code."""
    about = " ".join((event.__doc__ or "").split()).replace("None", "null")
    known = {"result": ref("Result")} if event_kind(event) == "finished" else {}
    names = [field.name for field in fields(event)]
    return {
        "type": "object",
        "title": event.__name__,
        "description": about,
        "required": ["event", *names],
        "properties": {
            "event": {"const": event_kind(event)},
            **{name: known.get(name, {}) for name in names},
        },
    }


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
