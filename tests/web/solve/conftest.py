"""The app of the tests of Solve."""

import pytest


@pytest.fixture(scope="session")
def app(game_alone):
    """Return the game without its parts, which it does not need."""
    return game_alone
