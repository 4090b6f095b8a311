"""The ledger: a real SQLite file, written once, readable by anything, safe from strangers."""

import sqlite3

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.core.exceptions import StudyError
from polychotomy.study import Ledger, RepeatedFolds, Study

X, y = load_iris(return_X_y=True)


def study(**changes):
    candidates = {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}
    return Study(**({"candidates": candidates, "X": X, "y": y, "dataset": "iris"} | changes))


def test_every_prediction_comes_back(tmp_path):
    with study().run(tmp_path / "s") as ledger:
        found = study().gather(ledger)
    assert found.probabilities.shape == (2, 1, 5, 150, 3)
    assert not np.isnan(found.probabilities).any()
    np.testing.assert_array_equal(found.y, y)
    for repetition in range(5):
        test = found.folds[0, repetition] == 1
        by_hand = KNeighborsClassifier(1).fit(X[~test], y[~test]).predict(X[test])
        np.testing.assert_array_equal(found.predicted[1, 0, repetition, test], by_hand)


def test_reopened_ledger_is_the_same(tmp_path):
    with study().run(tmp_path / "s") as ledger:
        before = study().gather(ledger)
    with Ledger(tmp_path / "s") as ledger:
        after = study().gather(ledger)
        assert ledger.fact("specification") == study().specification
    np.testing.assert_array_equal(before.probabilities, after.probabilities)


def test_one_file_remains(tmp_path):
    study().run(tmp_path / "s").close()
    assert [p.name for p in tmp_path.iterdir()] == ["s"]


def test_any_sqlite_reads_it_and_it_is_durable(tmp_path):
    with study().run(tmp_path / "s") as ledger:
        connection = ledger._file.connection
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        sync = connection.execute("PRAGMA synchronous").fetchone()[0]
        reader = sqlite3.connect(tmp_path / "s")
        assert reader.execute("SELECT count(*) FROM trials").fetchone() == (20,)
        reader.close()
    assert (mode, sync) == ("wal", 2)


def test_a_trial_is_recorded_once(tmp_path):
    with study().run(tmp_path / "s") as ledger:
        rows = ledger._file.connection.execute("SELECT count(*) FROM trials").fetchone()[0]
        assert rows == len(ledger.finished()) == 20


def test_a_batch_is_recorded_whole_or_not_at_all(tmp_path):
    from polychotomy.study.design.trials import TrialKey, fail

    with study().run(tmp_path / "s") as ledger:
        new = fail(
            TrialKey("iris", "x", "5x2 folds", 0, 0, 0), status="failed", cause="", details=""
        )
        old = fail(
            TrialKey("iris", "MAX", "5x2 folds", 0, 0, 0), status="failed", cause="", details=""
        )
        with pytest.raises(sqlite3.IntegrityError):
            ledger.record([new, old])
        assert new.key not in ledger.finished()


def test_files_of_others_are_left_untouched(tmp_path):
    foreign = tmp_path / "notes.txt"
    foreign.write_text("mine")
    with pytest.raises(StudyError, match=r"not a polychotomy study.*left untouched"):
        Ledger(foreign)
    assert foreign.read_text() == "mine"
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    before = other.read_bytes()
    with pytest.raises(StudyError, match="not a polychotomy study"):
        Ledger(other)
    assert other.read_bytes() == before


def test_newer_format_is_left_untouched(tmp_path):
    Ledger(tmp_path / "s").close()
    with sqlite3.connect(tmp_path / "s") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StudyError, match="format 99; this version reads format 4"):
        Ledger(tmp_path / "s")


def test_folder_that_does_not_exist(tmp_path):
    with pytest.raises(StudyError, match=r"cannot open the study .*folder that exists"):
        Ledger(tmp_path / "nowhere" / "s")


def test_other_data_are_refused_in_words(tmp_path):
    study().run(tmp_path / "s").close()
    with pytest.raises(StudyError, match=r"rows were 150, now 149.*Nothing was changed"):
        study(X=X[1:], y=y[1:]).run(tmp_path / "s")
    other = X.copy()
    other[[3, 77], 2] = -1
    words = r"'iris'.*changed: column '2'"
    with pytest.raises(StudyError, match=words):
        study(X=other).run(tmp_path / "s")


def test_more_candidates_and_runs_compute_only_what_is_new(tmp_path):
    study().run(tmp_path / "s").close()
    more = {"MAX": DummyClassifier(), "3-NN": KNeighborsClassifier(3)}
    calls = []
    bigger = study(candidates=more, plan=RepeatedFolds(runs=2))
    with bigger.run(tmp_path / "s", progress=calls.append) as ledger:
        assert len(ledger.finished()) == 10 + 10 + 10 + 20
        assert (calls[0].done, calls[0].planned) == (10, 40)
        assert bigger.gather(ledger).probabilities.shape == (2, 2, 5, 150, 3)
        assert set(ledger.fact("specification")["candidates"]) == {"MAX", "1-NN", "3-NN"}
