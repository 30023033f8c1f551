"""Tests of a program that is not installed."""

import pytest

from tests import system_programs


def test_a_program_is_found_where_servers_are_installed(tmp_path, monkeypatch):
    server = tmp_path / "nginx"
    server.touch(mode=0o755)
    monkeypatch.setattr(system_programs, "SYSTEM", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    assert system_programs.program("nginx") == str(server)


def test_skip_reason_names_the_package_of_a_missing_program(monkeypatch):
    monkeypatch.setattr(system_programs, "find", lambda name: None)
    with pytest.raises(pytest.skip.Exception) as skipped:
        system_programs.program("redis-server")
    reason = str(skipped.value)
    assert reason.startswith(system_programs.NOT_RUN)  # the end of the run looks for this prefix
    assert "redis-server: apt-get install redis-server" in reason


def test_packages_for_tests_start_no_service(tmp_path, monkeypatch):
    policy = tmp_path / "policy-rc.d"
    monkeypatch.setattr(system_programs, "POLICY", policy)
    with system_programs.no_service_starts():
        assert policy.read_text().endswith("exit 101\n")
    assert not policy.exists()
    policy.write_text("the machine's own")
    with system_programs.no_service_starts():
        pass
    assert policy.read_text() == "the machine's own"
