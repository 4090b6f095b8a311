"""Placements: their definition over all pairs, and DeLong's covariance from them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from polychotomy.core.ranking import placement_covariance, placements


@given(st.integers(2, 8), st.integers(2, 8), st.integers(0, 999))
def test_placements_are_shares_of_pairs(n_high, n_low, seed):
    random = np.random.default_rng(seed)
    scores = random.integers(0, 5, n_high + n_low).astype(float)
    positive = np.arange(n_high + n_low) < n_high
    high, low = placements(scores, positive)
    wins = scores[positive][:, None] - scores[~positive]
    shares = (wins > 0) + 0.5 * (wins == 0)
    np.testing.assert_allclose(high, shares.mean(axis=1), atol=1e-15)
    np.testing.assert_allclose(low, shares.mean(axis=0), atol=1e-15)
    np.testing.assert_allclose(high.mean(), roc_auc_score(positive, scores), atol=1e-12)


def test_covariance_by_numpy():
    random = np.random.default_rng(0)
    high, low = random.random((3, 20)), random.random((3, 30))
    expected = np.cov(high) / 20 + np.cov(low) / 30
    np.testing.assert_allclose(placement_covariance(high, low), expected, atol=1e-15)
