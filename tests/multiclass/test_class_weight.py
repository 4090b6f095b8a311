"""Weights of classes and rare classes, against scikit-learn's own fits on each dichotomy's rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.class_weight import compute_sample_weight

from polychotomy.codes import one_vs_one, orthogonal
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier

X, CODES = load_iris(return_X_y=True)
KEPT = np.r_[0:50, 50:80, 100:112]  # 50, 30 and 12 of a class
X, CODES = X[KEPT][:, :2], CODES[KEPT]
Y = np.array(["ant", "bee", "cat"])[CODES]
WEIGHTS = {"cat": 7.0, "bee": 0.5}


def logistic(**options):
    return LogisticRegression(max_iter=2000, tol=1e-9, **options)


def machine(**options):
    return SVC(tol=1e-9, gamma=0.1, **options)


def answers(learner, X):
    if hasattr(learner, "predict_proba"):
        return learner.predict_proba(X)[:, 1]
    return 1 / (1 + np.exp(-learner.decision_function(X)))


@pytest.mark.parametrize("make", [logistic, machine])
@pytest.mark.parametrize("piped", [False, True])
def test_pairs_weigh_the_classes_that_the_user_named(make, piped):
    learner = make(class_weight=WEIGHTS)
    whole = make_pipeline(StandardScaler(), learner) if piped else learner
    model = CodedClassifier(whole, calibration=None).fit(X, Y)
    for number, row in enumerate(one_vs_one(3)):
        pair = row[CODES] != 0
        names = set(Y[pair])
        own = make(class_weight={k: w for k, w in WEIGHTS.items() if k in names})
        peer = (make_pipeline(StandardScaler(), own) if piped else own).fit(X[pair], Y[pair])
        plus = str(Y[row[CODES] > 0][0])
        expected = answers(peer, X)
        expected = expected if peer.classes_[1] == plus else 1 - expected
        assert_allclose(model.predict_dichotomies(X)[:, number], expected, atol=1e-5)
    assert_allclose(model.class_totals_, [50.0, 15.0, 84.0])


@pytest.mark.parametrize("code", ["one-vs-one", "one-vs-rest", "orthogonal"])
def test_balanced_is_over_the_classes_of_the_user_whatever_the_code(code):
    model = CodedClassifier(logistic(class_weight="balanced"), code=code).fit(X, Y)
    weights = compute_sample_weight("balanced", Y)
    for number, row in enumerate(model.code_):
        sides = row[CODES]
        if len(set(sides[sides != 0])) == 2:
            used = sides != 0
            peer = logistic().fit(X[used], sides[used] > 0, sample_weight=weights[used])
            expected = peer.predict_proba(X)[:, 1]
            assert_allclose(model.predict_dichotomies(X)[:, number], expected, atol=1e-5)


@pytest.mark.parametrize("code", ["one-vs-one", "orthogonal"])
@pytest.mark.parametrize("options", [{}, {"thresholds": "optimal"}, {"calibration": "isotonic"}])
def test_class_weight_is_sample_weight(code, options):
    given = np.arange(len(Y)) % 3 + 1.0
    weighed = CodedClassifier(SVC(class_weight=WEIGHTS), code=code, **options)
    by_hand = CodedClassifier(SVC(), code=code, **options)
    p = weighed.fit(X, Y, sample_weight=given).predict_proba(X)
    each = given * compute_sample_weight(WEIGHTS, Y)
    assert_allclose(p, by_hand.fit(X, Y, sample_weight=each).predict_proba(X), atol=1e-12)
    assert weighed.estimator.class_weight == WEIGHTS  # the user's learner stays as it is


def test_a_rare_class_is_found_once_its_weight_says_so():
    plain = CodedClassifier(SVC()).fit(X, Y).predict(X)
    weighed = CodedClassifier(SVC(class_weight={"cat": 20.0})).fit(X, Y).predict(X)
    rare = Y == "cat"
    assert (weighed[rare] == Y[rare]).mean() >= 0.9 > (plain[rare] == Y[rare]).mean()


def test_two_classes_keep_what_the_learner_does_itself():
    two = CODES < 2
    model = CodedClassifier(logistic(class_weight={"bee": 5.0})).fit(X[two], Y[two])
    peer = logistic(class_weight={"bee": 5.0}).fit(X[two], Y[two])
    assert_allclose(model.predict_proba(X), peer.predict_proba(X))


def test_parts_of_an_ensemble():
    both = [("first", logistic(class_weight=WEIGHTS)), ("second", logistic(class_weight=WEIGHTS))]
    voting = CodedClassifier(VotingClassifier(both, voting="soft"), decoder="loss").fit(X, Y)
    single = CodedClassifier(logistic(class_weight=WEIGHTS), decoder="loss").fit(X, Y)
    assert_allclose(voting.predict_proba(X), single.predict_proba(X), atol=1e-6)
    bagged = BaggingClassifier(logistic(class_weight=WEIGHTS), n_estimators=2, random_state=0)
    assert CodedClassifier(bagged).fit(X, Y).weights_[0] == 65.0


def test_keys_that_look_like_numbers():
    """scikit-learn takes the class "9" for 9 and finds no weight for it."""
    names = np.array(["9", "10", "11"])[CODES]
    model = CodedClassifier(SVC(class_weight={"11": 7.0, "10": 0.5})).fit(X, names)
    assert dict(zip(model.classes_.tolist(), model.class_totals_, strict=True)) == {
        "9": 50.0,
        "10": 15.0,
        "11": 84.0,
    }


def test_what_cannot_be_served_is_refused():
    with pytest.raises(InvalidInput, match="key 'dog', no class of y"):
        CodedClassifier(SVC(class_weight={"dog": 2.0})).fit(X, Y)
    differing = [("a", logistic(class_weight=WEIGHTS)), ("b", logistic(class_weight="balanced"))]
    with pytest.raises(InvalidInput, match="a__class_weight, b__class_weight differ"):
        CodedClassifier(VotingClassifier(differing)).fit(X, Y)


class TestOneMember:
    @pytest.mark.parametrize("code", ["one-vs-one", "one-vs-rest", "orthogonal", "nested"])
    @pytest.mark.parametrize(
        ("learner", "options"),
        [
            (logistic(), {}),
            (SVC(), {}),
            (SVC(), {"calibration": "isotonic"}),
            (SVC(), {"thresholds": "optimal"}),
        ],
    )
    def test_is_no_error(self, learner, options, code):
        labels = np.where(np.arange(len(Y)) == 5, "lonely", Y)
        model = CodedClassifier(learner, code=code, random_state=0, **options).fit(X, labels)
        p = model.predict_proba(X)
        assert "lonely" in model.classes_
        assert_allclose(p.sum(axis=1), 1.0)
        assert np.isfinite(p).all()

    def test_a_second_member_without_weight_is_none(self):
        labels = np.where(np.arange(len(Y)) < 2, "lonely", Y)
        weights = np.where(np.arange(len(Y)) == 1, 0.0, 1.0)
        model = CodedClassifier(SVC(gamma=1.0)).fit(X, labels, sample_weight=weights)
        without = CodedClassifier(SVC(gamma=1.0)).fit(
            np.delete(X, 1, axis=0), np.delete(labels, 1), sample_weight=np.delete(weights, 1)
        )
        assert_allclose(model.predict_proba(X), without.predict_proba(X), atol=1e-9)

    def test_its_pairs_have_the_sigmoid_of_all_together(self):
        labels = np.where(np.arange(len(Y)) == 5, "lonely", Y)
        model = CodedClassifier(SVC()).fit(X, labels)
        lonely = list(model.classes_).index("lonely")
        maps = {
            (d.calibrator.slope, d.calibrator.intercept)
            for row, d in zip(model.code_, model.dichotomies_, strict=True)
            if row[lonely]
        }
        assert len(maps) == 1
        assert maps.pop()[1] == 0.0


def test_the_code_of_the_balanced_test_has_sides_of_several_classes():
    assert (np.abs(orthogonal(3)).sum(axis=1) == 3).all()


@pytest.mark.parametrize(
    "asked", [{"ant": -1}, {"ant": 0, "bee": 0, "cat": 0}, {"ant": 0, "bee": 0}, {"cat": np.nan}]
)
def test_weights_of_classes_that_cannot_be_are_named(asked):
    with pytest.raises(
        InvalidInput, match=r"class_weight is \{.*; expected numbers of 0 or more, tw"
    ):
        CodedClassifier(SVC(class_weight=asked)).fit(X, Y)
