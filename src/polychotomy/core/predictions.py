"""OutOfFold, every prediction on cases that its learner had not seen, and Forecasts of one learner.

OutOfFold is what passes from the ledger to every question. A question (which learner, can it be
trusted, would combining help) is a pure function of it, wherever the predictions were made.
Questions about probabilities are asked of Forecasts: (n, k) probabilities beside the classes that
turned out true. Rows about the same case (repetitions of a resampling plan) carry its number, so
that nothing counts one case as several.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arguments import (
    as_array,
    as_floats,
    check_codes,
    check_entries,
    check_position,
    shown,
    wrong_shape,
)
from polychotomy.core.arrays import Bools, Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import counted
from polychotomy.core.result import read_only


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class OutOfFold:
    """Predictions of ``m`` learners on ``n`` samples, once in each repetition of a resampling plan.

    In every repetition the folds are disjoint, so a sample has at most one prediction of each
    learner: the one made by the fit that left its fold out.

    Parameters
    ----------
    names : tuple of str
        The learners, in order of preference.
    classes : tuple of str
        The class labels as text; their positions are the class codes.
    y : (n,) ints
        Class codes, from 0; ``np.unique(labels, return_inverse=True)`` makes classes and codes.
    folds : (runs, repetitions, n) ints
        The fold in which a sample was left out; −1 where it never was.
    predicted : (m, runs, repetitions, n) ints
        Predicted class codes; −1 where there is no prediction (a failed fit).
    probabilities : (m, runs, repetitions, n, k) floats
        Class probabilities; NaN where there is no prediction. A learner without probabilities
        has ones and zeros here.
    hard : (m,) bools
        Which learners gave labels only.
    scores : (m, runs, repetitions, n) floats, optional
        What each answer scored, where that is all that is known of it; NaN for no answer. All
        labels are those of the truth then, which says nothing.
    weights : (n,) floats, optional
        How much each sample counts, above 0; alike by default.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.predictions import OutOfFold
    >>> p = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.3, 0.7]])
    >>> one = OutOfFold(
    ...     names=("logistic",), classes=("no", "yes"), y=np.array([0, 1, 1, 1]),
    ...     folds=np.array([[[0, 0, 1, 1]]]), predicted=p.argmax(axis=1)[None, None, None],
    ...     probabilities=p[None, None, None], hard=np.array([False]),
    ... )
    >>> one.fold_errors()  # (m, runs, repetitions, folds)
    array([[[[0. , 0.5]]]])
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    y: Ints
    folds: Ints
    predicted: Ints
    probabilities: NDArray[np.floating]
    hard: Bools
    scores: Floats | None = None
    weights: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("names", "classes"):
            object.__setattr__(self, name, tuple(map(str, getattr(self, name))))
        for name in ("y", "folds", "predicted", "probabilities", "hard", "scores", "weights"):
            given = getattr(self, name)
            if given is not None:
                object.__setattr__(self, name, read_only(as_array(name, given)))
        self._check_shapes()
        k = len(self.classes)
        codes = (
            f"whole numbers from 0 to {k - 1}; np.unique(labels, return_inverse=True)[1] is such"
        )
        _check_codes("y", self.y, 0, k, codes)
        _check_codes("folds", self.folds, -1, np.inf, "whole numbers of at least -1")
        _check_codes("predicted", self.predicted, -1, k, f"whole numbers from -1 to {k - 1}")
        if self.hard.dtype.kind != "b":
            raise InvalidInput(f"hard holds {self.hard.dtype} values; expected True or False each.")
        if self.probabilities.dtype.kind != "f":
            floats = as_floats("probabilities", self.probabilities)
            object.__setattr__(self, "probabilities", floats)

    def __repr__(self) -> str:
        runs, repetitions, n = self.folds.shape
        plan = f"{counted(runs, 'run')} of {repetitions} × {self.n_folds} folds"
        return (
            f"<OutOfFold: {counted(len(self.names), 'learner')} ({', '.join(self.names)}) on {n} "
            f"samples of {len(self.classes)} classes, {plan}>"
        )

    @property
    def n_folds(self) -> int:
        """How many folds a repetition has."""
        return int(self.folds.max(initial=-1)) + 1

    def _check_shapes(self) -> None:
        m, k, n = len(self.names), len(self.classes), self.y.size
        plan = self.folds.shape[:2] if self.folds.ndim == 3 else (1, 1)
        shapes = {
            "y": (n,),
            "folds": (*plan, n),
            "predicted": (m, *plan, n),
            "probabilities": (m, *plan, n, k),
            "hard": (m,),
            "scores": (m, *plan, n),
            "weights": (n,),
        }
        for name, expected in shapes.items():
            array = getattr(self, name)
            if array is not None and array.shape != expected:
                raise InvalidInput(
                    f"{name} has shape {array.shape}; expected {expected} for {m} learners, "
                    f"{n} samples, {k} classes and (runs, repetitions) {plan}."
                )

    def part(
        self,
        *,
        rows: Ints | slice = slice(None),
        runs: int | None = None,
        repetitions: int | None = None,
    ) -> OutOfFold:
        """Return the predictions of some samples, or of the first runs and repetitions.

        Examples
        --------
        >>> p = np.full((1, 1, 3, 2, 2), 0.5)
        >>> one = OutOfFold(names=("a",), classes=("n", "y"), y=np.array([0, 1]), probabilities=p,
        ...     folds=np.zeros((1, 3, 2), dtype=int), predicted=p.argmax(axis=-1),
        ...     hard=np.array([False]))
        >>> one.part(rows=np.array([1]), repetitions=2).folds.shape
        (1, 2, 1)
        """
        plan = slice(runs), slice(repetitions), rows
        return replace(
            self,
            y=self.y[rows],
            folds=self.folds[plan],
            predicted=self.predicted[:, *plan],
            probabilities=self.probabilities[:, *plan],
            scores=None if self.scores is None else self.scores[:, *plan],
            weights=None if self.weights is None else self.weights[rows],
        )

    def fold_errors(self) -> Floats:
        """Misclassification rate, (m, runs, repetitions, folds); NaN for a failed fold.

        Of scores it is NaN everywhere: what was wrong is not known.
        """
        unknown = (self.predicted < 0) | (self.scores is not None)
        return self.fold_means(self.weighted(np.where(unknown, np.nan, self.predicted != self.y)))

    def weighted(self, losses: Floats) -> Floats:
        """Return losses of samples, (..., n), whose plain mean is the weighted mean of these.

        They are what each sample adds to it to first order, l̄ + n w (l − l̄) / Σw, so that tests
        and intervals of plain means hold for it: a ratio of two sums, as weights are drawn with
        their samples. Why not w l n / Σw: its spread is also that of the weights alone.

        Examples
        --------
        >>> one = OutOfFold(names=("a",), classes=("n", "y"), y=np.zeros(3, int),
        ...     folds=np.zeros((1, 1, 3), int), predicted=np.array([[[[0, 0, 1]]]]),
        ...     probabilities=np.full((1, 1, 1, 3, 2), 0.5), hard=np.array([True]),
        ...     weights=np.array([1.0, 1.0, 2.0]))
        >>> one.weighted(np.array([0.0, 0.0, 1.0])).round(3), float(one.fold_errors().mean())
        (array([0.125, 0.125, 1.25 ]), 0.5)
        """
        if self.weights is None:
            return losses
        own = np.where(np.isnan(losses), 0.0, self.weights)
        total = np.maximum(own.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
        mean = (own * np.nan_to_num(losses)).sum(axis=-1, keepdims=True) / total
        return mean + (losses - mean) * own * (own > 0).sum(axis=-1, keepdims=True) / total

    def fold_means(self, losses: Floats) -> Floats:
        """Mean of the losses of samples, (m, runs, repetitions, n), over each fold."""
        means = np.empty((*losses.shape[:-1], self.n_folds))
        with np.errstate(invalid="ignore"):
            for fold in range(self.n_folds):
                inside = self.folds == fold
                sums = np.where(inside, losses, 0.0).sum(axis=-1)
                means[..., fold] = sums / inside.sum(axis=-1)
        return means


def _check_codes(name: str, codes: NDArray[Any], least: int, end: float, expected: str) -> None:
    """Refuse what are no positions: numbers that are not whole, or out of their range."""
    if codes.dtype.kind not in "iu":
        raise InvalidInput(f"{name} holds {codes.dtype} values; expected {expected}.")
    check_entries(name, codes, (codes >= least) & (codes < end), expected)


def require_predictions(given: Any) -> None:
    """Refuse anything but an OutOfFold, and say how to make one of a ledger.

    Examples
    --------
    >>> require_predictions([0, 1])
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: predictions is a list; expected an OutOfFold: what \
ledger.out_of_fold() returns, or one made of arrays (polychotomy.core.predictions.OutOfFold).
    """
    if not isinstance(given, OutOfFold):
        raise InvalidInput(
            f"predictions is a {type(given).__name__}; expected an OutOfFold: what "
            "ledger.out_of_fold() returns, or one made of arrays "
            "(polychotomy.core.predictions.OutOfFold)."
        )


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
        folds=block * predictions.n_folds + predictions.folds[made],
        repetitions=block,
        n_missing=int(planned.sum() - made.sum()),
    )


def learner_position(predictions: OutOfFold, learner: str | int) -> int:
    """Position of a learner given by name or position.

    Examples
    --------
    >>> p = np.full((2, 1, 1, 2, 2), 0.5)
    >>> two = OutOfFold(names=("tree", "forest"), classes=("n", "y"), y=np.array([0, 1]),
    ...     probabilities=p, folds=np.zeros((1, 1, 2), dtype=int), predicted=p.argmax(axis=-1),
    ...     hard=np.array([False, False]))
    >>> learner_position(two, "forest")
    1
    """
    require_predictions(predictions)
    return check_position("learner", learner, predictions.names)


def check_probabilities(probabilities: ArrayLike, *, k: int | None = None) -> Probabilities:
    """Check class probabilities, (n, k), and return them in double precision.

    Examples
    --------
    >>> check_probabilities([[1, 0]])
    array([[1., 0.]])
    """
    p = as_array("probabilities", probabilities)
    if p.ndim != 2 or not p.size or p.shape[1] < 2:
        raise InvalidInput(
            f"probabilities has shape {p.shape}; expected (n_samples, n_classes), one sample or "
            "more and two classes or more. For two classes pass np.column_stack([1 - p, p])."
        )
    if k is not None and p.shape[1] != k:
        raise wrong_shape("probabilities", p, f"(n, {k}), a column for each class")
    if p.dtype.kind not in "fiub":
        raise InvalidInput(f"probabilities has dtype {p.dtype}; expected floats.")
    tolerance = max(SUM_TOLERANCE, 4 * float(np.finfo(p.dtype).eps) if p.dtype.kind == "f" else 0)
    wide: Probabilities = np.ascontiguousarray(p, dtype=np.float64)
    low, high = wide.min(), wide.max()
    if not (low >= -tolerance and high <= 1 + tolerance):  # NaN fails too
        fine = (wide >= -tolerance) & (wide <= 1 + tolerance)
        expected = "a number from 0 to 1. Leave out rows without a prediction"
        check_entries("probabilities", wide, fine, expected)
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


def _check_groups(name: str, groups: ArrayLike | None, n: int, *, default: Ints) -> Ints:
    if groups is None:
        return default
    given = as_array(name, groups)
    if given.shape != (n,):
        raise wrong_shape(name, given, f"({n},), one number for each row")
    try:
        return np.asarray(np.unique(given, return_inverse=True)[1], dtype=np.intp)
    except TypeError:
        raise InvalidInput(
            f"{name} holds {shown(given.tolist())}, which cannot be sorted; expected numbers or "
            "texts, one for each row."
        ) from None
