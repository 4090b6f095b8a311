"""Newton's method for pairwise coupling: damping."""

import numpy as np
import pytest
from decoding_strategies import SEEDS, divergence
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.codes import one_vs_one
from polychotomy.decoding.kernels.newton import damp


def newton_step(r, theta):
    """A plain Newton step of HT98's criterion (4) in log p for one table."""
    k = len(theta)
    first, second = np.triu_indices(k, 1)
    mu = 1 / (1 + np.exp(theta[second] - theta[first]))
    pairs = np.eye(k)[first] - np.eye(k)[second]
    curvature = pairs.T @ (pairs * (mu * (1 - mu))[:, None])
    return np.linalg.lstsq(curvature, pairs.T @ (r - mu), rcond=None)[0]


@given(seed=SEEDS, k=st.integers(2, 6), spread=st.floats(0.1, 4))
def test_damped_steps_never_climb(seed, k, spread):
    generator, code = np.random.default_rng(seed), one_vs_one(k)
    r = generator.uniform(0.01, 0.99, size=len(code))
    theta = spread * generator.normal(size=k)
    step = newton_step(r, theta)
    after = theta + damp(np, np.array(step.max() - step.min())) * step
    assert divergence(code, r, np.exp(after)) <= divergence(code, r, np.exp(theta)) + 1e-12


def test_a_step_that_must_be_damped():
    """Two classes far beyond the solution: the whole step would overshoot by far more."""
    r, theta = np.array([0.5]), np.array([1.5, -1.5])
    step, code = newton_step(r, theta), one_vs_one(2)
    before = divergence(code, r, np.exp(theta))
    damping = damp(np, np.array(step.max() - step.min()))
    assert damping < 0.3
    assert divergence(code, r, np.exp(theta + damping * step)) < before
    assert divergence(code, r, np.exp(theta + step)) > before


def test_short_steps_are_taken_whole():
    assert damp(np, np.array([0.0, 1.0])) == pytest.approx(1.0)
