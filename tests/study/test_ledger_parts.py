"""Which part of a study is meant."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Bootstrap, RepeatedFolds, Study
from polychotomy.study.ledger.reading import choose_one

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    ("known", "asked", "words"),
    [
        (["iris", "wine"], None, "has 2 of data set: 'iris', 'wine'. Name one"),
        (["iris"], "irsi", "no data set 'irsi'. Did you mean 'iris'"),
        ([], None, "has 0 of data set: none"),
    ],
)
def test_what_cannot_be_meant(known, asked, words):
    with pytest.raises(InvalidInput, match=words):
        choose_one(known, asked, "data set")


def test_the_plan_of_folds_is_meant_beside_a_bootstrap():
    with Study({"MAX": DummyClassifier()}, X, y).run() as ledger:
        Study({"MAX": DummyClassifier()}, X, y, plan=Bootstrap(replicates=2)).run(ledger)
        assert ledger.fold_errors().shape == (1, 1, 5, 2)
        assert ledger.fold_errors(plan="bootstrap").shape == (1, 1, 2, 1)
        Study({"MAX": DummyClassifier()}, X, y, plan=RepeatedFolds(folds=3)).run(ledger)
        with pytest.raises(InvalidInput, match=r"'5x2 folds', '5x3 folds'\. Name one"):
            ledger.fold_errors()


def test_done_marks_each_trial(tmp_path):
    plan = RepeatedFolds(repetitions=3, runs=2)

    def interrupt(now):
        if now.done == 5:
            raise InterruptedError

    study = Study({"MAX": DummyClassifier()}, X, y, dataset="iris", plan=plan)
    with pytest.raises(InterruptedError):
        study.run(tmp_path / "s", progress=interrupt)
    with study.run(tmp_path / "s", progress=lambda now: None) as ledger:
        done = ledger.done()
    assert list(done) == [("iris", "MAX", plan.name)]
    assert done["iris", "MAX", plan.name].shape == (6, 2)
    assert done["iris", "MAX", plan.name].all()
    assert isinstance(done["iris", "MAX", plan.name], np.ndarray)


def test_a_text_is_one_candidate_and_not_its_letters():
    candidates = {"MAX": DummyClassifier(), "A": DummyClassifier(strategy="uniform")}
    with Study(candidates, X, y).run() as ledger:
        assert ledger.out_of_fold("MAX").names == ("MAX",)
        assert ledger.fold_errors("A").shape == (1, 1, 5, 2)
        with pytest.raises(InvalidInput, match="no candidate 'AM'"):
            ledger.out_of_fold("AM")
