"""Would combining help? A pure function of out-of-fold predictions: nothing is fitted again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.codes.arguments import check_share, shown
from polychotomy.combination.combination_advice import CombinationAdvice
from polychotomy.combination.cross_fitted_pairs import (
    AVERAGE,
    BEST,
    COMBINED,
    ClassPair,
    place_all,
)
from polychotomy.exceptions import InvalidInput
from polychotomy.predictions import OutOfFold, require_predictions

_ALONE = 3  # row of the first candidate alone among the placements


def would_combining_help(
    predictions: OutOfFold, *, over: str | None = None, level: float = 0.95
) -> CombinationAdvice:
    """Compare the AUC of a cross-fitted combination with that of one candidate alone.

    In every fold the weights (:func:`tuned_margin_weights`) are learned on the out-of-fold
    predictions of the other folds, and so is the choice of the best single candidate, unless one
    is asked for: both sides are judged on samples that they did not see. The fits behind the other
    folds' predictions have seen this fold's samples, as in all stacking; that favours neither
    side. With more than two classes everything is done for each pair of classes and averaged.
    DeLong's error is enlarged, since the folds share most of what their weights are learned on.

    Parameters
    ----------
    predictions : OutOfFold
        Of two or more candidates, in two or more folds. Candidates that lack a prediction for
        some sample are left out, and named in the result.
    over : str, optional
        The candidate to compare with: what would be used otherwise. By default the best single one
        by its AUC, chosen in every fold on the others. One that was chosen for its low loss on
        these very samples looks a little better than it is, which makes the gain look smaller.
    level : float
        Of the confidence interval.

    Returns
    -------
    CombinationAdvice

    Examples
    --------
    Two candidates that err on different samples:

    >>> import numpy as np
    >>> from polychotomy.predictions import OutOfFold
    >>> from polychotomy import would_combining_help
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 2
    >>> logits = rng.normal(size=(2, 400)) + 1.5 * (y - 0.5)
    >>> p = 1 / (1 + np.exp(-logits))
    >>> p = np.stack([1 - p, p], axis=-1)[:, None, None]  # (m, runs, repetitions, n, k)
    >>> advice = would_combining_help(OutOfFold(
    ...     names=("left", "right"), classes=("no", "yes"), y=y,
    ...     folds=(np.arange(400) // 80)[None, None], predicted=p.argmax(axis=-1),
    ...     probabilities=p, hard=np.zeros(2, dtype=bool),
    ... ))
    >>> advice.conclusion
    'helps'
    """
    require_predictions(predictions)
    level = check_share("level", level, such_as=0.95)
    folds = predictions.folds.reshape(-1, len(predictions.y))
    stacked = _stack_repetitions(predictions)
    predicted = np.isfinite(stacked).all(axis=-1) | (folds < 0)  # (m, repetitions, n)
    complete = np.array([bool(one.all()) for one in predicted])
    _require_candidates(predictions.names, complete)
    sums = place_all(stacked[complete], predictions.y, folds)
    means = sums.means()
    if not means:
        raise InvalidInput(
            "no pair of classes has two samples of each class outside some fold and one inside; "
            "combining cannot be judged by cross-fitting. Give more samples or fewer folds."
        )
    areas = np.mean([_area(placed, predictions.y, pair) for pair, placed in means.items()], axis=0)
    names = tuple(np.array(predictions.names, dtype=object)[complete])
    best = names[int(sums.chosen.argmax())]
    rival = BEST if over is None else _ALONE + _position(over, names)
    error = _standard_error(means, predictions.y, rival) * np.sqrt(_overlap_factor(folds))
    difference = float(areas[COMBINED] - areas[rival])
    return CombinationAdvice(
        names=names,
        left_out=tuple(np.array(predictions.names, dtype=object)[~complete]),
        weights=np.mean(sums.weights, axis=0),
        best=best,
        over=best if over is None else over,
        auc=float(areas[COMBINED]),
        auc_over=float(areas[rival]),
        auc_best=float(areas[BEST]),
        auc_average=float(areas[AVERAGE]),
        aucs=areas[_ALONE:],
        difference=difference,
        standard_error=float(error),
        pvalue=_two_sided(difference, float(error)),
        level=level,
        n_samples=int(np.any([np.isfinite(placed[0]) for placed in means.values()], axis=0).sum()),
        n_class_pairs=len(means),
    )


def _position(name: str, names: tuple[str, ...]) -> int:
    if not isinstance(name, str) or name not in names:
        raise InvalidInput(
            f"over is {shown(name)}; expected a candidate with a prediction for every sample: "
            f"{', '.join(names)}."
        )
    return names.index(name)


def _stack_repetitions(predictions: OutOfFold) -> NDArray[np.floating]:
    """Probabilities with runs and repetitions as one axis, (m, repetitions, n, k)."""
    p = predictions.probabilities
    return p.reshape(p.shape[0], -1, *p.shape[3:])


def _require_candidates(names: tuple[str, ...], complete: Bools) -> None:
    if complete.sum() < 2:
        held = ", ".join(name for name, ok in zip(names, complete, strict=True) if ok) or "none"
        raise InvalidInput(
            f"candidates with a prediction for every sample: {held}; expected two or more to "
            f"combine, of {len(names)} given."
        )


def _area(placed: Floats, y: Ints, pair: ClassPair) -> Floats:
    """AUC of every ranker: the mean placement of either class (the same where folds are even)."""
    means = [np.nanmean(placed[:, y == one], axis=1) for one in pair]
    return np.asarray((means[0] + means[1]) / 2)


def _standard_error(means: dict[ClassPair, Floats], y: Ints, rival: int) -> float:
    """DeLong's error of the mean difference over pairs of classes.

    A sample takes part in every pair of its class: its placements are summed first, so that the
    pairs' covariance is counted.
    """
    variance = 0.0
    for one in np.unique(y):
        own = [placed[COMBINED] - placed[rival] for pair, placed in means.items() if one in pair]
        if not own:
            continue
        totals = np.sum([part[y == one] for part in own], axis=0)
        totals = totals[np.isfinite(totals)]
        if len(totals) > 1:
            variance += float(totals.var(ddof=1)) / len(totals)
    return float(np.sqrt(variance)) / len(means)


def _overlap_factor(folds: Ints) -> float:
    """How much larger the variance is because folds share what their weights are learned on.

    The weights of two of K folds are learned on K − 1 folds each, K − 2 of them the same, so the
    folds' differences are correlated; DeLong's variance takes them for independent. Where nobody
    knows anything, the variance was found to be 1.1, 1.6 and 1.6 times DeLong's for 2, 4 and 5
    folds (three candidates, 120 samples); this gives 1, 1.67 and 1.75.
    """
    n_folds = max(len(np.unique(one[one >= 0])) for one in folds)
    return 1.0 + (n_folds - 2) / (n_folds - 1)


def _two_sided(difference: float, error: float) -> float:
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * ndtr(-abs(difference) / error))
