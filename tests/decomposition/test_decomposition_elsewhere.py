"""The error budget of arrays of other libraries: the same numbers, where the arrays are."""

from dataclasses import fields

import numpy as np
import pytest
from array_api_compat import device
from numpy.testing import assert_allclose
from t96_loops import LOSSES, decompose

from array_libraries import LIBRARIES, open_library
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import decompose_predictions


def fits(k, *, votes, b=9, n=70):
    rng = np.random.default_rng(k)
    p = rng.dirichlet(np.ones(k), (b, n))
    if votes:
        p = np.eye(k)[p.argmax(axis=2)]
    rows = rng.integers(0, n, (b, n))
    in_bag = np.array([np.bincount(some, minlength=n) for some in rows])
    in_bag[:, 3] = 1  # never out of bag
    return p, in_bag, rng.integers(0, k, n)


@pytest.mark.parametrize("loss", ["misclassification", "squared", "deviance"])
@pytest.mark.parametrize("votes", [True, False])
@pytest.mark.parametrize("k", [2, 5])
def test_equals_numpy(library, loss, votes, k):
    p, in_bag, y = fits(k, votes=votes)
    peer = decompose_predictions(p, in_bag, y, loss=loss, nearest_neighbour_error=0.1)
    moved = library.move(p)
    found = decompose_predictions(
        moved, library.move(in_bag, "int64"), library.move(y, "int64"), loss=loss,
        nearest_neighbour_error=0.1,
    )  # fmt: skip
    for name in ("aggregated", "votes", "sample_estimates", "sample_monte_carlo_errors"):
        assert type(getattr(found, name)) is type(moved)
        assert device(getattr(found, name)) == device(moved)
    host = found.on_host()
    for field in fields(peer):
        ours, theirs = getattr(host, field.name), getattr(peer, field.name)
        if isinstance(theirs, np.ndarray):
            assert_allclose(ours, theirs, rtol=1e-10, atol=1e-12, err_msg=field.name)
        else:
            assert ours == theirs
    assert str(found) == str(peer)
    assert_allclose(found.per_sample, peer.per_sample, atol=1e-12)
    assert_allclose(found.reconciliation["value"], peer.reconciliation["value"], atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("path", ["numpy", "numpy, two threads", *LIBRARIES])
def test_equals_the_papers_loops(path, loss):
    p, in_bag, y = fits(4, votes=loss == "misclassification")
    if path in LIBRARIES:
        library = open_library(path)
        found = decompose_predictions(library.move(p), in_bag, y, loss=loss).on_host()
    else:
        found = decompose_predictions(p, in_bag, y, loss=loss, n_jobs=2 if "two" in path else 1)
    assert_allclose(found.per_sample, decompose(p, in_bag, y, loss), atol=1e-12)


def test_single_precision_and_nan_in_bag(library):
    p, in_bag, y = fits(3, votes=False)
    p[in_bag > 0] = np.nan
    found = decompose_predictions(library.move(p, "float32"), in_bag, y)
    peer = decompose_predictions(p.astype(np.float32), in_bag, y)
    assert_allclose(found.estimates, peer.estimates, atol=1e-6)


def test_blocks_do_not_matter(library, monkeypatch):
    p, in_bag, y = fits(3, votes=False, n=200)
    whole = decompose_predictions(library.move(p), in_bag, y)
    monkeypatch.setattr("polychotomy.decomposition.elsewhere._BLOCK", 64 * 27)
    parts = decompose_predictions(library.move(p), in_bag, y)
    assert_allclose(parts.estimates, whole.estimates, rtol=1e-12)
    assert_allclose(parts.lows, whole.lows, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"p": np.full((2, 2, 2), 0.7)}, r"predictions\[0, 0\] is \[0.7, 0.7\]"),
        ({"p": np.full((2, 2), 0.5)}, r"predictions has shape \(2, 2\)"),
        ({"in_bag": np.ones((2, 2))}, "in_bag has no zero"),
        ({"y": np.array([0, 2])}, r"y\[1\] is 2"),
    ],
)
def test_errors_are_the_same(library, change, message):
    given = {"p": np.full((2, 2, 2), 0.5), "in_bag": np.zeros((2, 2)), "y": np.array([0, 1])}
    given |= change
    with pytest.raises(InvalidInput, match=message):
        decompose_predictions(
            library.move(given["p"]),
            library.move(given["in_bag"]),
            library.move(given["y"], "int64"),
        )


def test_a_loss_of_ones_own_stays_in_numpy(library):
    p, in_bag, y = fits(2, votes=False)
    with pytest.raises(InvalidInput, match=r"function of NumPy arrays.*bring them to NumPy"):
        decompose_predictions(
            library.move(p), in_bag, y, loss=lambda y, c: ((y - c) ** 2).sum(axis=-1)
        )
