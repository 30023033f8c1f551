"""Coalesced calls, slots, and caches."""

import threading
from concurrent.futures import Future

import pytest

from webapp.http.cache import Cache, cached
from webapp.workers import Busy
from webapp.workers.helpers import CoalescedCalls, slot
from webapp.workers.shared import CacheKind, LocalShared


class PendingCalls(dict):
    """The last pending answer of each question."""

    def __call__(self, question):
        self[question] = Future()
        return self[question]


@pytest.fixture
def pending():
    return PendingCalls()


def coalesced(submit, most, max_bytes=0, **how):
    """Return coalesced calls with a cache of `max_bytes`. An answer of one word takes about 560."""
    return CoalescedCalls(submit, CacheKind("answers", max_bytes), LocalShared(), most, **how)


def test_pending_call_is_submitted_once(pending):
    questions = coalesced(pending, most=1)
    answer = questions.submit("why?", "one")
    assert questions.submit("why?", "other") is answer
    assert answer is pending["why?"]


def test_calls_above_the_limit_are_refused(pending):
    questions = coalesced(pending, most=2, busy="Later.")
    for question in "who?", "when?":
        questions.submit(question)
    with pytest.raises(Busy, match="Later"):
        questions.submit("why?")
    pending["who?"].set_result("you")
    questions.submit("why?")
    assert list(pending) == ["who?", "when?", "why?"]


def test_calls_of_a_visitor_are_limited(pending):
    questions = coalesced(pending, most=9, each=1)
    questions.submit("who?", "one")
    with pytest.raises(Busy):
        questions.submit("why?", "one")
    questions.submit("why?", "other")


def test_last_answers_are_cached(pending):
    questions = coalesced(pending, most=1, max_bytes=1_200)
    for question in "who?", "when?", "why?":
        questions.submit(question)
        pending[question].set_result(question)
    pending.clear()
    assert questions.submit("when?").result() == "when?"
    assert questions.submit("why?").result() == "why?"
    assert not pending
    questions.submit("who?")
    assert list(pending) == ["who?"]


def test_call_without_a_cache_is_submitted_again(pending):
    questions = coalesced(pending, most=1)
    answer = questions.submit("why?")
    answer.set_result("so")
    assert questions.submit("why?") is not answer


class Elsewhere(LocalShared):
    """A cache whose answers all come from another process."""

    def get_local(self, kind, key):
        return None


def test_answer_cached_by_another_process_is_used(pending):
    shared, kind = Elsewhere(), CacheKind("answers", max_bytes=10_000, seconds=60)
    questions = CoalescedCalls(pending, kind, shared, most=1)
    shared.put(kind, "why?", "so")
    assert questions.submit("why?").result() == "so"
    assert not pending
    questions.submit("who?")
    pending["who?"].set_result("you")
    assert shared.get(kind, "who?") == "you"


def test_pending_call_skips_the_shared_cache(pending, monkeypatch):
    questions = coalesced(pending, most=1)
    answer = questions.submit("why?")
    monkeypatch.setattr(LocalShared, "get", None)
    assert questions.submit("why?") is answer


def failed(answer):
    answer.set_exception(OSError("the disk is full"))


@pytest.mark.parametrize("fail", [failed, Future.cancel])
def test_failure_is_not_cached(pending, fail):
    questions = coalesced(pending, most=1, max_bytes=10_000)
    answer = questions.submit("why?")
    fail(answer)
    assert questions.submit("why?") is not answer


def test_refused_call_takes_no_place():
    def refuse(question):
        raise Busy("The server is about to restart.", retry_after=10)

    questions = coalesced(refuse, most=1)
    for question in "who?", "why?":
        with pytest.raises(Busy, match="restart"):
            questions.submit(question)


def test_slot_is_released():
    room = threading.BoundedSemaphore(1)
    for _ in range(2):
        with slot(room) as first, slot(room) as second:
            assert (first, second) == (True, False)


def test_slot_is_released_after_an_error():
    room = threading.BoundedSemaphore(1)
    with pytest.raises(OSError, match="full"), slot(room):
        raise OSError("the disk is full")
    with slot(room) as found:
        assert found


def test_cache_evicts_the_least_recently_used():
    cache = Cache(25_000)
    for key in "abc":
        cache.put(key, key * 10_000)
        cache.get("a")
    assert [cache.get(key) and key for key in "abc"] == ["a", None, "c"]
    assert len(cache) == 2
    cache.put("a", "other")
    assert cache.get("a") == "other"


def test_cache_never_exceeds_its_bytes():
    cache = Cache(100_000)
    for number in range(1_000):
        cache.put(f"key {number}", ["x" * (number % 50), {number: b"y" * number}])
        assert cache.size <= 100_000
    assert 0 < len(cache) < 1_000
    cache.put("key 999", b"z" * 100_001)
    assert cache.get("key 999") is None, "a value that is too large takes no other's place"
    assert len(cache) > 0


def test_cached_function_is_called_once_for_equal_arguments():
    calls = []

    @cached(20_000)
    def double(text):
        calls.append(text)
        return 2 * text

    assert [double(text) for text in "aab"] == ["aa", "aa", "bb"]
    assert calls == ["a", "b"]
    double("long" * 5_000)
    double("a")
    assert calls == ["a", "b", "long" * 5_000], "the longest one is not cached"
    double("c" * 6_400)
    double("a")
    assert calls[-1] == "a", "it had to make room"
