"""Outcomes: what travels between processes comes back as it was."""

import pickle

import numpy as np
import pytest

from polychotomy.study.design.trials import Outcome, TrialKey, fail, label_type, succeed
from polychotomy.study.ledger.rows import SCHEMA

KEY = TrialKey("iris", "MAX", "5x2 folds", 0, 3, 1)


@pytest.mark.parametrize(
    ("k", "kind"), [(2, "u1"), (256, "u1"), (257, "u2"), (65536, "u2"), (65537, "i4")]
)
def test_the_smallest_type_that_holds_all_classes(k, kind):
    assert np.dtype(label_type(k)).str[1:] == kind
    assert np.array(k - 1).astype(label_type(k)) == k - 1


@pytest.mark.parametrize("k", [2, 300])
def test_an_outcome_comes_back_from_another_process(k):
    shares = np.random.default_rng(0).dirichlet(np.ones(k), size=7)
    made = succeed(
        KEY,
        shares.argmax(axis=1),
        shares,
        fit_seconds=0.1,
        predict_seconds=0.2,
        warnings=("one", "two"),
        model_bytes=17,
    )
    back = Outcome._make(pickle.loads(pickle.dumps(tuple(made))))
    assert back == made
    assert back.key == KEY
    assert isinstance(back.key, TrialKey)
    np.testing.assert_array_equal(back.predicted, shares.argmax(axis=1))
    np.testing.assert_array_equal(back.probabilities, shares.astype(np.float32))
    assert (back.warnings, back.model_bytes, back.hard) == (("one", "two"), 17, False)


def test_a_failure_too():
    back = pickle.loads(pickle.dumps(fail(KEY, status="crashed", cause="why", details="where")))
    assert (back.status, back.cause, back.probabilities.shape) == ("crashed", "why", (0, 1))


def test_an_outcome_is_a_row_of_the_ledger_and_the_number_of_classes():
    columns = {line.split()[0] for line in _columns_of("trials")}
    stored = {"said": "warnings", "labels": "predicted", "shares": "probabilities"}
    fields = {stored.get(name, name) for name in Outcome._fields}
    assert fields == columns - {"digest", "rest"} | {"n_classes"}


def _columns_of(table):
    body = SCHEMA.split(f"CREATE TABLE {table} (")[1].split(");")[0]
    return [column.strip() for column in body.split(",") if column.strip()]
