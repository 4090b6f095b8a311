"""Dichotomies fitted further with each batch of samples."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from polychotomy.arrays import Code
from polychotomy.exceptions import InvalidInput
from polychotomy.multiclass.dichotomies import Dichotomy
from polychotomy.multiclass.naming import learner_error
from polychotomy.multiclass.responses import Response
from polychotomy.multiclass.training_data import TrainingData


def first_classes(
    classes: ArrayLike | None, known: np.ndarray[Any, Any] | None
) -> np.ndarray[Any, Any]:
    """Return the sorted classes given at the first call; later ones may only repeat them."""
    if classes is None and known is None:
        raise InvalidInput(
            "classes is None at the first call of partial_fit; expected all labels, "
            "those not in this batch included."
        )
    if classes is None:
        assert known is not None
        return known
    labels = np.unique(np.asarray(classes))
    if labels.size < 2:
        raise InvalidInput(f"classes has one class only, {labels.tolist()}; expected at least two.")
    if known is not None and not np.array_equal(labels, known):
        raise InvalidInput(
            f"classes are {labels.tolist()}, but {known.tolist()} at the first call of "
            "partial_fit; expected the same."
        )
    return labels


def can_stream(estimator: Any, calibration: str | None, thresholds: str | None) -> bool:
    """Tell whether the learner can, and no option asks for samples that it has not seen.

    Raises
    ------
    AttributeError
        Saying what stands against it, for scikit-learn's ``available_if``.
    """
    if calibration in ("sigmoid", "isotonic") or thresholds is not None:
        raise AttributeError(
            f"calibration is {calibration!r} and thresholds {thresholds!r}; partial_fit sees each "
            "sample once, so nothing can be learned out of fold. Expected calibration 'auto' or "
            "None and thresholds None; or use fit."
        )
    return callable(estimator.partial_fit)


def unseen_dichotomy(estimator: Any, response: Response) -> Dichotomy:
    """Return a dichotomy that has seen no sample yet."""
    return Dichotomy(clone(estimator), response, None, 0.0, None, seen=False)


def partial_fit_dichotomy(
    dichotomy: Dichotomy,
    data: TrainingData,
    row: Code,
    labels: np.ndarray[Any, Any],
    name: str,
) -> Dichotomy:
    """Fit the learner further with those samples of the batch that are on one of its sides."""
    members = np.flatnonzero((row[data.codes] != 0) & (data.weights > 0))
    if members.size == 0:
        return dichotomy
    rows = data.repeated(members)
    sides = labels[(row[data.codes[rows]] > 0).astype(np.intp)]
    try:
        learner = dichotomy.learner.partial_fit(
            data.take(rows, rows), sides, classes=labels, **data.fit_params(rows)
        )
    except Exception as cause:
        raise learner_error(dichotomy.learner, name, cause) from cause
    return replace(dichotomy, learner=learner, seen=True)
