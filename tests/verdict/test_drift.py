"""An error that grows through time is told; one that does not is not."""

import numpy as np
import pytest
from all_sentences import all_sentences
from scipy import stats
from scipy.signal import lfilter
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from turning_rows import turning

from polychotomy import judge
from polychotomy.comparison import case_t_test
from polychotomy.verdict.evidence import trend


def test_trend_is_the_correlation_of_rows_with_folds():
    """Cochran and Armitage: n times the squared correlation has one degree of freedom."""
    sizes, wrong = np.array([40, 30, 55, 20]), np.array([6, 9, 18, 9])
    row = np.concatenate([np.arange(n) < k for n, k in zip(sizes, wrong, strict=True)])
    rho = np.corrcoef(row, np.repeat(np.arange(4), sizes))[0, 1]
    assert trend(wrong / sizes, sizes) == pytest.approx(stats.chi2.sf(sizes.sum() * rho**2, 1))


def test_no_rise_and_no_errors():
    assert trend([0.5, 0.4, 0.1], [20, 20, 20]) == 1.0
    assert trend([0.0, 0.0, 0.0], [20, 20, 20]) == 1.0


def test_false_alarms_are_as_rare_as_the_level_says():
    draws = np.random.default_rng(0).binomial(40, 0.3, size=(2000, 5)) / 40
    false = np.mean([trend(one, np.full(5, 40)) < 0.05 for one in draws])
    assert false == pytest.approx(0.025, abs=0.012)  # falls are no alarms


@pytest.mark.parametrize("turn", [True, False])
def test_an_error_that_grows_is_told(turn):
    candidates = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    verdict = judge(candidates, *turning(turn), time=np.arange(240), anatomy=False)
    first, *_, last = 100 * verdict.ordering.errors[verdict.ordering.best].ravel()
    said = verdict.sentences()
    (own,) = [one for one in said if one.text.startswith("Expect an error")]
    assert "holds for rows like these, not for a drift through time" in own.basis
    words = f"ts error grows through time: {first:.1f} % in the first fold, {last:.1f} % in the "
    assert [one.section for one in said if words in one.text] == ["warning"] * turn
    assert ("Cochran and Armitage" in own.basis) == turn
    assert (verdict.drift is not None) == turn
    warnings = verdict.to_dict()["warnings"]
    assert [(one["kind"], one["text"].startswith(f"I{words}")) for one in warnings] == [
        ("drift", True)
    ] * turn


def test_without_time_there_is_no_drift():
    verdict = judge({"MAX": DummyClassifier(), "Bayes": GaussianNB()}, *turning(turn=True),
                    anatomy=False)  # fmt: skip
    assert verdict.drift is None
    assert "through time" not in all_sentences(verdict)
    assert "drift" not in " ".join(one.basis for one in verdict.sentences())


def test_guessing_that_changes_through_time_is_beaten_all_the_same():
    """As classes grow more frequent, guessing errs from fold to fold otherwise than by chance."""
    rng, when = np.random.default_rng(0), np.arange(600)
    y = rng.random(600) < 0.1 + 0.7 * when / 600
    X = rng.normal(size=(600, 3)) + 1.2 * y[:, None]
    candidates = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    verdict = judge(candidates, X, y, time=when, anatomy=False)
    assert np.ptp(verdict.ordering.errors[0]) > 0.2
    assert verdict.top()[0].text == "Use Bayes."
    assert verdict.differences.answers[1][0] == "better"


def test_rows_close_in_time_are_no_evidence_of_their_own():
    """Where errors come in bursts, two equal models are seldom told apart: stretches are counted.

    As if rows were independent, seven of ten would be.
    """
    rng, n, apart, by_rows = np.random.default_rng(0), 600, 0, 0
    candidates = {"one": _Bursts(0), "other": _Bursts(1)}
    for draw in range(12):
        X = lfilter([1], [1, -0.97], rng.normal(size=(n + 300, 2)), axis=0)[300:]
        y = np.arange(n) % 2
        options = {"time": np.arange(n), "anatomy": False, "random_state": draw}
        verdict = judge(candidates, X, y, **options)
        apart += verdict.differences.answers[0][1] in ("better", "worse")
        one, other = (np.abs(X[100:, i]) > 4 for i in range(2))
        by_rows += bool(case_t_test(one[None] * 1.0, other[None] * 1.0).pvalue < 0.05)
    assert apart <= 2
    assert by_rows >= 6


class _Bursts(ClassifierMixin, BaseEstimator):
    """Tells the turn of the row, but where its own column is far from 0."""

    def __init__(self, column):
        self.column = column

    def fit(self, X, y):
        self.classes_, self.first_ = np.unique(y), len(y) % 2
        return self

    def predict(self, X):
        return ((self.first_ + np.arange(len(X)) + (np.abs(X[:, self.column]) > 4)) % 2).astype(int)


class _Column(ClassifierMixin, BaseEstimator):
    """Says what a column says."""

    def __init__(self, column):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.column].astype(int)


def test_groups_in_order_of_time_do_not_stand_for_its_stretches():
    """Two equal candidates err in bursts of 25 rows; pairs of rows are no whole bursts."""
    rng, y, told = np.random.default_rng(0), np.arange(400) % 2, 0
    for _ in range(12):
        bursts = np.repeat(rng.random((2, 16)) < 0.3, 25, axis=1)
        candidates = {"one": _Column(0), "other": _Column(1)}
        options = {"time": np.arange(400), "groups": np.arange(400) // 2, "anatomy": False}
        verdict = judge(candidates, (bursts ^ y).T.astype(float), y, **options)
        told += verdict.differences.answers[0][1] in ("better", "worse")
    assert told <= 2
