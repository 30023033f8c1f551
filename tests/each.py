"""The cases of a test: many in one where each takes little, or only some where each takes long."""

import functools
import inspect

import pytest


def each(names, cases):
    """Run a test for each of these cases, as `parametrize` does; a failure says for which one.

    All of them share the fixtures of the test.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    cases = [case if len(names) > 1 else (case,) for case in cases]
    assert cases, "a test of nothing"

    def decorate(test):
        signature = inspect.signature(test)
        assert set(names) <= set(signature.parameters), names
        rest = [value for name, value in signature.parameters.items() if name not in names]

        @functools.wraps(test)
        def of_all(**fixtures):
            for case in cases:
                values = dict(zip(names, case, strict=True))
                try:
                    test(**fixtures, **values)
                except BaseException as error:
                    error.add_note(f"in the case of {values!r:.500}")
                    raise

        of_all.__signature__ = signature.replace(parameters=rest)
        return of_all

    return decorate


def some(cases, *shown):
    """Return the cases for `parametrize`, of which those at `shown` run always, and the others in
    `make soak` alone: they go the same way through the code, and differ in what they show."""
    cases = list(cases)
    assert set(shown) < set(range(len(cases))), "no such case, or nothing left for the soak"
    return [case if at in shown else _of_soak(case) for at, case in enumerate(cases)]


def _of_soak(case):
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.soak)
