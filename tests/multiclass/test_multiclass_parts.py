"""Calibrators, folds, distinct rows and names, each by hand and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from polychotomy.calibration.dichotomies import fit_calibrator, fit_sigmoid
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass.dichotomies import deal_folds, make_folds, name_dichotomy
from polychotomy.multiclass.inputs import distinct_rows
from polychotomy.multiclass.predictions import log_scores


def noisy_scores(n, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=n)
    return scores, rng.random(n) < expit(2.5 * scores - 0.7), rng.random(n) + 0.5


class TestSigmoid:
    def test_is_logistic_regression_on_platts_targets(self):
        """Soft targets t are weights t on the + and 1 − t on the − side of doubled samples."""
        scores, positive, weights = noisy_scores(400)
        n_positive, n_negative = weights[positive].sum(), weights[~positive].sum()
        t = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
        oracle = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(
            np.tile(scores, 2)[:, None],
            np.repeat([1, 0], scores.size),
            sample_weight=np.concatenate([weights * t, weights * (1 - t)]),
        )
        fit = fit_sigmoid(scores, positive, weights)
        assert_allclose(fit.slope, oracle.coef_[0, 0], rtol=1e-5)
        assert_allclose(fit.intercept, oracle.intercept_[0], atol=1e-5)

    @pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
    def test_does_not_depend_on_the_unit(self, scale):
        scores, positive, weights = noisy_scores(100)
        fit = fit_sigmoid(scores, positive, weights)
        other = fit_sigmoid(scores * scale, positive, weights)
        assert_allclose(other.slope * scale, fit.slope, rtol=1e-9)

    def test_separated_constant_and_single_scores_are_finite(self):
        ones = np.ones(6)
        separated = fit_sigmoid(np.array([-3.0, -2, -1, 1, 2, 3]), np.arange(6) > 2, ones)
        assert 0 < separated.slope < 10
        constant = fit_sigmoid(ones, np.arange(6) > 3, ones)
        # Platt's targets: (2 · 3/4 + 4 · 1/6) / 6
        assert_allclose(expit(constant.logits(ones)), (2 * 0.75 + 4 / 6) / 6, atol=1e-9)
        assert np.isfinite(fit_sigmoid(np.zeros(2), np.array([True, False]), np.ones(2)).slope)

    def test_keep_sign_never_contradicts_the_score(self):
        scores, positive, weights = noisy_scores(200)
        for truth in (positive, ~positive, np.ones(200, dtype=bool)):
            fit = fit_sigmoid(scores, truth, weights, keep_sign=True)
            assert fit.intercept == 0
            assert fit.slope > 0


def test_isotonic_is_monotone_and_never_certain():
    scores, positive, weights = noisy_scores(300)
    fit = fit_calibrator("isotonic", scores, positive, weights)
    grid = fit.logits(np.linspace(-5, 5, 200))
    assert np.isfinite(grid).all()
    assert (np.diff(grid) >= 0).all()


class TestFolds:
    @given(st.lists(st.integers(0, 4), min_size=4, max_size=60), st.integers(2, 7))
    def test_partition_that_leaves_no_class_out_of_training(self, labels, n_folds):
        codes = np.array(labels)
        folds = deal_folds(codes, n_folds)
        assert_array_equal(
            np.sort(np.concatenate([test for _, test in folds])), np.arange(codes.size)
        )
        for train, test in folds:
            assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(codes.size))
            for code in np.unique(codes):
                if (codes == code).sum() > 1:
                    assert code in codes[train]
        if len(folds) == n_folds:
            sizes = np.array([[np.sum(codes[test] == c) for c in range(5)] for _, test in folds])
            assert (sizes.max(axis=0) - sizes.min(axis=0) <= 1).all()

    @pytest.mark.parametrize("cv", [1, "five", 2.5, True])
    def test_errors(self, cv):
        with pytest.raises(InvalidInput, match=r"cv is"):
            make_folds(cv, None, np.array([0, 1]), {})


@given(st.integers(2, 6), st.integers(1, 12), st.integers(0, 10**6))
def test_distinct_rows_give_every_row_back(k, length, seed):
    code = np.random.default_rng(seed).integers(-1, 2, size=(length, k)).astype(np.int8)
    code[0, :2] = 1, -1
    code = code[code.any(axis=1)]
    rows = distinct_rows(code)
    assert len(np.unique(np.abs(rows.trained * rows.trained[:, :1]), axis=0)) <= len(rows.trained)
    # An output that is the class's own side: rows.expand must give each row's own side back.
    for label in range(k):
        side = (rows.trained[:, label] + 1.0) / 2
        expanded = rows.expand(side[np.newaxis])[0]
        one_sided = ~((code > 0).any(axis=1) & (code < 0).any(axis=1))
        expected = np.where(one_sided, (code > 0).any(axis=1), (code[:, label] + 1.0) / 2)
        assert_array_equal(expanded, expected)


def test_names_are_short():
    row = np.ones(40, dtype=np.int8)
    row[7] = -1
    name = name_dichotomy(3, row, np.arange(40))
    assert name == "dichotomy 3 (classes 0, 1, 2, 3, 4, … 39 in all against class 7)"


def test_log_scores_keep_the_winner():
    low = 0.3
    p = np.array([[low, np.nextafter(low, 1)], [np.nextafter(low, 1), low], [0.0, 1.0]])
    scores = log_scores(p)
    assert np.isfinite(scores).all()
    assert_array_equal(scores.argmax(axis=1), p.argmax(axis=1))
