"""`slidewise grade --language`: reports in German and Spanish, without Flask."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest

from slidewise.cli import main
from slidewise.cli.translation import LANGUAGES, Translator
from slidewise.course.judge import exercises
from slidewise.text import message
from tests.languages import translations
from webapp.http import language

BFS = exercises()["bfs"]
WRONG = next(one for one in BFS.mistakes if one.key == "stack-for-queue")
CODE = WRONG.programs[0]

LATE_IMPORTS = """
import sys
for name in "flask", "jinja2", "babel", "werkzeug":
    sys.modules[name] = None  # importing it raises ModuleNotFoundError
from slidewise.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(CODE)
    (tmp_path / "b.py").write_text("x = 1")


def translated(text, code):
    return translations(code)[text.template,].string


def test_languages_are_those_of_the_pages():
    assert set(LANGUAGES) == set(language.LANGUAGES)


@pytest.mark.parametrize("code", ["de", "es"])
def test_report_is_in_the_language(cli, code):
    done = cli("grade", "a.py", "--language", code)
    assert done.code == 1
    for text in BFS.title, WRONG.title, WRONG.mend, BFS.hints[0], BFS.checks[0].text:
        assert translated(text, code) in done.out
        assert str(text) not in done.out
    english = "points|board|blank|Expanded|Mistake|Mend|yours|Try in|Hint|runs these"
    assert re.findall(rf"\b(?:{english})\b", (done.out + done.err).replace("board = ", "")) == []


def test_json_and_csv_have_the_usual_keys(cli):
    def graded(*options):
        languages = (), ("--language", "de")
        return [cli("grade", "--no-hints", *options, *more).out for more in languages]

    english, german = map(json.loads, graded("a.py", "--json"))
    assert shape(english) == shape(german)
    (function,) = german["functions"]
    assert function["mistake"]["key"] == "stack-for-queue"
    assert function["mistake"]["title"] == translated(WRONG.title, "de")
    rows = [list(csv.DictReader(io.StringIO(one))) for one in graded("a.py", "b.py", "--csv")]
    assert rows[0][0].keys() == rows[1][0].keys()
    assert rows[1][0]["mistake"] == translated(WRONG.title, "de")
    assert rows[0][1]["error"] != rows[1][1]["error"]


def shape(value):
    """Return data for JSON with a type for each text."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items() if name != "milliseconds"}
    return [shape(one) for one in value] if isinstance(value, list) else type(value)


def test_class_table_and_errors_are_in_the_language(cli):
    done = cli("grade", ".", "--no-hints", "--language", "es")
    assert "Errores:" in done.out
    assert "no se puede evaluar" in done.out
    done = cli("grade", "a.py", "--column", "x", "--language", "de")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("slidewise: error: --column ist die Spalte einer Notenliste")


def test_unknown_language_names_the_choices(cli):
    done = cli("grade", "a.py", "--language", "fr")
    assert done.code == 2
    assert all(f"'{code}'" in done.err for code in LANGUAGES)


def test_nested_messages_and_numbers_are_translated():
    inner = message("line %(number)s", number=1200)
    outer = message("Error in %(place)s", place=inner)
    assert Translator("de")(outer) == "Fehler in Zeile 1.200"
    assert Translator()(outer) == "Error in line 1,200"
    assert Translator("de").data({"a": [outer, 3]}) == {"a": ["Fehler in Zeile 1.200", 3]}


def test_language_needs_no_flask():
    options = "a.py", "--no-hints", "--language", "de"
    command = [sys.executable, "-c", LATE_IMPORTS, "grade", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert translated(WRONG.title, "de") in done.stdout


def test_help_names_the_option(capsys):
    main(["grade", "--help"])
    assert "--language {en,de,es}" in capsys.readouterr().out
