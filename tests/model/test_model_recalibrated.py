"""The classifier with a map on top: scikit-learn's own checks, and the promise about predict."""

from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.calibration import Isotonic, Sigmoid, Temperature
from polychotomy.calibration.isotonic import fit_isotonic
from polychotomy.calibration.sigmoid import fit_sigmoid
from polychotomy.calibration.temperature import fit_temperature
from polychotomy.core.exceptions import InvalidInput
from polychotomy.model import RecalibratedClassifier
from polychotomy.validation import prediction_sets


@parametrize_with_checks(
    [
        RecalibratedClassifier(LogisticRegression(), Temperature(0.7)),
        RecalibratedClassifier(GaussianNB(), "isotonic", sets=True),
    ]
)
def test_is_a_scikit_learn_classifier(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"estimator": GaussianNB}, "expected a classifier"),
        ({"estimator": None}, "estimator is None; expected a classifier"),
        ({"calibrator": "platt"}, "calibrator is 'platt'; expected a Calibrator or one of temper"),
        ({"calibrator": 2}, "calibrator is 2; expected None, a Calibrator, or a way to learn one"),
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


@pytest.mark.parametrize("how", ["temperature", "sigmoid", "isotonic"])
def test_what_is_learned_out_of_fold_is_as_by_hand(how):
    X, y = load_iris(return_X_y=True)
    labels = np.array(["a", "b", "c"])[y]
    model = RecalibratedClassifier(GaussianNB(), how, sets=True).fit(X, labels)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    own = cross_val_predict(GaussianNB(), X, y, cv=folds, method="predict_proba")
    fit = {"temperature": fit_temperature, "sigmoid": fit_sigmoid,
           "isotonic": partial(fit_isotonic, n_cases=150)}[how]  # fmt: skip
    corrected = fit(own, y).apply(own)
    raw = GaussianNB().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), fit(own, y).apply(raw))
    sets = prediction_sets(corrected, y, coverage=0.9)
    np.testing.assert_allclose(model.set_thresholds_, sets.thresholds)


def test_of_a_class_of_one_row_nothing_is_learned_out_of_fold():
    X, y = np.arange(10.0)[:, np.newaxis], np.array([0] * 9 + [1])
    with pytest.raises(InvalidInput, match="a class of y has one row; expected two or more"):
        RecalibratedClassifier(GaussianNB(), "sigmoid").fit(X, y)
    assert RecalibratedClassifier(GaussianNB()).fit(X, y).classes_.tolist() == [0, 1]
    with pytest.raises(InvalidInput, match=r"y has one class, 0; expected two or more\."):
        RecalibratedClassifier(GaussianNB()).fit(X, y * 0)
