"""The translation files: up to date, complete, with the same values as the English messages."""

import json
import re

import pytest
from babel.messages.jslexer import tokenize

from tests.languages import PROJECT, TRANSLATED, extracted, files, texts_of, translations

VALUE = re.compile(r"%\(\w+\)s|%%|</?\w+")
MARKED = ("_", "ngettext")
STRINGS = ("string", "template_string")
SENTENCE = re.compile(r"(?s)[\"'`](?=.*\s)[A-ZÀ-Ý][a-z’]*[ ,.!?].*")

SCRIPTS_IN_ENGLISH = (
    "static/js/component/",
    "static/js/course/write/python_worker.js",
)
"""Scripts without translations: the component has its own texts, a program's worker shows none."""


@pytest.mark.parametrize("code", TRANSLATED)
def test_files_match_the_code(code):
    for path, text in files(code):
        assert path.read_text(encoding="utf-8") == text, "run `python -m tests.languages`"


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_have_all_values_and_elements(code):
    for key, message in translations(code).items():
        for text in texts_of(message):
            assert text.strip(), f"not translated: {key}"
            assert "fuzzy" not in message.flags, key
            if len(key) == 1:
                assert sorted(VALUE.findall(text)) == sorted(VALUE.findall(key[0])), (key, text)
            else:  # a singular form may omit the number
                assert set(VALUE.findall(text)) <= set(VALUE.findall(key[1])) | {"%(num)s"}, key
            assert text[:1].isspace() == key[0][:1].isspace(), key
            assert text[-1:].isspace() == key[0][-1:].isspace(), key


@pytest.mark.parametrize("code", TRANSLATED)
def test_reasons_of_verdicts_have_no_colon(code):
    reason = re.compile(r"%\((because|stopped)\)s")
    reasons = [texts_of(one)[0] for key, one in translations(code).items() if reason.match(key[0])]
    assert len(reasons) > 5
    assert [text for text in reasons if ":" in text] == []


def test_sentences_in_scripts_are_marked_for_translation():
    found = {
        f"{name}: {text}"
        for path in sorted((PROJECT / "static" / "js").rglob("*.js"))
        if not (name := path.relative_to(PROJECT).as_posix()).startswith(SCRIPTS_IN_ENGLISH)
        for text in unmarked(path.read_text(encoding="utf-8"))
    }
    assert not found


def unmarked(source):
    """Yield the strings of a script that look like sentences, outside of calls of `_`."""
    within = []  # for each open parenthesis, whether it belongs to a call of `_`
    before = ""
    for token in tokenize(source):
        if token.value == "(":
            within.append(before in MARKED)
        elif token.value == ")" and within:
            within.pop()
        elif token.type in STRINGS and not any(within) and SENTENCE.fullmatch(token.value):
            yield token.value
        before = token.value


def test_each_message_of_a_script_is_found():
    messages = {key[0] for key in extracted()}
    called = re.compile(r'\b(?:_|ngettext)\(\s*("(?:[^"\\]|\\.)*")')
    for path in (PROJECT / "static" / "js").glob("*/**/*.js"):
        for text in called.findall(path.read_text(encoding="utf-8")):
            assert json.loads(text) in messages, (path.name, text, "within a template literal?")


def test_unmarked_sentences_are_found():
    script = 'say(_("One tile.")); say("Two tiles."); at(`No ${x}`); find(".a b"); x = "Enter";'
    assert list(unmarked(script)) == ['"Two tiles."', "`No ${x}`"]
