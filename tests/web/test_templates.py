"""All templates compile, and each is shown by a page: Jinja tells of neither until it is shown."""

import ast
import re
from pathlib import Path

import pytest
from jinja2 import meta, nodes

from webapp.lab.check import MAX_GIVEN_BYTES

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(
    path.relative_to(ROOT / "templates").as_posix() for path in ROOT.glob("templates/**/*.html")
)


def source_of(name):
    return (ROOT / "templates" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def named(app):
    """Return the templates that each template extends, includes or imports; `None` stands for a
    name that is worked out."""
    parse = app.jinja_env.parse
    return {name: set(meta.find_referenced_templates(parse(source_of(name)))) for name in TEMPLATES}


@pytest.fixture(scope="module")
def rendered():
    """Return the templates that the code names, as whole strings."""
    texts = set()
    for path in ROOT.glob("webapp/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    return {text for text in texts if re.fullmatch(r"[\w/-]+\.html", text)}


def test_each_template_that_is_named_exists(named, rendered):
    assert set().union(*named.values()) - {None} <= set(TEMPLATES)
    assert rendered <= set(TEMPLATES)


def test_each_template_is_shown_by_the_code_or_by_another_template(named, rendered):
    shown = rendered.union(*named.values())
    shown |= {name for name in TEMPLATES if name.startswith("learn/topics/")}  # one for each topic
    assert set(TEMPLATES) - shown == set()


def test_a_template_compiles_can_be_read_and_writes_no_address_of_its_own(app):
    """Whoever runs Slidewise below a path, such as /puzzles, has other addresses."""
    for name in TEMPLATES:
        app.jinja_env.get_template(name)
        source = source_of(name)
        assert [line for line in source.splitlines() if len(line) > 120] == [], name
        texts = app.jinja_env.parse(source).find_all(nodes.TemplateData)
        written = "".join(text.data for text in texts)
        assert not re.search(r'(?:href|src|action|hx-get|hx-post)="/', written), name
        assert "script_root" not in source, name


FIELD = re.compile(r"<textarea\b[^>]*>|<input\b[^>]*\btype=\"(?:text|search)\"[^>]*>")


def test_every_text_field_states_how_long_a_text_it_takes():
    uncapped = [
        f"{name}: {field}"
        for name in TEMPLATES
        for field in FIELD.findall(source_of(name))
        if "maxlength=" not in field and "readonly" not in field
    ]
    # cut off by the browser, what a program printed would be another text: its label has the limit
    (given,) = uncapped
    assert given.startswith('lab/check.html: <textarea name="given"')


def test_the_check_says_how_much_it_takes(client):
    page = client.get("/lab/4.1.3-7.2.5-0.8.6/check").text
    assert f"What your program found (up to {MAX_GIVEN_BYTES // 2**20} MB)" in page
