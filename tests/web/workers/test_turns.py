"""The order of waiting searches."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from webapp.workers.solvers import in_turn


class WaitingSearch(NamedTuple):
    visitor: str
    address: str
    number: int = 0


def sent(*visitors, address):
    return [WaitingSearch(visitor, address, number) for number, visitor in enumerate(visitors)]


def names(order):
    return "".join(one.visitor for one in order)


def test_searches_of_one_visitor_stay_in_order():
    waiting = sent(*"aaa", address="home")
    assert in_turn(waiting) == waiting


def test_busy_address_does_not_delay_others():
    a_class = sent(*"aabbc", address="school")
    assert (
        names(in_turn([*a_class, WaitingSearch("x", "home"), WaitingSearch("y", "office")]))
        == "axybcab"
    )


def test_running_search_counts_as_a_turn():
    running = [WaitingSearch("a", "school")]
    assert names(
        in_turn(
            [
                WaitingSearch("a", "school"),
                WaitingSearch("b", "school"),
                WaitingSearch("x", "home"),
            ],
            running,
        )
    ) == ("xba")


@given(
    st.lists(
        st.builds(WaitingSearch, st.sampled_from("abc"), st.sampled_from("hs"), st.integers(0, 9))
    )
)
def test_order_has_every_search(waiting):
    assert sorted(in_turn(waiting)) == sorted(waiting)
