"""Cache directories for rebuildable files, and read-only ones."""

import os
import tempfile
from pathlib import Path

import pytest

from slidewise.solver import cache_dirs

VARIABLE = "NAME_OF_A_FOLDER"


@pytest.fixture
def read_only(tmp_path, monkeypatch):
    """A folder with files that nobody can write, not even root."""
    folder = tmp_path / "image"
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "file").write_text("from the image")
    (folder / "some.lock").write_text("")
    monkeypatch.setattr(cache_dirs, "is_writable", lambda directory: False)
    monkeypatch.setenv(VARIABLE, str(folder))
    return folder


def test_missing_directory_is_created(tmp_path):
    assert cache_dirs.is_writable(tmp_path / "a" / "b")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").write_text("")
    assert not cache_dirs.is_writable(tmp_path / "file")


def test_writable_directory_is_used_directly(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with cache_dirs.writable_dir(VARIABLE, tmp_path):
        assert os.environ[VARIABLE] == str(tmp_path)


def test_read_only_directory_is_linked_from_a_temporary_one(read_only):
    with cache_dirs.writable_dir(VARIABLE, read_only):
        place = Path(os.environ[VARIABLE])
        assert [file.name for file in place.rglob("*")] == ["deeper", "file"]
        file = place / "deeper" / "file"
        assert file.read_text() == "from the image"
        (place / "deeper" / "new").write_text("made anew")
        (place / "deeper" / "new").replace(file)
        assert file.read_text() == "made anew"
    assert not place.exists()
    assert (read_only / "deeper" / "file").read_text() == "from the image"


def test_directory_is_unchanged_without_a_temporary_one(read_only, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(read_only / "missing"))
    with cache_dirs.writable_dir(VARIABLE, read_only):
        assert os.environ[VARIABLE] == str(read_only)


def no_home(*args, **kwargs):
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("user_cache_dir", [no_home, lambda *args, **kwargs: "~/.cache/slidewise"])
def test_no_cache_dir_without_home(monkeypatch, user_cache_dir):
    monkeypatch.setattr(cache_dirs, "user_cache_dir", user_cache_dir)
    assert cache_dirs.user_dir("tables") == cache_dirs.NO_HOME / "tables"
    assert not cache_dirs.is_writable(cache_dirs.user_dir("tables"))


def test_file_that_two_write_at_once_is_whole(tmp_path, monkeypatch):
    file, sync = tmp_path / "file", os.fsync

    def write_another(descriptor):
        monkeypatch.setattr(os, "fsync", sync)
        cache_dirs.write_whole(file, b"another")
        assert file.read_bytes() == b"another"

    monkeypatch.setattr(os, "fsync", write_another)
    cache_dirs.write_whole(file, b"one")
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]
