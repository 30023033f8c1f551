"""What is raised where there is no room for more work."""

from __future__ import annotations


class Busy(Exception):
    """No room for another job; try again after `retry_after` seconds."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after
