"""The texts of scripts, made of the translators' files."""

import json
import re

import pytest

from slidewise.course.judge import exercises
from tests.languages import TRANSLATED, extracted, texts_of, translations
from webapp.http.language import LANGUAGES
from webapp.http.static import PACKAGE
from webapp.http.texts import po_files, read_po, script_texts

HARD = r"""
# A translator's note
msgid ""
msgstr ""
"Language: xx\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);\n"

#: static/js/one.js
#: webapp/two.py static/js/three.js
#, python-format
msgid ""
"A \"quote\",\ta tab, a \\ "
"and a line\n"
msgstr "„Ü”\n"

#: static/js/one.js
msgid "%(num)s move"
msgid_plural "%(num)s moves"
msgstr[0] "eins"
msgstr[1] "zwei"
msgstr[2] "viele"

#: webapp/two.py
msgid "of Python"
msgstr "nicht im Skript"

#: static/js/one.js
msgid "not translated"
msgstr ""

#~ msgid "obsolete"
#~ msgstr "veraltet"
"""


def texts_in(script):
    """Return the texts of a script."""
    lines = re.findall(r"^  (\".*),$", script, re.MULTILINE)
    return json.loads(f"{{{','.join(lines)}}}")


@pytest.mark.parametrize("code", TRANSLATED)
def test_po_files_are_read_as_babel_reads_them(code):
    found = {
        one.message: (one.forms, one.places)
        for path in po_files(PACKAGE)
        if path.parent.name == code
        for one in read_po(path)
        if one.message
    }
    assert found == {
        key[0]: ([*texts_of(message)], [place for place, _ in message.locations])
        for key, message in translations(code).items()
    }


@pytest.mark.parametrize("code", TRANSLATED)
def test_script_has_all_messages_of_scripts_and_no_others(code):
    messages = translations(code)
    assert texts_in(script_texts(PACKAGE)[f"js/texts/{code}.js"]) == {
        key[0]: texts_of(messages[key])[0] if len(key) == 1 else [*texts_of(messages[key])]
        for key, places in extracted().items()
        if any(place.startswith("static/") for place in places)
    }


@pytest.mark.parametrize("code", TRANSLATED)
def test_script_has_all_messages_of_exercises(code):
    texts = texts_in(script_texts(PACKAGE)[f"js/texts/exercises-{code}.js"])
    messages = translations(code)
    for exercise in exercises().values():
        for text in (exercise.title, exercise.task, *exercise.hints):
            assert texts[text.template] == messages[text.template,].string
    assert "The function uses this variable before it has a value." in texts  # of the worker


@pytest.mark.parametrize("code", TRANSLATED)
def test_script_has_the_plural_rule_of_its_language(code):
    rule = re.search(
        r"plural = \(n\) => Number\((.*)\);", script_texts(PACKAGE)[f"js/texts/{code}.js"]
    )
    assert rule[1] == "(n != 1)"  # CLDR has the same one for both, fractions apart
    plural = LANGUAGES[code].locale.plural_form
    assert all((plural(n) != "one") == (n != 1) for n in range(1000))


def test_script_has_the_texts_of_hand_written_po_files(tmp_path):
    (tmp_path / "translations" / "xx").mkdir(parents=True)
    (tmp_path / "translations" / "xx" / "play.po").write_text(HARD, encoding="utf-8")
    script = script_texts(tmp_path)["js/texts/xx.js"]
    assert "Number((n==1 ? 0 : n<5 ? 1 : 2));" in script
    assert texts_in(script) == {
        'A "quote",\ta tab, a \\ and a line\n': "„Ü”\n",
        "%(num)s move": ["eins", "zwei", "viele"],
    }
