"""HT98's simulated problems: the stated laws, and the paper's order of errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction.data.mixtures import FriedmanNormals, PlaneMixtures


@pytest.mark.parametrize("problem", [PlaneMixtures(1), PlaneMixtures(2), FriedmanNormals(4)])
class TestBoth:
    def test_seeded_and_even(self, problem):
        X, y = problem.sample(61, random_state=5)
        again, _ = problem.sample(61, random_state=np.random.default_rng(5))
        assert_array_equal(X, again)
        assert np.ptp(np.bincount(y)) <= 1

    def test_posterior_is_calibrated(self, problem):
        """Among cases given probability p of a class, the class is there in a share p of them."""
        X, y = problem.sample(30_000, random_state=0)
        p = problem.posterior(X)
        assert_allclose(p.sum(axis=1), 1.0)
        for low in (0.1, 0.3, 0.5, 0.7):
            some = (p[:, 0] >= low) & (p[:, 0] < low + 0.2)
            if some.sum() > 300:
                assert abs(p[some, 0].mean() - (y[some] == 0).mean()) < 0.06

    def test_errors(self, problem):
        with pytest.raises(InvalidInput, match="n is 0"):
            problem.sample(0)
        with pytest.raises(InvalidInput, match=r"X has shape \(1, 3\)"):
            problem.posterior(np.zeros((1, 3)))


def test_posterior_against_scipy():
    problem = FriedmanNormals(1, n_classes=4, n_features=3)
    means, vectors, values = problem.parameters
    X, _ = problem.sample(20, random_state=0)
    density = np.column_stack(
        [
            multivariate_normal(mean, rotation * lengths @ rotation.T).pdf(X)
            for mean, rotation, lengths in zip(means, vectors, values, strict=True)
        ]
    )
    expected = density / density.sum(axis=1, keepdims=True)
    assert_allclose(problem.posterior(X), expected, rtol=1e-9)
    assert_allclose(vectors @ vectors.transpose(0, 2, 1), np.tile(np.eye(3), (4, 1, 1)), atol=1e-12)
    assert values.min() >= 0.01**2
    assert values.max() <= 1.01**2


def test_friedman_has_a_bayes_error_below_one_percent():
    for problem in range(3):
        X, y = FriedmanNormals(problem).sample(5000, random_state=0)
        assert (FriedmanNormals(problem).posterior(X).argmax(axis=1) != y).mean() < 0.01


def errors(figure, seed):
    problem = PlaneMixtures(figure)
    rng = np.random.default_rng(seed)
    (X, y), (X_new, y_new) = problem.sample(600, rng), problem.sample(6000, rng)
    lda = LinearDiscriminantAnalysis()
    rules = {
        "max-wins": CodedClassifier(lda, decoder="votes"),
        "coupling": CodedClassifier(lda, decoder="bradley-terry"),
        "LDA": lda,
        "QDA": QuadraticDiscriminantAnalysis(),
    }
    return {name: 1 - rule.fit(X, y).score(X_new, y_new) for name, rule in rules.items()}


@pytest.mark.parametrize("seed", range(3))
def test_order_of_errors_in_figure_1(seed):
    found = errors(1, seed)
    assert abs(found["max-wins"] - found["coupling"]) < 0.02
    assert found["LDA"] > found["coupling"] + 0.04


@pytest.mark.parametrize("seed", range(3))
def test_order_of_errors_in_figure_2(seed):
    found = errors(2, seed)
    assert found["QDA"] < found["coupling"] < found["max-wins"] - 0.1
    assert found["LDA"] > found["coupling"] + 0.1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PlaneMixtures(3), "figure is 3; expected 1 or 2"),
        (lambda: PlaneMixtures([1]), r"figure is \[1\]; expected 1 or 2"),
        (lambda: PlaneMixtures(scale=0), "scale is 0; expected a finite number above 0"),
        (lambda: PlaneMixtures(scale="x"), "scale is 'x'; expected a finite number above 0"),
        (lambda: PlaneMixtures(scale=np.inf), "scale is inf"),
        (lambda: FriedmanNormals(n_classes=1), "n_classes is 1; expected an int of at least 2"),
        (lambda: FriedmanNormals(n_classes="x"), "n_classes is 'x'; expected an int"),
        (lambda: FriedmanNormals(n_features=0), "n_features is 0; expected an int of at least 1"),
        (lambda: FriedmanNormals(n_features=2.5), "n_features is 2.5; expected an int"),
        (lambda: FriedmanNormals(-1), "problem is -1; expected an int of at least 0"),
        (lambda: FriedmanNormals(None), "problem is None; expected an int"),
    ],
)
def test_wrong_parameters(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()
