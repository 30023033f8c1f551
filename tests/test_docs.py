"""The README, CONTRIBUTING.md and docs/ agree with the code."""

import doctest
import re
from pathlib import Path
from typing import Any

import yaml

from slidewise import __version__, algorithms, conventions, heuristics
from slidewise.solver.convention import Duplicates, Queue
from tests.each import each
from webapp import create_app
from webapp.config import DEFAULTS, RANGES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONVENTIONS = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
NOT_LISTED = {"__init__", "__main__", "version"}
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
PAGE = re.compile(r"^\| `(/[^`]*)`.*? \| `(\w+/\w+\.py)` \| (.*) \|$", re.MULTILINE)


def column(header: str, place: int) -> list[str]:
    """Return the backquoted texts in a column of the table with this header."""
    return [re.findall(r"`([^`]+)`", row[place])[0] for row in rows(README, header)]


def rows(text: str, header: str) -> list[list[str]]:
    """Return the cells of the table with this header."""
    lines = text.split(f"| {header} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def test_readme_has_at_most_200_lines() -> None:
    assert len(README.splitlines()) <= 200


@each("document", DOCUMENTS)
def test_links_between_documents_lead_to_files(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_list_of_documents_is_complete() -> None:
    listed = LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8"))
    assert {f"{file.name}" for file in (ROOT / "docs").glob("*.md")} <= {*listed, "README.md"}


@each("document", [file for file in DOCUMENTS if ">>> " in file.read_text(encoding="utf-8")])
def test_python_examples_run(document: Path) -> None:
    done = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert done.attempted
    assert not done.failed


def test_algorithms_match_the_registry() -> None:
    assert set(column("algorithm", 2)) == set(algorithms())


def test_heuristics_match_the_registry() -> None:
    assert set(column("heuristic", 2)) == set(heuristics())


def test_settings_match_the_app_with_defaults_and_ranges() -> None:
    documented = {row[1]: (row[2], row[3]) for row in rows(SETTINGS, "variable")}
    assert set(documented) == {f"`SLIDEWISE_{name}`" for name in DEFAULTS}
    for name, value in DEFAULTS.items():
        default, allowed = documented[f"`SLIDEWISE_{name}`"]
        if isinstance(value, bool):
            assert (default, allowed) == ("no", "yes, no"), name
        elif isinstance(value, int):
            least, most = RANGES[name]
            assert (default, allowed) == (f"{value:,}", f"{least:,} to {most:,}"), name
        else:
            assert default == (f"`{value}`" if value else "none"), name


@each("header", ["folder | modules", "package | modules"])
def test_architecture_lists_all_modules_of_a_listed_folder(header: str) -> None:
    for _, folder, modules, _ in rows(ARCHITECTURE, header):
        path = ROOT / folder.strip("`")
        places = [path, *(path / name for name in re.findall(r"`(\w+)/`", modules))]
        files = {file.stem for place in places for file in place.glob("*.py")} - NOT_LISTED
        named = set(re.findall(r"`(\w+)`", modules))
        assert named == files or not named or folder == "`slidewise/cli`", folder


def test_pages_are_in_the_files_that_the_architecture_names() -> None:
    app = create_app({"SECRET_KEY": "only for its addresses" * 2})
    rules = {rule.rule: app.view_functions[rule.endpoint] for rule in app.url_map.iter_rules()}
    pages = PAGE.findall(ARCHITECTURE)
    assert len(pages) > 15
    for address, file, templates in pages:
        module = f"webapp.{file.removesuffix('.py').replace('/', '.')}"
        assert rules[address].__module__ == module, address
        source = (ROOT / "webapp" / file).read_text(encoding="utf-8")
        for template in re.findall(r"`([\w/]+\.html)`", templates):
            assert f'"{template}"' in source, address


def test_documented_conventions_are_the_named_ones() -> None:
    assert [row[1] for row in rows(CONVENTIONS, "name")] == [f"`{key}`" for key in conventions()]
    documented = rows(CONVENTIONS, "`duplicates` | what becomes of a board that was reached before")
    assert [row[1] for row in documented] == [f"`{rule.key}`" for rule in Duplicates]
    for rule, (_, _, _, shortest, _) in zip(Duplicates, documented, strict=True):
        if not rule.decreases_key:
            assert shortest == "no"
        else:
            assert shortest == ("yes" if rule.reopens else "if h is consistent")
    queues = next(row for row in rows(CONVENTIONS, "rule") if row[1] == "`queue`")[2]
    assert set(queues.split(", ")) == {f"`{queue}`" for queue in Queue}


def test_files_for_hosts_and_tools_agree_with_the_project() -> None:
    def read(name: str) -> Any:
        return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))

    citation = read("CITATION.cff")
    assert (citation["version"], citation["license"]) == (__version__, "MIT")
    steps = read(".github/workflows/ci.yml")["jobs"]["test"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == ["bash .ci/run"]
    (hook,) = read(".pre-commit-config.yaml")["repos"][0]["hooks"]
    targets = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\n{hook['entry'].removeprefix('make ')}:" in targets
    forms = [file for file in (ROOT / ".github/ISSUE_TEMPLATE").iterdir() if file.stem != "config"]
    for file in forms:
        form = read(str(file))
        assert form["name"], file.name
        assert form["description"], file.name
        assert all(part["type"] and part["attributes"]["label"] for part in form["body"]), file.name
