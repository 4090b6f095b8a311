"""One implementation for every array library: the same answers, the same kind of array."""

import numpy as np
import pytest
from decoding_strategies import CODES, outputs_of, random_outputs
from numpy.testing import assert_allclose

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import project_to_simplex
from polychotomy.decoding.couple import couple
from polychotomy.decoding.decode import decode

DECODERS = ["bradley-terry", "least-squares", "votes", "loss"]


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("name", CODES)
def test_decoding(library, decoder, name):
    code = CODES[name](5)
    q = random_outputs(code, seed=0, n=7)
    q[0], q[1, 0] = np.round(q[0]), 1.0
    expected, moved = decode(code, q, decoder=decoder), library.move(q)
    p = library.back(decode(code, moved, decoder=decoder), moved)
    assert_allclose(p, expected, atol=1e-9)
    moved = library.move(q, "float32")
    single = library.back(decode(code, moved, decoder=decoder), moved)
    assert single.dtype == np.float32
    assert_allclose(single, decode(code, q.astype(np.float32), decoder=decoder), atol=1e-5)


@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares"])
@pytest.mark.parametrize("name", ["one-vs-one", "one-vs-rest", "orthogonal", "random-sparse"])
def test_many_classes(library, decoder, name):
    code = CODES[name](33)
    q = random_outputs(code, seed=0, n=2, low=0.3)
    moved = library.move(q)
    p = library.back(decode(code, moved, decoder=decoder), moved)
    assert_allclose(p, decode(code, q, decoder=decoder), atol=1e-9)


@pytest.mark.parametrize("decoder", DECODERS)
def test_coupling_with_weights(library, decoder):
    table = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])
    weights = np.array([[0, 1, 5], [1, 0, 0], [5, 0, 0]])
    moved = library.move(table)
    p = library.back(couple(moved, decoder=decoder, weights=weights), moved)
    assert_allclose(p, couple(table, decoder=decoder, weights=weights), atol=1e-12)


def test_projection_and_an_orthogonal_code_of_many_classes(library):
    x = np.random.default_rng(0).normal(size=(3, 4, 6))
    for dtype, error in (("float64", 1e-14), ("float32", 1e-6)):
        moved = library.move(x, dtype)
        p = library.back(project_to_simplex(moved), moved)
        assert_allclose(p, project_to_simplex(x), atol=error)
    code = CODES["orthogonal"](256)
    q = random_outputs(code, seed=0, n=2)
    moved = library.move(q)
    p = library.back(decode(code, moved, decoder="least-squares"), moved)
    assert_allclose(p, decode(code, q, decoder="least-squares"), atol=1e-12)


@pytest.mark.parametrize("k", [3, 10, 30])
@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares"])
@pytest.mark.long
def test_single_precision_is_good_to_five_digits(library, decoder, k):
    """Noisy pairwise outputs of all degrees of certainty, some beyond single precision."""
    generator, code = np.random.default_rng(k), CODES["one-vs-one"](k)
    consistent = outputs_of(code, generator.dirichlet(np.full(k, 0.3), size=60) + 1e-30)
    logits = np.log(consistent + 1e-30) - np.log1p(1e-30 - consistent)
    q = 1 / (1 + np.exp(-logits - 0.5 * generator.normal(size=logits.shape)))
    moved = library.move(q, "float32")
    p = library.back(decode(code, moved, decoder=decoder), moved)
    assert_allclose(p, decode(code, q.astype(np.float32), decoder=decoder), atol=2e-5)
    assert_allclose(p.sum(axis=1), 1, atol=1e-5)


def test_chunks_are_put_together(library, monkeypatch):
    code = CODES["one-vs-one"](4)
    q = random_outputs(code, seed=0, n=25)
    expected = {decoder: decode(code, q, decoder=decoder) for decoder in DECODERS}
    monkeypatch.setattr("polychotomy.core.chunks.CACHE", 150)
    monkeypatch.setattr("polychotomy.core.chunks.ON_A_DEVICE", 150)
    moved = library.move(q)
    for decoder in DECODERS:
        p = library.back(decode(code, moved, decoder=decoder), moved)
        assert_allclose(p, expected[decoder], atol=1e-9)
    q[20, 3] = 1.5
    with pytest.raises(InvalidInput, match=r"outputs\[20, 3\] is 1\.5; expected a probability"):
        decode(code, library.move(q))


def test_the_type_of_floats_is_kept(library):
    """NumPy's single precision becomes double; other libraries' stays."""
    code, q = CODES["one-vs-one"](3), np.array([[0.9, 0.4, 0.7]], dtype=np.float32)
    for dtype in ("float32", "float64"):
        moved = library.move(q, dtype)
        assert decode(code, moved).dtype == moved.dtype
    assert decode(code, q).dtype == np.float64
