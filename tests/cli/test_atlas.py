"""`slidewise atlas`, on figures that come with the package and on those of one search anew."""

import json

from slidewise.study.atlas.summary import atlas


def test_the_figures_that_come_with_the_package(cli):
    lines = cli("atlas", "astar/columbia", "--json").out.splitlines()
    assert [json.loads(line)["key"] for line in lines] == ["astar/columbia"]
    assert f"{atlas()['astar/columbia'].example} " in cli("atlas", "astar/columbia").out


def test_a_search_that_is_not_there(cli):
    result = cli("atlas", "astar/none")
    assert result.code == 2
    assert "it has astar/slidewise" in result.err


def test_to_write_takes_to_compute(cli):
    assert "--write needs --compute" in cli("atlas", "--write", "figures.json").err
