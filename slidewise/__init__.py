"""Slidewise: sliding-tile puzzles, and searches that solve them.

>>> import slidewise
>>> puzzle = slidewise.parse_puzzle("7.2.4-5.0.6-8.3.1_0.1.2-3.4.5-6.7.8")
>>> print(slidewise.solve(puzzle).outcome)
optimal

This is the whole public interface. Submodules may change. The first use of a name loads the
library, and a longer search numpy and numba.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slidewise.public import *  # noqa: F403  # for readers and checkers of types


def __getattr__(name: str) -> Any:
    """Load all public names at the first use of any (PEP 562).

    So the command handles Ctrl-C before the library is imported, which takes tenths of a second.
    """
    # Python itself looks for names such as __path__, which must not load the library.
    if name.startswith("__") and name not in ("__all__", "__version__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public = import_module("slidewise.public")
    names = globals()
    loaded = {key: value for key, value in vars(public).items() if key in public.__all__}
    names.update(loaded, __all__=public.__all__)
    # `names.update` leaves these out, because their modules are not imported with `public`.
    if name in public.LATE:
        names[name] = getattr(import_module(public.LATE[name]), name)
    if name not in names:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return names[name]


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return sorted(import_module("slidewise.public").__all__)
