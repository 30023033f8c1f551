"""Requests to every route: some are valid, most are nearly valid."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote_from_bytes, urlencode

from tests.boards import BIG, FOUR, TEXTBOOK, TWO_MOVES, UNSOLVABLE
from tests.web.streams import HTMX

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"

BOARDS = [TWO_MOVES, TEXTBOOK, UNSOLVABLE, FOUR, BIG, "1.2-3.0", "3.1-2.0_0.1-2.3", "123406758"]
NUMBERS = ["0", "1", "2", "5", "8", "20", "-1", "31", "99", "1.5", "10-20"]
MOVES = ["", "UL", "U", "LURD", "U2LDR3", "R9", "UDLR" * 50]
SIZES = ["2x2", "3x3", "2x5", "4x4", "10x10", "3"]
RUNS = ["bfs", "astar:manhattan", "astar:=2*misplaced", "bfs,greedy;rbfs", "idastar:pdb", "best"]
HEURISTICS = ["manhattan", "zero", "pdb", "exact", "linear-conflict", "=max(manhattan, 2)"]
ALGORITHMS = ["astar", "best", "bfs", "dfs", "iddfs", "idastar", "rbfs", "wastar", "greedy"]
NUMBER_FIELDS = ["tile", "step", "move", "beat", "boards", "depth", "seconds", "weight", "at", "go"]
NUMBER_FIELDS += ["made", "undone", "expansions", "lanes", "try", "started"]
OTHER_FIELDS = ["seed", "named", "lesson", "job", "day", "what", "place", "part"]
FIELDS: dict[str, list[str]] = {
    **dict.fromkeys(("board", "start", "goal", "from", "before"), BOARDS),
    **dict.fromkeys(NUMBER_FIELDS, NUMBERS),
    **dict.fromkeys(("run", "runs", "more", "race"), RUNS),
    **dict.fromkeys(("heuristic", "h", "own"), HEURISTICS),
    **{name: ["7", "a"] for name in OTHER_FIELDS},
    "moves": MOVES + NUMBERS,
    "size": SIZES,
    "algorithm": ALGORITHMS,
    "trace": ["true", "false"],
    "hide": ["solve", "hint", "to-go"],
    "answers": ["1"],
}
"""The fields of forms and queries, with values that are valid on some routes."""

PROGRAM_FIELDS: dict[str, list[object]] = {
    "puzzle": list(BOARDS),
    "goal": ["first", "spiral", "1.2-0.3", "0.1.2-3.4.5-6.7.8"],
    "size": list(SIZES),
    "algorithm": list(ALGORITHMS),
    "heuristic": list(HEURISTICS),
    "depth": [1, 9, 2**40],
    "weight": [1, 1.5, 100],
    "trace": [0.5, 2],
    "limits": [{"seconds": 0.2}, {"expansions": 500}, {"seconds": 0.1, "expansions": 2**60}],
    "runs": [["bfs"], ["astar:zero", "greedy"], RUNS],
}
"""The JSON fields of the API."""

PLACES = {
    "code": BOARDS,
    "topic": ["astar", "manhattan", "bfs"],
    "day": ["2026-11-22", "2026-02-30"],
    "room": ["0000-00000-0000", "7k2m-x8d4p-w3nt"],
    "filename": ["css/play.css", "js/play/view.js", "../app.py"],
}
"""The values of the variable parts of routes."""

HEADERS: list[dict[str, str]] = [
    {},
    HTMX,
    {"Accept": "text/event-stream"},
    {"HX-Request": "x", "Cookie": "slidewise_game=x; x; slidewise_visitor=.x"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Accept-Encoding": "br;q=x, gzip", "Accept-Language": "\xff", "Range": "bytes=9-1"},
    {"If-None-Match": '"x', "If-Modified-Since": "never", "X-Forwarded-For": "x, y"},
    {"Host": "a b"},
    {"SCRIPT_NAME": "/x", "Script-Name": "/x", "X-Forwarded-Prefix": "//x"},
]
ODD = [b"\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xc3", b"\r\n", b"%", b"+", b"'\"<>&", b"1e999"]
ODD += [b"\xf0\x9f\xa7\xa9", b"\xd9\xa3", b"\xef\xbb\xbf", b"9" * 400, b"(" * 200, b"=", b"NaN"]
ODD += [b"", b" ", b"-", b"_", b".", b"-1", b"/", b"..", b"None", b"9223372036854775808"]
"""Bytes that are inserted into a text."""


SEARCHES = (
    "/solve",
    "/compare",
    "/race",
    "/run",
    ".csv",
    ".json",
    "/trace",
    "/watch",
    "/hint",
    ".gif",
)
"""The endings of routes that start searches, each of which occupies a process for a while."""

MOSTLY = 0.95
SHORT_RACE = "run=bfs&boards=2&seconds=1&"
"""The usual query of a page of the lab, because without it a page starts a dozen searches."""


@dataclass(frozen=True)
class Request:
    """A request without the address of the server."""

    method: str
    path: str
    query: str
    body: bytes
    headers: dict[str, str]

    @property
    def target(self) -> str:
        """Return the path with the query."""
        return f"{self.path}?{self.query}" if self.query else self.path


def requests(app, seed: int, count: int, *, searches: bool = True) -> Iterator[Request]:
    """Yield requests to all routes in turn, the same for the same seed.

    `searches=False` leaves out the routes that start searches.
    """
    chance = random.Random(seed)
    routes = sorted(
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"OPTIONS", "HEAD"}
        if searches or not rule.rule.endswith(SEARCHES)
    )
    for number in range(count):
        if number % len(routes) == 0:
            chance.shuffle(routes)
        yield _request(chance, *routes[number % len(routes)])


def _request(chance: random.Random, rule: str, method: str) -> Request:
    for name, values in PLACES.items():
        for place in f"<{name}>", f"<path:{name}>":
            text = _mutated(chance, chance.choice(values).encode())
            rule = rule.replace(place, quote_from_bytes(text, safe=""))
    headers = dict(chance.choice(HEADERS)) if chance.random() < 0.5 else {}
    body, query = b"", _encoded(chance) if chance.random() < 0.7 else ""
    if method == "POST":
        body, headers["Content-Type"] = _body(chance, is_api=rule.startswith("/api"))
    if rule.startswith("/lab/") and chance.random() < MOSTLY:
        query = SHORT_RACE + query
        body = body and SHORT_RACE.encode() + body
    if method == "GET" and chance.random() < 0.1:
        method = "HEAD"
    return Request(method, rule, query, body, headers)


def _fields(chance: random.Random) -> list[tuple[str, bytes]]:
    names = chance.choices(list(FIELDS), k=chance.randrange(5))
    return [(name, _mutated(chance, chance.choice(FIELDS[name]).encode())) for name in names]


def _encoded(chance: random.Random) -> str:
    return urlencode(_fields(chance))


def _body(chance: random.Random, *, is_api: bool) -> tuple[bytes, str]:
    """Return a body and its content type, which sometimes do not agree."""
    if is_api:
        body, kind = json.dumps(_api_fields(chance)).encode(), JSON
    else:
        body, kind = _encoded(chance).encode(), FORM
    if chance.random() < 0.2:
        body = _mutated(chance, body)
    if chance.random() < 0.1:
        kind = chance.choice([FORM, JSON, "text/plain", "multipart/form-data; boundary=x", "x"])
    return body, kind


def _api_fields(chance: random.Random) -> dict[str, object]:
    """Return the fields of a JSON body, at most one of them invalid."""
    good = {name: chance.choice(values) for name, values in PROGRAM_FIELDS.items()}
    names = chance.choices(list(good), k=chance.randrange(4))
    fields = {"puzzle": chance.choice(BOARDS)} | {name: good[name] for name in names}
    if chance.random() < 0.3:
        name = chance.choice([*PROGRAM_FIELDS, "x"])
        text = _mutated(chance, str(good.get(name)).encode()).decode(errors="replace")
        fields[name] = chance.choice([text, [text], {name: text}, 3, -1.5, 1e300, True, None])
    return fields


def _mutated(chance: random.Random, text: bytes) -> bytes:
    """Return the text unchanged, or with a part changed, doubled or left out."""
    while chance.random() < 0.4:
        first, last = sorted(chance.choices(range(len(text) + 1), k=2))
        part = chance.choice([b"", text[first:last] * 2, chance.choice(ODD), chance.randbytes(2)])
        text = text[:first] + part + text[last:]
    return text[:2000]
