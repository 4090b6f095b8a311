"""AUC and DeLong's covariance against scikit-learn and a jackknife."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_families import FAMILIES, draw
from sklearn.metrics import roc_auc_score

from polychotomy.combination import aucs
from polychotomy.combination.pair_margins import auc, count_pairs, pair_margins
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.ranking import placement_covariance, placements

families = st.sampled_from(sorted(FAMILIES))
seeds = st.integers(0, 10**6)


@given(families, seeds)
def test_auc_equals_scikit_learns(family, seed):
    scores, y = draw(family, seed, n=15, m=3)
    expected = [roc_auc_score(y, column) for column in scores.T]
    np.testing.assert_allclose(aucs(scores, y), expected, atol=1e-14)
    assert auc(scores[:, 1], y) == pytest.approx(expected[1])


@given(families, seeds)
def test_placements_have_the_auc_as_mean(family, seed):
    scores, y = draw(family, seed, n=15, m=2)
    high, low = placements(scores[:, 0], y == 1)
    assert high.mean() == pytest.approx(low.mean())
    assert high.mean() == pytest.approx(auc(scores[:, 0], y))


def test_auc_takes_one_column():
    with pytest.raises(InvalidInput, match=r"scores has shape \(2, 1\); expected \(n,\)"):
        auc([[1.0], [0.0]], [1, 0])


def test_auc_refuses_a_label_that_is_missing():
    with pytest.raises(InvalidInput, match=r"y\[0\] is None; expected a class code"):
        auc([1.0, 2.0], [None, 1])


def covariance_of(scores, y):
    parts = [placements(column, y == 1) for column in scores.T]
    return placement_covariance(*(np.array(part) for part in zip(*parts, strict=True)))


def test_covariance_by_its_definition():
    scores, y = draw("heavy ties", 4, n=40, m=3)
    differences = scores[y == 1][:, None] - scores[y == 0]  # (N⁺, N⁻, 3)
    kernel = np.sign(differences) / 2 + 0.5  # DeLong's ψ
    expected = np.zeros((3, 3))
    for axis in (0, 1):
        means = kernel.mean(axis=axis).T
        expected += np.cov(means) / means.shape[1]
    np.testing.assert_allclose(covariance_of(scores, y), expected, atol=1e-14)


def test_one_sample_of_a_class_contributes_no_variance():
    covariance = covariance_of(np.array([[1.0], [0.0], [2.0]]), np.array([1, 0, 0]))
    assert covariance == pytest.approx(np.var([1.0, 0.0], ddof=1) / 2)


@given(families, seeds)
def test_pair_margins_are_counted_rightly(family, seed):
    scores, y = draw(family, seed, n=15, m=2)
    found = pair_margins(scores, y, points=9)
    high, low = np.sort(scores[y == 1], axis=0), np.sort(scores[y == 0], axis=0)
    for j in range(2):
        # The comparison as it is made: high − t ≤ low, which rounds otherwise than high − low ≤ t.
        at_most = high[:, [j], None] - found.thresholds <= low[None, :, [j]]
        np.testing.assert_allclose(found.shares[j] * found.n_pairs, at_most.sum(axis=(0, 1)))
    assert found.margins.min() == found.thresholds[0]


def test_pair_margins_of_ten_thousand_million_pairs():
    rng = np.random.default_rng(0)
    high, low = np.sort(rng.normal(1, 1, 100_000)), np.sort(rng.normal(0, 1, 100_000))
    counts = count_pairs(high, low, np.array([-100.0, 0.0, 100.0]))
    assert counts[0] == 0
    assert counts[2] == 10**10
    assert counts[1] / 10**10 == pytest.approx(0.2398, abs=0.005)  # Φ(−1/√2)


def test_pair_margins_read_and_draw():
    scores, y = draw("useful", 0, n=60, m=2)
    found = pair_margins(scores, y, names=["soft", "hard"])
    assert "soft has smallest margin" in str(found)
    assert 0.0 in found.thresholds
    ax = found.plot()
    assert ax.get_yscale() == "log"
    assert len(found.to_frame()) == 400
    with pytest.raises(InvalidInput, match="points is 1"):
        pair_margins(scores, y, points=1)
    with pytest.raises(InvalidInput, match="expected 2 distinct names"):
        pair_margins(scores, y, names=["one"])
