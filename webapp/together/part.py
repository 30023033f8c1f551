"""Races against friends, as a part of the app."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ..parts import Part
from .pages import blueprint
from .rooms import LocalRooms, RedisRooms, Rooms

if TYPE_CHECKING:
    from ..workers import Solvers
    from ..workers.redis.shared import RedisShared
    from ..workers.shared import Shared


def _services(config: Mapping[str, Any], solvers: Solvers, shared: Shared) -> tuple[Rooms]:
    return (Rooms(RedisRooms(cast("RedisShared", shared)) if config["REDIS"] else LocalRooms()),)


PART = Part(
    "together",
    blueprints=(blueprint,),
    links={"puzzle": "together/_button.html", "share": "together/_button.html"},
    entry="play",
    services=_services,
)
