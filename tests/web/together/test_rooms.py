"""Rooms in the memory of the process and in Redis."""

import json
import math
import re
import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import parse_puzzle
from tests.web.streams import PATIENCE
from webapp.http.responses import Busy
from webapp.together import rooms as module
from webapp.together.rooms import (
    ANIMALS,
    COUNTDOWN_MS,
    HAND_MS,
    MAX_GAME_TEXT,
    MAX_PLAYERS,
    MIN_MARKED,
    LocalRooms,
    NoRoomError,
    RedisRooms,
    RoomFullError,
    Rooms,
    Seat,
    new_id,
)
from webapp.workers.redis import shared as redis_module
from webapp.workers.redis.shared import RedisShared, connect

PUZZLE = parse_puzzle("1.2.3-4.0.6-7.5.8")


@pytest.fixture
def processes(redis_url, monkeypatch):
    """Return two web processes that share a Redis."""
    monkeypatch.setattr(redis_module, "ANSWER_SECONDS", PATIENCE)
    return [Rooms(RedisRooms(RedisShared(connect(redis_url)))) for _ in range(2)]


@pytest.fixture(params=["local", "redis"])
def rooms(request):
    if request.param == "local":
        return Rooms(LocalRooms())
    return request.getfixturevalue("processes")[0]


def join(rooms, room, visitor):
    return rooms.join(rooms.find(room.id), room.player_named(visitor))


def solve(rooms, room, visitor, *tiles):
    """Slide tiles in a visitor's game and return the resulting room."""
    for tile in tiles:
        room = rooms.find(room.id)
        seat = room.seat_of(room.player_named(visitor))
        rooms.save(room, seat, room.game_of(seat).slide(tile, now=0))
    return rooms.find(room.id)


# The mark of a place


@given(st.lists(st.integers(0, 60), min_size=1, max_size=40))
def test_mark_follows_the_median_gap(gaps):
    """The first move has no gap, and counts as slow."""
    seat, at = Seat(0, "a"), 10**12
    for gap in gaps:
        at += gap
        seat = seat.with_action(at)
    median = statistics.median_high([math.inf, *gaps[1:]])
    assert seat.is_marked == (len(gaps) >= MIN_MARKED and median < HAND_MS)
    assert Seat(0, *json.loads(seat.text)) == seat


def test_actions_before_the_last_one_have_no_gap():
    seat = Seat(0, "a").with_action(1_000).with_action(400)
    assert (seat.actions, seat.quick, seat.acted) == (2, 1, 1_000)


# Both


def test_host_is_the_first_player_unless_it_watches(rooms):
    room = rooms.find(rooms.create(PUZZLE, "ann").id)
    assert room.puzzle == PUZZLE
    assert [seat.player for seat in room.players] == [room.player_named("ann")]
    assert "ann" not in str(room)
    watched = rooms.find(rooms.create(PUZZLE, "ann", watches=True).id)
    assert watched.players == []
    assert watched.is_led_by(watched.player_named("ann"))
    watched = join(rooms, watched, "bob")
    assert not watched.is_led_by(watched.player_named("bob"))


def test_player_joining_twice_has_one_seat(rooms):
    room = rooms.create(PUZZLE, "ann")
    for visitor in "bob", "ann", "bob":
        joined = join(rooms, room, visitor)
        assert joined.seat_of(room.player_named(visitor))
    assert len(rooms.find(room.id).players) == 2


def test_thirty_join_at_once_and_the_next_is_refused(rooms):
    room = rooms.create(PUZZLE, "0", watches=True)
    with ThreadPoolExecutor(8) as threads:
        names = [str(number) for number in range(1, MAX_PLAYERS + 1)]
        list(threads.map(lambda name: join(rooms, room, name), names))
    players = rooms.find(room.id).players
    assert {seat.player for seat in players} == {room.player_named(name) for name in names}
    assert len({room.animal(seat) for seat in players}) == MAX_PLAYERS
    with pytest.raises(RoomFullError):
        join(rooms, room, "one more")


def test_start_is_set_once(rooms):
    room = rooms.create(PUZZLE, "ann")
    started = rooms.start(room)
    assert rooms.start(room).starts == started.starts == rooms.find(room.id).starts
    assert not started.has_started(started.starts - 1)
    assert started.has_started(started.starts)
    assert started.starts - COUNTDOWN_MS <= module.now_ms()


def test_join_after_the_start_has_no_seat(rooms):
    room = rooms.start(rooms.create(PUZZLE, "ann"))
    assert join(rooms, room, "bob").seat_of(room.player_named("bob")) is None


def test_closed_page_changes_no_seat(rooms):
    room = rooms.create(PUZZLE, "ann")
    player = room.player_named("ann")
    for away in (True, True, False, True):
        rooms.set_away(rooms.find(room.id), player, away=away)
        found = rooms.find(room.id)
        assert found.is_away(found.seats[0]) == away
        assert found.seats == room.seats
    left = rooms.leave(rooms.find(room.id), player)
    assert not left.is_away(left.seats[0])


def test_places_are_by_time_and_then_by_moves(rooms, monkeypatch):
    times = iter([5_000, 5_009, 5_009, 5_010])
    room = rooms.create(PUZZLE, "ann")
    for visitor in "bob", "cleo", "dan", "eve":
        join(rooms, room, visitor)
    rooms.start(room)
    monkeypatch.setattr(module, "now_ms", lambda: next(times))
    solve(rooms, room, "bob", 5, 5, 5, 8)
    solve(rooms, room, "cleo", 5, 8)
    solve(rooms, room, "dan", 5, 8)
    room = solve(rooms, room, "eve", 5, 8)
    places = {
        visitor: room.places().get(room.seat_of(room.player_named(visitor)).number)
        for visitor in ("ann", "bob", "cleo", "dan", "eve")
    }
    assert places == {"ann": None, "bob": 3, "cleo": 1, "dan": 1, "eve": 4}
    assert not room.is_over
    monkeypatch.setattr(module, "now_ms", lambda: 6_000)
    assert solve(rooms, room, "ann", 5, 8).is_over


def test_slower_request_of_a_player_does_not_overwrite(rooms):
    room = rooms.create(PUZZLE, "ann")
    seat = room.players[0]
    game = room.game_of(seat)
    first = rooms.save(room, seat, game.slide(5, now=0))
    second = rooms.save(room, seat, game.slide(6, now=0))
    assert second.game_of(second.players[0]).board == first.game_of(first.players[0]).board
    assert rooms.find(room.id).game_of(rooms.find(room.id).players[0]).made == "U"


def test_player_leaving_during_a_move_has_left(rooms):
    room = rooms.create(PUZZLE, "ann")
    join(rooms, room, "bob")
    read = rooms.start(rooms.find(room.id))
    ann = read.seat_of(room.player_named("ann"))
    rooms.save(read, ann, read.game_of(ann).slide(5, now=0))
    assert rooms.leave(read, ann.player).seat_of(ann.player) is None, "a move was faster"
    saved = rooms.find(room.id)
    assert saved.game_of(saved.players[0]).made == "U"
    rooms.save(read, ann, read.game_of(ann).slide(6, now=0))
    assert rooms.find(room.id) == saved, "a move that comes later changes nothing"
    assert not saved.is_over
    assert solve(rooms, room, "bob", 5, 8).is_over
    after = rooms.find(rooms.follow(rooms.find(room.id), "bob", lambda: PUZZLE))
    assert [seat.player for seat in after.seats.values()] == [room.player_named("bob")]


def test_next_room_is_single_with_the_same_seats_and_animals(rooms):
    room = rooms.create(PUZZLE, "ann")
    join(rooms, room, "bob")
    other = parse_puzzle("1.2.3-4.5.6-0.7.8")
    old = rooms.find(room.id)
    following = rooms.follow(old, "bob", lambda: other)
    assert rooms.follow(rooms.find(room.id), "ann", lambda: PUZZLE) == following
    assert rooms.follow(old, "ann", lambda: PUZZLE) == following, "another was faster"
    after = rooms.find(following)
    assert after.puzzle == other
    assert [seat.player for seat in after.players] == [room.player_named("bob")]
    join(rooms, after, "cleo")
    after = rooms.arrive(rooms.find(following), room.player_named("ann"))
    for visitor in "ann", "bob":
        seats = [one.seat_of(room.player_named(visitor)) for one in (old, after)]
        assert old.animal(seats[0]) == after.animal(seats[1])
    assert len({after.animal(seat) for seat in after.players}) == 3


def test_reserved_seats_are_given_away_when_no_other_is_free(rooms):
    room = rooms.create(PUZZLE, "0")
    for number in range(1, MAX_PLAYERS):
        join(rooms, room, str(number))
    after = rooms.find(rooms.follow(rooms.find(room.id), "0", lambda: PUZZLE))
    join(rooms, after, "new")
    assert len(rooms.find(after.id).players) == 2


@pytest.mark.parametrize("room", ["", "x", "0000-00000-0000", "../x", "A" * 10_000, "é"])
def test_unknown_room_is_gone(rooms, room):
    with pytest.raises(NoRoomError):
        rooms.find(room)


def test_long_game_forgets_its_oldest_moves(rooms):
    room = rooms.create(PUZZLE, "ann")
    seat = room.players[0]
    game = room.game_of(seat)
    for number in range(3_000):
        moves = game.board.movable
        game = game.slide(sorted(moves)[number * number % len(moves)], now=0)
        if game.solved:
            game = game.undo(now=0)
    saved = rooms.save(room, seat, game)
    assert len(saved.players[0].game) <= MAX_GAME_TEXT
    assert saved.game_of(saved.players[0]).move_count == game.move_count


# One process


def test_ids_are_unlike_and_readable():
    ids = {new_id() for _ in range(1_000)}
    assert len(ids) == 1_000
    assert all(re.fullmatch("[0-9a-hjkmnp-tv-z]{4}-[0-9a-z]{5}-[0-9a-z]{4}", one) for one in ids)


def test_animals_are_different_words():
    assert len(set(ANIMALS)) == len(ANIMALS) >= MAX_PLAYERS
    assert all(animal.isalpha() and animal.istitle() for animal in ANIMALS)


def test_room_is_gone_an_hour_after_its_last_change():
    clock = [0.0]
    rooms = Rooms(LocalRooms(now=lambda: clock[0]))
    room = rooms.create(PUZZLE, "ann")
    clock[0] = module.LIFETIME_SECONDS - 1
    join(rooms, room, "bob")
    clock[0] += module.LIFETIME_SECONDS - 1
    room = rooms.note_poll(rooms.find(room.id), room.player_named("ann"))
    clock[0] += 2
    with pytest.raises(NoRoomError):
        rooms.find(room.id)
    with pytest.raises(NoRoomError):
        rooms.start(room)


def test_memory_of_many_rooms_is_bounded(monkeypatch):
    monkeypatch.setattr(module, "ROOMS_BYTES", 100_000)
    store = LocalRooms()
    rooms = Rooms(store)
    watched = rooms.create(PUZZLE, "ann")
    made = []
    for number in range(1_000):
        made.append(rooms.create(PUZZLE, str(number)))
        rooms.find(watched.id)
    assert store.size <= 100_000
    with pytest.raises(NoRoomError):
        rooms.find(made[0].id)
    rooms.find(made[-1].id)


def test_size_of_local_rooms_is_that_of_their_fields():
    store = LocalRooms()
    rooms = Rooms(store)
    room = rooms.create(PUZZLE, "ann")
    solve(rooms, room, "ann", 5, 8)
    join(rooms, room, "bob")
    assert store.size == module._size(store.read(room.id))


def test_processes_share_rooms_in_redis_for_an_hour(processes, redis_url):
    here, there = processes
    room = here.create(PUZZLE, "ann")
    join(there, room, "bob")
    assert len(here.find(room.id).players) == 2
    redis = connect(redis_url)
    (key,) = redis.keys()
    assert 0 < redis.ttl(key) <= module.LIFETIME_SECONDS
    assert b"ann" not in b"".join(redis.hgetall(key).values())
    redis.flushall()
    with pytest.raises(NoRoomError):
        there.find(room.id)
    with pytest.raises(NoRoomError):
        there.start(room)


def test_rooms_in_a_lost_redis_are_busy_and_not_gone(redis_url, monkeypatch):
    shared = RedisShared(connect(redis_url))
    rooms = Rooms(RedisRooms(shared))
    room = rooms.create(PUZZLE, "ann")
    monkeypatch.setattr(shared, "attempt", lambda command: None)
    with pytest.raises(Busy):
        rooms.find(room.id)
    with pytest.raises(Busy):
        rooms.start(replace(room))
