"""A user's file of candidates: every kind of classifier that people bring.

``--candidates mine.py`` reads it, and Python imports it. Learners are small, so that a fit takes
milliseconds.
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from polychotomy import CodedClassifier


class NearestCentre(ClassifierMixin, BaseEstimator):
    """A class of one's own, with labels of any kind and without probabilities."""

    def __init__(self, power=2):
        self.power = power

    def fit(self, X, y):
        X = np.asarray(X, dtype=float)
        self.classes_ = np.unique(y)
        self.centres_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        gaps = np.abs(np.asarray(X, dtype=float)[:, None] - self.centres_) ** self.power
        return self.classes_[gaps.sum(axis=2).argmin(axis=1)]


class _Boosted(ClassifierMixin, BaseEstimator):
    """Stands for xgboost's classifier, which need not be installed, and is as strict."""

    __module__ = "xgboost.sklearn"

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        expected = np.arange(len(self.classes_))
        if not np.array_equal(self.classes_, expected):
            raise ValueError(f"Invalid classes inferred. Expected: {expected}, got {self.classes_}")
        self.tree_ = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
        return self

    def predict(self, X):
        return self.tree_.predict(X)

    def predict_proba(self, X):
        return self.tree_.predict_proba(X)


class NumbersOnly(_Boosted):
    """As people derive from xgboost's."""


def _scaled(classifier):
    return make_pipeline(StandardScaler(), classifier)


_two = [("bayes", GaussianNB()), ("logistic", _scaled(LogisticRegression()))]
_numbers = make_pipeline(SimpleImputer(), StandardScaler())
_texts = make_pipeline(
    SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
)

EVERY = {
    "bare estimator": GaussianNB(),
    "pipeline": _scaled(LogisticRegression()),
    "pipeline in a pipeline": _scaled(make_pipeline(StandardScaler(), RidgeClassifier())),
    "column transformer": make_pipeline(
        ColumnTransformer([("one", StandardScaler(), [0])], remainder="passthrough"), GaussianNB()
    ),
    "grid search": GridSearchCV(
        _scaled(KNeighborsClassifier()), {"kneighborsclassifier__n_neighbors": [1, 5]}, cv=2
    ),
    "calibrated": CalibratedClassifierCV(_scaled(RidgeClassifier()), cv=2),
    "voting": VotingClassifier(_two, voting="soft"),
    "stacking": StackingClassifier(_two, cv=2),  # until its fit it has no predict
    "coded": CodedClassifier(_scaled(LogisticRegression())),
    "numbers only": NumbersOnly(),
    "class of one's own": NearestCentre(),
    "lambda inside": make_pipeline(FunctionTransformer(lambda X: np.asarray(X) / 2), GaussianNB()),
}
"""For numbers. As they are, they take a table of numbers; with ``for_tables`` any."""

BY_COLUMN = {
    "by kind of column": make_pipeline(
        make_column_transformer(
            (_numbers, make_column_selector(dtype_include="number")),
            (_texts, make_column_selector(pattern="colour")),
        ),
        LogisticRegression(),
    )
}
"""For a table as it comes, by the names and kinds of its columns."""
