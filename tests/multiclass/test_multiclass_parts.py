"""Calibrators, folds, distinct rows and names, each by hand and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass.coded_classifier import log_scores
from polychotomy.multiclass.dichotomies import name_dichotomy
from polychotomy.multiclass.inputs import distinct_rows
from polychotomy.multiclass.training import deal_folds, make_folds


class TestFolds:
    @given(st.lists(st.integers(0, 4), min_size=4, max_size=60), st.integers(2, 7))
    def test_partition_that_leaves_no_class_out_of_training(self, labels, n_folds):
        codes = np.array(labels)
        several = np.flatnonzero(np.bincount(codes)[codes] > 1)
        if several.size == 0:
            with pytest.raises(InvalidInput, match="every class has one member only"):
                deal_folds(codes, n_folds)
            return
        folds = deal_folds(codes, n_folds)
        assert_array_equal(np.sort(np.concatenate([test for _, test in folds])), several)
        for train, test in folds:
            assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(codes.size))
            for code in np.unique(codes):
                assert code in codes[train]
        if len(folds) == n_folds:
            sizes = np.array([[np.sum(codes[test] == c) for c in range(5)] for _, test in folds])
            assert (sizes.max(axis=0) - sizes.min(axis=0) <= 1).all()

    def test_a_sample_without_weight_is_as_if_it_were_not_there(self):
        codes, weights = np.array([0, 0, 1, 0, 1, 1, 1]), np.array([1.0, 0, 1, 2, 1, 0, 1])
        here = np.flatnonzero(weights)
        with_it = [here[test] for _, test in deal_folds(codes[here], 2)]
        found = deal_folds(codes, 2, weights)
        for (_, test), expected in zip(found, with_it, strict=True):
            assert_array_equal(test, expected)

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
