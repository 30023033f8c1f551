"""Running a command in the process of the tests."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """What a command did."""

    code: int
    out: str
    err: str
