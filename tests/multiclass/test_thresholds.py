"""optimal_threshold: hand-worked cases, brute force, properties, errors."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import optimal_threshold
from polychotomy.multiclass.training import check_sample_weight


def errors_at(t, scores, positive, weights=None):
    wrong = (np.asarray(scores) > t) != np.asarray(positive)
    return float(np.sum(wrong if weights is None else wrong * np.asarray(weights)))


def brute_force(scores, positive):
    """Candidate cells probed one by one; maximal optimal intervals joined by hand."""
    scores = np.asarray(scores, dtype=float)
    levels = np.unique(scores)
    probes = [levels[0] - 1.0, *levels]  # one t in each cell
    errors = [errors_at(t, scores, positive) for t in probes]
    best = min(errors)
    if errors_at(0.0, scores, positive) == best:
        return 0.0
    edges = [-np.inf, *levels, np.inf]
    intervals = []
    for cell, error in enumerate(errors):
        if error > best:
            continue
        if intervals and intervals[-1][1] == edges[cell]:
            intervals[-1] = (intervals[-1][0], edges[cell + 1])
        else:
            intervals.append((edges[cell], edges[cell + 1]))

    def key(interval):
        low, high = interval
        return (low if low > 0 else -high, low - high, low)

    low, high = min(intervals, key=key)
    if np.isfinite(low) and np.isfinite(high):
        return (low + high) / 2
    if np.isfinite(high):
        return high - (levels[1] - levels[0] if len(levels) > 1 else 1.0) / 2
    return low + (levels[-1] - levels[-2] if len(levels) > 1 else 1.0) / 2


@pytest.mark.parametrize(
    ("scores", "positive", "expected"),
    [
        ([1.0, 2.0, 3.0], [0, 0, 1], 2.5),
        ([-3.0, -2.0, -1.0], [0, 1, 1], -2.5),
        ([-1.0, 1.0], [0, 1], 0.0),
        ([0.0, 1.0], [0, 1], 0.0),  # a score of exactly 0 is not > 0
        ([0.0, 1.0], [1, 1], -0.5),  # so all positive needs t below it: half a gap beyond
        ([-2.0, -1.0], [1, 1], -2.5),
        ([1.0, 3.0], [0, 0], 4.0),
        ([-7.0], [1], -7.5),
        ([7.0], [0], 7.5),
        # errors: t<1: 2, [1,2): 1, [2,3): 2, [3,4): 1, t>=4: 2 -> two optima, [1,2) is nearer 0
        ([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1], 1.5),
        # a tie of one positive and one negative at 2 joins [1,2) and [2,4) into one interval
        ([1.0, 2.0, 2.0, 4.0], [0, 0, 1, 1], 2.5),
    ],
)
def test_by_hand(scores, positive, expected):
    assert optimal_threshold(scores, positive) == expected


integers = st.integers(-6, 6)


@given(st.lists(st.tuples(integers, st.booleans()), min_size=1, max_size=14))
def test_equals_brute_force(pairs):
    scores, positive = (np.array(part) for part in zip(*pairs, strict=True))
    assert optimal_threshold(scores, positive) == brute_force(scores, positive)


@given(st.lists(st.tuples(st.floats(allow_nan=False), st.booleans()), min_size=1, max_size=12))
def test_finite_and_optimal_for_any_floats(pairs):
    scores, positive = (np.array(part) for part in zip(*pairs, strict=True))
    t = optimal_threshold(scores, positive)
    assert np.isfinite(t)
    finite = scores[np.isfinite(scores)]
    largest = np.finfo(float).max
    below = np.nextafter(finite[finite > -largest], -np.inf)
    probes = [0.0, *finite, *below, -largest, largest]
    assert errors_at(t, scores, positive) <= min(errors_at(p, scores, positive) for p in probes)


@given(
    st.lists(st.tuples(integers, st.booleans(), st.integers(0, 3)), min_size=1, max_size=10).filter(
        lambda rows: sum(w for *_, w in rows) > 0
    )
)
def test_whole_weights_are_repetitions(rows):
    scores, positive, weights = (np.array(part) for part in zip(*rows, strict=True))
    t = optimal_threshold(scores, positive, sample_weight=weights)
    repeated = optimal_threshold(np.repeat(scores, weights), np.repeat(positive, weights))
    assert errors_at(t, scores, positive, weights) == errors_at(repeated, scores, positive, weights)


@given(st.lists(st.tuples(integers, st.booleans()), min_size=1, max_size=10))
def test_other_side_has_the_opposite_threshold(pairs):
    """t_ji = −t_ij, up to the side on which a score equal to the threshold falls."""
    scores, positive = (np.array(part) for part in zip(*pairs, strict=True))
    if len(np.unique(scores)) < len(scores):
        return
    t, mirrored = optimal_threshold(scores, positive), optimal_threshold(-scores, ~positive)
    assert errors_at(t, scores, positive) == errors_at(mirrored, -scores, ~positive)


def test_accepts_lists_float32_and_strided_arrays():
    scores = np.array([1, 9, 2, 9, 3, 9], dtype=np.float32)[::2]
    assert optimal_threshold(scores, [False, False, True]) == 2.5
    assert optimal_threshold([1, 2, 3], np.array([0, 0, 1], dtype=np.uint8)) == 2.5


def test_n_log_n():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=1_000_000) + 1
    t = optimal_threshold(scores, scores + rng.normal(size=scores.size) > 2.5)
    assert 2.45 < t < 2.55  # P(positive | score) = ½ at score 2.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0], [True]), r"scores have shape \(2,\) and positive \(1,\)"),
        (([], []), r"n ≥ 1"),
        (([[1.0]], [[True]]), r"\(1, 1\)"),
        (([1.0, np.nan], [True, False]), r"scores\[1\] is nan"),
        ((["a"], [1]), r"scores is .*; expected an array of real numbers"),
        (([1j], [1]), r"scores is .*; expected an array of real numbers"),
        ((np.array([1j]), [1]), r"scores is .*; expected an array of real numbers"),
        (([1.0, 2.0], [1, pd.NA]), r"positive is .*<NA>.*; expected an array of real"),
        (([1.0, 2.0], [[1], [1, 2]]), r"positive is .* no array"),
        (([1.0, 2.0], [1, 2]), r"positive\[1\] is .*2"),
        (([1.0, 2.0], ["a", "b"]), r"positive is .*'a'.*; expected an array of real"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        optimal_threshold(*arguments)


def test_weight_errors():
    for weights in (["a", "b"], [1j, 1.0]):
        with pytest.raises(InvalidInput, match=r"sample_weight is .*expected an array of real"):
            optimal_threshold([1.0, 2.0], [True, False], sample_weight=weights)
        with pytest.raises(InvalidInput, match=r"sample_weight is .*expected an array of real"):
            check_sample_weight(weights, 2)
    with pytest.raises(InvalidInput, match=r"sample_weight\[1\] is -1"):
        optimal_threshold([1.0, 2.0], [True, False], sample_weight=[1, -1])
    with pytest.raises(InvalidInput, match=r"shape \(1,\); expected \(2,\)"):
        optimal_threshold([1.0, 2.0], [True, False], sample_weight=[1])
