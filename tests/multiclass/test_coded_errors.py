"""What CodedClassifier refuses, and in which words."""

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, OneClassSVM

from polychotomy.core.exceptions import InvalidCode, InvalidInput, LearnerError
from polychotomy.multiclass import CodedClassifier

X_IRIS, Y_IRIS = load_iris(return_X_y=True)
LOGISTIC = LogisticRegression(max_iter=2000)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"code": "two-vs-two"}, r"code is 'two-vs-two'; expected one of 'auto', 'exhaustive'"),
        ({"decoder": "softmax"}, r"decoder is 'softmax'; expected 'bradley-terry'"),
        ({"decoder": "log-mean"}, r"'log-mean' is of letters; expected classes_at_most, too"),
        ({"calibration": "platt"}, r"calibration is 'platt'"),
        ({"thresholds": 0.5}, r"thresholds is 0.5; expected 'optimal' or None"),
        ({"code": [[1, -1]]}, r"code has 2 columns, but y has 3 classes"),
        ({"code": [[1, -1, 2]]}, r"code\[0, 2\] is 2"),
        ({"code": [[1, -1, 0], [0, 0, 0]]}, r"row 1 of code is all zeros"),
        ({"code": [[1, -1, -1]]}, r"columns 1 and 2 of code are equal"),
        ({"code": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}, r"no row of code has both"),
    ],
)
def test_options(options, message):
    with pytest.raises(InvalidInput, match=message):
        CodedClassifier(LOGISTIC, **options).fit(X_IRIS, Y_IRIS)
    assert issubclass(InvalidCode, InvalidInput)


def test_learner():
    with pytest.raises(InvalidInput, match="expected a classifier with fit"):
        CodedClassifier(LogisticRegression).fit(X_IRIS, Y_IRIS)


@pytest.mark.parametrize(
    ("learner", "kind"),
    [
        (make_pipeline(StandardScaler(), LinearRegression()), "regressor"),
        (StandardScaler(), "transformer"),
        (make_pipeline(StandardScaler(), StandardScaler()), "transformer"),
        (KMeans(2), "clusterer"),
        (OneClassSVM(), "outlier_detector"),
    ],
)
def test_what_is_no_classifier(learner, kind):
    with pytest.raises(
        InvalidInput, match=f"(?s)estimator is the {kind} .*; expected a classifier"
    ):
        CodedClassifier(learner).fit(X_IRIS, Y_IRIS)


def test_one_column_of_a_table():
    table = pd.DataFrame(X_IRIS, columns=list("abcd"))
    with pytest.raises(InvalidInput, match=r"X has shape \(150,\); .* take table\[\[column\]\]"):
        CodedClassifier(SVC()).fit(table["a"], Y_IRIS)
    with pytest.raises(InvalidInput, match=r"or table\.iloc\[\[row\]\], for a single sample"):
        CodedClassifier(SVC()).fit(table, Y_IRIS).predict(table.iloc[0])


@pytest.mark.filterwarnings("error")
def test_infinite_numbers_are_refused_without_a_warning():
    with pytest.raises(LearnerError, match="Input X contains infinity"):
        CodedClassifier(SVC()).fit(np.where(X_IRIS < 0.2, np.inf, X_IRIS), Y_IRIS)


def test_one_class():
    with pytest.raises(InvalidInput, match="one class only, 'a'"):
        CodedClassifier(LOGISTIC).fit(X_IRIS, ["a"] * 150)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_labels(missing):
    y = np.array(["a", "b", "c"])[Y_IRIS].astype(object)
    y[4] = missing
    for labels in (y, y.tolist(), pd.Series(y)):
        with pytest.raises(ValueError, match=r"y\[4\] is missing; expected a label"):
            CodedClassifier(LOGISTIC).fit(X_IRIS, labels)


def test_classes_that_all_have_one_member():
    with pytest.raises(InvalidInput, match="every class has one member only"):
        CodedClassifier(SVC()).fit(X_IRIS[[0, 60, 120]], ["a", "b", "c"])
    assert CodedClassifier(SVC(), calibration=None).fit(X_IRIS[[0, 60, 120]], ["a", "b", "c"])


def test_side_without_weight():
    weights = np.where(Y_IRIS == 2, 0.0, 1.0)
    with pytest.raises(
        InvalidInput, match=r"dichotomy 1 \(class 0 against class 2\) has one class"
    ):
        CodedClassifier(LOGISTIC).fit(X_IRIS, Y_IRIS, sample_weight=weights)


def test_fold_without_a_side():
    halves = [(np.arange(75), np.arange(75, 150))]
    with pytest.raises(InvalidInput, match=r"dichotomy 1 \(class 0 against class 2\), fold 0,"):
        CodedClassifier(SVC(), cv=halves).fit(X_IRIS, Y_IRIS)


def test_learner_that_fails_on_one_dichotomy():
    class Picky(GaussianNB):
        def fit(self, X, y):
            if len(np.unique(X[:, 2] > 2.5)) == 1:
                raise RuntimeError("no small petals")
            return super().fit(X, y)

    with pytest.raises(
        LearnerError,
        match=r"Picky failed on dichotomy 2 \(class 1 .*\): RuntimeError: no small petals",
    ) as error:
        CodedClassifier(Picky()).fit(X_IRIS, Y_IRIS)
    assert isinstance(error.value.__cause__, RuntimeError)


def test_refused_values_are_value_errors_too():
    X = X_IRIS.copy()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        CodedClassifier(LOGISTIC).fit(X, Y_IRIS)


def test_text_among_numbers_is_told_in_whole_sentences():
    X = pd.DataFrame(X_IRIS).assign(name="A0000")
    words = r"ValueError: could not convert string to float: 'A0000'\. Fit the learner on these"
    with pytest.raises(LearnerError, match=words) as error:
        CodedClassifier(SVC()).fit(X.to_numpy(dtype=object), Y_IRIS)
    assert type(error.value).__name__ == "LearnerValueError"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"shape \(1,\); expected \(150,\)"),
        (-np.ones(150), r"sample_weight\[0\] is -1"),
        (np.zeros(150), "every weight is zero"),
    ],
)
def test_sample_weight(weights, message):
    with pytest.raises(InvalidInput, match=message):
        CodedClassifier(LOGISTIC).fit(X_IRIS, Y_IRIS, sample_weight=weights)


def test_a_splitter_that_wants_groups_says_how_they_get_to_it():
    asked = CodedClassifier(SVC(), cv=GroupKFold(3))
    with pytest.raises(
        InvalidInput, match=r"GroupKFold\(.* 'groups' .*enable_metadata_routing=True"
    ):
        asked.fit(X_IRIS, Y_IRIS)
