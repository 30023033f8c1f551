"""Fixture for all tests of this folder."""

from tests.analysis.conftest import _compiled_first as _compiled_first
