"""The command line as a program: pipes, Ctrl-C, terminals, and the loaded modules."""

import json
import os
import pty
import re
import signal
import subprocess
from itertools import product

import pytest

from slidewise import SearchSpec, events, solve
from slidewise.cli import main
from slidewise.cli.terminal import interrupts, words
from slidewise.research.proof import FILE_NAME
from slidewise.solver.tables.patterns import files
from tests.boards import FOUR_FAR, FOUR_FARTHEST, SMALL, UNSOLVABLE
from tests.cli.commands import PROGRAM, on_terminal, python
from tests.each import some

ASTAR = ["--algorithm", "astar"]


@pytest.fixture(autouse=True)
def _ctrl_c():
    """Enable Ctrl-C in programs, which a shell disables for tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def program(*argv: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *argv], capture_output=True, text=True, check=False, **options)


def test_installed_program_runs_the_command():
    done = program("solve", "1.0.3-4.2.5", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["length"] == 2
    done = program("solve", "-", input="nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_compiler_is_loaded_only_when_needed():
    code = (
        "import sys; from slidewise.cli import main\n"
        f"for argv in ['--help'], ['solve', '{UNSOLVABLE}'], ['algorithms'], ['solve', '']:\n"
        "    main(argv)\n"
        "    assert {'numba', 'numpy', 'flask'}.isdisjoint(sys.modules), argv"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr


def test_closed_stdout_is_not_an_error():
    argv = [*PROGRAM, "solve", "8.6.7-2.5.4-3.0.1", "--algorithm", "greedy"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 1), (signal.SIGTERM, 143)])
def test_signal_ends_a_search_with_its_result(number, code):
    argv = [*PROGRAM, "solve", FOUR_FAR, *ASTAR, "--events", "--seconds", "30"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        event = event_of(process, "progress")
        process.send_signal(number)
        out, err = process.communicate()
    last = json.loads(out.splitlines()[-1])
    assert (process.returncode, err) == (code, b"")
    assert (last["event"], last["result"]["status"]) == ("finished", "cancelled")
    assert last["result"]["lower_bound"] >= event["lower_bound"]


def event_of(process, name):
    """Read the events of a process up to the first one named `name`, and return it."""
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == name:
            return event
    raise AssertionError(f"no {name}")


def test_long_search_shows_progress_on_a_terminal():
    shown, out, _ = on_terminal("solve", FOUR_FAR, *ASTAR, "--seconds", "1", "--json")
    assert "expanded" in shown
    assert "(Ctrl-C stops)" in shown
    assert json.loads(out)["status"] == "cutoff"


def test_comparison_shows_its_search_on_a_terminal():
    chosen = "--algorithms", "astar,bfs", "--seconds", "1", "--csv"
    shown, out, _ = on_terminal("compare", FOUR_FAR, *chosen)
    assert out.count("\n") == 3
    assert "astar:manhattan (1 of 2): " in shown
    assert "bfs (2 of 2): " in shown


def test_ctrl_c_ends_a_comparison_with_its_results():
    argv = [*PROGRAM, "compare", FOUR_FAR, "--algorithms", "greedy,astar,bfs", "--seconds", "30"]
    ours, theirs = pty.openpty()  # the terminal's text shows when A* starts
    with subprocess.Popen([*argv, "--json"], stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while b"astar:manhattan (2 of 3)" not in shown:
            shown += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
        results = json.loads(process.stdout.read())["results"]
    os.close(ours)
    assert process.returncode == 1
    assert [result["status"] for result in results] == ["solved", "cancelled"]


def test_file_shows_a_bar_on_a_terminal(tmp_path):
    (tmp_path / "boards").write_text(f"# three\n{SMALL}\nnonsense\n{SMALL}\n")
    shown, out, code = on_terminal("solve", "--file", str(tmp_path / "boards"), "--json")
    assert (code, out.count("\n")) == (2, 2)
    assert "\r\x1b[K------------------------ 0 of 3" in shown
    assert "\r\x1b[Kslidewise: error: line 3: expected a puzzle code" in shown
    assert shown.endswith("\r\x1b[K")


def test_results_and_bar_do_not_mix_on_a_terminal(tmp_path):
    (tmp_path / "boards").write_text(f"{SMALL}\n" * 3)
    shown, _, _ = on_terminal("solve", "--file", str(tmp_path / "boards"), results=True)
    lines = [line.rpartition("\r\x1b[K")[2] for line in shown.split("\r\n")]
    assert len(lines) == 4
    assert all(line.startswith(f"{SMALL}: 2 moves (optimal), expanded 0, ") for line in lines[:3])
    assert lines[3] == ""


def test_building_tables_shows_a_bar_on_a_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    shown, out, _ = on_terminal("tables", "build", "--size", "2x6")
    assert "built" in out
    assert re.search(r"[#-]+ \d+ of 100; building the pattern database 6-5", shown)
    assert shown.endswith("\r\x1b[K")


def test_results_stream_and_ctrl_c_ends_the_wait():
    argv = [*PROGRAM, "solve", "--file", "-", "--json"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(argv, **pipes) as process:
        for _ in range(2):
            process.stdin.write(f"{SMALL}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["length"] == 2
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out) == (1, b"")
    assert err == b"slidewise: stopped; the remaining lines were not read\n"


@pytest.mark.parametrize(
    ("number", "code", "cores"),
    some(product([signal.SIGINT], [2], "12"), 1) + some(product([signal.SIGTERM], [143], "12"), 0),
)
def test_signal_ends_a_file_with_its_results(tmp_path, cores, number, code):
    (tmp_path / "boards").write_text(f"x\n{SMALL}\n{FOUR_FAR}\n{FOUR_FAR}\n{SMALL}\n")
    argv = [*PROGRAM, "solve", "--file", str(tmp_path / "boards"), "--json", *ASTAR]
    argv += ["--seconds", "30", "--cores", cores]
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(argv, **pipes, start_new_session=True) as process:
        assert json.loads(process.stdout.readline())["status"] == "solved"
        os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
        out, err = process.communicate()
    assert process.returncode == code
    # the searches of the next boards may or may not have started
    statuses = [json.loads(line)["status"] for line in out.splitlines()]
    assert statuses in (["cancelled"] * begun for begun in range(4))
    assert err.splitlines()[1:] == [b"slidewise: stopped; the remaining lines were not read"]


@pytest.mark.parametrize("cores", some("12", 1))
def test_ctrl_c_ends_a_file_that_waits_for_lines(cores):
    argv = [*PROGRAM, "solve", "--file", "-", "--json", "--cores", cores]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(argv, **pipes) as process:
        process.stdin.write(b"x\n")
        process.stdin.flush()
        assert b"line 1: " in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 2
        assert process.stdout.read() == b""
        assert b"the remaining lines were not read" in process.stderr.read()


def test_preparation_line_names_its_part():
    assert words(events.Preparing("compiling the search", 0, 1)).startswith(
        "compiling the search, only the first time"
    )
    assert "a table, 2 of 3 done, only" in words(events.Preparing("a table", 2, 3))
    assert words(events.Preparing("a table", 3, 3)) == ""
    assert "f-limit 42" in words(events.Iteration("f-limit", 42))
    assert "expanded 1,000, generated 2,000, at least 7 moves" in words(
        events.Progress(1000, 2000, 3, 4, 5, 7, 1.0)
    )


def test_sigterm_ends_a_proof_with_a_checkpoint_and_its_result(tmp_path):
    argv = [*PROGRAM, "prove", FOUR_FARTHEST, "--state", str(tmp_path), "--json"]
    for number, code in (signal.SIGTERM, 143), (signal.SIGINT, 1):
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            event_of(process, "proving")
            process.send_signal(number)
            out, err = process.communicate()
        result = json.loads(out.splitlines()[-1])["result"]
        assert (process.returncode, err) == (code, b"")
        assert result["lower_bound"] < result["length"]
        assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


def test_sigterm_leaves_no_half_built_tables(tmp_path, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    argv = [*PROGRAM, "tables", "build", "--size", "5x5"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not list(tmp_path.glob("*.part")):
            assert process.poll() is None, "the tables were built too soon"
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (143, b"", b"")
    assert list(tmp_path.iterdir()) == []


class Sleeper:
    """A command that receives a signal."""

    def __init__(self, act):
        self.act = act

    def add_to(self, commands):
        commands.add_parser("sleep").set_defaults(run=self.act)


def test_sigterm_differs_from_ctrl_c():
    def handles_interrupts(args):
        with interrupts() as interrupted:
            signal.raise_signal(args_signal[0])
            assert interrupted.is_set()
        return 1

    def ignores_interrupts(args):
        signal.raise_signal(args_signal[0])
        return 0

    args_signal = [signal.SIGTERM]
    assert [
        main(["sleep"], [Sleeper(act)]) for act in (handles_interrupts, ignores_interrupts)
    ] == [143, 143]
    args_signal = [signal.SIGINT]
    assert [
        main(["sleep"], [Sleeper(act)]) for act in (handles_interrupts, ignores_interrupts)
    ] == [1, 130]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_sigterm_works_if_ctrl_c_is_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert main(["sleep"], [Sleeper(lambda args: signal.raise_signal(signal.SIGTERM))]) == 143


@pytest.fixture
def ctrl_c_in_first_search(monkeypatch):
    """Raise Ctrl-C during the first search, which already has a solution."""

    def search(spec, cancelled):
        signal.raise_signal(signal.SIGINT)
        assert cancelled()
        yield events.Finished(solve(spec.puzzle, spec.algorithm))

    monkeypatch.setattr(SearchSpec, "events", search)


def test_ctrl_c_ends_a_comparison_whose_search_has_a_solution(cli, ctrl_c_in_first_search):
    done = cli("compare", SMALL, "--algorithms", "best,bfs,astar", "--json")
    assert done.code == 1
    assert [one["algorithm"] for one in json.loads(done.out)["results"]] == ["best"]


def test_ctrl_c_ends_a_file_whose_search_has_a_solution(cli, ctrl_c_in_first_search, tmp_path):
    (tmp_path / "boards").write_text(f"{SMALL}\n{SMALL}\n")
    done = cli("solve", "--file", str(tmp_path / "boards"))
    assert (done.code, done.out.count("\n")) == (1, 1)
    assert "the remaining lines were not read" in done.err
