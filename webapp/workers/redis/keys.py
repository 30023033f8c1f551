"""How keys are called, and the clock and the leases that all machines go by.

A lease is a place in a sorted set, ranked by the time at which it ends unless it is renewed: what
a process held that was killed is free again some seconds later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redis import Redis

VERSION = 1
"""The version of what stands in Redis; changed with the meaning of a key, an event, an argument."""

PREFIX = f"slidewise:{VERSION}:"

MANY = 1 << 30
"""More than there ever are, where nothing else is to limit how many."""

WORKERS = f"{PREFIX}workers"
"""The workers that live, by lease; each is called by its lanes and a name, as in `2|4f1c`."""

LEASE_SECONDS = 8.0
"""How long a place is held without a word of its holder, who gives one each second or two: some
times as long as that is late on a slow machine."""

_TAKE = """
-- Takes a place in each set of KEYS, or renews it. ARGV: who, for how long, then how many have room
-- in each. Returns 0, or which set is full and how many are in it; for nobody ("") only looks.
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local who = ARGV[1]
local held = who ~= '' and redis.call('ZSCORE', KEYS[1], who)
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  local taken = redis.call('ZCARD', key)
  if not held and taken >= tonumber(ARGV[i + 2]) then return {i, taken} end
end
if who ~= '' then
  for _, key in ipairs(KEYS) do
    redis.call('ZADD', key, now + ARGV[2], who)
    redis.call('EXPIRE', key, math.ceil(ARGV[2]))
  end
end
return {0, 0}
"""


class Leases:
    """Places in sets that have room for so many."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._take = redis.register_script(_TAKE)

    def take(
        self, who: str, room: dict[str, int], seconds: float = LEASE_SECONDS
    ) -> tuple[str, int]:
        """Take a place in each of the sets, or renew it; `room` says how many each has.

        Returns the set that is full, tried in order, and how many are in it; ("", 0) where it
        worked. With "" for `who` it is only looked whether it would.
        """
        full, taken = self._take(keys=list(room), args=[who, seconds, *room.values()])
        return ["", *room][full], taken

    def give_back(self, who: str, *keys: str) -> None:
        """Give places back."""
        with self._redis.pipeline() as pipe:
            for key in keys:
                pipe.zrem(key, who)
            pipe.execute()


def now(redis: Redis) -> float:
    """Return the time in seconds by the clock of Redis, which all machines go by."""
    seconds, microseconds = redis.time()
    return float(seconds) + microseconds / 1e6
