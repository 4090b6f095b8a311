"""t tests of a mean difference, against scipy; degenerate folds; type I error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.regression.linear_model import OLS

from polychotomy.comparison import (
    calibrated_t_test,
    case_t_test,
    corrected_t_test,
    paired_t_test,
)
from polychotomy.core.exceptions import InvalidInput

ALTERNATIVES = ("two-sided", "greater", "less")


def pair(seed, shape=(10,)):
    return np.random.default_rng(seed).uniform(0.1, 0.4, (2, *shape))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("seed", range(3))
def test_paired_t_is_scipys(seed, alternative):
    a, b = pair(seed)
    found, oracle = (
        paired_t_test(a, b, alternative=alternative),
        stats.ttest_rel(a, b, alternative=alternative),
    )
    assert_allclose(found.statistic, oracle.statistic, rtol=1e-10)
    assert_allclose(found.pvalue, oracle.pvalue, rtol=1e-8)
    assert found.df == oracle.df
    interval = oracle.confidence_interval(0.9)
    assert_allclose(found.confidence_interval(0.9), (interval.low, interval.high), rtol=1e-8)


def test_corrected_t_with_a_tiny_ratio_is_the_paired_one():
    a, b = pair(4)
    assert_allclose(
        corrected_t_test(a, b, test_train_ratio=1e-300).pvalue, paired_t_test(a, b).pvalue
    )


def test_corrected_t_by_hand():
    """Nadeau and Bengio (2003) eq. 9, 10 x 10-fold: variance times (1/100 + 1/9)."""
    a, b = pair(5, (100,))
    d = a - b
    t = d.mean() / np.sqrt((1 / 100 + 1 / 9) * d.var(ddof=1))
    found = corrected_t_test(a, b, test_train_ratio=1 / 9, alternative="less")
    assert_allclose(found.statistic, t)
    assert_allclose(found.pvalue, stats.t.cdf(t, 99), rtol=1e-8)
    assert found.df == 99


def test_calibrated_t_by_hand():
    a, b = pair(6, (100,))
    d = a - b
    found = calibrated_t_test(a, b, df=10)
    assert_allclose(found.statistic, d.mean() * np.sqrt(11) / d.std(ddof=1))
    assert_allclose(found.pvalue, 2 * stats.t.sf(abs(found.statistic), 10), rtol=1e-8)
    assert_allclose(calibrated_t_test(a, b, df=99).pvalue, paired_t_test(a, b).pvalue)


@pytest.mark.parametrize(
    "test",
    [
        paired_t_test,
        lambda a, b, **k: corrected_t_test(a, b, test_train_ratio=0.25, **k),
        lambda a, b, **k: calibrated_t_test(a, b, df=4, **k),
    ],
)
def test_degenerate_folds(test):
    a, _ = pair(0)
    for alternative, p in zip(ALTERNATIVES, (1.0, 0.5, 0.5), strict=True):
        same = test(a, a, alternative=alternative)
        assert (same.statistic, same.pvalue, same.confidence_interval()[0]) in [
            (0.0, p, 0.0),
            (0.0, p, -np.inf),
        ]
    higher = test(a + 0.1, a, alternative="greater")
    assert (higher.statistic, higher.pvalue) == (np.inf, 0.0)
    assert test(a, a + 0.1, alternative="greater").pvalue == 1.0
    assert test(np.full(10, 0.1 + 0.2), np.full(10, 0.3)).statistic == 0.0


@given(arrays(float, (2, 6), elements=st.floats(0, 1)))
def test_swapping_the_learners_swaps_the_sides(errors):
    a, b = errors
    forth, back = (
        paired_t_test(a, b, alternative="greater"),
        paired_t_test(b, a, alternative="less"),
    )
    assert forth.statistic == -back.statistic
    assert forth.pvalue == back.pvalue
    assert 0 <= forth.pvalue <= 1


def test_a_batch_is_its_tests_one_by_one():
    a, b = pair(1, (3, 4, 7))
    batch = paired_t_test(a, b)
    assert batch.pvalue.shape == (3, 4)
    assert_allclose(batch.pvalue[1, 2], paired_t_test(a[1, 2], b[1, 2]).pvalue)
    assert "of 12 comparisons" in str(batch)
    assert len(batch.to_frame()) == 12
    assert not batch.pvalue.flags.writeable


def test_independent_pairs_reject_a_true_null_at_the_level():
    a, b = np.random.default_rng(0).normal(size=(2, 40_000, 10))
    rejected = np.mean(paired_t_test(a, b, alternative="greater").pvalue <= 0.05)
    assert abs(rejected - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 40_000)


def correlated_folds(tests, folds, rho, seed):
    """Differences with mean 0, variance 1 and correlation rho, as Nadeau and Bengio suppose."""
    rng = np.random.default_rng(seed)
    shared, own = rng.normal(size=(tests, 1)), rng.normal(size=(tests, folds))
    return np.sqrt(rho) * shared + np.sqrt(1 - rho) * own


def test_overlap_breaks_the_paired_test_and_not_the_corrected_one():
    d = correlated_folds(20_000, 10, 0.1, seed=0)  # rho = n_test / n for 10 folds
    level = 4 * np.sqrt(0.05 * 0.95 / 20_000)
    corrected = corrected_t_test(d, 0 * d, test_train_ratio=1 / 9).pvalue
    assert abs(np.mean(corrected <= 0.05) - 0.05) < level
    assert np.mean(paired_t_test(d, 0 * d).pvalue <= 0.05) > 0.12


def test_errors_say_what_to_do():
    a, b = pair(0)
    with pytest.raises(InvalidInput, match="same folds"):
        paired_t_test(a, b[:5])
    with pytest.raises(InvalidInput, match="two or more folds"):
        paired_t_test([0.1], [0.2])
    with pytest.raises(InvalidInput, match=r"a\[2\] is inf"):
        paired_t_test([0.1, 0.2, np.inf], b[:3])
    with pytest.raises(InvalidInput, match=r"a is .*; expected an array of real numbers"):
        paired_t_test(["low", "high"], [1, 2])
    with pytest.raises(InvalidInput, match=r"a is .*, which is no array"):
        paired_t_test([[1, 2], [3]], [1, 2])
    with pytest.raises(InvalidInput, match=r"a\[1\] is nan"):
        paired_t_test(np.ma.masked_equal([1, 2, 3], 2), [1, 2, 3])
    for ratio in (0, -1, np.nan, "1/9", True):
        with pytest.raises(InvalidInput, match="test_train_ratio is"):
            corrected_t_test(a, b, test_train_ratio=ratio)
    for df in (0, 10, 2.5):
        with pytest.raises(InvalidInput, match="df is"):
            calibrated_t_test(a, b, df=df)
    with pytest.raises(InvalidInput, match="level is 95"):
        paired_t_test(a, b).confidence_interval(95)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(3, 40))
def test_over_cases_it_is_scipys_standard_error_of_every_repetition(seed, repetitions, n):
    """Their variances are averaged, two differing cases added, and 1.1 + 0.5/R for the fits."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(2, size=(2, repetitions, n)).astype(float)
    own = np.mean([stats.sem(d) ** 2 for d in a - b]) + 2 * (a != b).any() / n**2
    for alternative in ("two-sided", "greater", "less"):
        ours = case_t_test(a, b, alternative=alternative)
        assert ours.standard_error == pytest.approx(np.sqrt((1.1 + 0.5 / repetitions) * own))
        assert ours.mean_difference == pytest.approx((a - b).mean())
        again = stats.t.sf if alternative == "greater" else stats.t.cdf
        if alternative != "two-sided":
            assert ours.pvalue == pytest.approx(again(ours.statistic, n - 1))


def test_repetitions_that_agree_narrow_it_by_what_is_averaged_alone():
    a, b = np.random.default_rng(0).random((2, 1, 50))
    once, thrice = (case_t_test(np.repeat(a, r, 0), np.repeat(b, r, 0)) for r in (1, 3))
    ratio = thrice.standard_error / once.standard_error
    assert ratio == pytest.approx(np.sqrt((1.1 + 0.5 / 3) / 1.6))


@pytest.mark.parametrize("seed", range(5))
def test_groups_of_cases_are_statsmodels_clusters(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 12, size=80)
    a, b = rng.random((2, 1, 80)) + rng.random(12)[groups]
    ours = case_t_test(a, b, groups=groups, as_given=True)
    design = np.ones((80, 1))
    fit = OLS((a - b)[0], design).fit(cov_type="cluster", cov_kwds={"groups": groups})
    assert ours.standard_error == pytest.approx(fit.bse[0])
    assert ours.mean_difference == pytest.approx(fit.params[0])
    assert ours.df == len(np.unique(groups)) - 1


def test_groups_of_another_length_are_refused():
    with pytest.raises(InvalidInput, match=r"groups has shape \(2,\); expected \(3,\)"):
        case_t_test([[1, 0, 1]], [[0, 0, 1]], groups=[0, 1])
