"""How often each pairwise test says "different", of learners that are equal and that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from benchmarks.truth.bayesian import probability_worse
from benchmarks.truth.nulls import Family, Resampled
from numpy.typing import ArrayLike
from scipy.stats import binomtest

from polychotomy.comparison import (
    calibrated_t_test,
    corrected_t_test,
    f_test_5x2,
    mcnemar_test,
    paired_t_test,
    t_test_5x2,
    wilcoxon_test,
)

LEVEL = 0.05
WILCOXON = 1000  # samples at most
Pair = tuple[np.ndarray, np.ndarray]


def halves(one: Resampled) -> Pair:
    """Errors (r, 5, 2) of A and of B."""
    return _rates(one.halves, one.n)


def fifths(one: Resampled) -> Pair:
    """Errors (r, 25) of five times 5-fold cross-validation."""
    return _flat(_rates(one.fifths, one.n))


def tenths(one: Resampled) -> Pair:
    """Errors (r, 100) of ten times 10-fold cross-validation."""
    return _flat(_rates(one.tenths, one.n))


def ten(one: Resampled) -> Pair:
    """Errors (r, 10) of one 10-fold cross-validation."""
    return _flat(_rates(one.tenths[:, :, :1], one.n))


def _rates(wrong: np.ndarray, n: int) -> Pair:
    rates = wrong / (n / wrong.shape[-1])
    return rates[:, 0], rates[:, 1]


def _flat(pair: Pair) -> Pair:
    return pair[0].reshape(len(pair[0]), -1), pair[1].reshape(len(pair[1]), -1)


@dataclass(frozen=True)
class Way:
    """A way people compare two learners; ``differs`` says for each sample if it found them so."""

    name: str
    function: str  # of polychotomy.comparison
    differs: Callable[[Resampled], np.ndarray]


def _rejects(pvalues: ArrayLike) -> np.ndarray:
    return np.asarray(pvalues) <= LEVEL


def _corrected(pair: Pair, folds: int) -> np.ndarray:
    return _rejects(corrected_t_test(*pair, test_train_ratio=1 / (folds - 1)).pvalue)


def _wilcoxon(pair: Pair) -> np.ndarray:
    """One pair at a time, so the first samples must do."""
    firsts = zip(*(side[:WILCOXON] for side in pair), strict=True)
    return _rejects([wilcoxon_test(a, b).pvalue for a, b in firsts])


def _mcnemar(one: Resampled, *, exact: bool) -> np.ndarray:
    """The test needs the two counts only, and few pairs of them differ."""
    pairs, place = np.unique(one.discordant, axis=0, return_inverse=True)
    pvalues = [_mcnemar_counts(int(a), int(b), exact=exact) for a, b in pairs]
    return _rejects(np.array(pvalues)[place])


def _mcnemar_counts(only_a: int, only_b: int, *, exact: bool) -> float:
    wrong_a = np.arange(only_a + only_b + 1) < only_a
    wrong_b = ~wrong_a
    wrong_b[-1] = wrong_a[-1]  # one case of agreement, so that there always is a case
    return float(mcnemar_test(wrong_a, wrong_b, exact=exact).pvalue)


def _bayesian(one: Resampled, rope: float) -> np.ndarray:
    a, b = tenths(one)
    sides = [
        probability_worse(*pair, test_train_ratio=1 / 9, rope=rope) for pair in ((a, b), (b, a))
    ]
    return np.maximum(*sides) >= 1 - LEVEL


WAYS = (
    Way(
        "paired t on 10×10 folds",
        "paired_t_test",
        lambda o: _rejects(paired_t_test(*tenths(o)).pvalue),
    ),
    Way(
        "Wilcoxon on 10×10 folds",
        "wilcoxon_test",
        lambda o: _wilcoxon(tenths(o)),
    ),
    Way("paired t on 10 folds", "paired_t_test", lambda o: _rejects(paired_t_test(*ten(o)).pvalue)),
    Way("Wilcoxon on 10 folds", "wilcoxon_test", lambda o: _wilcoxon(ten(o))),
    Way("Bayesian t, 10×10, P ≥ 95 %", "bayesian_t_test", lambda o: _bayesian(o, 0.0)),
    Way("Bayesian t, 10×10, ROPE 1 point", "bayesian_t_test", lambda o: _bayesian(o, 0.01)),
    Way("corrected t, 10×10 folds", "corrected_t_test", lambda o: _corrected(tenths(o), 10)),
    Way("corrected t, 5×5 folds", "corrected_t_test", lambda o: _corrected(fifths(o), 5)),
    Way(
        "calibrated t, 10×10 folds",
        "calibrated_t_test",
        lambda o: _rejects(calibrated_t_test(*tenths(o)).pvalue),
    ),
    Way("5×2cv t", "t_test_5x2", lambda o: _rejects(t_test_5x2(*halves(o)).pvalue)),
    Way("5×2cv F", "f_test_5x2", lambda o: _rejects(f_test_5x2(*halves(o)).pvalue)),
    Way("McNemar, 30 % held out", "mcnemar_test", lambda o: _mcnemar(o, exact=False)),
    Way("McNemar exact, 30 % held out", "mcnemar_test", lambda o: _mcnemar(o, exact=True)),
)


def rates(settings: Iterable[tuple[Family, bool, Resampled]]) -> pd.DataFrame:
    """One row a setting and way: share of "different", with its 95 % interval (Wilson)."""
    rows = []
    for family, handicap, one in settings:
        truth = true_difference(one) if handicap else 0.0
        for way in WAYS:
            found = way.differs(one)
            interval = binomtest(int(found.sum()), len(found)).proportion_ci(method="wilson")
            share = (found.mean(), interval.low, interval.high)
            rows.append((way.name, way.function, family, one.n, truth, len(found), *share))
    columns = ["way", "function", "learners", "n", "true_difference", "repetitions"]
    return pd.DataFrame(rows, columns=[*columns, "different", "low", "high"])


def true_difference(one: Resampled) -> float:
    """Expected error of B less that of A, in points, over all samples and folds of 10×10."""
    a, b = tenths(one)
    return float(100 * (b.mean() - a.mean()))
