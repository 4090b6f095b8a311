import matplotlib.pyplot as plt
import numpy as np
import pytest
from test_from_predictions import drawn

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import (
    decompose_predictions,
    draw_error_budget,
)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def widths(ax):
    return [bar.get_width() for bar in ax.patches]


def test_parts_of_the_bar_add_up_to_the_error():
    budget = decompose_predictions(*drawn(0), loss="squared", nearest_neighbour_error=0.2)
    assert budget.aggregation_effect > 0
    ax = draw_error_budget({"learner": budget})
    assert sum(widths(ax)) == pytest.approx(budget.error)
    assert widths(ax)[0] == pytest.approx(budget.bayes_bound)
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "Cover–Hart Bayes limit (asymptotic, may be false)" in texts


def test_a_negative_aggregation_effect_is_hatched():
    votes = np.array([[[1, 0]], [[1, 0]], [[0, 1]], [[0, 1]], [[0, 1]]])
    worse = decompose_predictions(votes, np.zeros((5, 1)), [0])
    ax = draw_error_budget({"a": decompose_predictions(*drawn(0), loss="squared"), "b": worse})
    hatched = [bar for bar in ax.patches if bar.get_hatch()]
    assert [round(bar.get_width(), 6) for bar in hatched] == [0.4]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert len(texts) == len(set(texts))


def test_a_bound_above_a_known_error_is_no_part_of_the_bar():
    right = np.tile(np.eye(2)[[0, 1]], (3, 1, 1))
    votes = np.concatenate([right, right[:1, :, ::-1]])  # three fits right, one wrong
    budget = decompose_predictions(votes, np.zeros((4, 2)), [0, 1], nearest_neighbour_error=0.4)
    assert budget.aggregated_error == 0 < budget.bayes_bound
    ax = draw_error_budget({"a": budget})
    assert widths(ax) == [0.25]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "Cover–Hart limit, above the bagged error: not believed" in texts


def test_infinite_errors_are_said():
    budget = decompose_predictions(*drawn(4, votes=True), loss="deviance")
    assert [text.get_text() for text in budget.plot().texts] == ["infinite"]


def test_nothing_to_draw_is_said():
    with pytest.raises(InvalidInput, match=r"decompositions is \{\}; expected"):
        draw_error_budget({})


def test_the_legend_stays_on_the_figure_beside_a_long_name():
    budgets = [decompose_predictions(*drawn(0), nearest_neighbour_error=e) for e in (0.1, 0.9)]
    ax = draw_error_budget(
        {"a rather long name of a learner with C=1000": budgets[0], "b": budgets[1]}
    )
    ax.figure.canvas.draw()
    legend = ax.get_legend().get_window_extent()
    assert legend.x0 >= 0
    assert legend.x1 <= ax.figure.bbox.x1
    assert legend.y1 <= ax.figure.bbox.y1
