"""YA06 Table 3: the table of all methods, by itself and simulated from Table 1."""

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from polychotomy.comparison import select_newman_keuls, select_testfirst
from polychotomy.reproduction.ya06_selections import SelectionCounts, count_selections

ORACLES = Path(__file__).parents[1] / "comparison" / "oracles"


def test_the_table_of_all_methods():
    rng = np.random.default_rng(1)
    means = rng.choice([0.1, 0.12, 0.2], (3, 1, 4, 1, 1))
    errors = means + rng.normal(0, 0.01, (3, 4, 4, 5, 2))
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
