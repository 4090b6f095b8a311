"""Range tests: quantiles of R and of tables, underlines by hand and by the textbook procedure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison.newman_keuls import newman_keuls
from polychotomy.core.exceptions import InvalidInput

# R: qtukey(0.95, 2:6, 54)
QUANTILES = dict(
    zip(
        range(2, 7),
        (2.83532748040, 3.40823194325, 3.74890396254, 3.99102366835, 4.17826521884),
        strict=True,
    )
)


def textbook_groups(errors):
    """Test ranges from the widest down, skipping those inside an accepted one."""
    m, folds = errors.shape
    means, mse = errors.mean(axis=1), errors.var(axis=1, ddof=1).mean()
    order = sorted(range(m), key=lambda i: (means[i], i))
    accepted = []
    for width in range(m, 1, -1):
        q = QUANTILES[width]
        for start in range(m - width + 1):
            inside = any(s <= start and start + width <= e for s, e in accepted)
            gap = means[order[start + width - 1]] - means[order[start]]
            if not inside and gap * np.sqrt(folds / mse) < q:
                accepted.append((start, start + width))
    return tuple(tuple(order[s:e]) for s, e in sorted(accepted))


@pytest.mark.parametrize("seed", range(8))
def test_groups_are_those_of_the_textbook(seed):
    rng = np.random.default_rng(seed)
    errors = rng.normal(np.linspace(0, 0.25, 6)[rng.permutation(6), None], 0.06, (6, 10))
    assert newman_keuls(errors).groups == textbook_groups(errors)


def test_a_range_inside_an_accepted_one_is_not_tested():
    """Ranges 3.6 of four means < q = 3.71, but 3.6 of three > 3.37 and 3.0 of two > 2.81."""
    noise = np.resize([-1.0, 1.0], 32) * np.sqrt(31 / 32)  # mean 0, variance 1
    units = np.array([0.0, 0.0, 3.0, 3.6])
    errors = units[:, None] / np.sqrt(32) + noise
    found = newman_keuls(errors)
    assert_allclose(found.ranges[0], [np.nan, 0, 3.0, 3.6], atol=1e-9)
    assert (found.critical[:2] < [3.0, 3.6]).all()
    assert found.critical[2] > 3.6
    assert found.groups == ((0, 1, 2, 3),)
    assert not found.to_frame()["told_apart"].any()


def test_the_widest_range():
    errors = np.random.default_rng(0).normal(size=(4, 10))
    found = newman_keuls(errors)
    means, mse = errors.mean(axis=1), errors.var(axis=1, ddof=1).mean()
    assert_allclose(found.statistic, np.ptp(means) * np.sqrt(10 / mse))
    assert_allclose(found.pvalue, stats.studentized_range.sf(found.statistic, 4, 36))
    assert found.df == 36


def test_two_learners_are_the_t_test():
    errors = np.random.default_rng(0).normal([[0.0], [0.7]], 1, (2, 10))
    assert_allclose(newman_keuls(errors).pvalue, stats.ttest_ind(*errors).pvalue, rtol=1e-6)


def test_degenerate_tables():
    assert newman_keuls(np.full((3, 4), 0.1 + 0.2)).groups == ((0, 1, 2),)
    flat = np.array([[0.3], [0.1], [0.3]]) * np.ones((3, 4))
    assert newman_keuls(flat).groups == ((0, 2),)
    assert newman_keuls(flat).pvalue == 0.0


@given(arrays(float, (4, 3), elements=st.integers(0, 5)))
def test_groups_are_maximal_ranges_of_the_order(errors):
    found = newman_keuls(errors)
    place = {row: at for at, row in enumerate(found.order.tolist())}
    spans = [[place[row] for row in group] for group in found.groups]
    assert all(span == list(range(span[0], span[-1] + 1)) and len(span) > 1 for span in spans)
    assert not any(set(a) < set(b) for a in spans for b in spans)
    assert (np.diff(found.means[found.order]) >= -1e-12).all()
    assert found.to_frame()["told_apart"].dtype == bool


def test_text_and_drawing():
    found = newman_keuls([[6, 7, 8], [1, 2, 3], [2, 3, 4]])
    assert "1 2 0. Not told apart: (1 2)" in str(found)
    assert found.plot().get_xlabel() == "mean error"
    assert found.to_frame()["told_apart"].tolist() == [False, True, True]


def test_errors():
    with pytest.raises(InvalidInput, match=r"errors.reshape\(len\(errors\), 10\)"):
        newman_keuls(np.ones((3, 5, 2)))
    with pytest.raises(InvalidInput, match="alpha is 2"):
        newman_keuls(np.ones((3, 5)), alpha=2)


def test_level_of_the_widest_range_where_all_are_equal():
    rng = np.random.default_rng(0)
    errors = rng.normal(size=(20_000, 5, 5))
    critical = newman_keuls(errors[0]).critical[-1]
    widest = np.ptp(errors.mean(axis=2), axis=1)
    ranges = widest * np.sqrt(5 / errors.var(axis=2, ddof=1).mean(axis=1))
    assert_allclose((ranges >= critical).mean(), 0.05, atol=0.011)


@pytest.mark.parametrize("seed", range(4))
def test_the_widest_range_is_held_to_scipys_quantile_of_tukey(seed):
    errors = np.random.default_rng(seed).normal(np.linspace(0, 2, 5)[:, None], 1, (5, 10))
    found, theirs = newman_keuls(errors), stats.tukey_hsd(*errors).pvalue
    assert_allclose(found.pvalue, theirs[found.order[0], found.order[-1]], atol=1e-9)
