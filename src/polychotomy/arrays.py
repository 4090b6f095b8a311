"""Array aliases and the shape letters used everywhere.

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

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]

Code: TypeAlias = NDArray[np.int8]
"""(l, k), entries −1, 0, +1: a row is a dichotomy, a column a class."""

Outputs: TypeAlias = NDArray[np.float64]
"""(n, l) in [0, 1]: probability of each dichotomy's + side, given one of its two sides."""

Probabilities: TypeAlias = NDArray[np.float64]
"""(n, k): rows on the simplex."""
