"""`slidewise atlas`, on the packaged figures and on newly computed ones."""

import json

from slidewise.course.atlas import atlas


def test_packaged_figures_are_printed(cli):
    lines = cli("atlas", "astar/columbia", "--json").out.splitlines()
    assert [json.loads(line)["key"] for line in lines] == ["astar/columbia"]
    assert f"{atlas()['astar/columbia'].example} " in cli("atlas", "astar/columbia").out


def test_unknown_search_is_refused(cli):
    result = cli("atlas", "astar/none")
    assert result.code == 2
    assert "it has astar/slidewise" in result.err


def test_write_without_compute_is_refused(cli):
    assert "--write needs --compute" in cli("atlas", "--write", "figures.json").err
