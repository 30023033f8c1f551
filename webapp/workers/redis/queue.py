"""Whose turn it is: the jobs that wait, those that run, and the lanes that there are for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webapp.workers.redis.job import RUNNING, WAITING, Job
from webapp.workers.redis.keys import WORKERS
from webapp.workers.turns import in_turn

if TYPE_CHECKING:
    from redis.client import Pipeline

CLAIM = """
-- Takes the job ARGV[1], whose hash is KEYS[3], from those that wait (KEYS[1]) to those that run
-- (KEYS[2]), with a lease for ARGV[2] seconds. KEYS[4] says for ARGV[3] seconds that the lane runs
-- it. Returns what it is to search and how often that was begun by now, nothing where another has
-- taken it.
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return false end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local spec, seconds = unpack(redis.call('HMGET', KEYS[3], 'spec', 'seconds'))
local attempt = redis.call('HINCRBY', KEYS[3], 'attempts', 1)
redis.call('HSET', KEYS[3], 'state', 'running', 'deadline', now + (seconds or 0))
redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
redis.call('SET', KEYS[4], attempt .. ' ' .. ARGV[1], 'EX', ARGV[3])
return {spec, attempt}
"""

REPLIES = 4
"""How many replies `ask` leads to."""


def ask(pipe: Pipeline) -> None:
    """Ask for what `Turns.read` reads, as the last of a pipeline."""
    pipe.time()
    pipe.zrange(WAITING, 0, -1)
    for leases in RUNNING, WORKERS:
        pipe.zrange(leases, 0, -1, withscores=True)


@dataclass(frozen=True, slots=True)
class Turns:
    """The jobs that wait in the order of their turns, and how many of all lanes are taken."""

    jobs: list[Job]
    running: int
    lanes: int

    @classmethod
    def read(cls, replies: list[Any]) -> Turns:
        """Return what a pipeline has found that asked for it last."""
        (seconds, _), waiting, running, workers = replies[-REPLIES:]
        runs = [Job.read(name) for name, ends in running if ends >= seconds]
        lanes = sum(int(name.split(b"|")[0]) for name, ends in workers if ends >= seconds)
        return cls(in_turn([Job.read(name) for name in waiting], runs), len(runs), lanes)

    @property
    def told(self) -> list[tuple[int, Job]]:
        """The jobs that cannot begin at once, with their places."""
        free = max(0, self.lanes - self.running)
        return list(enumerate(self.jobs, start=1))[free:]
