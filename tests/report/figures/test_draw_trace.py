"""Can I trust the probabilities? The trace in its band, as predicted and recalibrated."""

import csv
import io
from dataclasses import replace

import numpy as np

from polychotomy.report.figures.trust import draw_trace


def test_trace_shows_the_trust(ordinary):
    trust = ordinary.trust
    trace = draw_trace(trust)
    assert trust.finding in trace.message
    assert trace.drawing.count('class="line ') == 1 + (trust.recalibration.chosen != "none")


def test_numbers_of_the_trace_are_the_verdicts(ordinary):
    null = ordinary.trust.null
    rows = list(csv.DictReader(io.StringIO(draw_trace(ordinary.trust).csv)))
    shown = [float(row["trace_minus_step"]) for row in rows if row["line"] == "as predicted"]
    np.testing.assert_allclose(shown, null.observed - null.steps, rtol=1e-5, atol=1e-4)


def test_both_lines_are_named_where_there_are_two(ordinary):
    trust = ordinary.trust
    recalibrated = replace(trust, recalibration=replace(trust.recalibration, chosen="temperature"))
    drawing = draw_trace(recalibrated).drawing
    assert drawing.count('class="line ') == 2
    assert "as predicted</text>" in drawing
    assert "recalibrated</text>" in drawing
    kept = replace(trust, recalibration=replace(trust.recalibration, chosen="none"))
    assert "recalibrated" not in draw_trace(kept).drawing
