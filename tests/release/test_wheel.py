"""The wheel, unpacked without a checkout, contains everything that runs in a checkout."""

import os
import re
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

import hatch_build
from tests.cli.commands import python
from tests.web.served import Server, kill_at_the_end
from webapp.http.static import generated_files

ROOT = Path(__file__).parents[2]
LICENCES = {
    "static/vendor/htmx-LICENSE": "0BSD",
    "static/vendor/d3-hierarchy-LICENSE": "ISC",
    "static/vendor/figtree-LICENSE": "OFL-1.1",
    "static/vendor/pyodide/pyodide-LICENSE": "MPL-2.0",
    "static/vendor/pyodide/python-LICENSE": "Python-2.0.1",
}
LINK = re.compile(r"\]\(([^)]+)\)")
WEB = ("webapp/", "templates/", "static/")
OTHER = 'raise SystemExit("another package")'
SCRIPT = """
import sys
from slidewise.__main__ import main
if __name__ == "__main__":
    sys.exit(main())
"""
IN_THE_WHEEL = """
import sys, slidewise, slidewise.web as web
assert all(module.__file__.startswith(sys.argv[1]) for module in (slidewise, web))
"""
A_PAGE_AND_ITS_STYLE = """
import re
client = web.create_app({"SECRET_KEY": "for tests only" * 3}).test_client()
page = client.get("/custom")
style = client.get(re.search(r'href="(\\S+[.]css)"', page.text)[1])
german = client.get("/nowhere", headers={"Accept-Language": "de"})
print(page.status_code, style.status_code, "Seite nicht gefunden" in german.text)
"""
EACH_MODULE = """
from importlib import import_module
from pkgutil import walk_packages
names = [module.name for module in walk_packages(web.__path__, "slidewise.web.")]
for name in names:
    if not name.endswith("__main__"):
        import_module(name)
print(len(names) > 60, [name for name in sys.modules if name.partition(".")[0] == "webapp"])
from slidewise.web.workers import json_values
from slidewise.web.workers.redis.jobs import RUN_NEXT
from slidewise.web.workers.solvers import Waiting
print(RUN_NEXT, json_values.loads(json_values.dumps(Waiting(1, 2))) == Waiting(1, 2))
"""
MISSING = """
import sys
for name in {missing!r}:
    sys.modules[name] = None  # importing it raises ModuleNotFoundError
"""
COMMAND = """
from slidewise.cli import main
sys.exit(main({argv!r}))
"""
A_WIDGET = """
from slidewise import notebook
html = notebook.play("1.0.3-4.2.5").as_html()
print(notebook.__file__.startswith(sys.argv[1]), "customElements.define" in html)
"""
FOR_THE_WEB = ("flask", "jinja2", "werkzeug", "waitress", "segno", "PIL", "brotli", "redis", "rq")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of the unpacked wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.fixture
def elsewhere(tmp_path):
    """Return a folder with its own `webapp`."""
    (tmp_path / "webapp").mkdir()
    for name in "__init__.py", "command.py":
        (tmp_path / "webapp" / name).write_text(OTHER)
    return tmp_path


@pytest.fixture
def run(folder, elsewhere):
    """Return a function that runs Python with the wheel and without the checkout."""

    def run(*argv, **settings):
        environment = {**os.environ, "PYTHONPATH": str(folder), **settings}
        return python(*argv, cwd=elsewhere, env=environment)

    return run


def without(missing, *argv):
    """Return a program that runs the command without some packages."""
    return "-c", MISSING.format(missing=missing) + COMMAND.format(argv=list(argv))


def metadata(folder):
    (info,) = folder.glob("*.dist-info")
    return Parser().parsestr((info / "METADATA").read_text(encoding="utf-8"))


def test_the_wheel_has_one_top_level_name(folder):
    names = {path.name for path in folder.iterdir() if path.suffix != ".dist-info"}
    assert names == {"slidewise"}


def test_the_wheel_has_each_file_of_the_packages_and_pages(folder):
    files = subprocess.run(
        ["git", "ls-files", "slidewise", *WEB], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    if not files:
        pytest.skip("not a git checkout: there is no list of the project's files")
    places = [
        f"slidewise/web/{file.removeprefix('webapp/')}" if file.startswith(WEB) else file
        for file in files
    ]
    assert [place for place in places if not (folder / place).is_file()] == []


def test_generated_files_are_those_that_a_checkout_serves(folder):
    for name, content in generated_files().items():
        assert (folder / "slidewise" / "web" / "static" / name).read_bytes() == content


def test_editable_wheel_has_no_generated_file(tmp_path):
    builder = WheelBuilder(str(ROOT))
    (path,) = builder.build(directory=str(tmp_path), versions=["editable"])
    with zipfile.ZipFile(path) as archive:
        assert [name for name in archive.namelist() if name.endswith(".js")] == []


def test_the_web_app_in_the_wheel_has_its_pages(folder, run):
    done = run("-c", IN_THE_WHEEL + A_PAGE_AND_ITS_STYLE, str(folder))
    assert (done.stdout, done.stderr) == ("200 200 True\n", "")


def test_web_app_modules_are_imported_by_their_installed_names(folder, run):
    """So are the names that other processes import."""
    done = run("-c", IN_THE_WHEEL + EACH_MODULE, str(folder))
    names = "slidewise.web.workers.redis.worker.run_next True"
    assert (done.stdout, done.stderr) == (f"True []\n{names}\n", "")


@pytest.mark.parametrize("module", ["slidewise", "slidewise.web"])
def test_the_command_in_the_wheel_has_the_web_app(run, module):
    done = run("-m", module, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert {"solve", "serve", "worker"} <= set(done.stdout.split())


def test_script_works_in_a_folder_with_the_same_names(folder, elsewhere):
    """A checkout is a folder like this. Forked processes import nothing from there."""
    (elsewhere / "slidewise").mkdir()
    (elsewhere / "slidewise" / "__init__.py").write_text(OTHER)
    (elsewhere / "bin").mkdir()
    script = elsewhere / "bin" / "slidewise"  # as written by pip
    script.write_text(SCRIPT)
    command = str(script), "serve", "--port"
    server = Server(elsewhere, command, cwd=elsewhere, PYTHONPATH=str(folder))  # solves a board
    with kill_at_the_end(server.process):
        assert server.get("/custom").status == 200
        assert server.stop() == 0
        assert "lost" not in server.log


def test_metadata_names_the_licence_of_each_vendored_file(folder):
    found = metadata(folder)
    named = set(found["License-Expression"].split(" AND "))
    assert named == {"MIT", *LICENCES.values()}
    assert set(found.get_all("License-File")) == {"LICENSE", *LICENCES}
    vendored = (ROOT / "static" / "vendor").rglob("*LICENSE")
    assert {path.relative_to(ROOT).as_posix() for path in vendored} == set(LICENCES)
    (info,) = folder.glob("*.dist-info")
    assert all((info / "licenses" / name).is_file() for name in LICENCES)


def test_metadata_has_the_fields_of_an_index(folder):
    found = metadata(folder)
    assert found["Author"] == "the Slidewise authors"
    assert found["Requires-Python"] == ">=3.11"  # numba has no upper bound either
    assert "Topic :: Games/Entertainment :: Puzzle Games" in found.get_all("Classifier")
    assert set(found.get_all("Provides-Extra")) >= {"web", "redis"}


def test_readme_of_the_wheel_has_no_link_that_needs_a_checkout(folder):
    text = metadata(folder).get_payload()
    assert text.startswith("# Slidewise\n")
    assert [link for link in LINK.findall(text) if not link.startswith(("https://", "#"))] == []


def test_links_and_images_lead_to_the_repository_if_set():
    text = "![A board](docs/play.png)\n\nSee [the manual](docs/pages.md#play), [x](https://x.example).\n"
    assert hatch_build.readable_anywhere(text, "https://code.example/slide") == (
        "![A board](https://code.example/slide/raw/main/docs/play.png)\n\n"
        "See [the manual](https://code.example/slide/blob/main/docs/pages.md#play), "
        "[x](https://x.example).\n"
    )
    assert hatch_build.readable_anywhere(text, "") == "See the manual, [x](https://x.example).\n"
    assert hatch_build.urls("") == {}
    assert hatch_build.urls("https://code.example/slide")["Source"] == "https://code.example/slide"


def test_a_plain_installation_needs_no_package_of_the_web_app(folder):
    found = metadata(folder).get_all("Requires-Dist")
    plain = {text.partition(">")[0] for text in found if "extra ==" not in text}
    assert plain == {"numba", "numpy", "platformdirs", "rich"}


def test_library_and_command_need_no_package_of_the_web_app(run):
    done = run(*without(FOR_THE_WEB, "solve", "1.2.3-4.5.6-0.7.8"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 moves" in done.stdout


def test_reports_in_german_need_no_package_of_the_web_app(run, tmp_path):
    (tmp_path / "a.py").write_text("x = 1")
    done = run(*without(FOR_THE_WEB, "grade", str(tmp_path / "a.py"), "--language", "de"))
    assert done.returncode == 2
    assert "kann nicht bewertet werden" in done.stdout


def test_widgets_need_no_package_of_the_web_app(folder, run):
    program = MISSING.format(missing=FOR_THE_WEB) + A_WIDGET
    done = run("-c", program, str(folder))
    assert (done.stdout, done.stderr) == ("True True\n", "")


def test_widgets_without_anywidget_name_their_extra(run):
    done = run("-c", MISSING.format(missing=("anywidget",)) + "from slidewise import notebook")
    assert done.stderr.endswith('needs anywidget: pip install "slidewise[notebook]"\n')


@pytest.mark.parametrize(
    ("missing", "argv", "extra"),
    [(FOR_THE_WEB, "serve", "web"), (FOR_THE_WEB, "worker", "redis"), (("rq",), "worker", "redis")],
)
def test_a_command_that_lacks_packages_names_their_extra(run, missing, argv, extra):
    done = run(*without(missing, argv), SLIDEWISE_REDIS="redis://127.0.0.1:1/0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"slidewise: error: slidewise {argv} needs the package ")
    assert done.stderr.endswith(f'which is not installed: pip install "slidewise[{extra}]"\n')
