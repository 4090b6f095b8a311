"""The ROC convex hull: by hand, against SciPy's hull, and its meaning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import ConvexHull

from polychotomy.comparison import roc_convex_hull
from polychotomy.core.exceptions import InvalidInput

scored = st.integers(1, 4).flatmap(lambda m: arrays(float, (12, m), elements=st.integers(0, 8)))
truth = np.arange(12) % 3 == 0


def cost_of(hull, row, threshold, scores, prevalence, false_positive, false_negative):
    """Expected cost of answering positive iff the score is at least the threshold."""
    said = scores[:, row] >= threshold if row >= 0 else np.full(12, threshold < 0)
    return (1 - prevalence) * false_positive * said[~truth].mean() + (
        prevalence * false_negative * (~said[truth]).mean()
    )


@given(scored)
def test_the_hull_is_scipys(scores):
    hull = roc_convex_hull(scores, truth)
    points = np.column_stack([np.concatenate([c[i] for c in hull.curves]) for i in (0, 1)])
    corners = np.vstack([points, [[1.0, 0.0]]])
    upper = corners[ConvexHull(corners).vertices]
    expected = {tuple(p) for p in np.round(upper, 9)} - {(1.0, 0.0)}
    assert {tuple(p) for p in np.round(np.column_stack([hull.fpr, hull.tpr]), 9)} == expected
    slopes = hull.to_frame()["slope_from"][:-1]
    assert (np.diff(slopes[np.isfinite(slopes)]) < 0).all()


@given(scored, st.floats(0.01, 0.99), st.floats(0.1, 10))
def test_no_threshold_of_anybody_costs_less(scores, prevalence, false_negative):
    hull = roc_convex_hull(scores, truth)
    costs = prevalence, 1.0, false_negative
    slope = (1 - prevalence) / (prevalence * false_negative)
    frame = hull.to_frame()
    corner = int(np.argmax((frame["slope_from"] <= slope) & (slope <= frame["slope_to"])))
    row = hull.learner[corner]
    least = cost_of(hull, row, hull.threshold[corner], scores, *costs)
    assert row == -1 or hull.optimal[row]
    for other in range(scores.shape[1]):
        for cut in [*np.unique(scores[:, other]), np.inf]:
            assert least <= cost_of(hull, other, cut, scores, *costs) + 1e-12


def test_a_classifier_under_the_hull_is_never_best():
    good, bad = np.arange(12.0) * truth, np.zeros(12)
    hull = roc_convex_hull(np.column_stack([bad, good]), truth, names=["bad", "good"])
    assert hull.optimal.tolist() == [False, True]
    assert str(hull) == "On the ROC convex hull: good. Never best, whatever the costs: bad."
    assert hull.to_frame()["slope_to"][0] == np.inf
    labels = [text.get_text() for text in hull.plot().get_legend().get_texts()]
    assert labels == ["bad (never best)", "good", "convex hull"]


def test_labels_are_scores_with_one_point():
    hull = roc_convex_hull(truth[:, None].astype(int), truth)
    assert (hull.fpr.tolist(), hull.tpr.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert hull.learner.tolist() == [-1, 0, -1]


def test_errors():
    with pytest.raises(InvalidInput, match="class 0 is missing"):
        roc_convex_hull(np.ones((3, 2)), [1, 1, 1])
    with pytest.raises(InvalidInput, match=r"expected \(n, m\)"):
        roc_convex_hull([1, 2, 3], [0, 1, 1])
