"""The whole report of each submission is the stored one."""

from __future__ import annotations

import pytest

from tests.study.check import reports

CASES = reports.cases()


@pytest.mark.parametrize("name", CASES)
def test_report_is_the_stored_one(name):
    again = "if it is meant to change: .venv/bin/python -m tests.study.check.reports"
    assert reports.report_of(CASES[name]) == reports.stored()[name], again


def test_no_stored_report_is_left_over():
    assert list(reports.stored()) == list(CASES)
