"""Schemas: what a table was, through JSON and back; labels in their own type."""

import json

import numpy as np
import pandas as pd
import pytest
from messy_tables import messy
from scipy.sparse import csr_matrix
from sklearn.naive_bayes import GaussianNB

from polychotomy.model import Schema, fit_model
from polychotomy.model.schema import describe_table
from polychotomy.study import Target


def schema_of(X, y):
    return describe_table(X, y, Target.from_labels(y), name="y")


def test_kinds_and_categories():
    X, y = messy()
    columns = {column.name: column for column in schema_of(X, y).columns}
    assert {name: column.kind for name, column in columns.items()} == {
        "size": "number",
        "count": "number",
        "colour": "text",
        "gaps": "number",
        "ripe": "truth",
        "note": "text",
        "day": "text",
        "when": "date",
        "shelf": "category",
    }
    assert columns["colour"].categories == ("blue", "green", "red")
    assert columns["note"].categories is None  # free text is not kept in a file
    assert columns["gaps"].has_missing
    assert not columns["size"].has_missing


def test_through_json_and_back():
    X, y = messy()
    schema = schema_of(X, pd.Categorical(y, categories=["cedar", "ash", "oak", "beech"]))
    again = Schema.from_dict(json.loads(json.dumps(schema.to_dict())))
    assert again.to_dict() == schema.to_dict()


@pytest.mark.parametrize(
    "y",
    [
        np.array([True, False]),
        np.array([-1, 7], dtype=np.int8),
        np.array([1.0, 2.0]),
        np.array([0.5, 2.5]),
        np.array(["a", "ü🌱"]),
        np.array(["", "x" * 10_000]),
        pd.Series([3, 4], dtype="Int64"),
        pd.Series([True, False], dtype="boolean"),
        pd.Series(["a", "b"], dtype="string"),
        pd.Series(pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"], ordered=True)),
        pd.Categorical([5, 6], categories=[6, 7, 5]),
        pd.Categorical([0.5, 1.5]),
    ],
    ids=str,
)
def test_labels_come_back_in_their_type(y):
    rows = np.tile([0, 1], 20)
    labels = y.take(rows) if hasattr(y, "take") else y[rows]
    X = pd.DataFrame({"x": rows + np.linspace(0, 0.1, 40)})
    predicted = fit_model(GaussianNB(), X, labels).predict_table(X).frame["predicted"]
    assert predicted.tolist() == list(labels)
    dtype = y.dtype
    if isinstance(dtype, pd.CategoricalDtype) or dtype.kind in "biuf":
        assert predicted.dtype == dtype


@pytest.mark.parametrize("wrap", [np.asarray, csr_matrix, lambda X: np.asarray(X).tolist()])
def test_arrays_have_numbered_columns(wrap):
    X = np.column_stack([np.arange(10.0), np.ones(10)])
    y = np.arange(10) > 4
    from sklearn.linear_model import LogisticRegression

    model = fit_model(LogisticRegression(), wrap(X), y)
    found = model.predict_table(pd.DataFrame({"x1": X[:, 1], "x0": X[:, 0]}))
    assert found.frame["predicted"].tolist() == y.tolist()


def test_names_of_columns_may_be_numbers():
    X = pd.DataFrame(np.arange(12.0).reshape(6, 2), columns=[10, 2])
    model = fit_model(GaussianNB(), X, [0, 0, 0, 1, 1, 1])
    again = Schema.from_dict(json.loads(json.dumps(model.schema.to_dict())))
    assert [column.name for column in again.columns] == [10, 2]
    assert (
        model.predict_table(X.rename(columns=str)).frame["predicted"].tolist() == [0] * 3 + [1] * 3
    )
