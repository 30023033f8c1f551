"""The compose file, parsed here. Docker also checks it if `docker compose` is installed."""

import re
import shutil
import subprocess

import pytest
import yaml

from tests.deploy.site import DEPLOY
from tests.system_programs import NOT_RUN
from webapp.config import read

COMPOSE = DEPLOY / "compose.yaml"
COMPOSE_CONFIG = yaml.safe_load(COMPOSE.read_text())
SERVICES = COMPOSE_CONFIG["services"]
APP_SERVICES = "web1", "web2", "worker"


def settings(text):
    """Return the variables that a settings file sets."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def test_docker_accepts_the_compose_file(tmp_path):
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


def test_only_nginx_publishes_a_port():
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"nginx"}
    assert COMPOSE_CONFIG["networks"]["inside"]["internal"]
    assert all(SERVICES[name]["networks"] == ["inside"] for name in (*APP_SERVICES, "redis"))


def test_containers_are_read_only_with_a_memory_limit():
    for name, service in SERVICES.items():
        assert service["read_only"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
    for name in APP_SERVICES:
        assert SERVICES[name]["cap_drop"] == ["ALL"]


def test_only_the_folder_of_daily_results_is_written():
    state = SERVICES["web1"]["environment"]["SLIDEWISE_STATE"]
    written = f"{state}:{state}"
    assert [SERVICES[name]["volumes"] for name in APP_SERVICES[:2]] == [[written], [written]]
    mounted = [volume for service in SERVICES.values() for volume in service.get("volumes", ())]
    mounted = [volume for volume in mounted if volume != written]
    assert mounted
    assert all(volume.startswith(("/", "./")) and volume.endswith(":ro") for volume in mounted)
    assert "volumes" not in COMPOSE_CONFIG
    for volume in mounted:
        if volume.startswith("./"):
            assert (DEPLOY / volume.split(":")[0]).is_file()


def test_redis_has_a_limit_and_evicts_only_expiring_keys():
    options = " ".join(SERVICES["redis"]["command"])
    assert re.search(r"--maxmemory \d+mb", options)
    assert "--maxmemory-policy volatile-lru" in options
    assert "--save  --appendonly no" in options


def test_nginx_names_the_web_processes_and_their_port():
    (port,) = re.findall(r"^EXPOSE (\d+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    named = re.findall(
        r"^    server (\S+) resolve", (DEPLOY / "upstream-compose.conf").read_text(), re.M
    )
    assert named == [f"{name}:{port}" for name in APP_SERVICES[:2]]
    assert SERVICES["nginx"]["depends_on"] == list(APP_SERVICES[:2])


def test_settings_exist_in_the_app():
    for name in APP_SERVICES:
        given = settings((DEPLOY / "slidewise.env").read_text())
        found, wrong = read({**given, **SERVICES[name]["environment"]})
        assert wrong == []
        assert found["SECURE_COOKIES"]
        assert found["PROXIES"] == 1
        assert found["DRAIN_SECONDS"] >= found["SOLVE_SECONDS"]
        assert SERVICES[name]["stop_grace_period"] == f"{found['DRAIN_SECONDS'] + 15}s"
    (secret,) = SERVICES["web1"]["secrets"]
    assert found["SECRET_KEY_FILE"] == f"/run/secrets/{secret}"
    assert COMPOSE_CONFIG["secrets"][secret]["file"] == "/etc/slidewise/secret_key"
