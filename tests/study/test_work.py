"""Work: a key is all that a trial needs to be told."""

import pickle

import numpy as np
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.plan import RepeatedFolds
from polychotomy.study.design.trials import TrialKey
from polychotomy.study.fitting.work import Work

X, y = load_iris(return_X_y=True)
DATA, PLAN = Dataset.of(X, y), RepeatedFolds(repetitions=2, folds=3)
WORK = Work(
    candidates={"1-NN": KNeighborsClassifier(1)},
    datasets={"iris": DATA},
    plans={PLAN.name: PLAN},
    splits={("iris", PLAN.name): PLAN.split(DATA.target.codes, seed=4)},
    seed=4,
)
KEY = TrialKey("iris", "1-NN", PLAN.name, 0, 1, 2)


def test_rows_are_those_of_the_plan():
    train, test = WORK.rows(KEY)
    split = PLAN.split(DATA.target.codes, seed=4)[0, 1]
    np.testing.assert_array_equal(test, np.flatnonzero(split == 2))
    np.testing.assert_array_equal(np.sort(np.r_[train, test]), np.arange(150))


def test_run_equals_a_fit_by_hand():
    train, test = WORK.rows(KEY)
    outcome = WORK.run(KEY)
    by_hand = KNeighborsClassifier(1).fit(X[train], y[train]).predict(X[test])
    np.testing.assert_array_equal(outcome.predicted, by_hand)


def test_it_travels():
    outcome = pickle.loads(pickle.dumps(WORK)).run(KEY)
    np.testing.assert_array_equal(outcome.predicted, WORK.run(KEY).predicted)
