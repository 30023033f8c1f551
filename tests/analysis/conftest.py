"""Fixture for all tests of this folder."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def _compiled_first(compiled):
    """Compile first, so that no stream of events starts with compilation."""
