"""One set of oracles for every array library that decoders take."""

from functools import cache

import numpy as np
import pytest
from decoding_strategies import CODES, divergence, random_outputs, squares
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from array_libraries import LIBRARIES, open_library
from polychotomy.core import chunks
from polychotomy.decoding import make_decoder, project_to_simplex
from polychotomy.decoding.couple import couple

PATHS = ("numpy", *LIBRARIES)


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """A function that calls another on an array of the path's kind and returns NumPy's."""
    monkeypatch.setattr(chunks, "CACHE", 500)  # several chunks
    if request.param in LIBRARIES:
        library = open_library(request.param)
        monkeypatch.setattr(chunks, "ON_A_DEVICE", 500)

        def elsewhere(function, values):
            moved = library.move(values)
            return library.back(function(moved), moved)

        return elsewhere
    return lambda function, values: function(values)


def nearest(criterion, k):
    """The minimiser over the simplex by scipy, from the middle."""
    return minimize(
        criterion,
        np.full(k, 1 / k),
        bounds=[(1e-12, 1)] * k,
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    ).x


def count_votes(code, q):
    """Contests won over contests, by loops; half a win at ½."""
    shares = []
    for j in range(code.shape[1]):
        sides = [(side, value) for side, value in zip(code[:, j], q, strict=True) if side]
        wins = sum(0.5 if value == 0.5 else (value > 0.5) == (side > 0) for side, value in sides)
        shares.append(wins / len(sides))
    return np.array(shares) / sum(shares)


def by_losses(code, q):
    """Products of the probabilities of a class's sides, ½ where it has none, by loops."""
    sides = np.where(code.T > 0, q, np.where(code.T < 0, 1 - q, 0.5))
    return sides.prod(axis=1) / sides.prod(axis=1).sum()


ORACLES = {
    "bradley-terry": lambda code, q: nearest(lambda p: divergence(code, q, p), code.shape[1]),
    "least-squares": lambda code, q: nearest(lambda p: squares(code, q, p), code.shape[1]),
    "votes": count_votes,
    "loss": by_losses,
}


@cache
def case(decoder, name):
    """Outputs near the middle, a tie among them, and what the oracle makes of them."""
    code = CODES[name](4)
    q = random_outputs(code, seed=7, n=13, low=0.2)
    q[5, 0] = 0.5
    return code, q, np.array([ORACLES[decoder](code, row) for row in q])


@pytest.mark.parametrize("decoder", ORACLES)
@pytest.mark.parametrize("name", CODES)
def test_decoders(path, decoder, name):
    code, q, expected = case(decoder, name)
    error = 2e-5 if decoder in ("bradley-terry", "least-squares") else 1e-12  # scipy's
    decode = make_decoder(code, decoder=decoder)
    assert_allclose(path(decode, q), expected, atol=error)


@pytest.mark.parametrize("decoder", ORACLES)
def test_coupling(path, decoder):
    _, q, expected = case(decoder, "one-vs-one")
    table = np.zeros((len(q), 4, 4))
    table[:, *np.triu_indices(4, 1)] = q
    table += np.tril(1 - np.swapaxes(table, 1, 2), -1)
    found = path(lambda values: couple(values, decoder=decoder), table)
    assert_allclose(found, expected, atol=2e-5)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_projection(path, k):
    """The threshold by bisection."""
    points = np.random.default_rng(k).normal(size=(40, k))
    low, high = points.min(axis=1) - 1.0, points.max(axis=1)
    for _ in range(80):
        middle = (low + high) / 2
        above = np.maximum(points - middle[:, None], 0).sum(axis=1) > 1
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    expected = np.maximum(points - low[:, None], 0)
    assert_allclose(path(project_to_simplex, points), expected, atol=1e-12)
