import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal
from statsmodels.stats.proportion import proportion_confint

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import reliability_diagram
from validation_strategies import draw_forecasts, forecasts


def test_by_hand():
    p = np.array([[0.9, 0.1]] * 4 + [[0.4, 0.6]] * 4)
    diagram = reliability_diagram(p, [0, 0, 0, 1, 1, 1, 0, 0], n_bins=2)
    assert_allclose(diagram.forecast, [0.6, 0.9])
    assert_allclose(diagram.observed, [0.5, 0.75])
    assert_array_equal(diagram.counts, [4, 4])
    of_one = reliability_diagram(p, [0, 0, 0, 1, 1, 1, 0, 0], n_bins=2, of_class=1)
    assert_allclose(of_one.forecast, [0.1, 0.6])
    assert_allclose(of_one.observed, [0.25, 0.5])


def test_intervals_equal_statsmodels():
    p, y = draw_forecasts(np.random.default_rng(0), 300, 3)
    diagram = reliability_diagram(p, y, confidence=0.9)
    hits = (diagram.observed * diagram.counts).round()
    low, high = proportion_confint(hits, diagram.counts, alpha=0.1, method="wilson")
    assert_allclose(diagram.lower, low, atol=1e-12)
    assert_allclose(diagram.upper, high, atol=1e-12)


@given(forecasts())
def test_bins_hold_all_rows_once_and_keep_ties_together(case):
    p, y = case
    diagram = reliability_diagram(p, y, n_bins=4)
    assert_allclose(diagram.counts.sum(), len(y))
    assert (np.diff(diagram.forecast) > 0).all()
    assert diagram.forecast.size <= min(4, np.unique(p.max(axis=1)).size)
    assert_allclose(diagram.forecast @ diagram.counts / len(y), p.max(axis=1).mean())
    assert ((diagram.lower <= diagram.observed) & (diagram.observed <= diagram.upper)).all()
    assert ((diagram.lower >= 0) & (diagram.upper <= 1)).all()


def test_bins_are_even_without_ties():
    p, y = draw_forecasts(np.random.default_rng(0), 1000, 3)
    assert_array_equal(reliability_diagram(p, y).counts, np.full(10, 100))


def test_repeated_rows_do_not_narrow_the_intervals():
    p, y = draw_forecasts(np.random.default_rng(0), 100, 3)
    once = reliability_diagram(p, y)
    thrice = reliability_diagram(
        np.repeat(p, 3, axis=0), np.repeat(y, 3), samples=np.repeat(np.arange(100), 3)
    )
    assert_allclose(thrice.lower, once.lower)
    assert_allclose(thrice.counts, once.counts)


def test_coverage():
    """True probabilities: 95 % intervals of bins hold the mean forecast about 95 times in 100."""
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(200):
        diagram = reliability_diagram(*draw_forecasts(rng, 300, 3))
        inside.append((diagram.lower <= diagram.forecast) & (diagram.forecast <= diagram.upper))
    assert 0.93 < np.mean(inside) < 0.98


def test_words_frame_and_plot():
    diagram = reliability_diagram(*draw_forecasts(np.random.default_rng(0), 100, 3), of_class=2)
    assert str(diagram).startswith("Reliability of class 2: ")
    assert len(diagram.to_frame()) == 10
    assert diagram.plot().get_xlabel() == "probability of class 2"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"of_class": 2}, "of_class is 2; expected a class code from 0 to 1"),
        ({"n_bins": 0}, "n_bins is 0"),
        ({"of_class": "x"}, "of_class is 'x'; expected a class code from 0 to 1"),
        ({"n_bins": "x"}, "n_bins is 'x'; expected an int of at least 1"),
        ({"confidence": 95}, "confidence is 95; expected a number between 0 and 1"),
        ({"confidence": "x"}, "confidence is 'x'; expected a number between 0 and 1"),
    ],
)
def test_refuses(options, message):
    with pytest.raises(InvalidInput, match=message):
        reliability_diagram([[0.5, 0.5]], [0], **options)
