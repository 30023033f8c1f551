"""What there is to take along of many boards: CSV and JSON, and what the files are called."""

from __future__ import annotations

import csv
import io

import pytest

from tests.web import markup

CODE = "8.1.2-7.0.3-6.5.4_1.2.3-8.0.4-7.6.5"
FORM = {"boards": "3", "moves": "4-8", "seed": "class 7/b", "run": "astar:manhattan,greedy:zero"}


def test_the_json_has_what_the_csv_has_and_what_was_asked_for(client):
    told = client.get(f"/lab/{CODE}/many/boards.json", query_string=FORM)
    assert told.mimetype == "application/json"
    rows = list(
        csv.DictReader(
            io.StringIO(client.get(f"/lab/{CODE}/many/boards.csv", query_string=FORM).text)
        )
    )
    measures = told.json["measures"]
    assert len(measures) == len(rows) == 6
    for measure, row in zip(measures, rows, strict=True):
        assert {name: "" if one is None else str(one) for name, one in measure.items()} == row
    asked = {name: told.json[name] for name in ("goal", "boards", "moves", "seed")}
    assert asked == {"goal": "1.2.3-8.0.4-7.6.5", "boards": 3, "moves": "4-8", "seed": "class 7/b"}


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_the_file_is_called_after_what_was_drawn(client, suffix):
    told = client.get(f"/lab/{CODE}/many/boards.{suffix}", query_string=FORM)
    name = f"slidewise-3-boards-3x3-4-8-moves-seed-class-7-b.{suffix}"
    assert told.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    other = client.get(
        f"/lab/{CODE}/many/boards.{suffix}", query_string={**FORM, "moves": "", "seed": "ü"}
    )
    assert f'"slidewise-3-boards-3x3.{suffix}"' in other.headers["Content-Disposition"]


def test_the_page_offers_both_and_names_the_goal(client):
    page = markup.read(
        client.get(f"/lab/{CODE}/many", query_string={**FORM, "go": "1"}, follow_redirects=True)
    )
    files = [link["href"] for link in page.one(id="race-links").all("a", download="")]
    assert [file.partition("?")[0] for file in files] == [
        f"/lab/{CODE}/many/boards.csv",
        f"/lab/{CODE}/many/boards.json",
    ]
    assert "Boards of 3 × 3 have the goal of the board that the lab is at (" in page.text
