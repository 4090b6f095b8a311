"""Answers over all trials at once: failures leave gaps, and only these."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.study import Bootstrap, NestedSizes, RepeatedFolds, Study

X, y = load_iris(return_X_y=True)


class Picky(ClassifierMixin, BaseEstimator):
    """Fails where the first training row is not the very first."""

    def fit(self, X, y):
        if X[0, 0] != 5.1:
            raise ValueError("not the first row")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


CANDIDATES = {"MAX": DummyClassifier(), "picky": Picky()}


def test_a_failed_fit_is_a_gap_of_its_fold():
    study = Study(CANDIDATES, X, y, plan=RepeatedFolds(repetitions=4))
    with study.run() as ledger:
        errors, found = ledger.fold_errors(), study.gather(ledger)
    np.testing.assert_array_equal(errors, found.fold_errors())
    first = found.folds[0, :, 0]
    for repetition in range(4):
        assert np.isnan(errors[1, 0, repetition, first[repetition]])
        assert not np.isnan(errors[1, 0, repetition, 1 - first[repetition]])
    assert found.hard.tolist() == [False, True]
    assert np.isnan(found.probabilities[1]).any(axis=-1).sum() == (found.predicted[1] < 0).sum()


def test_failed_replicates_are_left_out_of_both():
    study = Study(CANDIDATES, X, y, plan=Bootstrap(replicates=12))
    with study.run() as ledger:
        predictions, in_bag = ledger.bootstrap_predictions("picky")
        all_of_them, _ = ledger.bootstrap_predictions("MAX")
    assert len(all_of_them) == 12
    assert 0 < len(predictions) == len(in_bag) < 12
    assert (in_bag[:, 0] > 0).all()


def test_sizes_without_a_prediction_are_gaps():
    plan = NestedSizes(folds=2, sizes=(0.1, 1.0))
    study = Study(CANDIDATES, X, y, plan=plan)
    with study.run() as ledger:
        sizes, losses = ledger.size_errors("picky")
    row = plan.split(y, seed=0)[0, 0]
    own = row[0] % 2
    assert sizes.tolist() == [8, 75]
    assert np.isnan(losses[1, row % 2 == own]).all()
    assert not np.isnan(losses[1, row % 2 != own]).any()
