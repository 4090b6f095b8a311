"""Slack and pull chosen by cross-fitted AUC: the library's default weights.

The hard margin follows a few extreme samples, and is on average worse than no weights at all (see
docs/results/combining.md). What does well everywhere is the mean margin with a pull of 1: near
the plain average where the classifiers are about equal, away from bad ones where some are bad. We
start there and move only where the data say so, by more than a standard error.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.combination.margin_weights import RankMarginFit
from polychotomy.combination.soft_margin import maximise_soft_margin
from polychotomy.combination.two_classes import Sides, combine
from polychotomy.core.arguments import as_floats, check_count, shown
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.ranking import check_two_class_scores, placement_covariance, placements
from polychotomy.core.seeds import as_generator

Setting = tuple[float, float]
"""Slack and pull; an infinite pull is the plain average."""


SETTINGS: tuple[Setting, ...] = ((1.0, 1.0), (1.0, 0.1), (1.0, np.inf), (3.0, 0.3))

_GAP = 2e-3  # of a fit whose AUC only is looked at


class TunedMarginFit(RankMarginFit):
    """Soft margin weights whose slack and pull were chosen by cross-fitted AUC.

    Parameters
    ----------
    slack, pull : float
        The setting chosen; an infinite pull is the plain average.
    settings : (settings, 2) floats
        The slacks and pulls tried; the first is kept unless another is clearly better.
    aucs : (settings,) floats
        Their cross-fitted AUCs.
    errors : (settings,) floats
        Standard errors of their differences from the first.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination import tuned_margin_weights
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(60) % 2
    >>> scores = np.column_stack([0.3 * rng.normal(size=60) + y, rng.normal(size=60)]) / 4
    >>> fit = tuned_margin_weights(scores, y)
    >>> bool(fit.weights[0] > fit.weights[1])  # the second knows nothing
    True
    """

    slack: float
    pull: float
    settings: Floats
    aucs: Floats
    errors: Floats

    def __str__(self) -> str:
        used = int((self.weights > 0).sum())
        tried = np.flatnonzero((self.settings == [self.slack, self.pull]).all(axis=1))[0]
        return (
            f"Slack {self.slack:g} and pull {self.pull:g} (cross-fitted AUC "
            f"{self.aucs[tried]:.4f}) give weights to {used} of {len(self.weights)} classifiers."
        )


def tuned_margin_weights(
    scores: ArrayLike,
    y: ArrayLike,
    *,
    settings: tuple[Setting, ...] = SETTINGS,
    n_folds: int = 5,
    random_state: int = 0,
) -> TunedMarginFit:
    """Soft margin weights with slack and pull chosen by cross-fitted AUC.

    Every setting learns weights on all folds but one and scores that one. The first setting is
    kept unless another has a larger AUC, within the folds, by more than a standard error (DeLong).

    Parameters
    ----------
    scores : (n, m) array-like
        Scores of order 1 (in [−1, 1]) on samples the classifiers were not trained on.
    y : (n,) array-like
        1 (positive) or 0 (negative), or two texts, the second in sorted order positive; two or
        more of each.
    settings : tuple of (slack, pull)
        What is tried, the default first; an infinite pull is the plain average.
    n_folds : int
        At most; no more than the smaller class has samples.
    random_state : int
        For the folds.

    Examples
    --------
    Three useful classifiers and three that say nothing:

    >>> import numpy as np
    >>> from polychotomy.combination import tuned_margin_weights
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 100)
    >>> scores = np.tanh(rng.normal(size=(200, 6)) + (y[:, None] - 0.5) * [2, 2, 2, 0, 0, 0])
    >>> fit = tuned_margin_weights(scores, y)
    >>> bool(fit.weights[:3].sum() > 0.95)
    True
    """
    matrix, positive = check_two_class_scores(scores, y)
    _check_settings(settings)
    folds = stratified_folds(positive, n_folds=n_folds, random_state=random_state)
    high, low = _cross_fitted_placements(matrix, positive, settings, folds)
    aucs = (high.mean(axis=1) + low.mean(axis=1)) / 2
    covariance = placement_covariance(high - high[0], low - low[0])
    errors = np.sqrt(covariance.diagonal())
    chosen = choose_setting(aucs, errors)
    slack, pull = settings[chosen]
    sides = Sides.split(matrix, positive)
    weights, gap, iterations = fit_setting(sides, slack, pull, gap=5e-7)
    above, below = sides.combine(weights)
    return TunedMarginFit(
        weights=weights, margin=sides.margin(above, below), gap=gap, iterations=iterations,
        slack=slack, pull=pull, settings=np.array(settings), aucs=aucs, errors=errors,
    )  # fmt: skip


def _check_settings(settings: tuple[Setting, ...]) -> None:
    pairs = as_floats("settings", settings)
    shaped = pairs.ndim == 2 and pairs.shape[1] == 2 and len(pairs) > 0
    if not shaped or not ((pairs[:, 0] >= 1) & (pairs[:, 1] >= 0)).all():
        raise InvalidInput(
            f"settings is {shown(settings)}; expected pairs of a slack of at least 1 and a pull "
            "of at least 0, such as ((1.0, 1.0), (1.0, 0.1))."
        )


def choose_setting(aucs: Floats, errors: Floats) -> int:
    """Keep setting 0 unless another gains more than a standard error; then the largest such gain.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.tuned_margin import choose_setting
    >>> choose_setting(np.array([0.80, 0.81]), np.array([0.0, 0.02]))
    0
    >>> choose_setting(np.array([0.80, 0.84]), np.array([0.0, 0.02]))
    1
    """
    gains = aucs - aucs[0] - errors
    gains[0] = 1e-12  # a gain by rounding is none
    return int(gains.argmax())


def fit_setting(
    sides: Sides, slack: float, pull: float, *, gap: float
) -> tuple[Floats, float, int]:
    """Weights of one setting, their gap and the evaluations."""
    if pull == np.inf:
        m = sides.scores.shape[1]
        return np.full(m, 1.0 / m), 0.0, 0
    found = maximise_soft_margin(sides, slack=slack, pull=pull, gap=gap)
    return found.weights, found.gap, found.evaluations


def stratified_folds(positive: Bools, *, n_folds: int, random_state: int) -> Ints:
    """Fold of each sample, with the classes spread evenly.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.tuned_margin import stratified_folds
    >>> folds = stratified_folds(np.arange(6) < 2, n_folds=5, random_state=0)
    >>> sorted(folds[:2].tolist()), sorted(folds[2:].tolist())
    ([0, 1], [0, 0, 1, 1])
    """
    n_folds = check_count("n_folds", n_folds, least=2, unit="folds")
    smaller = int(min(positive.sum(), (~positive).sum()))
    if smaller < 2:
        raise InvalidInput(
            f"y holds {int(positive.sum())} positives and {int((~positive).sum())} negatives; "
            "cross-fitting needs two or more of each. Use rank_margin_weights with a slack and a "
            "pull of your own."
        )
    rng = as_generator(random_state)
    folds = np.empty(len(positive), dtype=np.intp)
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        folds[rng.permutation(members)] = np.arange(len(members)) % min(n_folds, smaller)
    return folds


def _cross_fitted_placements(
    scores: Floats, positive: Bools, settings: tuple[Setting, ...], folds: Ints
) -> tuple[Floats, Floats]:
    """Placements of every sample within its fold, (settings, N⁺) and (settings, N⁻).

    Within the fold, since the weights differ between folds.
    """
    high = np.empty((len(settings), int(positive.sum())))
    low = np.empty((len(settings), int((~positive).sum())))
    for fold in range(int(folds.max()) + 1):
        held = folds == fold
        sides = Sides.split(scores[~held], positive[~held])
        for s, (slack, pull) in enumerate(settings):
            weights, _, _ = fit_setting(sides, slack, pull, gap=_GAP)
            above, below = placements(combine(scores[held], weights), positive[held])
            high[s, held[positive]], low[s, held[~positive]] = above, below
    return high, low
