"""Check my work: a student's results against a reference search."""

from slidewise.course.check.checking import check
from slidewise.course.check.mistakes import find_rules
from slidewise.course.check.reading import Submission, UnreadableWorkError, read_given
from slidewise.course.check.report import Report

__all__ = [
    "Report",
    "Submission",
    "UnreadableWorkError",
    "check",
    "find_rules",
    "read_given",
]
