import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from sklearn.metrics import brier_score_loss, log_loss

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import score_probabilities, smooth_calibration_error
from validation_strategies import draw_forecasts, forecasts


def test_by_hand():
    scores = score_probabilities([[0.5, 0.5], [0.25, 0.75]], [0, 1])
    assert_allclose(scores.log_loss, (np.log(2) + np.log(4 / 3)) / 2)
    assert_allclose(scores.brier, (0.5 + 0.125) / 2)


@pytest.mark.parametrize("k", [2, 5, 100])
def test_equals_scikit_learn(k):
    p, y = draw_forecasts(np.random.default_rng(k), 200, k)
    scores = score_probabilities(p, y)
    assert_allclose(scores.log_loss, log_loss(y, p, labels=range(k)))
    assert_allclose(scores.brier, brier_score_loss(y, p, labels=range(k), scale_by_half=False))
    top = smooth_calibration_error(p.max(axis=1), p.argmax(axis=1) == y)
    assert scores.smooth_calibration_error == top


@given(forecasts())
def test_parts_add_up_and_infinity_is_counted(case):
    p, y = case
    scores = score_probabilities(p, y)
    impossible = int((p[np.arange(len(y)), y] == 0).sum())
    assert scores.n_infinite == impossible
    assert np.isinf(scores.log_loss) == (impossible > 0)
    assert_allclose(scores.calibration + scores.refinement, scores.brier, atol=1e-12)


def test_words_frame_and_plot():
    scores = score_probabilities([[1.0, 0.0], [1.0, 0.0]], [0, 1])
    assert "Log loss inf (1 true classes had probability 0)" in str(scores)
    assert scores.to_frame().shape == (1, 5)


def test_refuses():
    with pytest.raises(InvalidInput, match=r"row 0 of probabilities sums to 0\.7"):
        score_probabilities([[0.5, 0.2]], [0])
