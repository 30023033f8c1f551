"""`make release`: build and check the files for package indexes. Nothing is uploaded.

The wheel is built from the sdist, which proves the sdist complete. Both are checked like an index
does. Each Python of this machine installs the wheel into new environments, plain and with the site,
and solves and serves. Then some tests of the unpacked sdist run.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from slidewise.component import component
from tests.browser.server import free_port

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
MINORS = range(11, 20)
PUZZLE, MOVES = "1.2.3-4.5.6-0.7.8", 2
PATIENCE = 120

TESTS = (
    *("tests/puzzle", "tests/cli/test_solve.py", "tests/web/play/test_game.py"),
    *("tests/test_imports.py", "tests/docs/test_docs.py", "tests/release/test_wheel.py"),
)
"""Tests of the sdist, some minutes: each layer once, and tests that read documents or build a
wheel. The latter fail if a file is missing. `make test` in the unpacked sdist runs all."""


def main() -> None:
    """Build, check, install and try the files; raise `SystemExit` at the first failure."""
    with tempfile.TemporaryDirectory(prefix="slidewise-release-") as temporary:
        folder = Path(temporary)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")  # each Python compiles searches
        sdist, source = build_sdist(folder)
        wheel = build_wheel(source)
        check(sdist, wheel)
        step("npm package")
        package = npm_package(DIST)
        for python in pythons():
            try_plain(python, wheel, folder / f"{python.name}-plain")
            try_site(python, wheel, folder / f"{python.name}-web")
        step("tests of the sdist", TESTS)
        run(sys.executable, "-m", "pytest", "-q", "-m", "not browser", *TESTS, cwd=source)
    left_to_type(sdist, wheel, package)


def build_sdist(folder: Path) -> tuple[Path, Path]:
    """Build the sdist; return it and its unpacked folder."""
    step("sdist")
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", DIST)
    (sdist,) = DIST.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return sdist, folder / sdist.name.removesuffix(".tar.gz")


def build_wheel(source: Path) -> Path:
    """Build the wheel from the unpacked sdist."""
    step("wheel")
    command = sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", DIST
    run(*command, cwd=source)
    (wheel,) = DIST.glob("*.whl")
    return wheel


def npm_package(folder: Path) -> Path:
    """Write the npm package of the web component into `folder`; return its own folder."""
    package = shutil.copytree(ROOT / "static" / "slide-wise", folder / "slide-wise")
    (package / "slide-wise.js").write_text(component(), encoding="ascii")
    return package


def check(sdist: Path, wheel: Path) -> None:
    """Check both files as a package index does."""
    step("twine check, check-wheel-contents")
    run(sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
    run(sys.executable, "-m", "check_wheel_contents", "--toplevel", "slidewise", wheel)


def pythons() -> Iterator[Path]:
    """Yield a program for each supported Python on this machine, oldest first."""
    for minor in MINORS:
        name = f"python3.{minor}"
        places = [shutil.which(name), *Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/{name}")]
        for place in filter(None, places):
            found = subprocess.run([place, "-c", "0"], capture_output=True, check=False)
            if found.returncode == 0:  # a shim may lead nowhere
                yield Path(place)
                break


def try_plain(python: Path, wheel: Path, environment: Path) -> None:
    """Install the library alone; it must solve, and name the site's missing packages."""
    program = install(python, environment, str(wheel))
    run(program, "solve", PUZZLE, "--algorithm", "astar", "--json")  # compiled by numba
    refused = subprocess.run([program, "serve"], capture_output=True, text=True, check=False)
    if refused.returncode != 2 or 'pip install "slidewise[web]"' not in refused.stderr:
        raise SystemExit(f"serve without the site's packages: {refused}")


def try_site(python: Path, wheel: Path, environment: Path) -> None:
    """Install the site; it must serve a page and solve."""
    program = install(python, environment, f"{wheel}[web]")
    port = free_port()
    settings = {**os.environ, "SLIDEWISE_STATE": str(environment / "state")}
    with subprocess.Popen([program, "serve", "--port", str(port)], env=settings) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/healthz", server)
            with urllib.request.urlopen(f"{address}/play/{PUZZLE}", timeout=PATIENCE) as page:
                print("page:", page.status, flush=True)
            body = json.dumps({"puzzle": PUZZLE}).encode()  # needs no compilation
            solve = urllib.request.Request(
                f"{address}/api/v1/solve", body, {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(solve, timeout=PATIENCE) as answer:
                length = json.load(answer)["length"]
            if length != MOVES:
                raise SystemExit(f"solved by HTTP in {length} moves instead of {MOVES}")
        finally:
            server.terminate()


def install(python: Path, environment: Path, what: str) -> Path:
    """Install a wheel into a new environment; return its program `slidewise`."""
    step(f"{python.name}: {what.removeprefix(f'{DIST}/')}")
    run("uv", "venv", "--quiet", "--python", python, environment)
    run("uv", "pip", "install", "--quiet", "--python", environment, what)
    return environment / "bin" / "slidewise"


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{address} does not answer")


def step(*words: object) -> None:
    """Print a step's title."""
    print("==", *words, flush=True)


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command; a failure ends the release."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, check=False)
    if done.returncode:
        raise SystemExit(f"failed: {' '.join(map(str, command))}")


def left_to_type(sdist: Path, wheel: Path, package: Path) -> None:
    """Print the owner's next steps."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        repository = tomllib.load(file)["tool"]["slidewise"]["repository"]
    step("all is well; nothing was uploaded")
    if not repository:
        print(
            "The project has no address: set `repository` in [tool.slidewise] of pyproject.toml "
            "and run `make release` again. Until then the index shows no links and no pictures."
        )
    files = " ".join(str(path.relative_to(ROOT)) for path in (sdist, wheel))
    print("What is left to type, with a token of each package index:\n")
    print(f"    .venv/bin/twine upload {files}")
    print(f"    npm publish {package.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
