"""rank_margin_weights: the largest margin, against the paper's own program with N⁺N⁻ rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_families import FAMILIES, draw, naive_margin

from polychotomy.combination import rank_margin_weights
from polychotomy.combination.pair_margins import rank_margin

families = st.sampled_from(sorted(FAMILIES))
seeds = st.integers(0, 10**6)
sizes = st.integers(2, 25)
classifiers = st.integers(2, 8)


def on_simplex(weights):
    return (weights >= 0).all() and abs(weights.sum() - 1) <= 4e-16 * len(weights)


def test_by_hand():
    scores = np.array([[0.9, 0.1], [0.1, 0.9], [0.3, 0.0], [0.0, 0.3]])
    fit = rank_margin_weights(scores, [1, 1, 0, 0])
    np.testing.assert_allclose(fit.weights, [0.5, 0.5], atol=1e-15)
    assert fit.margin == pytest.approx(0.35)
    assert fit.rule == "the only optimum"
    assert fit.gap <= 1e-15


def test_negative_margin_is_not_escaped_by_zero_weights():
    # The paper's block form, Σw ≤ 1, answers w = 0 with margin 0 here.
    fit = rank_margin_weights([[0.0, 0.2], [1.0, 0.6]], [1, 0])
    np.testing.assert_allclose(fit.weights, [0.0, 1.0])
    assert fit.margin == pytest.approx(-0.4)


@given(families, seeds, sizes, classifiers)
def test_equals_the_program_over_all_pairs(family, seed, n, m):
    scores, y = draw(family, seed, n=n, m=m)
    fit = rank_margin_weights(scores, y)
    scale = max(1.0, np.ptp(scores))
    assert fit.margin == pytest.approx(naive_margin(scores, y), abs=1e-8 * scale)
    assert fit.gap <= 1e-9 * scale
    assert on_simplex(fit.weights)
    assert fit.margin == rank_margin(scores, y, weights=fit.weights)


@pytest.mark.parametrize("family", sorted(FAMILIES))
@pytest.mark.parametrize(("n", "m"), [(300, 5), (120, 30)])
def test_equals_the_program_over_all_pairs_on_more(family, n, m):
    scores, y = draw(family, 0, n=n, m=m)
    fit = rank_margin_weights(scores, y)
    scale = max(1.0, np.ptp(scores))
    assert fit.margin == pytest.approx(naive_margin(scores, y), abs=1e-8 * scale)
    assert fit.iterations <= 12


@given(families, seeds, sizes, classifiers)
def test_never_below_the_best_single_classifier(family, seed, n, m):
    scores, y = draw(family, seed, n=n, m=m)
    best = max(rank_margin(scores[:, [j]], y) for j in range(m))
    assert rank_margin_weights(scores, y).margin >= best - 1e-10 * max(1.0, np.ptp(scores))


@given(families, seeds, sizes, classifiers)
def test_duals_certify_the_margin(family, seed, n, m):
    scores, y = draw(family, seed, n=n, m=m)
    assert rank_margin_weights(scores, y).gap <= 1e-9 * max(1.0, np.ptp(scores))


@given(families, seeds, sizes, classifiers)
def test_does_not_care_about_the_order_of_samples_and_classifiers(family, seed, n, m):
    scores, y = draw(family, seed, n=n, m=m)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(n), rng.permutation(m)
    fit = rank_margin_weights(scores, y)
    again = rank_margin_weights(scores[rows][:, columns], y[rows])
    # Classifiers that agree to 1e-14 leave the weights to rounding, and nothing else does.
    if family != "duplicates but for rounding":
        np.testing.assert_allclose(again.weights, fit.weights[columns], atol=1e-5)


@given(seeds, sizes, st.floats(0.01, 100), st.floats(-10, 10))
def test_follows_a_change_of_unit_and_of_zero(seed, n, unit, zero):
    scores, y = draw("gaussian", seed, n=n, m=4)
    shifts = zero * np.arange(4)
    fit, changed = rank_margin_weights(scores, y), rank_margin_weights(unit * scores + shifts, y)
    assert changed.margin == pytest.approx(unit * fit.margin, rel=1e-7, abs=1e-9)


class TestEqualOptima:
    def test_one_classifier(self):
        fit = rank_margin_weights([[0.3], [0.1]], [1, 0])
        assert fit.weights.tolist() == [1.0]
        assert fit.margin == pytest.approx(0.2)

    def test_identical_classifiers_share(self):
        scores = np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 0.5]])
        fit = rank_margin_weights(scores, [1, 0])
        np.testing.assert_allclose(fit.weights, [0.5, 0.5, 0.0], atol=1e-10)
        assert fit.rule == "nearest to uniform weights"

    def test_all_tied_is_uniform(self):
        fit = rank_margin_weights(np.full((6, 4), 0.7), [1, 0, 1, 0, 1, 0])
        np.testing.assert_allclose(fit.weights, 0.25)
        assert fit.margin == 0.0

    def test_a_face_of_optima_by_hand(self):
        # Any weights with w0 + w1 = 1 have margin 1; among them (1/2, 1/2, 0) is nearest.
        scores = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
        fit = rank_margin_weights(scores, [1, 1, 0])
        np.testing.assert_allclose(fit.weights, [0.5, 0.5, 0.0], atol=1e-9)

    @given(families, seeds, st.integers(2, 12))
    def test_no_optimum_is_nearer_to_uniform(self, family, seed, n):
        # Moving towards uniform, or towards any vertex that is nearer to it, loses margin.
        scores, y = draw(family, seed, n=n, m=4)
        fit = rank_margin_weights(scores, y)
        rng = np.random.default_rng(seed)
        uniform = np.full(4, 0.25)
        distance = np.linalg.norm(fit.weights - uniform)
        for other in rng.dirichlet(np.full(4, 0.5), size=30):
            trial = 0.9 * fit.weights + 0.1 * other
            if np.linalg.norm(trial - uniform) < distance - 1e-6:
                assert rank_margin(scores, y, weights=trial) < fit.margin + 1e-9 * np.ptp(scores)


@pytest.mark.parametrize("positives", [1, 199_999])
def test_one_sample_of_a_class_among_many(positives):
    rng = np.random.default_rng(0)
    y = np.zeros(200_000, dtype=int)
    y[rng.permutation(200_000)[:positives]] = 1
    fit = rank_margin_weights(np.tanh(rng.normal(size=(200_000, 5))), y)
    assert fit.gap <= 1e-10
    assert fit.iterations <= 8


def test_layouts_agree():
    scores, y = draw("useful", 3, n=500, m=6)
    fit = rank_margin_weights(scores, y)
    strided = np.repeat(scores, 2, axis=1)[:, ::2]
    for other in (strided, np.asfortranarray(scores), scores.tolist()):
        np.testing.assert_array_equal(rank_margin_weights(other, y).weights, fit.weights)
    single = rank_margin_weights(scores.astype(np.float32), y)
    assert single.margin == pytest.approx(fit.margin, abs=1e-6)
    assert single.weights.dtype == np.float64


def test_result_reads_and_draws():
    scores, y = draw("useful", 1, n=50, m=3)
    fit = rank_margin_weights(scores, y)
    assert str(fit).startswith("Rank margin ")
    assert fit.to_frame().columns.tolist() == ["classifier", "weight"]
    assert not fit.weights.flags.writeable
    assert len(fit.plot().patches) == 3
