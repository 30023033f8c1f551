"""The commands of `docs/deploying.md`, as far as they can run on any machine."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy import site
from tests.deploy.site import DEPLOY, HOST
from tests.deploy.test_compose import settings
from tests.system_programs import program
from webapp.config import read

ROOT = DEPLOY.parent
TEXT = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")

COMMANDS = re.findall(r"^ {4,}(?=\S)(.*)", TEXT.replace("\\\n", ""), re.MULTILINE)
WRITING_COMMANDS = [
    command for command in COMMANDS if command.startswith("sed ") and " > " in command
]
"""Commands that write a file from one of the project's."""
CHANGING_COMMANDS = [command.split() for command in COMMANDS if command.startswith("sed -i ")]
"""Commands that change a written file."""


def test_files_and_units_named_by_the_page_exist():
    named = {path.rstrip(".") for path in re.findall(r"\bdeploy/[\w./-]*", TEXT)}
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []
    units = set(re.findall(r"systemctl .* (slidewise-\w+@?)", TEXT))
    assert units
    assert [unit for unit in units if not (DEPLOY / "systemd" / f"{unit}.service").exists()] == []


def test_new_version_is_synced_before_a_link_leads_there():
    script = (DEPLOY / "install.sh").read_text()
    assert 0 < script.index("$pip install") < script.index("\nsync\n") < script.index("\nln ")


@pytest.mark.parametrize("command", WRITING_COMMANDS, ids=range(len(WRITING_COMMANDS)))
def test_written_configuration_is_readable(command, tmp_path):
    command, target = command.split(" > ")
    environment = {**os.environ, "name": HOST}
    text = subprocess.check_output(["sh", "-c", command], cwd=ROOT, env=environment, text=True)
    assert "slidewise.example" not in text
    if target.endswith(".env"):
        found, wrong = read(settings(text))
        assert (found["HOSTS"], wrong) == (HOST, [])
    else:
        _nginx_reads(text.replace("/dev/std", "/var/log/nginx/std"), tmp_path)


def test_settings_for_more_processes_fit(tmp_path):
    written = {"slidewise.env": "slidewise.env", "slidewise-upstream.conf": "upstream.conf"}
    for *sed, target in CHANGING_COMMANDS:
        copy = tmp_path / Path(target).name
        shutil.copy(DEPLOY / written[copy.name], copy)
        subprocess.run(["sh", "-c", f"{' '.join(sed)} {copy}"], check=True)
    found, wrong = read(settings((tmp_path / "slidewise.env").read_text()))
    assert wrong == []
    assert found["REDIS"]
    assert found["DRAIN_SECONDS"]
    servers = re.findall(r"^ +server", (tmp_path / "slidewise-upstream.conf").read_text(), re.M)
    assert len(servers) == 2


def _nginx_reads(text, folder):
    nginx = program("nginx")
    site.make_certificate(folder)
    main = site.write_configuration(text, folder, 443, 80, [8001, 8002])
    tested = subprocess.run([nginx, "-t", "-e", "stderr", "-c", str(main)], capture_output=True)
    assert tested.returncode == 0, tested.stderr.decode()
