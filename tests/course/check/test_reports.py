"""The whole report of each submission is the stored one."""

from tests.course.check import reports, right_programs
from tests.course.check.test_each_mistake import NAMED
from tests.each import each

RIGHT = [
    program.__name__
    for algorithm, written in right_programs.PROGRAMS.items()
    for program in written
    if algorithm != "dfs"
]
"""Right programs with a stored report. test_right.py checks depth-first search."""


def test_reports_equal_the_stored_ones():
    cases, stored = reports.cases(), reports.stored()
    assert list(stored) == list(cases)
    for name, case in cases.items():
        again = f"{name}; if it is meant to change: .venv/bin/python -m tests.course.check.reports"
        assert reports.report_of(case) == stored[name], again


@each("name", RIGHT)
def test_stored_report_accuses_no_right_program(name):
    flags = reports.stored_flags(name)
    assert (flags["right"], flags["wrong"], flags["exact"]) == (True, False, False)
    assert flags["explanation"]["right"]
    assert "no rule is broken.\nScore 100 of 100: " in reports.stored()[name]


@each("key", NAMED)
def test_stored_report_names_the_mistake_of_a_wrong_program(key):
    flags = reports.stored_flags(key)
    assert (flags["right"], flags["wrong"]) == (False, True)
    assert flags["explanation"]["key"] == key
    assert "\nTo fix it: " in reports.stored()[key]
