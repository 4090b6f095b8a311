"""A gain with its interval, against what would count as help."""

from polychotomy.report.figures.gauge import draw_gauge


def test_gauge_of_nothing_at_all():
    drawing = draw_gauge(0, 0, 0, help_from=0.01, name="x", write=str, state="equivalent")
    assert "nan" not in drawing
