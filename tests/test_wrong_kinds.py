"""Things of another kind than asked for are refused in words, not by Python."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy import CodedClassifier, selected_error, would_combining_help
from polychotomy.datasets import TwoNormals, fetch_dataset
from polychotomy.decomposition import (
    decompose_error,
    learning_curve_forecast,
    learning_curve_losses,
    simulate_decomposition,
    would_bagging_help,
)
from polychotomy.exceptions import InvalidInput
from polychotomy.model import fit_model
from polychotomy.study import Ledger, Study, import_predictions
from polychotomy.validation import Temperature, confusion_of, recalibrate
from polychotomy.verdict import judge, unite_verdicts

X, y = load_iris(return_X_y=True)


def test_a_ledger_is_told_to_give_its_predictions():
    with Ledger() as ledger:
        for ask in (would_combining_help, confusion_of):
            with pytest.raises(InvalidInput, match=r"is a Ledger; .* pass its out_of_fold\(\)"):
                ask(ledger)


def test_labels_are_no_out_of_fold_predictions():
    with pytest.raises(InvalidInput, match="predictions is a ndarray; expected an OutOfFold"):
        confusion_of(y, y)


def test_a_learner_is_a_name_or_a_row():
    with Study({"MAX": DummyClassifier()}, X, y).run() as ledger:
        predictions = ledger.out_of_fold()
    with pytest.raises(InvalidInput, match="no learner 1; expected a name or a row, 0 to 0"):
        confusion_of(predictions, 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (DecisionTreeClassifier(), "cross_validated is of the type DecisionTreeClassifier; expec"),
        (np.array(["a", "b"]), "cross_validated is no array of numbers; expected class probab"),
    ],
)
def test_bagging_is_asked_of_probabilities(given, message):
    with pytest.raises(InvalidInput, match=message):
        would_bagging_help(given, np.eye(2), np.arange(2))


def test_a_class_is_no_estimator():
    with pytest.raises(InvalidInput, match=r"the class DecisionTreeClassifier; expected an inst"):
        decompose_error(DecisionTreeClassifier, X, y)


def test_verdicts_come_in_a_list_and_tables_in_a_file():
    with pytest.raises(InvalidInput, match=r"verdicts is a dict; .* list\(verdicts.values\(\)\)"):
        unite_verdicts({"iris": 1})
    with pytest.raises(InvalidInput, match=r"verdicts\[0\] is a int; expected a Verdict"):
        unite_verdicts([1])
    with pytest.raises(InvalidInput, match=r"verdicts is a int; expected a list"):
        unite_verdicts(1)
    with pytest.raises(InvalidInput, match=r"path is a DataFrame; .* frame.to_csv\(path"):
        import_predictions(pd.DataFrame())


CODES = np.arange(20) % 2
LOSSES, FOLDS = CODES[None, None].astype(float), np.arange(20)[None] % 5
EVEN = np.full((20, 2), 0.5)

DOORS = {
    "recalibrate alpha": (lambda: recalibrate(EVEN, CODES, alpha="x"), "alpha is 'x'; expected a"),
    "Temperature": (lambda: Temperature("x"), "exponent is 'x'; expected a finite number of 0"),
    "negative Temperature": (lambda: Temperature(-1.0), "exponent is -1.0; expected a finite"),
    "CodedClassifier n_jobs": (
        lambda: CodedClassifier(GaussianNB(), n_jobs="x").fit(X, y),
        "n_jobs is 'x'; expected None, 1 or more",
    ),
    "CodedClassifier NaN": (
        lambda: CodedClassifier(GaussianNB()).fit(X, np.where(y == 1, np.nan, y)),
        r"y\[50\] is missing; expected a label for every sample",
    ),
    "selected_error losses": (lambda: selected_error("x", FOLDS), "losses cannot be read as"),
    "selected_error folds": (
        lambda: selected_error(LOSSES, [["a"] * 20]),
        "folds cannot be read as an array",
    ),
    "selected_error groups": (
        lambda: selected_error(LOSSES, FOLDS, groups=[1]),
        r"groups has shape \(1,\); expected \(20,\)",
    ),
    "selected_error n_replicates": (
        lambda: selected_error(LOSSES, FOLDS, n_replicates="x"),
        "n_replicates is 'x'; expected an int of at least 1",
    ),
    "decompose_error n_bootstraps": (
        lambda: decompose_error(GaussianNB(), X, y, n_bootstraps="x"),
        "n_bootstraps is 'x'; expected a number of fits",
    ),
    "decompose_error n_jobs": (
        lambda: decompose_error(GaussianNB(), X, y, n_jobs="x"),
        "n_jobs is 'x'; expected None, 1 or more",
    ),
    "simulate_decomposition n_train": (
        lambda: simulate_decomposition(TwoNormals(), GaussianNB(), n_train="x"),
        "n_train is 'x'; expected an int of at least 2",
    ),
    "simulate_decomposition problem": (
        lambda: simulate_decomposition("x", GaussianNB(), n_train=20),
        "problem is 'x'; expected one that can be drawn from",
    ),
    "learning_curve_losses": (
        lambda: learning_curve_losses(GaussianNB(), X, y, n_folds="x"),
        "n_folds is 'x'; expected from 2",
    ),
    "learning_curve_forecast": (
        lambda: learning_curve_forecast("x", [[0.1, 0.2]]),
        "sizes is no array of numbers",
    ),
    "judge notes": (
        lambda: judge({"NB": GaussianNB()}, X, y, notes="a remark"),
        "notes is 'a remark'; expected a list of remarks",
    ),
    "judge notes, a number": (
        lambda: judge({"NB": GaussianNB()}, X, y, notes=3),
        "notes is 3; expected a list of remarks",
    ),
    "predict_table": (
        lambda: fit_model(GaussianNB(), X, y).predict_table(X),
        "the table is a ndarray; expected a DataFrame with the columns of training",
    ),
    "fetch_dataset": (lambda: fetch_dataset(3), "there is no benchmark set 3 to fetch"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("error")
def test_what_an_argument_cannot_be_is_said_at_the_door(door):
    ask, words = DOORS[door]
    with pytest.raises(InvalidInput, match=words):
        ask()
