"""The page that writes a board, and moves, in all notations."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slidewise import parse_board, parse_puzzle, read_plan, write_board, write_replay
from slidewise.puzzle.board import blank_first_goal
from slidewise.puzzle.notation import MAX_TEXT
from slidewise.puzzle.writing import DOMAIN, NOTATIONS, problem
from tests.each import each
from tests.puzzle.reading.test_reading_files import FORTY_TWO, PRINCETON
from tests.web import markup
from webapp.http.responses import Busy

CODE = "8.1.3-4.0.2-7.6.5"


def show(client, status=200, method="get", **fields):
    if method == "post":
        response = client.post("/convert", data=fields)
    else:
        response = client.get("/convert", query_string=fields)
    assert response.status_code in (status if isinstance(status, set) else {status})
    return markup.read(response)


def text_of(field):
    """Return the text in a field without the line break that HTML ignores."""
    return "".join(field.content).removeprefix("\n")


def texts(page):
    """Return the texts to copy by the id of their field."""
    return {one["id"]: text_of(one) for one in page.all("textarea") if "readonly" in one.attrs}


def error_of(page):
    """Return the error message on the page, or None."""
    return next(iter(page.all(id="wrong")), None)


@pytest.mark.parametrize(
    ("method", "text"),
    [("get", PRINCETON), ("post", FORTY_TWO), ("get", CODE)],
    ids=["princeton", "42", "code"],
)
def test_board_is_written_in_all_notations_with_copy_buttons(client, method, text):
    page = show(client, method=method, start=text)
    found = texts(page)
    assert {f"as-{key}" for key in NOTATIONS} <= found.keys()
    for key in NOTATIONS:
        assert str(parse_board(found[f"as-{key}"])) == CODE, key
    buttons = [one for one in page.all("button") if "data-copy" in one.attrs]
    assert {button["data-copy"] for button in buttons} == found.keys()
    for field in found:
        assert page.one("label", **{"for": field}).text


def test_sentence_names_the_size_and_the_notations(client):
    page = show(client, start=CODE)
    sentence = f"This 3 × 3 board in {len(NOTATIONS)} notations, each to copy."
    assert sentence in [one.text for one in page.all("p", class_="insight")]
    assert page.one(id="result").one("h2").text == f"The board in {len(NOTATIONS)} notations"


def test_puzzle_is_written_in_pddl(client):
    puzzle = parse_puzzle(f"{CODE}_0.1.2-3.4.5-6.7.8")
    found = texts(show(client, start=str(puzzle)))
    assert found["pddl-problem"] == problem(puzzle).strip()
    assert found["pddl-domain"] == DOMAIN.strip()


def test_moves_are_written_in_all_notations_with_their_reading(client):
    page = show(client, start="1,2,5,3,4,0,6,7,8", goal="0,1,2,3,4,5,6,7,8", moves="Up, Left, Left")
    found = texts(page)
    assert found["moves-tile"] == "DR2"
    assert found["moves-words"] == "['Up', 'Left', 'Left']"
    assert read_plan(found["moves-plan"], parse_board("1.2.5-3.4.0-6.7.8")) == "DRR"
    words = page.one("main").text
    assert "Read as the blank’s directions" in words
    assert "They reach the goal." in words


def test_replay_url_supplies_its_moves(client):
    start = parse_board("1 2 3/4 0 6/7 5 8")
    for address in (write_replay(start, "UL"), f"http://localhost/replay/{start}?moves=UL"):
        page = show(client, start=address)
        assert texts(page)["moves-tile"] == "UL"
        assert "They reach the goal." in page.one("main").text
        assert texts(show(client, start=address, moves="5 5"))["moves-tile"] == "UD"
    assert texts(show(client, start=write_board(start, "slidysim")))["as-code"] == str(start)


def test_first_wrong_step_of_a_plan_is_named(client):
    plan = "(move t5 p3 p6)\n(move t1 p1 p3)"
    page = show(client, 400, start="1 2 5 3 4 0 6 7 8", moves=plan)
    assert "Step 2, '(move t1 p1 p3)': tile 1 is not beside the blank" in error_of(page).text
    assert text_of(page.one("textarea", name="moves")) == plan


def test_illegal_move_is_marked(client):
    page = show(client, 400, start="1 2 5 3 4 0 6 7 8", moves="blank: Up, Right")
    assert error_of(page).one("mark").text == "Right"


@pytest.mark.parametrize("method", ["get", "post"])
def test_unreadable_board_is_400_with_its_line_marked(client, method):
    text = "# <mine>\n3\n1 2 3\n4 5 six\n7 8 0"
    page = show(client, 400, method, start=text, goal="first", size="3x3")
    assert "Line 4: expected a tile's number, found 'six'" in error_of(page).text
    assert error_of(page).one("mark").text == "4 5 six"
    field = page.one("textarea", name="start")
    assert (text_of(field), field["aria-invalid"]) == (text, "true")
    assert page.one("input", name="size")["value"] == "3x3"
    assert not texts(page)


def test_ambiguous_board_is_400_with_a_link_to_each_reading(client):
    page = show(client, 400, start="3x2: 1 2 3 4 5 0")
    links = [link["href"] for link in error_of(page).all("a")]
    assert len(links) == 2
    for link in links:
        code = link.rpartition("=")[2]
        assert texts(markup.read(client.get(link)))["as-code"] == code


@pytest.mark.parametrize("fields", [{"goal": "1 2 3"}, {"size": "9"}])
def test_bad_goal_or_size_is_marked_at_its_field(client, fields):
    page = show(client, 400, start=CODE, **fields)
    (wrong,) = page.all(aria_invalid="true")
    assert wrong["name"] in fields


def test_empty_board_is_an_error_only_after_submit(client):
    assert not error_of(show(client))
    assert "Paste a board first" in error_of(show(client, 400, "post", start=" ")).text


def test_text_over_the_limit_is_400(client):
    page = show(client, 400, "post", start="1 " * MAX_TEXT)
    assert f"at most {MAX_TEXT:,} characters" in error_of(page).text
    page = show(client, 400, "post", start=CODE, moves="U" * 20_001)
    assert "20,000 characters of moves" in error_of(page).text


def test_convert_page_is_linked_from_lessons_editor_and_lab(client):
    for where in "/learn", "/custom", f"/lab/{CODE}":
        assert "/convert" in client.get(where).text, where


ODD = st.text(max_size=40) | st.text("0123 ,/[]{}()#|_=.:xbUDup<&'\"\n", max_size=40)


@settings(max_examples=30)
@given(start=ODD | st.just(CODE), goal=ODD | st.just(""), size=ODD | st.just(""), moves=ODD)
def test_any_text_is_answered_and_shown_again(app, start, goal, size, moves):
    fields = {"start": start, "goal": goal, "size": size, "moves": moves}
    page = show(app.test_client(), method="post", status={200, 400}, **fields)
    for name in "start", "goal", "moves":
        assert text_of(page.one("textarea", name=name)) == fields[name]


TALL = str(blank_first_goal(10, 10))
"""A board on which `U9D9`, 18 moves in four characters, is legal."""


@each(
    ("moves", "status", "shown"),
    [
        ("\t" * 19_990 + "!", 400, "Expected moves such as"),
        ("U9D9" * 500, 200, "9,000 moves"),
        ("U9D9" * 5_000, 400, "Expected at most 10,000 moves"),
        ("U9D9" * 550 + "!", 400, "Expected moves such as"),
        ("Down, Up, " * 1_999, 200, "3,998 moves"),
    ],
)
def test_long_moves_are_read_in_a_helper(client, monkeypatch, moves, status, shown):
    def refuse(*_args, **_options):
        raise AssertionError("read in the web process")

    monkeypatch.setattr("slidewise.puzzle.moves.understand_moves", refuse)
    monkeypatch.setattr("slidewise.puzzle.moves.is_plan", refuse)
    page = show(client, status, "post", start=TALL, moves=moves)
    assert shown in page.one("main").text


def test_busy_server_is_503_and_the_moves_stay(client, monkeypatch):
    def busy(*_args, **_options):
        raise Busy("Try again in a moment.", retry_after=7)

    monkeypatch.setattr("webapp.course.lab.convert.read_long", busy)
    response = client.post("/convert", data={"start": CODE, "moves": "UD"})
    assert (response.status_code, response.headers["Retry-After"]) == (503, "7")
    page = markup.read(response)
    assert "Try again in a moment." in error_of(page).text
    assert text_of(page.one("textarea", name="moves")) == "UD"
