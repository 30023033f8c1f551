"""The style sheets are complete. Browsers silently ignore everything after an open block."""

import re
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).parents[2] / "static" / "css").glob("*.css"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_part_of_a_sheet_starts_outside_of_all_blocks(sheet):
    text = sheet.read_text(encoding="utf-8")
    for part in re.finditer(r"^/\* ", text, re.MULTILINE):
        before = text[: part.start()]
        assert before.count("{") == before.count("}"), text[part.start() :].splitlines()[0]
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_style_sheet_has_no_words(sheet):
    contents = re.findall("content: ([^;}]+)", sheet.read_text(encoding="utf-8"))
    words = [
        re.sub(r"\\[0-9a-f]+", "", text) for part in contents for text in part.split('"')[1::2]
    ]
    assert not [text for text in words if re.search("[A-Za-z]{2}", text)]


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_rule_with_has_names_its_subject(sheet):
    """Browsers would style all elements again whenever the page changes."""
    text = sheet.read_text(encoding="utf-8")
    assert re.findall(r":has\([^{},]*\) (?:[^{},]* )?:(?:first|last|nth)-[^{]*", text) == []
