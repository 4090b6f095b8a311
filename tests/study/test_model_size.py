"""The size of a model: near that of its pickle, the same in every process, never a failure."""

import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.study import Ledger, RepeatedFolds, Study
from polychotomy.study.fitting.model_size import pickled_bytes
from polychotomy.study.fitting.prepare import Preparation, Prepared, fit_steps

X, y = load_iris(return_X_y=True)
CANDIDATES = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(random_state=0)),
    "1-NN": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
    "forest": RandomForestClassifier(5),
}


class Locked(DummyClassifier):
    """Cannot be pickled once it is fitted."""

    def fit(self, X, y):
        self.lock_ = threading.Lock()
        return super().fit(X, y)


@pytest.mark.parametrize("candidate", CANDIDATES.values(), ids=CANDIDATES)
def test_near_the_length_of_a_pickle(candidate):
    model = candidate.fit(X, y)
    assert pickled_bytes(model) == pytest.approx(len(pickle.dumps(model, protocol=5)), rel=0.06)


def test_texts_count_once_whoever_made_them():
    one = "a text of some length"
    other = "".join(list(one))
    assert pickled_bytes([one, one]) == pickled_bytes([one, other]) < pickled_bytes([one, one[1:]])


def test_views_of_the_same_memory_count_once():
    data = np.arange(1000.0)
    assert pickled_bytes([data, data[:]]) < 1.1 * pickled_bytes(data)
    assert pickled_bytes([data, data.copy()]) > 1.9 * pickled_bytes(data)
    assert pickled_bytes([np.arange(i, i + 100.0) for i in range(50)]) > 50 * 800


def test_a_class_of_a_notebook_weighs_no_more():
    def local():
        class Here(DummyClassifier):
            pass

        return Here().fit(X, y)

    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(local())
    assert pickled_bytes(local()) == pytest.approx(
        pickled_bytes(DummyClassifier().fit(X, y)), abs=90
    )


def test_large_arrays_are_not_copied():
    import tracemalloc

    data = np.zeros(4_000_000)
    tracemalloc.start()
    size = pickled_bytes(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == pytest.approx(data.nbytes, abs=300)
    assert peak < data.nbytes / 2


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_measured_once_and_the_same_with_any_number_of_workers(n_jobs):
    with Study(CANDIDATES, X, y, plan=RepeatedFolds(repetitions=2)).run(n_jobs=n_jobs) as ledger:
        sizes = {t["candidate"]: t["model_bytes"] for t in ledger.trials() if t["model_bytes"]}
        assert sum(t["model_bytes"] is not None for t in ledger.trials()) == 3
        assert sizes == ledger.model_bytes() == ledger.model_bytes("data")
        assert sizes == {row["candidate"]: row["model_bytes"] for row in ledger.summary()}
        folds = ledger.folds()[0, 0]
    for name in ("logistic", "1-NN"):
        model = CANDIDATES[name].fit(X[folds != 0], y[folds != 0])
        model.predict(X[folds == 0])  # trees of neighbours count their queries
        model.predict_proba(X[folds == 0])
        assert sizes[name] == pickled_bytes(model)


def test_a_model_that_cannot_be_pickled_has_no_size_and_does_not_fail():
    candidates = {"locked": Locked(), "MAX": DummyClassifier()}
    with Study(candidates, X, y).run() as ledger:
        assert {trial["status"] for trial in ledger.trials()} == {"ok"}
        assert list(ledger.model_bytes()) == ["MAX"]


@pytest.mark.parametrize("place", ["_Weigher", "_Scales"])
def test_a_mistake_in_weighing_gives_no_size_and_fails_nothing(place, monkeypatch):
    """Also where steps are fitted for all who share them, where no one else looks after it."""

    def broken(*args, **kwargs):
        raise RuntimeError("broken")

    monkeypatch.setattr(f"polychotomy.study.fitting.model_size.{place}", broken)
    assert pickled_bytes(make_pipeline(StandardScaler())) is None
    shared = Preparation((make_pipeline(StandardScaler()),), start=0, parent=None)
    made = fit_steps(shared, Prepared(X, X), y, seed=0, weigh=True)
    assert made.size is None
    np.testing.assert_allclose(made.train.std(axis=0), 1)


def test_a_pipeline_without_names_of_steps_has_no_size():
    model = make_pipeline(StandardScaler())
    model.steps = [StandardScaler()]
    assert pickled_bytes(model) is None


def test_a_ledger_without_models():
    with Ledger() as ledger, pytest.raises(ValueError, match="has 0 of data set"):
        ledger.model_bytes()


@pytest.mark.long
def test_the_same_in_a_process_with_another_order_of_hashes():
    code = (
        "from sklearn.datasets import load_iris; from sklearn.ensemble import *;"
        "from polychotomy.study.fitting.model_size import pickled_bytes;"
        "print(pickled_bytes(RandomForestClassifier(5, random_state=0)"
        ".fit(*load_iris(return_X_y=True))))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert found == {f"{pickled_bytes(RandomForestClassifier(5, random_state=0).fit(X, y))}\n"}
