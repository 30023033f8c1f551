"""The order in which searches that wait get their turn."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from webapp.workers.solvers import in_turn


class One(NamedTuple):
    visitor: str
    address: str
    number: int = 0


def sent(*visitors, address):
    return [One(visitor, address, number) for number, visitor in enumerate(visitors)]


def names(order):
    return "".join(one.visitor for one in order)


def test_those_of_one_visitor_keep_their_order():
    waiting = sent(*"aaa", address="home")
    assert in_turn(waiting) == waiting


def test_an_address_with_many_keeps_no_other_out():
    a_class = sent(*"aabbc", address="school")
    assert names(in_turn([*a_class, One("x", "home"), One("y", "office")])) == "axybcab"


def test_what_runs_is_a_turn_that_was_had():
    running = [One("a", "school")]
    assert names(in_turn([One("a", "school"), One("b", "school"), One("x", "home")], running)) == (
        "xba"
    )


@given(st.lists(st.builds(One, st.sampled_from("abc"), st.sampled_from("hs"), st.integers(0, 9))))
def test_nobody_is_lost(waiting):
    assert sorted(in_turn(waiting)) == sorted(waiting)
