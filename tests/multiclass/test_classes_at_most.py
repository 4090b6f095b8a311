"""A learner of a limited number of classes made one of any number."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from polychotomy.core.exceptions import InvalidCode, InvalidInput
from polychotomy.decoding import decode_letters
from polychotomy.multiclass import CodedClassifier

X, Y = load_digits(return_X_y=True)
X, Y, Z, TRUTH = X[:600], Y[:600], X[600:900], Y[600:900]


class AtMostThree(ClassifierMixin, BaseEstimator):
    """Neighbours, but no more than three classes of them."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.classes_.size > 3:
            raise ValueError("more than three classes")
        self.model_ = KNeighborsClassifier(5).fit(X, y)
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)

    def predict(self, X):
        return self.model_.predict(X)


@pytest.mark.parametrize("decoder", ["auto", "least-squares", "log-mean"])
def test_more_classes_than_the_learner_takes(decoder):
    model = CodedClassifier(AtMostThree(), classes_at_most=3, decoder=decoder).fit(X, Y)
    assert len(model.estimators_) == len(model.code_) == 13
    p = model.predict_proba(Z)
    assert_allclose(p.sum(axis=1), 1.0)
    assert model.score(Z, TRUTH) > KNeighborsClassifier(5).fit(X, Y).score(Z, TRUTH) - 0.02
    assert_array_equal(model.predict(Z), model.classes_[p.argmax(axis=1)])
    assert_array_equal(model.decision_function(Z).argmax(axis=1), p.argmax(axis=1))
    assert model.floor_ > 0
    assert p.min() >= model.floor_ * (1 - 1e-9)
    assert model.decoder_ == ("bradley-terry" if decoder == "auto" else decoder)
    untempered = CodedClassifier(AtMostThree(), classes_at_most=3, calibration=None).fit(X, Y)
    assert (untempered.temperature_, untempered.floor_) == (1.0, 0.0)
    assert log_loss(TRUTH, p) < log_loss(TRUTH, untempered.predict_proba(Z))


def test_probabilities_are_those_of_fits_by_hand():
    model = CodedClassifier(GaussianNB(), classes_at_most=4, calibration=None).fit(X, Y)
    answers = np.stack([GaussianNB().fit(X, r[Y]).predict_proba(Z) for r in model.code_], axis=1)
    assert_allclose(model.predict_letters(Z), answers)
    assert_allclose(model.predict_proba(Z), decode_letters(model.code_, answers), atol=1e-9)


class Counted(GaussianNB):
    fits = 0

    def fit(self, X, y, sample_weight=None):
        Counted.fits += 1
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(("cv", "folds"), [(None, 1), (3, 3)])
def test_a_temperature_takes_half_of_the_rows_where_they_tell_all_classes_apart(cv, folds):
    Counted.fits = 0
    balanced_rows = CodedClassifier(Counted(), classes_at_most=4, cv=cv).fit(X, Y)
    rows = len(balanced_rows.code_)
    assert Counted.fits == rows + folds * -(-rows // 2)
    assert balanced_rows.temperature_ != 1
    Counted.fits = 0
    one_each = [[0, 1, 1, 1, 1], [1, 0, 1, 1, 1], [1, 1, 0, 1, 1], [1, 1, 1, 0, 1]]
    CodedClassifier(Counted(), code=one_each, classes_at_most=4, cv=cv).fit(X[Y < 5], Y[Y < 5])
    assert Counted.fits == 4 + folds * 4


def test_enough_letters_leave_the_learner_as_it_is():
    model = CodedClassifier(GaussianNB(), classes_at_most=10).fit(X, Y)
    assert_array_equal(model.predict_proba(Z), GaussianNB().fit(X, Y).predict_proba(Z))
    assert model.calibration_ == "none"


def test_a_table_of_letters_with_classes_not_asked():
    code = np.array([[0, 1, 2, -1, -1], [-1, -1, 0, 1, 2], [0, 1, -1, 1, 0], [0, 0, 1, 1, 2]])
    few, new = Y < 5, TRUTH < 5
    model = CodedClassifier(AtMostThree(), code=code, classes_at_most=3).fit(X[few], Y[few])
    assert model.score(Z[new], TRUTH[new]) > 0.94
    assert_array_equal(model.code_, code)
    assert_array_equal(model.weights_, [np.isin(Y, np.flatnonzero(r >= 0)).sum() for r in code])


def test_weights_labels_and_pickles():
    names = np.array(list("abcdefghij"))[Y]
    weights = (np.arange(600) % 4 > 0).astype(float)
    options = {"classes_at_most": 3, "cv": 2}
    learner = LogisticRegression(max_iter=2000)
    model = CodedClassifier(learner, **options).fit(X / 16, names, sample_weight=weights)
    here = weights > 0
    without = CodedClassifier(learner, **options).fit(X[here] / 16, names[here])
    assert_allclose(model.predict_proba(Z / 16), without.predict_proba(Z / 16), atol=1e-3)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict(Z / 16), model.predict(Z / 16))


@pytest.mark.parametrize(
    ("learner", "options", "error", "said"),
    [
        (LinearSVC(), {}, InvalidInput, "LinearSVC has no predict_proba"),
        (GaussianNB(), {"code": "orthogonal"}, InvalidInput, "code is 'orthogonal' and classes_at"),
        (GaussianNB(), {"decoder": "votes"}, InvalidInput, "decoder of letters is 'votes'"),
        (GaussianNB(), {"calibration": "sigmoid"}, InvalidInput, "calibration of letters is"),
        (GaussianNB(), {"classes_at_most": 1}, InvalidInput, "classes_at_most is 1"),
        (
            GaussianNB(),
            {"code": [[0, 1, 2, 3]]},
            InvalidCode,
            "code has 4 columns and letters to 3",
        ),
        (AtMostThree(), {"classes_at_most": 4}, ValueError, "AtMostThree failed on row 0 of the"),
    ],
)
def test_errors(learner, options, error, said):
    with pytest.raises(error, match=said):
        CodedClassifier(learner, **{"classes_at_most": 3, **options}).fit(X, Y)


def test_what_is_about_dichotomies_says_so():
    model = CodedClassifier(GaussianNB(), classes_at_most=4, calibration=None).fit(X, Y)
    for method in (model.predict_dichotomies, model.tied):
        with pytest.raises(InvalidInput, match="predict_letters gives what the learners answer"):
            method(Z)
    with pytest.raises(InvalidInput, match="there are dichotomies, no letters"):
        CodedClassifier(GaussianNB()).fit(X, Y).predict_letters(Z)


@pytest.mark.long
@parametrize_with_checks([CodedClassifier(LogisticRegression(C=10), classes_at_most=2, cv=2)])
def test_estimator_checks(estimator, check):
    check(estimator)
