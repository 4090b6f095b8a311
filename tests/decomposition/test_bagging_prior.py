import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.decomposition.bagging_advice import PRIORS, combine_with_prior

shares = st.floats(0.001, 1.0)
errors = st.floats(1e-4, 0.2)


def test_by_hand():
    """Trees, δ = 0.1: elsewhere 0.012 ± 0.04; measured 0.03 ± 0.04: halfway, and √½ as wide."""
    expected, deviation = combine_with_prior(0.03, 0.04, 0.1, "tree")
    assert expected == pytest.approx((0.012 + 0.03) / 2)
    assert deviation == pytest.approx(0.04 / np.sqrt(2))


@given(st.floats(-1, 1), errors, shares, st.sampled_from(list(PRIORS)))
def test_lies_between_measured_and_elsewhere(part, error, share, kind):
    estimate = part * share
    elsewhere, spread = (share * part for part in PRIORS[kind])
    expected, deviation = combine_with_prior(estimate, error, share, kind)
    assert min(estimate, elsewhere) - 1e-12 <= expected <= max(estimate, elsewhere) + 1e-12
    assert deviation <= min(error, spread) + 1e-12


def test_many_samples_speak_for_themselves():
    assert combine_with_prior(0.02, 1e-6, 0.1)[0] == pytest.approx(0.02, abs=1e-9)


@given(errors, shares, st.floats(-0.2, 0.2), st.floats(0.001, 0.2))
def test_grows_with_what_is_measured(error, share, estimate, more):
    low, _ = combine_with_prior(estimate, error, share)
    high, _ = combine_with_prior(estimate + more, error, share)
    assert high > low
