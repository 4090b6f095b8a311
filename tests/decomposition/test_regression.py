"""Regression (T96 eqs. 6–8): by hand, against fits by hand, and where the truth is known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.core.seeds import root_seed
from polychotomy.decomposition import decompose_error, draw_error_budget, draw_sample_variance
from polychotomy.decomposition.from_estimator import draw_counts, seed_learner

RNG = np.random.default_rng(0)
X = RNG.uniform(-1, 1, (80, 2))
Y = 3 * X[:, 0] ** 2 + RNG.normal(0, 0.5, 80)


def by_hand(learner, count, seed):
    """Eqs. (7), (8) and (24)–(30) of squared errors, from fits made here."""
    root = root_seed(seed)
    root.spawn(1)
    said = np.full((count, len(Y)), np.nan)
    for row, child in enumerate(root.spawn(count)):
        counts = draw_counts(child, len(Y))
        rows, out = np.repeat(np.arange(len(Y)), counts), counts == 0
        said[row, out] = seed_learner(learner, child).fit(X[rows], Y[rows]).predict(X[out])
    average = np.nanmean(said, axis=0)
    error = np.nanmean((said - Y) ** 2, axis=0)
    return error.mean(), ((average - Y) ** 2).mean(), np.nanmean((said - average) ** 2, 0).mean()


@pytest.mark.parametrize("learner", [LinearRegression(), DecisionTreeRegressor()])
def test_engine_agrees_with_fits_by_hand_of_a_regressor(learner):
    found = decompose_error(learner, X, Y, n_bootstraps=40, random_state=3)
    error, aggregated, variance = by_hand(learner, 40, 3)
    assert_allclose(
        [found.error, found.aggregated_error, found.variance], [error, aggregated, variance]
    )
    assert_allclose(found.aggregation_effect, found.variance)  # (14) is an equality
    assert_allclose(found.shape_effect, 0, atol=1e-12)  # (17)
    assert found.output == "numbers"
    assert found.classes == ()
    assert_allclose(found.aggregated.shape, (80, 1))


def test_the_632_forms():
    """A neighbour alone has no error on itself; γ is the mean over all pairs."""
    found = decompose_error(KNeighborsRegressor(1), X, Y, n_bootstraps=30, random_state=0)
    assert found.resubstitution_error == 0
    assert_allclose(found.no_information_error, np.subtract.outer(Y, Y).__pow__(2).mean())
    assert_allclose(found.error_632, 0.632 * found.error)
    assert found.error_632 < found.error_632_plus < found.error
    assert_allclose(found.nearest_neighbour_error, found.error)  # 1-NN itself
    assert_allclose(found.bayes_bound, found.error / 2)


def test_where_the_truth_is_known():
    """Eq. (8): a line through a parabola has bias E (3x² − 1)² = 4/5, and noise .25."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (4000, 1))
    y = 3 * x[:, 0] ** 2 + rng.normal(0, 0.5, 4000)
    found = decompose_error(LinearRegression(), x, y, n_bootstraps=30, random_state=0)
    assert_allclose(found.aggregated_error, 0.25 + 0.8, atol=0.06)
    assert_allclose(found.variance, 1.05 * 2 / 4000, rtol=0.5)  # of two coefficients
    assert_allclose(found.bayes_bound, 0.25, atol=0.03)  # Cover: half of 1-NN's error
    assert_allclose(found.bias_bound, 0.8, atol=0.07)
    assert found.lows[0, 0] < found.error < found.highs[0, 0]


def test_monte_carlo_error_of_a_regressor():
    draws = [
        decompose_error(DecisionTreeRegressor(), X, Y, n_bootstraps=25, random_state=seed)
        for seed in range(12)
    ]
    spread = np.std([one.error for one in draws], ddof=1)
    said = np.mean([one.monte_carlo_errors[0, 0] for one in draws])
    assert 0.5 < said / spread < 2


def test_frame_words_and_drawing_of_a_regressor():
    found = decompose_error(LinearRegression(), X, Y, n_bootstraps=5, random_state=0)
    assert set(found.to_frame()["class"]) == {"all"}
    assert str(found).startswith("squared error")
    assert draw_error_budget({"line": found}).get_xlabel() == "squared error"
    with pytest.raises(InvalidInput, match="of classes"):
        draw_sample_variance(found)


class Broken(LinearRegression):
    def predict(self, X):
        return np.full(len(X), np.nan)


def test_errors_of_regressors():
    with pytest.raises(InvalidInput, match="'squared', the only one for a regressor"):
        decompose_error(LinearRegression(), X, Y, loss="deviance")
    with pytest.raises(InvalidInput, match="finite number"):
        decompose_error(LinearRegression(), X, np.where(np.arange(80) == 3, np.nan, Y))
    with pytest.raises(LearnerError, match="not finite"):
        decompose_error(Broken(), X, Y)
