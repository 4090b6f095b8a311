"""Which columns matter: as scikit-learn has it, correlated ones together, at a bounded cost."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge
from polychotomy.comparison import Criterion
from polychotomy.report.figures.columns import draw_columns, draw_dependence
from polychotomy.study import Ledger, RepeatedFolds, Study
from polychotomy.study.design.candidates import choose
from polychotomy.telling.choice import say_columns
from polychotomy.verdict import Question, columns, conclude
from polychotomy.verdict.columns import fit_columns, group_columns, read_columns
from polychotomy.verdict.running import run_study

X, y = load_wine(return_X_y=True, as_frame=True)
X = X[["alcohol", "malic_acid", "ash", "flavanoids", "hue"]]
CANDIDATES = {"MAX": DummyClassifier(), "LDA": LinearDiscriminantAnalysis()}


def asked(study, within=None, loss="error", **more):
    with study.run() as ledger:
        fit_columns(study, ledger, Criterion(name=loss), "LDA", within=within, **more)
        return read_columns(ledger.fact("columns")[study.dataset]["LDA"])


def study_of(table=X, labels=y, **more):
    return Study(CANDIDATES, table, labels, plan=RepeatedFolds(repetitions=1, folds=5), **more)


@pytest.fixture(scope="module")
def found():
    return asked(study_of())


def test_the_importance_is_scikit_learns_within_its_own_error(found):
    study = study_of()
    split = study.plan.split(study.data.target.codes, seed=0)[0, 0]
    means, spreads = [], []
    for fold in range(5):
        train, test = study.plan.rows(split, fold)
        values, labels = X.to_numpy(), y.to_numpy()
        model = LinearDiscriminantAnalysis().fit(values[train], labels[train])
        one = permutation_importance(
            model, values[test], labels[test], n_repeats=40, random_state=0
        )
        means.append(one.importances_mean)
        spreads.append(one.importances_std)
    theirs = dict(zip(X, np.mean(means, axis=0), strict=True))
    error = dict(zip(X, np.sqrt(np.mean(np.square(spreads), axis=0) / 25), strict=True))
    for (name,), rise in zip(found.groups, found.rise, strict=True):
        assert rise == pytest.approx(theirs[name], abs=4.5 * error[name])


def test_the_dependence_is_scikit_learns_where_a_column_has_few_values():
    table = X.assign(hue=X["hue"].round(), flavanoids=X["flavanoids"].round())
    study = study_of(table)
    split = study.plan.split(study.data.target.codes, seed=0)[0, 0]
    for one in asked(study).curves:
        if len(one.values) > 6:
            continue
        theirs = []
        for fold in range(5):
            train, test = study.plan.rows(split, fold)
            model = LinearDiscriminantAnalysis().fit(table.iloc[train], y[train])
            grid = {one.columns[0]: np.array(one.values)}
            how = {"custom_values": grid, "response_method": "predict_proba"}
            held_out = table.iloc[test].astype(float)
            theirs.append(partial_dependence(model, held_out, list(grid), **how)["average"])
        np.testing.assert_allclose(one.shares, np.mean(theirs, axis=0).T, atol=1e-5)
        break
    else:
        raise AssertionError("neither of the columns with few values came among the first")


def test_what_is_alike_is_shuffled_together_and_then_matters():
    """Each of two copies alone would seem to matter little."""
    table = X.assign(again=X["flavanoids"] * 2 + 1, kind=np.where(X["hue"] > 1, "a", "b"))
    table["kind2"] = table["kind"].map({"a": "x", "b": "y"})
    groups = [[table.columns[j] for j in group] for group in group_columns(table)]
    assert ["flavanoids", "again"] in groups
    assert ["kind", "kind2"] in groups
    assert ["hue"] in groups
    assert group_columns(np.zeros((5, 1))) == [[0]]
    assert sum(map(len, group_columns(np.zeros((5, 3))))) == 3  # constant: nothing is alike


@pytest.mark.long
def test_columns_of_every_kind_are_asked_in_their_own_words():
    table = pd.DataFrame(
        {
            "<b>colour</b>": np.where(y == 0, "red", "white"),
            "day": pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(178), unit="D"),
            "gaps": X["hue"].where(np.arange(178) % 3 > 0),
            "yes": y == 1,
        }
    )
    study = study_of(table).changed(candidates=choose(["MAX", "logistic"]))
    with study.run() as ledger:
        fit_columns(study, ledger, Criterion(name="error"), "logistic", within=None)
        verdict = conclude(study, ledger)
    assert {name for group in verdict.columns.groups for name in group} == set(table)
    page = verdict.to_html()
    assert "&lt;b&gt;colour" in page
    assert "<b>colour" not in page
    assert json.loads(json.dumps(verdict.to_dict()))["columns"]["groups"][0]


@pytest.mark.long
def test_it_is_written_down_and_not_asked_again(tmp_path):
    study = study_of()
    run_study(study, Question(), Ledger(tmp_path / "s")).close()
    with Ledger(tmp_path / "s") as ledger:
        before = conclude(study, ledger).columns
    calls = []
    with run_study(study, Question(), Ledger(tmp_path / "s"), progress=calls.append) as ledger:
        assert all(now.done == now.resumed for now in calls)
        np.testing.assert_array_equal(conclude(study, ledger).columns.rise, before.rise)
        other = conclude(study, ledger, Question(criterion=Criterion(name="brier")))
        assert "by another loss" in other.not_asked["columns"]


def test_time_that_is_short_takes_fewer_shuffles_then_fewer_rows_then_all(monkeypatch):
    study = study_of()
    monkeypatch.setattr(columns, "_MOST_CELLS", 5 * 5 * 5 * 36)
    assert asked(study).repeats == 1
    monkeypatch.setattr(columns, "_MOST_CELLS", 5 * 5 * 5 * 31)
    few = asked(study)
    assert (few.repeats, few.rows) == (1, 5 * 31)
    assert "too long" in asked(study, within=0.0).reason
    monkeypatch.setattr(columns, "_MOST_COLUMNS", 4)
    assert "5 groups" in asked(study).reason


class Fickle(ClassifierMixin, BaseEstimator):
    """Fits on most of the rows of the table itself, not on a longer one's altered ones."""

    def fit(self, X, y):
        self.classes_, self.seen_ = np.unique(y), 0
        return self

    def predict(self, X):
        if len(X) > 40:
            raise ValueError("too many rows at once")
        return np.repeat(self.classes_[0], len(X))


def test_fits_that_fail_are_a_reason():
    study = study_of().changed(candidates={"LDA": Fickle()})
    assert "failed: ValueError: too many rows" in asked(study).reason


def test_one_fold_has_no_interval_and_an_area_needs_two_classes():
    one = read_columns({"groups": [["a"], ["b"]], "before": [0.1], "after": [[0.3], [0.1]],
                        "ratio": 0.25, "rows": 9, "repeats": 1, "curves": []})  # fmt: skip
    assert np.isnan(one.low).all()
    reading = draw_columns(one, criterion=Criterion(name="error")).reading
    assert "of one fold there is no interval" in reading
    assert "95 %" not in reading
    by_area = asked(study_of(labels=np.where(y == 1, 1, 0)), loss="auc")
    assert by_area.low[0] > 0


@pytest.fixture(scope="module")
def verdict():
    return judge(CANDIDATES, X, y, anatomy=True, plan="1x5")


def test_what_is_not_shown_is_not_said(verdict):
    (shown,) = say_columns(verdict)
    assert shown.emphasis.endswith("matters most")
    none = verdict.columns.__class__(**{**vars(verdict.columns), "low": verdict.columns.low - 1})
    (unsure,) = say_columns(verdict.__class__(**{**vars(verdict), "columns": none}))
    assert unsure.emphasis == "no column is shown to matter by itself"
    assert "; then" not in unsure.text


def test_of_one_fold_there_is_no_interval_to_show_it(verdict):
    none = np.full_like(verdict.columns.low, np.nan)
    alone = verdict.columns.__class__(
        **{**vars(verdict.columns), "low": none, "high": none, "folds": 1}
    )
    (said,) = say_columns(verdict.__class__(**{**vars(verdict), "columns": alone}))
    assert re.fullmatch(
        r"Of the columns, [a-z]+ came first: shuffled, it raises the error by \d+\.\d points; "
        r"of one fold there is no interval to tell whether that is chance\.",
        said.text,
    )
    assert "Interval" not in said.basis


def test_categories_are_dots_beside_their_names():
    dependence = columns.Dependence(
        ("kind",), ("a", "b"), False, np.array([[0.2, 0.8], [0.7, 0.3]])
    )
    figure = draw_dependence(dependence, ("no", "yes"))
    assert figure.drawing.count("<circle") == 2
    assert figure.rows[1] == ("b", 0.7, 0.3)
    assert "of 'yes' from 80.0 % to 30.0 %" in figure.message  # the positive one
    assert "changes most" not in figure.reading


def test_a_sparse_table_is_not_asked():
    from scipy import sparse

    data, labels = load_iris(return_X_y=True)
    verdict = judge({"LDA": GaussianNBOfSparse()}, sparse.csr_matrix(data), labels, plan="1x5")
    assert "sparse" in verdict.not_asked["columns"]


class GaussianNBOfSparse(GaussianNB):
    """Naive Bayes that takes sparse rows."""

    def fit(self, X, y):
        return super().fit(X.toarray(), y)

    def predict(self, X):
        return super().predict(X.toarray() if hasattr(X, "toarray") else X)

    def predict_proba(self, X):
        return super().predict_proba(X.toarray() if hasattr(X, "toarray") else X)
