"""Why a search ended that nobody has asked to stop: workers are only told to stop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from webapp.workers.memory import OUT_OF_MEMORY

if TYPE_CHECKING:
    from slidewise import Result

ON_REQUEST = "stopped on request"
"""What a search says that was told to stop."""

TIME_OVER = "stopped when the time for this answer was over"
SERVER_STOPS = "stopped because the server is about to restart"


LOST = "The solver stopped unexpectedly. Try again, or with a smaller limit."
TOO_LARGE = "The search needed more memory than one search may use here. Choose another algorithm."


def lost(how: str) -> str:
    """Return what is told of a search whose worker ended so before the search had finished."""
    return TOO_LARGE if how == OUT_OF_MEMORY else LOST


def stopped_for(why: str, result: Result) -> Result:
    """Return the result of a search that was told to stop, with the reason for that."""
    verdict = result.verdict
    reason, because = (text.replace(ON_REQUEST, why) for text in (verdict.reason, verdict.because))
    return replace(result, verdict=replace(verdict, reason=reason, because=because))
