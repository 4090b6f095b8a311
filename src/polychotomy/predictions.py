"""OutOfFold: every prediction made on cases that its learner had not seen.

This is what passes from the ledger to every question. A question (which learner, can it be
trusted, would combining help) is a pure function of it, wherever the predictions were made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.exceptions import InvalidInput


@dataclass(frozen=True, eq=False, kw_only=True)
class OutOfFold:
    """Predictions of ``m`` learners on ``n`` samples, once a repetition of a resampling plan.

    In every repetition the folds are disjoint, so a sample has at most one prediction a learner:
    the one made by the fit that left its fold out.

    Parameters
    ----------
    names : tuple of str
        The learners, in order of preference.
    classes : tuple of str
        The class labels as text; their positions are the class codes.
    y : (n,) ints
        Class codes.
    folds : (runs, repetitions, n) ints
        The fold in which a sample was left out; −1 where it never was.
    predicted : (m, runs, repetitions, n) ints
        Predicted class codes; −1 where there is no prediction (a failed fit).
    probabilities : (m, runs, repetitions, n, k) floats
        Class probabilities; NaN where there is no prediction. A learner without probabilities
        has ones and zeros here.
    hard : (m,) bools
        Which learners gave labels only.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.predictions import OutOfFold
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

    def __post_init__(self) -> None:
        m, k, n = len(self.names), len(self.classes), len(self.y)
        plan = self.folds.shape[:2]
        for name, got, expected in (
            ("folds", self.folds.shape, (*plan, n)),
            ("predicted", self.predicted.shape, (m, *plan, n)),
            ("probabilities", self.probabilities.shape, (m, *plan, n, k)),
            ("hard", self.hard.shape, (m,)),
        ):
            if got != expected:
                raise InvalidInput(
                    f"{name} has shape {got}; expected {expected} for {m} learners, {n} samples, "
                    f"{k} classes and folds of shape {self.folds.shape}."
                )

    def fold_errors(self) -> Floats:
        """Misclassification rate, (m, runs, repetitions, folds); NaN for a failed fold."""
        wrong = np.where(self.predicted < 0, np.nan, self.predicted != self.y)
        return self.fold_means(wrong)

    def fold_means(self, losses: Floats) -> Floats:
        """Mean of a loss a sample, (m, runs, repetitions, n), over each fold."""
        n_folds = int(self.folds.max()) + 1
        members = self.folds[..., None, :] == np.arange(n_folds)[:, None]  # (runs, reps, folds, n)
        with np.errstate(invalid="ignore"):
            return np.stack(
                [
                    np.where(members[..., f, :], losses, 0.0).sum(axis=-1)
                    / members[..., f, :].sum(axis=-1)
                    for f in range(n_folds)
                ],
                axis=-1,
            )
