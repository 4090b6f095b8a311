"""Nemenyi's test against scikit-posthocs and Demšar's table of critical values."""

import numpy as np
import pytest
import scikit_posthocs
from numpy.testing import assert_allclose

from polychotomy.comparison import nemenyi_test
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize("shape", [(10, 3), (14, 6)])
def test_pvalues_are_those_of_scikit_posthocs(shape):
    scores = np.random.default_rng(0).normal(np.arange(shape[1]) / 2, 1, shape)
    oracle = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    assert_allclose(nemenyi_test(scores).pvalue, oracle, atol=1e-8)


@pytest.mark.parametrize(
    ("m", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (8, 3.031), (10, 3.164)]
)
def test_critical_values_are_demsars(m, q):
    """Demšar (2006) Table 5(a), level 0.05; his eq. for the critical difference."""
    scores = np.random.default_rng(0).normal(size=(14, m))
    expected = q * np.sqrt(m * (m + 1) / (6 * 14))
    assert_allclose(nemenyi_test(scores).critical_difference, expected, rtol=4e-4)


def test_groups_and_pvalues_agree():
    scores = np.random.default_rng(1).normal(np.arange(6) / 2, 1, (20, 6))
    found = nemenyi_test(scores)
    together = {(a, b) for group in found.groups for a in group for b in group}
    for i in range(6):
        for j in range(6):
            assert (found.pvalue[i, j] > 0.05) == (i == j or (i, j) in together)
    frame = found.to_frame()
    assert (frame["told_apart"] == (frame["pvalue"] <= 0.05)).all()


def test_text_and_drawing():
    scores = np.random.default_rng(1).normal(np.arange(6), 1, (20, 6))
    found = nemenyi_test(scores, names=list("ABCDEF"))
    assert "Told apart: A and D, A and E" in str(found)
    assert "critical difference" in found.plot().get_xlabel()


def test_errors():
    with pytest.raises(InvalidInput, match="cannot stand for data"):
        nemenyi_test(np.ones((3, 5, 2)))
