"""Learners from elsewhere beside those fitted here: the rows of both are one table."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import InvalidTable, StudyError
from polychotomy.study import RepeatedFolds, Study, import_predictions
from polychotomy.study.ledger.export import predictions_frame

X, y = load_iris(return_X_y=True)
WORDS = np.array(["c", "a", "b"])[y]
PLAN = RepeatedFolds(repetitions=3, runs=2)
OURS = Study({"NB": GaussianNB()}, X, WORDS, dataset="iris", plan=PLAN)


@pytest.fixture(scope="module")
def theirs():
    """What another program has made of our folds, its classes in an order of its own."""
    both = Study({"elsewhere": DummyClassifier()}, X, WORDS, dataset="iris", plan=PLAN)
    with both.run() as ledger:
        frame = predictions_frame(ledger)
    kept = frame[["candidate", "run", "repetition", "fold", "sample", "truth", "p:c", "p:b", "p:a"]]
    return kept.sample(frac=1, random_state=0)


def test_they_come_beside_ours(theirs):
    with OURS.run() as ledger:
        ours = predictions_frame(ledger)
    with import_predictions(pd.concat([ours, theirs]).drop(columns="predicted")) as ledger:
        found = ledger.out_of_fold()
    assert found.names == ("NB", "elsewhere")
    together = Study(
        {"NB": GaussianNB(), "elsewhere": DummyClassifier()}, X, WORDS, dataset="iris", plan=PLAN
    )
    with together.run() as ledger:
        expected = together.gather(ledger)
    np.testing.assert_array_equal(found.folds, expected.folds)
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-7)


def test_the_same_again_changes_nothing_and_others_are_refused(tmp_path, theirs):
    for _ in range(2):
        with import_predictions(theirs, into=tmp_path / "s", dataset="iris") as ledger:
            assert len(ledger.finished()) == 12
    more = theirs.assign(candidate="another")
    with import_predictions(more, into=tmp_path / "s", dataset="iris") as ledger:
        assert len(ledger.finished()) == 24
    other = theirs.assign(**{"p:a": theirs["p:b"] + 0.1, "p:b": theirs["p:a"] - 0.1})
    with pytest.raises(StudyError, match=r"the candidate 'elsewhere' was .*imported"):
        import_predictions(other, into=tmp_path / "s", dataset="iris")
    moved = more.assign(fold=1 - more["fold"])
    with pytest.raises(InvalidTable, match="folds of the table are not those that the study has"):
        import_predictions(moved, into=tmp_path / "s", dataset="iris")


def test_a_study_of_fits_is_no_place_for_them(tmp_path, theirs):
    OURS.run(tmp_path / "s").close()
    with pytest.raises(StudyError, match="was made for something else"):
        import_predictions(theirs, into=tmp_path / "s", dataset="iris")


def test_another_data_set_comes_with_folds_of_its_own(tmp_path, theirs):
    OURS.run(tmp_path / "s").close()
    with import_predictions(theirs, into=tmp_path / "s", dataset="more") as ledger:
        assert set(ledger.fact("specification")["datasets"]) == {"iris", "more"}
