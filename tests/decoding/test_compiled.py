"""Compiled steps for most samples and plain arrays for the rest: nobody is forgotten."""

import warnings

import numpy as np
import pytest
from decoding_strategies import CODES, random_outputs
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import make_decoder
from polychotomy.decoding.decode import decode
from polychotomy.decoding.prepared import CompiledDecoder

K = 6
CODE = CODES["one-vs-one"](K)


def mixed_outputs(n=60):
    """Easy tables, certain ones with and without a minimiser, and some beyond single precision."""
    generator = np.random.default_rng(0)
    q = random_outputs(CODE, seed=0, n=n)
    q[::4] = generator.choice([0.0, 0.3, 1.0], p=[0.45, 0.1, 0.45], size=q[::4].shape)
    q[1::4] = generator.choice([1e-12, 3e-7, 0.5, 1 - 6e-8], size=q[1::4].shape)
    return q


def form_for_compilers():
    return make_decoder(CODE, compiler=lambda function: function)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.long
def test_all_samples_are_solved_in_chunks(library, dtype, monkeypatch):
    q = mixed_outputs()
    expected = decode(CODE, np.asarray(q, dtype=dtype))
    for name in ("CACHE", "ON_A_DEVICE"):
        monkeypatch.setattr(f"polychotomy.core.threads.{name}", 200)
    moved = library.move(q, dtype)
    p = library.back(form_for_compilers()(moved), moved)
    assert_allclose(p, expected, atol=1e-9 if dtype == "float64" else 1e-6)


def test_steps_leave_just_those_without_a_minimiser():
    """Where classes beat others for certain, steps would go on for ever."""
    q = mixed_outputs()[::4]
    left = np.isnan(CompiledDecoder.__call__(form_for_compilers(), q)).all(axis=1)
    separate = (decode(CODE, q) < 1e-9).any(axis=1)
    assert 0 < left.sum() < len(q)
    assert_array_equal(left, separate)


def test_nothing_is_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p = form_for_compilers()(mixed_outputs())
    assert_allclose(p.sum(axis=1), 1)


def test_outputs_are_checked_before_steps():
    q = random_outputs(CODE, seed=0, n=3)
    for wrong in (1.5, -1e-3, np.nan, np.inf):
        q[2, 4] = wrong
        with pytest.raises(InvalidInput, match=r"outputs\[2, 4\]"):
            form_for_compilers()(q)


def test_no_samples_at_all():
    assert form_for_compilers()(np.zeros((0, len(CODE)))).shape == (0, K)
