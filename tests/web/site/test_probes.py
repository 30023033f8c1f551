"""Probes: liveness and readiness of the server."""

import pytest

from slidewise.solver import compiling
from webapp.workers.shared import services_of


def readyz(app):
    """Return the status and the body of `/readyz`."""
    answer = app.test_client().get("/readyz")
    assert ("Retry-After" in answer.headers) == (answer.status_code == 503)
    return answer.status_code, answer.json


def test_readyz_lists_missing_parts(app, monkeypatch):
    warming = services_of(app).solvers.warming
    monkeypatch.setattr(warming, "missing", ("beam",))
    reason = "still to come: beam"
    assert readyz(app) == (
        503,
        {"ready": False, "missing": ["beam"], "reason": reason, "degraded": []},
    )
    monkeypatch.setattr(warming, "missing", ())
    assert readyz(app) == (
        200,
        {"ready": True, "missing": [], "reason": None, "degraded": []},
    )


def test_stopping_server_is_not_ready_but_alive(app, monkeypatch):
    pool = services_of(app).solvers
    monkeypatch.setattr(pool.warming, "missing", ())
    monkeypatch.setattr(pool, "closing", True)
    reason = "the server is about to stop"
    assert readyz(app) == (
        503,
        {"ready": False, "missing": [], "reason": reason, "degraded": []},
    )
    assert app.test_client().get("/healthz").status_code == 200


def test_readyz_lists_faults_with_which_it_serves(new_app, tmp_path, monkeypatch):
    (tmp_path / "daily.sqlite3").write_bytes(bytes(8192))
    app = new_app(STATE=str(tmp_path))
    monkeypatch.setattr(services_of(app).solvers.warming, "missing", ())
    (status, answer), (aside,) = readyz(app), tmp_path.glob("daily.sqlite3.damaged-*")
    assert (status, answer["ready"]) == (200, True)
    (fault,) = answer["degraded"]
    assert f"{aside} was damaged and set aside" in fault
    aside.unlink()
    assert readyz(app)[1]["degraded"] == []


def test_missing_compiler_is_named(app, monkeypatch):
    monkeypatch.setattr(compiling, "is_available", lambda: False)
    (fault,) = readyz(app)[1]["degraded"]
    assert fault == "compiler: numba is not installed, so searches take much longer"


def test_readyz_reports_a_key_that_cannot_be_stored(new_app, monkeypatch):
    app = new_app()
    monkeypatch.setitem(app.config, "KEY_IS_STORED", False)
    (fault,) = readyz(app)[1]["degraded"]
    assert fault.startswith("secret key: it cannot be stored")


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_probe_accepts_any_host_and_sets_no_cookie(new_app, path):
    app = new_app(HOSTS="slidewise.example")
    for host in "127.0.0.1:8000", "slidewise.example", "a b", "":
        answer = app.test_client().get(path, headers={"Host": host})
        assert answer.status_code in {200, 503}, host
        assert answer.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in answer.headers
    assert app.test_client().get("/daily", headers={"Host": "127.0.0.1"}).status_code == 400
