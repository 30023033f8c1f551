"""`slidewise tables`, run in this process."""

import re

import pytest

from slidewise.solver import compiling
from slidewise.solver.tables.patterns import database, files
from tests.cli.commands import Run


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "_loaded", {})
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "tables"))
    compiling.load("patterns_build")
    return tmp_path / "tables"


def test_tables_are_built_listed_and_cleared(cli, directory):
    built = "4-3 for 2x4 with the blank in cell 0: {}, 4,608 bytes\n"
    assert cli("tables", "build", "--size", "2x4") == Run(0, built.format("built"), "")
    database._loaded.clear()
    assert cli("tables", "build", "4-3", "--size", "2x4").out == built.format("already there")

    done = cli("tables", "build", "--goal", "1.2.3-4.0.5-6.7.8")
    assert "for 3x3 with the blank in cell 4: built" in done.out

    titles, *rows = cli("tables", "list").out.splitlines()
    assert re.split("  +", titles) == ["partition", "size", "blank cell", "bytes", "date"]
    facts = [re.split("  +", row) for row in rows]
    assert [row[1:3] for row in facts] == [["2x4", "0"], ["3x3", "4"]]
    assert facts[0][0] == "4-3"
    assert facts[0][3] == f"{files.HEADER_BYTES + 4608:,}"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", facts[0][4])

    done = cli("tables", "clear")
    assert done.out.startswith(f"removed {directory / '2x4-blank0-4-3.tables'} (8,704 bytes)\n")
    assert done.out.count("\n") == 2
    for action in "list", "clear":
        assert cli("tables", action) == Run(0, f"no pattern databases in {directory}\n", "")


def test_invalid_file_is_listed_as_unusable(cli, directory):
    directory.mkdir()
    (directory / "x.tables").write_text("nonsense")
    assert cli("tables", "list").out.splitlines()[1].startswith("unusable: x.tables  ")


def test_unwritable_table_directory_is_logged(cli, directory, caplog):
    directory.write_text("a file")
    done = cli("tables", "build", "--size", "2x3")
    assert done.code == 0
    assert caplog.messages[0].startswith(f"Tables cannot be stored in {directory}: ")
