"""The image: not built here, as that takes Docker; what its Dockerfile does is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tests.boards import FOUR_NEAR as FIFTEEN
from tests.browser.server import free_port
from tests.deploy import image
from tests.deploy.image import PROJECT, Layer
from tests.web.streams import PATIENCE, until

BUILD, FINAL = image.read()

CAN_LAYER = (
    sys.platform == "linux"
    and os.geteuid() == 0
    and subprocess.run(["unshare", "--mount", "true"], check=False).returncode == 0
)

ALL_IS_COMPILED = """
from slidewise.solver import compiling
from slidewise.solver.kernels import cache
assert cache.find()
assert compiling.load_cached() == list(compiling.KERNELS)
"""


def copied():
    """Yield what the image takes from the project, and where to."""
    for rest in BUILD.all("COPY"):
        *sources, target = rest.split()
        for source in sources:
            yield source, target


def test_what_is_copied_is_there_and_is_sent_and_nothing_else_is():
    sources = {source for source, _ in copied()}
    assert [source for source in sources if not (PROJECT / source).exists()] == []
    assert image.sent() == sources


def test_it_runs_as_nobody_and_tells_where_all_is():
    (user,) = FINAL.all("USER")
    assert user.partition(":")[0].isdigit()
    assert user != "0:0"
    for name in "XDG_CACHE_HOME", "NUMBA_CPU_NAME":
        assert FINAL.variables()[name] == BUILD.variables()[name]


@pytest.fixture(scope="module")
def layer(tmp_path_factory):
    """Follow the Dockerfile; return the layer of its last stage."""
    built = Layer(tmp_path_factory.mktemp("build"))
    workdir = "/"
    for name, rest in BUILD.instructions:
        if name == "WORKDIR":
            workdir = rest
            built.path(workdir).mkdir(exist_ok=True)
        elif name == "COPY":
            *sources, target = rest.split()
            for source in sources:
                image.copy(source, built, f"{workdir}/{target}")
        elif name == "RUN":
            built.run(["sh", "-c", rest], variables=BUILD.variables(), workdir=workdir)
    final = Layer(tmp_path_factory.mktemp("final"))
    for rest in FINAL.all("COPY"):
        _, source, target = rest.split()
        shutil.copytree(built.path(source), final.path(target), symlinks=True)
        image.whole_seconds(final.path(target))
    return final


@pytest.mark.soak
@pytest.mark.skipif(not CAN_LAYER, reason="not root, or file systems cannot be laid over others")
def test_the_steps_make_what_serves_from_a_file_system_that_can_only_be_read(layer, tmp_path):
    (user,) = FINAL.all("USER")
    key = {"SLIDEWISE_SECRET_KEY": "for tests only" * 3}
    inside = {"variables": {**FINAL.variables(), **key}, "user": user}
    layer.run(["python", "-c", ALL_IS_COMPILED], **inside)
    port = str(free_port())
    _, *healthy = (word.replace("8000", port) for word in FINAL.command("HEALTHCHECK"))
    command = [*FINAL.command("ENTRYPOINT"), *FINAL.command("CMD")]
    log = tmp_path / "log"
    with log.open("wb") as output:
        serving = layer.start(
            [word.replace("8000", port) for word in command], stdout=output, stderr=output, **inside
        )
    try:
        check = [sys.executable, *healthy]
        assert until(
            lambda: subprocess.run(check, capture_output=True, check=False).returncode == 0
        )
        assert until(lambda: _status(f"http://127.0.0.1:{port}/readyz") == 200)
        solve = f"http://127.0.0.1:{port}/play/{FIFTEEN}/solve"
        assert _status(solve, b"algorithm=idastar&heuristic=pdb") == 200
    finally:
        serving.terminate()
        assert serving.wait(PATIENCE) == 0
    assert "Traceback" not in log.read_text()
    assert list(layer.path("/tmp").glob("*")) == []


def _status(url, body=None):
    """Return the status of an answer, which may lead elsewhere."""
    try:
        with urllib.request.urlopen(url, body, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
