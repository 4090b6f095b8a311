"""What the data leave open, and how much more would settle it, by scipy's noncentral t."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

from polychotomy.comparison import compare_pairs, corrected_t_test
from polychotomy.verdict import Question, order_by_rule
from polychotomy.verdict.choosing import find_undecided

ROWS = 200
NAMES = ["simple", "middle", "complex"]


def undecided_between(means, spread, *, rule="margin", baselines=()):
    """Errors of 25 (or 10) folds with these very means; their differences have this spread."""
    shape = (5, 5) if rule == "margin" else (5, 2)
    noise = np.random.default_rng(0).standard_normal((len(means), *shape))
    noise -= noise.mean(axis=(1, 2), keepdims=True)
    errors = np.array(means)[:, None, None] + spread * noise
    question = Question(rule=rule)
    names = NAMES[: len(means)]
    _, ordering = order_by_rule(question, errors[:, None], names)
    pairs = compare_pairs(errors, names=names, margin=0.01)

    def compare(first, second, alternative):
        a, b = (errors[names.index(name)].ravel() for name in (first, second))
        return corrected_t_test(a, b, test_train_ratio=1 / 4, alternative=alternative)

    predictions = SimpleNamespace(y=np.zeros(ROWS))
    evidence = SimpleNamespace(
        tables=errors, names=names, ratio=None, predictions=predictions, compare=compare
    )
    found = find_undecided(question, evidence, ordering, pairs, baselines)
    return errors.reshape(len(means), -1), ordering.best, found


def times_the_data(a, b, *, distance, level, ratio):
    """Data needed to show ``distance`` one-sided with power 0.8, its spread falling with √data."""
    d = a - b
    error = d.std(ddof=1) * np.sqrt(1 / d.size + ratio)
    df = d.size - 1
    critical = stats.t.isf(level, df)
    return optimize.brentq(
        lambda f: stats.nct.sf(critical, df, distance * np.sqrt(f) / error) - 0.8, 1e-3, 1e7
    )


def test_rows_to_show_that_a_more_complex_one_is_within_the_margin():
    errors, best, found = undecided_between([0.106, 0.10], 0.03)
    assert (best, found.rival, found.asks) == (0, "middle", "less than margin")
    factor = times_the_data(*errors, distance=0.01 - 0.006, level=0.025, ratio=1 / 4)
    assert found.more_rows == pytest.approx(ROWS * (factor - 1), rel=1e-3)
    assert found.plan.difference == pytest.approx(0.006 - 0.01)
    # For a difference from 0, which was not asked, other rows would do.
    other = times_the_data(*errors, distance=0.006, level=0.025, ratio=1 / 4)
    assert abs(other / factor - 1) > 0.5


def test_rows_to_show_that_a_simpler_one_is_worse_by_more_than_the_margin():
    errors, best, found = undecided_between([0.12, 0.10], 0.03)
    assert (best, found.rival, found.asks) == (1, "simple", "more than margin")
    factor = times_the_data(*errors, distance=0.02 - 0.01, level=0.025, ratio=1 / 4)
    assert found.more_rows == pytest.approx(ROWS * (factor - 1), rel=1e-3)
    d = errors[0] - errors[1]
    high = d.mean() + stats.t.ppf(0.975, 24) * d.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    assert found.margin_needed == pytest.approx(high)


def test_next_to_the_margin_no_number_of_rows_is_named():
    _, _, found = undecided_between([0.10998, 0.10], 0.03)
    assert found.plan.data_factor > 1000
    assert found.more_rows is None
    assert found.margin_needed > 0.01


def test_shown_worse_but_perhaps_by_more_than_the_margin_is_open():
    errors, best, found = undecided_between([0.109, 0.10], 0.006)
    d = errors[0] - errors[1]
    reach = stats.t.ppf(0.975, 24) * d.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    assert 0.009 - reach > 0
    assert 0.009 + reach > 0.01
    assert (best, found.rival, found.asks) == (0, "middle", "less than margin")


@pytest.mark.parametrize(
    ("means", "spread"),
    [([0.101, 0.10], 0.004), ([0.20, 0.10], 0.01), ([0.08, 0.10], 0.01)],
    ids=["within the margin", "shown worse", "the simple one is better"],
)
def test_what_is_settled_is_not_open(means, spread):
    assert undecided_between(means, spread)[2] is None


def test_who_ignores_the_features_comes_first():
    _, best, found = undecided_between([0.12, 0.118, 0.10], 0.03, baselines=("simple",))
    assert best == 2
    assert found.rival == "simple"
    assert undecided_between([0.12, 0.118, 0.10], 0.03)[2].rival == "middle"


def test_what_the_test_of_a_pair_shows_and_not_multitest_is_open_by_the_papers_rule():
    _, best, found = undecided_between((0.3, 0.25, 0.23), 0.05, rule="paper")
    assert (NAMES[best], found.rival, found.asks) == ("simple", "complex", "any difference")


def test_the_papers_rule_asks_for_any_difference_at_its_own_level():
    errors, best, found = undecided_between([0.11, 0.10, 0.13], 0.02, rule="paper")
    assert (best, found.rival, found.asks) == (0, "middle", "any difference")
    factor = times_the_data(errors[0], errors[1], distance=0.01, level=0.05 / 3, ratio=1.0)
    assert found.plan.alpha == pytest.approx(0.05 / 3)
    assert found.more_rows == pytest.approx(ROWS * (factor - 1), rel=1e-3)
