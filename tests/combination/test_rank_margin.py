"""rank_margin and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_families import FAMILIES, draw

from polychotomy.combination import rank_margin_weights
from polychotomy.combination.pair_margins import rank_margin
from polychotomy.core.exceptions import InvalidInput

SCORES = np.array([[0.9, 0.2], [0.1, 0.8], [0.3, 0.0], [0.0, 0.4]])
Y = np.array([1, 1, 0, 0])


def test_arrays_of_other_libraries_are_copied_to_numpy(library):
    moved = library.move(SCORES), library.move(Y, "int64")
    assert rank_margin(*moved, weights=library.move([0.3, 0.7])) == rank_margin(
        SCORES, Y, weights=[0.3, 0.7]
    )
    assert rank_margin_weights(*moved).margin == rank_margin_weights(SCORES, Y).margin


def test_by_hand():
    assert rank_margin(SCORES, Y) == pytest.approx(0.45 - 0.2)
    assert rank_margin(SCORES, Y, weights=[1, 0]) == pytest.approx(0.1 - 0.3)
    assert rank_margin(SCORES, Y, weights=[0, 1]) == pytest.approx(0.2 - 0.4)


@given(st.sampled_from(sorted(FAMILIES)), st.integers(0, 10**6))
def test_equals_the_minimum_over_all_pairs(family, seed):
    scores, y = draw(family, seed, n=12, m=3)
    weights = np.random.default_rng(seed).dirichlet(np.ones(3))
    combined = scores @ weights
    pairs = combined[y == 1][:, None] - combined[y == 0]
    assert rank_margin(scores, y, weights=weights) == pytest.approx(pairs.min(), abs=1e-12)


@pytest.mark.parametrize(
    ("scores", "y"),
    [
        (SCORES.tolist(), Y.tolist()),
        (SCORES.astype(np.float32), Y.astype(bool)),
        (np.repeat(SCORES, 2, axis=1)[:, ::2], Y.astype(float)),
        (np.asfortranarray(SCORES), Y.astype(np.uint8)),
        (SCORES.astype(object), tuple(Y)),
    ],
)
def test_takes_lists_and_any_layout(scores, y):
    assert rank_margin(scores, y) == pytest.approx(0.25, abs=1e-7)


@pytest.mark.parametrize(
    ("scores", "y", "message"),
    [
        (SCORES[:, 0], Y, r"scores has shape \(4,\); expected \(n, m\).*scores\[:, np.newaxis\]"),
        (SCORES[:, :0], Y, r"scores has shape \(4, 0\); expected at least one"),
        (SCORES[:3], Y, r"y has shape \(4,\); expected \(3,\)"),
        (SCORES, [1, 1, 1, 1], "y holds no 0: class 0 is missing among the 4 labels"),
        (SCORES, [0, 0, 0, 0], "y holds no 1: class 1 is missing"),
        (SCORES, [1, -1, 1, -1], r"y\[1\] is -1; expected a class code from 0 to 1, or"),
        (SCORES, ["a", "b", "a", "c"], "y holds 3 different labels, .*there are 2 classes"),
        (SCORES, [1, 0, np.nan, 0], r"y\[2\] is nan; expected a class code"),
        (SCORES, [1, None, 1, 0], r"y\[1\] is None; expected a class code"),
        (SCORES, [1, 0, 1, pd.NA], r"y\[3\] is <NA>; expected a class code"),
        (SCORES, np.array([1, 0, "x", 0], dtype=object), r"y\[2\] is 'x'; expected a class code"),
        (SCORES, [[1], [1, 0], 1, 0], "y is .*, which is no array"),
        (np.where(SCORES == 0.8, np.nan, SCORES), Y, r"scores\[1, 1\] is nan; expected finite"),
        (np.where(SCORES == 0.3, -np.inf, SCORES), Y, r"scores\[2, 0\] is -inf"),
        ([["x", "y"]] * 4, Y, "scores is .*; expected an array of real numbers"),
        (SCORES + 1j, Y, "scores is .*; expected an array of real"),
    ],
)
def test_refuses(scores, y, message):
    with pytest.raises(InvalidInput, match=message):
        rank_margin(scores, y)
    with pytest.raises(InvalidInput, match=message):
        rank_margin_weights(scores, y)


def test_labels_beside_arrays_of_another_library_are_checked_alike():
    xp = pytest.importorskip("array_api_strict")
    with pytest.raises(InvalidInput, match=r"y\[1\] is None; expected a class code"):
        rank_margin(xp.asarray(SCORES), [1, None, 1, 0])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"weights has shape \(1,\); expected \(2,\)"),
        ([1.0, np.nan], r"weights\[1\] is nan"),
        (["a", "b"], "weights is .*; expected an array of real numbers"),
    ],
)
def test_refuses_weights(weights, message):
    with pytest.raises(InvalidInput, match=message):
        rank_margin(SCORES, Y, weights=weights)
