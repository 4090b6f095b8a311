"""Measures of a whole confusion matrix, each as a mean over cases, so that tests of means apply.

The balanced error is a mean with weights. F1, Matthews' correlation and Cohen's κ are no means:
what one case adds depends on the others. To first order it is the derivative of the measure in the
direction of that case, its influence [Hampel 1974]. Measure plus influence has the measure itself
as its mean, and the spread of that mean is the measure's own, so that pairs of models, groups of
cases and draws of rows are dealt with as for any other loss. Why not the measure in each fold: a
rare class is hardly in one.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from polychotomy.core.arrays import Floats, Ints, Probabilities


def measure_losses(name: str, y: Ints, predicted: Ints, k: int) -> Floats:
    """Loss of each case, (n,), whose mean is 1 − the measure, or the balanced error.

    Parameters
    ----------
    name : {"balanced-error", "macro-f1", "mcc", "kappa"}
        *balanced-error*: mean over the true classes of the share that is wrong. *macro-f1*: mean of
        F1 over the classes that are true or predicted somewhere. *mcc*: Matthews' correlation, for
        more than two classes Gorodkin's; 0 where either has one class only. *kappa*: Cohen's.
    y, predicted : (n,) ints
        Class codes 0 … k − 1.
    k : int

    Examples
    --------
    Of class 0 one of four is wrong, of class 1 one of two: (1/4 + 1/2)/2 = 0.375

    >>> import numpy as np
    >>> y, predicted = np.array([0, 0, 0, 0, 1, 1]), np.array([0, 0, 0, 1, 1, 0])
    >>> losses = measure_losses("balanced-error", y, predicted, 2)
    >>> losses.tolist(), float(losses.mean())
    ([0.0, 0.0, 0.0, 0.75, 0.0, 1.5], 0.375)
    """
    if not len(y):
        return np.empty(0)
    if name == "balanced-error":
        # A mean with weights, where influence would centre each class on its own share of errors:
        # with five cases of a class that tells equal models apart in 11 % of test sets, not in 5.
        counts = np.bincount(y, minlength=k)
        return np.where(predicted != y, len(y) / (np.count_nonzero(counts) * counts[y]), 0.0)
    table = np.bincount(k * y + predicted, minlength=k * k).reshape(k, k) / len(y)
    value, slopes = _MEASURES[name](table)
    return np.asarray(1.0 - value - (slopes - (table * slopes).sum())[y, predicted])


_CUTS = np.linspace(0.0, 1.0, 101)

_SWEEPS = 3  # over the classes


def tuned_weights(name: str, p: Probabilities, y: Ints) -> Floats:
    """Weights of the classes, (k,), by which the largest w·p does best by a measure; w of 0 is 1.

    One class after the other: its weight moves to the best of 101 between those at which rows
    would get its label. The search begins at the better of equal weights and the inverse shares of
    the classes, which are right for the balanced error if the probabilities are.

    Parameters
    ----------
    name : {"balanced-error", "macro-f1", "mcc", "kappa"}
    p : (n, k) floats
        Probabilities of cases that the model has not seen.
    y : (n,) ints

    Examples
    --------
    One in four is of class 1, and half of these are taken for class 0:

    >>> import numpy as np
    >>> p1 = np.array([0.1, 0.1, 0.1, 0.1, 0.1, 0.3, 0.4, 0.6])
    >>> y = np.array([0, 0, 0, 0, 0, 0, 1, 1])
    >>> weights = tuned_weights("macro-f1", np.stack([1 - p1, p1], axis=1), y)
    >>> (weights * np.stack([1 - p1, p1], axis=1)).argmax(axis=1).tolist()
    [0, 0, 0, 0, 0, 0, 1, 1]
    """
    k = p.shape[1]
    counts = np.bincount(y, minlength=k)
    starts = np.ones(k), len(y) / np.maximum(counts, 1)

    def loss(labels: Ints) -> float:
        return float(measure_losses(name, y, labels, k).mean())

    weights = min(starts, key=lambda w: loss((w * p).argmax(axis=1)))
    least = loss((weights * p).argmax(axis=1))
    for at in [*range(1, k), *([0] if k > 2 else [])] * _SWEEPS:
        weighed = weights * p
        weighed[:, at] = -1.0
        rival, height = weighed.argmax(axis=1), weighed.max(axis=1)
        with np.errstate(divide="ignore"):
            needed = height / p[:, at]
        needed = np.unique(needed[np.isfinite(needed) & (needed > 0)])
        between = np.sqrt(needed[1:] * needed[:-1])  # not at a row: rounding would decide on it
        for weight in between[np.unique((_CUTS * (len(between) - 1)).astype(int))]:
            found = loss(np.where(weight * p[:, at] >= height, at, rival))
            if found < least - 1e-12:
                least, weights = found, np.where(np.arange(k) == at, weight, weights)
    return weights / weights[0]


def _f1(table: Floats) -> tuple[float, Floats]:
    right, either = np.diag(table), table.sum(axis=0) + table.sum(axis=1)
    there = either > 0
    each = np.divide(2 * right, either, out=np.zeros(len(table)), where=there)
    weight = np.divide(1.0, either, out=np.zeros(len(table)), where=there) / there.sum()
    slopes = 2 * np.diag(weight) - (each * weight)[:, None] - (each * weight)[None, :]
    return float(each.sum() / there.sum()), slopes


def _agreement(table: Floats) -> tuple[float, Floats, Floats, Floats]:
    """Agreement above that of chance with its slopes, and the shares of rows and columns."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    above = float(np.trace(table) - rows @ columns)
    return above, np.eye(len(table)) - columns[:, None] - rows[None, :], rows, columns


def _kappa(table: Floats) -> tuple[float, Floats]:
    above, slopes, rows, columns = _agreement(table)
    most = 1.0 - float(rows @ columns)
    if most <= 0:
        return 0.0, np.zeros_like(table)
    by_chance = columns[:, None] + rows[None, :]
    return above / most, slopes / most + above * by_chance / most**2


def _matthews(table: Floats) -> tuple[float, Floats]:
    above, slopes, rows, columns = _agreement(table)
    a, b = 1.0 - float(rows @ rows), 1.0 - float(columns @ columns)
    if min(a, b) <= 1e-12:
        return 0.0, np.zeros_like(table)
    spread = (a * b) ** 0.5
    return above / spread, (slopes + above * (rows[:, None] / a + columns[None, :] / b)) / spread


_MEASURES: dict[str, Callable[[Floats], tuple[float, Floats]]] = {
    "macro-f1": _f1,
    "mcc": _matthews,
    "kappa": _kappa,
}

MEASURES = ("balanced-error", *_MEASURES)
"""Names of the measures of a whole confusion matrix."""
