"""The steps of the image's Dockerfile, run without Docker."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tests.boards import FOUR_NEAR as FIFTEEN
from tests.browser.server import free_port
from tests.deploy import image
from tests.deploy.image import PROJECT, Layer
from tests.programs import program
from tests.web.streams import PATIENCE, until

BUILD, FINAL = image.read()

CAN_LAYER = (
    sys.platform == "linux"
    and os.geteuid() == 0
    and shutil.which("unshare")
    and subprocess.run(["unshare", "--mount", "true"], check=False).returncode == 0
)

CHECK_COMPILED = """
from slidewise.solver import compiling
from slidewise.solver.kernels import cache
assert cache.find()
assert compiling.load_cached() == list(compiling.KERNELS)
"""


def copied():
    """Yield each COPY of the image as (source, target)."""
    for rest in BUILD.all("COPY"):
        *sources, target = rest.split()
        for source in sources:
            yield source, target


def test_image_context_holds_the_copied_files_alone():
    sources = {source for source, _ in copied()}
    assert [source for source in sources if not (PROJECT / source).exists()] == []
    assert image.build_context() == sources


def test_image_runs_as_another_user_with_the_build_variables():
    (user,) = FINAL.all("USER")
    assert user.partition(":")[0].isdigit()
    assert user != "0:0"
    for name in "XDG_CACHE_HOME", "NUMBA_CPU_NAME":
        assert FINAL.variables()[name] == BUILD.variables()[name]


@pytest.fixture(scope="module")
def layer(tmp_path_factory):
    """Follow the Dockerfile and return the layer of its last stage."""
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
def test_image_serves_and_solves_on_a_read_only_file_system(layer, tmp_path):
    layer.run(["python", "-c", CHECK_COMPILED], **_container_options())
    port, redis_port = str(free_port()), str(free_port())
    check, command = (
        [word.replace("8000", port) for word in FINAL.command(name)]
        for name in ("HEALTHCHECK", "CMD")
    )
    with _started(layer, command, tmp_path / "web.log"):
        healthy = [sys.executable, *check[1:]]
        assert until(lambda: not subprocess.run(healthy, capture_output=True).returncode)
        assert until(lambda: _status(f"http://127.0.0.1:{port}/readyz") == 200)
        solve = f"http://127.0.0.1:{port}/play/{FIFTEEN}/solve"
        assert _status(solve, b"algorithm=idastar&heuristic=pdb") == 200
    redis = [program("redis-server"), "--port", redis_port, "--bind", "127.0.0.1", "--save", ""]
    log = tmp_path / "worker.log"
    with subprocess.Popen(redis, cwd=tmp_path, stdout=subprocess.DEVNULL) as server:
        try:
            assert until(lambda: _listens(redis_port))
            url = f"redis://127.0.0.1:{redis_port}/0"
            with _started(layer, ["worker"], log, SLIDEWISE_REDIS=url) as worker:
                assert until(lambda: "at a time" in log.read_text() or worker.poll() is not None)
        finally:
            server.terminate()


def _container_options(**settings):
    """Return the user and the variables of a container."""
    (user,) = FINAL.all("USER")
    key = {"SLIDEWISE_SECRET_KEY": "for tests only" * 3}
    return {"variables": {**FINAL.variables(), **key, **settings}, "user": user}


@contextlib.contextmanager
def _started(layer, command, log, **settings):
    """Run a command of the image. It must exit well and log no error."""
    command = [*FINAL.command("ENTRYPOINT"), *command]
    with log.open("wb") as output:
        process = layer.start(
            command, stdout=output, stderr=output, **_container_options(**settings)
        )
    try:
        yield process
    finally:
        process.terminate()
        code = process.wait(PATIENCE)
    assert (code, "Traceback" in log.read_text()) == (0, False), log.read_text()


def _listens(port):
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", int(port))).close()
        return True
    return False


def _status(url, body=None):
    """Return the status of an answer, redirects included."""
    try:
        with urllib.request.urlopen(url, body, timeout=PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
