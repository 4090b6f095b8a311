"""What judge takes from scikit-learn's users: folds, scores, groups of rows and a time."""

import re
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy import import_predictions, judge
from polychotomy.core.exceptions import InvalidInput

X, y = load_iris(return_X_y=True, as_frame=True)
TWO = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
GROUPS = np.arange(150) % 7


@pytest.mark.parametrize(
    ("cv", "groups"),
    [
        (StratifiedKFold(4, shuffle=True, random_state=0), None),
        (RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0), None),
        (GroupKFold(5), GROUPS),
        (list(KFold(6, shuffle=True, random_state=1).split(X)), None),
    ],
)
def test_folds_are_scikit_learns(cv, groups):
    verdict = judge(TWO, X, y, cv=cv, groups=groups, anatomy=False)
    theirs = 1 - cross_val_score(GaussianNB(), X, y, cv=cv, groups=groups)
    ours = verdict.ordering.errors[1].ravel()
    np.testing.assert_allclose(ours, theirs)
    assert "given folds" in verdict.plan["name"]
    assert verdict.to_dict()["plan"]["folds"] * verdict.plan["repetitions"] == len(theirs)


def test_a_number_of_folds_and_one_split():
    assert judge(TWO, X, y, cv=3, anatomy=False).plan["name"] == "1x3 folds"
    test = np.where(np.arange(150) % 3 == 0, 0, -1)
    verdict = judge(TWO, X, y, cv=PredefinedSplit(test), anatomy=False)
    fitted = GaussianNB().fit(X[test < 0], y[test < 0])
    error = 1 - fitted.score(X[test == 0], y[test == 0])
    assert verdict.candidate("Bayes").error == pytest.approx(error)


def test_given_folds_are_resumed(tmp_path):
    cv = KFold(3, shuffle=True, random_state=2)
    first = judge(TWO, X, y, cv=cv, anatomy=False, study=tmp_path / "s.study")
    again = judge(TWO, X, y, cv=cv, anatomy=False, study=tmp_path / "s.study")
    assert first.to_dict()["timings"] == again.to_dict()["timings"]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"cv": TimeSeriesSplit(5)}, "does not predict every row once.*time="),
        ({"cv": ShuffleSplit(5, random_state=0)}, "does not predict every row once"),
        ({"cv": "five"}, "expected a number of folds, a splitter or .*: it is a text"),
        ({"cv": 1}, "cv is 1; expected an int of at least 2"),
        ({"cv": []}, "does not predict every row once"),
        ({"cv": 5, "plan": "5x5"}, "cv=… together with plan"),
        ({"scoring": "r2"}, "scoring='r2'; expected one of accuracy, balanced_accuracy"),
        ({"scoring": "accuracy", "loss": "brier"}, "='accuracy' together with loss='brier'; exp"),
        ({"groups": "size"}, r"groups='size'; expected a value for each row, groups=X\['size'\]"),
        ({"time": "day"}, r"time='day'; expected a value for each row, time=X\['day'\]"),
        ({"sample_weight": np.full(150, np.nan)}, r"sample_weight\[0\] is nan; expected finite"),
        ({"sample_weight": np.zeros(150)}, "sample_weight: every weight is zero"),
        ({"by": "size"}, "'size' is no column of X"),
        ({"by": [1, 2]}, "has 2 values; expected 150"),
        ({"by": np.ones(150)}, "one value in all rows"),
        ({"budget": "soon"}, "the budget is 'soon'; expected a time"),
        ({"budget": -1}, "the budget is -1; expected a time"),
    ],
)
def test_what_cannot_be_is_said_before_any_fit(options, match):
    fits = []
    with pytest.raises(InvalidInput, match=match):
        judge(TWO, X, y, anatomy=False, progress=fits.append, **options)
    assert fits == []


@pytest.mark.parametrize("learners", [TWO, [GaussianNB()], GaussianNB()])
def test_the_first_three_in_another_order_are_told_the_right_one(learners):
    a, b = X.to_numpy().tolist(), y.tolist()
    orders = [(X, y, learners), (y, X, learners), (X, learners, y), (y, learners, X)]
    orders += [(a, b, learners), (a, learners, b)]
    if learners is TWO:
        orders += [(TWO, y, X), (TWO, y.to_numpy(), X), (X, TWO)]
    for given in orders:
        with pytest.raises(
            InvalidInput, match=r"another order; expected judge\(candidates, X, y\)"
        ):
            judge(*given)


def test_what_cross_validate_returned_is_of_all_of_the_same_folds_and_labels():
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    how = {"return_estimator": True, "return_indices": True}
    one = cross_validate(GaussianNB(), X, y, cv=cv, **how)
    with pytest.raises(InvalidInput, match="'a' is what cross_validate returned, and another cand"):
        judge({"a": one, "b": GaussianNB()}, X, y)
    other = cross_validate(DummyClassifier(), X, y, cv=KFold(3, shuffle=True), **how)
    with pytest.raises(InvalidInput, match="'b' was cross-validated on other folds than 'a'; exp"):
        judge({"a": one, "b": other}, X, y)
    with pytest.raises(InvalidInput, match="y has the label 'x0', which no model was fitted with"):
        judge({"a": one}, X, [f"x{label}" for label in y])


@pytest.mark.parametrize(
    ("scoring", "loss"),
    [("balanced_accuracy", "balanced-error"), ("neg_log_loss", "log-loss"), ("accuracy", "error")],
)
def test_a_score_is_its_loss(scoring, loss):
    one, other = (
        judge(TWO, X, y, anatomy=False, **how) for how in ({"scoring": scoring}, {"loss": loss})
    )
    assert one.criterion.name == other.criterion.name == loss
    assert [c.loss for c in one.candidates] == [c.loss for c in other.candidates]


def test_for_whom_it_errs_by_a_column_or_by_values(tmp_path):
    place = pd.Series(np.where(np.arange(150) % 3 == 0, "far", "near"), name="place")
    table = X.assign(far=(np.arange(150) % 3 == 0).astype(int))
    named = judge({"Bayes": GaussianNB()}, table, y, by="far", anatomy=False)
    given = judge({"Bayes": GaussianNB()}, table, y, by=place, anatomy=False)
    assert (named.by.column, named.by.names) == ("far", ("0", "1"))
    assert (given.by.column, given.by.names) == ("place", ("near", "far"))
    assert named.by.errors.tolist() == given.by.errors.tolist()
    assert {one["value"] for one in given.to_dict()["groups"]} == {"near", "far"}
    rows = [f"a,{i},{y[i]},{y[i] if i % 5 else 0}" for i in range(150)]
    (tmp_path / "a.csv").write_text("\n".join(["learner,sample,truth,predicted", *rows]))
    with import_predictions(tmp_path / "a.csv") as ledger:
        assert judge(ledger, by=place).by.rows.tolist() == [100, 50]
        with pytest.raises(
            InvalidInput, match=r"import_predictions\(…, by='place'\) reads the col"
        ):
            judge(ledger, by="place")
        with pytest.raises(InvalidInput, match="'place' has 7 values; expected 150"):
            judge(ledger, by=place[:7])
    frame = pd.read_csv(tmp_path / "a.csv").assign(place=place)
    with import_predictions(frame, by="place") as ledger:
        assert judge(ledger, by="place").by.rows.tolist() == [100, 50]


class Slow(ClassifierMixin, BaseEstimator):
    """Takes long, and gives the most frequent class."""

    def fit(self, X, y):
        time.sleep(2.0)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.most_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)


@pytest.mark.long
def test_what_does_not_fit_into_the_time_is_left_out():
    some = {"MAX": DummyClassifier(), "neighbours": KNeighborsClassifier(), "slow": Slow()}
    began = time.monotonic()
    verdict = judge(some, X, y, budget=8, anatomy=False)
    assert time.monotonic() - began < 30
    assert [one.name for one in verdict.left_out] == ["slow"]
    assert verdict.to_dict()["spent"]["left_out"] == ["slow"]
    (said,) = [one for one in verdict.sentences() if "Not tried" in one.text]
    assert "--budget" in said.text
    assert "--candidates" not in said.text
    assert verdict.best == "neighbours"
    with pytest.raises(InvalidInput, match="budget=… together with predictions"):
        judge(_ledger(), budget="1min")


def _ledger():
    from polychotomy.study import Ledger

    return Ledger()


def test_enough_time_changes_nothing():
    with_time = judge(
        {**TWO, "logistic": LogisticRegression(max_iter=5000)},
        X,
        y,
        budget="5min",
        plan="1x5",
        anatomy=False,
    )
    without = judge(
        {**TWO, "logistic": LogisticRegression(max_iter=5000)}, X, y, plan="1x5", anatomy=False
    )
    assert with_time.left_out == ()
    assert [c.error for c in with_time.candidates] == [c.error for c in without.candidates]


def test_equal_weights_change_nothing():
    plain, weighed = (
        judge(TWO, X, y, anatomy=False, **how).to_dict()
        for how in ({}, {"sample_weight": [2] * 150})
    )
    for document in (plain, weighed):
        for name in ("timings", "spent"):
            del document[name]
    assert plain == weighed


def test_a_weight_is_how_often_a_row_counts():
    weights = np.random.default_rng(0).integers(0, 4, size=150)
    place = np.where(np.arange(150) % 3 == 0, "far", "near")
    found = judge(TWO, X, y, sample_weight=weights, by=place)
    rows = np.repeat(np.arange(150), weights)
    again = judge(TWO, X.iloc[rows], y.iloc[rows], groups=rows, anatomy=False)
    assert [c.error for c in found.candidates] == [c.error for c in again.candidates]
    assert found.selected.low == again.selected.low
    assert found.confusion.counts.sum() == pytest.approx(weights.sum())
    assert found.by.rows.tolist() == [weights[place == one].sum() for one in found.by.names]
    assert any("rows count" in note for note in found.notes)
    held = judge(TWO, X, y, sample_weight=np.where(np.arange(150) < 100, 1, 0), anatomy=False)
    assert held.dataset["rows"] == 100


def test_weights_that_are_multiples_of_one_number_are_whole_ones_of_it():
    whole = np.random.default_rng(0).integers(0, 4, size=150)
    weighed = [judge(TWO, X, y, sample_weight=unit * whole) for unit in (1, 0.35, 1 / 3)]
    for one in weighed[1:]:
        assert [c.error for c in one.candidates] == [c.error for c in weighed[0].candidates]
        assert one.dataset["rows"] == whole.sum()
    halves = judge(TWO, X, y, sample_weight=np.where(whole > 1, 1.5, 1))
    assert halves.dataset["rows"] == np.where(whole > 1, 3, 2).sum()


def test_any_weights_are_rounded_to_numbers_of_copies_and_that_is_said():
    """The weighted error of answers that do not depend on the rows is nearly the exact one."""
    rng = np.random.default_rng(0)
    weights = rng.lognormal(size=150)
    found = judge({"MAX": DummyClassifier(), "prior": DummyClassifier()}, X, y,
                  sample_weight=weights, anatomy=False)  # fmt: skip
    most = max(weights[y == label].sum() for label in set(y)) / weights.sum()
    assert found.candidate("MAX").error == pytest.approx(1 - most, abs=0.03)
    (said,) = (note for note in found.notes if "by sample_weight" in note)
    moved = float(re.search(r"rounded, by which ([\d.]+) % of all weight moves", said)[1])
    assert 0 < moved <= 5


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"sample_weight": [1e6, *[1] * 149]}, r"is 1 to 1e\+06; expected weights of which hardly"),
        ({"sample_weight": [1, 2]}, "shape"),
        ({"sample_weight": [-1, *[1] * 149]}, r"sample_weight\[0\] is -1; expected finite"),
        ({"sample_weight": [2, *[1] * 149], "cv": 5}, "sample_weight together with cv"),
        ({"sample_weight": [2, *[1] * 149], "time": np.arange(150)}, "together with time"),
    ],
)
def test_weights_that_cannot_be_are_named(options, match):
    with pytest.raises(InvalidInput, match=match):
        judge(TWO, X, y, **options)


def test_the_name_of_a_column_is_no_target():
    with pytest.raises(InvalidInput, match=r"y='kind'; .* y=X\['kind'\].*X.drop\(columns='kind'\)"):
        judge(TWO, X.assign(kind=y), "kind")


def test_folds_that_part_a_group_are_refused():
    groups = np.arange(len(y)) // 5
    with pytest.raises(
        InvalidInput, match=r"rows 0 and \d are of one group and in different folds"
    ):
        judge(TWO, X, y, cv=KFold(5, shuffle=True, random_state=1), groups=groups, anatomy=False)


def test_labels_scored_as_probabilities_are_warned_of():
    labels = {"naive Bayes": GaussianNB(), "ridge": RidgeClassifier()}
    verdict = judge(labels, X, y, loss="log-loss", anatomy=False)
    (warning,) = [note for note in verdict.warnings if "gave labels" in note]
    assert warning.line.startswith("log loss takes probabilities; 'ridge' gave labels; calibrate")
