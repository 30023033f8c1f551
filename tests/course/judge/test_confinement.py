"""Programs cannot harm others: their classmates, the judge, the machine."""

import os
import pty
import shutil
import signal
import socket
import subprocess
import sys
import threading

import pytest

from slidewise.course.cli.grading import APART, NOT_APART, OTHER_USERS
from slidewise.course.judge import Rules, confined, confinement, exercises
from slidewise.course.judge.confined import judge_confined
from slidewise.course.judge.confinement import (
    Confinement,
    Isolation,
    ProcessLimits,
    closed_to_programs,
)
from tests.course.judge.classmates import ATTACKS, LEVELS, classroom, isolation, readable_python
from tests.each import some
from tests.web.streams import until

__all__ = ["classroom", "isolation"]

ENDLESS = """
import os
def attack():
    if not os.fork():
        os.execvp("sleep", ["sleep", "1000"])
    while True:
        pass
"""
ZERO = exercises()["find_zero"]
HANGING_SECONDS = 120
"""Seconds after which a command that should end counts as hanging."""


@pytest.mark.parametrize("isolation", some(LEVELS.values(), 0, 1, 3), indirect=True)
def test_hostile_classmates_change_no_other_points(classroom, isolation):
    for number in range(6):
        classroom.add(f"right{number}.py")
    for name, attack in ATTACKS.items():
        if isolation.allows_others or name != "overwrites a classmate":
            classroom.add(f"{name}.py", attack)
    graded = classroom.grade(isolation)
    right = {name: points for name, points in graded.points.items() if name.startswith("right")}
    assert right == {f"right{number}.py": 10 for number in range(6)}
    assert len(graded.points) == len(list(classroom.files.iterdir()))
    assert graded.notes["returns a line of 80 MB.py"] == "stopped: it returns too much"
    assert "forged" not in graded.done.stdout + graded.done.stderr
    words = NOT_APART
    if isolation.allows_others:
        words = APART if isolation.namespaces else OTHER_USERS
    assert words in graded.done.stderr
    assert classroom.processes() == []
    assert list((classroom.folder / "tmp").iterdir()) == []


@pytest.mark.parametrize("isolation", some(LEVELS.values(), 0, 3), indirect=True)
def test_all_files_of_a_program_are_bounded(classroom, isolation):
    write = "open(str(number), 'wb').write(b'x' * 900_000)"
    classroom.add("a.py", f"def attack():\n    for number in range(60): {write}\n    while 1: pass")
    (note,) = classroom.grade(isolation).notes.values()
    assert ("No space left" if isolation.namespaces else "its files are too large") in note


@pytest.mark.parametrize("isolation", some([*LEVELS.values()][:3], 0, 2), indirect=True)
def test_program_cannot_write_to_a_terminal(classroom, isolation):
    """Without isolation nothing prevents it."""
    ours, theirs = pty.openpty()
    classroom.add("a.py", f"def attack(): open({os.ttyname(theirs)!r}, 'w').write('forged')")
    (note,) = classroom.grade(isolation).notes.values()
    os.set_blocking(ours, False)
    with pytest.raises(BlockingIOError):
        os.read(ours, 1)
    assert "Error" in note
    os.close(ours)
    os.close(theirs)


@pytest.fixture
def output(isolation, monkeypatch):
    """Return a function that returns the output of code in a confined process."""
    if isolation.own_uid:
        monkeypatch.setattr(sys, "executable", readable_python())

    def run(code):
        with Confinement(isolation) as room:
            process = room.start([sys.executable, "-c", code], ProcessLimits())
            return process.popen.communicate()[0].decode().split()

    return run


def test_program_can_gain_no_rights(output):
    """It has no capabilities, and those of files that it starts are ignored."""
    code = """
import ctypes
libc, version, capabilities = ctypes.CDLL(None), 0x20080522, (ctypes.c_uint32 * 6)()
libc.capget((ctypes.c_uint32 * 2)(version, 0), capabilities)
print(libc.prctl(39, 0, 0, 0, 0), sum(capabilities))
"""
    assert output(code) == ["1", "0"]


def test_namespaces_have_no_network_and_no_shared_memory(isolation, output):
    libc, bytes_, create, remove = confinement._c(), 4096, 0o1666, 0
    memory = libc.shmget(key := os.getpid(), bytes_, create)
    code = f"""
import ctypes, socket
print(socket.socket().connect_ex(("127.0.0.1", %s)) == 0)
print(ctypes.CDLL(None).shmget({key}, {bytes_}, 0) >= 0)
"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = output(code % server.getsockname()[1])
    libc.shmctl(memory, remove, None)
    assert found == ["False" if isolation.namespaces else "True"] * 2


@pytest.mark.skipif(not confinement.PROC.is_dir(), reason="Linux alone has this")
def test_judge_is_closed_to_programs_while_it_grades():
    def is_open():
        return confinement._c().prctl(3, 0, 0, 0, 0)

    with closed_to_programs():
        assert is_open() == 0
    assert is_open() == 1


KILLED = [(one, n) for one in LEVELS.values() for n in range(3 if one.namespaces else 1)]
"""With namespaces a program has two processes above it; any may be the one that is killed."""


@pytest.mark.parametrize(("isolation", "number"), some(KILLED, 1, 2, 3, 7), indirect=["isolation"])
def test_program_that_was_killed_is_judged_again(classroom, isolation, number):
    count = 3 if isolation.namespaces else 1
    wait = f"import os, time\ndef attack():\n    while not os.path.exists({classroom.go!r}): "
    classroom.add("a.py", f"{wait}time.sleep(0.01)\n")
    process = classroom.start(isolation, "--seconds", "1000")
    assert until(lambda: len(classroom.processes()) == count)
    before = sorted(classroom.processes())
    os.kill(before[number], signal.SIGKILL)
    assert until(lambda: not set(before) & set(classroom.processes()))
    classroom.allow()
    out, _ = process.communicate()
    assert '"points": 10' in out


SIGNALS = [
    (one, number, code)
    for one in LEVELS.values()
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9))
    # Without namespaces the programs of a killed judge go on.
    if one.namespaces or number != signal.SIGKILL
]


@pytest.mark.parametrize(
    ("isolation", "number", "code"), some(SIGNALS, 0, 2, 4, 5, 6, 9), indirect=["isolation"]
)
def test_signal_ends_the_grading_and_all_programs(classroom, isolation, number, code):
    for name in "abc":
        classroom.add(f"{name}.py", ENDLESS)
    process = classroom.start(isolation, "--seconds", "1000")
    assert until(lambda: process.poll() is not None or "sleep" in classroom.commands())
    process.send_signal(number)
    process.communicate(timeout=HANGING_SECONDS)
    assert process.returncode == code
    assert until(lambda: not classroom.processes())
    assert number == signal.SIGKILL or not list((classroom.folder / "tmp").iterdir())


def test_programs_that_nothing_separates_run_one_by_one(isolation):
    with Confinement(isolation, jobs=4) as room:
        assert room.jobs == (4 if isolation.allows_others else 1)


def test_program_that_reads_nothing_ends_at_its_deadline(monkeypatch):
    sleep = sys.executable, "-c", "import time; time.sleep(1000)"
    monkeypatch.setattr(confined, "COMMAND", sleep)
    code = f"{ZERO.solution}{'#' * 1_000_000}"  # more than a pipe holds
    more = {"rules": Rules(), "limits": ProcessLimits(seconds=1)}
    assert judge_confined(ZERO, code, **more).error.message == "stopped after 1 seconds"


def test_program_alone_has_no_others_beside_it():
    running, seen, lock = [], [], threading.Lock()

    def judge(alone):
        with room.turn(alone=alone):
            with lock:
                running.append(alone)
                seen.append(list(running))
            threading.Event().wait(0.001)
            with lock:
                running.remove(alone)

    with Confinement(Isolation(namespaces=True), jobs=3) as room:
        threads = [threading.Thread(target=judge, args=(i % 4 == 3,)) for i in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(seen) == 40
    assert max(map(len, seen)) <= 3
    assert all(len(one) == 1 for one in seen if True in one)


def test_forbidden_namespaces_are_not_used():
    forbid = "echo 0 > /proc/sys/user/max_user_namespaces && exec "
    code = "from slidewise.course.judge.confinement import available_isolation as found"
    inner = f'{forbid} "$0" -c "{code}; print(found() == (False, False))"'
    unshare = ["unshare", "--user", "--map-root-user"]
    if not shutil.which("unshare") or subprocess.run([*unshare, "true"], check=False).returncode:
        pytest.skip("this system allows no namespaces")
    command = [*unshare, "sh", "-c", inner, sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_system_without_prctl_and_proc_still_judges(monkeypatch, tmp_path):
    launcher = tmp_path / "launcher.py"
    text = confinement.LAUNCHER.read_text()
    launcher.write_text(text.replace('"prctl"', '"no_prctl"').replace('"/proc"', '"/no-proc"'))
    monkeypatch.setattr(confinement, "LAUNCHER", launcher)
    monkeypatch.setattr(confinement, "PROC", tmp_path / "no-proc")
    monkeypatch.setattr(confinement, "_c", object)
    confinement.available_isolation.cache_clear()
    assert confinement.available_isolation() == Isolation()
    confinement.available_isolation.cache_clear()
    with Confinement(Isolation()) as room:
        more = {"rules": Rules(), "limits": ProcessLimits(), "confinement": room}
        report = judge_confined(ZERO, ZERO.solution, **more)
    assert report.points == 10
