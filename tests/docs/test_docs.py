"""The README, CONTRIBUTING.md and docs/ agree with the code."""

import argparse
import doctest
import re
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from slidewise import __version__, algorithms, cli, conventions, heuristics
from slidewise.solver.convention import Duplicates, Queue
from tests.each import each
from webapp import create_app
from webapp.config import DEFAULTS, RANGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LAB = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONVENTIONS = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
WORKER = ROOT / "static/js/worker.js"
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
NOT_LISTED = {"__init__", "__main__", "version"}
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")
PAGE = re.compile(r"^\| `(/[^`]*)`.*? \| `(\w+/\w+\.py)` \| (.*) \|$", re.MULTILINE)
CODE = re.compile(r"^(?: {4}|\$ )(.*)$|`([^`]+)`", re.MULTILINE)
"""A line of a code block, or inline code."""

PROGRAM = re.compile(
    r"(?:slidewise|dask|make (?:run|mutants)"
    r"|python -m (?:slidewise|benchmarks|tests)(?:\.\w+)*)(?= |$).*"
)
"""A command of a program whose options are known, without what stands before it."""

OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*\b(?!-)")


def column(header: str, place: int) -> list[str]:
    """Return the backquoted texts in a column of a table of the lab with this header."""
    return [re.findall(r"`([^`]+)`", row[place])[0] for row in rows(LAB, header)]


def rows(text: str, header: str) -> list[list[str]]:
    """Return the cells of the table with this header."""
    lines = text.split(f"| {header} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def parsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, set[str]]]:
    """Yield the name of a command and its options, then those of its subcommands."""
    yield parser.prog, {name for action in parser._actions for name in action.option_strings}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from parsers(part)


COMMANDS = dict(parsers(cli._parser(cli._commands([]))))


def options(command: str) -> set[str]:
    """Return the options of the program that a command begins with."""
    words = command.split()
    if words[0] == "make":
        words = {"run": ["slidewise", "serve"], "mutants": ["python", "-m", "tests.mutants"]}[
            words[1]
        ]
    if words[0] == "slidewise":
        named = (" ".join(words[:length]) for length in (3, 2, 1))
        return next(COMMANDS[name] for name in named if name in COMMANDS)
    if words[0] == "dask":
        program = import_module(f"distributed.cli.dask_{words[1]}").main
        return {name for parameter in program.params for name in parameter.opts}
    path = ROOT / words[2].replace(".", "/")
    file = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
    return {*re.findall(r'"(--[a-z-]+)"', file.read_text(encoding="utf-8")), "--help"}


def unknown_options(text: str) -> list[str]:
    """Return the options in a document's code that no command near them has.

    An option alone is one of a command named in its section, or else in the document.
    """
    text = re.sub(r"^```.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    unknown = []
    for section in re.split(r"^#+ ", text, flags=re.MULTILINE):
        commands, codes = commands_in(section), codes_in(section)
        unknown += [line for line in commands if not options(line).issuperset(OPTION.findall(line))]
        known = {name for line in commands or commands_in(text) for name in options(line)}
        alone = [code for code in codes if code.startswith("--") and code[:13] != "--slide-wise-"]
        unknown += [code for code in alone if not known.issuperset(OPTION.findall(code))]
    return unknown


def codes_in(text: str) -> list[str]:
    """Return the lines of code blocks and the inline code in a text."""
    return [" ".join((line or inline).split()) for line, inline in CODE.findall(text)]


def commands_in(text: str) -> list[str]:
    """Return the commands in the code of a text; a subcommand may stand without its program."""
    found = []
    for code in codes_in(text):
        if f"slidewise {code.partition(' ')[0]}" in COMMANDS:
            found.append(f"slidewise {code}")
        elif match := PROGRAM.search(code):
            found.append(match[0])
    return found


@each("document", DOCUMENTS)
def test_documented_options_exist(document: Path) -> None:
    assert unknown_options(document.read_text(encoding="utf-8")) == []


@each(
    "text",
    [
        "`slidewise solve --memory 2`",
        "    slidewise solve BOARD \\\n      --memory 2",
        "# Limits\n`--memory` is for `slidewise solve`.\n# Class\n`slidewise grade`",
        '`make run ARGS="--memory 2"`',
        "`python -m benchmarks.fifteen --memory 2`",
    ],
)
def test_invented_option_is_noticed(text: str) -> None:
    assert len(unknown_options(text)) == 1


def test_readme_has_at_most_900_words() -> None:
    assert len(README.split()) <= 900


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


def test_documented_days_are_those_of_the_code() -> None:
    config = create_app({"SECRET_KEY": "only for its settings" * 2}).config
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    days = timedelta(seconds=config["PERMANENT_SESSION_LIFETIME"]).days
    assert f"until {days} days after its last move" in text
    offline = re.findall(r"^const DAYS = (\d+);", WORKER.read_text(encoding="utf-8"), re.MULTILINE)
    assert offline == [str(config["DAYS_AHEAD"])] == ["14"]
    for name, words in {"playing": "last two weeks", "architecture": "last two weeks"}.items():
        assert f"{words} and the next two" in (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")


@each("document", DOCUMENTS)
def test_proofs_and_windows_are_not_promised(document: Path) -> None:
    text = " ".join(document.read_text(encoding="utf-8").split())
    assert not re.search(r"always proved|(?:runs|works) on (?:native )?Windows", text)


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
