"""The wheel, unpacked where there is no checkout: it must have all that runs in one."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("templates", "static")
IN_THE_WHEEL = """
import sys, slidewise, webapp
assert all(module.__file__.startswith(sys.argv[1]) for module in (slidewise, webapp))
"""
A_PAGE_AND_ITS_STYLE = """
import re
client = webapp.create_app({"SECRET_KEY": "x" * 64}).test_client()
page = client.get("/custom")
style = client.get(re.search(r'href="(\\S+[.]css)"', page.text)[1])
print(page.status_code, style.status_code)
"""
NO_FLASK = """
sys.modules["flask"] = None  # importing it raises ImportError
from slidewise.cli import main
sys.exit(main(["solve", "1.2.3-4.5.6-0.7.8"]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the folder of the unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def run(wheel, code):
    environment = {**os.environ, "PYTHONPATH": str(wheel)}
    command = [sys.executable, "-c", IN_THE_WHEEL + code, str(wheel)]
    return subprocess.run(command, cwd=wheel, env=environment, capture_output=True, text=True)


def test_the_wheel_has_each_file_of_the_packages_and_pages(wheel):
    files = subprocess.run(
        ["git", "ls-files", "slidewise", "webapp", *PAGES], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    if not files:
        pytest.skip("not a git checkout: there is no list of the project's files")
    places = [f"webapp/{file}" if file.startswith(PAGES) else file for file in files]
    assert [place for place in places if not (wheel / place).is_file()] == []


def test_the_web_app_in_the_wheel_has_its_pages(wheel):
    done = run(wheel, A_PAGE_AND_ITS_STYLE)
    assert (done.stdout, done.stderr) == ("200 200\n", "")


def test_the_library_and_its_command_need_no_flask(wheel):
    done = run(wheel, NO_FLASK)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 moves" in done.stdout
