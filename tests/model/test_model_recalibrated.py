"""The classifier with a map on top: scikit-learn's own checks, and the promise about predict."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.core.exceptions import InvalidInput
from polychotomy.model import RecalibratedClassifier
from polychotomy.validation import Isotonic, Sigmoid, Temperature


@parametrize_with_checks([RecalibratedClassifier(LogisticRegression(), Temperature(0.7))])
def test_is_a_scikit_learn_classifier(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"estimator": GaussianNB}, "expected a classifier"),
        ({"estimator": None}, "estimator is None; expected a classifier"),
        ({"calibrator": "isotonic"}, "calibrator is 'isotonic'; expected None or a Calibrator"),
        ({"costs": [[0, 1], [1, 0]]}, r"costs has shape \(2, 2\); expected \(3, 3\)"),
    ],
)
def test_arguments_are_checked_when_it_is_fitted(arguments, message):
    X, y = load_iris(return_X_y=True)
    model = RecalibratedClassifier(**{"estimator": GaussianNB(), **arguments})
    with pytest.raises(InvalidInput, match=message):
        model.fit(X, y)


@pytest.mark.parametrize(
    "calibrator",
    [
        None,
        Temperature(0.2),
        Sigmoid(np.array([0.5, 2.0, 1.0]), np.array([0.0, -1.0, 1.0])),
        Isotonic((np.array([0.0, 1.0]),) * 3, (np.array([0.3, 0.4]),) * 3),
    ],
)
def test_predict_is_the_highest_probability_and_rows_sum_to_one(calibrator):
    X, y = load_iris(return_X_y=True)
    labels = np.array(["a", "b", "c"])[y]
    model = RecalibratedClassifier(GaussianNB(), calibrator).fit(X, labels)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert (model.predict(X) == model.classes_[p.argmax(axis=1)]).all()


def test_a_learner_of_labels_only_votes():
    X, y = load_iris(return_X_y=True)
    p = RecalibratedClassifier(LinearSVC()).fit(X, y).predict_proba(X)
    assert set(p.ravel()) == {0.0, 1.0}
    assert (p.argmax(axis=1) == LinearSVC().fit(X, y).predict(X)).all()


def test_fit_leaves_what_it_was_given():
    X, y = load_iris(return_X_y=True)
    inner = GaussianNB()
    RecalibratedClassifier(inner).fit(X, y)
    assert not hasattr(inner, "classes_")
