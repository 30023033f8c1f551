"""`slidewise serve`: its output and its errors."""

import socket
import tempfile

import pytest

from slidewise.cli import main
from tests.cli.commands import Run
from webapp.serve import MAX_TEMPORARY_BYTES


@pytest.fixture
def serve(capsys):
    """Return a function that runs the command in this process."""

    def run(*argv: str) -> Run:
        code = main(["serve", *argv])
        return Run(code, *capsys.readouterr())

    return run


@pytest.fixture
def free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def test_serve_prints_its_url_and_then_serves(serve, monkeypatch, free_port):
    served = []
    monkeypatch.setattr(
        "webapp.serve.serve", lambda *address, ready: (served.append(address), ready())
    )
    done = serve("--port", free_port)
    assert f"http://127.0.0.1:{free_port} " in done.out
    assert served == [("127.0.0.1", int(free_port))]


def test_port_in_use_exits_with_2(serve):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve("--port", str(port))
    message = f"slidewise: error: port {port} is in use; choose another with --port\n"
    assert done == Run(2, "", message)


def test_bad_setting_exits_with_2(serve, monkeypatch, free_port):
    monkeypatch.setenv("SLIDEWISE_SOLVERS", "many")
    done = serve("--port", free_port)
    assert done.code == 2
    assert "slidewise: error: SLIDEWISE_SOLVERS must be" in done.err


def test_too_long_temporary_folder_exits_with_2(serve, monkeypatch, free_port, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("long" * 20)))
    done = serve("--port", free_port)
    assert done.code == 2
    assert f"set TMPDIR to one of at most {MAX_TEMPORARY_BYTES} characters" in done.err


def test_serve_without_temporary_folder_exits_with_2(serve, monkeypatch, free_port):
    def refuse():
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", refuse)
    done = serve("--port", free_port)
    assert done.code == 2
    assert "no folder for temporary files can be written; set TMPDIR" in done.err


@pytest.mark.parametrize("port", ["x", "0", "-1", "65536"])
def test_invalid_port_exits_with_2(serve, port):
    done = serve("--port", port)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "from 1 to 65535" in done.err
