"""The site as plain files: each link leads to a file, and no page needs the server."""

import json
import re
from datetime import date, timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from slidewise.analysis.daily import sizes_of
from slidewise.analysis.distance import LEVELS
from slidewise.cli import main
from tests.web.markup import read
from tests.web.static_folder import CONTACT, DAYS, SECRET, written_site
from webapp import create_app
from webapp.http.responses import Busy
from webapp.play import daily
from webapp.static_site import StaticSite
from webapp.workers.shared import services_of

TO_FILES = re.compile(r'<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"')


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return written_site(tmp_path_factory)


def pages(site):
    """Return the pages by their URLs below the site."""
    found = {
        f"/{path.relative_to(site).parent.as_posix()}/": path for path in site.rglob("index.html")
    }
    return {address.replace("/./", "/"): path.read_text() for address, path in found.items()}


def leads_to_file(site: Path, address: str) -> bool:
    path = site / urlsplit(address).path.lstrip("/")
    return path.is_file() or (path / "index.html").is_file()


def test_start_page_is_the_last_file(site):
    """A folder with a start page is a whole site, also after a write that failed."""
    times = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    assert times[site / "index.html"] == max(times.values())


def test_every_link_leads_to_a_file(site):
    missing = {
        (address, link)
        for address, html in pages(site).items()
        for link in map(unescape, TO_FILES.findall(html))
        if not link.startswith(("#", "https://"))
        and not (address.startswith("/blank/") and "/play/" in link)  # the page of another board
        and not leads_to_file(site, urljoin(f"http://host{address}", link))
    }
    assert missing == set()
    assert leads_to_file(site, "/levels/")
    assert leads_to_file(site, "/static/slide-wise/slide-wise.js")
    assert not leads_to_file(site, "/lab/")


def test_no_url_starts_at_the_root_of_the_host(site):
    for address, html in pages(site).items():
        assert not re.search(r'\s(?!content|value)[a-z-]+="/', html), address
        assert "localhost" not in html, address
    manifest = json.loads((site / "manifest.webmanifest").read_text())
    assert manifest["start_url"] == "./"
    assert all(leads_to_file(site, icon["src"]) for icon in manifest["icons"])


def test_pages_have_the_policy_and_send_no_request_on_load(site):
    for address, html in pages(site).items():
        assert html.index('http-equiv="Content-Security-Policy"') < html.find("<script") % len(html)
        assert not re.search('hx-trigger="(load|revealed)', html), address
    game = read(pages(site)["/play/1.2.3-4.0.5-7.8.6/"])
    assert game.one("html")["data-cached"] == "seen"
    assert [link.text.strip() for link in game.one("nav", aria_label="Pages").all("a")] == [
        "Play",
        "Daily",
        "Learn",
        "Gallery",
    ]


def test_question_of_a_static_lesson_needs_javascript(site):
    html = pages(site)["/learn/bfs/"]
    notice = html.index("The question of this lesson needs JavaScript here")
    assert html.index('id="example"') < notice < html.index('<form class="card ask"')
    assert "The question of this lesson" not in pages(site)["/learn/wastar/"]


def test_day_has_its_page_and_puzzles(site):
    today = date.fromisoformat(build_of(site)["lastDay"]) - timedelta(DAYS)
    assert daily.today() - today in {timedelta(0), timedelta(1)}  # midnight may have passed
    for day in (today, today + timedelta(DAYS)):
        html = pages(site)[f"/daily/{day}/"]
        assert f"{daily.in_words(day)} (today)" in read(html).one("main").text
        codes = re.findall(r'href="[./]*play/([\d.-]+)"', html)
        assert len(codes) == len(sizes_of(day))
        for code in codes:
            assert (
                daily.in_words(day, "short") in read(pages(site)[f"/play/{code}/"]).one("h1").text
            )
    assert f"/daily/{today + timedelta(DAYS + 1)}/" not in pages(site)


def build_of(site):
    """Return the constants of the service worker."""
    return json.loads(re.match(r"const BUILD = (.*);\n", (site / "worker.js").read_text())[1])


def test_worker_finds_its_files_and_pages(site):
    build = build_of(site)
    (later,) = build["later"]
    names = [*build["files"], *later["files"], *later["assets"], *build["pages"]]
    names += [f"blank/{rows}x{cols}" for rows in range(2, 11) for cols in range(2, 11)]
    names += [f"play/{code}" for code in build["gallery"]]
    names += [f"daily/{build[end]}" for end in ("firstDay", "lastDay")]
    assert [name for name in names if not leads_to_file(site, f"/{name.lstrip('/')}")] == []
    boards = json.loads((site / "boards-ahead.json").read_text())
    for least, most in LEVELS[3, 3].values():
        assert sum(least <= moves <= most for _, moves in boards["3x3"]) > 100
    lengths = [moves for _, moves in boards["3x3"]]
    assert lengths != sorted(lengths), "a visitor begins anywhere and takes the next that is wanted"


def test_recorded_searches_are_files(site):
    topics = {
        address: re.findall(r'data-watch="([^"]*)"', html)
        for address, html in pages(site).items()
        if re.fullmatch(r"/learn/[a-z-]+/", address)
    }
    assert topics["/learn/wastar/"] == ["../../learn/wastar/trace.json"]
    for address, (trace,) in ((address, found) for address, found in topics.items() if found):
        path = urlsplit(urljoin(f"http://host{address}", trace)).path
        assert json.loads((site / path.lstrip("/")).read_text())["steps"], address


def test_pages_without_scripts_send_nothing_and_name_javascript(site):
    for address, html in pages(site).items():
        assert 'method="post"' not in html, address
        before, main, _ = html.partition("<main ")
        assert address == "/" or (main and "site need JavaScript" in before), address


def test_busy_page_is_requested_again(tmp_path):
    app = create_app({"SECRET_KEY": SECRET, "STATE": str(tmp_path)})
    answers = [Busy("The page is being compiled.", 0), Busy("It still is.", 0), None]

    @app.get("/late")
    def late():
        error = answers.pop(0)
        if error:
            raise error
        return "It is there."

    try:
        assert StaticSite(app, tmp_path, 0).get("/late") == b"It is there."
        assert answers == []
        with pytest.raises(OSError, match="/nowhere answers 404"):
            StaticSite(app, tmp_path, 0).get("/nowhere")
    finally:
        services_of(app).solvers.close()


def test_command_refuses_a_folder_with_files(tmp_path, capsys):
    (tmp_path / "mine.txt").touch()
    assert main(["static", str(tmp_path)]) == 2
    assert "is not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_server_settings_are_not_in_the_files(site):
    content = b"".join(path.read_bytes() for path in site.rglob("*") if path.is_file())
    assert SECRET.encode() not in content
    assert CONTACT.encode() not in content
