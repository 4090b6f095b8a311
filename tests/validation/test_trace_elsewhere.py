"""The trace of arrays of other libraries: the same numbers, where the arrays are."""

import numpy as np
import pytest
from array_api_compat import device
from numpy.testing import assert_allclose, assert_array_equal
from validation_strategies import draw_forecasts

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import probability_trace


def same(found, peer, kind):
    for name in ("steps", "trace", "probabilities", "y", "samples"):
        assert type(getattr(found, name)) is type(kind)
        assert device(getattr(found, name)) == device(kind)
    host = found.on_host()
    assert_array_equal(host.steps, peer.steps)
    assert_array_equal(host.samples, peer.samples)
    assert_allclose(host.trace, peer.trace, rtol=1e-12, atol=1e-9)
    ours = [found.r, found.slope, found.slope_through_origin, found.threshold]
    theirs = [peer.r, peer.slope, peer.slope_through_origin, peer.threshold]
    assert_allclose(ours, theirs, rtol=1e-10)


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("digits", [1, 12])
def test_equals_numpy(library, k, digits):
    p, y = draw_forecasts(np.random.default_rng(k), 200, k)
    p = np.round(p, digits)  # ties, zeros and ones
    p[:, 0] += 1 - p.sum(axis=1)
    p = np.abs(p) / np.abs(p).sum(axis=1, keepdims=True)
    moved = library.move(p)
    same(probability_trace(moved, library.move(y, "int64")), probability_trace(p, y), moved)
    same(probability_trace(moved, y), probability_trace(p, y), moved)


def test_single_precision_and_repetitions(library):
    p, y = draw_forecasts(np.random.default_rng(0), 100, 3)
    single, samples = p.astype(np.float32), np.arange(100) // 2
    moved = library.move(single, "float32")
    found = probability_trace(moved, y, samples=samples)
    same(found, probability_trace(single, y, samples=samples), moved)


def test_everything_below_or_above_the_threshold(library):
    for p, y in (([[0.5, 0.5]], [0]), ([[1.0, 0.0]], [0]), ([[0.0, 1.0]], [0])):
        moved = library.move(p)
        same(probability_trace(moved, y), probability_trace(np.array(p), y), moved)


def test_what_needs_the_host_goes_there(library):
    p, y = draw_forecasts(np.random.default_rng(1), 60, 3)
    found, peer = probability_trace(library.move(p), y), probability_trace(p, y)
    assert_allclose(found.to_frame()["slope"], peer.to_frame()["slope"])
    assert found.null_band(19, random_state=0).pvalue == peer.null_band(19, random_state=0).pvalue
    assert len(found.plot().lines) == 2
    assert str(found) == str(peer)


@pytest.mark.parametrize(
    ("p", "y", "message"),
    [
        ([[0.9, 0.3]], [0], "row 0 of probabilities sums to 1.2"),
        ([[0.5, 0.5]], [2], r"y\[0\] is 2"),
        ([[0.5, 0.5]], ["a"], r"y\[0\] is 'a'"),
        ([[np.nan, 0.5]], [0], r"probabilities\[0, 0\] is nan"),
        ([0.5, 0.5], [0], r"probabilities has shape \(2,\)"),
    ],
)
def test_errors_are_the_same(library, p, y, message):
    with pytest.raises(InvalidInput, match=message):
        probability_trace(library.move(p), y)
