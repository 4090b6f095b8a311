"""The default weights: near the average among equals, away from the bad."""

import numpy as np
import pytest
from margin_families import draw

from polychotomy.combination import rank_margin_weights, tuned_margin_weights
from polychotomy.combination.pair_margins import auc, rank_margin
from polychotomy.combination.tuned_margin import SETTINGS, choose_setting, stratified_folds
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import project_to_simplex


def draw_scores(seed, strengths, n=300):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 2).astype(int)
    return np.tanh(rng.normal(size=(n, len(strengths))) + (y[:, None] - 0.5) * strengths), y


def test_first_setting_is_a_projection():
    scores, y = draw_scores(0, [2.0, 1.0, 0.0])
    means = scores[y == 1].mean(axis=0) - scores[y == 0].mean(axis=0)
    fit = rank_margin_weights(scores, y, slack=1.0, pull=1.0)
    np.testing.assert_allclose(fit.weights, project_to_simplex(1 / 3 + means), atol=1e-12)
    assert fit.gap <= 1e-12


def test_closed_form_equals_the_level_method():
    scores, y = draw_scores(1, [2.0, 1.0, 0.0, 1.5])
    closed = rank_margin_weights(scores, y, slack=1.0, pull=0.7)
    iterated = rank_margin_weights(scores, y, slack=1.0 + 1e-12, pull=0.7)
    assert closed.objective == pytest.approx(iterated.objective, abs=2e-6)


def test_equals_get_about_equal_weights():
    fit = tuned_margin_weights(*draw_scores(2, [1.5] * 4))
    assert np.ptp(fit.weights) < 0.25


def test_bad_classifiers_get_none():
    fit = tuned_margin_weights(*draw_scores(3, [2.0, 2.0, 2.0, 0.0, 0.0, -1.0]))
    assert fit.weights[:3].sum() > 0.95


@pytest.mark.long
def test_beats_the_average_on_new_samples_when_some_are_bad():
    strengths = [1.5, 1.5, 0.0, 0.0, 0.0]
    gains = []
    for seed in range(10):
        weights = tuned_margin_weights(*draw_scores(seed, strengths)).weights
        new, y = draw_scores(100 + seed, strengths)
        gains.append(auc(new @ weights, y) - auc(new.mean(axis=1), y))
    assert min(gains) > 0
    assert np.mean(gains) > 0.05


def test_moves_only_for_more_than_a_standard_error():
    assert choose_setting(np.array([0.9, 0.95]), np.array([0.0, 0.06])) == 0
    assert choose_setting(np.array([0.9, 0.95, 0.97]), np.array([0.0, 0.01, 0.06])) == 1
    assert choose_setting(np.array([0.9, 0.9]), np.zeros(2)) == 0


def test_says_what_it_tried():
    fit = tuned_margin_weights(*draw_scores(4, [1.0, 2.0]))
    assert (fit.slack, fit.pull) in SETTINGS
    assert fit.settings.shape == (len(SETTINGS), 2)
    assert fit.errors[0] == 0
    assert f"Slack {fit.slack:g} and pull {fit.pull:g} (cross-fitted AUC 0." in str(fit)


def test_plain_average_can_be_chosen():
    scores, y = draw_scores(5, [1.0, 1.0, 1.0])
    fit = tuned_margin_weights(scores, y, settings=((1.0, np.inf),))
    np.testing.assert_allclose(fit.weights, 1 / 3)
    assert fit.margin == rank_margin(scores, y)


@pytest.mark.parametrize("family", ["all tied", "identical", "separable", "one constant"])
def test_degenerate_scores(family):
    scores, y = draw(family, 0, n=30, m=3)
    fit = tuned_margin_weights(scores, y)
    assert (fit.weights >= 0).all()
    assert fit.weights.sum() == pytest.approx(1)


def test_folds_spread_the_classes():
    positive = np.arange(23) < 7
    folds = stratified_folds(positive, n_folds=5, random_state=0)
    for members in (positive, ~positive):
        counts = np.bincount(folds[members], minlength=5)
        assert counts.max() - counts.min() <= 1


def test_refuses_a_single_sample_of_a_class():
    with pytest.raises(InvalidInput, match="1 positives and 3 negatives; cross-fitting needs two"):
        tuned_margin_weights(np.zeros((4, 2)), [1, 0, 0, 0])
