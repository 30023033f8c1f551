"""The stream of a race."""

import pytest

from tests.boards import TEXTBOOK


@pytest.fixture
def race(solve):
    """Read the stream of a race."""

    def start(code=TEXTBOOK, **more):
        return solve(code, path=f"/lab/{code}/race", **more)

    return start
