"""Large tables: one split decides, and only who may be the best is fitted on all rows."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy import judge
from polychotomy.study import HoldOut, Ledger, Study
from polychotomy.study.design.plan import Rung
from polychotomy.verdict import question
from polychotomy.verdict.question import Question, rungs_of
from polychotomy.verdict.rungs import least_behind, left_behind, run_rungs
from polychotomy.verdict.running import so_far


@pytest.fixture
def small(monkeypatch):
    """Thresholds at which a table of 4,000 rows is large."""
    monkeypatch.setattr(question, "ONE_SPLIT", 1_000)
    monkeypatch.setattr(question, "LADDER_ROWS", 2_000)
    monkeypatch.setattr(question, "_FEWEST_ROWS", 100)
    monkeypatch.setattr(question, "_TESTED", 800)


@pytest.fixture(scope="module")
def table():
    return make_classification(4_000, 6, n_informative=5, n_redundant=0, random_state=0)


class Flipping(ClassifierMixin, BaseEstimator):
    """A tree that gives the other label for a share of the rows."""

    def __init__(self, share=0.0):
        self.share = share

    def fit(self, X, y):
        self.inner_ = DecisionTreeClassifier(max_depth=6, random_state=0).fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X):
        found = self.inner_.predict(X)
        flip = np.random.default_rng(len(X)).random(len(X)) < self.share
        return np.where(flip, self.classes_[0] + self.classes_[-1] - found, found)


class LateBloomer(Flipping):
    """Half wrong on few rows, a tree on many: its learning curve crosses those of others."""

    def fit(self, X, y):
        self.share = 0.5 * (200 / len(y)) ** 0.75
        return super().fit(X, y)


def test_the_test_rows_of_all_runs_part_the_table():
    codes = np.arange(103) % 3
    split = HoldOut(of=5, runs=5).split(codes, seed=1)[:, 0]
    assert ((split == 0).sum(axis=0) == 1).all()
    assert {int((row == 0).sum()) for row in split} <= {20, 21}


def test_rungs_are_nested_and_tested_on_rows_that_no_larger_one_trains_on():
    codes = np.arange(1_000) % 2
    rows = [Rung(train=n, test=100).split(codes, seed=0)[0, 0] for n in (50, 200)]
    whole = HoldOut().split(codes, seed=0)[0, 0]
    assert [int((row == -1).sum()) for row in rows] == [50, 200]
    assert (rows[1][rows[0] == -1] == -1).all()
    assert (whole[rows[1] == -1] == -1).all()
    assert (whole[rows[0] == 0] == 0).all()
    assert ((rows[0] == 0) == (rows[1] == 0)).all()


def test_groups_are_never_on_both_sides():
    groups = np.arange(300) // 3
    row = HoldOut().split(np.arange(300) % 2, groups=groups, seed=0)[0, 0]
    assert not set(groups[row == 0]) & set(groups[row == -1])


def test_one_split_is_enough_where_it_decides(small, table):
    candidates = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    X, y = table[0][:1_900], table[1][:1_900]
    verdict = judge(candidates, X, y, anatomy=False)
    assert (verdict.best, verdict.plan["kind"], verdict.plan["runs"]) == (
        "naive Bayes", "hold-out", 1)  # fmt: skip
    # What is said of the error is what a fit on the same rows gives by hand.
    row = HoldOut().split(np.unique(y, return_inverse=True)[1], seed=0)[0, 0]
    by_hand = GaussianNB().fit(X[row == -1], y[row == -1]).predict(X[row == 0])
    assert verdict.candidate("naive Bayes").error == pytest.approx(
        np.mean(by_hand != y[row == 0]), abs=1e-12
    )
    assert any("One fifth of the rows decided: 2 fits" in s.text for s in verdict.sentences())


def test_all_fifths_are_held_out_where_it_stays_close(small, table):
    X, y = table[0][:1_900], table[1][:1_900]
    # The simpler one is worse by about the margin, so that little decides between the two.
    near = {"noisy": Flipping(share=0.012), "tree": Flipping(share=0.0)}
    verdict = judge(near, X, y, anatomy=False)
    assert verdict.plan["runs"] > 1
    assert verdict.timings.n_fits == 2 * verdict.plan["runs"]


def test_a_verdict_on_all_fifths_is_that_of_a_cross_validation(small, table):
    X, y = table
    candidates = {"naive Bayes": GaussianNB(), "logistic": LogisticRegression()}
    study = Study(candidates, X, y, plan=HoldOut(runs=5))
    fold = np.argmax(study.plan.split(study.data.target.codes, seed=0)[:, 0] == 0, axis=0)
    with study.run() as ledger:
        from polychotomy.verdict.case import case_of_study
        from polychotomy.verdict.evidence import read_evidence

        evidence = read_evidence(case_of_study(study), ledger, Question())
    wrong = np.empty(len(y))
    for f in range(5):
        fitted = GaussianNB().fit(X[fold != f], y[fold != f])
        wrong[fold == f] = fitted.predict(X[fold == f]) != y[fold == f]
    expected = [wrong[fold == f].mean() for f in range(5)]
    np.testing.assert_allclose(evidence.errors[0, 0, 0], expected)
    assert evidence.training_share == pytest.approx(0.8)


def test_who_cannot_be_the_best_is_not_fitted_on_all_rows(small, table):
    X = table[0]
    y = (X[:, 0] * X[:, 1] > 0).astype(int)  # no single cut tells the classes apart
    candidates = {
        "MAX": DummyClassifier(),
        "stump": DecisionTreeClassifier(max_depth=1),
        "naive Bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(max_depth=6, random_state=0),
    }
    told: list[str] = []
    study = Study(candidates, X, y, plan=HoldOut())
    with Ledger(None) as ledger:
        kept = run_rungs(study, Question(), ledger, tell=told.append)
        kept.run(ledger)
        gone = left_behind(study, Question(), ledger)
        part, left_out = so_far(study, ledger, Question())
        fits = {(t["candidate"], t["plan"]) for t in ledger.trials()}
    assert "stump" in gone
    assert "MAX" in kept.candidates, "what guessing costs is always said"
    assert ("stump", "hold-out 1/5") not in fits
    assert list(part.candidates) == list(kept.candidates)
    assert [one.name for one in left_out] == list(gone)
    assert len(told) == len(rungs_of(study, Question())) == 2
    assert "stump" in told[-1]
    assert "(left behind)" in told[-1]


def test_curves_that_cross_later_are_allowed_for(small, table):
    X, y = table
    candidates = {"naive Bayes": GaussianNB(), "late": LateBloomer()}
    study = Study(candidates, X, y, plan=HoldOut())
    with Ledger(None) as ledger:
        kept = run_rungs(study, Question(), ledger)
        behind = [t for t in ledger.trials() if t["plan"] != "hold-out 1/5"]
        kept.run(ledger)
        errors = {
            rung: ledger.fold_errors(plan=rung).ravel() for rung in {t["plan"] for t in behind}
        }
        last = ledger.fold_errors(plan="hold-out 1/5").ravel()
    assert all(late > bayes for bayes, late in errors.values())
    assert last[1] < last[0]


def test_the_least_that_is_left_to_catch_up():
    rng = np.random.default_rng(0)
    leader, own = (rng.random((2, 20_000)) < [[0.1], [0.2]]).astype(float)
    before = np.where(rng.random(20_000) < 0.02, 1.0, own)  # it gained 1.6 points by the last step
    one, two = (least_behind(own, leader, before, steps=n) for n in (1, 2))
    assert 0.06 < one < 0.1 - 0.016
    assert one - two > 0.015
    assert least_behind(leader, own, leader, steps=1) < 0
    # Rows that stand there four times are no more evidence than once.
    copies = [np.repeat(one[:5_000], 4) for one in (own, leader, before)]
    once = least_behind(*(one[:5_000] for one in (own, leader, before)), steps=1)
    grouped = least_behind(*copies, steps=1, groups=np.repeat(np.arange(5_000), 4))
    assert grouped == pytest.approx(once, abs=1e-9)
    assert least_behind(*copies, steps=1) > once


def test_an_interrupted_ladder_has_a_verdict(small, table):
    X, y = table
    candidates = {"naive Bayes": GaussianNB(), "logistic": LogisticRegression()}
    study = Study(candidates, X, y, plan=HoldOut())
    rung = rungs_of(study, Question())[0]
    with Ledger(None) as ledger:
        assert so_far(study, ledger, Question()) is None
        study.changed(plan=rung).run(ledger)
        part, left_out = so_far(study, ledger, Question())
        assert (part.plan, left_out) == (rung, ())
        from polychotomy.verdict.conclusions import conclude

        verdict = conclude(part, ledger, Question(), left_out=left_out)
    assert verdict.training_share == pytest.approx(rung.train / len(y))


def test_small_tables_have_no_rungs(table):
    study = Study({"a": GaussianNB(), "b": DummyClassifier()}, *table, plan=HoldOut())
    assert rungs_of(study, Question()) == ()
