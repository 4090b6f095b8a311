"""Cross-fitted placements of a combination and of the best single candidate, a pair of classes.

In every fold the weights, and the choice of the best single candidate, come from the other folds.
Placements are taken within the fold: scores of different fits, or with different weights, are not
compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.combination.tuned_margin import SETTINGS, Setting, tuned_margin_weights
from polychotomy.placements import placements

ClassPair = tuple[int, int]
COMBINED, BEST, AVERAGE = 0, 1, 2  # rows of the placements; the candidates alone follow


@dataclass(frozen=True)
class FoldOfPair:
    """One fold and pair of classes: scores in [−1, 1] to learn on, and to judge on."""

    learn: Floats  # (n, m)
    learn_positive: Bools
    judge: Floats
    judge_positive: Bools
    judged: Ints  # sample numbers


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
        rankers = np.column_stack(
            [fold.judge @ weights, fold.judge[:, best], fold.judge.mean(axis=1), fold.judge]
        )
        for row, scores in enumerate(rankers.T):
            high, low = placements(scores, fold.judge_positive)
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


def place_all(probabilities: Floats, y: Ints, folds: Ints) -> PlacementSums:
    """Cross-fit every fold of every repetition.

    Parameters
    ----------
    probabilities : (m, repetitions, n, k) floats
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
        weights = tuned_margin_weights(part.learn, part.learn_positive, settings=settings).weights
        sums.add(pair, part, weights, best)


def _areas(scores: Floats, positive: Bools) -> Floats:
    return np.array([placements(column, positive)[0].mean() for column in scores.T])


def _part(
    probabilities: Floats, y: Ints, folds: Ints, fold: int, pair: ClassPair
) -> FoldOfPair | None:
    """Scores of a pair of classes; None where the fold, or the others, lack one of them."""
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
        pair_scores(probabilities[:, learn], pair), y[learn] == upper,
        pair_scores(probabilities[:, judge], pair), y[judge] == upper, judge,
    )  # fmt: skip


def pair_scores(probabilities: Floats, pair: ClassPair) -> Floats:
    """Scores (n, m) in [−1, 1] between two classes: (p_upper − p_lower) / (p_upper + p_lower).

    0 where both are 0. With two classes this is 2p − 1.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.cross_fitted_pairs import pair_scores
    >>> pair_scores(np.array([[[0.1, 0.3, 0.6], [0.0, 0.0, 1.0]]]), (0, 1))
    array([[0.5],
           [0. ]])
    """
    lower, upper = (probabilities[..., one] for one in pair)
    total = upper + lower
    return np.asarray(np.divide(upper - lower, total, out=np.zeros(total.shape), where=total > 0)).T
