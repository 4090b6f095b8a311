"""The monotone curve that fits outcomes best: isotonic regression, equal forecasts pooled."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from polychotomy.arrays import Floats


def monotone_fit(x: Floats, outcomes: Floats) -> tuple[Floats, Floats]:
    """Least-squares nondecreasing function of ``x``: its distinct places and values there.

    Parameters
    ----------
    x : (n,) floats
        Forecasts.
    outcomes : (n,) floats
        What happened, 0 or 1.

    Returns
    -------
    places, values : (u,) floats
        The u distinct forecasts, ascending, and the fitted frequency at each.

    Examples
    --------
    >>> import numpy as np
    >>> monotone_fit(np.array([0.1, 0.3, 0.3, 0.8]), np.array([1.0, 0.0, 1.0, 1.0]))[1]
    array([0.66666667, 0.66666667, 1.        ])
    """
    places, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(inverse, outcomes) / counts
    fit = isotonic_regression(means, weights=counts.astype(float))
    return places, np.asarray(fit.x, dtype=float)
