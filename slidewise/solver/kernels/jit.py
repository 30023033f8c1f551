"""Compilation of the kernels: numba's options and their reasons.

A function called from Python is an `entry_point`. Its signature makes numba compile it on import,
once for all boards. A function called only by entry points is a `helper` or, for speed, `inlined`.
numba compiles these with their callers.

`_nrt=False`
    declares that a function allocates no arrays. Otherwise numba counts references to its arguments
    with atomic additions at each call, and a search takes twice the time.
`nogil=True`
    lets other Python threads run: request threads during a search, and the other cores of a
    parallel search.
`forceinline=True`
    is for code per expansion or successor of a search that stores all nodes. Without it some calls
    with dozens of arguments remained, and the search took a quarter more time.
`no_cpython_wrapper=True`, `no_cfunc_wrapper=True`
    omit unused Python and C wrappers, which saves a fifth of the compile time.

Kernels take their arrays in named tuples. The compiler unpacks these at no cost. Only a function
that allocates arrays counts references at each use of a member, so it unpacks the tuple before its
loops.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, types
from numba.core.typing.typeof import typeof_impl
from numpy.typing import NDArray

from slidewise.solver.kernels import cache, checksummed_cache

CACHE = cache.find()
"""Whether compiled code can be cached, determined when the first kernel loads."""

_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

Function = TypeVar("Function", bound=Callable[..., Any])


def entry_point(signature: Any, *, makes_arrays: bool = False) -> Callable[[Function], Function]:
    """Compile a function called from Python, for its only signature.

    The compiled code is cached for other processes if possible.
    """

    def decorate(function: Function) -> Function:
        compiled = njit(function, nogil=True, _nrt=makes_arrays, no_cfunc_wrapper=True)
        compiled._cache = (
            checksummed_cache.cache_of(function) if CACHE else checksummed_cache.NoCache()
        )
        compiled.compile(signature)
        # A call with other types raises an error instead of compiling for seconds.
        compiled.disable_compile()
        return cast("Function", compiled)

    return decorate


def helper(function: Function) -> Function:
    """Compile a function that allocates no arrays, together with its callers.

    Only compiled functions may call it. A call from Python is a segmentation fault.
    """
    compiled: Function = njit(function, _nrt=False, **_NO_WRAPPERS)
    return compiled


def inlined(function: Function) -> Function:
    """Inline a function that allocates no arrays into each of its callers."""
    compiled: Function = njit(function, forceinline=True, _nrt=False, **_NO_WRAPPERS)
    return compiled


def tuple_type(of: Any, **members: Any) -> Any:
    """Return numba's type of a named tuple, from the types of its members in order."""
    if tuple(members) != of._fields:
        raise TypeError(f"{of.__name__} has the members {of._fields}, not {tuple(members)}")
    # Otherwise the first call with it resolves its type, for some milliseconds of the search.
    typeof_impl.register(of, typeof_impl.dispatch(of))
    return types.NamedTuple(tuple(members.values()), of)


Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Uint8s = NDArray[np.uint8]
Uint16s = NDArray[np.uint16]
Uint32s = NDArray[np.uint32]
Uint64s = NDArray[np.uint64]


NO_MOVE = -1


def neighbours(rows: int, cols: int) -> Int32s:
    """Return the cells above, below, left and right of each cell, or NO_MOVE: shape (cells, 4)."""
    # A border of NO_MOVE makes the edges like all other cells.
    grid = np.full((rows + 2, cols + 2), NO_MOVE, dtype=np.int32)
    grid[1:-1, 1:-1] = np.arange(rows * cols).reshape(rows, cols)
    sides = grid[:-2, 1:-1], grid[2:, 1:-1], grid[1:-1, :-2], grid[1:-1, 2:]
    return np.ascontiguousarray(np.stack([side.ravel() for side in sides], axis=1))
