"""What other decisions by the same probabilities would gain: weighed classes, recalibration."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from polychotomy.comparison import Criterion, case_t_test
from polychotomy.comparison.measures import MEASURES, tuned_weights
from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold, out_of_fold_forecasts
from polychotomy.validation import Trust
from polychotomy.validation.recalibration import recalibrate_forecasts
from polychotomy.verdict.choosing import order_by_rule
from polychotomy.verdict.evidence import Evidence
from polychotomy.verdict.findings import NotAsked, Recalibrated
from polychotomy.verdict.question import Question

_LEVEL = 0.95

_MOST_ROWS = 20_000  # that weights are tuned on; more would move them by little


class TunedDecisions(NamedTuple):
    """Weights of the classes by which the best candidate's labels do better, and by how much.

    ``weights`` are those of the classes in their order, the first one's 1: the label is the class
    whose weight times probability is largest. ``before`` and ``after`` are the losses of its own
    labels and of the weighed ones, ``low`` and ``high`` the interval of what is gained.

    Examples
    --------
    ``verdict.decisions`` is one, by ``loss="macro-f1"`` and the like, where that is shown to gain:

    >>> from polychotomy.verdict import TunedDecisions
    >>> found = TunedDecisions((1.0, 4.0), before=0.4, after=0.3, low=0.05, high=0.15, level=0.95)
    >>> found.costs.tolist()
    [[0.0, 1.0], [4.0, 0.0]]
    """

    weights: tuple[float, ...]
    before: float
    after: float
    low: float
    high: float
    level: float

    @property
    def costs(self) -> Floats:
        """The cost matrix, (k, k), that leads to the same labels: errors of a class by weight."""
        k = len(self.weights)
        return np.repeat(np.array(self.weights)[:, np.newaxis], k, axis=1) * (1.0 - np.eye(k))


def tune_decisions(
    criterion: Criterion, evidence: Evidence, best: str, trust: Trust
) -> TunedDecisions | None:
    """Weigh the classes so that the best candidate's labels do best; None where that is not shown.

    On the first repetition: the labels of each fold are decided by weights that are tuned on the
    others. The probabilities are those that a model decides by, recalibrated where that is advised.
    """
    if criterion.name not in MEASURES or trust.hard or evidence.cases is None:
        return None
    tested, at = evidence.tested, [evidence.tested.names.index(best)]
    first = replace(
        tested, names=(best,), folds=tested.folds[:1, :1], hard=tested.hard[at],
        predicted=tested.predicted[at, :1, :1], probabilities=tested.probabilities[at, :1, :1],
    )  # fmt: skip
    p = trust.recalibration.calibrator.apply(first.probabilities[0, 0, 0].astype(np.float64))
    labels = _cross_fitted(criterion.name, p, first)
    before, after = (
        criterion.sample_losses(one)[0, 0] for one in (first, replace(first, predicted=labels))
    )
    test = case_t_test(before, after, groups=evidence.groups, as_given=evidence.as_given)
    low, high = test.confidence_interval(_LEVEL)
    if not low > 0:
        return None
    weights = tuned_weights(criterion.name, *_some(p, first.y))
    means = float(before.mean()), float(after.mean())
    return TunedDecisions(tuple(weights.tolist()), *means, float(low), float(high), _LEVEL)


def _cross_fitted(name: str, p: Probabilities, first: OutOfFold) -> Ints:
    folds = first.folds[0, 0]
    labels = np.empty_like(first.predicted)
    for fold in np.unique(folds):
        inside = folds == fold
        weights = tuned_weights(name, *_some(p[~inside], first.y[~inside]))
        labels[0, 0, 0, inside] = (weights * p[inside]).argmax(axis=1)
    return labels


def _some(p: Probabilities, y: Ints) -> tuple[Probabilities, Ints]:
    if len(y) <= _MOST_ROWS:
        return p, y
    rows = np.random.default_rng(0).choice(len(y), _MOST_ROWS, replace=False)
    return p[rows], y[rows]


_LOSSES = ("log-loss", "brier", "cost")  # those that recalibration can change

_MOST_CELLS = 200_000  # repetitions × rows × classes: a second or two for each candidate


def ask_recalibrated(
    question: Question, evidence: Evidence, best: str
) -> Recalibrated | NotAsked | None:
    """Find who would be chosen were all recalibrated, if not the best; or say why not asked.

    Each candidate's out-of-fold probabilities are recalibrated, cross-fitted, where that is shown
    to gain (:func:`recalibrate`); then the same rule chooses. With many rows fewer repetitions are
    looked at.
    """
    criterion, names = question.criterion, evidence.names
    if criterion.name not in _LOSSES or len(names) < 2:
        return None
    cells = len(evidence.tested.y) * len(evidence.tested.classes)
    if cells > 5 * _MOST_CELLS:
        why = "whether recalibration would change the choice was not asked: too many rows"
        return NotAsked(why)
    predictions = evidence.tested
    if len(predictions.folds) > 1 or predictions.folds.shape[1] * cells > _MOST_CELLS:
        predictions = predictions.part(runs=1, repetitions=max(1, _MOST_CELLS // cells))
    recalibrated, methods = recalibrate_all(predictions)
    losses = criterion.fold_losses(recalibrated)[evidence.sound]
    _, ordering = order_by_rule(question, losses, names, ratio=evidence.ratio)
    chosen = names[ordering.best]
    method = methods[predictions.names.index(chosen)]
    if chosen == best or method == "none":
        return None
    before = criterion.fold_losses(predictions)[evidence.sound]
    i, j = names.index(best), names.index(chosen)
    low, high = evidence.test_folds(losses[i], losses[j]).confidence_interval(_LEVEL)
    return Recalibrated(
        name=chosen, method=method, before=float(before[j].mean()), after=float(losses[j].mean()),
        best_after=float(losses[i].mean()), low=float(low), high=float(high), level=_LEVEL,
    )  # fmt: skip


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
    >>> found, methods = recalibrate_all(OutOfFold(names=("boosting",), classes=("no", "yes"),
    ...     y=y, folds=(np.arange(200) % 5)[None, None], predicted=sure[None, None, None],
    ...     probabilities=p, hard=np.array([False])))
    >>> methods, bool(0.75 < found.probabilities.max() < 0.85)
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
