"""NumberedLabelsClassifier: the classifier inside sees 0, 1, … without a gap; nobody else does."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.core.exceptions import InvalidInput
from polychotomy.learners.numbered_labels import NumberedLabelsClassifier, with_numbered_labels


class Strict(ClassifierMixin, BaseEstimator):
    """Naive Bayes that refuses labels as XGBoost does, and has two columns for one class."""

    __module__ = "xgboost.sklearn"

    def __init__(self, var_smoothing=1e-9):
        self.var_smoothing = var_smoothing

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        expected = np.arange(len(self.classes_))
        if y.dtype.kind != "i" or not np.array_equal(self.classes_, expected):
            raise ValueError(f"Invalid classes inferred. Expected: {expected}, got {self.classes_}")
        self.bayes_ = GaussianNB(var_smoothing=self.var_smoothing).fit(X, y, sample_weight)
        return self

    def predict(self, X):
        return self.bayes_.predict(X).astype(np.int32)

    def predict_proba(self, X):
        found = self.bayes_.predict_proba(X)
        return found if found.shape[1] > 1 else np.column_stack([found - 1e-6, 1 - found + 1e-6])


class Derived(Strict):
    """A class of the user's own, derived from one of xgboost's."""

    __module__ = "mine"


@parametrize_with_checks([NumberedLabelsClassifier(LogisticRegression())])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("labels", [["a", "b", "c"], [1, 2, 3], [-1.0, 0.0, 5.0], [True, False]])
def test_labels_of_any_kind_come_back(labels):
    X, y = load_iris(return_X_y=True)
    X, y = X[y < len(labels)], np.array(sorted(labels))[y[y < len(labels)]]
    model = NumberedLabelsClassifier(Strict()).fit(X, y)
    plain = GaussianNB().fit(X, y)
    assert_array_equal(model.classes_, plain.classes_)
    assert_array_equal(model.predict(X), plain.predict(X))
    assert model.predict(X).dtype == y.dtype
    assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_a_class_absent_from_the_fold_leaves_no_gap():
    X, y = load_iris(return_X_y=True)
    some = y != 1
    model = NumberedLabelsClassifier(Strict()).fit(X[some], y[some])
    assert model.classes_.tolist() == [0, 2]
    assert model.estimator_.classes_.tolist() == [0, 1]
    assert set(model.predict(X)) == {0, 2}


def test_a_single_class_has_probability_one():
    model = NumberedLabelsClassifier(Strict()).fit([[0.0], [1.0]], ["only", "only"])
    assert model.predict_proba([[3.0]]).tolist() == [[1.0]]
    assert model.predict([[3.0]]).tolist() == ["only"]


def test_weights_reach_the_classifier():
    X, y = load_iris(return_X_y=True)
    weights = np.linspace(0.1, 2, len(y))
    model = NumberedLabelsClassifier(Strict()).fit(X, y.astype(str), sample_weight=weights)
    expected = GaussianNB().fit(X, y, sample_weight=weights).predict_proba(X)
    assert_array_equal(model.predict_proba(X), expected)
    assert not np.array_equal(expected, GaussianNB().fit(X, y).predict_proba(X))


def test_without_probabilities_inside_there_are_none_outside():
    assert not hasattr(NumberedLabelsClassifier(LinearSVC()), "predict_proba")
    assert hasattr(NumberedLabelsClassifier(Strict()), "predict_proba")


def test_names_of_columns_are_those_of_the_last_fit():
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = NumberedLabelsClassifier(LogisticRegression(max_iter=1000))
    assert model.fit(X, y).feature_names_in_.tolist() == list(X.columns)
    assert not hasattr(model.fit(X.to_numpy(), y), "feature_names_in_")
    assert model.n_features_in_ == 4


def test_labels_are_required():
    with pytest.raises(InvalidInput, match="requires y to be passed"):
        NumberedLabelsClassifier(Strict()).fit([[0.0]], None)


def test_parameters_go_through():
    model = NumberedLabelsClassifier(Strict()).set_params(estimator__var_smoothing=0.5)
    assert clone(model).get_params()["estimator__var_smoothing"] == 0.5


@pytest.mark.parametrize("learner", [Strict(), Derived()])
def test_what_is_xgboosts_is_wrapped(learner):
    wrapped = with_numbered_labels(learner)
    assert isinstance(wrapped, NumberedLabelsClassifier)
    assert wrapped.estimator is learner
    assert with_numbered_labels(wrapped) is wrapped


@pytest.mark.parametrize(
    "around",
    [
        lambda inner: GridSearchCV(inner, {"var_smoothing": [1e-9, 1e-3]}, cv=2),
        lambda inner: CalibratedClassifierCV(make_pipeline(StandardScaler(), inner), cv=2),
    ],
)
def test_a_search_or_a_calibration_is_wrapped_as_a_whole(around):
    """As a search's settings have names, what is inside stays in its place."""
    wrapped = with_numbered_labels(make_pipeline(StandardScaler(), around(Strict())))
    assert isinstance(wrapped[-1], NumberedLabelsClassifier)
    X = [[0.0], [1.0], [8.0], [9.0]]
    assert wrapped.fit(X, list("aabb")).predict(X).tolist() == list("aabb")
    plain = around(GaussianNB())
    assert with_numbered_labels(plain) is plain


@pytest.mark.parametrize("other", [GaussianNB(), make_pipeline(StandardScaler(), GaussianNB())])
def test_all_else_stays_as_it_is(other):
    assert with_numbered_labels(other) is other


def test_only_the_last_step_of_a_copy_is_replaced():
    inner = make_pipeline(StandardScaler(), Strict())
    given = Pipeline([("scale", StandardScaler()), ("inner", inner)], memory="here", verbose=True)
    found = with_numbered_labels(given)
    assert isinstance(found["inner"].steps[-1][1], NumberedLabelsClassifier)
    assert isinstance(inner.steps[-1][1], Strict)
    assert given["inner"] is inner
    assert (found.memory, found.verbose) == ("here", True)
    assert found["scale"] is given["scale"]
    found = found.set_params(memory=None, verbose=False)
    X = pd.DataFrame({"size": [0.0, 1.0, 8.0, 9.0]})
    assert found.fit(X, list("aabb")).predict(X).tolist() == list("aabb")
