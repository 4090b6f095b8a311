"""Things of another kind than asked for are refused in words, not by Python."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy import would_combining_help
from polychotomy.decomposition import decompose_error, would_bagging_help
from polychotomy.exceptions import InvalidInput
from polychotomy.study import Ledger, Study, import_predictions
from polychotomy.validation import confusion_of
from polychotomy.verdict import unite_verdicts

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
