import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.decomposition import decompose_predictions
from polychotomy.decomposition.accumulation import monte_carlo

N, K = 60, 3


def fits(rng, b, *, votes):
    """Fits that err together on samples that load on the same factors, as bootstrap fits do."""
    fixed = np.random.default_rng(5)
    centre, load = 1.2 * fixed.normal(size=(N, K)), fixed.normal(size=(N, K, 3))
    logits = centre + 0.8 * np.einsum("nkf,bf->bnk", load, rng.normal(size=(b, 3)))
    logits += 0.5 * rng.normal(size=(b, N, K))
    p = np.exp(logits)
    p /= p.sum(axis=2, keepdims=True)
    p = np.eye(K)[p.argmax(axis=2)] if votes else p
    return p, (rng.random((b, N)) > 0.37).astype(int), fixed.integers(0, K, N)


@pytest.mark.parametrize(
    ("loss", "votes"),
    [
        ("misclassification", True),
        ("misclassification", False),
        ("squared", False),
        ("deviance", False),
    ],
)
def test_monte_carlo_error_predicts_the_spread_over_new_fits(loss, votes):
    rng = np.random.default_rng(1)
    runs = [decompose_predictions(*fits(rng, 60, votes=votes), loss=loss) for _ in range(80)]
    spread = np.std([run.estimates[0] for run in runs], axis=0, ddof=1)
    said = np.sqrt(np.mean([np.square(run.monte_carlo_errors[0]) for run in runs], axis=0))
    assert_allclose(said / spread, 1, atol=0.25)  # 80 runs tell a spread to 8 %


def test_monte_carlo_bias_of_a_smooth_loss():
    """E Q2[y, mean of B fits] exceeds that of endless fits by Var / B."""
    rng = np.random.default_rng(2)
    runs = [decompose_predictions(*fits(rng, 25, votes=False), loss="squared") for _ in range(60)]
    endless = decompose_predictions(*fits(rng, 4000, votes=False), loss="squared")
    found = np.mean([run.estimates[0] for run in runs], axis=0) - endless.estimates[0]
    said = np.mean([run.monte_carlo_biases[0] for run in runs], axis=0)
    assert said[1] == pytest.approx(found[1], abs=0.004)
    assert said[1] == pytest.approx(endless.variance / (25 * 0.37), rel=0.2)
    assert said[2] == pytest.approx(-said[1], rel=0.1)


def test_monte_carlo_error_of_a_plain_mean():
    """The error (29) of one sample is a mean over fits: its standard error is s / √B."""
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(2), (400, 1))
    budget = decompose_predictions(p, np.zeros((400, 1)), [0], loss="squared")
    s = np.std(2 * (1 - p[:, 0, 0]) ** 2, ddof=1) / 20
    assert budget.monte_carlo_errors[0, 0] == pytest.approx(s, rel=0.35)  # 32 reweightings


def test_infinite_and_unknown_monte_carlo_errors():
    values = np.array([[np.inf, 1.0], [np.inf, 1.1], [np.inf, 0.9]])
    error, bias = monte_carlo(values, np.array([5, 5]))
    assert error[0] == np.inf
    assert bias[0] == 0
    assert np.isfinite(error[1])
    error, _ = monte_carlo(values, 1)
    assert np.isnan(error[1])
