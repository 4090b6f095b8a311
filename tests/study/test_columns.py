"""Reading in columns gives what reading trial by trial gives."""

import sqlite3

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy.core.exceptions import StudyError
from polychotomy.study import (
    Bootstrap,
    FixedSplit,
    Ledger,
    NestedSizes,
    RepeatedFolds,
    Study,
    TimeFolds,
)
from polychotomy.study.ledger import reading
from polychotomy.study.ledger.reading import Part, read_batches
from polychotomy.study.ledger.rows import Damage, digest

X, y = load_iris(return_X_y=True)
CANDIDATES = {"NB": GaussianNB(), "MAX": DummyClassifier()}


def part_of(ledger, plan):
    specification = ledger.fact("specification")
    return Part(ledger._file.connection, specification, plan=plan.name, kinds=())


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(
    "plan",
    [
        RepeatedFolds(repetitions=2, folds=3, runs=2),
        TimeFolds(folds=3),
        Bootstrap(replicates=4),
        FixedSplit(test=0.3),
        NestedSizes(folds=3, sizes=(0.5, 1.0), repetitions=2),
    ],
    ids=lambda plan: plan.name if hasattr(plan, "name") else None,
)
def test_columns_are_the_trials_end_to_end(monkeypatch, plan, size):
    monkeypatch.setattr(reading.rows, "AT_A_TIME", size)
    time = np.arange(150) % 50 if isinstance(plan, TimeFolds) else None
    study = Study(CANDIDATES, X, y, plan=plan, time=time)
    with study.run() as ledger:
        part = part_of(ledger, plan)
        found = {}
        for batch in read_batches(ledger._file.connection, Damage(), part, whole=True):
            trials = [batch.trials[name] for name in ("candidate", "repetition", "fold")]
            for i, key in enumerate(zip(*trials, strict=True)):
                where = batch.trial == i
                found[key] = (
                    batch.sample[where], batch.predicted[where], batch.probabilities[where]
                )  # fmt: skip
        work = study.work()
        for key in ledger.finished():
            train, test = work.rows(key)
            where = key.run * plan.repetitions + key.repetition
            sample, predicted, shares = found.pop(
                (list(CANDIDATES).index(key.candidate), where, key.fold)
            )
            np.testing.assert_array_equal(sample, test)
            model = CANDIDATES[key.candidate].fit(X[train], y[train])
            np.testing.assert_array_equal(predicted, model.predict(X[test]))
            np.testing.assert_allclose(shares, model.predict_proba(X[test]), atol=1e-6)
    assert found == {}


def test_many_classes_come_back():
    labels = np.arange(600) % 300
    study = Study({"NB": GaussianNB()}, labels[:, None] * 1.0, labels, keep="labels")
    with study.run() as ledger:
        np.testing.assert_array_equal(study.gather(ledger).predicted[0, 0, 0], labels)


def test_predictions_that_do_not_fit_their_split_are_damage(tmp_path):
    study = Study({"MAX": DummyClassifier()}, X, y)
    study.run(tmp_path / "s").close()
    with sqlite3.connect(tmp_path / "s") as connection:
        where = "WHERE repetition = 1 AND fold = 1"
        answer = connection.execute(
            "SELECT dataset, candidate, plan, run, repetition, fold, status, hard FROM trials "
            + where
        ).fetchone()
        forged = (b"00", digest((*answer, b"00")))
        connection.execute(f"UPDATE trials SET predicted = ?, digest = ? {where}", forged)
        connection.execute("DELETE FROM counts WHERE dataset <> ''")
    connection.close()
    with (
        Ledger(tmp_path / "s", read_only=True) as ledger,
        pytest.raises(StudyError, match="it is damaged"),
    ):
        ledger.fold_errors()
