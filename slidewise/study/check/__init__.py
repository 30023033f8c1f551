"""Check my work: a student's results against a reference search."""

from slidewise.study.check.checking import UnsolvableError, check
from slidewise.study.check.mistakes import find_rules
from slidewise.study.check.reading import Submission, UnreadableWorkError, read_given
from slidewise.study.check.report import Report

__all__ = [
    "Report",
    "Submission",
    "UnreadableWorkError",
    "UnsolvableError",
    "check",
    "find_rules",
    "read_given",
]
