"""Compression and size of responses, and streams without buffering."""

import gzip
import hashlib
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import brotli
import pytest

from tests.web.kinds import CODE
from tests.web.streams import HTMX
from webapp.http import static
from webapp.http.static import content_version, generated_files

BROWSERS = {"br": "gzip, deflate, br, zstd", "gzip": "gzip, deflate"}
"""The encodings of Chromium over TLS or on localhost, and elsewhere."""

TEXTS = [
    f"/play/{CODE}",
    "/custom",
    f"/board/{CODE}.svg",
    "/static/css/play.css",
    "/static/js/solve/player.js",
]


def get(client, url, accepted):
    with client.get(url, headers={"Accept-Encoding": accepted}) as response:
        response.get_data()
        return response


@pytest.mark.parametrize("url", TEXTS)
@pytest.mark.parametrize("encoding", BROWSERS)
def test_text_is_compressed_if_the_client_accepts_it(client, url, encoding):
    response = get(client, url, BROWSERS[encoding])
    plain = get(client, url, "identity")
    assert response.headers["Content-Encoding"] == encoding
    assert "Content-Encoding" not in plain.headers
    for answer in response, plain:
        assert "Accept-Encoding" in answer.vary
    assert len(response.data) < 0.6 * len(plain.data)
    if encoding == "gzip":
        assert len(gzip.decompress(response.data)) == len(plain.data)


@pytest.mark.parametrize("accepted", ["br", "gzip", "identity", "gzip, br;q=0"])
def test_answer_to_a_click_is_compressed_if_accepted(client, accepted):
    headers = {"HX-Request": "true", "Accept-Encoding": accepted}
    response = client.post(f"/play/{CODE}/restart", headers=headers)
    encoding = {"br": "br", "identity": None}.get(accepted, "gzip")
    unpack = {"br": brotli.decompress, None: bytes}.get(encoding, gzip.decompress)
    assert response.headers.get("Content-Encoding") == encoding
    assert "Accept-Encoding" in response.vary
    assert response.content_length == len(response.data)
    assert b'id="play"' in unpack(response.data)


def test_solve_stream_is_not_compressed_or_buffered(app):
    response = app.test_client().post(
        f"/play/{CODE}/solve",
        headers={**HTMX, "Accept-Encoding": BROWSERS["br"]},
        buffered=False,
    )
    assert "Content-Encoding" not in response.headers
    chunks = iter(response.response)
    assert b'name="job"' in next(chunks), "the first message is there before the search has begun"
    rest = list(chunks)
    response.close()
    steps = [chunk for chunk in rest if b'hx-target="#steps"' in chunk]
    assert len(steps) == 2, "each step of the solution is a message of its own"


def files_of(client, code):
    """Return the URLs of all files that the page of a game loads."""
    page = client.get(f"/play/{code}").text
    found = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    for url in found:  # grows, because modules import others
        with client.get(url) as response:
            imported = re.findall(rb'^import .* from "(\.[^"]+)"', response.data, re.MULTILINE)
        found += [new for name in imported if (new := urljoin(url, name.decode())) not in found]
    return found


@pytest.mark.parametrize("encoding", BROWSERS)
def test_play_page_with_its_files_is_small(client, encoding):
    code = "7.2.4-5.0.6-8.3.1"
    files = [url for url in files_of(client, code) if not url.endswith((".woff2", ".png"))]
    # The icon is only for installing the app.
    assert len(files) > 10, files
    answers = [get(client, url, BROWSERS[encoding]) for url in [f"/play/{code}", *files]]
    assert {answer.status_code for answer in answers} == {200}
    weight = sum(len(answer.data) for answer in answers)
    assert weight < {"br": 82_500, "gzip": 87_000}[encoding], weight


def test_versioned_files_are_immutable(client):
    for url in files_of(client, CODE):
        assert re.match(r"/static/v-[0-9a-f]{12}/", url), url
        with client.get(url) as response:
            assert response.cache_control.immutable
            assert not response.cache_control.private, "caches that many share keep it too"
            assert response.cache_control.max_age > 30 * 24 * 3600
            assert not response.cache_control.no_cache
            content = response.data
        with client.get(re.sub("/v-[0-9a-f]+", "", url)) as response:
            assert response.data == content
            assert response.cache_control.no_cache
    with client.get("/static/v-000000000000/js/play/view.js") as response:
        assert response.status_code == 404


def test_other_content_has_another_version(tmp_path):
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "app.js"
    script.write_text("1")
    before = content_version(tmp_path)
    script.write_text("2")
    assert content_version(tmp_path) != before


def test_generated_files_have_the_same_etag_in_each_process(app):
    for name in generated_files():
        first = app.test_client().get(f"/static/{name}")
        assert (first.mimetype, first.data) == ("text/javascript", generated_files()[name])
        assert first.get_etag() == (hashlib.sha256(first.data).hexdigest()[:16], False)
        again = app.test_client().get(
            f"/static/{name}", headers={"If-None-Match": first.headers["ETag"]}
        )
        assert (again.status_code, again.data) == (304, b"")


def test_generated_files_are_not_in_the_folder_of_a_checkout(app):
    assert len(generated_files()) > 2
    assert not [name for name in generated_files() if Path(app.static_folder, name).exists()]


def test_changed_translation_changes_the_urls_of_all_files(client, new_app, monkeypatch, tmp_path):
    shutil.copytree(static.PACKAGE / "translations", tmp_path / "translations")
    play = tmp_path / "translations" / "de" / "play.po"
    play.write_text(play.read_text(encoding="utf-8").replace("Rätsel", "Puzzle"), encoding="utf-8")
    monkeypatch.setattr(static, "PACKAGE", tmp_path)
    monkeypatch.setattr(static, "generated_files", static.generated_files.__wrapped__)
    changed = new_app().test_client()
    before, after = (
        re.search(r"/static/(v-\w+)/js/play/view.js", one.get(f"/play/{CODE}").text)[1]
        for one in (client, changed)
    )
    assert before != after
    assert "Puzzle" in changed.get(f"/static/{after}/js/texts/de.js").text
    assert changed.get(f"/static/{before}/js/texts/de.js").status_code == 404


def test_page_preloads_all_static_imports_of_its_script(client):
    page = client.get(f"/play/{CODE}").text
    preloaded = set(re.findall(r'<link rel="modulepreload" href="([^"]*)">', page))
    script = re.search(r'src="([^"]*/view\.js)"', page)[1]
    imported = {
        urljoin(url, line.split('"')[-2])
        for url in {script, *preloaded}
        for line in get(client, url, "identity").text.splitlines()
        if line.startswith("import ") and line.endswith('";')
    }
    assert imported == preloaded
    assert len(preloaded) <= 5, "a first click waits for each"
