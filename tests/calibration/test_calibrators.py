import numpy as np
import pytest
import skops.io
from numpy.testing import assert_allclose

from polychotomy.calibration import (
    Isotonic,
    Sigmoid,
    Temperature,
    Unchanged,
    fit_isotonic,
    fit_sigmoid,
    fit_temperature,
)
from polychotomy.core.exceptions import InvalidInput
from validation_strategies import draw_forecasts

FITS = [fit_temperature, fit_sigmoid, fit_isotonic]


def test_temperature_by_hand():
    # odds 3 to 1, squared: 9 to 1
    assert_allclose(Temperature(2.0).apply([[0.75, 0.25]]), [[0.9, 0.1]])
    assert_allclose(Temperature(0.5).apply([[0.9, 0.1]]), [[0.75, 0.25]])


def test_unchanged():
    p, _ = draw_forecasts(np.random.default_rng(0), 5, 3)
    assert_allclose(Unchanged().apply(p), p, rtol=0)


@pytest.mark.parametrize("fit", [fit_sigmoid, fit_isotonic])
def test_other_number_of_classes(fit):
    p, y = draw_forecasts(np.random.default_rng(0), 20, 3)
    with pytest.raises(InvalidInput, match=r"shape \(\d+, 2\); expected \(n, 3\)"):
        fit(p, y).apply([[0.5, 0.5]])


@pytest.mark.parametrize("fit", FITS)
def test_survives_a_model_file(fit, tmp_path):
    p, y = draw_forecasts(np.random.default_rng(0), 50, 3)
    calibrator = fit(p, y)
    path = tmp_path / "calibrator.skops"
    skops.io.dump(calibrator, path)
    trusted = skops.io.get_untrusted_types(file=path)
    assert all(name.startswith("polychotomy.calibration.") for name in trusted)
    again = skops.io.load(path, trusted=trusted)
    assert isinstance(again, Temperature | Sigmoid | Isotonic)
    assert_allclose(again.apply(p), calibrator.apply(p), rtol=0)
