"""Would recalibration change the choice? Asked where candidates are compared by probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polychotomy.comparison import corrected_t_test
from polychotomy.comparison.pairs import fold_ratio
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.forecasts import out_of_fold_forecasts
from polychotomy.core.predictions import OutOfFold
from polychotomy.validation.recalibration import recalibrate_forecasts
from polychotomy.verdict.conclusions import first_repetitions
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import Mended
from polychotomy.verdict.question import Question
from polychotomy.verdict.rules import order_by_rule

_LOSSES = ("log-loss", "brier", "cost")  # those that recalibration can change

_MOST_CELLS = 200_000  # repetitions × rows × classes: a second or two a candidate

_LEVEL = 0.95


def ask_mended(
    question: Question, evidence: Evidence, best: str
) -> tuple[Mended | None, tuple[str, ...]]:
    """Find who would be chosen were all recalibrated, if not the best; or say why not asked.

    Each candidate's out-of-fold probabilities are recalibrated, cross-fitted, where that is shown
    to gain (:func:`recalibrate`); then the same rule chooses. With many rows fewer repetitions are
    looked at.
    """
    if question.criterion.name not in _LOSSES or len(evidence.names) < 2:
        return None, ()
    k, n = len(evidence.predictions.classes), len(evidence.predictions.y)
    if n * k > 5 * _MOST_CELLS:
        return None, ("whether recalibration would change the choice was not asked: too many rows",)
    repetitions = evidence.predictions.folds.shape[1]
    asked = min(repetitions, max(1, _MOST_CELLS // (n * k)))
    predictions = evidence.predictions
    if asked < repetitions or len(predictions.folds) > 1:
        predictions = first_repetitions(predictions, asked)
    return _choose_again(question, evidence, predictions, best), ()


def _choose_again(
    question: Question, evidence: Evidence, predictions: OutOfFold, best: str
) -> Mended | None:
    mended, methods = recalibrate_all(predictions)
    losses = question.criterion.fold_losses(mended)[evidence.sound]
    _, ordering = order_by_rule(question, losses, evidence.names, ratio=evidence.ratio)
    chosen = ordering.names[ordering.best]
    method = methods[predictions.names.index(chosen)]
    if chosen == best or method == "none":
        return None
    before = question.criterion.fold_losses(predictions)[evidence.sound]
    i, j = evidence.names.index(best), evidence.names.index(chosen)
    test = corrected_t_test(
        losses[i].ravel(),
        losses[j].ravel(),
        test_train_ratio=evidence.ratio or fold_ratio(losses.shape[-1]),
    )
    low, high = test.confidence_interval(_LEVEL)
    return Mended(
        name=chosen,
        method=method,
        before=float(before[j].mean()),
        after=float(losses[j].mean()),
        best_after=float(losses[i].mean()),
        low=float(low),
        high=float(high),
        level=_LEVEL,
    )


def recalibrate_all(predictions: OutOfFold) -> tuple[OutOfFold, list[str]]:
    """Recalibrate every learner's probabilities, cross-fitted, where that gains; and say how.

    Learners that failed somewhere, or give labels only, are left as they are.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(2, size=200)
    >>> sure = np.where(rng.random(200) < 0.8, y, 1 - y)  # right in 8 of 10, says 99 of 100
    >>> p = np.where(sure[:, None] == np.arange(2), 0.99, 0.01)[None, None, None]
    >>> mended, methods = recalibrate_all(OutOfFold(names=("boosting",), classes=("no", "yes"),
    ...     y=y, folds=(np.arange(200) % 5)[None, None], predicted=sure[None, None, None],
    ...     probabilities=p, hard=np.array([False])))
    >>> methods, bool(0.75 < mended.probabilities.max() < 0.85)
    (['temperature'], True)
    """
    probabilities = np.array(predictions.probabilities, dtype=np.float64)
    methods = ["none"] * len(predictions.names)
    planned = predictions.folds >= 0
    for m in np.flatnonzero(~predictions.hard):
        made = planned & ~np.isnan(probabilities[m]).any(axis=-1)
        if not np.array_equal(made, planned):
            continue
        try:
            found = recalibrate_forecasts(out_of_fold_forecasts(predictions, int(m)))
        except InvalidInput:  # too few rows to fit a map to
            continue
        methods[m] = found.chosen
        probabilities[m][made] = found.probabilities
    return replace(predictions, probabilities=probabilities), methods
