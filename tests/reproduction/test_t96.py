"""T96: one sample gives what the paper's definitions say."""

import pytest

from polychotomy.reproduction.t96 import ROWS, draw_variance_curves, run_sample


@pytest.fixture(scope="module")
def sample():
    return run_sample(3, 20)


def test_every_problem_and_learner_has_both_columns(sample):
    assert len(sample) == 4
    for values in sample.values():
        assert len(values["estimate"]) == len(values["true"]) == len(ROWS)


def test_error_is_that_of_the_aggregate_and_its_effect(sample):
    for values in sample.values():
        for column in ("estimate", "true"):
            error, _, _, _, aggregated, effect = values[column]
            assert error == pytest.approx(aggregated + effect)


def test_reversed_variance_of_votes_is_at_most_an_eighth(sample):
    """So the printed .150 is no reversed variance of votes."""
    for values in sample.values():
        assert 0 <= values["estimate"][2] <= 0.125
        assert 0 <= values["true"][2] <= 0.125


def test_figure_1_shows_both_variances():
    left, variance, printed = draw_variance_curves().lines
    assert left.get_ydata().max() == 1
    assert variance.get_ydata().max() == 0.5  # at p̄ = 1/2, where eq. (21) has zero
    assert printed.get_ydata().max() == pytest.approx(1 / 8)
