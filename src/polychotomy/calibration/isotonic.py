"""The isotonic map: a nondecreasing curve of least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression
from scipy.special import logit

from polychotomy.calibration.calibrators import renormalised
from polychotomy.calibration.sigmoid import platt_targets
from polychotomy.core.arguments import check_count
from polychotomy.core.arrays import Bools, Floats, Probabilities
from polychotomy.core.predictions import check_forecasts, check_probabilities


@dataclass(frozen=True, eq=False)
class Isotonic:
    """A nondecreasing curve for each class, renormalised over classes.

    Parameters
    ----------
    places, values : tuples of k (u,) float arrays, or of one for the scores of one dichotomy
        Where each curve is known, and its values; straight between, constant outside.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration import Isotonic
    >>> curve = (np.array([0.0, 1.0]), np.array([0.25, 0.75]))
    >>> Isotonic((curve[0],) * 2, (curve[1],) * 2).apply([[1.0, 0.0]])
    array([[0.75, 0.25]])
    """

    places: tuple[Floats, ...]
    values: tuple[Floats, ...]

    def logits(self, scores: Floats) -> Floats:
        """Return the log-odds of the only curve's values.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.calibration import Isotonic
        >>> curve = Isotonic(places=(np.array([0.0, 1.0]),), values=(np.array([0.25, 0.75]),))
        >>> curve.logits(np.array([0.5]))
        array([0.])
        """
        return np.asarray(logit(np.interp(scores, self.places[0], self.values[0])))

    def apply(self, probabilities: ArrayLike) -> Probabilities:
        """Recalibrate new probabilities."""
        p = check_probabilities(probabilities, k=len(self.places))
        curves = zip(p.T, self.places, self.values, strict=True)
        return renormalised(np.column_stack([np.interp(*curve) for curve in curves]))


def fit_isotonic(probabilities: ArrayLike, y: ArrayLike, *, n_cases: int | None = None) -> Isotonic:
    """Nondecreasing curves of least squares, kept off 0 and 1 by 1/(n + 2) for n cases.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows summing to 1.
    y : (n,) ints
        True class codes, 0 to k − 1.
    n_cases : int, optional
        Different cases among the rows, if fewer than rows.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration import fit_isotonic
    >>> fit_isotonic(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1])).values[0]
    array([0.25, 0.75])
    """
    forecasts = check_forecasts(probabilities, y)
    n = forecasts.n_cases if n_cases is None else check_count("n_cases", n_cases)
    margin = 1 / (n + 2)
    curves = [
        monotone_fit(p, (forecasts.y == c).astype(float))
        for c, p in enumerate(forecasts.probabilities.T)
    ]
    return Isotonic(
        tuple(places for places, _ in curves),
        tuple(values.clip(margin, 1 - margin) for _, values in curves),
    )


def fit_isotonic_scores(scores: Floats, positive: Bools, weights: Floats) -> Isotonic:
    """Fit the curve of one dichotomy's scores, held within Platt's targets.

    A step of the curve that has seen no error is not certain for that.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.calibration.isotonic import fit_isotonic_scores
    >>> fit_isotonic_scores(np.array([-1.0, 1.0]), np.array([False, True]), np.ones(2)).values[0]
    array([0.33333333, 0.66666667])
    """
    places, values = monotone_fit(scores, positive.astype(np.float64), weights)
    low, high = platt_targets(positive, weights)
    return Isotonic((places,), (values.clip(low, high),))


def monotone_fit(
    x: Floats, outcomes: Floats, weights: Floats | None = None
) -> tuple[Floats, Floats]:
    """Least-squares nondecreasing function of ``x``: its distinct places and values there.

    Parameters
    ----------
    x : (n,) floats
        Forecasts.
    outcomes : (n,) floats
        What happened, 0 or 1.
    weights : (n,) floats, optional
        Above 0.

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
    weights = np.ones(len(x)) if weights is None else weights
    places, inverse = np.unique(x, return_inverse=True)
    sums = np.bincount(inverse, weights)
    fit = isotonic_regression(np.bincount(inverse, weights * outcomes) / sums, weights=sums)
    return places, np.asarray(fit.x, dtype=float)
