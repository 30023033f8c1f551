"""Why a search ended that nobody has asked to stop: workers are only told to stop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidewise import Result

ON_REQUEST = "stopped on request"
"""What a search says that was told to stop."""

TIME_OVER = "stopped when the time for this answer was over"
SERVER_STOPS = "stopped because the server is about to restart"


def stopped_for(why: str, result: Result) -> Result:
    """Return the result of a search that was told to stop, with the reason for that."""
    reason = result.verdict.reason.replace(ON_REQUEST, why)
    return replace(result, verdict=replace(result.verdict, reason=reason))
