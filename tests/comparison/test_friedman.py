"""Friedman's test and the comparison with a control, against scipy, R and MST09's tables."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison import compare_to_control, friedman_test
from polychotomy.core.exceptions import InvalidInput

ORACLES = Path(__file__).parent / "oracles"
NAMES = ["RankMargin", "RankBoost", "SVM"]
# MST09: AUC of RankMargin, RankBoost, SVM on ten data sets, five (Table 2) and seven classifiers.
TABLE_2 = np.array(
    [
        (0.935, 0.920, 0.929), (0.984, 0.959, 0.986), (0.991, 0.979, 0.979), (0.885, 0.840, 0.858),
        (0.751, 0.752, 0.762), (0.885, 0.865, 0.893), (0.942, 0.924, 0.940), (0.962, 0.927, 0.944),
        (0.737, 0.707, 0.721), (0.892, 0.837, 0.875),
    ]
)  # fmt: skip
TABLE_3 = np.array(
    [
        (0.932, 0.920, 0.921), (0.984, 0.959, 0.985), (0.991, 0.979, 0.972), (0.884, 0.840, 0.847),
        (0.753, 0.751, 0.758), (0.888, 0.864, 0.878), (0.942, 0.924, 0.932), (0.962, 0.927, 0.931),
        (0.737, 0.707, 0.702), (0.891, 0.837, 0.863),
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("table", "ranks", "chi2", "p", "holm"),
    [
        (TABLE_2, (1.40, 2.85, 1.75), 11.7436, 0.00282, (0.0024, 0.434)),
        (TABLE_3, (1.2, 2.8, 2.0), 12.8, 0.00166, (0.0007, 0.074)),
    ],
)
def test_the_tables_of_mst09(table, ranks, chi2, p, holm):
    found = compare_to_control(table, control="RankMargin", names=NAMES, better="larger")
    assert_allclose(found.friedman.mean_ranks, ranks)
    assert_allclose(found.friedman.statistic, chi2, atol=5e-5)
    assert_allclose(found.friedman.pvalue, p, atol=5e-6)
    assert_allclose(found.adjusted_pvalue[1:], holm, atol=5e-4)
    assert found.adjusted_pvalue[0] == 1.0


@given(arrays(float, (6, 4), elements=st.integers(0, 3)))
def test_friedman_is_scipys(scores):
    found = friedman_test(scores)
    if (np.ptp(scores, axis=1) == 0).all():
        assert (found.statistic, found.pvalue, found.iman_davenport_pvalue) == (0.0, 1.0, 1.0)
        return
    oracle = stats.friedmanchisquare(*scores.T)
    assert_allclose((found.statistic, found.pvalue), oracle, rtol=1e-9, atol=1e-12)
    assert found.df == 3
    assert_allclose(found.mean_ranks.sum(), 10)
    f = found.iman_davenport
    if np.isfinite(f):
        assert_allclose(f, 5 * found.statistic / (18 - found.statistic), rtol=1e-9)
        assert_allclose(found.iman_davenport_pvalue, stats.f.sf(f, 3, 15), rtol=1e-8)


def test_friedman_is_rs():
    scores = np.loadtxt(ORACLES / "ranks.csv", delimiter=",").T
    oracle = pd.read_csv(ORACLES / "rank_tests.csv").set_index("test").loc["friedman"]
    found = friedman_test(scores)
    assert_allclose((found.statistic, found.pvalue), (oracle["statistic"], oracle["p"]), rtol=1e-10)


def test_the_same_ranks_everywhere():
    found = friedman_test(np.tile([1.0, 2.0, 3.0], (5, 1)))
    assert_allclose(found.statistic, 10)
    assert (found.iman_davenport, found.iman_davenport_pvalue) == (np.inf, 0.0)


def test_folds_are_no_data_sets():
    with pytest.raises(InvalidInput, match="are not independent and cannot stand for data"):
        friedman_test(np.ones((3, 5, 2)))
    with pytest.raises(InvalidInput, match="cannot stand for data sets: average over them"):
        compare_to_control([[1, 2, 3]])
    with pytest.raises(
        InvalidInput, match=r"scores has shape \(1, 3\).*cannot stand for data sets"
    ):
        friedman_test(np.ones((1, 3)))
    with pytest.raises(InvalidInput, match="two or more of each"):
        friedman_test([[1], [2]])


@pytest.mark.long
def test_a_true_null_is_rejected_at_about_the_level():
    rng = np.random.default_rng(0)
    tests = [friedman_test(rng.normal(size=(15, 4))) for _ in range(2000)]
    for pvalues in ([t.pvalue for t in tests], [t.iman_davenport_pvalue for t in tests]):
        assert abs(np.mean(np.array(pvalues) <= 0.05) - 0.05) < 0.02


def test_other_errors():
    with pytest.raises(InvalidInput, match="better is 'higher'"):
        friedman_test(TABLE_2, better="higher")
    with pytest.raises(InvalidInput, match="control is 3"):
        compare_to_control(TABLE_2, control=3)
    with pytest.raises(InvalidInput, match="control is 'svm'"):
        compare_to_control(TABLE_2, control="svm", names=NAMES)
    with pytest.raises(InvalidInput, match=r"scores\[0, 1\] is nan"):
        friedman_test([[1, np.nan], [1, 2]])


def test_text_table_and_drawing():
    found = compare_to_control(TABLE_2, names=NAMES, better="larger")
    assert "Against RankMargin (Holm): RankBoost p = 0.00237, SVM p = 0.434." in str(found)
    assert found.to_frame().shape == (3, 5)
    assert found.plot().get_xlabel() == "mean rank"
    assert found.friedman.plot().get_xlabel() == "mean rank"
    assert len(found.friedman.to_frame()) == 3
