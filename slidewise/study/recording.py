"""Recordings, which are in `slidewise.course.searching`."""

from slidewise.course.searching import *  # noqa: F403
