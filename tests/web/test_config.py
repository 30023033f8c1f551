import errno
import os
import re
import stat
import threading
from pathlib import Path

import pytest
from flask import Flask

from tests.each import each
from webapp.config import DEFAULTS, ELSEWHERE, RANGES, configure, read, settings

ON = "1", "true", "Yes", "ON"
ADDRESSES = {
    "CORS": "*",
    "CONTACT": "a@b",
    "REDIS": "rediss://:secret@redis.example:6380/2?ssl_cert_reqs=none",
}
ROOT = Path(__file__).parents[2]
CODE = "slidewise", "webapp", "tests", "benchmarks"
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
        text, value = (ADDRESSES[name],) * 2 if name in ADDRESSES else given[type(default)]
        monkeypatch.setenv(f"SLIDEWISE_{name}", text)
        assert settings()[name] == value


@each("text", [*ON, "0", "false", "No", "off"])
def test_a_switch_is_on_or_off(monkeypatch, text):
    monkeypatch.setenv("SLIDEWISE_SECURE_COOKIES", text)
    assert settings()["SECURE_COOKIES"] is (text in ON)


def test_one_that_is_empty_is_as_if_it_were_not_set():
    assert read({f"SLIDEWISE_{name}": "" for name in DEFAULTS}) == (DEFAULTS, [])


@pytest.mark.parametrize("text", ["many", "-1", "2.5", "²", "1 000", "1001", "9" * 50])
def test_a_number_that_is_none_ends_the_start_and_says_which(monkeypatch, text):
    monkeypatch.setenv("SLIDEWISE_SOLVERS", text)
    must = "SLIDEWISE_SOLVERS must be a whole number from 0 to 1,000, got "
    with pytest.raises(SystemExit, match=must) as error:
        settings()
    assert repr(text) in str(error.value)


@pytest.mark.parametrize(
    ("name", "text", "must"),
    [
        ("SECURE_COOKIES", "maybe", "yes or no"),
        ("HOSTS", "https://slidewise.example", "names of hosts with commas between"),
        ("HOSTS", "slidewise.example/play", "names of hosts with commas between"),
        ("REDIS", "localhost:6379", "an address such as redis://"),
    ],
)
def test_what_is_no_switch_or_no_host_is_refused(monkeypatch, name, text, must):
    monkeypatch.setenv(f"SLIDEWISE_{name}", text)
    with pytest.raises(SystemExit, match=f"SLIDEWISE_{name} must be {must}.*, got '"):
        settings()


def test_a_password_is_not_repeated():
    _, (wrong,) = read({"SLIDEWISE_REDIS": "http://web:secret@redis.example"})
    assert wrong.endswith("got 'http://web:...@redis.example'")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("SOLVER", "SOLVERS"), ("MEGABYTES", "SOLVE_MEGABYTES"), ("STREAMS", "MAX_STREAMS")],
)
def test_a_name_that_nothing_reads_is_refused_with_the_nearest(name, nearest):
    _, wrong = read({f"SLIDEWISE_{name}": "a value that is not repeated"})
    told = f"SLIDEWISE_{name} is not a setting; the nearest is SLIDEWISE_{nearest}"
    assert wrong == [f"{told}, so correct or remove it"]


def test_everything_that_is_wrong_is_told_at_once(bare, monkeypatch):
    monkeypatch.setenv("SLIDEWISE_PROXYS", "1")
    monkeypatch.setenv("SLIDEWISE_SOLVERS", "many")
    monkeypatch.setenv("SLIDEWISE_SECRET_KEY", "short")
    monkeypatch.setenv("SLIDEWISE_WORKER_MEGABYTES", "1")
    with pytest.raises(SystemExit) as error:
        configure(bare, {})
    first, *lines = str(error.value).splitlines()
    assert first == "4 settings are wrong:"
    assert [line.split()[0].removeprefix("SLIDEWISE_") for line in lines] == [
        *("PROXYS", "SOLVERS", "SECRET_KEY", "WORKER_MEGABYTES")
    ]
    assert not Path(bare.instance_path).exists()


def test_what_others_read_is_no_misspelling():
    kubernetes = {
        "SLIDEWISE_SERVICE_HOST": "10.0.0.1",
        "SLIDEWISE_SERVICE_PORT_HTTP": "80",
        "SLIDEWISE_PORT": "tcp://10.0.0.1:80",
        "SLIDEWISE_REDIS_PORT_6379_TCP_ADDR": "10.0.0.2",
    }
    tests = {f"SLIDEWISE_{name}": "1" for name in ELSEWHERE}
    assert read(kubernetes | tests | {"SLIDEWISES": "1", "HOME": "/"}) == (DEFAULTS, [])
    _, wrong = read({"SLIDEWISE_PORT": "9000"})
    assert len(wrong) == 1


def test_every_number_has_a_range_with_its_default_in_it():
    numbers = {name: default for name, default in DEFAULTS.items() if type(default) is int}
    assert set(RANGES) == set(numbers)
    assert all(least <= numbers[name] <= most for name, (least, most) in RANGES.items())


def test_no_variable_is_read_that_is_not_known():
    files = [ROOT / "Makefile", *(file for part in CODE for file in (ROOT / part).rglob("*.py"))]
    named = {
        name
        for file in files
        if file != Path(__file__)
        for name in re.findall(r"\bSLIDEWISE_([A-Z_]+)\b", file.read_text(encoding="utf-8"))
    }
    assert named <= set(DEFAULTS) | ELSEWHERE


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
    with pytest.raises(SystemExit, match="WORKER_MEGABYTES is 999 and must be 1000 or more"):
        configure(bare, {"SECRET_KEY": KEY, "WORKER_MEGABYTES": 999, "SOLVE_MEGABYTES": 400})


def test_hosts_are_separated_by_commas(bare):
    configure(bare, {"SECRET_KEY": KEY, "HOSTS": "slidewise.example, .example.org"})
    assert bare.config["TRUSTED_HOSTS"] == ["slidewise.example", ".example.org"]


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("LOG", "yes", "SLIDEWISE_LOG must be off, text or json, got 'yes'"),
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


@pytest.fixture
def key_file(tmp_path, monkeypatch):
    """A file with keys, as a container or a service manager hands one to its service."""
    path = tmp_path / "key"
    monkeypatch.setenv("SLIDEWISE_SECRET_KEY_FILE", str(path))
    return path


def test_the_keys_come_from_a_file_whose_first_line_signs(bare, key_file):
    key_file.write_text(f"  {KEY}\n\n{KEY[::-1]}\nold\n")
    configure(bare, {"SECRET_KEY_FALLBACKS": "older"})
    assert bare.config["SECRET_KEY"] == KEY
    assert bare.config["SECRET_KEY_FALLBACKS"] == [KEY[::-1], "old", "older"]
    assert not Path(bare.instance_path).exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff\xfe" * 32, "cannot be read: it is not text"),
        (b"short", "has 5 characters and needs 32"),
        (b"\n", "has 0 characters and needs 32"),
    ],
)
def test_a_file_without_a_good_key_ends_the_start(bare, key_file, content, why):
    if content is not None:
        key_file.write_bytes(content)
    with pytest.raises(SystemExit, match=why) as error:
        configure(bare, {})
    assert "SLIDEWISE_SECRET_KEY_FILE" in str(error.value)
    assert str(key_file) in str(error.value)


def test_a_key_and_a_file_are_one_too_many(bare, key_file, monkeypatch):
    key_file.write_text(KEY)
    monkeypatch.setenv("SLIDEWISE_SECRET_KEY", KEY)
    with pytest.raises(SystemExit, match="are both set; set one"):
        configure(bare, {})


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


def test_the_key_is_kept_in_the_folder_that_was_named(bare, tmp_path, monkeypatch):
    monkeypatch.setenv("SLIDEWISE_STATE", str(tmp_path / "state"))
    configure(bare, {})
    assert (tmp_path / "state" / "secret_key").read_text() == bare.config["SECRET_KEY"]
    assert not Path(bare.instance_path).exists()


def test_where_the_folder_that_was_named_cannot_be_written_that_ends_the_start(bare, tmp_path):
    (tmp_path / "state").write_text("a file where a folder would have to be")
    with pytest.raises(SystemExit, match=r"SLIDEWISE_STATE: a key cannot be kept in .*secret_key"):
        configure(bare, {"STATE": str(tmp_path / "state")})


def test_a_kept_key_is_read_also_where_nothing_can_be_written(bare, tmp_path, monkeypatch):
    (tmp_path / "secret_key").write_text(KEY)
    monkeypatch.setattr(Path, "touch", _refused)
    configure(bare, {"STATE": str(tmp_path)})
    assert bare.config["SECRET_KEY"] == KEY


def test_a_kept_key_that_was_cut_short_is_no_key(bare, tmp_path):
    (tmp_path / "secret_key").write_text("")
    with pytest.raises(SystemExit, match="secret_key has 0 characters and needs 32"):
        configure(bare, {"STATE": str(tmp_path)})


def _refused(*args, **kwargs):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))
