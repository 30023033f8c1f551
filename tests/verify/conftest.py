"""Fixture for the tests of the certificate checker."""

import json

import pytest

from slidewise import verify


@pytest.fixture
def check(tmp_path):
    """Return a function that checks a certificate with the given options."""

    def run(claims, **options):
        file = tmp_path / "certificate.json"
        file.write_text(json.dumps(claims))
        return verify.verify(file, verify.Options(**options))

    return run
