"""Fixture for the tests of the judge."""

import pytest


@pytest.fixture(autouse=True)
def _judge_reads_all_results(request, caplog):
    """Fail if the judge itself has an error, unless a test forges results."""
    yield
    logged = [one.getMessage() for one in caplog.records if one.name.startswith("slidewise.course")]
    assert logged == [] or "forged" in request.node.name
