import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.data.problems import ConcentricNormals, TwoNormals

PROBLEMS = [TwoNormals(), ConcentricNormals()]


def test_bayes_rates():
    """T96 Table 2 prints .159 and .058; the second is the error on one class alone."""
    assert TwoNormals().bayes_rate == pytest.approx(0.1587, abs=5e-5)
    shell = stats.chi2.cdf(16, 4) - stats.chi2.cdf(9, 4)
    assert shell == pytest.approx(0.0581, abs=5e-5)
    assert ConcentricNormals().bayes_rate == pytest.approx(shell / 2, abs=1e-12)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_samples_reach_the_bayes_rate(problem):
    X, y = problem.sample(200_000, random_state=0)
    posterior = problem.posterior(X)
    assert_allclose(posterior.sum(axis=1), 1, atol=1e-15)
    assert (posterior.argmax(axis=1) != y).mean() == pytest.approx(problem.bayes_rate, abs=0.003)
    assert (1 - posterior.max(axis=1)).mean() == pytest.approx(problem.bayes_rate, abs=0.003)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_posterior_is_calibrated(problem):
    X, y = problem.sample(100_000, random_state=1)
    p = problem.posterior(X)[:, 1]
    bins = np.digitize(p, [0.2, 0.4, 0.6, 0.8])
    for code in np.unique(bins):
        inside = bins == code
        assert y[inside].mean() == pytest.approx(p[inside].mean(), abs=0.015)


def test_shell_has_the_conditional_distribution():
    X, y = ConcentricNormals().sample(20_000, random_state=2)
    square = (X[y == 1] ** 2).sum(axis=1)
    accepted = stats.chi2.rvs(4, size=300_000, random_state=3)
    accepted = accepted[(accepted >= 9) & (accepted <= 16)]
    assert stats.ks_2samp(square, accepted).pvalue > 0.001
    direction = X[y == 1] / np.sqrt(square)[:, None]
    assert_allclose(direction.mean(axis=0), 0, atol=0.02)
    assert_allclose((direction**2).mean(axis=0), 0.25, atol=0.01)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_samples_are_balanced_and_repeatable(problem):
    X, y = problem.sample(51, random_state=4)
    assert np.bincount(y).tolist() == [26, 25]
    again, _ = problem.sample(51, random_state=4)
    assert_array_equal(X, again)
    other, _ = problem.sample(51, random_state=np.random.default_rng(5))
    assert not np.array_equal(X, other)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_errors_name_the_argument(problem):
    with pytest.raises(InvalidInput, match="n is 0; expected"):
        problem.sample(0)
    with pytest.raises(InvalidInput, match=r"X has shape \(3, 2\); expected \(n, 4\)"):
        problem.posterior(np.zeros((3, 2)))


@pytest.mark.parametrize("distance", ["x", None, -1.0, np.nan, np.inf, True])
def test_a_distance_that_is_none_is_refused(distance):
    with pytest.raises(InvalidInput, match=r"distance is .* expected a finite number of 0 or more"):
        TwoNormals(distance)


@pytest.mark.parametrize(
    ("radii", "message"),
    [
        ({"inner": 20}, "inner is 20 and outer 16.0: no case lies in such a shell"),
        ({"inner": 16.0}, "inner is 16.0 and outer 16.0: no case"),
        ({"inner": 5000.0, "outer": 6000.0}, "no case lies"),
        ({"inner": -1.0}, "inner is -1.0; expected a finite number"),
        ({"outer": "x"}, "outer is 'x'; expected a finite number"),
        ({"outer": np.inf}, "outer is inf; expected a finite number"),
    ],
)
def test_a_shell_that_holds_nothing_is_refused(radii, message):
    with pytest.raises(InvalidInput, match=message):
        ConcentricNormals(**radii)


def test_the_whole_ball_is_a_shell():
    assert ConcentricNormals(inner=0, outer=np.float32(16)).bayes_rate > 0.49
