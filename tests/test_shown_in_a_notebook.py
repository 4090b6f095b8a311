"""What a notebook shows of an object is a line that tells what it is, not all its numbers."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy.model import fit_model
from polychotomy.study import Ledger, Study, StudySpec

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[y]
STUDY = Study({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, NAMES, dataset="iris")


@pytest.fixture(scope="module")
def predictions():
    with STUDY.run() as ledger:
        return ledger.out_of_fold()


def test_studies_data_and_ledgers_say_what_they_are(tmp_path):
    assert repr(STUDY) == (
        "<Study: MAX, naive Bayes on 'iris', 5x2 folds: <Dataset: 150 rows, 4 columns, 3 classes>>"
    )
    assert len(repr(StudySpec({"iris": STUDY.data}, STUDY.candidates))) < 400
    with Ledger() as ledger:
        assert repr(ledger) == "<Ledger in memory>"
    with Ledger(tmp_path / "s") as ledger:
        assert repr(ledger) == f"<Ledger {str(tmp_path / 's')!r}>"


def test_studies_and_ledgers_show_themselves(tmp_path):
    study = Study({"<MAX>": DummyClassifier()}, X, NAMES, dataset="iris & co")
    assert "<li>&lt;MAX&gt; <code>DummyClassifier()</code></li>" in study._repr_html_()
    assert "150 rows, 4 columns, 3 classes" in study._repr_html_()
    with study.run() as ledger:
        assert "10 of 10 fits recorded" in ledger._repr_html_()
    assert "closed" in ledger._repr_html_()


def test_predictions_say_what_they_are(predictions):
    assert repr(predictions) == (
        "<OutOfFold: 2 learners (MAX, naive Bayes) on 150 samples of 3 classes, 1 run of 5 × 2 "
        "folds>"
    )
    assert repr(pickle.loads(pickle.dumps(predictions))) == repr(predictions)


def test_a_model_says_what_it_is():
    model = fit_model(GaussianNB(), X[:, :2], NAMES, candidate="naive Bayes")
    assert repr(model).startswith("<Model: 'naive Bayes', tells setosa, versicolor, virginica by ")
    assert len(repr(model)) < 120
    shown = model._repr_mimebundle_()["text/html"]
    assert shown.startswith("<p>Model: &#x27;naive Bayes&#x27;, tells setosa")
    assert "sk-container" in shown  # scikit-learn's own diagram
