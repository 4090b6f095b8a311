"""Forecasts: probabilities beside what happened, checked once at the door.

Every question of this package is asked of class probabilities, (n, k), and of the classes that
turned out true. Rows about the same case (repetitions of a resampling plan) carry its number, so
that nothing counts one case as several.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, check_codes, shown
from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold

SUM_TOLERANCE = 1e-5
"""How far from 1 a row may sum: what printing with six digits costs."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Forecasts:
    """Class probabilities, the true classes, and which rows are about the same case.

    Parameters
    ----------
    probabilities : (n, k) floats
        Rows on the simplex.
    y : (n,) ints
        True class codes, 0 to k − 1.
    samples : (n,) ints
        The case a row is about, numbered from 0.
    folds : (n,) ints
        Rows with one number were left out together; a repetition has its own numbers.
    repetitions : (n,) ints
        The repetition of the resampling plan that a row comes from.
    n_missing : int
        Forecasts that should be there and are not, for their fit failed.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.validation import check_forecasts
    >>> check_forecasts([[0.9, 0.1], [0.4, 0.6]], [0, 1]).y
    array([0, 1])

    Two forecasts of the same case, in two repetitions, count as one:

    >>> twice = check_forecasts(
    ...     [[0.9, 0.1], [0.7, 0.3]], [0, 0], samples=[0, 0], repetitions=[0, 1])
    >>> twice.case_means(1.0 - twice.probabilities[:, 0]).round(2)
    array([0.2])
    """

    probabilities: Probabilities
    y: Ints
    samples: Ints
    folds: Ints
    repetitions: Ints
    n_missing: int = 0

    @property
    def n_cases(self) -> int:
        """How many different cases the rows are about."""
        return int(self.samples.max()) + 1

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return int(self.probabilities.shape[1])

    def case_means(self, losses: Floats) -> Floats:
        """Mean over the rows of each case, (n_cases,), of the losses of rows, (n,)."""
        return np.bincount(self.samples, losses) / np.bincount(self.samples)


def check_forecasts(
    probabilities: ArrayLike,
    y: ArrayLike,
    *,
    samples: ArrayLike | None = None,
    folds: ArrayLike | None = None,
    repetitions: ArrayLike | None = None,
) -> Forecasts:
    """Check class probabilities and class codes, and put them in one object.

    Parameters
    ----------
    probabilities : (n, k) floats
        Any array or nested list; GPU arrays are copied. Rows must sum to 1 within 1e-5.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.
    samples, folds, repetitions : (n,) ints, optional
        See `Forecasts`. Without them every row is a case of its own, of one fold and repetition.

    Examples
    --------
    >>> from polychotomy.validation import check_forecasts
    >>> check_forecasts([[0.9, 0.3]], [0])
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: row 0 of probabilities sums to 1.2; expected 1. \
If these are scores, turn them into probabilities; if they are rounded, divide each row by its sum.
    """
    p = check_probabilities(probabilities)
    n, k = p.shape
    return Forecasts(
        probabilities=p,
        y=check_codes(y, n=n, k=k),
        samples=_check_groups("samples", samples, n, default=np.arange(n)),
        folds=_check_groups("folds", folds, n, default=np.zeros(n, dtype=np.intp)),
        repetitions=_check_groups("repetitions", repetitions, n, default=np.zeros(n, np.intp)),
    )


def out_of_fold_forecasts(predictions: OutOfFold, learner: str | int = 0) -> Forecasts:
    """Forecasts of one learner on cases it had not seen, over all runs and repetitions.

    Parameters
    ----------
    predictions : OutOfFold
        What a ledger gives.
    learner : str or int
        Its name or its position.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.predictions import OutOfFold
    >>> from polychotomy.validation import out_of_fold_forecasts
    >>> p = np.array([[0.9, 0.1], [0.2, 0.8], [np.nan, np.nan], [np.nan, np.nan]])
    >>> one = OutOfFold(
    ...     names=("logistic",), classes=("no", "yes"), y=np.array([0, 1, 1, 1]),
    ...     folds=np.array([[[0, 0, 1, 1]]]), predicted=np.array([[[[0, 1, -1, -1]]]]),
    ...     probabilities=p[None, None, None], hard=np.array([False]),
    ... )
    >>> forecasts = out_of_fold_forecasts(one, "logistic")
    >>> len(forecasts.y), forecasts.n_missing
    (2, 2)
    """
    m = learner_position(predictions, learner)
    n_folds = int(predictions.folds.max(initial=0)) + 1
    planned = predictions.folds >= 0  # (runs, repetitions, n)
    made = planned & ~np.isnan(predictions.probabilities[m]).any(axis=-1)
    if not made.any():
        raise InvalidInput(
            f"learner {predictions.names[m]!r} has no out-of-fold prediction: all "
            f"{int(planned.sum())} are missing. Look at the causes of its failures first."
        )
    run, repetition, sample = np.nonzero(made)
    block = run * predictions.folds.shape[1] + repetition
    p = check_probabilities(predictions.probabilities[m][made])
    return Forecasts(
        probabilities=p,
        y=check_codes(predictions.y[sample], n=p.shape[0], k=p.shape[1]),
        samples=np.unique(sample, return_inverse=True)[1],
        folds=block * n_folds + predictions.folds[made],
        repetitions=block,
        n_missing=int(planned.sum() - made.sum()),
    )


def learner_position(predictions: OutOfFold, learner: str | int) -> int:
    """Position of a learner given by name or position.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> learner_position(SimpleNamespace(names=("tree", "forest")), "forest")
    1
    """
    names = getattr(predictions, "names", None)
    if not isinstance(names, tuple):
        raise InvalidInput(
            f"predictions is of type {type(predictions).__name__}; expected OutOfFold, which "
            "Ledger.out_of_fold() gives. For arrays of probabilities and class codes call "
            "probability_trace(p, y), score_probabilities(p, y) or recalibrate(p, y)."
        )
    if isinstance(learner, str) and learner in names:
        return names.index(learner)
    if isinstance(learner, int | np.integer) and -len(names) <= learner < len(names):
        return int(learner) % len(names)
    raise InvalidInput(
        f"learner is {learner!r}; expected one of {', '.join(map(repr, names))} "
        f"or a position from 0 to {len(names) - 1}."
    )


def check_probabilities(probabilities: ArrayLike, *, k: int | None = None) -> Probabilities:
    """Check class probabilities, (n, k), and return them in double precision.

    Examples
    --------
    >>> check_probabilities([[1, 0]])
    array([[1., 0.]])
    """
    p = as_array("probabilities", probabilities)
    if p.ndim != 2 or 0 in p.shape:
        advice = " For two classes pass np.column_stack([1 - p, p])." if p.ndim == 1 else ""
        raise InvalidInput(
            f"probabilities has shape {p.shape}; expected (n_samples, n_classes), "
            f"neither 0.{advice}"
        )
    if p.shape[1] < 2:
        raise InvalidInput(
            f"probabilities has shape {p.shape}, one column; expected two or more classes. For two "
            "classes pass np.column_stack([1 - p, p])."
        )
    if k is not None and p.shape[1] != k:
        raise InvalidInput(
            f"probabilities has {p.shape[1]} columns; expected {k}, one for each class."
        )
    if p.dtype.kind not in "fiub":
        raise InvalidInput(f"probabilities has dtype {p.dtype}; expected floats.")
    tolerance = max(SUM_TOLERANCE, 4 * float(np.finfo(p.dtype).eps) if p.dtype.kind == "f" else 0)
    wide: Probabilities = np.ascontiguousarray(p, dtype=np.float64)
    low, high = wide.min(), wide.max()
    if not (low >= -tolerance and high <= 1 + tolerance):  # NaN fails too
        _refuse_entry(wide, tolerance)
    sums = wide @ np.ones(wide.shape[1])  # several times as fast as sum(axis=1) for few classes
    wrong = np.abs(sums - 1) > tolerance * max(1.0, wide.shape[1] / 100)
    if wrong.any():
        row = int(wrong.argmax())
        raise InvalidInput(
            f"row {row} of probabilities sums to {sums[row]:.6g}; expected 1. If these are scores, "
            "turn them into probabilities; if they are rounded, divide each row by its sum."
        )
    if low < 0 or high > 1:
        wide = wide.clip(0, 1)
    return wide


def _refuse_entry(p: Probabilities, tolerance: float) -> None:
    row, column = np.argwhere(~((p >= -tolerance) & (p <= 1 + tolerance)))[0]
    raise InvalidInput(
        f"probabilities[{row}, {column}] is {p[row, column]:.6g}; expected a number from 0 to 1. "
        "Leave out rows without a prediction."
    )


def _check_groups(name: str, groups: ArrayLike | None, n: int, *, default: Ints) -> Ints:
    if groups is None:
        return default
    given = as_array(name, groups)
    if given.shape != (n,):
        raise InvalidInput(
            f"{name} has shape {given.shape}; expected ({n},), one number for each row."
        )
    try:
        return np.asarray(np.unique(given, return_inverse=True)[1], dtype=np.intp)
    except TypeError:
        raise InvalidInput(
            f"{name} holds {shown(given.tolist())}, which cannot be sorted; expected numbers or "
            "texts, one for each row."
        ) from None
