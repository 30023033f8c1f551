"""A visitor at a game, with and without JavaScript."""

from __future__ import annotations

import pytest

from tests.boards import TWO_MOVES
from tests.web.visitor import Visitor


@pytest.fixture(params=[True, False], ids=["htmx", "plain"])
def htmx(request):
    return request.param


@pytest.fixture
def player(client, htmx):
    return Visitor(client, TWO_MOVES, htmx=htmx)
