"""MultiTest over many runs: the same as one by one, Table 3, errors."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.comparison import (
    ErrorTable,
    SelectionCounts,
    count_selections,
    multitest_many,
    select_newman_keuls,
    select_testfirst,
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
    assert found.plot().get_xlabel() == "share of the runs in which it is the best"


def test_an_error_table_is_read_with_its_names():
    errors = many()
    table = ErrorTable.from_array(np.moveaxis(errors, 2, 0), names=list("ABCD"))
    found = multitest_many(table)
    assert found.names == ("A", "B", "C", "D")
    assert_array_equal(found.order, multitest_many(errors).order)
    with pytest.raises(InvalidInput, match="its own names"):
        multitest_many(table, names=list("ABCD"))


def test_the_table_of_all_methods():
    errors = many(1)
    found = count_selections(errors)
    assert found.methods == ("Anova", "TestFirst", "Newman-Keuls", "MultiTest")
    assert (found.counts.sum(axis=2) == 4).all()
    for row, select in ((1, select_testfirst), (2, select_newman_keuls)):
        single = [select(errors[d, run]) for d, run in np.ndindex(3, 4)]
        expected = [single.count(None), *(single.count(i) for i in range(4))]
        assert found.totals[row].tolist() == expected
    assert found.totals[3, 0] == 0
    assert found.plot().get_xlabel() == "share of all runs"
    assert found.to_frame().shape == (4, 6)


def test_the_table_of_all_methods_is_said_in_a_sentence():
    counts = np.array([[[1, 0, 2]], [[0, 3, 0]]])
    found = SelectionCounts(
        names=("mean", "tree"), methods=("Anova", "MultiTest"), counts=counts, data_sets=("wine",)
    )
    assert str(found) == (
        "In 3 runs over 1 data set the best is, by Anova, tree (2), nobody (1); by MultiTest, "
        "mean (3)."
    )


def test_table_3_simulated_from_table_1():
    """Independent normals with the means and deviations of Table 1, 300 runs in place of 1,000.

    Newman–Keuls and TestFirst come out as printed in Table 3. MultiTest and Anova come near: the
    errors of a fold are correlated in truth, and not normal.
    """
    table_1 = pd.read_csv(ORACLES / "ya06_table_1.csv", index_col="data_set")
    mean, deviation = (
        table_1.to_numpy()[:, part, None, None][:, None] for part in (slice(5), slice(5, 10))
    )
    errors = np.random.default_rng(0).normal(mean, deviation, (30, 300, 5, 5, 2))
    found = count_selections(errors, data_sets=table_1.index)
    anova, testfirst, newman_keuls, multitest_ = 100 * found.totals / 9000
    assert_allclose(newman_keuls, [0.55, 9.28, 12.60, 61.63, 4.17, 11.77], atol=0.8)
    assert_allclose(testfirst, [71.68, 2.31, 0.36, 19.76, 1.16, 4.72], atol=1.0)
    assert_allclose(anova[:2], [97.96, 2.04], atol=0.9)
    assert_allclose(multitest_, [0.0, 17.71, 45.73, 31.14, 1.55, 3.86], atol=5.0)
    share = dict(zip(found.data_sets, found.counts[3] / 300, strict=True))
    assert share["hepatitis"][1] > 0.95  # Fig. 3: the preference stands
    assert share["pendigits"][5] > 0.98  # Fig. 4: NN


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
    with pytest.raises(InvalidInput, match="'learner 3' on 'data set 1' in run 2, repetition 4, f"):
        multitest_many(errors)
    with pytest.raises(InvalidInput, match=r"expected \(data sets, runs, learners"):
        multitest_many(errors[0])
    with pytest.raises(InvalidInput, match="one pair at a time"):
        multitest_many(many(), test=lambda a, b: 0.5)
