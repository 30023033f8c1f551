"""The options of a search: used if they apply, refused with a reason if they are wrong."""

import re

import pytest

from slidewise import algorithms, parse_puzzle
from slidewise import solve as solve_alone
from slidewise.puzzle.moves import play
from slidewise.solver.convention import ALGORITHMS
from tests.boards import HARDEST, ONE_MOVE
from tests.boards import TWENTY_MOVES as LONG
from tests.boards import TWO_MOVES as EASY
from tests.each import each
from tests.web import markup
from tests.web.streams import HTMX, steps_of
from webapp import forms
from webapp.forms import FieldError
from webapp.solve import replay
from webapp.solve.replay import SHOWN_STEPS


def task(app, code=EASY, **chosen):
    with app.test_request_context():
        return forms.read_spec(parse_puzzle(code), chosen)


def test_options_are_used_if_they_apply_and_ignored_if_not(app):
    assert task(app, algorithm="dfs", depth="30").limits.depth == 30
    assert task(app, algorithm="astar", depth="1").limits.depth is None
    assert task(app, algorithm="wastar", weight="2.25").weight == 2.25
    assert task(app, algorithm="astar", weight="9").weight == task(app).weight
    assert task(app, algorithm="bfs", seconds="1.5").limits.seconds == 1.5


def test_time_is_used_up_if_it_was_given(app):
    assert task(app, seconds="5").limits.stops_early is False
    assert task(app).limits.stops_early is True


def test_seconds_are_limited_by_the_site(app):
    most = app.config["SOLVE_SECONDS"]
    assert task(app).limits.seconds == most
    assert task(app, seconds=str(most)).limits.seconds == most
    with pytest.raises(FieldError, match=f"seconds must be .* at most {most}, found 21"):
        task(app, seconds="21")


def test_comma_is_a_decimal_mark_and_no_thousands_separator(app):
    assert task(app, seconds="1,5").limits.seconds == 1.5
    assert task(app, algorithm="wastar", weight="2,25").weight == 2.25
    with pytest.raises(FieldError, match="found '1,000'"):
        task(app, seconds="1,000")


WRONG = [
    *(("dfs", "depth", text) for text in ("2,5", "deep", "0", "9" * 10)),
    *(("bfs", "seconds", text) for text in ("1e9", "0.0", "20.1", "٣", "9" * 5000)),
    *(("wastar", "weight", text) for text in ("0.5", "101", "1.555", "x")),
    *(("annealing", "cooling", text) for text in ("0.4", "1", "x")),
    ("first-choice", "seed", "x" * 65),
]
ALLOWED = {
    "seconds": "Seconds must be above 0 and at most 20, found",
    "depth": "The depth limit must be a whole number from 1 to 999,999,999, found",
    "weight": "The weight must be from 1 to 100 and have at most two decimals,",
    "cooling": "The cooling must be from 0.5 to 0.999999, found",
    "seed": "A seed has at most 64 characters",
}


def marked_field(page):
    """Return the marked field and its error message."""
    marked = [field for field in page.all("input") if "aria-invalid" in field.attrs]
    assert [field for field in page.all("input") if "autofocus" in field.attrs] == marked
    assert len(marked) == 1
    return marked[0], page.one(id=marked[0]["aria-describedby"])


@each("headers", [{}, HTMX])
@each(("algorithm", "name", "text"), WRONG)
def test_wrong_option_shows_its_error_at_the_field(client, algorithm, name, text, headers):
    form = {"algorithm": algorithm, "board": EASY, name: text}
    answer = client.post(f"/play/{EASY}/solve", data=form, headers=headers)
    assert answer.status_code == 400
    page = markup.read(answer)
    field, message = marked_field(page)
    assert field["name"] == name
    assert field["value"] == text[: 64 if name == "seed" else 40]
    assert message["role"] == "alert"
    assert message.text.startswith(ALLOWED[name])
    assert len(message.text) < 150
    hidden = {label["data-option"] for label in page.all("label", hidden="")}
    if headers:
        assert answer.headers["HX-Retarget"] == "#solve-options"
        conventions = set() if algorithm in ALGORITHMS else {"convention"}
        others = {"depth", "weight", "seed", "cooling"} - algorithms()[algorithm].options
        assert hidden == others | conventions
        assert [part["id"] for part in page.content if not isinstance(part, str)] == [
            "solve-options"
        ]
    else:
        assert hidden == set(), "without JavaScript all are shown"
        assert page.one("option", value=algorithm).get("selected") is not None
        assert markup.board_of(page) == EASY


def test_all_options_are_explained_without_javascript(client):
    form = markup.read(client.get(f"/play/{EASY}")).one(id="solve")
    for name in "seconds", "depth", "weight", "seed", "cooling":
        field = form.one("input", name=name)
        assert not [part for part in (field, *field.ancestors) if "hidden" in part.attrs]
    words = form.one("noscript").text
    for algorithm in algorithms().values():
        if algorithm.options:
            assert str(algorithm.title) in words


def test_bad_option_shows_the_current_game_unchanged(client):
    client.post(f"/play/{EASY}/slide", data={"tile": 5})
    answer = client.post(f"/play/{EASY}/solve", data={"seconds": "0"})
    assert "Set-Cookie" not in answer.headers
    assert markup.board_of(markup.read(answer)) == ONE_MOVE


@each(("algorithm", "shown"), [("wastar", True), ("astar", False)])
def test_result_shows_its_weight_if_the_search_has_one(solve, algorithm, shown):
    last = solve(EASY, algorithm=algorithm, weight="2.25").wait_for("#verdict", "2 moves")
    assert ("Weight w 2.25" in last.text("#live")) == shown


def test_estimate_of_pattern_databases_is_drawn_along_the_path(solve):
    drawn = [
        figure.one("svg")["aria-label"]
        for message in solve(EASY, algorithm="astar", heuristic="pdb").all()
        for figure in markup.read(message.data).all("figure", _class="profile")
    ]
    assert drawn == ["Pattern databases along the solution: 2, 1, 0"]


def test_page_of_a_long_solution_shows_its_first_steps(client):
    """A depth-first path is too long for a link, which therefore names the repeatable search."""
    form = {"algorithm": "dfs", "depth": "", "weight": "3"}
    answer = client.post(f"/play/{LONG}/solve", data=form)
    assert answer.location.endswith(f"/replay/{LONG}?algorithm=dfs")
    page = markup.read(client.get(answer.location))
    assert len([node for node in page.all("button") if node.get("data-tile")]) == SHOWN_STEPS
    assert f"Steps 1 to {SHOWN_STEPS:,} of" in page.text


def test_long_solution_has_all_its_steps_in_pages_and_pieces(client):
    """The pages need no JavaScript. The player fetches the pieces."""
    puzzle = parse_puzzle(LONG)
    moves = solve_alone(puzzle, "dfs").moves
    player = markup.read(client.get(f"/replay/{LONG}?algorithm=dfs")).one(id="player")
    assert player["data-total"] == str(len(moves))
    for number in SHOWN_STEPS, SHOWN_STEPS + 1, len(moves), len(moves) + 1:
        page = markup.read(client.get(f"/replay/{LONG}?algorithm=dfs&step={number}"))
        fetched = markup.read(client.get(f"{player['data-pieces']}&step={number}"))
        first = (min(number, len(moves)) - 1) // SHOWN_STEPS * SHOWN_STEPS
        board = play(puzzle.start, moves[:first])
        for shown in page, fetched:
            piece = shown.one(id="piece")
            assert (piece["data-first"], piece["data-board"]) == (str(first), str(board))
            directions = "".join(step["data-move"] for step in piece.one(id="steps").all("button"))
            assert directions == moves[first : first + SHOWN_STEPS]
        assert page.one(id="steps").one("button", aria_current="step")["value"] == str(
            min(number, len(moves))
        )
    later = [button for button in page.all("button", form="player") if button.text == "Later"]
    assert later == [], "there are no more"


def test_long_solution_is_streamed_up_to_one_page(solve):
    assert len(steps_of(solve(LONG, algorithm="dfs").all())) == SHOWN_STEPS


def test_stream_names_the_last_iteration(solve):
    messages = solve(HARDEST, algorithm="idastar").all()
    shown = [m.text("#under-way") for m in messages if "#under-way" in m.partials]
    assert shown[-1] == "Iteration with the f-limit 31"


def test_stream_shows_each_shorter_path(solve):
    messages = solve(
        "6.14.7.10.20-11.5.0.21.18-16.3.22.1.17-9.12.4.13.2-23.8.15.24.19", seconds="2"
    ).all()
    shown = [m.text("#known") for m in messages if "#known" in m.partials]
    assert shown[0] == shown[-1] == ""
    lengths = [int(re.search(r"best so far ([0-9]+)", text)[1]) for text in shown[1:-1]]
    assert len(lengths) > 1
    assert lengths == sorted(lengths, reverse=True)
    assert any("Proved within a bound" in m.text("#verdict") for m in messages)


def test_convention_is_used_if_the_algorithm_has_any(app):
    assert task(app, algorithm="astar", convention="columbia").convention == "columbia"
    both = task(app, algorithm="bfs", convention="columbia", order="rlud")
    assert both.convention == "columbia,order=rlud"
    assert task(app, algorithm="rbfs", convention="columbia", order="x").convention == "slidewise"
    assert task(app, algorithm="bfs", convention="", order="").convention == "slidewise"
    for field, text in ("convention", "mit"), ("order", "uuuu"):
        with pytest.raises(FieldError) as refused:
            task(app, algorithm="bfs", **{field: text})
        assert refused.value.field == field


def test_link_of_a_search_names_its_convention(client, monkeypatch):
    """Another convention can find another path, but the replay must run the same search."""
    monkeypatch.setattr(replay, "MAX_MOVES_IN_LINK", 0)
    form = {"algorithm": "dfs", "depth": "12", "convention": "columbia", "order": "rlud"}
    link = client.post(f"/play/{EASY}/solve", data=form).location
    assert (
        "convention=columbia,order%3Drlud" in link or "convention=columbia%2Corder%3Drlud" in link
    )
    assert client.get(link).status_code == 200
