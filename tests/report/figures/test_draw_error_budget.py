"""What limits it? Bars of T96's error budget; bounds that do not hold are no facts."""

import numpy as np

from polychotomy.decomposition import decompose_predictions
from polychotomy.report.figures.limits import bound_holds, draw_budget


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


def test_numbers_of_the_budget_are_the_verdicts(ordinary):
    budgets = ordinary.anatomy.budgets
    figure = draw_budget(budgets, best=ordinary.best)
    shown = {row[0]: row[1:] for row in figure.rows}
    for name, found in budgets.items():
        assert shown[name][0] == found.error
        assert shown[name][3:6] == (
            found.aggregated_error, found.aggregation_effect, found.variance,
        )  # fmt: skip


def test_a_bar_a_candidate_with_whiskers(ordinary):
    budgets = ordinary.anatomy.budgets
    assert len(budgets) > 1
    figure = draw_budget(budgets, best=ordinary.best)
    assert figure.drawing.count('class="bar variance"') == len(budgets)
    assert figure.drawing.count('class="row-label') == len(budgets)
    assert figure.drawing.count('class="whisker ink"') == 3 * len(budgets)


def test_the_key_names_only_what_is_drawn():
    helps = budget()
    assert helps.aggregation_effect > 0
    drawing = draw_budget({"tree": helps}, best="tree").drawing
    assert "taken off by averaging" in drawing
    assert "added by averaging" not in drawing
    assert "swatch limit" not in drawing


def test_averaging_that_does_harm_is_said_without_a_double_minus():
    votes = np.eye(2)[np.array([[0], [0], [1]])]
    harmed = decompose_predictions(votes, np.zeros((3, 1), dtype=int), [1])
    assert harmed.aggregation_effect < 0
    figure = draw_budget({"tree": harmed}, best="tree")
    assert "averaging adds 33.3 points" in figure.message
    assert "added by averaging" in figure.drawing
