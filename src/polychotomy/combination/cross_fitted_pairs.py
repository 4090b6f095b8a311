"""Cross-fitted placements of a combination and of the best single candidate, a pair of classes.

In every fold the weights, and the choice of the best single candidate, come from the other folds.
Placements are taken within the fold: scores of different fits, or with different weights, are not
compared. Odds that differ by no more than the probabilities' precision are tied.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.combination.tied_scores import combine, join_ties
from polychotomy.combination.tuned_margin import SETTINGS, Setting, tuned_margin_weights
from polychotomy.placements import placements

ClassPair = tuple[int, int]
COMBINED, BEST, AVERAGE = 0, 1, 2  # rows of the placements; the candidates alone follow


@dataclass(frozen=True)
class FoldOfPair:
    """One fold and pair of classes: odds to learn on, and to judge on."""

    learn: Floats  # (n, m)
    learn_positive: Bools
    judge: Floats
    judge_positive: Bools
    judged: Ints  # sample numbers
    precision: float  # relative, of the odds


class PlacementSums:
    """Sums of placements a sample and pair of classes, over repetitions; and mean weights."""

    def __init__(self, pairs: list[ClassPair], n: int, m: int) -> None:
        self.sums = {pair: np.zeros((3 + m, n)) for pair in pairs}
        self.counts = {pair: np.zeros(n) for pair in pairs}
        self.weights: list[Floats] = []
        self.chosen = np.zeros(m)

    def add(self, pair: ClassPair, fold: FoldOfPair, weights: Floats, best: int) -> None:
        """Place the samples of a fold by the combination, the best, the average, and each alone."""
        m = len(weights)
        scores = scores_of_odds(fold.judge)
        errors = fold.precision * (1.0 - scores * scores) / 2  # of the odds' logarithm, as scores
        mixed = [combine(scores, one, errors) for one in (weights, np.full(m, 1.0 / m))]
        rankers = np.column_stack([mixed[0], fold.judge[:, best], mixed[1], fold.judge])
        for row, ranker in enumerate(rankers.T):
            high, low = placements(ranker, fold.judge_positive)
            self.sums[pair][row, fold.judged[fold.judge_positive]] += high
            self.sums[pair][row, fold.judged[~fold.judge_positive]] += low
        self.counts[pair][fold.judged] += 1
        self.weights.append(weights)
        self.chosen += np.arange(m) == best

    def means(self) -> dict[ClassPair, Floats]:
        """Mean placements, (3 + m, n), NaN where a sample was never placed; pairs placed only."""
        found = {}
        for pair, counts in self.counts.items():
            if counts.any():
                with np.errstate(invalid="ignore"):
                    found[pair] = self.sums[pair] / counts
        return found


def place_all(probabilities: NDArray[np.floating], y: Ints, folds: Ints) -> PlacementSums:
    """Cross-fit every fold of every repetition.

    Parameters
    ----------
    probabilities : (m, repetitions, n, k) floats
        Their type says how precise they are.
    y : (n,) ints
    folds : (repetitions, n) ints
        −1 where a sample was never left out.
    """
    m, repetitions, n, k = probabilities.shape
    pairs = list(combinations(range(k), 2))
    # With many classes there are many pairs: only the settings that need no iteration.
    settings = SETTINGS if k == 2 else tuple(one for one in SETTINGS if one[0] == 1)
    sums = PlacementSums(pairs, n, m)
    for repetition in range(repetitions):
        for fold in np.unique(folds[repetition][folds[repetition] >= 0]):
            parts = {
                pair: part
                for pair in pairs
                if (part := _part(probabilities[:, repetition], y, folds[repetition], fold, pair))
            }
            _place_fold(parts, settings, sums)
    return sums


def _place_fold(
    parts: dict[ClassPair, FoldOfPair], settings: tuple[Setting, ...], sums: PlacementSums
) -> None:
    if not parts:
        return
    alone = np.mean(
        [_areas(part.learn, part.learn_positive) for part in parts.values()], axis=0
    )  # one candidate for all pairs of classes
    best = int(alone.argmax())
    for pair, part in parts.items():
        learn = scores_of_odds(part.learn)
        weights = tuned_margin_weights(learn, part.learn_positive, settings=settings).weights
        sums.add(pair, part, weights, best)


def _areas(odds: Floats, positive: Bools) -> Floats:
    return np.array([placements(column, positive)[0].mean() for column in odds.T])


def _part(
    probabilities: NDArray[np.floating], y: Ints, folds: Ints, fold: int, pair: ClassPair
) -> FoldOfPair | None:
    """Odds between a pair of classes; None where the fold, or the others, lack one of them."""
    lower, upper = pair
    members = ((y == lower) | (y == upper)) & (folds >= 0)
    learn, judge = (
        np.flatnonzero(members & (folds != fold)),
        np.flatnonzero(members & (folds == fold)),
    )
    if np.bincount(y[learn] == upper, minlength=2).min() < 2:
        return None
    if np.bincount(y[judge] == upper, minlength=2).min() < 1:
        return None
    return FoldOfPair(
        pair_odds(probabilities[:, learn], pair), y[learn] == upper,
        pair_odds(probabilities[:, judge], pair), y[judge] == upper,
        judge, _odds_precision(probabilities),
    )  # fmt: skip


def pair_odds(probabilities: NDArray[np.floating], pair: ClassPair) -> Floats:
    """Odds (n, m) of the upper of two classes, p_upper / p_lower; 1 where both are 0.

    Odds that differ by no more than the precision of the probabilities, which is that of their
    type, are the same to the last digit, across learners too.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.cross_fitted_pairs import pair_odds
    >>> pair_odds(np.array([[[0.1, 0.3, 0.6], [0.0, 0.0, 1.0]]]), (0, 1)).round(12)
    array([[3.],
           [1.]])
    >>> one, other = pair_odds(np.array([[[1 / 7, 3 / 7, 3 / 7], [0.2, 0.6, 0.2]]]), (0, 1))
    >>> bool(one == other)
    True
    """
    lower, upper = (np.asarray(probabilities[..., one], dtype=np.float64).T for one in pair)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        odds = np.where((lower == 0) & (upper == 0), 1.0, upper / lower)
    finite = np.where(np.isinf(odds), 0.0, odds)
    return join_ties(odds, _odds_precision(probabilities) * finite)


def scores_of_odds(odds: Floats) -> Floats:
    """Scores in [−1, 1], (p_upper − p_lower) / (p_upper + p_lower); of two classes, 2p − 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.cross_fitted_pairs import scores_of_odds
    >>> scores_of_odds(np.array([0.0, 1.0, 3.0, np.inf]))
    array([-1. ,  0. ,  0.5,  1. ])
    """
    return np.asarray(1.0 - 2.0 / (1.0 + odds))


def _odds_precision(probabilities: NDArray[np.floating]) -> float:
    """Bound of the odds' relative error: two roundings of what is kept, two of what it was."""
    kept = float(np.finfo(probabilities.dtype).eps)
    return 2 * max(kept, float(np.finfo(np.float64).eps))
