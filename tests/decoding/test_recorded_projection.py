"""The projection as recorded for NumPy."""

from itertools import product

import numpy as np
import pytest
from array_api_compat import numpy as xp
from decoding_strategies import SEEDS
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.decoding.kernels import projection as recorded_projection
from polychotomy.decoding.kernels.projection import RecordedProjection, comparisons, record_sorting
from polychotomy.decoding.kernels.recorded import Recorder
from polychotomy.decoding.simplex import project_rows


@pytest.mark.parametrize("k", range(1, 13))
def test_the_network_sorts_all_zeros_and_ones_and_so_everything(k):
    """Knuth's 0–1 principle; 2^k samples."""
    rows = np.array(list(product([0.0, 1.0], repeat=k))).T.copy()
    expected, recorder = np.sort(rows, axis=0)[::-1], Recorder(np)
    found = record_sorting(recorder, list(rows), np.empty(2**k))
    recorder.replay()
    assert_array_equal(found, expected)


def test_the_number_of_comparisons_is_batchers():
    """Knuth 5.3.4, table of merge exchange."""
    assert [len(comparisons(k)) for k in range(1, 17)] == [
        0, 1, 3, 5, 9, 12, 16, 19, 26, 31, 37, 41, 48, 53, 59, 63,
    ]  # fmt: skip


@given(seed=SEEDS, k=st.integers(1, 40), n=st.integers(0, 30))
def test_it_is_that_of_few_points_to_the_bit(seed, k, n):
    generator = np.random.default_rng(seed)
    points = generator.choice([generator.normal(size=(n, k)), np.ones((n, k))])
    found = RecordedProjection(np, points)(points)
    assert_array_equal(found, project_rows(xp, points))


@given(seed=SEEDS, k=st.integers(1, 20))
def test_network_and_sort_give_the_same_bits(seed, k):
    points = np.random.default_rng(seed).normal(size=(5, k))
    network = RecordedProjection(np, points)(points).copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorded_projection, "_NETWORK", 0)
        assert_array_equal(RecordedProjection(np, points)(points), network)
