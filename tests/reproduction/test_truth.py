import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from t96_loops import LOSSES

from polychotomy.core.exceptions import InvalidInput, LearnerError
from polychotomy.reproduction.data.mixtures import PlaneMixtures
from polychotomy.reproduction.data.problems import ConcentricNormals, TwoNormals
from polychotomy.reproduction.truth import decompose_against_truth, simulate_decomposition


def drawn(seed, b=5, n=8, k=3, votes=False):
    rng = np.random.default_rng(seed)
    predictions = rng.dirichlet(np.ones(k), (b, n))
    if votes:
        predictions = np.eye(k)[predictions.argmax(axis=2)]
    return predictions, rng.dirichlet(np.ones(k), n)


cases = st.builds(
    drawn,
    st.integers(0, 10**6),
    st.integers(1, 6),
    st.integers(1, 8),
    st.integers(2, 4),
    st.booleans(),
)


@pytest.mark.parametrize("loss", LOSSES)
@given(case=cases)
def test_the_parts_add_up_and_lemma_1_holds(loss, case):
    """Eq. (18), and Bias = PE(C_0, C_A) = PE(Y, C_A) − PE(Y, C_0) against the loops' Q."""
    truth = decompose_against_truth(*case, loss=loss)
    predictions, posterior = case
    average = predictions.mean(axis=0)
    q = LOSSES[loss]
    bias = np.mean([q(p, c) for p, c in zip(posterior.tolist(), average.tolist(), strict=True)])
    assert_allclose(truth.bias, bias, rtol=1e-9, atol=1e-9)
    if np.isfinite(truth.error):
        parts = truth.bayes_error + truth.bias + truth.aggregation_effect
        assert truth.error == pytest.approx(parts, abs=1e-9)
    variance = np.mean(
        [
            q(c, a)
            for fit in predictions.tolist()
            for c, a in zip(fit, average.tolist(), strict=True)
        ]
    )
    assert truth.variance == pytest.approx(variance, abs=1e-9)


def test_section_7s_example():
    """p = .9, C_A = .6 everywhere: no bias by Q1; 2 · .3² by Q2 (eq. 19), not .3²."""
    predictions, posterior = np.full((2, 1, 2), [0.4, 0.6]), [[0.1, 0.9]]
    assert decompose_against_truth(predictions, posterior).bias == pytest.approx(0, abs=1e-15)
    squared = decompose_against_truth(predictions, posterior, loss="squared")
    assert squared.bias == pytest.approx(0.18, abs=1e-15)


def test_known_problem_within_its_standard_errors():
    """LDA on fresh samples: error Φ(…) is not closed, but Bayes, the sum and the order are."""
    small = simulate_decomposition(
        TwoNormals(), LinearDiscriminantAnalysis(), n_train=50, n_fits=40, n_test=2000,
        output="votes", random_state=0,
    )  # fmt: skip
    assert abs(small.bayes_error - TwoNormals().bayes_rate) < 4 * small.standard_errors[0]
    assert small.error == pytest.approx(small.bayes_error + small.bias + small.aggregation_effect)
    large = simulate_decomposition(
        TwoNormals(), LinearDiscriminantAnalysis(), n_train=50, n_fits=100, n_test=4000,
        output="votes", random_state=1,
    )  # fmt: skip
    gap = np.abs(large.estimates - small.estimates)
    assert (gap < 4 * np.hypot(large.standard_errors, small.standard_errors) + 0.003).all()


@pytest.mark.long
def test_bagging_hurts_neighbours_on_concentric_normals():
    """Fresh training sets: AE = −.095 (B = 1000), where from F̂ it is about zero."""
    truth = simulate_decomposition(
        ConcentricNormals(), KNeighborsClassifier(5), n_train=50, n_fits=150, n_test=3000,
        output="votes", random_state=0,
    )  # fmt: skip
    assert truth.aggregation_effect == pytest.approx(-0.095, abs=0.02)
    assert truth.bayes_error == pytest.approx(0.029, abs=0.002)


@pytest.mark.long
def test_standard_errors_predict_the_spread():
    found, said = [], []
    for seed in range(60):
        truth = simulate_decomposition(
            TwoNormals(), KNeighborsClassifier(5), n_train=30, n_fits=30, n_test=300,
            output="votes", random_state=seed,
        )  # fmt: skip
        found.append(truth.estimates)
        said.append(truth.standard_errors)
    ratio = np.sqrt(np.square(said).mean(axis=0)) / np.std(found, axis=0, ddof=1)
    # A bias near zero can only rise when the fits are reweighted: its error is overstated.
    highest = np.array([1.5, 2.5, 1.5, 1.5, 1.5, 1.5, 1.5])
    assert ((ratio > 0.7) & (ratio < highest)).all()


def test_reporting():
    truth = decompose_against_truth(*drawn(0))
    assert truth.to_frame()["quantity"].tolist()[:3] == [
        "bayes_error",
        "bias",
        "aggregation_effect",
    ]
    assert "Bayes error" in str(truth)
    assert truth.plot().get_xlabel().startswith("misclassification")


def test_errors_are_named():
    predictions, posterior = drawn(0)
    with pytest.raises(InvalidInput, match=r"posterior \(7, 3\); expected"):
        decompose_against_truth(predictions, posterior[:7])
    with pytest.raises(InvalidInput, match=r"posterior\[0\] is"):
        decompose_against_truth(predictions, 2 * posterior)
    with pytest.raises(InvalidInput, match="n_fits is 1; expected an int of at least 2"):
        simulate_decomposition(TwoNormals(), KNeighborsClassifier(), n_train=50, n_fits=1)
    with pytest.raises(InvalidInput, match="output is 'labels'"):
        simulate_decomposition(TwoNormals(), KNeighborsClassifier(), n_train=50, output="labels")
    with pytest.raises(LearnerError, match="KNeighborsClassifier failed on a training set of 4"):
        simulate_decomposition(TwoNormals(), KNeighborsClassifier(5), n_train=4, n_fits=2)


@pytest.mark.parametrize("figure", [1, 2])
def test_the_mixtures_of_ht98_add_up(figure):
    truth = simulate_decomposition(
        PlaneMixtures(figure), LinearDiscriminantAnalysis(), n_train=60, n_fits=20, n_test=1000,
        random_state=0,
    )  # fmt: skip
    parts = truth.bayes_error + truth.bias + truth.aggregation_effect
    assert truth.error == pytest.approx(parts, abs=1e-12)
    assert 0 < truth.bayes_error < truth.error
    assert truth.bias > 0.1  # straight borders between mixtures
