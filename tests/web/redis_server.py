"""A Redis for the tests, which stores nothing on disk and listens on a socket in a folder."""

import subprocess
import tempfile
from pathlib import Path

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.system_programs import program
from tests.web.streams import until


class RedisServer:
    """A Redis that can be stopped and started again under the same `url`."""

    def __init__(self) -> None:
        # the name is short because the path of a socket has at most 107 characters
        self._folder = tempfile.TemporaryDirectory(prefix="redis-")
        self._socket = Path(self._folder.name, "socket")
        self.url = f"unix://{self._socket}"
        self._command = [
            *(program("redis-server"), "--port", "0", "--unixsocket", str(self._socket)),
            *("--save", "", "--appendonly", "no", "--dir", self._folder.name),
        ]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        assert until(self._is_ready), "Redis did not start"

    def stop(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.stop()
        self._folder.cleanup()

    def connection(self):
        return Redis.from_url(self.url, retry=Retry(NoBackoff(), 0))

    def _is_ready(self):
        try:
            with self.connection() as connection:
                return connection.ping()
        except RedisError:
            return False
