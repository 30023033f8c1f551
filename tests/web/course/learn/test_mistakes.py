"""The atlas of mistakes as pages."""

import pytest

from slidewise.course.atlas import atlas, variants


def test_page_lists_every_search_of_the_atlas(client):
    page = client.get("/learn/mistakes").text
    for key in variants():
        assert f'href="/learn/mistakes/{key}"' in page


@pytest.mark.parametrize(
    "key", ["astar/columbia", "astar/manhattan-with-blank", "greedy/princeton"]
)
def test_search_of_the_atlas_has_its_figures_and_its_board(client, key):
    page = client.get(f"/learn/mistakes/{key}").text
    summary = atlas()[key]
    assert f"{summary.longer:,} (" in page
    assert (f"finds {summary.found:,} moves" in " ".join(page.split())) == bool(summary.example)
    assert (f'href="/play/{summary.example}"' in page) == bool(summary.example)


def test_unknown_search_of_the_atlas_is_404(client):
    response = client.get("/learn/mistakes/astar/none")
    assert response.status_code == 404
    assert "no search" in response.text
