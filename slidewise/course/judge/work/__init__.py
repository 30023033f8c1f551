"""Check my work: a student's results against a reference search."""

from slidewise.course.judge.work.checking import check
from slidewise.course.judge.work.mistakes import find_rules
from slidewise.course.judge.work.reading import Submission, UnreadableWorkError, read_given
from slidewise.course.judge.work.report import Report

__all__ = [
    "Report",
    "Submission",
    "UnreadableWorkError",
    "check",
    "find_rules",
    "read_given",
]
