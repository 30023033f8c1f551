"""What is raised where there is no room for more work."""

from __future__ import annotations


class Busy(Exception):
    """Too much is asked for right now; try again after `retry_after` seconds.

    `status` is 503 where the site is full, and 429 where it is this visitor who asks too much.
    """

    def __init__(self, message: str, retry_after: int, status: int = 503) -> None:
        super().__init__(message)
        self.retry_after, self.status = retry_after, status


class TooManySearches(Busy):
    """As many searches run as are allowed, `which` of them."""

    def __init__(self, which: str, retry_after: int, status: int = 503) -> None:
        are = "is" if which.startswith("1 ") else "are"
        self.why = f"{which} {are} running already"
        super().__init__(f"{self.why}. Try again in {retry_after} seconds.", retry_after, status)
