"""Expressions: accepted and refused texts, and values equal to Python's arithmetic."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slidewise import Board, ExpressionError, find_heuristic, standard_goal
from slidewise.solver.own.heuristic import own_heuristic
from slidewise.solver.own.parse import (
    BOUND,
    EXPRESSION_CHARACTERS,
    HIGHEST_NUMBER,
    NESTING_LEVELS,
    names_in,
    parse,
)
from tests.each import each
from tests.solver import oracle
from tests.solver.own.reference import REFERENCE

SIGNS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}
TIGHT = {"<": 1, "<=": 1, ">": 1, ">=": 1, "==": 1, "!=": 1, "+": 2, "-": 2}


def bracketed(part, level):
    return part[0] if part[2] >= level else f"({part[0]})"


def binary(parts):
    """Join two parts (text, meaning, level) with the required brackets."""
    sign, left, right = parts
    level = TIGHT.get(sign, 3)
    text = f"{bracketed(left, level + (level == 1))}{sign} {bracketed(right, level + 1)}"
    return text, lambda names: SIGNS[sign](held(left, names), held(right, names)), level


def divided(parts):
    sign, left, number = parts
    text = f"{bracketed(left, 3)} {sign}{number}"
    if sign == "//":
        return text, lambda names: held(left, names) // number, 3
    return text, lambda names: held(left, names) % number, 3


def called(parts):
    function, arguments = parts
    text = f"{function} ({' , '.join(part[0] for part in arguments)})"
    known = {"max": max, "min": min}[function]
    return text, lambda names: known(held(part, names) for part in arguments), 5


def held(part, names):
    return max(-BOUND, min(BOUND, part[1](names)))


def leaf_of_number(number):
    return str(number), lambda _: number, 5


def leaf_of_name(name):
    return name, lambda names: names[name], 5


LEAVES = st.integers(0, 999_999).map(leaf_of_number) | st.sampled_from(
    ["manhattan", "misplaced", "inversions", "gaschnig", "max_distance"]
).map(leaf_of_name)
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda parts: st.one_of(
        st.tuples(st.sampled_from(list(SIGNS)), parts, parts).map(binary),
        st.tuples(st.sampled_from(["//", "%"]), parts, st.integers(1, 30)).map(divided),
        st.tuples(st.sampled_from(["max", "min"]), st.lists(parts, min_size=2, max_size=3)).map(
            called
        ),
        parts.map(lambda part: (f"-{bracketed(part, 4)}", lambda names: -held(part, names), 4)),
        parts.map(lambda part: (f"abs({part[0]})", lambda names: abs(held(part, names)), 5)),
    ),
    max_leaves=8,
).filter(lambda part: len(part[0]) < EXPRESSION_CHARACTERS // 2)
BOARDS = st.sampled_from(
    [Board(2, 3, cells) for cells in oracle.distances((1, 2, 3, 4, 5, 0), 2, 3)]
)


@settings(max_examples=150)
@given(EXPRESSIONS, BOARDS)
def test_expression_has_the_value_of_python(part, board):
    goal = standard_goal(2, 3)
    known = {name: REFERENCE[name](board.cells, goal.cells, 3) for name in names_in(parse(part[0]))}
    expected = max(0, min(255, held(part, known)))
    assert own_heuristic(f"={part[0]}").build(goal).value(board) == expected


@given(EXPRESSIONS)
def test_canonical_form_is_read_as_the_same(part):
    tree = parse(part[0])
    assert parse(str(tree)) == tree
    assert own_heuristic(f"={part[0]}").key == f"={tree}"


ANY_TEXT = st.text(max_size=60) | st.text(alphabet="max(),mnhtd_-+*/%<>=!0123 .@'", max_size=330)
PIECES = st.lists(
    st.sampled_from(
        [*SIGNS, "(", ")", ",", "//", "%", "max", "abs", "manhattan", "2", "__import__"]
    )
).map(" ".join)


@given(ANY_TEXT | PIECES)
def test_garbage_raises_only_the_documented_error(text):
    tree = None
    with contextlib.suppress(ExpressionError):
        tree = parse(text)
    if tree is not None:
        assert parse(str(tree)) == tree
        assert len(str(tree)) <= EXPRESSION_CHARACTERS


@each(
    ("text", "message"),
    [
        ("@", r"expected a name such as manhattan, a number or a bracket at '@' \(character 1\)"),
        ("max(manhattan", r"or the closing bracket \) at the end"),
        ("", "expected a name such as manhattan, a number or a bracket at the end"),
        ("manhatan + 1", r"no name 'manhatan'; did you mean manhattan\? \(character 1\)"),
        ("linear-conflict", "did you mean linear_conflict"),
        ("xyzzy", "no name 'xyzzy'; the names are euclidean, exact, linear_conflict, "),
        ("manhattan / 2", r"at '/'; only whole numbers are allowed: write // .* \(character 11\)"),
        ("1.5 * manhattan", r"at '\.'; only whole numbers are allowed \(character 2\)"),
        ("manhattan = 2", "write == to compare"),
        ("manhattan // 0", r"expected a number above 0 after // at '0' \(character 14\)"),
        ("manhattan % misplaced", "expected a number above 0 after % at 'misplaced'"),
        ("1 < 2 < 3", r"expected a sign such as \+ or the end at '<' \(character 7\)"),
        ("max(1)", "max takes two values or more, but here it has 1"),
        ("abs(1, 2)", "abs takes one, but here it has 2"),
        ("max", r"expected a bracket \( after max at the end"),
        (str(HIGHEST_NUMBER + 1), f"numbers go up to {HIGHEST_NUMBER:,}"),
        ("manhattan.__class__", r"at '\.'"),
        ("__import__('os')", "no name '__import__'"),
        ("\N{FULLWIDTH DIGIT ONE} + 1", r"at '.' \(character 1\)"),
        ("(" * 25 + "1" + ")" * 25, f"brackets can be nested up to {NESTING_LEVELS} levels"),
        ("-" * 100 + "1", f"nested up to {NESTING_LEVELS} levels"),
        ("1+" * 120 + "1", f"an expression can have up to {EXPRESSION_CHARACTERS} characters"),
        ("1" * 400, f"up to {EXPRESSION_CHARACTERS} characters; this one has 400"),
    ],
)
def test_unreadable_expression_is_an_error(text, message):
    with pytest.raises(ExpressionError, match=message):
        find_heuristic(f"={text}")


def test_largest_expression_is_evaluated():
    text = "*".join(["999999"] * 22)
    goal = standard_goal(2, 2)
    assert own_heuristic(f"={text}").value(goal, goal) == 255
    assert own_heuristic(f"=-{text}").value(goal, goal) == 0
