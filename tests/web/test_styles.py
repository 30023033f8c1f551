"""The style sheets are whole: a block left open swallows what follows, and no browser says so."""

import re
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).parents[2] / "static" / "css").glob("*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_each_part_begins_outside_of_all_blocks(sheet):
    text = sheet.read_text(encoding="utf-8")
    for part in re.finditer(r"^/\* ", text, re.MULTILINE):
        before = text[: part.start()]
        assert before.count("{") == before.count("}"), text[part.start() :].splitlines()[0]
    assert text.count("{") == text.count("}")
