"""Margins of arrays of other libraries: the same answers, where the arrays are."""

import numpy as np
import pytest
from array_api_compat import device
from margin_families import FAMILIES, draw

from polychotomy.combination import rank_margin_weights
from polychotomy.combination.pair_margins import rank_margin
from polychotomy.core.exceptions import InvalidInput


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_rank_margin(library, family):
    scores, y = draw(family, 2, n=60, m=4)
    moved, labels = library.move(scores), library.move(y, "int64")
    found = rank_margin(moved, labels)
    assert type(found) is type(moved)
    assert device(found) == device(moved)
    assert float(found) == pytest.approx(rank_margin(scores, y), abs=1e-12 * np.ptp(scores))
    weights = [0.1, 0.2, 0.3, 0.4]
    expected = rank_margin(scores, y, weights=weights)
    for some in (weights, library.move(weights)):
        assert float(rank_margin(moved, y, weights=some)) == pytest.approx(expected)


@pytest.mark.parametrize("slack", [None, 1.0, 4.0])
@pytest.mark.parametrize("family", ["useful", "heavy ties", "identical", "outliers"])
def test_weights(library, family, slack):
    scores, y = draw(family, 3, n=90, m=4)
    fit = rank_margin_weights(library.move(scores), library.move(y == 1, "bool"), slack=slack)
    peer, scale = rank_margin_weights(scores, y, slack=slack), max(1.0, np.ptp(scores))
    objective = "margin" if slack is None else "soft_margin"
    assert getattr(fit, objective) == pytest.approx(getattr(peer, objective), abs=2e-6 * scale)
    assert fit.gap <= 1e-6 * scale
    assert isinstance(fit.weights, np.ndarray)


def test_single_precision_stays_single(library):
    scores, y = draw("useful", 0, n=400, m=5)
    moved = library.move(scores, "float32")
    assert rank_margin(moved, y).dtype == library.xp.float32
    for slack in (None, 3.0):
        fit, peer = (rank_margin_weights(s, y, slack=slack) for s in (moved, scores))
        assert fit.margin == pytest.approx(peer.margin, abs=1e-3)


def test_more_rows_than_one_round_adds(library):
    scores, y = draw("gaussian", 0, n=1500, m=6)
    fit, peer = rank_margin_weights(library.move(scores), y), rank_margin_weights(scores, y)
    np.testing.assert_allclose(fit.weights, peer.weights, atol=1e-9)
    assert fit.pairs.tolist() == peer.pairs.tolist()


@pytest.mark.parametrize(
    ("scores", "y", "message"),
    [
        ([[0.5], [np.nan]], [1, 0], "classifier 0 in row 1 is nan"),
        ([[0.5], [0.2]], [1, 1], "class 0 is missing"),
        ([[0.5], [0.2]], [1, 2], r"y\[1\] is 2"),
        ([[0.5], [0.2]], [1, 0, 1], r"y has shape \(3,\)"),
        ([0.5, 0.2], [1, 0], r"scores has shape \(2,\)"),
    ],
)
def test_errors_are_the_same(library, scores, y, message):
    with pytest.raises(InvalidInput, match=message):
        rank_margin(library.move(scores), library.move(y, "int64"))
