"""Exercises and their judge, which are in `slidewise.course.exercises`."""

from slidewise.course.exercises import *  # noqa: F403
