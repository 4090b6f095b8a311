"""A thousand new cases: as many dots, as many wrong as the verdict expects."""

import re

import pytest

from polychotomy.report.figures.thousand import draw_thousand


@pytest.mark.parametrize(("error", "low", "high"), [(0.024, 0.011, 0.042), (0, 0, 0), (1, 1, 1)])
def test_a_thousand_dots_are_a_thousand(error, low, high):
    figure = draw_thousand(error, low, high, level=0.95)
    assert figure.drawing.count("h0") == 1000
    wrong = re.search(r'class="dots right" d="([^"]*)"', figure.drawing)
    assert (wrong[1].count("h0") if wrong else 0) == 1000 - round(1000 * high)
