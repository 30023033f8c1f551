"""Questions asked once, places to wait, and what is kept."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from webapp.workers import Busy
from webapp.workers.cache import Cache
from webapp.workers.questions import Questions, slot


class Asked(dict):
    """The answers to come, by their questions, the last of each."""

    def __call__(self, question):
        self[question] = Future()
        return self[question]


@pytest.fixture
def asked():
    return Asked()


def test_a_question_under_way_is_asked_once(asked):
    questions = Questions(asked, most=1)
    answer = questions.ask("why?", "one")
    assert questions.ask("why?", "other") is answer
    assert answer is asked["why?"]


def test_no_more_than_so_many_are_under_way(asked):
    questions = Questions(asked, most=2, busy="Later.")
    for question in "who?", "when?":
        questions.ask(question)
    with pytest.raises(Busy, match="Later"):
        questions.ask("why?")
    asked["who?"].set_result("you")
    questions.ask("why?")
    assert list(asked) == ["who?", "when?", "why?"]


def test_a_visitor_leaves_room_for_others(asked):
    questions = Questions(asked, most=9, each=1)
    questions.ask("who?", "one")
    with pytest.raises(Busy):
        questions.ask("why?", "one")
    questions.ask("why?", "other")


def test_the_last_answers_are_kept(asked):
    questions = Questions(asked, most=1, kept=2)
    for question in "who?", "when?", "why?":
        questions.ask(question)
        asked[question].set_result(question)
    answers = dict(asked)
    assert questions.ask("when?") is answers["when?"]
    assert questions.ask("why?") is answers["why?"]
    assert questions.ask("who?") is not answers["who?"]


def test_without_a_place_for_answers_they_are_asked_again(asked):
    questions = Questions(asked, most=1)
    answer = questions.ask("why?")
    answer.set_result("so")
    assert questions.ask("why?") is not answer


def failed(answer):
    answer.set_exception(OSError("the disk is full"))


@pytest.mark.parametrize("fail", [failed, Future.cancel])
def test_a_failure_is_not_kept(asked, fail):
    questions = Questions(asked, most=1, kept=9)
    answer = questions.ask("why?")
    fail(answer)
    assert questions.ask("why?") is not answer


def test_what_cannot_be_asked_takes_no_room():
    def refuse(question):
        raise Busy("The server is about to restart.", retry_after=10)

    questions = Questions(refuse, most=1)
    for question in "who?", "why?":
        with pytest.raises(Busy, match="restart"):
            questions.ask(question)


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


def test_what_was_used_last_is_kept():
    kept = Cache(2)
    for key in "abc":
        kept.put(key, key.upper())
        kept.get("a")
    assert [kept.get(key) for key in "abc"] == ["A", None, "C"]
    assert len(kept) == 2
    kept.put("a", "other")
    assert kept.get("a") == "other"
