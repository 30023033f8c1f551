"""Every template compiles and is used by a page."""

import ast
import re
from pathlib import Path

import pytest
from jinja2 import meta, nodes

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted(
    path.relative_to(ROOT / "templates").as_posix() for path in ROOT.glob("templates/**/*.html")
)


def source_of(name):
    return (ROOT / "templates" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def named(app):
    """Return the templates that each template extends, includes or imports.

    `None` stands for a computed name.
    """
    parse = app.jinja_env.parse
    return {name: set(meta.find_referenced_templates(parse(source_of(name)))) for name in TEMPLATES}


@pytest.fixture(scope="module")
def rendered():
    """Return the templates that the code names as whole strings."""
    texts = set()
    for path in ROOT.glob("webapp/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    return {text for text in texts if re.fullmatch(r"[\w/-]+\.html", text)}


def test_named_template_exists(named, rendered):
    assert set().union(*named.values()) - {None} <= set(TEMPLATES)
    assert rendered <= set(TEMPLATES)


def test_template_is_used_by_the_code_or_another_template(named, rendered):
    shown = rendered.union(*named.values())
    shown |= {
        name for name in TEMPLATES if name.startswith("course/learn/topics/")
    }  # one for each topic
    assert set(TEMPLATES) - shown == set()


def test_template_compiles_has_short_lines_and_no_absolute_url(app):
    """A site below a path such as /puzzles has other URLs."""
    for name in TEMPLATES:
        app.jinja_env.get_template(name)
        source = source_of(name)
        assert [line for line in source.splitlines() if len(line) > 120] == [], name
        texts = app.jinja_env.parse(source).find_all(nodes.TemplateData)
        written = "".join(text.data for text in texts)
        assert not re.search(r'(?:href|src|action|hx-get|hx-post)="/', written), name
        assert "script_root" not in source, name


FIELD = re.compile(r"<textarea\b[^>]*>|<input\b[^>]*\btype=\"(?:text|search)\"[^>]*>")


def test_text_field_has_a_maximum_length():
    uncapped = [
        f"{name}: {field}"
        for name in TEMPLATES
        for field in FIELD.findall(source_of(name))
        if "maxlength=" not in field and "readonly" not in field
    ]
    # this label has the limit: a browser would cut the output of a program to another text
    (given,) = uncapped
    assert given.startswith('course/lab/check.html: <textarea name="given"')
