"""Would combining help? Weights, and the gain with its interval."""

from polychotomy.report.figures.combining import draw_gain, draw_weights


def test_combining_shows_weights_and_gain(ordinary):
    advice = ordinary.combination
    assert draw_weights(advice).drawing.count("<rect") == len(advice.names)
    assert advice.conclusion in draw_gain(advice).message


def test_the_gain_is_in_points_as_the_sentence_has_it(ordinary):
    figure = draw_gain(ordinary.combination)
    assert (
        f"{100 * ordinary.combination.difference:+.2f} points".replace("-", "−") in figure.message
    )
    assert "points of AUC gained over" in figure.drawing
    assert ">+0.5<" in figure.drawing or ">+1<" in figure.drawing  # not +0.005


def test_the_one_chosen_stands_out_among_the_weights(ordinary):
    advice = ordinary.combination
    drawing = draw_weights(advice, best=advice.names[0]).drawing
    assert drawing.count("bar best") == drawing.count("row-label best") == 1
    assert "AUC alone" in drawing
