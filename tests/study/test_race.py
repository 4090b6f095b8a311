"""Racing: levels that sum to alpha, and a whole procedure that keeps it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from polychotomy.comparison import corrected_t_test
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Race
from polychotomy.study.design.folds import assign_folds
from polychotomy.study.racing import (
    decide,
    pair_levels,
    spend,
    worse_pvalues,
)


def race_through(errors, *, alpha, test_train_ratio):
    """Return after how many repetitions each candidate would have been stopped, (m,).

    For a table in which all were run to the end, (m, repetitions, folds); those that are never
    stopped have all repetitions.
    """
    m, looks, _ = errors.shape
    after = np.full(m, looks, dtype=np.intp)
    for look in range(1, looks):
        for stop in decide(
            errors[:, :look],
            after >= look,
            looks=looks,
            alpha=alpha,
            test_train_ratio=test_train_ratio,
        ):
            after[stop.candidate] = min(after[stop.candidate], look)
    return after


@given(st.floats(0.001, 0.5), st.integers(1, 30))
def test_levels_grow_and_sum_to_alpha(alpha, looks):
    levels = spend(alpha, looks)
    assert levels.sum() == pytest.approx(alpha)
    assert (levels >= 0).all()


def test_levels_by_hand():
    # Lan and DeMets: 2 (1 − Φ(1.96 / √½)) = 0.0056 is spent at half time.
    levels = spend(0.05, 2)
    assert levels[0] == pytest.approx(2 * (1 - norm.cdf(1.959964 * np.sqrt(2))), rel=1e-5)
    assert levels[0] == pytest.approx(0.00557, abs=1e-5)


def test_pvalues_are_those_of_the_corrected_t_test():
    errors = np.random.default_rng(0).normal(0.2, 0.05, size=(3, 15))
    found = worse_pvalues(errors, test_train_ratio=0.25)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        test = corrected_t_test(errors[j], errors[i], test_train_ratio=0.25, alternative="greater")
        assert found[i, j] == pytest.approx(test.pvalue)
    assert np.isnan(found[np.tril_indices(3)]).all()


def table(means, repetitions=5, folds=5, noise=0.01, seed=0):
    rng = np.random.default_rng(seed)
    noise = noise * rng.standard_normal((len(means), repetitions, folds))
    return np.array(means)[:, None, None] + noise


def test_the_clearly_worse_is_stopped_and_the_better_never():
    after = race_through(table([0.3, 0.1, 0.5, 0.1]), alpha=0.05, test_train_ratio=0.25)
    # 0.3 is worse than a less preferred one only, so it stays: racing asks about simpler ones.
    assert after.tolist() == [5, 5, 1, 5]


def test_reasons():
    (stop,) = decide(
        table([0.1, 0.5])[:, :2],
        np.array([True, True]),
        looks=5,
        alpha=0.05,
        test_train_ratio=0.25,
    )
    assert (stop.candidate, stop.better) == (1, 0)
    assert stop.pvalue <= stop.level == pytest.approx(spend(0.05, 5)[1])


def test_no_decision_at_the_end_or_on_two_values_or_by_failed_fits():
    errors = table([0.1, 0.5], folds=2)
    active = np.array([True, True])
    options = {"looks": 5, "alpha": 0.05, "test_train_ratio": 1.0}
    assert decide(errors, active, **options) == []
    assert decide(errors[:, :1], active, **options) == []
    errors[0, 1, 0] = np.nan
    assert decide(errors[:, :4], active, **options) == []


def test_coarse_errors_without_spread_are_no_evidence():
    errors = np.stack([np.full((4, 5), 0.1), np.full((4, 5), 0.2)])
    assert race_through(errors, alpha=0.05, test_train_ratio=0.25).tolist() == [4, 4]


def test_levels_of_looks_are_those_of_decisions():
    levels = pair_levels(0.05, looks=5, folds=2, candidates=4)
    assert list(levels) == [2, 3, 4]  # no look at two values, nor at the end
    assert list(levels.values()) == pytest.approx((spend(0.05, 5)[1:4] / 6).tolist())
    assert pair_levels(0.05, looks=5, folds=5, candidates=1) == {}


@pytest.mark.parametrize("alpha", [0, 1, -0.1, float("nan"), "0.05", None])
def test_bad_alpha(alpha):
    with pytest.raises(InvalidInput, match="expected a number between 0 and 1"):
        Race(alpha=alpha)


def exchangeable_errors(rng, n, m, repetitions, folds):
    """Errors of m nearest-mean learners, each of a feature of its own: none is truly worse."""
    codes = np.arange(n) % 2
    X = rng.standard_normal((m, n)) + 1.2 * codes
    errors = np.empty((m, repetitions, folds))
    for repetition in range(repetitions):
        fold = assign_folds(codes, folds, stratified=True, seed=int(rng.integers(2**31)))
        for f in range(folds):
            train, test = fold != f, fold == f
            zero, one = (X[:, train & (codes == c)].mean(axis=1) for c in (0, 1))
            guess = np.abs(X[:, test] - one[:, None]) < np.abs(X[:, test] - zero[:, None])
            errors[:, repetition, f] = (guess != codes[test]).mean(axis=1)
    return errors


@pytest.mark.long
@pytest.mark.parametrize(("repetitions", "folds"), [(5, 2), (5, 5), (10, 10)])
@pytest.mark.parametrize("n", [60, 300])
def test_the_whole_procedure_keeps_its_level(repetitions, folds, n):
    alpha, trials = 0.1, 600
    rng = np.random.default_rng([repetitions, folds, n])
    stopped = 0
    for _ in range(trials):
        errors = exchangeable_errors(rng, n, 4, repetitions, folds)
        after = race_through(errors, alpha=alpha, test_train_ratio=1 / (folds - 1))
        stopped += (after < repetitions).any()
    # 600 draws at exactly alpha give at most this in 999 of 1000 cases.
    assert stopped / trials <= alpha + 3.1 * np.sqrt(alpha * (1 - alpha) / trials)
