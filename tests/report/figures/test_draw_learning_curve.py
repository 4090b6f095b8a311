"""What limits it? Measured errors, a fitted curve, a forecast."""

import numpy as np
import pytest

from polychotomy.decomposition import learning_curve_forecast
from polychotomy.report.figures.limits import draw_curve


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_curve_shows_points_and_forecasts(answer):
    sizes = np.array([50, 100, 200, 400])
    noise = np.array([[0.001, -0.001]])
    errors = 0.05 + 20 / sizes[:, None] if answer == "yes" else 0.2 + 0 / sizes[:, None]
    forecast = learning_curve_forecast(sizes, errors + noise)
    figure = draw_curve(forecast, name="tree")
    assert figure.drawing.count("<circle") == 4 + 2
    assert [row[-1] for row in figure.rows] == ["measured"] * 4 + ["forecast"] * 2


def test_message_says_the_forecast(ordinary):
    forecast = ordinary.anatomy.forecast
    figure = draw_curve(forecast, name=ordinary.best)
    twice = forecast.now[1] - forecast.gains[0, 1]
    assert f"twice the data: {100 * twice:.1f} %" in figure.message
    assert "ten times: " in figure.message
    assert figure.message.startswith(f"By the curve, {ordinary.best} errs")
    assert f"2× data: {100 * twice:.1f} %" in figure.drawing
    assert figure.rows[-2][1] == pytest.approx(twice)
