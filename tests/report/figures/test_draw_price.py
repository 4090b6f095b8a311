"""At what price? Dots, an edge, names that keep apart."""

import re

import numpy as np
import pytest

from polychotomy.report.figures.price import _beside, _overlap, draw_price
from polychotomy.report.words import Unit
from polychotomy.verdict import Price


def draw(loss, times, *, best="c0"):
    times = np.array(times)
    price = Price(
        names=tuple(f"c{i}" for i in range(len(loss))), loss=np.array(loss), words="error",
        fit_seconds=times, predict_seconds=times / 100,
    )  # fmt: skip
    return draw_price(price, best=best, unit=Unit("error", True))


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


def test_a_crowd_is_named_with_lines_to_the_names():
    drawing = draw([0.2] * 12, [1.0] * 12).drawing  # all in one place
    assert drawing.count('class="point-name') == 24
    assert drawing.count('class="leader"') > 0


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
