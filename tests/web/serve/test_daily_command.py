"""`slidewise daily`: the results of the daily puzzles move from one store to another."""

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from slidewise.cli import main
from tests.cli.commands import Run
from webapp.play.daily_store import DayResult, RedisStore, SqliteStore, store_of
from webapp.workers.redis.shared import RedisShared, connect

DAY = date(2026, 11, 21)
RESULTS = [DayResult(str(DAY), "3x3", 24, 2), DayResult(str(DAY), "4x4", 70, 1)]
LINES = "".join(f"{one.as_line()}\n" for one in RESULTS)


@pytest.fixture
def daily(capsys, monkeypatch):
    """Return a function that runs the command in this process with settings."""

    def run(*words: str, **settings: str) -> Run:
        with monkeypatch.context() as environment:
            for name, text in settings.items():
                environment.setenv(f"SLIDEWISE_{name}", text)
            code = main(["daily", *words])
        return Run(code, *capsys.readouterr())

    return run


@pytest.fixture
def state(tmp_path):
    """Return a state folder with results."""
    SqliteStore(tmp_path / "state" / "daily.sqlite3", lambda: DAY).merge(RESULTS)
    return str(tmp_path / "state")


def test_results_move_from_the_file_to_redis_and_back(daily, state, tmp_path, redis_url):
    lines = str(tmp_path / "daily.jsonl")
    assert daily("export", STATE=state) == Run(0, LINES, "")
    assert daily("export", lines, STATE=state) == Run(0, "", "")
    for _ in range(2):
        assert daily("import", lines, REDIS=redis_url) == Run(0, "2 results imported\n", "")
    assert daily("export", REDIS=redis_url) == Run(0, LINES, "")
    assert daily("import", lines, STATE=str(tmp_path / "new")).code == 0
    assert daily("export", STATE=str(tmp_path / "new")).out == LINES


def test_results_are_in_the_state_folder_with_redis_too(state, tmp_path, redis_url):
    """Redis loses its data when it restarts, as `deploy/` configures it."""
    config = {"REDIS": redis_url, "STATE": state, "STATE_FOLDER": tmp_path / "state"}
    shared = RedisShared(connect(redis_url))
    for _ in range(2):  # two web processes
        store_of(config, shared, lambda: DAY).count(DAY, "3x3", 24, "ann", "home")
    shared.attempt(lambda redis: redis.flushall())
    assert store_of(config, shared, lambda: DAY).counts(DAY, "3x3") == {24: 3}
    assert type(store_of({**config, "STATE": ""}, shared, lambda: DAY)) is RedisStore


def test_line_that_cannot_be_read_imports_nothing(daily, tmp_path):
    (tmp_path / "lines").write_text(f"{LINES}\nnot JSON\n")
    done = daily("import", str(tmp_path / "lines"), STATE=str(tmp_path / "state"))
    assert done.code == 2
    assert "error: line 4 is not a result: Expecting value" in done.err
    assert not (tmp_path / "state").exists()


def test_missing_places_exit_with_2(daily, tmp_path):
    none = str(tmp_path / "none")
    assert f"cannot import {none}: No such file" in daily("import", none, STATE=none).err
    assert daily("export", STATE=none) == Run(0, "", ""), "nobody has played yet"
    done = daily("export", REDIS=f"unix://{none}")
    assert (done.code, "Redis does not answer" in done.err) == (2, True)
    assert "SLIDEWISE_REDIS must be" in daily("export", REDIS="none").err


def test_file_of_a_newer_version_is_reported(daily, state, tmp_path):
    with closing(sqlite3.connect(tmp_path / "state" / "daily.sqlite3")) as file:
        file.execute("PRAGMA user_version = 9")
    done = daily("export", STATE=state)
    assert (done.code, "a newer version of Slidewise wrote it" in done.err) == (2, True)
