import numpy as np
from hypothesis import given
from numpy.testing import assert_allclose
from sklearn.isotonic import IsotonicRegression

from polychotomy.calibration.isotonic import monotone_fit
from validation_strategies import forecasts


def test_by_hand():
    # .2 and .4 are out of order: pooled to 2/3; .9 keeps its 1/2?  no: pooled with them to 3/5
    places, values = monotone_fit(
        np.array([0.2, 0.4, 0.4, 0.9, 0.9]), np.array([1.0, 0.0, 1.0, 0.0, 1.0])
    )
    assert_allclose(places, [0.2, 0.4, 0.9])
    assert_allclose(values, [0.6, 0.6, 0.6])


@given(forecasts(min_k=2, max_n=30))
def test_equals_scikit_learn(case):
    p, y = case
    outcomes = (y == 0).astype(float)
    places, values = monotone_fit(p[:, 0], outcomes)
    oracle = IsotonicRegression().fit(p[:, 0], outcomes)
    assert_allclose(values, oracle.predict(places), atol=1e-9)
    assert (np.diff(values) >= 0).all()
