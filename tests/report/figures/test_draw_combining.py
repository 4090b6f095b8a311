"""Would combining help? Weights, and the gain with its interval."""

from polychotomy.report.figures.combining import draw_gain, draw_weights


def test_combining_shows_weights_and_gain(ordinary):
    advice = ordinary.combination
    assert draw_weights(advice).drawing.count("<rect") == len(advice.names)
    assert advice.conclusion in draw_gain(advice).message
