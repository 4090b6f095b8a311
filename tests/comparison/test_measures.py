"""Measures of a confusion matrix: values and slopes against scikit-learn, tests by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
)

from polychotomy.comparison import case_t_test
from polychotomy.comparison.measures import measure_losses

SKLEARN = {
    "balanced-error": balanced_accuracy_score,
    "macro-f1": lambda y, p, **rest: f1_score(y, p, average="macro", zero_division=0, **rest),
    "mcc": matthews_corrcoef,
    "kappa": cohen_kappa_score,
}


def drawn(seed, n, k, right=0.6):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, size=n, p=rng.dirichlet(np.ones(k)))
    return y, np.where(rng.random(n) < right, y, rng.integers(k, size=n))


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.parametrize("name", SKLEARN)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 60), k=st.integers(2, 5))
def test_the_mean_is_scikit_learns(name, seed, n, k):
    y, predicted = drawn(seed, n, k)
    if len(set(y.tolist())) == 1:
        return  # scikit-learn warns, has NaN, or counts the predicted classes; see below
    expected = 1 - SKLEARN[name](y, predicted)
    assert measure_losses(name, y, predicted, k).mean() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["macro-f1", "mcc", "kappa"])
@pytest.mark.parametrize("k", [2, 4])
def test_a_case_adds_what_a_little_more_of_it_would(name, k):
    """Influence is the slope of scikit-learn's weighted measure in the weight of one case."""
    y, predicted = drawn(3, 40, k)
    losses, step = measure_losses(name, y, predicted, k), 1e-6
    whole = SKLEARN[name](y, predicted)
    for case in range(len(y)):
        weights = np.full(len(y), 1 - step)
        weights[case] += step * len(y)
        slope = (SKLEARN[name](y, predicted, sample_weight=weights) - whole) / step
        assert losses[case] - losses.mean() == pytest.approx(-slope, abs=1e-4)


@pytest.mark.parametrize("name", SKLEARN)
def test_equal_models_are_seldom_told_apart(name):
    rng, shown, draws = np.random.default_rng(0), 0, 400
    for _ in range(draws):
        y = rng.choice(3, size=300, p=[0.7, 0.2, 0.1])
        said = [np.where(rng.random(300) < 0.7, y, rng.integers(3, size=300)) for _ in range(2)]
        a, b = (measure_losses(name, y, one, 3)[np.newaxis] for one in said)
        shown += case_t_test(a, b, as_given=True).pvalue < 0.05
    assert 0.01 <= shown / draws <= 0.08


def test_one_class_alone_is_no_error():
    y = np.zeros(4, dtype=int)
    assert measure_losses("mcc", y, y, 2).tolist() == [1.0] * 4
    assert measure_losses("kappa", y, y, 2).tolist() == [1.0] * 4
    assert measure_losses("balanced-error", y, y, 2).tolist() == [0.0] * 4
    assert len(measure_losses("macro-f1", y[:0], y[:0], 2)) == 0
