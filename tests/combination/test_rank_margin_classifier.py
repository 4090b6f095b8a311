"""RankMarginClassifier: scores of samples not seen, probabilities, members fitted or not."""

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy.combination import (
    ModestAdaBoostClassifier,
    RankBoostClassifier,
    RankMarginClassifier,
    TunedMarginFit,
    rank_margin_weights,
)
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier

X, Y = make_classification(600, 8, n_informative=4, flip_y=0.1, random_state=0)
TRAIN, TEST = slice(0, 300), slice(300, 600)


def members():
    return [
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
        ("linear", make_pipeline(StandardScaler(), Perceptron(random_state=0))),
    ]


def test_combines_for_ranking():
    combined = RankMarginClassifier(members()).fit(X[TRAIN], Y[TRAIN])
    alone = [roc_auc_score(Y[TEST], scores) for scores in combined.member_scores(X[TEST]).T]
    together = roc_auc_score(Y[TEST], combined.decision_function(X[TEST]))
    assert together > max(alone) - 0.005
    assert together > np.mean(alone)
    assert isinstance(combined.margin_fit_, TunedMarginFit)
    assert combined.responses_ == ["predict_proba", "predict_proba", "decision_function"]


def test_predictions_follow_the_probabilities():
    combined = RankMarginClassifier(members()).fit(X[TRAIN], Y[TRAIN])
    p = combined.predict_proba(X[TEST])
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-15)
    np.testing.assert_array_equal(combined.predict(X[TEST]), combined.classes_[p.argmax(axis=1)])
    assert log_loss(Y[TEST], p) < log_loss(Y[TEST], np.full_like(p, 0.5))


def test_probabilities_are_calibrated():
    combined = RankMarginClassifier(members()).fit(X[TRAIN], Y[TRAIN])
    p = combined.predict_proba(X[TEST])[:, 1]
    for low, high in ((0, 0.35), (0.65, 1)):
        within = (p >= low) & (p <= high)
        assert Y[TEST][within].mean() == pytest.approx(p[within].mean(), abs=0.1)


def test_weights_come_from_samples_not_seen():
    # A tree without limit ranks its own training samples perfectly; it must not get all the weight.
    combined = RankMarginClassifier(
        [("tree", DecisionTreeClassifier(random_state=0)), ("bayes", GaussianNB())], margin="hard"
    ).fit(X[TRAIN], Y[TRAIN])
    assert combined.margin_fit_.margin < 0
    tree = combined.named_estimators_["tree"]
    assert tree.score(X[TRAIN], Y[TRAIN]) == 1.0


def test_fitted_members_are_used_as_they_are():
    held_X, X_new, held_y, y_new = train_test_split(X, Y, test_size=0.5, random_state=0)
    fitted = [(name, one.fit(held_X, held_y)) for name, one in members()]
    frozen = [(name, FrozenEstimator(one)) for name, one in fitted]
    combined = RankMarginClassifier(frozen, margin="hard").fit(X_new, y_new)
    assert combined.estimators_[0].estimator is fitted[0][1]
    expected = rank_margin_weights(combined.member_scores(X_new), y_new)
    np.testing.assert_allclose(combined.weights_, expected.weights, atol=1e-9)


def test_members_by_name_dropped_and_set():
    combined = RankMarginClassifier([*members(), ("none", "drop")], margin="soft")
    combined.set_params(tree="drop", bayes__var_smoothing=1e-3).fit(X[TRAIN], Y[TRAIN])
    assert len(combined.estimators_) == len(combined.weights_) == 2
    assert combined.named_estimators_["tree"] == "drop"
    assert combined.named_estimators_["bayes"].var_smoothing == 1e-3
    assert combined.named_estimators["none"] == "drop"
    assert clone(combined).get_params()["bayes__var_smoothing"] == 1e-3


def test_member_with_labels_only():
    class Stubborn(DecisionTreeClassifier):
        predict_proba = property()

    combined = RankMarginClassifier(
        [("labels", Stubborn(max_depth=2)), ("bayes", GaussianNB())], margin="soft"
    ).fit(X[TRAIN], Y[TRAIN])
    assert combined.responses_[0] == "predict"
    assert set(np.unique(combined.member_scores(X[TEST])[:, 0])) == {-1.0, 1.0}


def test_text_labels_frames_and_search():
    frame = pd.DataFrame(X[TRAIN], columns=[f"x{j}" for j in range(8)])
    labels = np.where(Y[TRAIN], "yes", "no")
    search = GridSearchCV(
        RankMarginClassifier(members()[:2], margin="soft"),
        {"tree__max_depth": [1, 3], "margin": ["soft", "hard"]},
        cv=2,
        scoring="roc_auc",
    ).fit(frame, labels)
    best = search.best_estimator_
    assert best.classes_.tolist() == ["no", "yes"]
    assert best.feature_names_in_.tolist() == list(frame.columns)
    assert set(best.predict(frame)) <= {"no", "yes"}


def test_jobs_do_not_change_the_answer():
    one = RankMarginClassifier(members(), margin="soft").fit(X[TRAIN], Y[TRAIN])
    with joblib.parallel_config(backend="threading"):
        two = RankMarginClassifier(members(), margin="soft", n_jobs=2).fit(X[TRAIN], Y[TRAIN])
    np.testing.assert_array_equal(one.decision_function(X[TEST]), two.decision_function(X[TEST]))


def test_metadata_goes_to_the_members_that_ask_for_it():
    weights = np.where(Y[TRAIN] == 1, 5.0, 1.0)
    plain = [("logistic", LogisticRegression()), ("neighbours", KNeighborsClassifier())]
    with pytest.raises(InvalidInput, match="'neighbours', KNeighborsClassifier, takes no sample_w"):
        RankMarginClassifier(plain).fit(X[TRAIN], Y[TRAIN], sample_weight=weights)
    RankMarginClassifier(plain, margin="soft").fit(X[TRAIN], Y[TRAIN], sample_weight=None)
    with sklearn.config_context(enable_metadata_routing=True):
        asking = [("logistic", LogisticRegression().set_fit_request(sample_weight=True)), plain[1]]
        combined = RankMarginClassifier(asking, margin="soft")
        combined.fit(X[TRAIN], Y[TRAIN], sample_weight=weights)
    expected = LogisticRegression().fit(X[TRAIN], Y[TRAIN], sample_weight=weights)
    np.testing.assert_allclose(combined.named_estimators_["logistic"].coef_, expected.coef_)


def test_sample_weights_go_to_every_member_without_routing():
    weights = np.where(Y[TRAIN] == 1, 5.0, 1.0)
    two = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]
    combined = RankMarginClassifier(two, margin="soft")
    combined.fit(X[TRAIN], Y[TRAIN], sample_weight=weights)
    expected = LogisticRegression().fit(X[TRAIN], Y[TRAIN], sample_weight=weights)
    np.testing.assert_allclose(combined.named_estimators_["logistic"].coef_, expected.coef_)
    # The members' scores are cross-fitted with their part of the weights.
    plain = RankMarginClassifier(two, margin="soft").fit(X[TRAIN], Y[TRAIN])
    assert not np.allclose(combined.sigmoid_, plain.sigmoid_)
    with pytest.raises(InvalidInput, match="y holds one class only"):
        combined.fit(X[TRAIN], Y[TRAIN], sample_weight=(Y[TRAIN] == 1).astype(float))
    with pytest.raises(ValueError, match="groups"):
        combined.fit(X[TRAIN], Y[TRAIN], groups=weights)


def test_weights_of_many_classes_reach_the_members():
    flowers, kinds = load_iris(return_X_y=True)
    weights = np.where(kinds == 1, 0.25, 1.5)
    pair = RankMarginClassifier(
        [("bayes", GaussianNB()), ("l", LogisticRegression())], margin="soft"
    )
    model = CodedClassifier(pair).fit(flowers, kinds, sample_weight=weights)
    first = model.estimators_[0].named_estimators_["bayes"]
    np.testing.assert_allclose(sorted(first.class_count_), [50 * 0.25, 50 * 1.5])


def test_too_few_samples_of_a_class():
    with pytest.raises(InvalidInput, match=r"the smaller class has 1 sample.*FrozenEstimator"):
        RankMarginClassifier(members()).fit(X[:20], np.arange(20) == 3)


def test_three_classes_are_refused_with_the_way_out():
    flowers, kinds = load_iris(return_X_y=True)
    with pytest.raises(InvalidInput, match=r"CodedClassifier\(RankMarginClassifier\(…\)\)"):
        RankMarginClassifier(members()).fit(flowers, kinds)


@pytest.mark.parametrize(
    "two_class",
    [
        RankMarginClassifier(members()[:2], margin="soft"),
        RankBoostClassifier(n_estimators=20),
        ModestAdaBoostClassifier(random_state=0),
    ],
    ids=lambda one: type(one).__name__,
)
def test_many_classes_through_a_code(two_class):
    flowers, kinds = load_iris(return_X_y=True)
    combined = CodedClassifier(two_class).fit(flowers[::2], kinds[::2])
    p = combined.predict_proba(flowers[1::2])
    assert p.shape == (75, 3)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert combined.score(flowers[1::2], kinds[1::2]) > 0.85


def test_real_data():
    features, y = load_breast_cancer(return_X_y=True)
    combined = RankMarginClassifier(members()).fit(features[::2], y[::2])
    assert roc_auc_score(y[1::2], combined.decision_function(features[1::2])) > 0.98
