"""A job as Redis has it: the names of its keys, and the sets in which it has a place."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from webapp.workers.redis.keys import MANY, PREFIX

OPEN, WAITING, RUNNING = (f"{PREFIX}{name}" for name in ("open", "waiting", "running"))
"""The jobs that have not ended, those that wait by the time of coming, those that run by lease."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many jobs there may be in all, of a visitor, and of those behind one address."""

    jobs: int
    per_visitor: int
    per_address: int


@dataclass(frozen=True, slots=True)
class Job:
    """A job: its id, and who sent it."""

    id: str
    visitor: str
    address: str

    @classmethod
    def new(cls, visitor: str, address: str) -> Job:
        """Return a job whose id cannot be guessed."""
        return cls(secrets.token_urlsafe(16), visitor, address)

    @classmethod
    def read(cls, text: bytes) -> Job:
        """Return the job that was written so, whatever an address is called."""
        return cls(*text.decode().split("|", 2))

    def __str__(self) -> str:
        return f"{self.id}|{self.visitor}|{self.address}"

    @property
    def key(self) -> str:
        """The name of its hash, and how its other keys begin."""
        return f"{PREFIX}job:{self.id}"

    @property
    def events(self) -> str:
        """The name of its stream."""
        return f"{self.key}:events"

    @property
    def stop(self) -> str:
        """The key that says how it is to stop."""
        return f"{self.key}:stop"

    @property
    def reader(self) -> str:
        """The key that is there while somebody reads its events."""
        return f"{self.key}:reader"

    def places(self, room: Room) -> dict[str, int]:
        """Return the sets in which it has a place, and how many those have room for."""
        return {
            f"{PREFIX}visitor:{self.visitor}": room.per_visitor,
            f"{PREFIX}address:{self.address}": room.per_address,
            OPEN: room.jobs,
        }


UNLIMITED = Room(MANY, MANY, MANY)
"""The room for jobs that were let in already."""
