"""Means over runs, with their errors."""

from __future__ import annotations

import numpy as np

from polychotomy.core.arrays import Floats


def mean_and_error(values: Floats) -> tuple[float, float]:
    """Mean and standard error of values over runs; NaN error of a single one.

    Examples
    --------
    >>> mean_and_error(np.array([1.0, 3.0]))
    (2.0, 1.0)
    """
    n = len(values)
    error = float(np.std(values, ddof=1) / np.sqrt(n)) if n > 1 else float("nan")
    return float(np.mean(values)), error
