"""Foreign images are named once and can be pinned by their digests."""

import os
import re
import shutil
import subprocess

import pytest

from tests.deploy.site import DEPLOY
from tests.deploy.test_compose import SERVICES

FILES = "Dockerfile", "compose.yaml"

FOREIGN = sorted(
    {service["image"] for service in SERVICES.values()} - {SERVICES["web1"]["image"]}
    | set(re.findall(r"^ARG BASE=(.*)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE))
)

DIGEST = f"sha256:{'0123456789abcdef' * 4}"


@pytest.fixture
def pin(tmp_path):
    """Run the script on copies with a fake `docker` that prints a digest. Return its result."""
    for name in (*FILES, "pin-images.sh"):
        shutil.copy(DEPLOY / name, tmp_path)

    def run(digest):
        docker = tmp_path / "docker"
        docker.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/calls\necho Digest: {digest}\n')
        docker.chmod(0o755)
        path = f"{tmp_path}:{os.environ['PATH']}"
        command = ["sh", str(tmp_path / "pin-images.sh")]
        return subprocess.run(
            command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )

    return run


def test_all_foreign_images_are_pinned_by_their_digests(pin, tmp_path):
    assert len(FOREIGN) == 3
    for digest in DIGEST, DIGEST.replace("0", "f"):  # a second run replaces the digests
        assert pin(digest).returncode == 0
        text = "".join((tmp_path / name).read_text() for name in FILES)
        for image in FOREIGN:
            name = image.partition("@")[0]
            assert re.findall(f"{re.escape(name)}.*", text) == [f"{name}@{digest}"]
        assert "image: slidewise\n" in text, "it is built here"
    calls = (tmp_path / "calls").read_text()
    assert all(f" {image.partition('@')[0]}\n" in calls for image in FOREIGN)


def test_missing_digest_leaves_the_files_unchanged(pin, tmp_path):
    done = pin("not found")
    assert done.returncode == 1
    assert "no digest for" in done.stderr
    for name in FILES:
        assert (tmp_path / name).read_text() == (DEPLOY / name).read_text()
