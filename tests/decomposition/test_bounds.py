import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import cover_hart_bound


@given(share=st.floats(0, 1), k=st.integers(2, 100))
def test_it_inverts_cover_and_hart(share, k):
    """PE_NN = PE_B (2 − PE_B / α): the text's 1 for 2 is a slip."""
    alpha = (k - 1) / k
    bayes = share * alpha
    assert cover_hart_bound(min(1.0, bayes * (2 - bayes / alpha)), k) == pytest.approx(
        bayes, abs=1e-6
    )


@given(error=st.floats(0, 1), k=st.integers(2, 100))
def test_it_lies_between_half_the_error_and_the_error(error, k):
    bound = cover_hart_bound(error, k)
    capped = min(error, (k - 1) / k)
    assert capped / 2 - 1e-12 <= bound <= capped + 1e-12


@pytest.mark.parametrize("k", [1, 0, -2, 2.5, "x"])
def test_fewer_than_two_classes_are_refused(k):
    with pytest.raises(InvalidInput, match=r"k is .* expected a whole number of classes"):
        cover_hart_bound(0.3, k)


@pytest.mark.parametrize("error", [-0.1, 1.5, float("nan"), "x", None])
def test_errors_are_named(error):
    with pytest.raises(InvalidInput, match="nearest_neighbour_error is"):
        cover_hart_bound(error, 2)
