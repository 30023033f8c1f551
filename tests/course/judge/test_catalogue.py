"""The catalogue of mistakes and its readers."""

from collections import Counter

from slidewise.course.judge.catalogue import catalogue
from tests.course.judge.readers import READERS


def test_each_mistake_has_a_reader_and_each_key_a_mistake():
    named = set().union(*(keys() for keys in READERS.values()))
    assert named == set(catalogue())


def test_no_two_mistakes_have_the_same_title():
    titles = Counter(one.title for one in catalogue().values())
    assert [title for title, number in titles.items() if number > 1] == []
