"""Exercises and their judge, which are in `slidewise.course.judge`."""

from slidewise.course.judge import *  # noqa: F403
