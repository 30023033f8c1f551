"""Questions asked once, places to wait, and what is kept."""

import threading
from concurrent.futures import Future

import pytest

from webapp.http.cache import Cache, cached
from webapp.workers import Busy
from webapp.workers.helpers import CoalescedCalls, slot
from webapp.workers.shared import CacheKind, LocalShared


class Asked(dict):
    """The answers to come, by their questions, the last of each."""

    def __call__(self, question):
        self[question] = Future()
        return self[question]


@pytest.fixture
def asked():
    return Asked()


def questions_of(ask, most, kept=0, **how):
    """Return questions whose answers take `kept` bytes; one of a word takes some 560."""
    return CoalescedCalls(ask, CacheKind("answers", kept), LocalShared(), most, **how)


def test_a_question_under_way_is_asked_once(asked):
    questions = questions_of(asked, most=1)
    answer = questions.submit("why?", "one")
    assert questions.submit("why?", "other") is answer
    assert answer is asked["why?"]


def test_no_more_than_so_many_are_under_way(asked):
    questions = questions_of(asked, most=2, busy="Later.")
    for question in "who?", "when?":
        questions.submit(question)
    with pytest.raises(Busy, match="Later"):
        questions.submit("why?")
    asked["who?"].set_result("you")
    questions.submit("why?")
    assert list(asked) == ["who?", "when?", "why?"]


def test_a_visitor_leaves_room_for_others(asked):
    questions = questions_of(asked, most=9, each=1)
    questions.submit("who?", "one")
    with pytest.raises(Busy):
        questions.submit("why?", "one")
    questions.submit("why?", "other")


def test_the_last_answers_are_kept(asked):
    questions = questions_of(asked, most=1, kept=1_200)
    for question in "who?", "when?", "why?":
        questions.submit(question)
        asked[question].set_result(question)
    asked.clear()
    assert questions.submit("when?").result() == "when?"
    assert questions.submit("why?").result() == "why?"
    assert not asked
    questions.submit("who?")
    assert list(asked) == ["who?"]


def test_without_a_place_for_answers_they_are_asked_again(asked):
    questions = questions_of(asked, most=1)
    answer = questions.submit("why?")
    answer.set_result("so")
    assert questions.submit("why?") is not answer


class Elsewhere(LocalShared):
    """Has what another process keeps."""

    def get_local(self, kind, key):
        return None


def test_answer_cached_by_another_process_is_used(asked):
    shared, kind = Elsewhere(), CacheKind("answers", max_bytes=10_000, seconds=60)
    questions = CoalescedCalls(asked, kind, shared, most=1)
    shared.put(kind, "why?", "so")
    assert questions.submit("why?").result() == "so"
    assert not asked
    questions.submit("who?")
    asked["who?"].set_result("you")
    assert shared.get(kind, "who?") == "you"


def test_pending_call_skips_the_shared_cache(asked, monkeypatch):
    questions = questions_of(asked, most=1)
    answer = questions.submit("why?")
    monkeypatch.setattr(LocalShared, "get", None)
    assert questions.submit("why?") is answer


def failed(answer):
    answer.set_exception(OSError("the disk is full"))


@pytest.mark.parametrize("fail", [failed, Future.cancel])
def test_a_failure_is_not_kept(asked, fail):
    questions = questions_of(asked, most=1, kept=10_000)
    answer = questions.submit("why?")
    fail(answer)
    assert questions.submit("why?") is not answer


def test_refused_call_takes_no_place():
    def refuse(question):
        raise Busy("The server is about to restart.", retry_after=10)

    questions = questions_of(refuse, most=1)
    for question in "who?", "why?":
        with pytest.raises(Busy, match="restart"):
            questions.submit(question)


def test_a_place_is_given_back():
    room = threading.BoundedSemaphore(1)
    for _ in range(2):
        with slot(room) as first, slot(room) as second:
            assert (first, second) == (True, False)


def test_a_place_is_given_back_after_an_error():
    room = threading.BoundedSemaphore(1)
    with pytest.raises(OSError, match="full"), slot(room):
        raise OSError("the disk is full")
    with slot(room) as found:
        assert found


def test_a_cache_stores_what_was_used_last():
    cache = Cache(25_000)
    for key in "abc":
        cache.put(key, key * 10_000)
        cache.get("a")
    assert [cache.get(key) and key for key in "abc"] == ["a", None, "c"]
    assert len(cache) == 2
    cache.put("a", "other")
    assert cache.get("a") == "other"


def test_a_cache_is_never_larger_than_its_bytes():
    cache = Cache(100_000)
    for number in range(1_000):
        cache.put(f"key {number}", ["x" * (number % 50), {number: b"y" * number}])
        assert cache.size <= 100_000
    assert 0 < len(cache) < 1_000
    cache.put("key 999", b"z" * 100_001)
    assert cache.get("key 999") is None, "a value that is too large takes no other's place"
    assert len(cache) > 0


def test_a_cached_function_is_called_once_for_the_same_arguments():
    called = []

    @cached(20_000)
    def double(text):
        called.append(text)
        return 2 * text

    assert [double(text) for text in "aab"] == ["aa", "aa", "bb"]
    assert called == ["a", "b"]
    double("long" * 5_000)
    double("a")
    assert called == ["a", "b", "long" * 5_000], "the longest one is not cached"
    double("c" * 6_400)
    double("a")
    assert called[-1] == "a", "it had to make room"
