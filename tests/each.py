"""Cases of a test: many in one test if each is short, or only some if each is long."""

import functools
import inspect

import pytest


def each(names, cases):
    """Run a test once for all cases, like `parametrize`; a failure names its case.

    All cases share the fixtures of the test.
    """
    names = (names,) if isinstance(names, str) else tuple(names)
    cases = [case if len(names) > 1 else (case,) for case in cases]
    assert cases, "a test of nothing"

    def decorate(test):
        signature = inspect.signature(test)
        assert set(names) <= set(signature.parameters), names
        rest = [value for name, value in signature.parameters.items() if name not in names]

        @functools.wraps(test)
        def run_all(**fixtures):
            for case in cases:
                values = dict(zip(names, case, strict=True))
                try:
                    test(**fixtures, **values)
                except BaseException as error:
                    error.add_note(f"in the case of {values!r:.500}")
                    raise

        run_all.__signature__ = signature.replace(parameters=rest)
        return run_all

    return decorate


def some(cases, *shown):
    """Return the cases for `parametrize`: those at `shown` always run, the others in `make soak`
    only. They take the same path through the code, and differ in their output."""
    cases = list(cases)
    assert set(shown) < set(range(len(cases))), "no such case, or nothing left for the soak"
    return [case if at in shown else _in_soak(case) for at, case in enumerate(cases)]


def _in_soak(case):
    values = case if type(case) is tuple else (case,)
    return pytest.param(*values, marks=pytest.mark.soak)
