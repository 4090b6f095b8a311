"""A raced run: what was stopped is a fact, no failure and no hole; the same after any kill."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Bootstrap, Ledger, Race, RepeatedFolds, Study, StudySpec

X, y = load_iris(return_X_y=True)
CANDIDATES = {"NB": GaussianNB(), "MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
PLAN = RepeatedFolds(repetitions=6, folds=5)
STUDY = Study(CANDIDATES, X, y, dataset="iris", plan=PLAN)


def contents(path):
    with Ledger(path, read_only=True) as ledger:
        rows = [
            {k: v for k, v in trial.items() if not k.endswith("_seconds")}
            for trial in ledger.trials()
        ]
        return rows, ledger.stopped()


def test_what_is_shown_to_be_worse_is_not_run_further(tmp_path):
    with STUDY.run(tmp_path / "s", race=Race()) as ledger:
        (stop,) = ledger.stopped()
        counts = {row["candidate"]: row["trials"] for row in ledger.summary()}
        failed = [trial for trial in ledger.trials() if trial["status"] != "ok"]
        status = ledger.say_status()
    assert (stop["candidate"], stop["better"], stop["dataset"]) == ("MAX", "NB", "iris")
    after = stop["repetitions"]
    assert after < 6
    assert counts == {"NB": 30, "MAX": 5 * after, "1-NN": 30}
    assert failed == []
    assert f"{sum(counts.values())} of {sum(counts.values())} fits recorded" in status
    assert f"MAX was stopped on iris after {after} repetitions: worse than NB" in status


def test_off_by_default():
    with STUDY.run() as ledger:
        assert ledger.stopped() == []
        assert len(ledger.finished()) == 90


def test_a_race_that_is_interrupted_ends_the_same(tmp_path):
    STUDY.run(tmp_path / "calm", race=Race()).close()

    def interrupt(now):
        if now.done in (13, 31, 47):
            raise InterruptedError

    for _ in range(4):
        try:
            STUDY.run(tmp_path / "rough", race=Race(), progress=interrupt).close()
        except InterruptedError:
            continue
    STUDY.run(tmp_path / "rough", race=Race()).close()
    assert contents(tmp_path / "rough") == contents(tmp_path / "calm")


def test_without_a_race_the_rest_is_run(tmp_path):
    STUDY.run(tmp_path / "s", race=Race()).close()
    with STUDY.run(tmp_path / "s") as ledger:
        assert len(ledger.finished()) == 90
        assert ledger.stopped() == []
        errors = ledger.fold_errors()
    with STUDY.run() as calm:
        np.testing.assert_array_equal(errors, calm.fold_errors())


def test_each_data_set_has_a_race_of_its_own():
    noise = np.random.default_rng(0).normal(size=X.shape)
    spec = StudySpec({"iris": (X, y), "noise": (noise, y)}, CANDIDATES, plan=PLAN)
    with spec.run(race=Race()) as ledger:
        assert {stop["dataset"] for stop in ledger.stopped()} == {"iris"}
        noise_trials = [t for t in ledger.trials() if t["dataset"] == "noise"]
    assert len(noise_trials) == 90


@pytest.mark.parametrize("plan", [Bootstrap(), RepeatedFolds(repetitions=1)])
def test_plans_that_cannot_be_raced(plan):
    with pytest.raises(InvalidInput, match="cannot be raced; expected RepeatedFolds"):
        Study(CANDIDATES, X, y, plan=plan).run(race=Race())
