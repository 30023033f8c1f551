"""What is raised where there is no room for more work."""

from __future__ import annotations


class Busy(Exception):
    """Too much is asked for right now; try again after `retry_after` seconds.

    `status` is 503 where the site is full, and 429 where it is this visitor who asks too much.
    """

    def __init__(self, message: str, retry_after: int, status: int = 503) -> None:
        super().__init__(message)
        self.retry_after, self.status = retry_after, status


class Restarting(Busy):
    """The server stops; as a rule another begins at once."""

    def __init__(self) -> None:
        super().__init__("The server is about to restart. Try again in a few seconds.", 10)


class Compiling(Busy):
    """What a search needs was not compiled in time."""

    def __init__(self) -> None:
        super().__init__(
            "This search is still being compiled, which happens only once on a machine. Try again "
            "in a few seconds.",
            retry_after=10,
        )


class TooLarge(Busy):
    """An answer that takes more memory than one is given."""

    def __init__(self) -> None:
        super().__init__(
            "That needed more memory than one answer may use here. Ask for something smaller, or "
            "try again in a minute.",
            retry_after=60,
        )


class TooManySearches(Busy):
    """As many searches run as are allowed, `which` of them."""

    def __init__(self, which: str, retry_after: int, status: int = 503) -> None:
        are = "is" if which.startswith("1 ") else "are"
        self.why = f"{which} {are} already running"
        super().__init__(f"{self.why}. Try again in {retry_after} seconds.", retry_after, status)
