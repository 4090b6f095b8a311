"""What CodedClassifier takes: frames, text, sparse and pairwise samples, and where it is put."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy.codes import one_vs_one, one_vs_rest
from polychotomy.multiclass import CodedClassifier, merge_machines

X_IRIS, Y_IRIS = load_iris(return_X_y=True)
LOGISTIC = LogisticRegression(max_iter=2000)


def test_data_frames_reach_the_learner_as_they_are():
    frame = pd.DataFrame(X_IRIS, columns=["a", "b", "c", "d"])
    frame["kind"] = np.where(X_IRIS[:, 0] > 5.8, "long", "short")
    columns = make_column_transformer(
        (StandardScaler(), ["a", "b", "c", "d"]), (OneHotEncoder(), ["kind"])
    )
    for learner in (LOGISTIC, SVC()):
        model = CodedClassifier(make_pipeline(columns, learner)).fit(frame, Y_IRIS)
        assert model.score(frame, Y_IRIS) > 0.9
        assert_array_equal(model.feature_names_in_, frame.columns)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "z"}))


def test_numeric_frame_gives_the_same_as_its_array():
    frame = pd.DataFrame(X_IRIS, columns=list("abcd"))
    for learner in (SVC(), LOGISTIC):
        model = CodedClassifier(learner).fit(frame, Y_IRIS)
        assert_array_equal(model.estimators_[0].feature_names_in_, list("abcd"))
        expected = CodedClassifier(learner).fit(X_IRIS, Y_IRIS).predict_proba(X_IRIS)
        assert_allclose(model.predict_proba(frame), expected, atol=1e-12)


def test_text_through_a_pipeline():
    words = ["red apple", "red cherry", "green pear", "green lime", "blue sky", "blue sea"] * 3
    y = ["red", "red", "green", "green", "blue", "blue"] * 3
    model = CodedClassifier(make_pipeline(TfidfVectorizer(), LinearSVC())).fit(words, y)
    assert_array_equal(model.predict(["red sea of apple", "green lime"])[1:], ["green"])


def test_text_of_logistic_models_is_one_class_against_the_rest():
    words = np.array(["red apple", "green pear", "blue sky"] * 4)
    y = np.arange(12) % 3
    model = CodedClassifier(make_pipeline(TfidfVectorizer(), LogisticRegression())).fit(words, y)
    assert_array_equal(model.code_, one_vs_rest(3))
    assert model.decoder_ == "bradley-terry"
    wide = sparse.csr_array(np.tile(np.eye(12), 3))
    assert_array_equal(CodedClassifier(LogisticRegression()).fit(wide, y).code_, one_vs_rest(3))
    for learner, X in ((LinearSVC(), wide), (LogisticRegression(), wide.toarray())):
        assert_array_equal(CodedClassifier(learner).fit(X, y).code_, one_vs_one(3))


@pytest.mark.parametrize("learner", [LOGISTIC, LinearSVC(), SVC(), SVC(kernel="linear")])
def test_sparse_equals_dense(learner):
    # The same folds: dense samples of an RBF SVC would be left out one by one.
    dense = CodedClassifier(learner, cv=3).fit(X_IRIS, Y_IRIS)
    for kind in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        model = CodedClassifier(learner, cv=3).fit(kind(X_IRIS), Y_IRIS)
        p = model.predict_proba(kind(X_IRIS))
        assert_allclose(p, dense.predict_proba(X_IRIS), atol=2e-2)


def test_precomputed_kernel():
    K = X_IRIS @ X_IRIS.T
    model = CodedClassifier(SVC(kernel="precomputed")).fit(K, Y_IRIS)
    same = CodedClassifier(SVC(kernel="linear")).fit(X_IRIS, Y_IRIS)
    assert_allclose(model.predict_proba(K[:7]), same.predict_proba(X_IRIS[:7]), atol=5e-3)


def test_missing_values_where_the_learner_takes_them():
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.impute import SimpleImputer

    X = X_IRIS.copy()
    X[::7, 0] = np.nan
    for learner in (
        HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5),
        make_pipeline(SimpleImputer(), LOGISTIC),
    ):
        assert CodedClassifier(learner).fit(X, Y_IRIS).score(X, Y_IRIS) > 0.9


@pytest.mark.parametrize("learner", [SVC(), LinearSVC()], ids=["SVC", "LinearSVC"])
def test_missing_values_are_named_where_the_learner_does_not_take_them(learner):
    X, y = load_iris(return_X_y=True)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        CodedClassifier(learner).fit(X, y)


def test_a_stack_has_probabilities_once_it_is_fitted():
    X, y = load_iris(return_X_y=True)
    stack = StackingClassifier([("tree", DecisionTreeClassifier(random_state=0))], cv=3)
    model = CodedClassifier(stack, code="one-vs-rest").fit(X, y)
    assert model.calibration_ != "votes"
    assert model.score(X, y) > 0.9


def test_inside_grid_search_and_around_forests():
    grid = GridSearchCV(
        CodedClassifier(LOGISTIC),
        {"estimator__C": [0.1, 1], "code": ["one-vs-one", "nested"]},
        cv=2,
    )
    assert grid.fit(X_IRIS, Y_IRIS).best_score_ > 0.9
    forest = RandomForestClassifier(5, random_state=0)
    assert CodedClassifier(forest).fit(X_IRIS, Y_IRIS).score(X_IRIS, Y_IRIS) > 0.95


def test_samples_of_other_libraries_are_copied_to_numpy(library):
    X, y = X_IRIS, Y_IRIS
    for learner in (SVC(), DecisionTreeClassifier(random_state=0)):
        model = CodedClassifier(learner).fit(X, y)
        found = model.predict_proba(library.move(X))
        assert isinstance(found, np.ndarray)
        assert_array_equal(found, model.predict_proba(X))
    machines = [SVC().fit(X, y == label) for label in range(3)]
    merged = merge_machines(machines)
    assert_array_equal(merged.decision_function(library.move(X)), merged.decision_function(X))
