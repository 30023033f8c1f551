"""The units of systemd, tested as far as possible without a running systemd."""

import os
import re
import shlex
import socket
import subprocess

import pytest

from slidewise.cli import main
from tests.deploy.site import DEPLOY
from tests.system_programs import program

UNITS = "slidewise-web@8001.service", "slidewise-worker@a.service", "slidewise-warm.service"

MOST_EXPOSED = "20"
"""The highest exposure that `systemd-analyze security` may report, of 100.

It is 1.3 of 10 today.
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the units, whose program exists on this machine."""
    folder = tmp_path_factory.mktemp("units")
    command = folder / "slidewise"
    command.touch(mode=0o755)
    for path in (DEPLOY / "systemd").rglob("*.*"):
        if path.is_file():
            copy = folder / path.relative_to(DEPLOY / "systemd")
            copy.parent.mkdir(exist_ok=True)
            text = path.read_text()
            copy.write_text(text.replace("/opt/slidewise/current/bin/slidewise", str(command)))
    for unit in UNITS[:2]:
        (folder / unit).symlink_to(re.sub("@.*[.]", "@.", unit))
    return folder


def analyze(folder, *argv):
    """Return the output of systemd-analyze, which must succeed."""
    done = subprocess.run(
        [program("systemd-analyze"), "--no-pager", *argv],
        cwd=folder,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{folder}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_reads_each_unit_without_warnings(folder, unit):
    assert analyze(folder, "verify", "--man=no", f"./{unit}") == ""


@pytest.mark.parametrize("unit", UNITS)
def test_units_have_few_permissions(folder, unit):
    analyze(folder, "security", "--offline=true", f"--threshold={MOST_EXPOSED}", f"./{unit}")


def test_web_process_starts_at_the_port_of_its_name(monkeypatch):
    started = []
    monkeypatch.setattr(
        "webapp.serve.serve", lambda host, port, ready: started.append((host, port))
    )
    assert main(_slidewise_arguments("slidewise-web@.service", instance="8001")) == 0
    assert started == [("127.0.0.1", 8001)]


def test_worker_unit_starts_a_worker(monkeypatch):
    started = []
    monkeypatch.setenv("SLIDEWISE_REDIS", "redis://127.0.0.1:6379/0")
    monkeypatch.setattr("webapp.workers.redis.worker.work", lambda *given: started.append(given[0]))
    assert main(_slidewise_arguments("slidewise-worker@.service")) == 0
    assert started == ["redis://127.0.0.1:6379/0"]


def test_worker_reports_that_it_is_ready(monkeypatch, tmp_path, capsys):
    """systemd then starts the unit, and stops the worker before it no sooner."""
    assert "Type=notify" in (DEPLOY / "systemd" / "slidewise-worker@.service").read_text()
    monkeypatch.setenv("SLIDEWISE_REDIS", "redis://127.0.0.1:6379/0")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setattr("webapp.workers.redis.worker.work", lambda *given: given[-1]())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        assert main(["worker"]) == 0
        assert manager.recv(100) == b"READY=1"


def test_searches_are_compiled_beforehand():
    assert _slidewise_arguments("slidewise-warm.service") == ["warm"]


def test_systemd_waits_until_a_process_has_drained():
    advised = re.search(r"SLIDEWISE_DRAIN_SECONDS=(\d+)", (DEPLOY / "slidewise.env").read_text())
    for unit in "slidewise-web@.service", "slidewise-worker@.service":
        waits = re.search(r"TimeoutStopSec=(\d+)", (DEPLOY / "systemd" / unit).read_text())
        assert int(waits[1]) > int(advised[1]) + 10  # advised by docs/settings.md


def _slidewise_arguments(unit, instance=""):
    """Return the arguments of `slidewise` in a unit."""
    text = (DEPLOY / "systemd" / unit).read_text()
    command, *words = shlex.split(text.partition("ExecStart=")[2].partition("\n")[0])
    assert command == "/opt/slidewise/current/bin/slidewise"
    return [word.replace("%i", instance) for word in words]
