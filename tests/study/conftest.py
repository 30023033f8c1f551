"""What all of these tests need first."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def _compiled_first(compiled):
    """Compile first, so that no test's stream of events begins with that."""
