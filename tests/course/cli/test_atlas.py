"""`slidewise atlas`, on the packaged figures and on newly computed ones."""

import json
from dataclasses import asdict

from slidewise.course.atlas import Variant, atlas


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


def test_computed_figures_are_printed_and_written(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(Variant, "boards", 3)
    file = tmp_path / "figures.json"
    out = cli("atlas", "--compute", "greedy/squared", "--json", "--write", str(file)).out
    rows = {row["key"]: row for row in json.loads(file.read_text())}
    assert rows.pop("greedy/squared") == json.loads(out)
    assert json.loads(out)["boards"] == 3
    assert rows == {key: asdict(one) for key, one in atlas().items() if key != "greedy/squared"}
