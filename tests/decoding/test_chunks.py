"""Chunks of samples: the same bits in chunks of any size, and the same errors."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from decoding_strategies import CODES, SEEDS, random_outputs
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.codes import random_dense
from polychotomy.core import chunks
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import make_decoder, project_to_simplex
from polychotomy.decoding.decode import decode


@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares"])
@given(seed=SEEDS, k=st.integers(2, 12), n=st.integers(2, 90), most=st.integers(3, 40))
def test_pairs_give_the_same_bits_in_chunks_of_any_size(decoder, seed, k, n, most):
    """So a row's probabilities do not depend on those that it is decoded with."""
    code = CODES["one-vs-one"](k)
    q = random_outputs(code, seed=seed, n=n)
    q[::5] = np.round(q[::5])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "MOST_SAMPLES", most)
        parts = decode(code, q, decoder=decoder)
        patch.setattr(chunks, "MOST_SAMPLES", n)
        assert_array_equal(decode(code, q, decoder=decoder), parts)


@given(seed=SEEDS, k=st.integers(1, 24), n=st.integers(2, 90), most=st.integers(3, 40))
def test_projections_have_the_same_bits_in_chunks_of_any_size(seed, k, n, most):
    points = np.random.default_rng(seed).normal(size=(n, k))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "MOST_SAMPLES", most)
        parts = project_to_simplex(points)
        patch.setattr(chunks, "MOST_SAMPLES", n)
        assert_array_equal(project_to_simplex(points), parts)


@given(n=st.integers(0, 500), most=st.integers(1, 60))
def test_chunks_are_even(n, most):
    parts = chunks.cut(n, most)
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(n))
    sizes = [part.stop - part.start for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= most


def test_a_prepared_decoder_may_be_called_by_many_threads():
    """Each call has memory of its own."""
    code = CODES["one-vs-one"](5)
    decoder, q = make_decoder(code, decoder="least-squares"), random_outputs(code, seed=2, n=200)
    alone = decoder(q)
    with ThreadPoolExecutor(4) as pool:
        for one in pool.map(decoder, [q] * 8):
            assert_array_equal(one, alone)


def test_the_error_names_the_first_offending_row_of_all(monkeypatch):
    monkeypatch.setattr(chunks, "MOST_SAMPLES", 7)
    q = np.full((70, 3), 0.5)
    q[20, 1], q[24, 0], q[60, 2] = 1.5, -3.0, np.nan
    with pytest.raises(InvalidInput, match=r"outputs\[20, 1\] is 1\.5"):
        decode(CODES["one-vs-one"](3), q)


def test_many_dichotomies_of_many_classes_take_little_memory():
    code = random_dense(32, length=2000, random_state=0)
    q = np.random.default_rng(0).random((200, 2000))
    tracemalloc.start()
    decode(code, q, decoder="least-squares")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * q.nbytes  # (l, k) numbers of each sample would be 32 times as much, or more
