"""OutOfFold: every prediction made on cases that its learner had not seen.

This is what passes from the ledger to every question. A question (which learner, can it be
trusted, would combining help) is a pure function of it, wherever the predictions were made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arguments import as_array, as_floats
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput


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

    def __post_init__(self) -> None:
        for name in ("y", "folds", "predicted", "probabilities", "hard"):
            object.__setattr__(self, name, as_array(name, getattr(self, name)))
        for name in ("names", "classes"):
            object.__setattr__(self, name, _as_texts(name, getattr(self, name)))
        if self.y.ndim != 1 or self.folds.ndim != 3:
            raise InvalidInput(
                f"y has shape {self.y.shape} and folds {self.folds.shape}; expected (n,) and "
                "(runs, repetitions, n). One cross-validation has folds[None, None]."
            )
        self._check_shapes()
        k = len(self.classes)
        _check_codes(
            "y", self.y, 0, k, "np.unique(labels, return_inverse=True)[1] makes such codes"
        )
        _check_codes(
            "folds", self.folds, -1, None, "−1 stands for a sample that was never left out"
        )
        _check_codes("predicted", self.predicted, -1, k, "−1 stands for no prediction")
        if self.hard.dtype.kind != "b":
            raise InvalidInput(f"hard holds {self.hard.dtype} values; expected True or False each.")
        if self.probabilities.dtype.kind != "f":
            object.__setattr__(
                self, "probabilities", as_floats("probabilities", self.probabilities)
            )

    def __repr__(self) -> str:
        runs, repetitions, n = self.folds.shape
        folds = int(self.folds.max(initial=-1)) + 1
        return (
            f"<OutOfFold: {len(self.names)} learner{'s' * (len(self.names) != 1)} "
            f"({', '.join(self.names)}) on {n} samples of {len(self.classes)} classes, "
            f"{runs} run{'s' * (runs != 1)} of {repetitions} × {folds} folds>"
        )

    def _check_shapes(self) -> None:
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
        """Mean of the losses of samples, (m, runs, repetitions, n), over each fold."""
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


def _as_texts(name: str, values: Any) -> tuple[str, ...]:
    if isinstance(values, str) or not all(isinstance(one, str) for one in values):
        raise InvalidInput(
            f"{name}={values!r}; expected texts, one each: tuple(map(str, …)) makes them."
        )
    return tuple(map(str, values))


def _check_codes(name: str, codes: NDArray[Any], least: int, k: int | None, hint: str) -> None:
    """Refuse what are no positions: numbers that are not whole, or out of their range."""
    expected = (
        f"whole numbers of at least {least}"
        if k is None
        else f"whole numbers from {least} to {k - 1}, the positions of the {k} classes"
    )
    if codes.dtype.kind not in "iu":
        first = f", {codes.flat[0].item()!r} first" if codes.size else ""
        raise InvalidInput(
            f"{name} holds {codes.dtype} values{first}; expected {expected}; {hint}."
        )
    if codes.size and (codes.min() < least or (k is not None and codes.max() >= k)):
        bad = (codes < least) | (codes >= (np.inf if k is None else k))
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InvalidInput(f"{name}{list(place)} is {codes[place]}; expected {expected}; {hint}.")


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
    if isinstance(given, OutOfFold):
        return
    kind = type(given).__name__
    if hasattr(given, "out_of_fold"):
        raise InvalidInput(
            f"predictions is a {kind}; expected an OutOfFold: pass its out_of_fold()."
        )
    raise InvalidInput(
        f"predictions is a {kind}; expected an OutOfFold: what ledger.out_of_fold() returns, or "
        "one made of arrays (polychotomy.core.predictions.OutOfFold)."
    )
