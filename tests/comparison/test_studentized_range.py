"""The studentized range against SciPy and R."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from polychotomy.comparison.studentized_range import studentized_range_isf, studentized_range_sf

ORACLES = Path(__file__).parent / "oracles"


def test_quantiles_are_rs():
    for row in pd.read_csv(ORACLES / "studentized_range.csv").itertuples():
        assert_allclose(
            studentized_range_isf(row.alpha, row.means, row.df), row.quantile, rtol=1e-7
        )


@pytest.mark.parametrize("df", [1, 4, 45, 1000, np.inf])
@pytest.mark.parametrize("m", [2, 5, 20])
def test_tails_are_scipys(m, df):
    assert_allclose(
        studentized_range_sf(3.7, m, df), stats.studentized_range.sf(3.7, m, df), atol=1e-9
    )


@pytest.mark.parametrize("df", [1, 7, 300, np.inf])
def test_two_means_are_students_t(df):
    q = np.array([0.1, 2.0, 8.0])
    expected = 2 * stats.t.sf(q / np.sqrt(2), df)
    assert_allclose(studentized_range_sf(q, 2, df), expected, atol=1e-12)


def test_the_quantile_undoes_the_tail():
    for alpha in (0.9, 0.05, 1e-6):
        q = studentized_range_isf(alpha, 4, 20)
        assert_allclose(studentized_range_sf(q, 4, 20), alpha, rtol=1e-7)


def test_ends():
    assert studentized_range_sf(np.array([0.0, np.inf]), 3, 5).tolist() == [1.0, 0.0]
