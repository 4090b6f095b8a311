"""Sets of classes that hold the true one as often as asked, and cases better left to a human.

Conformal prediction, each class by itself [Vovk et al. 2005]: a class is in a case's set if the
case gives it at least the probability that the lowest tenth (for a coverage of 90 %) of that class
gave it. So every class is held at least as often as asked, the rare ones too, whatever the
probabilities are worth; what they are worth shows in how small the sets are. No set is empty: the
most probable class is in it. So a class that is predicted better than asked is held more often.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import check_share
from polychotomy.core.arrays import Bools, Floats, Ints, Probabilities
from polychotomy.core.numbers import percent
from polychotomy.core.predictions import Forecasts, check_forecasts
from polychotomy.core.result import DataFrame, Result
from polychotomy.validation.recalibration import usable_folds

COVERAGES = np.arange(1, 100) / 100

LEFT = np.array([0.0, 0.05, 0.1, 0.2, 0.3, 0.5])
"""Shares of the cases that are left to a human, for which the error on the others is given."""


class PredictionSets(Result):
    """How large sets of classes must be that hold the true one, and what abstaining gains.

    Parameters
    ----------
    coverage : float
        Asked of every class.
    covered : (k,) floats
        How often the sets of each class's cases held it, by thresholds of other folds; NaN of a
        class without cases.
    sizes : (k,) floats
        Shares of cases whose set has 1, 2, … k classes.
    left, errors : (6,) floats
        Shares of the least sure cases left to a human, and the error on the others.
    thresholds : (99, k) floats
        Of the coverages 0.01 to 0.99: the least probability of a class with which it is in the set.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import prediction_sets
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(2, size=500)
    >>> p1 = np.clip(0.5 + 0.3 * (2 * y - 1) + 0.4 * rng.standard_normal(500), 0.01, 0.99)
    >>> found = prediction_sets(np.stack([1 - p1, p1], axis=1), y)
    >>> found.covered.round(2)
    array([0.91, 0.91])
    >>> print(found)
    To hold the true class in 90 % of the cases of every class takes 1.40 classes on average, \
one alone in 60.2 % of cases. Leaving the least sure 10 % to a human, 22.9 % of the others are \
wrong, of all 25.0 %.
    """

    coverage: float
    covered: Floats
    sizes: Floats
    left: Floats
    errors: Floats
    thresholds: Floats

    @property
    def mean_size(self) -> float:
        """Classes in a set, on average."""
        return float(self.sizes @ np.arange(1, len(self.sizes) + 1))

    def to_frame(self) -> DataFrame:
        """One row for each share left to a human."""
        return self._frame("left", "errors")

    def __str__(self) -> str:
        return (
            f"To hold the true class in {100 * self.coverage:g} % of the cases of every class "
            f"takes {self.mean_size:.2f} classes on average, one alone in {percent(self.sizes[0])} "
            f"of cases. Leaving the least sure 10 % to a human, {percent(self.errors[2])} of the "
            f"others are wrong, of all {percent(self.errors[0])}."
        )


def prediction_sets(
    probabilities: ArrayLike, y: ArrayLike, *, coverage: float = 0.9, folds: ArrayLike | None = None
) -> PredictionSets:
    """Find sets of classes that hold the true one with a given coverage, for every class.

    Parameters
    ----------
    probabilities : (n, k) floats
        Of cases that the model was not fitted to.
    y : (n,) ints or texts
        True class codes, or labels in the sorted order of the columns.
    coverage : float
        Share of the cases of each class whose set is to hold it.
    folds : (n,) ints, optional
        Those that the cases were predicted in; by default five drawn within each class.

    Examples
    --------
    Both classes have a case that is as unsure as it can be:

    >>> from polychotomy.validation import prediction_sets
    >>> p = [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.5, 0.5]]
    >>> prediction_sets(p, [0, 0, 1, 1], coverage=0.5).errors.round(2).tolist()
    [0.25, 0.25, 0.25, 0.17, 0.17, 0.0]
    """
    return assess_sets(check_forecasts(probabilities, y, folds=folds), coverage=coverage)


def assess_sets(
    forecasts: Forecasts, probabilities: Probabilities | None = None, *, coverage: float = 0.9
) -> PredictionSets:
    """Find sets of out-of-fold forecasts, or of these recalibrated to other ``probabilities``."""
    check_share("coverage", coverage, such_as=0.9)
    p = forecasts.probabilities if probabilities is None else probabilities
    forecasts = replace(forecasts, probabilities=p)
    y, k = forecasts.y, forecasts.n_classes
    held = np.empty(p.shape, dtype=bool)
    for repetition in np.unique(forecasts.repetitions):
        inside = forecasts.repetitions == repetition
        folds = usable_folds(forecasts, inside)
        for fold in np.unique(folds[inside]):
            here = inside & (folds == fold)
            others = inside & ~here
            cut = class_thresholds(p[others], y[others], np.array([coverage]))[0]
            held[here] = sets_by(p[here], cut)
    sizes = np.bincount(held.sum(axis=1), minlength=k + 1)[1:] / len(y)
    counts = np.bincount(y, minlength=k)
    holds = np.bincount(y, held[np.arange(len(y)), y], minlength=k)
    return PredictionSets(
        coverage=coverage,
        covered=np.divide(holds, counts, out=np.full(k, np.nan), where=counts > 0),
        sizes=sizes,
        left=LEFT,
        errors=_errors_of_others(p, y),
        thresholds=class_thresholds(p, y, COVERAGES, repeats=len(y) / forecasts.n_cases),
    )


def class_thresholds(
    p: Probabilities, y: Ints, coverages: Floats, *, repeats: float = 1.0
) -> Floats:
    """Return the least probability of each class with which it is in the set, (coverages, k).

    Of n cases of a class a new one is as likely to be below each of them; 0, so that the class is
    in every set, where n is too small for the coverage. ``repeats`` is how many forecasts there are
    of each case.

    Examples
    --------
    Of 9 cases a tenth is below the lowest:

    >>> import numpy as np
    >>> p = np.arange(1, 10)[:, None] / 10
    >>> class_thresholds(p, np.zeros(9, dtype=int), np.array([0.9, 0.95])).tolist()
    [[0.1], [0.0]]
    """
    k = p.shape[1]
    found = np.zeros((len(coverages), k))
    for c in range(k):
        own = np.sort(p[y == c, c])
        below = np.floor((len(own) / repeats + 1) * (1 - coverages) + 1e-9)
        at = np.minimum((below * repeats).astype(int), len(own)) - 1
        if len(own):
            found[:, c] = np.where(below < 1, 0.0, own[np.maximum(at, 0)])
    return found


def sets_by(p: Probabilities, thresholds: Floats) -> Bools:
    """Return which classes are in the set of each case, (n, k): at least the most probable.

    Examples
    --------
    >>> import numpy as np
    >>> sets_by(np.array([[0.7, 0.3], [0.45, 0.55]]), np.array([0.6, 0.6])).tolist()
    [[True, False], [False, True]]
    """
    held = p >= thresholds
    held[np.arange(len(p)), p.argmax(axis=1)] = True
    return held


def _errors_of_others(p: Probabilities, y: Ints) -> Floats:
    """Return the error on the surest cases, for each share left out; equally sure ones by parts."""
    _, order = np.unique(-p.max(axis=1).round(9), return_inverse=True)
    alike = np.bincount(order)
    wrong = np.cumsum(np.repeat(np.bincount(order, p.argmax(axis=1) != y) / alike, alike))
    kept = np.maximum(np.round((1 - LEFT) * len(y)).astype(int), 1)
    return wrong[kept - 1] / kept
