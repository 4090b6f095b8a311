"""Power of the t tests, against statsmodels and by simulation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from statsmodels.stats.power import TTestPower

from polychotomy.comparison import (
    corrected_t_test,
    paired_t_test,
    plan_comparison,
    t_test_5x2,
)
from polychotomy.comparison.sample_size import plan_of_test, power_of_t
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize(
    ("ours", "theirs"), [("two-sided", "two-sided"), ("greater", "larger"), ("less", "larger")]
)
@pytest.mark.parametrize("n", [4, 10, 50])
def test_power_is_statsmodels(n, ours, theirs):
    effect = 0.6
    expected = TTestPower().power(effect, n, 0.05, alternative=theirs)
    assert_allclose(power_of_t(effect * np.sqrt(n), n - 1, 0.05, ours), expected, rtol=1e-7)


def test_the_detectable_difference_is_statsmodels():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    test = paired_t_test(a, b)
    effect = TTestPower().solve_power(nobs=10, alpha=0.05, power=0.9)
    expected = effect * (a - b).std(ddof=1)
    assert_allclose(plan_of_test(test, 10, power=0.9).detectable, expected, rtol=1e-6)


def test_the_detectable_difference_is_detected_that_often():
    """With the standard error of this very data; 5×2cv, one-sided."""
    rng = np.random.default_rng(0)
    seen = t_test_5x2(rng.normal(size=(5, 2)), np.zeros((5, 2)), alternative="greater")
    gap = plan_of_test(seen, 10, power=0.8).detectable
    draws = rng.normal(gap, seen.standard_error, (20_000, 5, 2))
    rejected = t_test_5x2(draws, 0 * draws, alternative="greater").pvalue <= 0.05
    assert abs(rejected.mean() - 0.8) < 0.015


def test_the_number_of_resamples_has_the_power_and_one_less_has_not():
    rng = np.random.default_rng(1)
    b = rng.normal(0.2, 0.02, (1, 10))
    a = b + rng.normal(0.03, 0.02, (1, 10))
    plan = plan_comparison(a, b, test_train_ratio=0.02, power=0.95)
    spread = (a - b).std(ddof=1)
    assert np.isfinite(plan.resamples)

    def power(resamples):
        shift = abs(plan.difference) / (spread * np.sqrt(1 / resamples + 0.02))
        return power_of_t(shift, resamples - 1, 0.05, "two-sided")

    assert power(plan.resamples) >= 0.95 > power(plan.resamples - 1)


def test_that_much_data_has_the_power():
    a, b = np.random.default_rng(2).normal([[0.2], [0.21]], 0.02, (2, 10))
    plan = plan_comparison(a, b, test_train_ratio=1 / 9)
    error = corrected_t_test(a, b, test_train_ratio=1 / 9).standard_error
    shift = abs(plan.difference) / (error / np.sqrt(plan.data_factor))
    assert_allclose(power_of_t(shift, 9, 0.05, "two-sided"), 0.8, rtol=1e-6)


def test_degenerate_pairs():
    same = plan_comparison([[0.1, 0.2]], [[0.1, 0.2]])
    assert (same.detectable, same.resamples, same.data_factor) == (0.0, np.inf, np.inf)
    assert "no amount of data" in str(same)
    constant = plan_comparison([[0.2, 0.3]], [[0.1, 0.2]])
    assert (constant.detectable, constant.resamples, constant.data_factor) == (0.0, 2.0, 0.0)
    assert "what there is suffices" in str(constant)


def test_tables_and_drawings():
    a, b = np.random.default_rng(0).normal(size=(2, 3, 10))
    plan = plan_comparison(a, b)
    assert plan.present_resamples == 30
    assert len(plan.to_frame()) == 1
    assert plan.plot().get_xlabel() == "difference of errors"


def test_errors():
    with pytest.raises(InvalidInput, match="power is 80"):
        plan_comparison([[0.1, 0.2]], [[0.2, 0.4]], power=80)
    with pytest.raises(InvalidInput, match="pass test_train_ratio="):
        plan_comparison([[0.1], [0.2]], [[0.2], [0.3]])
    with pytest.raises(InvalidInput, match=r"expected \(repetitions, folds\) as a"):
        plan_comparison([[0.1, 0.2]], [0.1, 0.2])
