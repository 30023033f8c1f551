import errno
import os
import re
import stat
import threading
from pathlib import Path

import pytest
from flask import Flask

from webapp import config
from webapp.config import DEFAULTS, ELSEWHERE, RANGES, configure, read, settings

ON = "1", "true", "Yes", "ON"
OFF = "0", "false", "No", "off"
TYPED = {bool: ("yes", True), int: ("7", 7), str: ("text", "text")}
ADDRESSES = {
    "EMBED": "https://course.example.org",
    "CORS": "*",
    "CONTACT": "a@b",
    "REDIS": "rediss://:secret@redis.example:6380/2?ssl_cert_reqs=none",
}
ROOT = Path(__file__).parents[3]
CODE = "slidewise", "webapp", "tests", "benchmarks"
KEY = "from outside, and long enough" + "!" * 8
OLD, OLDER = KEY.replace(",", " once").upper(), KEY[::-1].replace(",", "")


@pytest.fixture
def instance(tmp_path):
    """Return the folder of the stored key if no other is configured."""
    return tmp_path / "instance"


@pytest.fixture
def configured(instance, monkeypatch):
    """Return a function that returns the configuration of an app in an environment."""

    def run(environment, **overrides):
        for name, text in environment.items():
            monkeypatch.setenv(f"SLIDEWISE_{name}", text)
        app = Flask("bare", instance_path=str(instance))
        configure(app, overrides)
        return app.config

    return run


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (
            {},
            {
                "SOLVERS": os.cpu_count() or 1,
                "TRUSTED_HOSTS": None,
                "SESSION_COOKIE_HTTPONLY": True,
                "SESSION_COOKIE_SAMESITE": "Lax",
                "SESSION_COOKIE_SECURE": False,
                "SESSION_REFRESH_EACH_REQUEST": False,
                "SECRET_KEY": KEY,
            },
        ),
        *(({"SECURE_COOKIES": text}, {"SESSION_COOKIE_SECURE": True}) for text in ON),
        *(({"SECURE_COOKIES": text}, {"SESSION_COOKIE_SECURE": False}) for text in OFF),
        *(
            ({"SOLVE_MEGABYTES": nodes, "WORKER_MEGABYTES": given}, {"WORKER_MEGABYTES": used})
            for nodes, given, used in (
                ("400", "", 1600),
                ("2000", "0", 3200),
                ("400", "1000", 1000),
            )
        ),
        (
            {"HOSTS": "slidewise.example, .example.org"},
            {"TRUSTED_HOSTS": ["slidewise.example", ".example.org"]},
        ),
        *(
            ({"CONTACT": contact}, {"CONTACT": contact})
            for contact in ("games@example.org", "https://example.org", "http://[::1]:8/a")
        ),
        (
            {"SECRET_KEY_FALLBACKS": f"{OLD}, {OLDER}"},
            {"SECRET_KEY_FALLBACKS": [OLD, OLDER]},
        ),
    ],
    ids=str,
)
def test_environment_is_read(configured, instance, environment, expected):
    config = configured({"SECRET_KEY": KEY, **environment})
    assert {name: config[name] for name in expected} == expected
    assert not instance.exists(), "no key is stored beside the one that was set"


HOSTS = "HOSTS must be host names separated by commas"
CONTACT = "CONTACT must be an address for mail"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        *(
            ({"SOLVERS": text}, f"SOLVERS must be a whole number from 0 to 1,000, got {text!r}")
            for text in ("many", "-1", "2.5", "²", "1 000", "1001", "9" * 50)
        ),
        ({"SECURE_COOKIES": "maybe"}, "SECURE_COOKIES must be yes or no, got 'maybe'"),
        ({"HOSTS": "https://slidewise.example"}, HOSTS),
        ({"HOSTS": "slidewise.example/play"}, HOSTS),
        ({"REDIS": "localhost:6379"}, "REDIS must be an address such as redis://"),
        ({"REDIS": "http://web:secret@redis.example"}, "got 'http://web:...@redis.example'"),
        ({"LOG": "yes"}, "LOG must be off, text or json, got 'yes'"),
        *(
            ({"CONTACT": text}, CONTACT)
            for text in ("me", "javascript://x/%0Aalert(1)", "a@b?bcc=c@d", 'https://x/"onclick="')
        ),
        ({"WORKER_MEGABYTES": "999"}, "WORKER_MEGABYTES is 999 and must be 1000 or more"),
        *(
            ({"SECRET_KEY": key}, f"has {len(key)} characters and needs 32")
            for key in ("k", KEY[:31])
        ),
        ({"SECRET_KEY": "short"}, "secrets.token_hex(32)"),
        ({"SECRET_KEY": "ab" * 32}, "SECRET_KEY has 2 different characters and needs 8"),
        ({"SECRET_KEY": f"{KEY}\a"}, "SECRET_KEY has characters that cannot be printed"),
        ({"SECRET_KEY_FALLBACKS": f"{OLD},{'0' * 32}"}, "key 2 has 1 different characters"),
        ({"SECRET_KEY_FALLBACKS": "old"}, "FALLBACKS: key 1 has 3 characters and needs 32"),
        ({"SECRET_KEY_FILE": "/keys"}, "SLIDEWISE_SECRET_KEY_FILE are both set; set one"),
        *(
            ({name: "private"}, f"{name} is not a setting; the nearest is SLIDEWISE_{nearest}, so")
            for name, nearest in (
                ("SOLVER", "SOLVERS"),
                ("MEGABYTES", "SOLVE_MEGABYTES"),
                ("STREAMS", "MAX_STREAMS"),
            )
        ),
    ],
    ids=str,
)
def test_wrong_setting_ends_the_start(configured, environment, sentence):
    with pytest.raises(SystemExit) as error:
        configured({"SECRET_KEY": KEY, **environment})
    assert sentence in str(error.value)
    assert not {"private", environment.get("SECRET_KEY", KEY)} & set(str(error.value).split())


def test_setting_is_read_in_the_type_of_its_default(monkeypatch):
    for name, default in DEFAULTS.items():
        text, value = (ADDRESSES[name],) * 2 if name in ADDRESSES else TYPED[type(default)]
        monkeypatch.setenv(f"SLIDEWISE_{name}", text)
        assert settings()[name] == value


def test_empty_variables_count_as_not_set():
    empty = {f"SLIDEWISE_{name}": "" for name in DEFAULTS}
    assert read(empty) == (DEFAULTS | {"PARTS": ""}, []), "no part is a choice"


def test_all_wrong_settings_are_reported_at_once(configured, instance):
    wrong = {
        "PROXYS": "1",
        "SOLVERS": "many",
        "SECRET_KEY": "short",
        "WORKER_MEGABYTES": "1",
    }
    with pytest.raises(SystemExit) as error:
        configured(wrong)
    first, *lines = str(error.value).splitlines()
    assert first == "4 settings are wrong:"
    assert [line.split()[0].removeprefix("SLIDEWISE_") for line in lines] == list(wrong)
    assert not instance.exists()
    with pytest.raises(SystemExit, match="2 settings are wrong:"):
        settings()


def test_variables_of_other_programs_are_ignored():
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


def test_every_variable_in_the_code_is_known():
    files = [ROOT / "Makefile", *(file for part in CODE for file in (ROOT / part).rglob("*.py"))]
    named = {
        name
        for file in files
        if file != Path(__file__)
        for name in re.findall(r"\bSLIDEWISE_([A-Z_]+)\b", file.read_text(encoding="utf-8"))
    }
    assert named <= set(DEFAULTS) | ELSEWHERE


def test_overrides_go_before_the_environment(configured):
    config = configured({"SOLVERS": "7", "MAX_STREAMS": "8"}, SECRET_KEY=KEY, SOLVERS=3)
    assert (config["SOLVERS"], config["MAX_STREAMS"]) == (3, 8)


# Keys


def test_first_line_of_the_key_file_signs_and_all_are_read(configured, instance, tmp_path):
    (tmp_path / "key").write_text(f"  {KEY}\n\n{KEY[::-1]}\n{OLD}\n")
    environment = {"SECRET_KEY_FILE": str(tmp_path / "key"), "SECRET_KEY_FALLBACKS": OLDER}
    config = configured(environment)
    assert config["SECRET_KEY"] == KEY
    assert config["SECRET_KEY_FALLBACKS"] == [KEY[::-1], OLD, OLDER]
    assert not instance.exists()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"\xff\xfe" * 32, "cannot be read: it is not text"),
        (b"short", "line 1 has 5 characters and needs 32"),
        (f"{KEY}\n".encode() + bytes(64), "line 2 has characters that cannot be printed"),
        (f"{KEY}\nold\n".encode(), "line 2 has 3 characters and needs 32"),
    ],
)
def test_file_without_a_good_key_ends_the_start(configured, tmp_path, content, why):
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SystemExit, match=f"SLIDEWISE_SECRET_KEY_FILE: {file},? {why}"):
        configured({"SECRET_KEY_FILE": str(file)})


def test_key_is_made_once_for_its_owner_alone(configured, instance):
    key = configured({})["SECRET_KEY"]
    path = instance / "secret_key"
    assert path.read_text() == key
    assert len(key) == 64
    assert configured({})["KEY_IS_STORED"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret_key"]
    assert configured({})["SECRET_KEY"] == key


def test_starts_at_the_same_time_agree_on_one_key(tmp_path):
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


def test_key_that_cannot_be_stored_is_a_warning(configured, instance, caplog):
    instance.write_text("a file instead of a folder")
    configs = [configured({}) for _ in range(2)]
    assert not any(config["KEY_IS_STORED"] for config in configs)
    keys = {config["SECRET_KEY"] for config in configs}
    assert len(keys) == 2
    assert "SLIDEWISE_SECRET_KEY" in caplog.text
    assert not keys & set(caplog.text.split())


def test_key_is_stored_in_the_configured_folder(configured, instance, tmp_path):
    key = configured({"STATE": str(tmp_path / "state")})["SECRET_KEY"]
    assert (tmp_path / "state" / "secret_key").read_text() == key
    assert not instance.exists()


def test_stored_key_with_the_end_of_its_line_is_read(configured, tmp_path):
    (tmp_path / "secret_key").write_text(f"{KEY}\n")
    assert configured({}, STATE=str(tmp_path))["SECRET_KEY"] == f"{KEY}\n", (
        "games are signed with it"
    )


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("state", "not a folder", r"SLIDEWISE_STATE: a key cannot be stored in .*secret_key"),
        ("secret_key", "", "secret_key has 0 characters and needs 32. .* remove it"),
        ("secret_key", "\xe9" * 64, "secret_key has 1 different characters"),
    ],
    ids=["no folder", "cut short", "not ASCII"],
)
def test_folder_without_a_good_key_ends_the_start(configured, tmp_path, file, content, why):
    (tmp_path / file).write_text(content)
    folder = tmp_path if file == "secret_key" else tmp_path / file
    with pytest.raises(SystemExit, match=why):
        configured({}, STATE=str(folder))


def test_stored_key_is_read_from_a_read_only_folder(configured, tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    (tmp_path / "secret_key").write_text(KEY)
    monkeypatch.setattr(config, "write_whole", refuse)
    assert configured({}, STATE=str(tmp_path))["SECRET_KEY"] == KEY
