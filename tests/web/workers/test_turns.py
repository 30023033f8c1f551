"""The order of waiting searches."""

from collections import Counter
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from webapp.workers.solvers import in_turn, to_displace


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


@given(st.lists(st.sampled_from("hso"), min_size=1, max_size=30), st.sampled_from("hsox"))
def test_displacing_evens_out_the_places_of_addresses(addresses, newcomer):
    jobs = [WaitingSearch("a", address, number) for number, address in enumerate(addresses)]
    before = Counter(addresses)
    while loser := to_displace(newcomer, jobs, jobs):
        places = Counter(one.address for one in jobs)
        assert places[loser.address] == max(places.values())
        assert loser.number == max(one.number for one in jobs if one.address == loser.address)
        jobs.remove(loser)
        jobs.append(WaitingSearch("n", newcomer, len(addresses) + loser.number))
    after = Counter(one.address for one in jobs)
    assert max(after.values()) <= max(after[newcomer] + 1, before[newcomer])
    assert after[newcomer] >= before[newcomer]


def test_newcomer_displaces_no_running_search():
    running = sent(*"abc", address="school")
    assert to_displace("home", running, []) is None
    (waiting,) = sent("d", address="office")
    assert to_displace("home", [*running, waiting], [waiting]) is None, "it has one place"
