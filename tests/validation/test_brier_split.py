import numpy as np
from hypothesis import given
from numpy.testing import assert_allclose
from sklearn.metrics import brier_score_loss

from polychotomy.validation import score_probabilities
from polychotomy.validation.scores import brier_parts
from validation_strategies import draw_forecasts, forecasts


def test_by_hand():
    # says .8 four times, three come true: Brier of class 0 is (3·.04 + .64)/4 = .19
    p, y = np.tile([0.8, 0.2], (4, 1)), np.array([0, 0, 0, 1])
    brier, refinement, uncertainty = brier_parts(p, y)
    assert_allclose(brier, 0.19)
    assert_allclose(brier - refinement, 0.05**2)
    assert_allclose(refinement, 0.75 * 0.25)
    assert_allclose(uncertainty - refinement, 0, atol=1e-15)


@given(forecasts(min_k=2))
def test_parts_add_up_and_are_not_negative(case):
    p, y = case
    split = score_probabilities(p, y)
    brier, refinement, uncertainty = brier_parts(p, y)
    assert_allclose(split.calibration + split.refinement, split.brier, atol=1e-12)
    assert_allclose([brier.sum(), refinement.sum()], [split.brier, split.refinement], atol=1e-12)
    for part in (brier - refinement, refinement, uncertainty - refinement):
        assert (part >= -1e-12).all()
    true = y[:, None] == np.arange(p.shape[1])
    assert_allclose(split.brier, ((p - true) ** 2).sum(axis=1).mean(), atol=1e-12)


def test_equals_scikit_learn():
    p, y = draw_forecasts(np.random.default_rng(0), 100, 4)
    oracle = brier_score_loss(y, p, labels=range(4), scale_by_half=False)
    assert_allclose(score_probabilities(p, y).brier, oracle)


@given(forecasts(min_k=2))
def test_equals_murphy_where_forecasts_are_grouped_and_ordered(case):
    """Murphy's (1973) split over distinct forecasts, once those are recalibrated."""
    p, y = case
    true = (y == 0).astype(float)
    values, inverse = np.unique(p[:, 0], return_inverse=True)
    share = np.bincount(inverse, true) / np.bincount(inverse)
    if (np.diff(share) < 0).any():
        return
    weight = np.bincount(inverse) / len(y)
    brier, refinement, uncertainty = brier_parts(p, y)
    assert_allclose(brier[0] - refinement[0], weight @ (values - share) ** 2, atol=1e-12)
    resolution = uncertainty[0] - refinement[0]
    assert_allclose(resolution, weight @ (share - true.mean()) ** 2, atol=1e-12)


def test_distortion_is_found_in_calibration_and_leaves_refinement():
    p, y = draw_forecasts(np.random.default_rng(0), 3000, 2)
    sure = p**3 / (p**3).sum(axis=1, keepdims=True)
    (honest, refined, _), (distorted, refined_again, _) = brier_parts(p, y), brier_parts(sure, y)
    assert_allclose(refined_again, refined, atol=1e-12)
    assert (distorted - refined_again > 5 * (honest - refined)).all()
