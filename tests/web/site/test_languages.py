"""Languages of pages: the choice of a visitor, and the translation of every text."""

import gettext
import re
from datetime import date
from html.parser import HTMLParser

import pytest

from slidewise import algorithms, heuristics, parse_puzzle, search, solve
from slidewise.analysis.daily import FIRST_DAY, daily_puzzle
from slidewise.solver.events import Expanded
from tests.each import each, some
from tests.web import kinds, markup
from tests.web.streams import HTMX
from webapp.course.lab.check import EXAMPLE_WORK
from webapp.http import language
from webapp.http.language import COOKIE, LANGUAGES, Language
from webapp.play import daily
from webapp.play.daily_results import DailyResults
from webapp.workers.shared import services_of

GAME = "/play/1.2.3-4.0.6-7.5.8"
ALONE = "1.2.3-4.8.0-7.6.5"
FOUR = "1.2.3.4-5.6.7.8-9.10.11.12-0.13.14.15"
FIVE = "1.2.3.4.5-6.7.8.9.10-11.12.13.14.15-16.17.18.19.20-21.22.0.23.24"
"""Boards of tests with marked messages alone: pages cache parts of a board in one language."""
BEGIN, END = "⟦", "⟧"


class Pseudo(gettext.NullTranslations):
    """Translations that mark each message, so that other texts stand out."""

    def gettext(self, message):
        return f"{BEGIN}{message}{END}"

    def ngettext(self, one, many, count):
        return self.gettext(one if count == 1 else many)


@pytest.fixture
def pseudo(monkeypatch):
    """Replace English by a language in which each message is marked."""
    made = Language("en")
    made.translations = Pseudo()
    monkeypatch.setitem(LANGUAGES, "en", made)
    monkeypatch.setattr(language, "_current", type(language._current)("test", default=made))
    for name in "format_date", "format_skeleton":
        monkeypatch.setattr(language.dates, name, marked(getattr(language.dates, name)))


def marked(formatted):
    return lambda *args, **options: f"{BEGIN}{formatted(*args, **options)}{END}"


ATTRIBUTES = (
    "alt",
    "aria-label",
    "aria-description",
    "aria-roledescription",
    "placeholder",
    "title",
)
NAMED = ("description", "og:title", "og:description", "og:image:alt")
EXEMPT = {"script", "style", "code", "kbd", "pre", "samp", "var"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMES = re.compile(
    r"Slidewise|Moodle|Canvas|Java|MATLAB|NumPy|Python|slidysim|"
    r"\b(?:CSV|GIF|JSON|PNG|SVG)\b|\b[A-Z]\b|[\d½][\d.,×x ]*"
)
"""Proper names, keys and numbers. The name of a language is in that language."""


class Unmarked(HTMLParser):
    """A parser that collects the texts of a page outside of messages."""

    def __init__(self):
        super().__init__()
        self.found, self._depth, self._open = [], 0, []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        is_exempt = tag in EXEMPT or "translate" in given or (tag != "html" and "lang" in given)
        texts = [given[name] for name in ATTRIBUTES if given.get(name)]
        if tag == "meta" and (given.get("name") or given.get("property")) in NAMED:
            texts.append(given["content"])
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            texts.append(given.get("value", ""))
        if not any(self._open) and not is_exempt:
            for text in texts:
                self._check(text, 0)
        if tag not in VOID:
            self._open.append(is_exempt)

    def handle_endtag(self, tag):
        if tag not in VOID and self._open:
            self._open.pop()

    def handle_data(self, data):
        self._depth = self._check(data, self._depth, silent=any(self._open))

    def _check(self, text, depth, silent=False):
        """Collect text outside of messages; return the number of open messages at the end."""
        outside = ""
        for char in text:
            depth += (char == BEGIN) - (char == END)
            outside += char if not depth and char != END else " "
        for part in re.findall(r"[^\W\d_][^<>]*", NAMES.sub(" ", outside)):
            if not silent and len(part.strip()) > 1:
                self.found.append(part.strip())
        return depth


def unmarked(html):
    """Return the texts of a page or fragment outside of messages."""
    page = Unmarked()
    page.feed(html)
    return page.found


LESSONS = [*algorithms(), *heuristics()]
NO_BOARD, UNSOLVABLE = "1 2 3 4 5 6 7 8 8", "1 2 3 4 5 6 8 7 0"
PAGES = (
    "/transfer",
    "/lab/1.2.3-4.0.6-7.5.8",
    "/lab/1.2.3-4.8.0-7.6.5?run=bfs,dfs,wastar:manhattan,astar:%3D2*manhattan&weight=1.5&go=1",
    "/lab/0.6.3-2.1.8-4.7.5?run=greedy:misplaced,greedy:manhattan,wastar:manhattan,astar:manhattan",
    f"/lab/{FOUR}?run=bfs,astar:manhattan",
    "/lab/1.2.3-4.5.6-8.7.0?run=bfs&go=1",
    f"/lab/{FOUR}/many?seconds=2.5",
    "/lab/1.2.3-4.0.6-7.5.8/many?boards=3&run=bfs,astar:%3D2*manhattan,greedy:manhattan&go=1",
    "/convert",
    "/convert?start=8.1.3-4.0.2-7.6.5_1.2.3-8.0.4-7.6.5",
    "/convert?start=1.2.3-4.0.6-7.5.8&moves=Down,+Right",
    "/convert?start=1.2.3-4.5.6-8.7.0&moves=Up",
    "/lab/1.2.3-4.0.6-7.5.8/check",
    "/lab/1.2.3-4.0.6-7.5.8/watch?own=bfs&beside=1",
    "/lab/1.2.3-4.0.6-7.5.8/watch?algorithm=best",
    "/lab/1.2.3-4.0.6-7.5.8/heuristics",
    "/lab/3.2.1-7.0.6-4.5.8/heuristics?h=linear-conflict",
    *(f"/lab/7.2.4-5.0.6-8.3.1/heuristics?h={key}" for key in ("misplaced", "pdb")),
    *(f"/lab/7.2.4-5.0.6-8.3.1/heuristics?h=={text}" for text in ("99 * manhattan", "7")),
    f"/lab/{FOUR}/heuristics",
    "/lab/7.2.4-5.0.6-8.3.1/heuristics/read?own=zero",
    "/learn",
    *(f"/learn/{key}" for key in LESSONS),
    "/learn/by-hand",
    "/learn/by-hand/corner",
    "/learn/by-hand/trainer",
    "/custom",
    f"/custom?start={NO_BOARD}",
    f"/custom?start={UNSOLVABLE}",
    "/daily",
    "/daily/2026-11-29?ahead=1",
    f"/daily/{FIRST_DAY}?month=2026-02",
    "/gallery",
    "/levels",
    "/new",
    "/learn/puzzle",
    "/learn/puzzle/parity",
    "/learn/local-search",
    "/learn/challenge",
    "/learn/challenge?start=2.1.3",
    "/learn/challenge?start=1.2.3.4-5.6.7.8-9.10.11.12-13.15.14.0",
    "/learn/challenge?start=8.6.7-2.5.4-3.0.1",
    "/learn/mistakes",
    "/learn/mistakes/astar/manhattan-with-blank",
    "/learn/mistakes/dfs/aima3",
    "/learn/mistakes/idastar/limit-by-five",
    "/learn/mistakes/rbfs/slidewise",
    "/learn/predict",
    "/learn/predict?seed=anna&answer=1&asked=4&right=2",
    *(f"/learn/predict?algorithm={key}&answer=1" for key in ("bfs", "dfs", "greedy", "rbfs")),
    "/learn/predict?algorithm=iddfs&numbers=hidden",
    "/learn/predict?algorithm=idastar&size=3x3&answer=2",
    "/learn/space",
    "/learn/write",
    *(f"/learn/write/{key}" for key in ("find_zero", "bfs", "pattern_table")),
    "/learn/write/bfs?seed=7&rules=strict,no-reference",
    "/learn/write/bfs?rules=none",
    "/learn/class",
    "/learn/class?exercise=bfs&rules=strict",
    "/learn/class?exercise=nonsense",
    "/learn/teachers?start=7+2+4+5+0+6+8+3+1&run=bfs&hide=hint",
    "/learn/teachers?start=7+2+4",
    "/learn/teachers?exercise=bfs&rules=strict",
    "/learn/teachers?exercise=nonsense",
    "/learn/worksheet",
    "/learn/worksheet?answers=yes&run=rbfs:manhattan&run=iddfs&size=2x4",
    *(f"/play/{code}" for code in (ALONE, FOUR, FIVE, "1.2-3.0", "2.1.3-4.5.6-7.0.8")),
    "/play/1.0.2-3.4.5-6.7.8_0.1.2-3.4.5-6.7.8",
    "/play/1.0.2-4.5.3-7.8.6_2.1.3-4.5.6-7.8.0",
    *(f"/play/{ALONE}?beat={beat}" for beat in ("30", "5", "1", "5&ghost=x")),
    *(f"/play/{ALONE}?lesson=solver,hint,to-go", f"/play/{ALONE}/review"),
    *(f"/replay/{ALONE}{query}" for query in ("", "?moves=URDLU", "?moves=UD&named=blank")),
    *(f"/embed{what}" for what in (GAME, "/watch/1.2.3-4.0.6-7.5.8?algorithm=astar")),
    *(f"/embed/replay/1.2.3-4.0.6-7.5.8?moves={moves}" for moves in ("UL", "UR")),
    "/replay/1.2.3-4.0.6-7.5.8.html?moves=UL",
    *("/no-network", "/together?watch=1"),
)


REFUSED_PATHS = (
    f"/convert?start={NO_BOARD.replace(' ', '+')}",
    "/convert?start=1.2.3-4.0.6-7.5.8&moves=Up,+Up,+Up",
    "/convert?start=1.2.3-4.0.6-7.5.8&moves=(move+t1+p1+p2)",
    "/convert?start=3%0A1+2+3%0A4+5+6%0A7+8",
    "/convert?moves=U",
    *(f"/lab/1.2.3-4.0.6-7.5.8?run={run}" for run in ("nonsense", "&go=1", "bfs," * 300)),
    "/lab/1.2.3-4.0.6-7.5.8?run=" + ",".join(f"astar:%3D{number}" for number in range(17)),
    "/lab/1.2.3-4.0.6-7.5.8?run=bfs&seconds=x",
    *(f"/lab/1.2.3-4.0.6-7.5.8/many?{one}" for one in ("boards=101", "moves=x")),
    "/lab/1.2.3-4.0.6-7.5.8/many?seed=" + "x" * 41,
    *(f"/lab/7.2.4-5.0.6-8.3.1/heuristics?{query}" for query in ("own=foo", "own=max(1", "h=taxi")),
    "/learn/by-hand/nonsense",
    "/learn/by-hand/trainer?board=1.2",
    "/learn/mistakes/astar/nonsense",
    "/learn/predict?size=4x4",
    "/learn/predict?size=2x2",
    "/learn/predict?algorithm=bidirectional",
    "/learn/predict?heuristic=nonsense",
    *(f"/learn/predict?heuristic==max({text}" for text in ("1)", "1,", "1/2", "manhatan")),
    "/learn/predict?numbers=some",
    "/learn/predict?number=0",
    "/learn/predict?seed=" + "x" * 65,
    "/learn/space?goal=q",
    "/learn/space?start=1.2",
    "/learn/space?start=2.1.3-4.5.6-7.8.0",
    "/learn/space?a=x",
    "/learn/worksheet?size=9x9",
    f"/embed{GAME}?theme=x",
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_page_is_a_message(client, path):
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200
    assert not unmarked(answer.text)


KINDS = (
    *("no such page", "no such puzzle", "wrong method", "other site", "too long", "notice"),
    *("notice, too long", "what is stored", "sharing", "sharing a game begun", "sharing, htmx"),
    *("sharing a solution", "sharing a big game", "no such animation", "rooms", "no such room"),
    *("room", "room of others", "race watched", "race won", "players of a room"),
    *("boards of a race", "slide in no race"),
)


@each("kind", KINDS)
@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_kind_of_page_is_a_message(app, kind):
    assert not unmarked(kinds.EVERY_KIND[kind](app.test_client()).text)


REFUSED = {
    "editor: empty": lambda client: client.post("/custom", data={"start": ""}),
    "editor: wrong": lambda client: client.post("/custom", data={"start": NO_BOARD}),
    "editor: unsolvable": lambda client: client.post("/custom", data={"start": UNSOLVABLE}),
    "editor: wrong size": lambda client: client.post("/custom", data={"start": "1", "size": "x"}),
    "new: wrong goal": lambda client: client.get("/new?goal=x"),
    "new: wrong size": lambda client: client.get("/new?size=1x2"),
    "new: too many moves": lambda client: client.get("/new?size=3x3&moves=99"),
    "daily: no date": lambda client: client.get("/daily/today"),
    "daily: too early": lambda client: client.get("/daily/2025-12-31"),
    "daily: too late": lambda client: client.get("/daily/2999-01-01"),
    **{path: (lambda client, path=path: client.get(path)) for path in REFUSED_PATHS},
}


@each("case", REFUSED)
@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_refusal_is_a_message(client, case):
    answer = REFUSED[case](client)
    assert answer.status_code in (400, 404)
    assert not unmarked(answer.text)


HARD = "4.1.3-7.2.5-0.8.6"


def expansions(algorithm, heuristic=None, convention="slidewise"):
    events = search(*(parse_puzzle(HARD), algorithm, heuristic), trace=400, convention=convention)
    return "".join(f"{event.board}\n" for event in events if isinstance(event, Expanded))


REPORTS = {
    "mistake": {**EXAMPLE_WORK},
    "right": {"given": expansions("bfs")},
    "order": {"given": expansions("bfs", convention="slidewise,order=durl")},
    "ties": {
        "algorithm": "astar",
        "given": expansions("astar", "manhattan", "slidewise,ties=lower-h"),
    },
    "convention": {"algorithm": "astar", "given": expansions("astar", "manhattan", "princeton")},
    "depth first": {"algorithm": "iddfs", "given": expansions("idastar", "manhattan")},
    "illegal": {"given": "LLLLL"},
    "wrong path": {"given": "path: RULD"},
    "other path": {"algorithm": "wastar", "given": "nodes_expanded: 3\npath: RU"},
    "counts": {"given": "nodes_expanded: 57\nmax_search_depth: 3"},
    "wrong counts": {"given": "nodes_expanded: 2\nnodes_generated: 1"},
    "no path": {"given": "no solution"},
}


LONG_REPORTS = ["depth first", "other path"]


@pytest.mark.parametrize(
    "cases", some([[case for case in REPORTS if case not in LONG_REPORTS], LONG_REPORTS], 0)
)
@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_report_is_a_message(client, cases):
    for case in cases:
        check_report(client, case)


def check_report(client, case):
    work = {"board": HARD, "algorithm": "bfs", **REPORTS[case]}
    answer = client.post("/lab/check", data=work)
    assert answer.status_code == 200
    page = re.sub(r"(?s)<textarea.*?</textarea>", "", answer.text)
    assert not unmarked(page)


@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_checked_board_is_a_message(client):
    for start in UNSOLVABLE, "1 2 3 4 5 6 0 7 8", "1 2 3 4 5 6 7 8 0", NO_BOARD:
        answer = client.post("/custom", data={"start": start}, headers=HTMX)
        assert answer.status_code == 200
        assert not unmarked(answer.text)


@pytest.mark.usefixtures("pseudo")
def test_every_text_of_a_daily_result_is_a_message(new_app, monkeypatch):
    app, day = new_app(), date(2026, 11, 26)
    monkeypatch.setattr(daily, "today", lambda: day)
    store = services_of(app).get(DailyResults).store
    for player in range(25):
        store.count(day, "3x3", 30, str(player), str(player))
    client, puzzle = app.test_client(), daily_puzzle(day, 3, 3)
    client.get("/daily")
    code = str(puzzle)
    answer = client.post(
        f"/play/{code}/slide", data={"tile": list(map(str, solve(puzzle).tiles))}, headers=HTMX
    )
    result = answer.text.partition('id="day"')[2].partition("</section>")[0]
    assert "<figure" in result
    assert not unmarked("<p " + result.replace(f"http://localhost/daily/{day}", ""))


def test_texts_outside_of_messages_are_found():
    html = '<p title="⟦a tile⟧">⟦Slide the <a>tile⟧</a> 5 <b aria-label="left">L</b> now</p>'
    assert unmarked(html) == ["left", "now"]


PARAGRAPHS = (
    *("/learn/astar", "/learn/dfs", "/learn/write/bfs"),
    *(f"/lab/7.2.4-5.0.6-8.3.1/heuristics?h={key}" for key in ("pdb", "nilsson")),
)


@pytest.mark.parametrize("path", PARAGRAPHS)
@pytest.mark.usefixtures("pseudo")
def test_sentences_of_a_paragraph_have_a_space_between_them(client, path):
    assert f"{END}{BEGIN}" not in client.get(path).text


@each(
    ("accepted", "code"),
    [
        (None, "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr,es-419;q=0.8,en;q=0.5", "es"),
        ("fr", "en"),
        ("*", "en"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("%s,;q=x", "en"),
    ],
)
def test_language_is_the_best_that_the_browser_accepts(client, accepted, code):
    answer = client.get(GAME, headers={"Accept-Language": accepted} if accepted else {})
    assert f'<html lang="{code}">' in answer.text
    assert answer.headers["Content-Language"] == code
    assert {"accept-language", "cookie"} <= set(answer.vary.as_set())


def test_chosen_language_overrides_the_browser(client):
    came_from = {"Referer": f"http://localhost{GAME}?beat=3"}
    answer = client.post("/language", data={"language": "es"}, headers=came_from)
    assert answer.status_code == 303
    assert answer.location == f"http://localhost{GAME}?beat=3"
    assert client.get_cookie(COOKIE).value == "es"
    page = client.get(GAME, headers={"Accept-Language": "de"})
    assert '<html lang="es">' in page.text
    client.set_cookie(COOKIE, "xx")
    assert '<html lang="de">' in client.get(GAME, headers={"Accept-Language": "de"}).text


@each("referrer", ["http://elsewhere.example/", "//x", "javascript:x", ""])
def test_language_choice_redirects_to_no_other_site(client, referrer):
    headers = {"Referer": referrer}
    answer = client.post("/language", data={"language": "de"}, headers=headers)
    assert (answer.status_code, answer.location) == (303, "/")


def test_choice_of_an_unknown_language_is_explained(client):
    answer = client.post("/language", data={"language": "tlh"})
    assert answer.status_code == 400
    assert "en, de, es" in answer.text


def test_page_for_programmers_names_its_language(client):
    notes = {"de": ["Diese Seite ist auf Englisch."], "es": ["Esta página está en inglés."]}
    for code in LANGUAGES:
        answer = client.get("/api", headers={"Accept-Language": code}, follow_redirects=True)
        assert '<html lang="en">' in answer.text
        assert {"Accept-Language", "Cookie"} <= set(answer.vary)
        shown = markup.read(answer).all("aside", _class="english")
        assert [note.text for note in shown] == notes.get(code, [])
        assert all(note["lang"] == code for note in shown)


@each(
    ("code", "words"),
    [("en", "expected 1 cell in"), ("de", "1 Feld in jeder"), ("es", "tener 1 casilla como")],
)
def test_one_cell_is_counted_in_the_singular(client, code, words):
    answer = client.post("/custom", data={"start": "1/2 3/0"}, headers={"Accept-Language": code})
    assert words in answer.text


@pytest.mark.parametrize(
    ("code", "words", "month", "weekdays"),
    [
        ("en", "Thursday, 26 November 2026", "November 2026", "Mo Tu We Th Fr Sa Su"),
        ("de", "Donnerstag, 26. November 2026", "November 2026", "Mo Di Mi Do Fr Sa So"),
        ("es", "Jueves, 26 de noviembre de 2026", "Noviembre de 2026", "LU MA MI JU VI SA DO"),
    ],
)
def test_dates_are_those_of_the_language(client, code, words, month, weekdays):
    page = markup.read(client.get("/daily/2026-11-26?ahead=1", headers={"Accept-Language": code}))
    assert page.one("time").text == words
    assert page.one(id="calendar-title").text == month
    names = [th.one("span", aria_hidden="true").text for th in page.one("thead").all("th")]
    assert " ".join(names) == weekdays


def test_errors_are_in_the_language_with_its_numbers(client):
    data = {"start": "1" * 4001}
    answer = client.post("/custom", data=data, headers={"Accept-Language": "de"})
    wrong = markup.read(answer).one(id="wrong").text
    assert "höchstens 4.000 Zeichen, hier sind es 4.001" in wrong
