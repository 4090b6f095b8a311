"""What limits it? Bars of T96's error budget; bounds that do not hold are no facts."""

import numpy as np

from polychotomy.decomposition import decompose_predictions, would_bagging_help
from polychotomy.report.figures.error_budget import bound_holds, draw_bagging, draw_budget


def budget(neighbour=None):
    votes = np.eye(2)[np.array([[0, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 1]])]
    return decompose_predictions(
        votes, np.zeros((4, 3), dtype=int), [1, 1, 1], nearest_neighbour_error=neighbour
    )


def test_bounds_that_do_not_hold_are_not_drawn_as_facts():
    refuted = budget(neighbour=0.45)
    assert not bound_holds(refuted)
    figure = draw_budget({"tree": refuted}, best="tree")
    assert 'class="limit"' not in figure.drawing
    assert "refuted" in figure.reading


def test_no_bound_is_not_mentioned():
    figure = draw_budget({"tree": budget()}, best="tree")
    assert "Cover" not in figure.reading


def test_bagging_is_drawn_with_what_counts_as_help():
    single = np.eye(2)[(np.arange(400) % 4 == 0).astype(int)]
    bagged = np.eye(2)[(np.arange(400) % 8 == 0).astype(int)]
    figure = draw_bagging(would_bagging_help(single, bagged, np.zeros(400, dtype=int)))
    assert "this would be help" in figure.drawing
    assert figure.message.startswith("Bagging would change the error by −")


def test_numbers_of_the_budget_are_the_verdicts(ordinary):
    budgets = ordinary.anatomy.budgets
    figure = draw_budget(budgets, best=ordinary.best)
    shown = {row[0]: row[1:] for row in figure.rows}
    for name, found in budgets.items():
        assert shown[name][0] == found.error
        assert shown[name][3:6] == (
            found.aggregated_error, found.aggregation_effect, found.variance,
        )  # fmt: skip
