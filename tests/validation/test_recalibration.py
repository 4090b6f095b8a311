import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.calibration import Temperature, Unchanged
from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import recalibrate
from polychotomy.validation.recalibration import METHODS
from validation_strategies import draw_forecasts, forecasts


def sharpened(p, power):
    return p**power / (p**power).sum(axis=1, keepdims=True)


@pytest.mark.long
def test_level():
    """True probabilities are left alone, whether vague or sure, but for 5 % at most."""
    rng = np.random.default_rng(0)
    for n, k, concentration in ((20, 2, 1.0), (40, 2, 0.1), (60, 3, 0.5)):
        chosen = [
            recalibrate(*draw_forecasts(rng, n, k, concentration=concentration)).chosen
            for _ in range(60)
        ]
        assert sum(one != "none" for one in chosen) <= 5  # 60 at 5 %: more than 7 in 1 of 100


@pytest.mark.parametrize(("power", "exponent"), [(3.0, 1 / 3), (0.4, 2.5)])
def test_finds_and_mends_distortion_by_the_simplest_map(power, exponent):
    p, y = draw_forecasts(np.random.default_rng(1), 1500, 4)
    found = recalibrate(sharpened(p, power), y)
    assert found.chosen == "temperature"
    assert_allclose(found.calibrator.exponent, exponent, rtol=0.15)
    assert abs(found.after.slope - 1) < abs(found.before.slope - 1) / 3
    at = METHODS.index("temperature")
    assert found.lower[at] > 0
    assert found.pvalues[at] < 1e-6
    assert_allclose(found.log_loss_before - found.log_loss, found.gain)
    assert str(found).startswith("Recalibrate by temperature: log loss")


def test_takes_a_richer_map_where_one_number_is_not_enough():
    p, y = draw_forecasts(np.random.default_rng(1), 3000, 2)
    shifted = np.column_stack([p[:, 0], 6 * p[:, 1]])
    found = recalibrate(shifted / shifted.sum(axis=1, keepdims=True), y)
    assert found.chosen == "sigmoid"


@pytest.mark.long
def test_interval_covers_the_gain_on_new_cases():
    rng = np.random.default_rng(4)
    inside = []
    for _ in range(40):
        p, y = draw_forecasts(rng, 200, 3)
        found = recalibrate(sharpened(p, 2.0), y)
        q, z = draw_forecasts(rng, 4000, 3)
        said = sharpened(q, 2.0)
        rows = np.arange(4000)
        exponent = Temperature(0.5).apply(said)  # what the fit tends to
        gain = np.log(exponent[rows, z] / np.maximum(said[rows, z], 1e-6)).mean()
        inside.append(found.lower[0] <= gain <= found.upper[0])
    assert np.mean(inside) >= 0.9


@given(forecasts())
def test_any_input_gives_numbers(case):
    p, y = case
    if len(y) < 2:
        with pytest.raises(InvalidInput, match="there is 1 case; expected at least 2"):
            recalibrate(p, y)
        return
    found = recalibrate(p, y)
    for numbers in (found.log_loss, found.gain, found.lower, found.upper, found.pvalues):
        assert np.isfinite(numbers).all()
    assert ((found.pvalues >= 0) & (found.pvalues <= 1)).all()
    assert found.chosen in (*METHODS, "none")
    assert_allclose(found.calibrator.apply(p).sum(axis=1), 1, atol=1e-9)


def test_words_frame_and_plot():
    p, y = draw_forecasts(np.random.default_rng(0), 100, 3)
    found = recalibrate(p, y)
    assert found.chosen == "none"
    assert isinstance(found.calibrator, Unchanged)
    assert str(found).startswith("Leave the probabilities as they are: log loss")
    assert found.to_frame()["method"].tolist() == list(METHODS)
    assert len(found.plot().lines) == 3
    assert_array_equal(found.after.trace, found.before.trace)


def test_the_sentence_says_what_was_made_of_probabilities_of_zero():
    y = np.arange(200) % 2
    said = np.where(np.arange(200) % 5 == 0, 1 - y, y)
    sentence = str(recalibrate(np.eye(2)[said], y))
    assert "(with 40 probabilities about 0 taken as 1e-06) becomes" in sentence
    assert "inf" not in sentence


def test_refuses_folds_that_are_all_the_same():
    p = np.tile([0.4, 0.6], (10, 1))
    with pytest.raises(InvalidInput, match=r"folds is 3 for every row; expected two folds or more"):
        recalibrate(p, np.arange(10) % 2, folds=np.full(10, 3))
