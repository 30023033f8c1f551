"""The page of a heuristic: the drawing, the sum, and its check on all boards."""

import re

import pytest
from flask import render_template

from slidewise import find_heuristic, parse_puzzle, scramble
from slidewise import heuristics as all_heuristics
from slidewise.course.searching.explanation import Explanation, check
from slidewise.solver.own.parse import names
from tests.boards import FOUR_FAR, ONE_MOVE, TEXTBOOK, TINY, UNSOLVABLE
from tests.solver import oracle
from tests.web import markup
from tests.web.course.lab import pages
from tests.web.course.lab.pages import figures, of_class

PUZZLE = parse_puzzle(TEXTBOOK)
SMALL = "1.2.3-0.4.5"
HUGE = str(scramble(10, 10, "1"))


def get(client, code=TEXTBOOK, **query):
    return pages.get(client, code, "/heuristics", **query)


def proofs(page):
    return [p.text for p in page.one(id="all").all("p") if "proof" in p.classes]


def drawing(page):
    return of_class(page, "seen")[0]


def chart_of(page):
    (figure,) = of_class(page, "chart")
    return figure.all("svg")[0]


def cells_of(table):
    return [[cell.text for cell in row.content if not isinstance(cell, str)] for row in table]


def chosen(page):
    nav = page.one("nav", aria_label="Heuristics")
    return [link.text for link in nav.all("a") if link.get("aria-current")]


# On the board


def test_manhattan_is_drawn_and_added_up(client):
    page = get(client)
    assert chosen(page) == ["Manhattan distance"]
    assert figures(page) == {"h of this board": "18", "true distance": "26"}
    (total,) = (one.text for one in of_class(page, "sum"))
    left, right = total.split(" = ")
    assert right == "18" == str(sum(map(int, left.split(" + "))))

    assert "M50,50v200h100" in [path["d"] for path in of_class(drawing(page), "arrow")]
    labels = [text.text for text in of_class(drawing(page), "way")]
    assert labels == ["↓2 →1", "→1", "↓1 ←1", "→2", "↓1 ←2", "→2", "↑1 ←1", "↑2 ←1"]
    assert "tile 7 3" in drawing(page)["aria-label"]
    assert "h is 8 moves below the true distance." in page.text


def test_misplaced_tiles_are_marked(client):
    page = get(client, ONE_MOVE, h="misplaced")
    assert [mark.text for mark in of_class(drawing(page), "mark")] == ["×"]
    assert drawing(page)["aria-label"].endswith("misplaced: 8")
    assert "0 + 0 + 0 + 0 + 0 + 0 + 0 + 1 = 1" in page.text


def test_linear_conflicts_are_drawn_and_explained(client):
    page = get(client, "3.2.1-7.0.6-4.5.8", h="linear-conflict")
    bands = of_class(drawing(page), "conflict")
    assert [(band["x"], band["y"], band["width"], band["height"]) for band in bands] == [
        ("6", "6", "288", "88"),
        ("6", "106", "88", "188"),
    ]
    assert [mark.text for mark in of_class(drawing(page), "mark")] == ["+2", "+2", "+2"]
    assert "Row 1: the tiles 3, 2, 1 are in each other’s way; 3 and 2 must step out" in page.text
    assert "8 + 4 + 2 = 14" in page.text
    assert "No two tiles" in get(client, SMALL, h="linear-conflict").text


def test_groups_of_a_pattern_database_are_in_both_views(client):
    page = get(client, h="pdb")
    assert len(of_class(page, "seen")) == 2
    groups = " ".join(item.text for item in page.all("li"))
    a, b, c, d = (int(moves) for moves in re.findall(r"need (\d+)", groups))
    (total,) = of_class(page, "sum")
    assert total.text == f"max({a} + {b}, {c} + {d}) = {max(a + b, c + d)}"
    for svg in of_class(page, "seen"):
        assert sorted(mark.text for mark in of_class(svg, "mark")) == ["A"] * 4 + ["B"] * 4
        assert len(of_class(svg, "g0")) == len(of_class(svg, "g1")) == 4
    assert "16,418 moves change h by more than 1" in page.text


def test_expression_is_shown_with_its_parts(client):
    page = get(client, h="=max(manhattan, 3 * misplaced)")
    assert chosen(page) == ["Your own heuristic"]
    assert figures(page)["h of this board"] == "24"
    assert "max(18, 3 * 8) = 24" in page.text
    assert cells_of(page.all("table")[0].all("tr")) == [
        ["manhattan", "18", names()["manhattan"]],
        ["misplaced", "8", names()["misplaced"]],
    ]
    assert page.one("input", name="own")["value"] == "max(manhattan, 3 * misplaced)"
    held = get(client, h="=99 * manhattan")
    assert "99 * 18 = 1,782, held at 255" in held.text
    assert not of_class(get(client, h="=inversions"), "sum")
    too_high = get(client, ONE_MOVE, h="=3 * misplaced")
    assert "h is 2 moves too high here: not admissible." in too_high.text


SENTENCES = {
    (14, 20): "Zero sees 14 of the 20 moves that this board needs.",
    (20, 20): "Zero sees all 20 moves that this board needs.",
    (1, 1): "Zero sees the 1 move that this board needs.",
    (36, 26): "Zero says 36, 10 more than the 26 moves that this board needs.",
    (0, 0): "Zero says 0 at the goal, where no move is left.",
    (42, None): "Zero says 42 for this board.",
}


@pytest.mark.parametrize("values", SENTENCES)
def test_sentence_compares_h_with_the_distance(app, values):
    context = {"entry": find_heuristic("zero"), "look": Explanation(*values, {}, ())}
    with app.test_request_context():
        html = render_template("course/lab/heuristics/_insight.html", **context)
    assert markup.read(html).text == SENTENCES[values]


def test_sentence_is_on_the_page(client):
    sentence = "Manhattan distance sees 18 of the 26 moves that this board needs."
    assert sentence in [one.text for one in of_class(get(client), "insight")]


def test_page_is_in_the_language_of_the_visitor(client):
    page = markup.read(client.get(f"/lab/{TEXTBOOK}/heuristics", headers={"Accept-Language": "de"}))
    insight = of_class(page, "insight")[0].text
    assert insight.startswith("Manhattan-Distanz: h sieht 18 der 26 Züge")
    assert "181.440" in proofs(page)[0]


@pytest.mark.parametrize("key", all_heuristics())
def test_heuristic_shows_its_value(client, key):
    page = get(client, h=key)
    assert figures(page) == {
        "h of this board": str(find_heuristic(key).value(PUZZLE.start, PUZZLE.goal)),
        "true distance": "26",
    }
    assert chosen(page) == [find_heuristic(key).title]


@pytest.mark.parametrize("key", ["manhattan", "=manhattan", "exact"])
def test_unreachable_goal_has_a_check_but_no_distance(client, key):
    page = get(client, UNSOLVABLE, h=key)
    assert "The goal cannot be reached" in page.text
    assert bool(of_class(page, "figures")) == (key == "manhattan")
    if key == "manhattan":
        assert figures(page) == {"h of this board": "8"}
    assert proofs(page)[0].endswith("never above the true distance on any of the 181,440 boards.")


# On all boards


def test_consistent_heuristic_is_called_consistent(client):
    page = get(client, h="linear-conflict")
    assert [text.split()[1] for text in proofs(page)] == ["Admissible.", "Consistent."]
    assert not of_class(page, "examples")
    assert "The mean of h is 15.12; the mean true distance is 21.97." in page.text


def test_inadmissible_heuristic_is_shown_by_boards(client):
    key = "=manhattan + conflict_pairs"
    page = get(client, h=key)
    first, second = proofs(page)
    assert first.startswith("✗ Not admissible. h is above the true distance on 7 of the 181,440")
    assert second.startswith("✗ Not consistent. 1,800 moves change h by more than 1.")
    captions = [one.text for one in page.all("figcaption")]
    assert "Nearest to the goal: h = 28, but 26 moves are enough" in captions
    assert "The worst: h = 32, but 28 moves are enough" in captions
    found = check(key, PUZZLE.goal)
    links = [link["href"] for link in page.all("a") if link.text == "See it drawn"]
    again = [client.get(link) for link in links[:2]]
    for response, one in zip(again, [found.first, found.worst], strict=True):
        shown = figures(markup.read(response))
        assert shown == {"h of this board": str(one.h), "true distance": str(one.distance)}
    plays = [link["href"] for link in page.all("a") if link.text == "Play it"]
    assert plays[0] == f"/play/{PUZZLE.starting_at(found.first.board)}"
    assert len(links) == len(plays) == 4


def test_heuristic_above_zero_at_the_goal_is_inconsistent(client):
    page = get(client, SMALL, h="=7")
    assert "but h of the goal itself is 7." in proofs(page)[1]


def test_chart_and_table_hold_all_boards(client):
    page = get(client, SMALL, h="=inversions")
    found = check("=inversions", parse_puzzle(SMALL).goal)
    rows = cells_of(page.one("tbody").all("tr"))
    assert sum(int(row[1]) for row in rows) == 360 == found.boards
    assert sum(int(row[5]) for row in rows) == found.above > 0
    assert [int(row[0]) for row in rows] == list(range(22))
    chart = chart_of(page)
    above = of_class(chart, "above")
    assert len(above) == sum(
        count.h > distance for distance, of_one in enumerate(found.counts) for count in of_one
    )
    assert len([one for one in chart.all("rect") if one.get("fill") == "url(#hatch)"]) == len(above)
    assert len(of_class(chart, "here")) == 1


def test_chart_of_huge_values_stays_small(client):
    page = get(client, SMALL, h="=99 * manhattan")
    assert "covers 5 values of h." in page.text
    for square in chart_of(page).all("rect"):
        assert 12 <= float(square["y"]) <= 292


@pytest.mark.parametrize("code", [TINY, SMALL, "1.2.3.4-5.6.0.7", "4.0-1.5-2.3"])
def test_check_of_other_sizes_up_to_nine_cells(client, code):
    puzzle = parse_puzzle(code)
    page = get(client, code, h="manhattan")
    distances = oracle.distances(puzzle.goal.cells, *puzzle.goal.size)
    if puzzle.solvable:
        assert figures(page)["true distance"] == str(distances[puzzle.start.cells])
    assert f"on any of the {len(distances):,} boards" in proofs(page)[0]


@pytest.mark.parametrize(
    ("code", "key"), [(FOUR_FAR, "linear-conflict"), (HUGE, "linear-conflict"), (FOUR_FAR, "pdb")]
)
def test_large_board_has_no_check_and_links_to_a_small_one(client, code, key):
    page = get(client, code, h=key)
    assert "too many to check them all. That works on sizes up to 10 cells" in page.text
    assert not proofs(page)
    board, heuristic = parse_puzzle(code), find_heuristic(key)
    assert figures(page)["h of this board"] == str(heuristic.value(board.start, board.goal))
    assert ("A: tiles" in page.text) == (key == "pdb"), "its groups"
    text = f"See {heuristic.title} on all"
    link = next(one for one in page.all("a") if one.text.startswith(text))
    assert proofs(markup.read(client.get(link["href"])))[0].startswith("✓ Admissible.")
    assert "exact" not in [link["href"].rpartition("=")[2] for link in page.all("a")]
