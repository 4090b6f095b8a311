"""The multinomial selection procedure: wins by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.comparison import multinomial_selection
from polychotomy.core.exceptions import InvalidInput


def test_wins_and_ties():
    values = np.array([[0.9, 0.2, 0.1], [0.5, 0.5, 0.4], [0.3, 0.3, 0.3], [0.1, 0.2, 0.3]])
    found = multinomial_selection(values, names=["A", "B", "C"])
    assert_allclose(found.wins, [1 + 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 + 1 / 3])
    assert found.best == 0
    assert_allclose(found.to_frame()["share"].sum(), 1)
    assert found.to_frame().shape == (3, 3)
    assert found.plot().get_xlabel() == "share"
    assert "Cases won, of 4: A 1.83333" in str(found)
    assert multinomial_selection(np.full((5, 3), 0.2)).best == 0


def test_errors():
    with pytest.raises(InvalidInput, match=r"expected \(cases, classifiers\)"):
        multinomial_selection([0.1, 0.2])
    with pytest.raises(InvalidInput, match=r"values\[0, 1\] is nan"):
        multinomial_selection([[0.1, np.nan]])
