"""Questions asked once, places to wait, and what is kept."""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from webapp.workers import Busy
from webapp.workers.cache import Cache
from webapp.workers.questions import Questions, slot
from webapp.workers.shared import Kind, LocalShared


class Asked(dict):
    """The answers to come, by their questions, the last of each."""

    def __call__(self, question):
        self[question] = Future()
        return self[question]


@pytest.fixture
def asked():
    return Asked()


def questions_of(ask, most, kept=0, **how):
    return Questions(ask, Kind("answers", kept), LocalShared(), most, **how)


def test_a_question_under_way_is_asked_once(asked):
    questions = questions_of(asked, most=1)
    answer = questions.ask("why?", "one")
    assert questions.ask("why?", "other") is answer
    assert answer is asked["why?"]


def test_no_more_than_so_many_are_under_way(asked):
    questions = questions_of(asked, most=2, busy="Later.")
    for question in "who?", "when?":
        questions.ask(question)
    with pytest.raises(Busy, match="Later"):
        questions.ask("why?")
    asked["who?"].set_result("you")
    questions.ask("why?")
    assert list(asked) == ["who?", "when?", "why?"]


def test_a_visitor_leaves_room_for_others(asked):
    questions = questions_of(asked, most=9, each=1)
    questions.ask("who?", "one")
    with pytest.raises(Busy):
        questions.ask("why?", "one")
    questions.ask("why?", "other")


def test_the_last_answers_are_kept(asked):
    questions = questions_of(asked, most=1, kept=2)
    for question in "who?", "when?", "why?":
        questions.ask(question)
        asked[question].set_result(question)
    asked.clear()
    assert questions.ask("when?").result() == "when?"
    assert questions.ask("why?").result() == "why?"
    assert not asked
    questions.ask("who?")
    assert list(asked) == ["who?"]


def test_without_a_place_for_answers_they_are_asked_again(asked):
    questions = questions_of(asked, most=1)
    answer = questions.ask("why?")
    answer.set_result("so")
    assert questions.ask("why?") is not answer


class Elsewhere(LocalShared):
    """Has what another process keeps."""

    def get_here(self, kind, key):
        return None


def test_what_another_process_has_found_out_is_not_asked(asked):
    shared, kind = Elsewhere(), Kind("answers", most=9, seconds=60)
    questions = Questions(asked, kind, shared, most=1)
    shared.put(kind, "why?", "so")
    assert questions.ask("why?").result() == "so"
    assert not asked
    questions.ask("who?")
    asked["who?"].set_result("you")
    assert shared.get(kind, "who?") == "you"


def test_what_is_under_way_here_is_not_looked_for_elsewhere(asked, monkeypatch):
    questions = questions_of(asked, most=1)
    answer = questions.ask("why?")
    monkeypatch.setattr(LocalShared, "get", None)
    assert questions.ask("why?") is answer


def failed(answer):
    answer.set_exception(OSError("the disk is full"))


@pytest.mark.parametrize("fail", [failed, Future.cancel])
def test_a_failure_is_not_kept(asked, fail):
    questions = questions_of(asked, most=1, kept=9)
    answer = questions.ask("why?")
    fail(answer)
    assert questions.ask("why?") is not answer


def test_what_cannot_be_asked_takes_no_room():
    def refuse(question):
        raise Busy("The server is about to restart.", retry_after=10)

    questions = questions_of(refuse, most=1)
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
