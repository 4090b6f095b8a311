"""Labels that are not the most probable classes are noticed, named first, and trusted alone."""

import numpy as np
import pytest
from all_sentences import all_sentences
from kept_fits import judge_kept
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from polychotomy import judge


class Reversed(ClassifierMixin, BaseEstimator):
    """Naive Bayes with the columns of its probabilities in the wrong order."""

    def fit(self, X, y):
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        return self.inner_.predict(X)

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)[:, ::-1]


class Even(Reversed):
    """Right labels, and the same probability for every class."""

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


class ByCost(Reversed):
    """Decides for the class of least expected cost, where missing the last one is dear."""

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)

    def predict(self, X):
        return self.classes_[(self.predict_proba(X) * [1, 1, 1, 5]).argmax(axis=1)]


class Swapped(Reversed):
    """Naive Bayes with the first two columns of its probabilities exchanged."""

    def predict_proba(self, X):
        return self.inner_.predict_proba(X)[:, [1, 0, 2, 3]]


IRIS = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def reversed_columns():
    """Two classes of iris, where the second and third are told apart with errors."""
    X, y = IRIS[0][50:], IRIS[1][50:]
    tried = {"MAX": DummyClassifier(), "mine": Reversed(), "Bayes": GaussianNB()}
    return judge(tried, X, y, rule="paper")


def test_it_is_named_above_the_conclusion(reversed_columns):
    (found,) = reversed_columns.contradictions
    assert found.name == reversed_columns.best == "mine"
    assert found.share == pytest.approx(1.0)
    assert found.argmax_error == pytest.approx(1 - found.error)
    (warning,) = (one for one in reversed_columns.sentences() if one.section == "warning")
    assert warning.text == (
        "Warning: its labels contradict its probabilities in 100.0 % of cases; let predict_proba "
        "have a column for each of classes_, in order."
    )
    assert warning.basis.startswith("mine contradicts itself: in 100.0 % of cases")
    assert reversed_columns.top()[-1].text.startswith("Next: settle what is warned of above; then ")
    assert all_sentences(reversed_columns).count("contradict its probabilities") == 1
    page = reversed_columns.to_html()
    assert page.index("its labels contradict its") < page.index("<h1")
    assert "no: they contradict its labels" in page


def test_programs_find_it_among_the_warnings(reversed_columns):
    document = reversed_columns.to_dict()
    assert next(iter(document)) == "warnings"
    (warning,) = document["warnings"]
    assert warning["kind"] == "contradiction"
    assert any(warning["text"] in one.basis for one in reversed_columns.sentences())


def test_its_probabilities_advise_nothing(reversed_columns):
    assert reversed_columns.trust.hard
    assert reversed_columns.trust.finding == "labels only"
    assert reversed_columns.anatomy is None
    assert "contradict" in reversed_columns.not_asked["anatomy"]
    said = " ".join(one.text for one in reversed_columns.sentences()[2:])
    assert "sure on average" not in said
    advice = reversed_columns.combination
    assert advice.auc_over > 0.9  # of its labels: by its probabilities it would be near zero
    assert abs(advice.difference) < 0.1


def test_a_rival_is_scored_by_its_labels_alone():
    X, y = IRIS
    both = {"Bayes": GaussianNB(), "mine": Reversed()}
    verdict = judge_kept(both, X, y, loss="brier", rule="paper", anatomy=False)
    assert verdict.best == "Bayes"
    assert [one.name for one in verdict.contradictions] == ["mine"]
    wrong = verdict.candidate("mine")
    assert wrong.loss == pytest.approx(2 * wrong.error)  # the Brier score of labels
    assert not verdict.trust.hard
    assert not verdict.contradicts


@pytest.mark.parametrize("loss", ["error", "log-loss"])
def test_the_same_table_without_it_is_judged_alike(loss):
    X, y = IRIS
    both = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    asked = {"loss": loss, "rule": "paper", "anatomy": False}
    verdict = judge_kept(both | {"mine": Reversed()}, X, y, **asked)
    alone = judge_kept(both, X, y, **asked)
    assert verdict.best == alone.best == "Bayes"
    assert verdict.candidate("Bayes").loss == alone.candidate("Bayes").loss


@pytest.mark.parametrize(
    ("candidate", "classes"),
    [
        pytest.param(GaussianNB(), 3, marks=pytest.mark.long),
        (Even(), 3),  # ties everywhere
        pytest.param(SVC(probability=True, random_state=0), 2, marks=pytest.mark.long),
        (SVC(probability=True, random_state=0), 4),
        (ByCost(), 4),
        (FixedThresholdClassifier(LogisticRegression(), threshold=0.05), 2),
        pytest.param(
            FixedThresholdClassifier(LogisticRegression(), threshold=0.95),
            2,
            marks=pytest.mark.long,
        ),
    ],
    ids=["agrees", "ties", "SVC of two", "SVC of four", "costs", "low threshold", "high threshold"],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_known_differences_are_no_contradiction(candidate, classes):
    X, y = make_classification(
        300, 6, n_informative=4, n_classes=classes, flip_y=0.3, random_state=0
    )
    both = {"MAX": DummyClassifier(), "mine": candidate}
    verdict = judge(both, X, y, rule="paper", anatomy=False)
    assert verdict.contradictions == ()
    assert verdict.to_dict()["warnings"] == []


def test_two_of_many_columns_exchanged_are_found_on_few_rows():
    X, y = make_classification(80, 6, n_informative=4, n_classes=4, flip_y=0.3, random_state=0)
    both = {"MAX": DummyClassifier(), "mine": Swapped()}
    (found,) = judge(both, X, y, rule="paper", anatomy=False).contradictions
    assert 0.2 < found.share < 0.8


def test_errors_of_the_most_probable_class_are_said_to_be_that():
    """A threshold of its own is no contradiction; what is left to a human goes by probabilities."""
    X, y = make_classification(400, n_informative=4, flip_y=0.2, random_state=1)
    far = FixedThresholdClassifier(LogisticRegression(), threshold=0.8)
    for one, said in ((far, True), (LogisticRegression(), False)):
        verdict = judge({"one": one}, X, y, anatomy=False)
        assert verdict.trust.recalibration.chosen == "none"
        left = next(s.text for s in verdict.sentences() if "to a human" in s.text)
        assert ("most probable class" in left) == said
