"""Array aliases, the shape letters used everywhere, the way back to NumPy, and what is missing.

======  =====================
letter  counts
======  =====================
``n``   samples
``k``   classes
``l``   dichotomies
``m``   learners
``b``   bootstrap replicates
======  =====================
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

Ints: TypeAlias = NDArray[np.intp]

Bools: TypeAlias = NDArray[np.bool_]


Code: TypeAlias = NDArray[np.int8]
"""(l, k), entries −1, 0, +1: rows are dichotomies, columns classes."""


Outputs: TypeAlias = NDArray[np.float64]
"""(n, l) in [0, 1]: probability of each dichotomy's + side, given one of its two sides."""


Probabilities: TypeAlias = NDArray[np.float64]
"""(n, k): rows on the simplex."""


def count_classes(codes: Ints, groups: Ints) -> Ints:
    """Return the samples of each class in each group, (groups, k).

    Examples
    --------
    >>> import numpy as np
    >>> count_classes(np.array([0, 1, 1]), np.array([0, 0, 1])).tolist()
    [[1, 1], [0, 1]]
    """
    n_groups, k = int(groups.max()) + 1, int(codes.max()) + 1
    return np.bincount(groups * k + codes, minlength=n_groups * k).reshape(n_groups, k)


def to_host(array: Any) -> NDArray[Any]:
    """Return an array of any library, or a list, as NumPy's; what is on a GPU is copied.

    Examples
    --------
    >>> import numpy as np
    >>> to_host(np.arange(2))
    array([0, 1])
    >>> to_host([0.5, 1])
    array([0.5, 1. ])
    """
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    from array_api_compat import is_cupy_array, is_torch_array, to_device

    if is_torch_array(array):
        array = to_device(array.detach(), "cpu")
    elif is_cupy_array(array):
        array = to_device(array, "cpu")
    return np.asarray(array)


def missing_entries(array: NDArray[Any]) -> Bools:
    """Return where an array holds None, NaN, NaT or pandas' NA.

    Examples
    --------
    >>> import numpy as np
    >>> missing_entries(np.array(["a", None, float("nan")], dtype=object))
    array([False,  True,  True])
    """
    import pandas as pd

    return np.asarray(pd.isna(array), dtype=np.bool_)
