"""How the kernels are compiled: numba's options, and why each of them.

A function that Python calls is an `entry_point`; it has a signature, so that it is compiled when
its module is imported, once and for all boards. What only entry points call is a `helper` or, if
that pays, `inlined`: numba compiles those along with their callers.

`_nrt=False`
    tells numba that a function makes no arrays. Else it counts references to those that it is
    given, by atomic additions at each call, and a search takes twice the time.
`nogil=True`
    lets other threads of Python run: those that answer while a search is under way, and the other
    cores of a shared search.
`forceinline=True`
    is for what runs at each expansion or successor of a search that keeps all its nodes: some of
    it was left as calls with dozens of arguments, and the search took a quarter more time.
`no_cpython_wrapper=True`, `no_cfunc_wrapper=True`
    leave out what neither Python nor C calls: a fifth of the time to compile.

Kernels take their arrays in named tuples. The compiler takes these apart, so that they cost
nothing; only a function that makes arrays counts references at each use of a member, and takes
the tuple apart before its loops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from slidewise.solver.kernels import cache, checksummed_cache

CACHE = cache.find()
"""Whether the kernels are compiled with a cache, which is found out when the first is loaded."""

_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

Function = TypeVar("Function", bound=Callable[..., Any])


def entry_point(signature: Any, *, makes_arrays: bool = False) -> Callable[[Function], Function]:
    """Compile a function that Python calls, for the one signature that it is called with.

    The compiled code is kept for the next process, where it can be.
    """

    def decorate(function: Function) -> Function:
        compiled = njit(function, nogil=True, _nrt=makes_arrays, no_cfunc_wrapper=True)
        compiled._cache = (
            checksummed_cache.cache_of(function) if CACHE else checksummed_cache.NoCache()
        )
        compiled.compile(signature)
        compiled.disable_compile()
        return cast("Function", compiled)

    return decorate


def helper(function: Function) -> Function:
    """Compile a function that makes no arrays, together with those that call it.

    Only compiled functions may call it: Python would end with a segmentation fault.
    """
    compiled: Function = njit(function, _nrt=False, **_NO_WRAPPERS)
    return compiled


def inlined(function: Function) -> Function:
    """Compile a function that makes no arrays into each place where it is called."""
    compiled: Function = njit(function, forceinline=True, _nrt=False, **_NO_WRAPPERS)
    return compiled


def tuple_type(of: Any, **members: Any) -> Any:
    """Return numba's type of a named tuple, given that of each member in their order."""
    if tuple(members) != of._fields:
        raise TypeError(f"{of.__name__} has the members {of._fields}, not {tuple(members)}")
    return types.NamedTuple(tuple(members.values()), of)


Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Uint8s = NDArray[np.uint8]
Uint16s = NDArray[np.uint16]
Uint32s = NDArray[np.uint32]
Uint64s = NDArray[np.uint64]


# In the order of `slidewise.solver.events.Fate`, which says what they mean.
KEPT, SHORTER, REACHED, WENT_BACK, OVER_DEPTH, OVER_F, MET = range(7)

NO_MOVE = -1
