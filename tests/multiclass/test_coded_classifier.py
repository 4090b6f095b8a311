"""CodedClassifier against pairwise fits done by hand, and its promises."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, load_wine, make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from polychotomy.calibration.sigmoid import Sigmoid, fit_platt
from polychotomy.codes import one_vs_one, one_vs_rest
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.decoding import project_to_simplex
from polychotomy.decoding.couple import couple
from polychotomy.decoding.decode import decode
from polychotomy.multiclass import CodedClassifier, optimal_threshold
from polychotomy.multiclass.dichotomies import _fit_sigmoids
from polychotomy.multiclass.training import deal_folds

X_IRIS, Y_IRIS = load_iris(return_X_y=True)
LOGISTIC = LogisticRegression(max_iter=2000)


def uneven():
    """Four overlapping classes of 20, 30, 40 and 50 members."""
    return make_blobs([20, 30, 40, 50], n_features=3, cluster_std=5.0, random_state=1)


def tempered(model, p):
    """What `predict_proba` makes of decoded probabilities, by its two public numbers."""
    share = p.shape[1] * model.floor_
    p = (p if share == 0 else np.maximum(p, 1e-6)) ** model.temperature_
    return (1 - share) * p / p.sum(axis=1, keepdims=True) + model.floor_


class TestTemperatureOfPooledSides:
    def test_learned_where_sides_have_several_classes(self):
        rng = np.random.default_rng(0)
        centres, y = rng.normal(size=(30, 20)), np.repeat(np.arange(30), 12)
        X = centres[y] + rng.normal(size=(y.size, 20))
        Z, z = X[1::2] + 0.0, y[1::2]
        for code in ("one-vs-rest", "orthogonal", "random-dense"):
            ask = {"code": code, "random_state": 0}
            plain = CodedClassifier(LOGISTIC, calibration=None, **ask).fit(X[::2], y[::2])
            model = CodedClassifier(LOGISTIC, **ask).fit(X[::2], y[::2])
            assert (plain.calibration_, model.calibration_) == ("none", "temperature")
            assert plain.temperature_ == 1.0
            assert model.temperature_ > 1.5  # decoded, they were too cautious
            assert log_loss(z, model.predict_proba(Z)) < 0.8 * log_loss(z, plain.predict_proba(Z))
            assert_array_equal(model.predict(Z), plain.predict(Z))

    def test_nothing_where_nobody_can_be_left_out_or_nothing_is_probable(self):
        X = np.random.default_rng(0).normal(size=(6, 3))
        model = CodedClassifier(LOGISTIC, code="one-vs-rest").fit(X, np.arange(6))
        assert (model.calibration_, model.temperature_, model.floor_) == ("none", 1.0, 0.0)
        X, y = uneven()
        model = CodedClassifier(LOGISTIC, code="one-vs-rest", decoder="votes").fit(X, y)
        assert (model.calibration_, model.temperature_) == ("none", 1.0)

    def test_two_classes_stay_the_learner_itself(self):
        X, y = uneven()
        model = CodedClassifier(LOGISTIC, calibration="temperature").fit(X[y < 2], y[y < 2])
        own = clone(LOGISTIC).fit(X[y < 2], y[y < 2]).predict_proba(X)
        assert model.calibration_ == "none"
        assert_allclose(model.predict_proba(X), own, atol=1e-12)


def test_the_pooled_sigmoid_sees_both_sides_of_pairs_of_any_size():
    # Every twelfth of the scores of 2,000 pairs of six and six would be of one side.
    which, positive = np.repeat(np.arange(2000), 12), np.tile(np.repeat([True, False], 6), 2000)
    raw = np.where(positive, 1.0, np.random.default_rng(0).choice([0.5, -1.0], positive.size))
    alone = np.zeros(2000, dtype=bool)  # none fits a sigmoid of its own
    found = _fit_sigmoids(which, raw, positive, np.ones(raw.size), alone, keep_sign=True)
    expected = fit_platt(raw, positive, keep_sign=True)
    assert_allclose(found.slope, expected.slope, rtol=0.1)


class TestAgainstFitsByHand:
    def test_one_vs_one_is_pairwise_coupling_with_counts(self):
        X, y = uneven()
        table, counts = np.full((len(X), 4, 4), 0.5), np.ones((4, 4))
        for i in range(4):
            for j in range(i + 1, 4):
                pair = (y == i) | (y == j)
                r = clone(LOGISTIC).fit(X[pair], y[pair] == i).predict_proba(X)[:, 1]
                table[:, i, j], table[:, j, i] = r, 1 - r
                counts[i, j] = counts[j, i] = pair.sum()
        model = CodedClassifier(LOGISTIC, decoder="bradley-terry").fit(X, y)
        assert_allclose(model.predict_proba(X), couple(table, weights=counts), atol=1e-9)
        assert_array_equal(model.weights_, [50, 60, 70, 70, 80, 90])
        model.set_params(decoder="least-squares").fit(X, y)
        expected = couple(table, decoder="least-squares", weights=counts)
        assert_allclose(model.predict_proba(X), expected, atol=1e-9)

    def test_orthogonal_code_is_the_projection_of_m24(self):
        X, y = uneven()
        code = orthogonal(4)
        r = np.ones((len(X), len(code)))
        for number, row in enumerate(code):
            if abs(row.sum()) < 4:
                learner = clone(LOGISTIC).fit(X, row[y])
                r[:, number] = 2 * learner.predict_proba(X)[:, 1] - 1
        model = CodedClassifier(LOGISTIC, code="orthogonal", decoder="least-squares").fit(X, y)
        expected = project_to_simplex(r @ code / len(code))
        assert_allclose(model.predict_proba(X), tempered(model, expected), atol=1e-9)

    def test_sigmoid_is_that_of_scikit_learn_on_the_same_folds(self, monkeypatch):
        # Without a prior, and with Platt's targets, which scikit-learn has.
        def alone(pooled, scores, positive, weights, starts):
            parts = [np.split(one, starts[1:]) for one in (scores, positive, weights)]
            fits = [fit_platt(*part) for part in zip(*parts, strict=True)]
            slopes, intercepts = [fit.slope for fit in fits], [fit.intercept for fit in fits]
            return Sigmoid(np.array(slopes), np.array(intercepts))

        monkeypatch.setattr("polychotomy.multiclass.dichotomies.fit_around", alone)
        X, y = uneven()
        folds = deal_folds(y, 5)
        model = CodedClassifier(SVC(gamma=0.02, tol=1e-9), cv=5).fit(X, y)
        pair = np.flatnonzero((y == 1) | (y == 3))
        place = np.full(len(y), -1)
        place[pair] = np.arange(pair.size)
        inside = [
            (place[np.intersect1d(train, pair)], place[np.intersect1d(test, pair)])
            for train, test in folds
        ]
        peer = CalibratedClassifierCV(SVC(gamma=0.02, tol=1e-9), ensemble=False, cv=inside)
        expected = peer.fit(X[pair], y[pair] == 1).predict_proba(X)[:, 1]
        row = one_vs_one(4).tolist().index([0, 1, 0, -1])
        assert_allclose(model.predict_dichotomies(X)[:, row], expected, atol=2e-4)

    def test_threshold_is_the_optimal_one_of_out_of_fold_logits(self):
        X, y = uneven()
        model = CodedClassifier(GaussianNB(), thresholds="optimal", cv=5).fit(X, y)
        pair = np.flatnonzero(y < 2)
        fold = np.empty(len(y), dtype=int)
        for number, (_, test) in enumerate(deal_folds(y, 5)):
            fold[test] = number
        cv = [(np.flatnonzero(fold[pair] != f), np.flatnonzero(fold[pair] == f)) for f in range(5)]
        p = cross_val_predict(GaussianNB(), X[pair], y[pair] == 0, cv=cv, method="predict_proba")
        t = optimal_threshold(logit(p[:, 1]), y[pair] == 0)
        assert t != 0
        assert model.thresholds_[0] == pytest.approx(t, abs=1e-9)
        own = GaussianNB().fit(X[pair], y[pair] == 0).predict_proba(X)[:, 1]
        outputs = model.predict_dichotomies(X)[:, 0]
        assert_allclose(outputs, expit(logit(np.clip(own, 1e-16, 1)) - t), atol=1e-8)

    @pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares", "votes", "loss"])
    def test_probabilities_are_decoded_outputs(self, decoder):
        X, y = uneven()
        model = CodedClassifier(LOGISTIC, code="one-vs-rest", decoder=decoder).fit(X, y)
        expected = decode(one_vs_rest(4), model.predict_dichotomies(X), decoder=decoder)
        assert_allclose(model.predict_proba(X), tempered(model, expected), atol=1e-9)


CODES = [
    "one-vs-one",
    "one-vs-rest",
    "orthogonal",
    "exhaustive",
    "nested",
    "random-dense",
    "random-sparse",
    one_vs_rest,
    np.array([[1.0, -1, 0, 0], [0, 1, -1, 0], [0, 0, 1, -1]]),
]


class TestPromises:
    @pytest.mark.parametrize("code", CODES, ids=lambda code: str(code)[:13])
    @pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares", "votes", "loss"])
    def test_predict_is_argmax_and_rows_sum_to_one(self, code, decoder):
        X, y = uneven()
        model = CodedClassifier(GaussianNB(), code=code, decoder=decoder, random_state=0).fit(X, y)
        p = model.predict_proba(X)
        assert p.shape == (len(X), 4)
        assert (p >= 0).all()
        assert_allclose(p.sum(axis=1), 1.0, atol=1e-12)
        assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
        scores = model.decision_function(X)
        assert np.isfinite(scores).all()
        assert_array_equal(scores.argmax(axis=1), p.argmax(axis=1))

    @pytest.mark.parametrize("code", ["one-vs-one", "one-vs-rest", "exhaustive"])
    def test_class_order_does_not_matter(self, code):
        X, y = uneven()
        order = np.array([2, 0, 3, 1])
        model = CodedClassifier(LogisticRegression(tol=1e-12), code=code).fit(X, y)
        other = clone(model).fit(X, order[y])
        assert_allclose(other.predict_proba(X)[:, order], model.predict_proba(X), atol=1e-6)

    @pytest.mark.parametrize(
        "learner",
        [
            LOGISTIC,
            *(pytest.param(one, marks=pytest.mark.long) for one in (SVC(), KNeighborsClassifier())),
        ],
    )
    @pytest.mark.long
    def test_n_jobs_changes_nothing(self, learner):
        X, y = uneven()
        alone = CodedClassifier(learner).fit(X, y).predict_proba(X)
        together = CodedClassifier(learner, n_jobs=2).fit(X, y).predict_proba(X)
        assert_array_equal(alone, together)

    def test_rows_equal_up_to_sign_are_trained_once_and_constant_rows_never(self):
        X, y = X_IRIS, Y_IRIS
        code = np.array([[1, -1, 0], [-1, 1, 0], [1, 1, -1], [1, 1, 1], [0, 1, 1]])
        model = CodedClassifier(LOGISTIC, code=code).fit(X, y)
        assert len(model.estimators_) == 2
        outputs = model.predict_dichotomies(X)
        assert_allclose(outputs[:, 0] + outputs[:, 1], 1.0)
        assert (outputs[:, 3:] == 1.0).all()
        assert len(CodedClassifier(LOGISTIC, code="orthogonal").fit(X, y).estimators_) == 3

    @pytest.mark.parametrize(
        "labels",
        [["a", "b", "c"], [-5, 0, 7], [1.0, 2.0, 3.0], np.array(["x", "yy", "zzz"], dtype=object)],
        ids=["str", "negative", "float", "object"],
    )
    def test_any_labels(self, labels):
        labels = np.asarray(labels)
        expected = CodedClassifier(LOGISTIC).fit(X_IRIS, Y_IRIS)
        for y in (
            labels[Y_IRIS],
            labels[Y_IRIS].tolist(),
            pd.Series(labels[Y_IRIS]),
            pd.Series(labels[Y_IRIS]).astype("category"),
        ):
            model = CodedClassifier(LOGISTIC).fit(X_IRIS, y)
            assert_array_equal(model.classes_, labels)
            assert_array_equal(model.predict(X_IRIS), labels[expected.predict(X_IRIS)])

    def test_bool_labels(self):
        model = CodedClassifier(LOGISTIC).fit(X_IRIS, Y_IRIS == 1)
        assert model.predict(X_IRIS).dtype == bool

    def test_pickle(self):
        model = pickle.loads(pickle.dumps(CodedClassifier(SVC()).fit(X_IRIS, Y_IRIS)))
        same = CodedClassifier(SVC()).fit(X_IRIS, Y_IRIS)
        assert_array_equal(model.predict_proba(X_IRIS), same.predict_proba(X_IRIS))

    def test_html_repr_shows_the_learner(self):
        assert "LinearSVC" in CodedClassifier(LinearSVC())._repr_html_()


class TestTwoClasses:
    X, y = X_IRIS[50:], np.where(Y_IRIS[50:] == 1, "versicolor", "virginica")

    @pytest.mark.parametrize("code", ["one-vs-one", "one-vs-rest", "orthogonal", one_vs_rest])
    @pytest.mark.parametrize("learner", [LOGISTIC, GaussianNB(), LinearDiscriminantAnalysis()])
    def test_probabilities_are_the_learners_own(self, learner, code):
        model = CodedClassifier(learner, code=code).fit(self.X, self.y)
        alone = clone(learner).fit(self.X, self.y)
        assert_array_equal(model.predict_proba(self.X), alone.predict_proba(self.X))
        assert_array_equal(model.predict(self.X), alone.predict(self.X))
        if hasattr(alone, "decision_function"):
            own = alone.decision_function(self.X)
            assert_array_equal(model.decision_function(self.X), own)

    @pytest.mark.parametrize(
        "learner", [SVC(), LinearSVC(), RidgeClassifier(), SGDClassifier(random_state=0)]
    )
    @pytest.mark.parametrize("calibration", ["auto", "sigmoid", None])
    def test_decisions_are_the_learners_own(self, learner, calibration):
        model = CodedClassifier(learner, calibration=calibration).fit(self.X, self.y)
        alone = clone(learner).fit(self.X, self.y)
        assert_array_equal(model.decision_function(self.X), alone.decision_function(self.X))
        assert_array_equal(model.predict(self.X), alone.predict(self.X))
        p = model.predict_proba(self.X)
        assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(self.X))

    def test_unbalanced_sides_keep_the_learners_decisions(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(300, 2))
        y = (X[:, 0] + rng.normal(size=300) > 1.8).astype(int)
        model, alone = CodedClassifier(SVC()).fit(X, y), SVC().fit(X, y)
        assert_array_equal(model.predict(X), alone.predict(X))

    def test_thresholds_and_isotonic_agree_with_their_decision_function(self):
        for options in ({"thresholds": "optimal"}, {"calibration": "isotonic"}):
            model = CodedClassifier(SVC(), **options).fit(self.X, self.y)
            above = model.decision_function(self.X) > 0
            assert_array_equal(model.classes_[above.astype(int)], model.predict(self.X))


class Labels(ClassifierMixin, BaseEstimator):
    """A learner that gives labels only."""

    def fit(self, X, y):
        self.inner_ = LogisticRegression(max_iter=500).fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X)


class TestCalibration:
    @pytest.mark.parametrize(
        ("learner", "calibration", "done"),
        [
            (LOGISTIC, "auto", "none"),
            (LinearSVC(), "auto", "sigmoid"),
            (LOGISTIC, None, "none"),
            (LOGISTIC, "sigmoid", "sigmoid"),
            (SVC(), None, "logistic"),
            (SVC(), "isotonic", "isotonic"),
        ],
    )
    def test_says_what_was_done(self, learner, calibration, done):
        model = CodedClassifier(learner, calibration=calibration).fit(X_IRIS, Y_IRIS)
        assert (model.calibration_, model.decoder_) == (done, "least-squares")

    @pytest.mark.parametrize(
        ("learner", "options", "decoder"),
        [
            (GaussianNB(), {}, "bradley-terry"),
            (GaussianNB(), {"calibration": "sigmoid"}, "least-squares"),
            (LOGISTIC, {"code": "one-vs-rest"}, "bradley-terry"),
            (make_pipeline(StandardScaler(), LOGISTIC), {}, "least-squares"),
            (LOGISTIC, {"decoder": "loss"}, "loss"),
        ],
    )
    def test_auto_decoder(self, learner, options, decoder):
        assert CodedClassifier(learner, **options).fit(X_IRIS, Y_IRIS).decoder_ == decoder

    def test_labels_only_are_votes_with_a_warning(self):
        model = CodedClassifier(Labels())
        with pytest.warns(UserWarning, match="Labels has neither predict_proba nor"):
            model.fit(X_IRIS, Y_IRIS)
        assert (model.calibration_, model.decoder_) == ("votes", "votes")
        assert set(np.unique(model.predict_dichotomies(X_IRIS))) == {0.0, 1.0}
        assert model.score(X_IRIS, Y_IRIS) > 0.9

    def test_without_calibration_decision_values_are_logits(self):
        model = CodedClassifier(SVC(gamma=0.1, tol=1e-12), calibration=None).fit(X_IRIS, Y_IRIS)
        pair = Y_IRIS < 2
        own = (
            SVC(gamma=0.1, tol=1e-12).fit(X_IRIS[pair], Y_IRIS[pair] == 0).decision_function(X_IRIS)
        )
        assert_allclose(model.predict_dichotomies(X_IRIS)[:, 0], expit(own), atol=1e-9)

    def test_small_classes_share_fewer_folds(self):
        X, y = make_blobs([2, 3, 40], cluster_std=3.0, random_state=0)
        p = CodedClassifier(LinearSVC()).fit(X, y).predict_proba(X)
        assert np.isfinite(p).all()

    def test_probabilities_follow_the_truth(self):
        X, y = make_blobs(3000, centers=4, n_features=2, cluster_std=3.0, random_state=3)
        model = CodedClassifier(LinearSVC()).fit(X[:1500], y[:1500])
        p = model.predict_proba(X[1500:])
        sure = p.max(axis=1)
        right = model.predict(X[1500:]) == y[1500:]
        for low, high in ((0.4, 0.6), (0.6, 0.8), (0.8, 1.01)):
            some = (sure >= low) & (sure < high)
            assert abs(sure[some].mean() - right[some].mean()) < 0.08

    def test_splitter_and_pairs_as_cv(self):
        from sklearn.model_selection import StratifiedKFold

        cv = StratifiedKFold(3, shuffle=True, random_state=0)
        model = CodedClassifier(SVC(), cv=cv).fit(X_IRIS, Y_IRIS)
        same = CodedClassifier(SVC(), cv=list(cv.split(X_IRIS, Y_IRIS))).fit(X_IRIS, Y_IRIS)
        assert_array_equal(model.predict_proba(X_IRIS), same.predict_proba(X_IRIS))


class TestVotes:
    def test_ties_are_where_several_classes_win_most(self):
        model = CodedClassifier(LOGISTIC, decoder="votes").fit(X_IRIS, Y_IRIS)
        outputs = model.predict_dichotomies(X_IRIS)
        wins = np.column_stack(
            [
                (outputs[:, 0] > 0.5) * 1.0 + (outputs[:, 1] > 0.5),
                (outputs[:, 0] < 0.5) * 1.0 + (outputs[:, 2] > 0.5),
                (outputs[:, 1] < 0.5) * 1.0 + (outputs[:, 2] < 0.5),
            ]
        )
        tied = (wins == wins.max(axis=1, keepdims=True)).sum(axis=1) > 1
        assert_array_equal(model.tied(X_IRIS), tied)
        assert_array_equal(model.predict(X_IRIS), wins.argmax(axis=1))


def test_wine_with_every_code_is_good():
    X, y = load_wine(return_X_y=True)
    for code in ("one-vs-one", "orthogonal", "nested", "random-sparse"):
        model = CodedClassifier(
            make_pipeline(StandardScaler(), LinearSVC()), code=code, random_state=0
        )
        assert model.fit(X, y).score(X, y) > 0.97
