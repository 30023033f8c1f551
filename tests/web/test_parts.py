"""Parts of installed packages."""

import pytest

from webapp.parts import Part

MODULE = """
from flask import Blueprint, render_template
from webapp.parts import Part

blueprint = Blueprint("tower", __name__, template_folder="templates")

@blueprint.get("/tower")
def page():
    return render_template("tower.html")

PART = Part("tower", (blueprint,), links={"puzzle": "_tower_link.html"}, entry="play")
"""
PAGE = """{% extends "site/base.html" %}
{% block main %}<main id="main">A tower.</main>{% endblock %}"""
LINK = """<a href="{{ url_for('tower.page') }}">Tower of {{ puzzle }}</a>"""
PUZZLE = "1.2.3-4.0.5-7.8.6"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package with a part that has a page, and a link to it at a puzzle."""
    package, about = tmp_path / "tower", tmp_path / "tower-1.0.dist-info"
    (package / "templates").mkdir(parents=True)
    about.mkdir()
    (package / "__init__.py").write_text(MODULE)
    (package / "templates" / "tower.html").write_text(PAGE)
    (package / "templates" / "_tower_link.html").write_text(LINK)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tower\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[slidewise.parts]\ntower = tower:PART\n")
    monkeypatch.syspath_prepend(tmp_path)


def test_installed_package_adds_a_page_and_a_link(installed, new_app):
    client = new_app().test_client()
    page = client.get("/tower").text
    assert "A tower." in page
    assert 'aria-current="page"' in page.partition('"/daily"')[0]
    assert f'<a href="/tower">Tower of {PUZZLE}</a>' in client.get(f"/play/{PUZZLE}").text
    assert "/tower" not in client.get(f"/play/{PUZZLE}/share").text


def test_link_for_an_unknown_place_is_refused_with_the_places():
    with pytest.raises(ValueError, match="has links for finnish; the places are puzzle, share"):
        Part("tower", links={"finnish": "_tower_link.html"})
