"""One implementation for every array library: the same answers, the same kind of array."""

import array_api_strict
import numpy as np
import pytest
from decoding_strategies import CODES, random_outputs
from numpy.testing import assert_allclose

from polychotomy.decoding import couple, decode, project_to_simplex

DECODERS = ["bradley-terry", "least-squares", "votes", "loss"]


@pytest.fixture(params=["array_api_strict", "torch"])
def library(request):
    return array_api_strict if request.param == "array_api_strict" else pytest.importorskip("torch")


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("name", CODES)
def test_decoding(library, decoder, name):
    code = CODES[name](5)
    q = random_outputs(code, seed=0, n=7)
    q[0], q[1, 0] = np.round(q[0]), 1.0
    p = decode(code, library.asarray(q), decoder=decoder)
    assert type(p) is type(library.asarray(q))
    assert_allclose(np.asarray(p), decode(code, q, decoder=decoder), atol=1e-9)


@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares"])
@pytest.mark.parametrize("name", ["one-vs-one", "one-vs-rest", "orthogonal", "random-sparse"])
def test_many_classes(library, decoder, name):
    code = CODES[name](33)
    q = random_outputs(code, seed=0, n=2, low=0.3)
    p = decode(code, library.asarray(q), decoder=decoder)
    assert_allclose(np.asarray(p), decode(code, q, decoder=decoder), atol=1e-9)


@pytest.mark.parametrize("decoder", DECODERS)
def test_coupling_with_weights(library, decoder):
    table = np.array([[0.0, 0.9, 0.4], [0.1, 0.0, 0.7], [0.6, 0.3, 0.0]])
    weights = np.array([[0, 1, 5], [1, 0, 0], [5, 0, 0]])
    p = couple(library.asarray(table), decoder=decoder, weights=weights)
    assert_allclose(np.asarray(p), couple(table, decoder=decoder, weights=weights), atol=1e-12)


def test_projection_and_the_fast_transform(library):
    x = np.random.default_rng(0).normal(size=(3, 4, 6))
    assert_allclose(np.asarray(project_to_simplex(library.asarray(x))), project_to_simplex(x))
    code = CODES["orthogonal"](256)
    q = random_outputs(code, seed=0, n=2)
    p = decode(code, library.asarray(q), decoder="least-squares")
    assert_allclose(np.asarray(p), decode(code, q, decoder="least-squares"), atol=1e-12)


def test_the_type_of_floats_is_kept(library):
    """NumPy's single precision becomes double; other libraries' stays, half becomes single."""
    code, q = CODES["one-vs-one"](3), np.array([[0.9, 0.4, 0.7]], dtype=np.float32)
    assert decode(code, library.asarray(q)).dtype == library.float32
    assert decode(code, library.asarray(q, dtype=library.float64)).dtype == library.float64
    assert decode(code, q).dtype == np.float64
