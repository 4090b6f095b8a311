"""ROC and precision–recall curves: scikit-learn's numbers, few points, bands that hold."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

from polychotomy.core.exceptions import InvalidInput
from polychotomy.validation import ranking_curve


def drawn(rng, n, share=0.3):
    positive = rng.random(n) < share
    return rng.normal(size=n) + positive, positive


@pytest.mark.parametrize("n", [12, 150, 5000])
def test_areas_are_those_of_all_rows_and_points_few(n):
    scores, positive = drawn(np.random.default_rng(n), n)
    found = ranking_curve(scores, positive, name="one", label="yes")
    assert found.auc == pytest.approx(roc_auc_score(positive, scores))
    assert found.average_precision == pytest.approx(average_precision_score(positive, scores))
    assert found.false_positives.size <= 201
    assert (found.false_positives[[0, -1]] == [0, 1]).all()
    assert found.precision[-1] == pytest.approx(positive.mean())
    assert len(found.to_frame()) == found.precision.size


@pytest.mark.long
def test_the_point_of_a_threshold_lies_in_its_rectangle_as_often_as_said():
    """True shares above 0.5, by the normal distribution, in 95 of 100 tables, and no fewer."""
    truth = stats.norm.sf(0.5), stats.norm.sf(-0.5)
    rng, held = np.random.default_rng(0), []
    for _ in range(400):
        scores, positive = drawn(rng, 120)
        found = ranking_curve(scores, positive, name="one", label="yes")
        seen = (scores[~positive] > 0.5).mean(), (scores[positive] > 0.5).mean()
        at = np.abs(found.false_positives - seen[0]) + np.abs(found.true_positives - seen[1])
        i = int(at.argmin())
        inside = [low[i] <= true <= high[i] for (low, high), true in
                  zip((found.false_interval, found.true_interval), truth, strict=True)]  # fmt: skip
        held.append(all(inside))
    assert np.mean(held) == pytest.approx(0.95, abs=0.035)


def test_no_error_is_no_certainty():
    found = ranking_curve(np.arange(20.0), np.arange(20) >= 10, name="one", label="yes")
    (right, low), (left, high) = found.roc_band()
    assert found.auc == 1
    assert (right >= found.false_positives).all()
    assert (left <= found.false_positives).all()
    assert low.max() < 0.85
    assert high.min() > 0.2
    for edge, sign in zip(found.precision_band(), (-1, 1), strict=True):
        at, precision = edge
        assert at.shape == precision.shape
        assert np.isfinite(precision).all()
        assert (sign * (precision - found.precision[1:]) >= -1e-12).all()


def test_one_class_alone_is_no_ranking():
    with pytest.raises(InvalidInput, match="all rows are of one class"):
        ranking_curve([0.1, 0.2], [True, True], name="one", label="yes")
