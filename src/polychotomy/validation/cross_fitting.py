"""Recalibrating forecasts by maps that have not seen their cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polychotomy.arrays import Bools, Ints, Probabilities
from polychotomy.validation.calibrators import Calibrator
from polychotomy.validation.forecasts import Forecasts


def cross_fit(forecasts: Forecasts, fit: Callable[[Forecasts, Bools], Calibrator]) -> Probabilities:
    """Recalibrate each fold by a map fitted to the other folds of its repetition.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import Unchanged, check_forecasts
    >>> forecasts = check_forecasts([[0.8, 0.2], [0.4, 0.6]], [0, 1], folds=[0, 1])
    >>> cross_fit(forecasts, lambda forecasts, others: Unchanged())
    array([[0.8, 0.2],
           [0.4, 0.6]])
    """
    result = np.empty_like(forecasts.probabilities)
    for repetition in np.unique(forecasts.repetitions):
        inside = forecasts.repetitions == repetition
        folds = _usable_folds(forecasts, inside)
        for fold in np.unique(folds[inside]):
            left_out = inside & (folds == fold)
            calibrator = fit(forecasts, inside & ~left_out)
            result[left_out] = calibrator.apply(forecasts.probabilities[left_out])
    return result


def _usable_folds(forecasts: Forecasts, inside: Bools) -> Ints:
    """Take the folds given; where a repetition has one only, five drawn within each class."""
    if np.unique(forecasts.folds[inside]).size > 1:
        return forecasts.folds
    folds = np.full(len(forecasts.y), -1)
    # shuffled, with a seed of its own: rows that come in turns must not fall in one fold
    rows = np.random.default_rng(0).permutation(np.flatnonzero(inside))
    by_class = rows[np.argsort(forecasts.y[rows], kind="stable")]
    cases = forecasts.samples[by_class]
    first = np.unique(cases, return_index=True)[1]
    turn = np.full(forecasts.n_cases, -1)
    turn[cases[np.sort(first)]] = np.arange(first.size) % min(5, first.size)
    folds[by_class] = turn[cases]
    return folds
