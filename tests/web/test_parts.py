"""Parts of installed packages, and the game without any."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from slidewise.parts import PLACES, Part
from tests.each import some
from tests.web import markup
from webapp.http import language

ROOT = Path(__file__).parents[2]
PUZZLE = "1.2.3-4.0.5-7.8.6"
FILE = re.compile(r"`([\w./]+\.\w+)`|^```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)


def files_of_guide() -> dict[str, str]:
    """Return the files that the guide shows, by their names."""
    guide = (ROOT / "docs" / "adding-a-part.md").read_text(encoding="utf-8").partition("## More")[0]
    named, found = [], {}
    for name, content in FILE.findall(guide):
        if name.startswith(("pyproject", "slidewise_counting/")):
            named.append(name)
        elif content:
            found[named.pop(0)] = content
    assert not named
    return found


def install(folder: Path, name: str, points: dict[str, str]) -> None:
    about = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{key} = {value}\n" for key, value in points.items()]
    (about / "entry_points.txt").write_text("".join(["[slidewise.parts]\n", *lines]))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Build the package of the guide; return the folder of its unpacked wheel."""
    folder = tmp_path_factory.mktemp("guide")
    files = files_of_guide()
    assert len(files) == 7
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    (path,) = folder.glob("dist/*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def installed(unpacked, monkeypatch):
    """Install the package of the guide; return its folder."""
    monkeypatch.syspath_prepend(unpacked)
    monkeypatch.setattr(language, "FOLDERS", [*language.FOLDERS])
    yield unpacked
    for one in language.LANGUAGES.values():
        vars(one).pop("translations", None)


def test_guide_adds_a_page_an_entry_a_link_and_a_translation(installed, new_app):
    client = new_app().test_client()
    page = markup.read(client.get("/counting"))
    assert page.one("main").text == "Counting 181,440"
    (current,) = [link for link in page.all("a") if link.get("aria-current") == "page"]
    assert (current.get("href"), current.text) == ("/counting", "Counting")
    game = client.get(f"/play/{PUZZLE}").text
    assert '<a class="btn large" href="/counting">Counting</a>' in game
    german = client.get("/counting", headers={"Accept-Language": "de"}).text
    assert "<h1>Zählen</h1>" in german


def test_guide_adds_a_subcommand(installed):
    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", "slidewise", *words],
            env={"PYTHONPATH": f"{installed}:{ROOT}"},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert run("counting") == "181440\n"
    assert "count the solvable boards of 3 x 3" in run("--help")


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("gone:PART", "the part stars cannot be loaded from gone:PART: ModuleNotFoundError"),
        ("math:pi", "the part stars is not a slidewise.parts.Part: math:pi is 3.14"),
    ],
)
def test_broken_part_stops_the_site_and_is_named(target, error, tmp_path, monkeypatch, new_app):
    install(tmp_path, "stars", {"stars": target})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit, match=f"SLIDEWISE_PARTS: {error}"):
        new_app()
    assert new_app(PARTS="course,together").test_client().get("/learn").status_code == 200


@pytest.mark.parametrize(
    ("part", "error"),
    [
        ("1 / 0", "the part broken cannot be loaded from broken_part:PART: ZeroDivisionError"),
        ("Part('broken', needs=['tower'])", "the part broken needs tower: add that too"),
        ("Part('broken', commands=[Subcommand('gone')])", "the subcommand gone cannot be loaded"),
        (
            "Part('broken', commands=[Subcommand('keyword')])",
            "the subcommand keyword cannot be added: module 'keyword' has no attribute 'add_to'",
        ),
        (
            "Part('broken', commands=[Subcommand('slidewise.cli.play')])",
            "the subcommand slidewise.cli.play cannot be added: argument COMMAND: conflicting",
        ),
    ],
)
def test_commands_report_a_broken_part_and_go_on(
    part, error, installed, tmp_path, monkeypatch, cli
):
    (tmp_path / "broken_part.py").write_text(
        f"from slidewise.parts import Part, Subcommand\nPART = {part}\n"
    )
    monkeypatch.delitem(sys.modules, "broken_part", raising=False)
    install(tmp_path, "broken", {"broken": "broken_part:PART"})
    monkeypatch.syspath_prepend(tmp_path)
    done = cli("counting")
    assert (done.code, done.out) == (0, "181440\n")
    assert done.err.startswith(f"slidewise: {error}")
    assert done.err.count("; it is left out\n") == 1
    assert cli("check", "--help").out.startswith("usage: slidewise check")


@pytest.mark.parametrize("name", ["course", "counting"])
def test_second_part_of_a_name_is_refused(name, installed, tmp_path, monkeypatch, new_app, cli):
    (tmp_path / "slidewise_second.py").write_text(
        f"from slidewise.parts import Part\nPART = Part('{name}')\n"
    )
    install(tmp_path, "second", {name: "slidewise_second:PART"})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit, match=f"SLIDEWISE_PARTS: there are two parts {name}"):
        new_app()
    assert new_app(PARTS="research").test_client().get("/learn").status_code == 404
    done = cli("check", "--help")
    assert done.out.startswith("usage: slidewise check")
    assert done.err.startswith(f"slidewise: there are two parts {name}")


def test_unknown_part_is_refused_with_the_parts_there(new_app):
    with pytest.raises(SystemExit, match="there is no part curse; there are course, research"):
        new_app(PARTS="curse")


def test_part_without_one_that_it_needs_is_refused(new_app):
    with pytest.raises(SystemExit, match="the part course needs together: add that too"):
        new_app(PARTS="course, research")


@pytest.mark.parametrize("parts", some(["", "research", "course,together"], 0, 1))
def test_pages_of_each_choice_of_parts_work(new_app, parts):
    app = new_app(PARTS=parts, PROOFS="")
    addresses = [
        url.replace("<code>", PUZZLE)
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and rule.arguments <= {"code"}
        for url in [rule.rule]
    ]
    assert len(addresses) > 40
    for address in addresses:
        with app.test_client().get(address) as response:
            assert response.status_code < 500 or address == "/readyz", address


def test_link_for_an_unknown_place_is_refused_with_the_places():
    with pytest.raises(
        ValueError, match=f"has links for finnish; the places are {', '.join(PLACES)}"
    ):
        Part("tower", links={"finnish": "_tower_link.html"})


def test_own_parts_are_found_without_flask():
    code = (
        "import sys; from slidewise.parts import find_parts; "
        "print(*[part.name for part in find_parts()], 'flask' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "course research together False\n", done.stderr


PAGES_OF_THE_GAME = [
    *("/new", "/custom", "/daily", "/gallery", "/levels", "/privacy", "/transfer", "/no-network"),
    *(f"/play/{PUZZLE}", f"/play/{PUZZLE}/share", f"/replay/{PUZZLE}?moves=LU", "/api"),
]


def test_game_alone_has_no_link_that_leads_nowhere(game_alone):
    client = game_alone.test_client()
    assert client.get("/learn").status_code == 404
    links = set()
    for path in PAGES_OF_THE_GAME:
        page = markup.read(client.get(path))
        assert [link.text for link in page.one("nav", aria_label="Pages").all("a")] == [
            *("Play", "Daily", "Gallery"),
        ]
        links |= {
            element.get(name)
            for element in page.all()
            for name in ("href", "src", "formaction", "hx-get")
            if element.get(name, "").startswith("/")
        }
    offline = re.search(r"const BUILD = (.*);", client.get("/worker.js").text)[1]
    links |= {f"/{path}" for path in json.loads(offline)["pages"]}
    links |= {*json.loads(offline)["files"]}
    assert len(links) > 150
    missing = []
    for link in links:
        with client.get(link) as response:
            if response.status_code == 404:
                missing.append(link)
    assert missing == []
