"""Labels decided by weights of the classes, where a measure of rare classes gains by that."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from polychotomy.comparison import Criterion, case_t_test
from polychotomy.comparison.measures import MEASURES, tuned_weights
from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.predictions import OutOfFold
from polychotomy.validation import Trust
from polychotomy.verdict.evidence import Evidence

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
        tested,
        names=(best,),
        folds=tested.folds[:1, :1],
        predicted=tested.predicted[at, :1, :1],
        probabilities=tested.probabilities[at, :1, :1],
        hard=tested.hard[at],
    )
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
