"""The whole report of each submission is the stored one."""

from __future__ import annotations

from tests.study.check import reports


def test_each_report_is_the_stored_one_and_none_is_left_over():
    cases, stored = reports.cases(), reports.stored()
    assert list(stored) == list(cases)
    for name, case in cases.items():
        again = f"{name}; if it is meant to change: .venv/bin/python -m tests.study.check.reports"
        assert reports.report_of(case) == stored[name], again
