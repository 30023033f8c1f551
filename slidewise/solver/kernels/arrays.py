"""The types of the arrays that kernels and their callers hand to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Uint8s = NDArray[np.uint8]
Uint16s = NDArray[np.uint16]
Uint32s = NDArray[np.uint32]
Uint64s = NDArray[np.uint64]
