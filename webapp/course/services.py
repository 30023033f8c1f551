"""Services of the course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .lab.check import WorkChecks
from .lab.heuristics import Checks
from .lab.running import Races
from .lab.watch import Recordings
from .write.own import OwnExercises

if TYPE_CHECKING:
    from ..workers import Solvers
    from ..workers.shared import Shared


def create_services(
    config: Mapping[str, Any], solvers: Solvers, shared: Shared
) -> Sequence[object]:
    """Create the services of an app."""
    return (
        Checks(solvers, shared),
        WorkChecks(solvers, shared),
        Races(shared),
        Recordings(solvers, shared),
        OwnExercises(config["EXERCISES"]),
    )
