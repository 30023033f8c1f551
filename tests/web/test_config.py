from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest
from flask import Flask

from webapp.config import DEFAULTS, configure, settings

ON = "1", "true", "Yes", "ON"
KEY = "from outside, and long enough" + "!" * 8


@pytest.fixture
def bare(tmp_path):
    """An app that is not configured yet, with a folder of its own for its key."""
    return Flask("bare", instance_path=str(tmp_path / "instance"))


def test_the_defaults(bare):
    configure(bare, {"SECRET_KEY": KEY})
    assert bare.config["SOLVERS"] == (os.cpu_count() or 1)
    assert bare.config["TRUSTED_HOSTS"] is None
    assert bare.config["SESSION_COOKIE_HTTPONLY"]
    assert bare.config["SESSION_COOKIE_SAMESITE"] == "Lax"
    assert not bare.config["SESSION_COOKIE_SECURE"]
    assert not bare.config["SESSION_REFRESH_EACH_REQUEST"]


def test_the_environment_sets_each_of_them_in_the_type_it_has(monkeypatch):
    given = {bool: ("yes", True), int: ("7", 7), str: ("text", "text")}
    for name, default in DEFAULTS.items():
        text, value = given[type(default)]
        monkeypatch.setenv(f"SLIDEWISE_{name}", text)
        assert settings()[name] == value


@pytest.mark.parametrize("text", [*ON, "0", "false", "no", "off", ""])
def test_a_switch_is_on_or_off(monkeypatch, text):
    monkeypatch.setenv("SLIDEWISE_SECURE_COOKIES", text)
    assert settings()["SECURE_COOKIES"] is (text in ON)


@pytest.mark.parametrize("text", ["many", "-1", "2.5", "", "²", "1 000"])
def test_a_number_that_is_none_ends_the_start_and_says_which(monkeypatch, text):
    monkeypatch.setenv("SLIDEWISE_SOLVERS", text)
    with pytest.raises(SystemExit, match="SLIDEWISE_SOLVERS must be a whole number") as error:
        settings()
    assert repr(text) in str(error.value)


def test_what_is_passed_goes_before_the_environment(bare, monkeypatch):
    monkeypatch.setenv("SLIDEWISE_SOLVERS", "7")
    monkeypatch.setenv("SLIDEWISE_MAX_STREAMS", "8")
    configure(bare, {"SECRET_KEY": KEY, "SOLVERS": 3})
    assert (bare.config["SOLVERS"], bare.config["MAX_STREAMS"]) == (3, 8)


@pytest.mark.parametrize(
    ("given", "nodes", "used"), [(0, 400, 1600), (0, 2000, 3200), (1000, 400, 1000)]
)
def test_a_worker_has_room_for_its_search_and_what_is_beside_that(bare, given, nodes, used):
    configure(bare, {"SECRET_KEY": KEY, "WORKER_MEGABYTES": given, "SOLVE_MEGABYTES": nodes})
    assert bare.config["WORKER_MEGABYTES"] == used


def test_a_worker_without_room_for_its_search_is_refused(bare):
    with pytest.raises(SystemExit, match="WORKER_MEGABYTES is 999 and needs 1000: SLIDEWISE_SOLVE"):
        configure(bare, {"SECRET_KEY": KEY, "WORKER_MEGABYTES": 999, "SOLVE_MEGABYTES": 400})


def test_hosts_are_separated_by_commas(bare):
    configure(bare, {"SECRET_KEY": KEY, "HOSTS": "slidewise.example, .example.org"})
    assert bare.config["TRUSTED_HOSTS"] == ["slidewise.example", ".example.org"]


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("LOG", "yes", "SLIDEWISE_LOG must be off, text or json, got 'yes'"),
        ("LOG", "", "SLIDEWISE_LOG must be off, text or json"),
        ("CONTACT", "me", "SLIDEWISE_CONTACT must be an address for mail"),
        ("CONTACT", "javascript://x/%0Aalert(1)", "SLIDEWISE_CONTACT must be an address"),
        ("CONTACT", "a@b?bcc=c@d", "SLIDEWISE_CONTACT must be an address"),
        ("CONTACT", 'https://x.example/"onclick="', "SLIDEWISE_CONTACT must be an address"),
    ],
)
def test_a_log_or_a_contact_that_is_none_ends_the_start(bare, monkeypatch, setting, value, said):
    monkeypatch.setenv(f"SLIDEWISE_{setting}", value)
    with pytest.raises(SystemExit, match=said):
        configure(bare, {"SECRET_KEY": KEY})


@pytest.mark.parametrize(
    "contact", ["games@example.org", "https://example.org", "http://[::1]:8/a"]
)
def test_a_contact_is_an_address_for_mail_or_of_a_page(bare, contact):
    configure(bare, {"SECRET_KEY": KEY, "CONTACT": contact})
    assert bare.config["CONTACT"] == contact


def test_the_key_comes_from_the_environment(bare, monkeypatch):
    monkeypatch.setenv("SLIDEWISE_SECRET_KEY", KEY)
    configure(bare, {})
    assert bare.config["SECRET_KEY"] == KEY
    assert not Path(bare.instance_path).exists()


@pytest.mark.parametrize("key", ["short", "x" * 31])
def test_a_key_that_could_be_guessed_is_refused_with_the_command_that_makes_one(
    bare, monkeypatch, key
):
    monkeypatch.setenv("SLIDEWISE_SECRET_KEY", key)
    with pytest.raises(SystemExit, match=f"has {len(key)} characters and needs 32") as error:
        configure(bare, {})
    assert "secrets.token_hex(32)" in str(error.value)
    assert key not in str(error.value).split()


def test_older_keys_are_separated_by_commas(bare, monkeypatch):
    monkeypatch.setenv("SLIDEWISE_SECRET_KEY_FALLBACKS", "old, short")
    configure(bare, {"SECRET_KEY": KEY})
    assert bare.config["SECRET_KEY_FALLBACKS"] == ["old", "short"]


def test_without_one_it_is_made_once_and_only_the_owner_can_read_it(bare, tmp_path):
    configure(bare, {})
    key = bare.config["SECRET_KEY"]
    path = tmp_path / "instance" / "secret_key"
    assert path.read_text() == key
    assert len(key) == 64
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]

    again = Flask("bare", instance_path=bare.instance_path)
    configure(again, {})
    assert again.config["SECRET_KEY"] == key


def test_first_starts_at_the_same_time_agree_on_one_key(tmp_path):
    apps = [Flask("bare", instance_path=str(tmp_path)) for _ in range(8)]
    together = threading.Barrier(len(apps))

    def start(app):
        together.wait()
        configure(app, {})

    threads = [threading.Thread(target=start, args=(app,)) for app in apps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({app.config["SECRET_KEY"] for app in apps}) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]


def test_where_no_key_can_be_kept_it_is_said_and_the_app_runs_all_the_same(tmp_path, caplog):
    (tmp_path / "instance").write_text("a file where a folder would have to be")
    keys = set()
    for _ in range(2):
        app = Flask("bare", instance_path=str(tmp_path / "instance"))
        configure(app, {})
        keys.add(app.config["SECRET_KEY"])
    assert len(keys) == 2
    assert "SLIDEWISE_SECRET_KEY" in caplog.text
    assert not keys & set(caplog.text.split())
