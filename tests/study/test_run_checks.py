"""What a study is run with, in the words of its user: plans, races, progress, workers, ledgers."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Race, RepeatedFolds, Study
from polychotomy.study.study import count_workers

X, y = load_iris(return_X_y=True)
ONE = {"MAX": DummyClassifier()}
TWO = {"naive Bayes": GaussianNB(), "MAX": DummyClassifier()}


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (StratifiedKFold(4), r"plan=StratifiedKFold\(.*RepeatedFolds\(repetitions=1, folds=4\)"),
        ("5x5", r"plan='5x5'; expected a plan, such as RepeatedFolds\(repetitions=5, folds=2\)"),
        (RepeatedFolds, "plan=<class .*RepeatedFolds'>; expected a plan"),
        (None, "plan=None; expected a plan"),
    ],
)
def test_what_is_no_plan(plan, message):
    with pytest.raises(InvalidInput, match=message):
        Study(ONE, X, y, plan=plan)


def test_true_is_the_ordinary_race():
    study = Study(TWO, X, y, plan=RepeatedFolds(repetitions=5, folds=5))
    with study.run(race=True) as yes, study.run(race=Race()) as named:
        np.testing.assert_array_equal(yes.fold_errors(), named.fold_errors())
        assert yes.stopped() == named.stopped()
        assert len(yes.stopped()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"race": 0.05}, r"race=0.05; expected True, False or a Race, such as Race\(alpha=0.05\)"),
        ({"progress": "bar"}, "progress='bar'; expected True, False or a function"),
        (
            {"n_jobs": 0},
            r"n_jobs is 0; expected a whole number of processes \(−1: one for each processor\), at",
        ),
        ({"n_jobs": -5}, "n_jobs is -5; expected a whole number"),
        ({"n_jobs": -2}, "n_jobs is -2; expected a whole number"),
        ({"n_jobs": 2.5}, "n_jobs is 2.5; expected a whole number"),
        ({"n_jobs": True}, "n_jobs is True; expected a whole number"),
    ],
)
def test_what_a_run_cannot_use(options, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        Study(ONE, X, y).run(tmp_path / "never", **options)
    assert not (tmp_path / "never").exists()


def test_progress_true_prints_a_few_lines(capsys):
    Study(ONE, X, y).run(progress=True).close()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("fitting: 0 of 10")
    assert lines[-1] == "fitting: 10 of 10"
    judge(ONE, X, y, progress=True, anatomy=False)
    assert "comparing: 5 of 5" in capsys.readouterr().err
    Study(ONE, X, y).run(progress=False).close()
    assert capsys.readouterr().err == ""


def test_minus_one_is_one_worker_a_processor(monkeypatch):
    import joblib

    monkeypatch.setattr(joblib, "cpu_count", lambda: 3)
    assert [count_workers(n) for n in (-1, 5, np.int64(2))] == [3, 5, 2]
    monkeypatch.setattr(joblib, "cpu_count", lambda: 1)
    with Study(ONE, X, y).run(n_jobs=-1) as ledger:
        assert len(ledger.finished()) == 10
    assert judge(ONE, X, y, n_jobs=-1, anatomy=False).best == "MAX"
