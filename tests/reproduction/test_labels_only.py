"""Hidden probabilities change no label, and the seeds of a study reach the learner inside."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from polychotomy.reproduction.labels_only import LabelsOnly
from polychotomy.study.fitting.seeding import seeded


def test_labels_are_those_of_the_classifier():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    model = LabelsOnly(tree).fit(X, y)
    assert np.array_equal(model.predict(X), tree.fit(X, y).predict(X))
    assert np.array_equal(model.classes_, [0, 1, 2])
    assert not hasattr(model, "predict_proba")


def test_seed_reaches_the_learner():
    model = seeded(LabelsOnly(DecisionTreeClassifier()), 7)
    assert model.estimator.random_state is not None
