"""The compose file, read; Docker is asked as well, where it has `docker compose`."""

import re
import shutil
import subprocess

import pytest
import yaml

from tests.deploy import image
from tests.deploy.site import DEPLOY
from tests.programs import NOT_RUN
from webapp.config import read

COMPOSE = DEPLOY / "compose.yaml"
PLAN = yaml.safe_load(COMPOSE.read_text())
SERVICES = PLAN["services"]
OURS = "web1", "web2", "worker"


def settings(text):
    """Return the variables that the text of a file sets."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def test_docker_accepts_it(tmp_path):
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True).returncode:
        pytest.skip(f"{NOT_RUN} docker compose: docs.docker.com/compose/install")
    text = (
        COMPOSE.read_text()
        .replace("/etc/slidewise", str(tmp_path))
        .replace(": ..", f": {DEPLOY.parent}")
    )
    (tmp_path / "compose.yaml").write_text(text)
    for name in "slidewise.env", "secret_key":
        (tmp_path / name).touch()
    command = [docker, "compose", "-f", str(tmp_path / "compose.yaml"), "config", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_only_nginx_can_be_reached_from_outside():
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"nginx"}
    assert PLAN["networks"]["inside"]["internal"]
    assert all(SERVICES[name]["networks"] == ["inside"] for name in (*OURS, "redis"))


def test_no_container_can_write_to_what_it_is_made_of_or_take_all_memory():
    for name, service in SERVICES.items():
        assert service["read_only"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
    for name in OURS:
        assert SERVICES[name]["cap_drop"] == ["ALL"]


def test_nothing_is_kept_and_what_is_mounted_can_only_be_read():
    mounted = [volume for service in SERVICES.values() for volume in service.get("volumes", ())]
    assert mounted
    assert all(volume.startswith(("/", "./")) and volume.endswith(":ro") for volume in mounted)
    assert "volumes" not in PLAN
    for volume in mounted:
        if volume.startswith("./"):
            assert (DEPLOY / volume.split(":")[0]).is_file()


def test_redis_has_a_limit_and_drops_only_what_can_be_worked_out_again():
    options = " ".join(SERVICES["redis"]["command"])
    assert re.search(r"--maxmemory \d+mb", options)
    assert "--maxmemory-policy volatile-lru" in options
    assert "--save  --appendonly no" in options


def test_nginx_names_the_web_processes_and_their_port():
    (port,) = image.read()[-1].all("EXPOSE")
    named = re.findall(
        r"^    server (\S+) resolve", (DEPLOY / "upstream-compose.conf").read_text(), re.M
    )
    assert named == [f"{name}:{port}" for name in OURS[:2]]
    assert SERVICES["nginx"]["depends_on"] == list(OURS[:2])


def test_the_settings_are_ones_that_the_app_has():
    for name in OURS:
        given = settings((DEPLOY / "slidewise.env").read_text())
        found, wrong = read({**given, **SERVICES[name]["environment"]})
        assert wrong == []
        assert found["SECURE_COOKIES"]
        assert found["PROXIES"] == 1
        assert found["DRAIN_SECONDS"] >= found["SOLVE_SECONDS"]
        assert SERVICES[name]["stop_grace_period"] == f"{found['DRAIN_SECONDS'] + 15}s"
    (secret,) = SERVICES["web1"]["secrets"]
    assert found["SECRET_KEY_FILE"] == f"/run/secrets/{secret}"
    assert PLAN["secrets"][secret]["file"] == "/etc/slidewise/secret_key"
