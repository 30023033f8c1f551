"""Check my work: what a student's program found, against what the search does."""

from slidewise.study.check.checking import UnsolvableError, check
from slidewise.study.check.given import Given, UnreadableError
from slidewise.study.check.habits import find_rules
from slidewise.study.check.reading import read_given
from slidewise.study.check.report import Report

__all__ = [
    "Given",
    "Report",
    "UnreadableError",
    "UnsolvableError",
    "check",
    "find_rules",
    "read_given",
]
