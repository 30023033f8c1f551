"""A small PDDL validator: reads typed STRIPS actions and executes a plan.

It follows the definition of STRIPS. An action is possible if its precondition holds. Its effect
removes the denied facts from the state and adds the others.
"""

import re


def expression(text):
    """Return nested lists of the words of a bracketed expression."""
    words = re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text))
    stack = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word.lower())
    (only,) = stack[0]
    return only


def part(define, name):
    return next(one[1:] for one in define if one[0] == name)


def conjuncts(formula):
    return formula[1:] if formula[0] == "and" else [formula]


def typed(words):
    """Return the type of each name in `a b - tile c - cell`."""
    types, names = {}, []
    rest = iter(words)
    for word in rest:
        if word == "-":
            types.update(dict.fromkeys(names, next(rest)))
            names = []
        else:
            names.append(word)
    assert not names, "each name has a type"
    return types


class World:
    """The state of a problem, and the actions of its domain."""

    def __init__(self, domain, problem):
        domain, problem = expression(domain), expression(problem)
        assert part(problem, ":domain") == domain[1][1:]
        self.objects = typed(part(problem, ":objects"))
        self.state = {tuple(fact) for fact in part(problem, ":init")}
        self.goal = {tuple(fact) for fact in conjuncts(part(problem, ":goal")[0])}
        self.actions = {one[1]: one[2:] for one in domain if one[0] == ":action"}
        self.arity = {one[0]: typed(one[1:]) for one in part(domain, ":predicates")}
        for name, *arguments in self.state | self.goal:
            assert [self.objects[one] for one in arguments] == list(self.arity[name].values())

    def do(self, step):
        name, *arguments = expression(step)
        parts = self.actions[name]
        fields = dict(zip(parts[::2], parts[1::2], strict=True))
        types = typed(fields[":parameters"])
        assert [self.objects[one] for one in arguments] == list(types.values())
        values = dict(zip(types, arguments, strict=True))

        def filled(fact):
            return tuple(values.get(word, word) for word in fact)

        needed = {filled(fact) for fact in conjuncts(fields[":precondition"])}
        assert needed <= self.state, needed - self.state
        effects = conjuncts(fields[":effect"])
        denied = {filled(effect[1]) for effect in effects if effect[0] == "not"}
        self.state -= denied
        self.state |= {filled(effect) for effect in effects if effect[0] != "not"}

    @property
    def solved(self):
        return self.goal <= self.state
