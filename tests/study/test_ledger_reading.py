"""What a ledger says: every question of an empty study has an answer or an error with words."""

import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import StudyError
from polychotomy.study import Ledger, NestedSizes, RepeatedFolds, Study

QUESTIONS = {
    "out_of_fold": (), "fold_errors": (), "bootstrap_predictions": ("a",), "size_errors": ("a",),
    "truth": (), "folds": (), "prediction_columns": (), "sample_ids": (),
}  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_empty_study_is_said_to_be_empty(question):
    with (
        Ledger() as ledger,
        pytest.raises(StudyError, match="the study is empty: nothing has been"),
    ):
        getattr(ledger, question)(*QUESTIONS[question])


def test_what_an_empty_study_answers():
    with Ledger() as ledger:
        assert ledger.finished() == set()
        assert ledger.done() == {}
        assert ledger.trials() == ledger.summary() == ledger.stopped() == []
        assert ledger.say_status() == "nothing planned yet"


def test_reading_writes_nothing(tmp_path):
    path = tmp_path / "study"
    study = Study(
        {"NB": GaussianNB()}, *load_iris(return_X_y=True), plan=RepeatedFolds(repetitions=1)
    )
    study.run(path).close()
    before = path.read_bytes()
    with Ledger(path, read_only=True) as ledger:
        assert len(ledger.truth()) == 150
        assert ledger.folds().shape == (1, 1, 150)
        assert ledger.sample_ids() is None
    assert path.read_bytes() == before


def test_of_several_training_sizes_the_largest_has_columns():
    plan = NestedSizes(folds=3, sizes=(0.5, 1.0))
    with Study({"NB": GaussianNB()}, *load_iris(return_X_y=True), plan=plan).run() as ledger:
        (columns,) = ledger.prediction_columns(plan=plan.name)
        seconds = {one["fold"]: one["fit_seconds"] for one in ledger.trials()}
    told = dict(zip(columns["fold"].tolist(), columns["fit_seconds"].tolist(), strict=True))
    assert told == {fold: seconds[fold] for fold in (3, 4, 5)}
