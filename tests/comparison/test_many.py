"""MultiTest over many runs: the same as one by one, Table 3, errors."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy.comparison import (
    multitest_many,
)
from polychotomy.comparison.multitest import multitest
from polychotomy.core.exceptions import InvalidInput

ORACLES = Path(__file__).parent / "oracles"


def many(seed=0, shape=(3, 4, 4)):
    """(data sets, runs, learners, 5, 2)."""
    rng = np.random.default_rng(seed)
    means = rng.choice([0.1, 0.12, 0.2], (shape[0], 1, shape[2], 1, 1))
    return means + rng.normal(0, 0.01, (*shape, 5, 2))


@pytest.mark.parametrize("correction", ["bonferroni", "holm", None])
@pytest.mark.parametrize("margin", [None, 0.02])
@pytest.mark.parametrize("test", ["5x2cv-t", "corrected-t", "wilcoxon"])
def test_all_at_once_is_one_by_one(correction, margin, test):
    errors = many()
    rule = {"correction": correction, "margin": margin, "test": test, "alpha": 0.1}
    found = multitest_many(errors, **rule)
    for d, run in np.ndindex(3, 4):
        one = multitest(errors[d, run], **rule)
        assert_array_equal(found.order[d, run], one.order)
        assert_array_equal(found.edges[d, run], one.edges)
        assert found.best[d, run] == one.best


def test_counts_and_totals():
    found = multitest_many(many())
    assert found.counts.sum(axis=1).tolist() == [4, 4, 4]
    assert found.totals.sum() == 12
    order, share = found.most_frequent_order(0)
    runs = found.order[0].tolist()
    assert share == runs.count(list(order)) / 4
    assert found.to_frame().shape == (3, 5)
    assert found.plot().get_xlabel() == "runs in which it is the best"


def test_the_paper_s_claim_of_a_family_level():
    """With all learners equal and folds independent, some edge appears in at most α of the runs."""
    errors = np.random.default_rng(0).normal(size=(1, 20_000, 4, 5, 2))
    for correction in ("bonferroni", "holm"):
        found = multitest_many(errors, correction=correction)
        assert found.edges.any(axis=(2, 3)).mean() < 0.05


def test_the_margin_s_claim():
    """The best is worse by the margin than a less preferred one in at most α of the runs.

    At the boundary: every learner but the last is worse than it by exactly the margin.
    """
    rng = np.random.default_rng(0)
    means = np.array([0.02, 0.02, 0.02, 0.0])[:, None, None]
    errors = means + rng.normal(0, 0.005, (1, 20_000, 4, 5, 2))
    for correction in ("bonferroni", "holm"):
        found = multitest_many(errors, margin=0.02, alpha=0.1, correction=correction)
        assert (found.best != 3).mean() < 0.1
    alone = multitest_many(errors[:, :, 2:], margin=0.02, alpha=0.1, correction=None)
    assert abs((alone.best != 1).mean() - 0.1) < 0.01


def test_errors():
    errors = many()
    errors[1, 2, 3, 4, 0] = np.nan
    with pytest.raises(InvalidInput, match=r"errors\[1, 2, 3, 4, 0\] is nan"):
        multitest_many(errors)
    with pytest.raises(InvalidInput, match=r"expected \(data sets, runs, learners"):
        multitest_many(errors[0])
    with pytest.raises(InvalidInput, match="one pair at a time"):
        multitest_many(many(), test=lambda a, b: 0.5)
