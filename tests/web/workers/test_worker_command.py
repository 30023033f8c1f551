"""`slidewise worker`: its output and its errors."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from slidewise import Limits, SearchSpec, parse_puzzle
from slidewise.cli import main
from tests.boards import HARDEST
from tests.web.processes import below, living
from tests.web.streams import until
from webapp.workers.redis.solvers import RedisSolvers

ROOT = Path(__file__).parents[3]


@pytest.fixture
def refused(capsys, monkeypatch):
    """Run the command with bad settings and return stderr."""

    def run(**settings):
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        assert main(["worker"]) == 2
        error = capsys.readouterr()
        assert error.out == ""
        return error.err

    return run


def test_worker_without_redis_names_the_setting(refused):
    assert "SLIDEWISE_REDIS is not set" in refused()


def test_all_bad_settings_are_reported_together(refused):
    error = refused(SLIDEWISE_SOLVERS="many", SLIDEWISE_WORKER_MEGABYTES="1")
    for name in "SLIDEWISE_SOLVERS", "SLIDEWISE_WORKER_MEGABYTES", "SLIDEWISE_REDIS":
        assert name in error


def test_unreachable_redis_is_reported_without_its_password(refused, tmp_path):
    assert f"cannot be reached at unix://{tmp_path}" in refused(
        SLIDEWISE_REDIS=f"unix://{tmp_path}/none"
    )
    error = refused(SLIDEWISE_REDIS="redis://:secret@localhost:1/0")
    assert "cannot be reached at redis://localhost:1/0" in error
    assert "secret" not in error


def test_worker_command_is_ready_runs_and_stops(redis_url):
    settings = {"SLIDEWISE_REDIS": redis_url, "SLIDEWISE_SOLVERS": "1"}
    command = [sys.executable, "-m", "webapp", "worker"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, **settings}
    ) as worker:
        try:
            assert b"Slidewise runs 1 search at a time" in worker.stdout.readline()
            solvers = RedisSolvers(redis_url, 8, 8)
            spec = SearchSpec(parse_puzzle(HARDEST), "astar", limits=Limits(seconds=60))
            *_, last = (event for _, event in solvers.events(solvers.start(spec, "a")) if event)
            assert last.result.length == 31
            everything = below(worker.pid)
            worker.send_signal(signal.SIGINT)
            assert worker.wait() == 0
            assert until(lambda: not everything & set(living())) is True
        finally:
            worker.kill()
