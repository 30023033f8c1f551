"""Exercises and their judge, which are in `slidewise.course.judge`: an earlier import path."""

from slidewise.course.judge import *  # noqa: F403
