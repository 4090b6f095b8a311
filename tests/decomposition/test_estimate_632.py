import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.decomposition import Deviance, Misclassification
from polychotomy.decomposition.from_estimator import (
    error_632,
    error_632_plus,
    no_information_error,
)

rates = st.floats(0, 1)


def test_by_hand():
    assert error_632(0.3, 0.1) == pytest.approx(0.368 * 0.1 + 0.632 * 0.3)
    # R = (0.3 − 0.1) / (0.5 − 0.1) = 1/2; w = 0.632 / (1 − 0.184)
    assert error_632_plus(0.3, 0.1, 0.5) == pytest.approx(0.1 + 0.632 / 0.816 * 0.2)


@given(error=rates, seen=rates, nothing=rates)
def test_efron_and_tibshiranis_other_form(error, seen, nothing):
    """Their eq. (32): .632 plus (Err' − err) .368 · .632 R' / (1 − .368 R')."""
    capped = min(error, nothing)
    rate = (capped - seen) / (nothing - seen) if capped > seen else 0.0
    expected = error_632(capped, seen) + (capped - seen) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)
    assert error_632_plus(error, seen, nothing) == pytest.approx(expected, abs=1e-12)


@given(error=rates, seen=rates, nothing=rates)
def test_plus_lies_between_resubstitution_and_bootstrap(error, seen, nothing):
    got = error_632_plus(error, seen, nothing)
    capped = min(error, nothing)
    assert min(seen, capped) - 1e-12 <= got <= max(seen, capped) + 1e-12


def test_infinite_losses_stay_infinite():
    assert error_632_plus(np.inf, 0.1, np.inf) == np.inf
    assert error_632_plus(np.inf, 0.1, 2.0) == pytest.approx(2.0)


def test_no_information_error_pairs_every_label_with_every_prediction():
    rng = np.random.default_rng(0)
    c, y = rng.dirichlet(np.ones(3), 20), rng.integers(0, 3, 20)
    for loss in (Misclassification(), Deviance()):
        pairs = [[loss(np.eye(3)[label], row) for row in c] for label in y]
        assert no_information_error(c, y, loss) == pytest.approx(np.mean(pairs))
