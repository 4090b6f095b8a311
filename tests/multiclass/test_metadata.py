"""Sample weights and metadata routing."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier

X, Y = load_iris(return_X_y=True)
WEIGHTS = np.random.default_rng(0).integers(0, 4, size=150)
LOGISTIC = LogisticRegression(max_iter=3000, tol=1e-10)


class Notes(ClassifierMixin, BaseEstimator):
    """A learner that writes down what it was given."""

    def fit(self, X, y, note=None, sample_weight=None):
        self.note_, self.sample_weight_, self.n_ = note, sample_weight, len(y)
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("learner", [LOGISTIC, GaussianNB(), KNeighborsClassifier(3)])
def test_whole_weights_are_repetitions(learner):
    """Also for a learner that takes no weights: its rows are repeated."""
    model = CodedClassifier(learner).fit(X, Y, sample_weight=WEIGHTS)
    rows = np.repeat(np.arange(150), WEIGHTS)
    repeated = CodedClassifier(learner).fit(X[rows], Y[rows])
    assert_allclose(model.predict_proba(X), repeated.predict_proba(X), atol=1e-5)
    assert_array_equal(model.weights_, repeated.weights_)


def test_n_ij_are_sums_of_weights():
    model = CodedClassifier(LOGISTIC).fit(X, Y, sample_weight=np.where(Y == 2, 0.5, 2.0))
    assert_array_equal(model.weights_, [200.0, 125.0, 125.0])


def test_other_weights_need_a_learner_that_takes_them():
    weights = np.where(Y == 2, np.pi, 1.0)
    with pytest.raises(InvalidInput, match=r"sample_weight is 1 to 3.14.*, and KNeighborsClass"):
        CodedClassifier(KNeighborsClassifier()).fit(X, Y, sample_weight=weights)
    with pytest.raises(InvalidInput, match="takes no sample weights; expected small multiples"):
        CodedClassifier(KNeighborsClassifier()).fit(X, Y, sample_weight=1 + 10**6 * (Y == 2))


def test_multiples_of_one_number_are_served_by_as_few_rows_as_can_be():
    """Five neighbours of rows that are all there twice would be two and a half."""
    plain = CodedClassifier(KNeighborsClassifier(), calibration=None).fit(X, Y)
    for unit in (2, 0.5, 1e-9):
        same = CodedClassifier(KNeighborsClassifier(), calibration=None)
        same.fit(X, Y, sample_weight=np.full(150, unit))
        assert_array_equal(same.predict_proba(X), plain.predict_proba(X))


def test_metadata_need_routing():
    with pytest.raises(InvalidInput, match="fit got note, which can only be passed on with"):
        CodedClassifier(Notes()).fit(X, Y, note="a")


@pytest.mark.usefixtures("routing")
def test_metadata_reach_the_learners_row_by_row():
    learner = Notes().set_fit_request(note=True, sample_weight=True)
    marks = np.arange(150)
    model = CodedClassifier(learner).fit(X, Y, note=marks, sample_weight=marks + 1.0)
    assert_array_equal(model.estimators_[1].note_, marks[Y != 1])
    assert_array_equal(model.estimators_[1].sample_weight_, marks[Y != 1] + 1.0)
    same = CodedClassifier(learner).fit(X, Y, note="the same for all")
    assert same.estimators_[0].note_ == "the same for all"


@pytest.mark.usefixtures("routing")
def test_weights_through_a_pipeline():
    steps = make_pipeline(
        StandardScaler().set_fit_request(sample_weight=True),
        LogisticRegression(tol=1e-10, max_iter=3000).set_fit_request(sample_weight=True),
    )
    model = CodedClassifier(steps).fit(X, Y, sample_weight=WEIGHTS)
    rows = np.repeat(np.arange(150), WEIGHTS)
    repeated = CodedClassifier(steps).fit(X[rows], Y[rows])
    assert_allclose(model.predict_proba(X), repeated.predict_proba(X), atol=1e-5)


@pytest.mark.usefixtures("routing")
def test_learner_without_weights_under_routing():
    model = CodedClassifier(KNeighborsClassifier(3)).fit(X, Y, sample_weight=WEIGHTS)
    rows = np.repeat(np.arange(150), WEIGHTS)
    repeated = CodedClassifier(KNeighborsClassifier(3)).fit(X[rows], Y[rows])
    assert_array_equal(model.predict_proba(X), repeated.predict_proba(X))


@pytest.mark.usefixtures("routing")
def test_groups_reach_the_splitter():
    groups = np.arange(150) % 6
    cv = GroupKFold(3)
    model = CodedClassifier(SVC(), cv=cv).fit(X, Y, groups=groups)
    pairs = list(cv.split(X, Y, groups))
    same = CodedClassifier(SVC(), cv=pairs).fit(X, Y)
    assert_array_equal(model.predict_proba(X), same.predict_proba(X))
