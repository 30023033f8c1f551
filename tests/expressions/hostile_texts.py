"""Texts that are slow to match: each repeats a part of the expression and then fails."""

from itertools import product
from re import Pattern, _compiler, _parser

REPEATS = (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT)
CHARACTERS = "".join(map(chr, range(9, 127))) + "é²–\xa0\ufe0f│\0"
"""One character of each kind that expressions distinguish, beside those they name."""

FEW_KINDS = 7
"""Up to this number of kinds, each pair of kinds is repeated too."""

MOST_EXAMPLES = 4


def pumps(expression: Pattern[str]) -> set[tuple[str, str, str]]:
    """Return (start, unit, end) of texts: `start + unit * n + end` is hostile for large n."""
    tree = _parser.parse(expression.pattern, expression.flags)
    kinds = _kinds(tree, expression.flags)
    units = set(kinds.values())
    if len(units) <= FEW_KINDS:
        units |= {"".join(pair) for pair in product(units, repeat=2)}
    starts = {""}
    for before, body in _repeats(tree, "", kinds):
        starts.add(before)
        units |= set(_examples(body, kinds)) - {""}
    fits_nowhere = kinds.get(frozenset(), "!")
    return set(product(starts, units, {"", "!", "\n", fits_nowhere}))


def _atoms(tree):
    """Yield the parts that match one character."""
    for operation, argument in tree:
        if operation in (_parser.LITERAL, _parser.NOT_LITERAL, _parser.IN, _parser.ANY):
            yield operation, argument
        for part in _parts(operation, argument):
            yield from _atoms(part)


def _parts(operation, argument):
    """Return the expressions inside a part of an expression."""
    if operation in REPEATS:
        return [argument[2]]
    if operation is _parser.SUBPATTERN:
        return [argument[3]]
    if operation is _parser.BRANCH:
        return argument[1]
    if operation is _parser.ATOMIC_GROUP:
        return [argument]
    if operation in (_parser.ASSERT, _parser.ASSERT_NOT):
        return [argument[1]]
    return []


def _kinds(tree, flags):
    """Return an example character for each set of atoms, keyed by the set."""
    atoms = list({repr(atom): atom for atom in _atoms(tree)}.values())
    named = {chr(argument) for operation, argument in atoms if operation is _parser.LITERAL}
    single = [_compiler.compile(_parser.SubPattern(tree.state, [atom]), flags) for atom in atoms]
    kinds: dict[frozenset[int], str] = {}
    for character in [*sorted(named), *CHARACTERS]:
        matched = frozenset(n for n, atom in enumerate(single) if atom.match(character))
        kinds.setdefault(matched, character)
    return kinds


def _repeats(tree, before, kinds):
    """Yield the repeatable parts, each with an example of the text before it."""
    for operation, argument in tree:
        if operation in REPEATS and argument[1] > 1:
            yield before, argument[2]
        for part in _parts(operation, argument):
            yield from _repeats(part, before, kinds)
        before += next(iter(_examples([(operation, argument)], kinds)), "")


def _examples(tree, kinds):
    """Return a few short texts that match an expression."""
    found = [""]
    for operation, argument in tree:
        found = [
            before + after
            for before, after in product(found, _examples_of(operation, argument, kinds))
        ][:MOST_EXAMPLES]
    return found


def _examples_of(operation, argument, kinds):
    if operation in REPEATS:
        return [text * max(1, argument[0]) for text in _examples(argument[2], kinds)]
    if operation is _parser.BRANCH:
        return [text for part in argument[1] for text in _examples(part, kinds)][:MOST_EXAMPLES]
    if operation in (_parser.SUBPATTERN, _parser.ATOMIC_GROUP):
        return _examples(_parts(operation, argument)[0], kinds)
    if operation is _parser.LITERAL:
        return [chr(argument)]
    if operation in (_parser.NOT_LITERAL, _parser.IN, _parser.ANY):
        single = _compiler.compile(_parser.SubPattern(_parser.State(), [(operation, argument)]))
        return [example for example in kinds.values() if single.match(example)][:MOST_EXAMPLES]
    return [""]
