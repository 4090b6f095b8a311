"""Ordering: its paragraph, tables and drawing, for 1 to 15 learners and awkward names."""

import numpy as np
import pytest

from polychotomy.comparison import Ordering, draw_ordering
from polychotomy.comparison.multitest import multitest


def ordering(m, seed=0, **options):
    rng = np.random.default_rng(seed)
    errors = np.linspace(0.4, 0.1, m)[:, None, None] + rng.normal(0, 0.02, (m, 5, 2))
    return multitest(errors, correction=None, **options)


@pytest.mark.parametrize("m", [1, 2, 5, 15])
def test_the_drawing_has_a_row_a_learner_and_an_arrow_an_edge(m):
    found = ordering(m, names=[f"learner with a rather long name, number {i}" for i in range(m)])
    ax = found.plot()
    ax.figure.canvas.draw()
    assert len(ax.get_yticklabels()) == m
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert len(arrows) == found.edges.sum()
    places = [text.get_text() for text in ax.texts if text.get_text().isdigit()]
    assert [places.index(str(place + 1)) for place in range(m)] == found.order.tolist()


def test_everything_drawn_lies_inside_the_figure():
    ax = ordering(15, names=[f"gradient boosting of depth {i}" for i in range(15)]).plot()
    figure = ax.figure
    figure.canvas.draw()
    box, page = figure.get_tightbbox(), figure.bbox_inches
    assert box.x0 >= -0.01
    assert box.x1 <= page.x1 + 0.01


def test_mathematical_names_are_shown_as_they_are():
    ax = ordering(2, names=["cost $1 and $2", "a_b^c"]).plot()
    ax.figure.canvas.draw()
    assert ax.get_yticklabels()[1].get_text() == "a_b^c"


def test_equal_errors_can_be_drawn():
    multitest(np.full((3, 5, 2), 0.2)).plot().figure.canvas.draw()


def test_the_paragraph():
    text = str(ordering(3, names=["A", "B", "C"]))
    assert text.startswith("MultiTest with the one-sided 5×2cv t test at level 0.05 (no")
    assert "In order of preference: A, B, C." in text
    assert "Order found: C < B < A. The best is C, with a mean error of " in text
    kept = multitest(np.full((3, 5, 2), 0.2))
    assert "overrides the preference in 0 of 3 pairs" in str(kept)
    assert text.endswith("Assumed: the differences in the folds are independent and normal.")
    margin = str(ordering(3, margin=0.02))
    assert "with a margin of 0.02: a preferred learner keeps its place" in margin
    assert "shown in 0 of 3 pairs." in margin
    same = str(multitest(np.full((3, 5, 2), 0.2), margin=0.02, names=["A", "B", "C"]))
    assert "shown in 3 of 3 pairs." in same
    assert "holm correction" in str(multitest(np.full((3, 5, 2), 0.2), correction="holm"))


def test_the_frame_has_a_row_for_each_pair():
    frame = ordering(3, names=["a|b", "c_d", "e%"]).to_frame()
    assert frame["overrides"].all()
    assert frame.columns.tolist() == [
        "preferred", "other", "mean_difference", "pvalue", "level", "overrides",
    ]  # fmt: skip


def test_frozen_means_frozen():
    found = ordering(3)
    assert isinstance(found, Ordering)
    for array in (found.order, found.edges, found.pvalues, found.errors):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        found.best = 1


def test_the_input_is_not_frozen_with_it():
    errors = np.random.default_rng(0).uniform(size=(3, 5, 2))
    found = multitest(errors)
    errors[0] = 9.0
    assert found.errors.max() < 9.0


def test_html_is_escaped():
    assert "<script>" not in ordering(2, names=["<script>", "b"])._repr_html_()


def test_arrays_can_be_drawn_without_a_result():
    import matplotlib.pyplot as plt

    edges = np.array([[False, True], [False, False]])
    ax = plt.figure().add_subplot()
    assert draw_ordering(ax, ["a", "b"], np.ones((2, 1)), edges, np.array([1, 0])) is ax
