"""A gain with its interval, against what would count as help."""

import numpy as np

from polychotomy.report.drawing import draw_interval


def test_gauge_of_nothing_at_all():
    drawing = draw_interval(0, 0, 0, help_from=0.01, name="x", write=str, state="equivalent")
    assert "nan" not in drawing


def test_an_axis_has_numbers_on_either_side_of_zero():
    for high in np.geomspace(0.001, 1, 40):
        drawing = draw_interval(
            0, -high, high, help_from=high / 9, name="x", write="{:+g}".format, state="equivalent"
        )
        assert drawing.count(">+") >= 2  # +0 is one
        assert drawing.count(">-") >= 1
