"""Which one? Rows, ticks, arcs; who is far off does not squeeze the rest."""

from types import SimpleNamespace

import numpy as np

from polychotomy.comparison import Criterion
from polychotomy.report.figures.candidates import Row, draw_candidates

ERROR = Criterion(name="error")


def rows(*means, folds=5):
    spread = np.linspace(-0.01, 0.01, folds)
    return [Row(f"c{i}", m, m + spread, i + 1) for i, m in enumerate(means)]


def draw(found, edges=None, margin=0.01, best=None):
    if edges is None:
        edges = np.zeros((len(found), len(found)), dtype=bool)
    verdict = SimpleNamespace(
        best=best or found[0].name, margin=margin, rule="paper" if margin is None else "margin",
        criterion=ERROR, plan={}, provenance={},
    )  # fmt: skip
    return draw_candidates(verdict, found, edges)


def test_the_message_names_the_chosen_one_first():
    found = [Row("mean", 0.30, np.array([0.28, 0.32]), 2), Row("tree", 0.1, np.full(2, 0.1), 1)]
    message = draw(found, np.array([[False, True], [False, False]]), best="tree").message
    assert message == "Mean error of 2 candidates: tree, the one chosen, 10.0 %; mean 30.0 %."


def test_a_tick_a_fold_a_dot_a_mean_an_arc_an_edge():
    edges = np.array([[False, True, True], [False, False, False], [False, False, False]])
    drawing = draw(rows(0.1, 0.11, 0.12), edges).drawing
    assert drawing.count('class="fold') == 15
    assert drawing.count('class="mean') == 3
    assert drawing.count('class="arc ') == 2
    assert drawing.count('class="band"') == 1


def test_of_many_folds_every_one_is_drawn_and_in_the_numbers():
    figure = draw(rows(0.1, 0.12, folds=500))
    assert figure.drawing.count('class="fold') == len(figure.rows) == 1000


def test_who_is_far_off_is_named_at_the_edge():
    drawing = draw(rows(0.02, 0.03, 0.6)).drawing
    assert drawing.count("beyond the scale") == 1
    assert drawing.count('class="mean') == 2
    assert "60.0 %" in drawing


def test_gains_are_drawn_where_losses_as_far_apart_are():
    """Costs below zero: who is near in losses is near in gains, too."""
    assert "beyond the scale" not in draw(rows(-2.4, -2.0, -1.9)).drawing
    assert "beyond the scale" not in draw(rows(-0.1, 0.1, 0.2)).drawing
    far = draw(rows(-2.4, -2.39, -2.38, -1.0)).drawing
    assert far.count("beyond the scale") == 1
    assert far.count('class="mean') == 3


def test_a_failed_candidate_has_a_row_and_a_reason():
    found = [*rows(0.1), Row("broken", float("nan"), np.empty(0), None, "left out: 3 fits failed")]
    figure = draw(found)
    assert "left out: 3 fits failed" in figure.drawing
    assert "broken" not in figure.message


def test_no_margin_no_band_and_no_word_of_it():
    figure = draw(rows(0.1, 0.2), margin=None)
    assert 'class="band"' not in figure.drawing
    assert "band" not in figure.reading


def test_errors_of_nothing_can_be_drawn():
    found = [Row("a", 0.0, np.zeros(5), 1), Row("b", 0.0, np.zeros(5), 2)]
    assert "nan" not in draw(found, margin=0.0).drawing


def test_of_very_many_arcs_only_those_to_the_chosen_one_are_drawn():
    found = rows(*np.linspace(0.1, 0.2, 30))
    edges = np.triu(np.ones((30, 30), dtype=bool), 1)
    assert draw(found, edges).drawing.count('class="arc ') == 0  # nothing leads to the first
    drawing = draw(found, edges, margin=None, best="c29").drawing
    assert drawing.count('class="arc best"') == 29


def test_who_is_beyond_the_scale_has_no_ticks_below_its_words():
    far = Row("far", 0.9, np.array([0.15, 1.65]), 3)
    drawing = draw([*rows(0.2, 0.21), far]).drawing
    assert drawing.count("beyond the scale") == 1
    assert drawing.count('class="fold') == 10


def test_half_of_the_candidates_are_always_in_sight():
    assert draw(rows(0.1, 0.5, 0.6, 0.95)).drawing.count("beyond the scale") < 3
