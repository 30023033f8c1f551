"""The site as plain files, written by the command once for all tests."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

EXERCISES = Path(__file__).parents[2] / "examples" / "exercises"
SECRET = "a secret of the server: " + "y" * 32
CONTACT = "operator@example.org"
DAYS = 1


def written_site(tmp_path_factory) -> Path:
    """Return the folder of a site. The first process of a run writes it for all."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # a worker's folder is inside the folder of the run
        base = base.parent
    course = base / "host" / "course"
    command = [sys.executable, "-m", "slidewise", "static", str(course), "--days", str(DAYS)]
    settings = {"SECRET_KEY": SECRET, "CONTACT": CONTACT, "EXERCISES": str(EXERCISES)}
    environment = {**os.environ, **{f"SLIDEWISE_{name}": text for name, text in settings.items()}}
    with (base / "host.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (course / "index.html").exists():  # the last file
            run = subprocess.run(
                command, check=True, env=environment, capture_output=True, text=True
            )
            files = sum(path.is_file() for path in course.rglob("*"))
            assert run.stdout.startswith(f"{files:,} files in ")
    return course
