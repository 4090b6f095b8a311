"""Would bagging or more data help? Every case of sign and answer."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy import judge
from polychotomy.comparison import Criterion

YES = "for all of the interval exceeds half a point."
NO = "for all of the interval is below half a point."
OPEN = "the data cannot tell whether it gains half a point or more."


@pytest.fixture(scope="module")
def verdict():
    X, y = load_iris(return_X_y=True)
    return judge({"Bayes": GaussianNB(), "1-NN": KNeighborsClassifier(1)}, X[::2], y[::2])


def answer_to(low, high):
    return "yes" if low > 0.005 else "no" if high < 0.005 else "cannot tell"


def said(verdict, start):
    (found,) = (one for one in verdict.sentences() if one.text.startswith(start))
    return found


IS = "is expected to"

CASES = [  # low, expected and high of the gain; bagging; more data
    ((0.006, 0.013, 0.02), f"{IS} lower its error by about 1.3 points (80 % interval 0.6 to 2.0)"),
    ((0.001, 0.009, 0.028), f"{IS} lower its error by about 0.9 points (80 % interval 0.1 to 2.8)"),
    ((0.0, 0.001, 0.004),
     "is expected to lower its error by about 0.10 points (80 % interval 0.00 to 0.40)"),
    ((0.0001, 0.0002, 0.0009),
     "is expected to leave its error about as it is (80 % interval 0.01 to 0.09 points lower)"),
    ((-0.003, 0.003, 0.008), "is expected to lower its error by about 0.3 points "
     "(80 % interval from 0.3 points higher to 0.8 lower)"),
    ((-0.0235, 0.0001, 0.0047), "is expected to leave its error about as it is "
     "(80 % interval from 2.35 points higher to 0.47 lower)"),
    ((-0.01, 0.0, 0.02), "is expected to leave its error about as it is "
     "(80 % interval from 1.0 points higher to 2.0 lower)"),
    ((-0.01, -0.003, 0.004), "is expected to raise its error by about 0.3 points "
     "(80 % interval from 1.0 points higher to 0.4 lower)"),
    ((-0.02, -0.003, 0.01), "is expected to raise its error by about 0.3 points "
     "(80 % interval from 2.0 points higher to 1.0 lower)"),
    ((-0.02, 0.004, 0.0001), "is expected to lower its error by about 0.40 points "
     "(80 % interval from 2.00 points higher to 0.01 lower)"),
    ((-0.02, -0.013, -0.006), "is expected to raise its error by about 1.3 points "
     "(80 % interval 0.6 to 2.0)"),
    ((-0.0009, -0.0002, -0.0001),
     "is expected to leave its error about as it is (80 % interval 0.01 to 0.09 points higher)"),
]  # fmt: skip


@pytest.mark.parametrize(("gains", "effect"), CASES)
def test_bagging(verdict, gains, effect):
    low, expected, high = gains
    answer = answer_to(low, high)
    bagging = replace(verdict.anatomy.bagging, answer=answer, low=low, high=high, expected=expected)
    text = said(replace(verdict, anatomy=replace(verdict.anatomy, bagging=bagging)), "Bagging").text
    said_so = {"yes": f"worth trying, {YES}", "no": f"not worth it, {NO}", "cannot tell": OPEN}
    assert text == f"Bagging {effect}: {said_so[answer]}"
    assert "−" not in text


def test_bagging_what_averages_already_says_that_more_of_it_may_do(verdict):
    def text(averages, *gains):
        low, expected, high = gains
        found = replace(verdict.anatomy.bagging, low=low, expected=expected, high=high,
                        answer=answer_to(low, high))  # fmt: skip
        anatomy = replace(verdict.anatomy, bagging=found, averages=averages)
        return said(replace(verdict, anatomy=anatomy), "Bagging").text

    more = "; it averages many fits already, and more (n_estimators), not tried, may do as well."
    assert text(True, 0.006, 0.013, 0.02).endswith(f"{YES[:-1]}{more}")
    assert "already" not in text(False, 0.006, 0.013, 0.02)
    assert "already" in text(True, -0.01, 0.003, 0.02), "it may gain something"
    assert "already" not in text(True, -0.01, 0.0, 0.004), "nothing to gain"


@pytest.mark.parametrize(("gains", "effect"), CASES)
def test_more_data(verdict, gains, effect):
    answer = answer_to(gains[0], gains[2])
    old = verdict.anatomy.forecast
    table = np.vstack([gains, old.gains[1:]])
    forecast = replace(old, gains=table, answers=(answer, *old.answers[1:]))
    anatomy = replace(verdict.anatomy, forecast=forecast)
    text = said(replace(verdict, anatomy=anatomy), "Twice").text
    probable = "probably worth it if rows are cheap."
    claim = {
        "yes": f"worth it if rows are cheap, {YES}",
        "no": f"hardly worth it, {NO}",
        "cannot tell": probable if gains[1] >= 0.005 else OPEN,
    }[answer]
    assert text == f"Twice the data {effect}: {claim}"


def test_the_basis_says_the_same_as_the_sentence_and_which_error_is_which(verdict):
    basis, forecast = said(verdict, "Twice").basis, verdict.anatomy.forecast
    now, gain = forecast.now[1], forecast.gains[0, 1]
    assert f"{gain:.2g} lower" in basis
    assert f"which is an error of {now - gain:.3g} " in basis
    assert f"Now, with 75 cases, {now:.3g} by the fitted curve" in basis
    assert "that of a fit to all 75 rows; cross-validated fits see 80 % of them" in basis
    assert f"(mean error {100 * verdict.candidate(verdict.best).error:.1f} %)" in basis


def test_under_costs_the_labels_meant_are_the_most_probable_ones(verdict):
    costs = np.array([[0.0, 1, 1], [5, 0, 1], [1, 1, 0]])
    by_cost = replace(verdict, criterion=Criterion(name="cost", costs=costs))
    for start in ("Bagging", "Twice the data"):
        assert "its share of wrong most probable labels" in said(by_cost, start).text
        assert "its error" in said(verdict, start).text
    assert "what bagging or more rows do to the cost was not asked" in by_cost.to_html()
