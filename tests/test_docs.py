"""What the README lists is what there is."""

from __future__ import annotations

import re
from pathlib import Path

from slidewise import algorithms, heuristics
from webapp.config import DEFAULTS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def column(header: str, place: int) -> list[str]:
    """Return the texts in backquotes of a column of the table whose header begins so."""
    table = README.split(f"| {header} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [re.findall(r"`([^`]+)`", row.split("|")[place])[0] for row in table]


def test_the_algorithms_are_those_of_the_registry() -> None:
    assert set(column("algorithm", 2)) == set(algorithms())


def test_the_heuristics_are_those_of_the_registry() -> None:
    assert set(column("heuristic", 2)) == set(heuristics())


def test_the_settings_are_those_of_the_app() -> None:
    settings = {f"SLIDEWISE_{name}" for name in DEFAULTS} | {"SLIDEWISE_SECRET_KEY"}
    assert set(column("variable", 1)) == settings
