"""Trust, limits, combining, the thousand dots: each says in words what it draws."""

import re

import numpy as np
import pytest

from polychotomy.decomposition import (
    decompose_predictions,
    learning_curve_forecast,
    would_bagging_help,
)  # fmt: skip
from polychotomy.report.figures.combining import draw_gain, draw_weights
from polychotomy.report.figures.error_budget import bound_holds, draw_bagging, draw_budget
from polychotomy.report.figures.gauge import draw_gauge
from polychotomy.report.figures.learning_curve import draw_curve
from polychotomy.report.figures.thousand import draw_thousand
from polychotomy.report.figures.trust import draw_reliability, draw_trace


def test_trace_and_reliability_show_the_trust(ordinary):
    trust = ordinary.trust
    trace = draw_trace(trust)
    assert trust.finding in trace.message
    assert trace.drawing.count('class="line ') == 1 + (trust.recalibration.chosen != "none")
    said = trust.trace.probabilities.max(axis=1)
    reliability = draw_reliability(trust.reliability, said)
    assert reliability.drawing.count("<circle") == trust.reliability.forecast.size


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_curve_shows_points_and_forecasts(answer):
    sizes = np.array([50, 100, 200, 400])
    noise = np.array([[0.001, -0.001]])
    errors = 0.05 + 20 / sizes[:, None] if answer == "yes" else 0.2 + 0 / sizes[:, None]
    forecast = learning_curve_forecast(sizes, errors + noise)
    figure = draw_curve(forecast, name="tree")
    assert figure.drawing.count("<circle") == 4 + 2
    assert [row[-1] for row in figure.rows] == ["measured"] * 4 + ["forecast"] * 2


def budget(neighbour=None):
    votes = np.eye(2)[np.array([[0, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 1]])]
    return decompose_predictions(
        votes, np.zeros((4, 3), dtype=int), [1, 1, 1], nearest_neighbour_error=neighbour
    )


def test_bounds_that_do_not_hold_are_not_drawn_as_facts():
    refuted = budget(neighbour=0.45)
    assert not bound_holds(refuted)
    figure = draw_budget({"tree": refuted}, best="tree")
    assert 'class="limit"' not in figure.drawing
    assert "refuted" in figure.reading


def test_no_bound_is_not_mentioned():
    figure = draw_budget({"tree": budget()}, best="tree")
    assert "Cover" not in figure.reading


def test_bagging_is_drawn_with_what_counts_as_help():
    single = np.eye(2)[(np.arange(400) % 4 == 0).astype(int)]
    bagged = np.eye(2)[(np.arange(400) % 8 == 0).astype(int)]
    figure = draw_bagging(would_bagging_help(single, bagged, np.zeros(400, dtype=int)))
    assert "this would be help" in figure.drawing
    assert figure.message.startswith("Bagging would change the error by −")


def test_gauge_of_nothing_at_all():
    drawing = draw_gauge(0, 0, 0, help_from=0.01, name="x", write=str, state="equivalent")
    assert "nan" not in drawing


def test_combining_shows_weights_and_gain(ordinary):
    advice = ordinary.combination
    assert draw_weights(advice).drawing.count("<rect") == len(advice.names)
    assert advice.conclusion in draw_gain(advice).message


@pytest.mark.parametrize(("error", "low", "high"), [(0.024, 0.011, 0.042), (0, 0, 0), (1, 1, 1)])
def test_a_thousand_dots_are_a_thousand(error, low, high):
    figure = draw_thousand(error, low, high, level=0.95)
    assert figure.drawing.count("h0") == 1000
    wrong = re.search(r'class="dots right" d="([^"]*)"', figure.drawing)
    assert (wrong[1].count("h0") if wrong else 0) == 1000 - round(1000 * high)
