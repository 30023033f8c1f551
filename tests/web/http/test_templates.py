"""Compiled templates: one for each language, with included files."""

import pytest
from jinja2 import DictLoader, TemplateNotFound, UndefinedError

from webapp.http.language import LANGUAGES, _current
from webapp.http.responses import Templates

FILES = {
    "page.html": "<p>{% set x = 1 %}{% include 'part.html' %}{{ x }}</p>\n",
    "part.html": "{% set x = 2 %}{{ _('Level %(number)s', number=name) }} {{ _('100 %%') }}{{ x }}",
    "broken.html": "<p>\n{% include 'of_none.html' %}",
    "of_none.html": "\n\n\n{{ missing.name }}",
    "open.html": "{% include chosen %}",
    "solve.html": "{{ _('Solve') }}",
    "absent.html": "{% include 'none.html' %}",
}


@pytest.fixture
def templates(app):
    templates = Templates(app, auto_reload=False, loader=DictLoader(FILES), autoescape=True)
    templates.add_extension("jinja2.ext.i18n")
    templates.install_gettext_callables(None, None, newstyle=True)  # not called
    return templates.for_answers()


@pytest.fixture(params=["en", "de"])
def language(request):
    token = _current.set(LANGUAGES[request.param])
    yield request.param
    _current.reset(token)


def test_message_is_translated_at_compile_time_and_escaped(templates, language):
    text = templates.get_template("page.html").render(name="<3>")
    assert text == "<p>Level &lt;3&gt; 100 %21</p>"


def test_language_has_its_own_template(templates):
    compiled = set()
    for language in LANGUAGES.values():
        token = _current.set(language)
        compiled.add(templates.get_template("solve.html"))
        assert compiled >= {templates.get_template("solve.html")}
        _current.reset(token)
    assert len({template.render() for template in compiled}) == len(compiled) == len(LANGUAGES)


def test_error_in_an_included_file_names_the_including_line(templates):
    with pytest.raises(UndefinedError) as error:
        templates.get_template("broken.html").render()
    lines = [one.lineno + 1 for one in error.traceback if one.name == "top-level template code"]
    assert lines == [2]


def test_computed_include_is_resolved_at_run_time(templates):
    assert templates.get_template("open.html").render(chosen="part.html") == "Level  100 %2"
    with pytest.raises(TemplateNotFound):
        templates.get_template("absent.html")
