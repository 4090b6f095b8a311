"""Names are free text, but no paths upwards and nothing hidden."""

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.design.candidates import check_candidates, check_name


@pytest.mark.parametrize("name", ["1-NN", "a/b", "naïve Bayes, σ = 1", "..x", "a..b", "=cmd"])
def test_free_text(name):
    check_name(name, "candidate")


@pytest.mark.parametrize(
    "name", ["", "  ", "../x", "a/../b", "..\\x", "..", "a\x00b", "a\x1b[2J", 3, None]
)
def test_refused(name):
    with pytest.raises(InvalidInput, match="a data set is named"):
        check_name(name, "data set")


def test_order_is_kept_and_the_users_dict_left_alone():
    given = {"b": DummyClassifier(), "a": DummyClassifier()}
    checked = check_candidates(given)
    assert list(checked) == ["b", "a"]
    assert checked is not given


class NoPredict(BaseEstimator):
    """Fits, and cannot predict."""

    def fit(self, X, y):
        return self


class Shy(ClassifierMixin):
    """Says nothing of itself, as it is no BaseEstimator."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X

    def get_params(self, deep=True):
        return {}


@pytest.mark.parametrize(
    ("candidate", "message"),
    [
        (LinearRegression(), r"'a' is LinearRegression\(\), a regressor; expected a classifier"),
        (make_pipeline(StandardScaler(), Ridge()), r"'a' is Ridge\(\), a regressor"),
        (GridSearchCV(Ridge(), {"alpha": [1, 2]}), "GridSearchCV.* a regressor"),
        (KMeans(), r"'a' is KMeans\(\), a clusterer"),
        (make_pipeline(StandardScaler(), NoPredict()), r"is NoPredict\(\).*; expected .* predict "),
        (DummyClassifier, r"is <class .*DummyClassifier.*>; expected a classifier, an object"),
        (
            "tree",
            "'a' is 'tree'; expected a classifier, an object with fit, predict and",
        ),
    ],
)
def test_what_cannot_be_a_candidate(candidate, message):
    with pytest.raises(InvalidInput, match=message) as found:
        check_candidates({"a": candidate})
    assert "\n" not in str(found.value)


def test_a_class_of_ones_own_need_not_say_what_it_is():
    assert list(check_candidates({"a": Shy()})) == ["a"]
