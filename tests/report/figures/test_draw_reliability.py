"""Can I trust the probabilities? What was said, and what happened, also after recalibration."""

import csv
import io
import re
from types import SimpleNamespace

import numpy as np
import pytest

from polychotomy.report.figures.trust import draw_reliability
from polychotomy.validation import recalibrate, reliability_diagram


@pytest.fixture(scope="module")
def forecasts():
    """Probabilities that are too sure, and the classes that came true."""
    rng = np.random.default_rng(0)
    true = rng.dirichlet(np.ones(3), size=600)
    y = (rng.random((600, 1)) > true.cumsum(axis=1)).sum(axis=1)
    sharp = true**3
    return sharp / sharp.sum(axis=1, keepdims=True), y


@pytest.fixture(scope="module")
def recalibrated(forecasts):
    found = recalibrate(*forecasts)
    assert found.chosen != "none"
    return found


@pytest.fixture(scope="module")
def diagrams(forecasts, recalibrated):
    p, y = forecasts
    return reliability_diagram(p, y), reliability_diagram(recalibrated.probabilities, y)


def draw(forecasts, diagrams, recalibration):
    trace = SimpleNamespace(probabilities=forecasts[0])
    trust = SimpleNamespace(reliability=diagrams[0], trace=trace, recalibration=recalibration)
    return draw_reliability(trust)


def test_a_dot_a_group_and_a_ring_where_it_is_recalibrated(forecasts, diagrams, recalibrated):
    before, after = diagrams
    alone = draw(forecasts, diagrams, SimpleNamespace(chosen="none", after=None))
    assert alone.drawing.count("<circle") == before.forecast.size
    assert "recalibrated" not in alone.drawing + alone.message + alone.reading
    both = draw(forecasts, diagrams, recalibrated)
    assert both.drawing.count('class="mean best"') == before.forecast.size
    assert both.drawing.count('class="mean recalibrated"') == after.forecast.size
    assert "recalibrated</text>" in both.drawing
    assert "Rings" in both.reading


def test_the_message_counts_groups_whose_interval_holds_what_they_said(
    forecasts, diagrams, recalibrated
):
    held = [sum((d.lower <= d.forecast) & (d.forecast <= d.upper)) for d in diagrams]
    assert held[0] < held[1]
    message = draw(forecasts, diagrams, recalibrated).message
    assert f"{held[0]} were right as often as they said" in message
    assert message.endswith(f"; after recalibration {held[1]} of {diagrams[1].forecast.size}.")


def test_numbers_are_those_of_both_diagrams(forecasts, diagrams, recalibrated):
    figure = draw(forecasts, diagrams, recalibrated)
    rows = list(csv.DictReader(io.StringIO(figure.csv)))
    for name, diagram in zip(("as predicted", "recalibrated"), diagrams, strict=True):
        own = [row for row in rows if row["line"] == name]
        for column in ("forecast", "observed", "lower", "upper", "counts"):
            shown = [float(row[column]) for row in own]
            np.testing.assert_allclose(shown, getattr(diagram, column), rtol=1e-5, atol=1e-9)


def test_everything_is_inside_the_axes(forecasts, diagrams, recalibrated):
    figure = draw(forecasts, diagrams, recalibrated)
    places = [float(x) for x in re.findall(r'cx="([\d.-]+)%', figure.drawing)]
    assert min(places) >= 10
    assert max(places) <= 96
