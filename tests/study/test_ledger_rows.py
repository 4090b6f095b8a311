"""Rows of the file: what any reader of SQLite finds there."""

import json
import sqlite3

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

from polychotomy.study import Study

X, y = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "s"
    candidates = {"MAX": DummyClassifier(), "hasty": LogisticRegression(max_iter=1)}
    Study(candidates, X, y, dataset="iris").run(path).close()
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        yield lambda text: connection.execute(text).fetchall()
    connection.close()


def test_arrays_are_plain_bytes(rows):
    (sample,) = rows("SELECT * FROM samples")
    np.testing.assert_array_equal(np.frombuffer(sample["truth"], "<i4"), y)
    splits = rows("SELECT * FROM splits ORDER BY run, repetition")
    assert len(splits) == 5
    folds = np.frombuffer(splits[2]["split"], "<i2")
    (trial,) = rows("SELECT * FROM trials WHERE candidate = 'MAX' AND repetition = 2 AND fold = 1")
    predicted = np.frombuffer(trial["predicted"], "|u1")
    shares = np.frombuffer(trial["probabilities"], "<f4").reshape(-1, 3)
    model = DummyClassifier().fit(X[folds != 1], y[folds != 1])
    np.testing.assert_array_equal(predicted, model.predict(X[folds == 1]))
    np.testing.assert_allclose(shares, model.predict_proba(X[folds == 1]), atol=1e-6)


def test_facts_are_json(rows):
    facts = {row["name"]: json.loads(row["value"]) for row in rows("SELECT * FROM facts")}
    assert set(facts) == {"specification", "planned", "provenance", "driver", "open"}
    assert facts["planned"] == {"5x2 folds": {"iris": {"MAX": 5, "hasty": 5}}}
    assert facts["specification"]["datasets"]["iris"]["rows"] == 150


def test_warnings_are_json(rows):
    found = rows("SELECT DISTINCT candidate, warnings FROM trials ORDER BY candidate")
    assert json.loads(found[0]["warnings"]) == []
    assert "ConvergenceWarning" in json.loads(found[1]["warnings"])[0]
