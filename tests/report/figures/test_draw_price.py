"""At what price? Dots, an edge, names that keep apart."""

import re

import numpy as np
import pytest

from polychotomy.comparison import Criterion
from polychotomy.report.figures.price import _beside, _overlap, draw_price
from polychotomy.verdict import Price


def draw(loss, times, *, best="c0"):
    times = np.array(times)
    price = Price(
        names=tuple(f"c{i}" for i in range(len(loss))), loss=np.array(loss), words="error",
        fit_seconds=times, predict_seconds=times / 100,
    )  # fmt: skip
    return draw_price(price, best=best, criterion=Criterion(name="error"))


def test_a_dot_a_candidate_in_each_of_two_panels():
    figure = draw([0.3, 0.2, 0.25], [0.01, 1.0, 5.0])
    assert figure.drawing.count("<circle") == 6
    assert figure.drawing.count('class="line edge"') == 2
    assert "better than c0 and c1" in figure.message


@pytest.mark.parametrize("times", [[0.0, 0.0], [1.0, 1.0], [1e-7, 1e4]])
def test_any_times_can_be_drawn(times):
    drawing = draw([0.1, 0.2], times).drawing
    assert "nan" not in drawing
    places = [float(x) for x in re.findall(r'cx="([-\d.]+)%"', drawing)]
    assert all(0 <= x <= 100 for x in places)


def test_gains_are_drawn_where_losses_as_far_apart_are():
    gains = draw([-2.4, -2.0, -1.9], [0.01, 0.1, 1.0]).drawing
    assert "↑" not in gains, "the last is hardly farther off than the second"
    far = draw([-2.4, -2.39, -2.0, -1.0], [0.01, 0.1, 1.0, 2.0]).drawing
    assert far.count("↑ ") == 2, "the last alone, in both panels"
    some = draw([-1.68, -2.392, -2.456, -2.453, -2.253], [0.01, 0.1, 1.0, 2.0, 3.0]).drawing
    assert some.count("↑ ") == 2, "guessing alone"


def test_names_keep_apart_while_there_is_room():
    taken = []
    assert all(_beside(100, y, 60, taken) for y in (100, 104, 108))
    assert None in [_beside(100, 104, 60, taken) for _ in range(20)]
    pairs = [(a, b) for i, a in enumerate(taken) for b in taken[:i]]
    assert not any(_overlap(a, b) for a, b in pairs)


def test_a_crowd_is_named_while_names_keep_apart():
    drawing = draw([0.2] * 12, [1.0] * 12).drawing  # all in one place
    assert 6 <= drawing.count('class="point-name') < 24  # the others in the table


def test_of_two_dots_close_together_the_upper_one_has_the_upper_name():
    drawing = draw([0.74, 0.211, 0.230, 0.234], [0.004, 0.201, 0.319, 0.321], best="c1").drawing
    lower, upper = (
        min(float(y) for y in re.findall(rf'y="([\d.]+)"[^>]*>{name}<', drawing))
        for name in ("c2", "c3")
    )
    assert upper < lower


def test_no_name_is_struck_through_by_the_edge():
    figure = draw([0.2, 0.1, 0.15], [0.01, 1.0, 0.02])
    levels = {
        (round(float(y1), 2))
        for path in re.findall(r'class="line edge" d="([^"]+)"', figure.drawing)
        for y1 in re.findall(r"[ML][\d.]+ ([\d.]+)", path)
    }
    names = re.findall(r'class="point-name[^>]*? y="([\d.]+)"[^>]*>c', figure.drawing)
    assert names
    dots = [float(y) for y in re.findall(r'cy="([\d.]+)"', figure.drawing)]
    assert levels <= {round(y, 2) for y in dots}  # the edge runs through dots


def test_a_name_is_left_out_where_there_is_no_room():
    around = [(0, 93, 107, 107), (0, 50, 330, 92), (108, 92, 330, 108), (0, 108, 330, 130)]
    assert _beside(100, 100, 60, around) is None


def test_no_name_at_the_right_reaches_beyond_the_drawing():
    side = _beside(254, 100, 12 * 6.3, [(247, 93, 261, 107)])
    assert side is not None
    assert side[0] != "start"  # to the left: on paper what lies beyond is cut


def test_one_far_above_the_rest_does_not_press_them_together():
    losses = [0.688, 0.486, 0.405, 0.429, 0.396, 0.387]
    drawing = draw(losses, [0.01, 0.04, 0.07, 0.05, 1.5, 0.3]).drawing
    assert drawing.count("c0 ↑ 68.8 %") == 2
    assert "↑" not in draw(losses[1:], [0.04, 0.07, 0.05, 1.5, 0.3]).drawing
    heights = [float(y) for y in re.findall(r'cy="([\d.]+)"', drawing)]
    assert max(heights) - min(heights) > 150


def test_a_name_in_bold_stays_inside():
    price = Price(
        names=("MAX", "SVM orthogonal"), loss=np.array([0.5, 0.1]), words="error",
        fit_seconds=np.array([0.001, 1.0]), predict_seconds=np.array([0.001, 1.0]),
    )  # fmt: skip
    drawing = draw_price(price, best="SVM orthogonal", criterion=Criterion(name="error")).drawing
    assert 'class="point-name best"' in drawing
    for x, dx in re.findall(r'x="([\d.]+)%" y="[\d.]+" text-anchor="start" dx="([\d.]+)"[^>]*best',
                            drawing):  # fmt: skip
        assert float(x) * 3.3 + float(dx) + 14 * 7 <= 334
