"""Adjusted p-values, against statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from statsmodels.stats.multitest import multipletests

from polychotomy.comparison import bonferroni, holm
from polychotomy.core.exceptions import InvalidInput

families = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.5, 1.0])), min_size=1, max_size=12
)


@settings(max_examples=15)  # statsmodels is slow
@given(families)
@pytest.mark.parametrize("adjust", [bonferroni, holm])
def test_adjusted_pvalues_are_statsmodels(adjust, pvalues):
    expected = multipletests(pvalues, method=adjust.__name__)[1]
    assert_allclose(adjust(pvalues), expected, atol=1e-12)


@given(families)
def test_holm_is_never_less_powerful_than_bonferroni(pvalues):
    assert (holm(pvalues) <= bonferroni(pvalues)).all()
    assert (holm(pvalues) >= pvalues).all()


def test_the_shape_is_kept():
    square = np.array([[0.01, 0.2], [0.04, 0.03]])
    assert_allclose(holm(square), [[0.04, 0.2], [0.09, 0.09]])
    assert bonferroni(square).shape == (2, 2)
    assert holm([]).shape == bonferroni([]).shape == (0,)
    assert holm(0.3).shape == ()


def test_what_is_no_pvalue_is_named():
    with pytest.raises(InvalidInput, match=r"pvalues\[1\] is nan"):
        holm([0.1, np.nan])
    with pytest.raises(InvalidInput, match=r"pvalues\[0, 1\] is 1.5"):
        bonferroni([[0.1, 1.5]])
