"""State shared by web processes: in the memory of one process, and in Redis."""

import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from slidewise import SearchSpec, parse_puzzle
from tests.boards import FOUR_NEAR, TWO_MOVES
from tests.web.redis_server import RedisServer
from tests.web.streams import PATIENCE
from webapp.http.cache import Cache
from webapp.workers import shared as module
from webapp.workers.redis import shared as redis_module
from webapp.workers.redis.jobs import PREFIX
from webapp.workers.redis.shared import RedisShared, connect
from webapp.workers.shared import CacheKind, LocalShared

ANSWERS = CacheKind[SearchSpec, object]("answers", max_bytes=350_000, seconds=60)
OTHERS = replace(ANSWERS, name="others")
OWN = replace(ANSWERS, name="own", seconds=0)

ONE, TWO = (SearchSpec(parse_puzzle(code), "astar") for code in (TWO_MOVES, FOUR_NEAR))
ANSWER = {"moves": (1, 2), "picture": b"\x89PNG"}


@pytest.fixture(autouse=True)
def _patience(monkeypatch):
    """Let Redis answer in time on a busy machine."""
    monkeypatch.setattr(redis_module, "ANSWER_SECONDS", PATIENCE)


@pytest.fixture
def processes(redis_url):
    """Return two web processes that share a Redis."""
    return [RedisShared(connect(redis_url)) for _ in range(2)]


@pytest.fixture(params=["local", "redis"])
def shared(request):
    if request.param == "local":
        return LocalShared()
    return request.getfixturevalue("processes")[0]


@pytest.fixture
def server():
    """Return a Redis that the test may stop."""
    server = RedisServer()
    yield server
    server.close()


# Both


def test_cached_answer_is_found_by_kind_and_key(shared):
    shared.put(ANSWERS, ONE, ANSWER)
    assert shared.get(ANSWERS, replace(ONE)) == shared.get_local(ANSWERS, ONE) == ANSWER
    assert shared.get(ANSWERS, TWO) is shared.get_local(ANSWERS, TWO) is None
    assert shared.get(OTHERS, ONE) is None
    shared.put(ANSWERS, ONE, "other")
    assert shared.get(ANSWERS, ONE) == "other"


@pytest.mark.parametrize("kind", [ANSWERS, OWN], ids=["shared", "own"])
def test_put_without_replace_leaves_cached_answers(shared, kind):
    shared.put(kind, ONE, ANSWER)
    shared.put_all(kind, {ONE: "other", TWO: "new"}, replace=False)
    assert [shared.get(kind, key) for key in (ONE, TWO)] == [ANSWER, "new"]
    shared.put_all(kind, {})


def test_put_without_replace_leaves_an_answer_put_meanwhile(shared, monkeypatch):
    put = Cache.put

    def put_late(cache, key, value, **options):
        if value == "bound":
            put(cache, key, "exact")
        put(cache, key, value, **options)

    monkeypatch.setattr(Cache, "put", put_late)
    shared.put_all(OWN, {ONE: "bound"}, replace=False)
    assert shared.get(OWN, ONE) == "exact"


def test_debt_grows_by_each_charge_and_is_never_negative(shared):
    assert shared.charge({"ann": 100, "school": 10}) == pytest.approx([100, 10])
    ann, school, bob = shared.charge({"ann": 50, "school": 0, "bob": 0})
    assert ann == pytest.approx(150, abs=PATIENCE / 10)
    assert school <= 10
    assert bob == 0
    assert shared.charge({"ann": -1000, "bob": -5}) == [0, 0]
    assert shared.charge({"ann": 0}) == [0]


def test_debt_falls_with_time(shared):
    (owed,) = shared.charge({"ann": 1000})
    later = owed
    while later == owed:
        (later,) = shared.charge({"ann": 0})
    assert later < owed


def test_concurrent_charges_are_all_counted(shared):
    with ThreadPoolExecutor(20) as threads:
        for _ in range(200):
            threads.submit(shared.charge, {"ann": 10 * PATIENCE, "school": 5})
    (owed,) = shared.charge({"ann": 0})
    assert owed == pytest.approx(200 * 10 * PATIENCE, abs=PATIENCE)


def test_number_of_accounts_is_limited(monkeypatch):
    monkeypatch.setattr(module, "ACCOUNTS_BYTES", 10 * 600)
    few = LocalShared()
    for number in range(20):
        few.charge({str(number): 100})
    assert few.charge({"0": 0, "19": 0}) == [0, pytest.approx(100, abs=PATIENCE)]


# Redis


def test_answer_cached_by_one_process_is_found_by_another(processes):
    here, there = processes
    here.put(ANSWERS, ONE, ANSWER)
    here.put(OWN, ONE, ANSWER)
    assert there.get_local(ANSWERS, ONE) is None, "which asks nobody"
    assert there.get(ANSWERS, ONE) == there.get_local(ANSWERS, ONE) == ANSWER
    assert there.get(OWN, ONE) is None
    there.put_all(ANSWERS, {ONE: "other", TWO: "new"}, replace=False)
    assert [RedisShared(there._redis).get(ANSWERS, key) for key in (ONE, TWO)] == [ANSWER, "new"]


def test_fetched_answer_does_not_replace_one_put_meanwhile(processes, monkeypatch):
    here, there = processes
    there.put(ANSWERS, ONE, "bound")
    attempt = here.attempt

    def fetch_late(command):
        found = attempt(command)
        here._here.put(ANSWERS, ONE, "exact")
        return found

    monkeypatch.setattr(here, "attempt", fetch_late)
    here.get(ANSWERS, ONE)
    assert here.get_local(ANSWERS, ONE) == "exact"


def test_charge_by_one_process_counts_in_another(processes):
    here, there = processes
    here.charge({"ann": 1000})
    assert there.charge({"ann": 1000}) == pytest.approx([2000], abs=PATIENCE)


def test_keys_expire_and_hold_no_address(processes):
    here = processes[0]
    here.put(ANSWERS, ONE, ANSWER)
    here.charge({"address 192.0.2.7": 100})
    keys = list(here._redis.scan_iter())
    assert len(keys) == 2
    for key in keys:
        assert key.startswith(PREFIX.encode())
        assert b"192" not in key
        assert 0 < here._redis.pttl(key) <= 100_001
    here.charge({"address 192.0.2.7": -100})
    assert 0 <= here.charge({"address 192.0.2.7": 0})[0] < 1


def test_large_answer_is_compressed_and_huge_one_local(processes, monkeypatch):
    here, there = processes
    here.put(ANSWERS, ONE, "long" * 10_000)
    (key,) = here._redis.scan_iter()
    assert here._redis.strlen(key) < 1_000
    assert there.get(ANSWERS, ONE) == "long" * 10_000
    monkeypatch.setattr(redis_module, "MAX_BYTES", 10)
    here.put(ANSWERS, TWO, "long" * 10_000)
    assert here.get(ANSWERS, TWO)
    assert there.get(ANSWERS, TWO) is None


@pytest.mark.parametrize(
    "data",
    [b"", b"x\x9c", b"xylophone", b"\xff", b"{", b"[1,{}]", b'{"of":["webapp.newer:Answer",{}]}'],
)
def test_value_of_another_version_is_a_cache_miss(processes, data):
    here, there = processes
    here.put(ANSWERS, ONE, ANSWER)
    (key,) = here._redis.scan_iter()
    here._redis.set(key, data)
    assert there.get(ANSWERS, ONE) is None
    here._redis.delete(key)
    here._redis.lpush(key, "other")
    assert there.get(ANSWERS, ONE) is None


def test_lost_redis_is_logged_once_and_caches_are_local(server, monkeypatch, caplog):
    monkeypatch.setattr(redis_module, "PAUSE_SECONDS", 0)
    here, there = (RedisShared(connect(server.url)) for _ in range(2))
    here.put(ANSWERS, ONE, ANSWER)
    here.charge({"ann": 1000})
    server.stop()
    assert here.get(ANSWERS, ONE) == ANSWER
    assert there.get(ANSWERS, ONE) is None
    there.put(ANSWERS, TWO, ANSWER)
    assert there.get(ANSWERS, TWO) == ANSWER
    assert here.charge({"ann": 0}) == [0], "better than to refuse those who owe nothing"
    assert here.charge({"ann": 100}) == [100]
    assert [record.name for record in caplog.records] == [redis_module.__name__] * 2
    assert "SLIDEWISE_REDIS" in caplog.text
    server.start()
    there.put(ANSWERS, TWO, "other")
    assert here.get(ANSWERS, TWO) == "other"


def test_hanging_redis_is_skipped_for_a_while(server, monkeypatch):
    monkeypatch.setattr(redis_module, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(redis_module, "PAUSE_SECONDS", PATIENCE)
    here = RedisShared(connect(server.url))
    server.process.send_signal(signal.SIGSTOP)
    assert here.get(ANSWERS, ONE) is None
    monkeypatch.setattr(here, "_redis", None)  # would fail now
    assert here.get(ANSWERS, ONE) is None
