"""Learners from elsewhere beside those fitted here: the same samples, truth and folds."""

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


@pytest.fixture
def study(tmp_path):
    OURS.run(tmp_path / "s").close()
    return tmp_path / "s"


@pytest.fixture(scope="module")
def theirs():
    """What another program has made of our folds, its classes in an order of its own."""
    both = Study({"elsewhere": DummyClassifier()}, X, WORDS, dataset="iris", plan=PLAN)
    with both.run() as ledger:
        frame = predictions_frame(ledger)
    kept = frame[["candidate", "run", "repetition", "fold", "sample", "truth", "p:c", "p:b", "p:a"]]
    return kept.sample(frac=1, random_state=0)


def imported(frame, study):
    path = study.parent / "theirs.csv"
    frame.to_csv(path, index=False)
    return import_predictions(path, into=study, dataset="iris")


def test_they_come_beside_ours(study, theirs):
    with imported(theirs, study) as ledger:
        found = ledger.out_of_fold()
        assert ledger.say_status().startswith("24 of 24 fits recorded")
    assert found.names == ("NB", "elsewhere")
    together = Study(
        {"NB": GaussianNB(), "elsewhere": DummyClassifier()}, X, WORDS, dataset="iris", plan=PLAN
    )
    with together.run() as ledger:
        expected = together.gather(ledger)
    np.testing.assert_array_equal(found.folds, expected.folds)
    np.testing.assert_allclose(found.probabilities, expected.probabilities, atol=1e-7)
    with OURS.run(study) as ledger:  # and the study goes on as before
        assert len(ledger.finished()) == 24


def test_the_first_runs_will_do(study, theirs):
    with imported(theirs[theirs["run"] == 0], study) as ledger:
        errors = ledger.fold_errors()
    assert np.isnan(errors[1, 1]).all()
    assert not np.isnan(errors[1, 0]).any()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: f.assign(fold=1 - f["fold"]), "folds of the table are none of the study's"),
        (
            lambda f: f.assign(sample=f["sample"] + 1),
            "not those of the study's data 'iris'; expected the same 150",
        ),
        (lambda f: f.rename(columns={"p:a": "p:z"}).replace("a", "z"), "has the class 'z', which"),
        (
            lambda f: f.assign(truth=f["truth"].replace({"a": "b", "b": "a"})),
            "the samples of the table and their truth are not",
        ),
    ],
)
def test_what_is_not_the_studys_own(study, theirs, change, words):
    before = study.read_bytes()
    with pytest.raises(InvalidTable, match=words):
        imported(change(theirs), study)
    assert len(before) == len(study.read_bytes())


def test_a_name_that_is_taken(study, theirs):
    with pytest.raises(StudyError, match=r"the candidate 'NB' was .*GaussianNB.*, now .*imported"):
        imported(theirs.assign(candidate="NB"), study)


def test_the_same_again_changes_nothing_and_others_are_refused(study, theirs):
    for _ in range(2):
        with imported(theirs, study) as ledger:
            assert len(ledger.finished()) == 24
    other = theirs.assign(**{"p:a": theirs["p:b"] + 0.1, "p:b": theirs["p:a"] - 0.1})
    with pytest.raises(StudyError, match="the candidate 'elsewhere' was imported"):
        imported(other, study)


def test_another_data_set_comes_with_folds_of_its_own(study, theirs):
    path = study.parent / "more.csv"
    pd.DataFrame(theirs).to_csv(path, index=False)
    with import_predictions(path, into=study) as ledger:
        assert set(ledger.fact("specification")["datasets"]) == {"iris", "more"}
