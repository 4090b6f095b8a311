"""Is it real? A cell a pair, its answer by colour and by sign."""

import numpy as np

from polychotomy.comparison import Criterion, compare_pairs
from polychotomy.report.figures.pairs import draw_pairs


def draw(means, *, margin=0.01, noise=0.001, best="c0"):
    rng = np.random.default_rng(0)
    errors = np.reshape(means, (-1, 1, 1)) + noise * rng.standard_normal((len(means), 5, 5))
    names = [f"c{i}" for i in range(len(means))]
    found = compare_pairs(errors, names=names, margin=margin)
    return draw_pairs(found, best=best, criterion=Criterion(name="error"))


def test_a_cell_a_pair_with_its_answer():
    figure = draw([0.3, 0.1, 0.101])
    assert figure.drawing.count('<rect class="cell ') == 3
    assert figure.drawing.count('<rect class="cell better"') == 2  # c1, c2 against c0
    assert figure.drawing.count('<rect class="cell equivalent"') == 1
    assert "undecided" not in figure.drawing  # only what occurs is in the key
    assert [row[-1] for row in figure.rows] == ["better", "better", "equivalent"]


def test_undecided_is_said_as_clearly_as_different():
    figure = draw([0.1, 0.105], noise=0.05)
    assert figure.message == "c0 against the others: undecided against c1."
    assert "?</span> undecided" in figure.drawing


def test_far_differences_are_arrows_not_dots():
    figure = draw([0.9, 0.1, 0.1])
    assert figure.drawing.count("◂") == 2
    assert figure.drawing.count('class="cell-dot') == 1


def test_ten_candidates_have_forty_five_cells():
    assert draw(np.linspace(0.1, 0.2, 10)).drawing.count('<rect class="cell ') == 45


def test_forty_candidates_have_signs_only_and_stay_small():
    figure = draw(np.linspace(0.1, 0.2, 40))
    assert figure.drawing.count('<rect class="cell ') == 780
    assert "cell-line" not in figure.drawing
    assert len(figure.drawing) < 350_000
    assert len(figure.rows) == 780
