"""Where does it err? Shares by shade, few elements however many classes."""

import numpy as np
import pytest

from polychotomy.report.figures.confusion import draw_confusion
from polychotomy.validation import Confusion


def draw(counts, *, names=None):
    counts = np.asarray(counts, dtype=float)
    names = tuple(names or [f"class {i}" for i in range(len(counts))])
    order = np.arange(len(counts))[::-1]
    return draw_confusion(Confusion(name="tree", classes=names, counts=counts, order=order))


def test_numbers_stand_in_the_order_asked_for():
    figure = draw([[9, 1], [0, 10]])
    assert figure.header == ("truth", "class 1", "class 0")
    assert [list(row) for row in figure.rows] == [["class 1", 10, 0], ["class 0", 1, 9]]


def test_strongest_error_is_the_largest_share():
    figure = draw([[98, 2, 0], [0, 90, 10], [0, 0, 100]])
    assert 'class="miss shade6"' in figure.drawing
    assert "the strongest is 10 % of its row" in figure.reading


def test_a_share_of_next_to_nothing_is_not_none():
    assert "the strongest is less than 1 % of its row" in draw([[4208, 0], [1, 3915]]).reading


def test_half_a_percent_is_rounded_as_in_the_sentence():
    row = [4.6 / 3] * 3  # 57.5 %, as sums of floats have it
    figure = draw([[8 - sum(row), sum(row)], [0, 8]])
    assert "the strongest is 58 % of its row" in figure.reading


def test_without_errors_nothing_is_coloured():
    figure = draw(np.eye(3) * 5)
    assert "miss" not in figure.drawing
    assert figure.message.endswith("No class is taken for another.")
    assert "Everything lies on the diagonal" in figure.reading


def test_a_hundred_classes_are_a_few_paths_and_their_names_in_the_numbers():
    counts = np.random.default_rng(0).integers(0, 9, size=(100, 100))
    figure = draw(counts)
    assert figure.drawing.count("<path") <= 12
    assert figure.drawing.count('class="matrix-name"') == 0
    assert "no room for the names of so many classes" in figure.reading
    assert len(figure.drawing) < 250_000


def test_short_names_stand_below_their_columns():
    names = [chr(65 + i) for i in range(26)]
    assert draw(np.ones((26, 26)), names=names).drawing.count('class="matrix-foot"') == 26
    assert draw(np.ones((26, 26))).drawing.count('class="matrix-foot"') == 0


def test_classes_without_cases_can_be_drawn():
    assert "nan" not in draw([[0, 0], [1, 1]]).drawing


def test_sixty_classes_are_all_named():
    for k, state in ((30, "matrix-name"), (40, "matrix-name tight"), (60, "matrix-name tight")):
        drawing = draw(np.ones((k, k))).drawing
        assert drawing.count(f'class="{state}"') == k


@pytest.mark.parametrize(("name", "room"), [("a", 16), ("saab", 16), ("noband", 20), ("x" * 9, 26)])
def test_short_names_leave_the_cells_more_room(name, room):
    drawing = draw([[9, 1], [0, 10]], names=[name, "b"]).drawing
    assert f'class="matrix-foot" style="left:{room}%' in drawing


def test_where_no_class_is_named_no_room_is_kept_for_names():
    names = [f"a class of a long name {i}" for i in range(61)]
    for k, room in ((60, 26), (61, 16)):
        drawing = draw(np.eye(k) + 1, names=names[:k]).drawing
        assert f'<rect class="matrix-field" x="{room}%"' in drawing
