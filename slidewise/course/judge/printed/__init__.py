"""Check my work: a student's results against a reference search."""

from slidewise.course.judge.printed.checking import check
from slidewise.course.judge.printed.mistakes import find_rules
from slidewise.course.judge.printed.reading import read_given
from slidewise.course.judge.printed.report import Report
from slidewise.course.judge.printed.submission import Submission, UnreadableWorkError

__all__ = [
    "Report",
    "Submission",
    "UnreadableWorkError",
    "check",
    "find_rules",
    "read_given",
]
