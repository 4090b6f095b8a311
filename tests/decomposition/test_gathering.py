import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.decomposition import Squared, decompose_predictions
from polychotomy.decomposition.bootstrap_fits import Fit
from polychotomy.decomposition.from_estimator import summarise_fits

N, K = 800, 60


def fit(rng):
    counts = np.bincount(rng.integers(0, N, N), minlength=N)
    left = np.flatnonzero(counts == 0)
    return Fit(counts, left, rng.dirichlet(np.ones(K), len(left)), None)


@pytest.mark.long
def test_memory_does_not_grow_with_the_fits():
    """200 fits would be 200 n k doubles, 77 MB; the sums and a batch are a third of it."""
    peaks = []
    for fits in (40, 200):
        rng = np.random.default_rng(0)
        tracemalloc.start()
        coming = (fit(rng) for _ in range(fits))
        summarise_fits(coming, np.zeros(N, dtype=np.intp), K, Squared())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.1 * peaks[0]


def test_agrees_with_all_predictions_at_once():
    rng = np.random.default_rng(1)
    fits = [fit(rng) for _ in range(45)]
    y = rng.integers(0, K, N)
    predictions = np.full((45, N, K), np.nan)
    for row, one in enumerate(fits):
        predictions[row, one.left_out] = one.predictions
    summary, _ = summarise_fits(fits, y, K, Squared())
    in_bag = np.array([one.in_bag for one in fits])
    whole = decompose_predictions(predictions, in_bag, y, loss="squared")
    assert_allclose(summary["estimates"], whole.estimates, rtol=1e-11)
    assert_array_equal(summary["n_out_of_bag"], whole.n_out_of_bag)


@pytest.mark.parametrize(
    ("fit", "error", "message"),
    [
        (Fit(np.array([1, 1]), np.array([], dtype=int), np.empty((0, 2)), None),
         InvalidInput, "none of 2 samples is out of bag in any fit"),
        (Fit(np.array([2, 0]), np.array([1]), np.empty((0, 2)), "ValueError: no"),
         LearnerError, "failed on all 1 bootstrap samples, first with"),
    ],
)  # fmt: skip
def test_nothing_out_of_bag_and_nothing_fitted(fit, error, message):
    with pytest.raises(error, match=message):
        summarise_fits([fit], np.array([0, 1]), 2, Squared())
