import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise import InvalidMovesError
from slidewise.puzzle.game import MAX_RECENT, MIN_RECENT, NO_SLIDES, Slides, one_by_one
from slidewise.puzzle.moves import parse_moves

SLIDE = st.sampled_from("UDLR"), st.sampled_from(["", "2", "9"])
SLIDES = st.lists(st.tuples(*SLIDE).map("".join), max_size=60)


@given(SLIDES, st.integers(1, 30), st.integers(0, 1900))
def test_packed_and_unpacked_slides_are_last_in_first_out(few, times, gone):
    many = few * times
    slides = Slides.of("".join(many))
    for slide in few:
        slides, many = slides.add(slide), [*many, slide]
    for _ in range(min(gone, len(many))):
        assert slides.last == many.pop()
        slides = slides.without_last()
    text = "".join(many)
    assert (slides.text, slides.moves) == (text, len(parse_moves(text)))
    assert slides == Slides.of(text)
    assert one_by_one(text) == many
    assert len(slides.recent) <= MAX_RECENT + 1
    assert not slides.packed or len(slides.recent) >= MIN_RECENT


@pytest.mark.parametrize("length", [MAX_RECENT - 1, MAX_RECENT, MAX_RECENT + 1])
def test_slides_are_packed_above_the_most_characters(length):
    slides = Slides.of("U" * (length - 1)).add("D")
    assert len(slides.recent) == (MIN_RECENT if length > MAX_RECENT else length)
    assert bool(slides.packed) == (length > MAX_RECENT)


def test_slides_are_unpacked_below_the_fewest_characters():
    slides = Slides.of("U" * 5000).add("D").without_last()
    packed = slides.packed
    while slides.packed == packed:
        assert len(slides.recent) >= MIN_RECENT
        slides = slides.without_last()
    assert len(slides.recent) == MAX_RECENT


@given(st.integers(0, 700))
def test_packed_text_of_any_length_is_unpacked(length):
    text = "".join(random.Random(length).choices("UDLR", k=MAX_RECENT + length))
    assert Slides.of(text).text == text


@pytest.mark.parametrize("after", range(12))
def test_slide_is_packed_as_a_whole(after):
    """With `after` moves at the end, the cut falls on each character of a slide."""
    text = "L12R9" * 200 + "U" * after
    slides = Slides.of(text)
    assert slides.text == text
    assert slides.packed
    assert slides.recent[0] in "LR"
    assert MAX_RECENT <= len(slides.recent) < MAX_RECENT + len("L12")
    assert slides.without_oldest(1).text == text[len("L12") :]


def test_slides_differ_from_their_text():
    assert Slides.of("L3") != "L3"


def test_invalid_slide_is_refused():
    with pytest.raises(InvalidMovesError):
        Slides.of("north")
    assert not NO_SLIDES
