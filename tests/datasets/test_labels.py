"""Labels in the plainest type that loses nothing."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.datasets.labels import note_labels, plain_labels


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        (pd.Series([1, 2], dtype="Int64"), "int64"),
        (pd.Series([True, False], dtype="boolean"), "bool"),
        (pd.Series([1, 2], dtype="int8"), "int8"),
        (pd.Series([1.5, 2.5]), "float64"),
        (pd.Series([True, False]), "bool"),
    ],
)
def test_types_of_parquet(column, kind):
    found = plain_labels(column)
    assert found.dtype == kind
    assert found.tolist() == column.tolist()


def test_categories_stay():
    column = pd.Series(pd.Categorical(["b", "a"], categories=["c", "b", "a"], ordered=True))
    found = plain_labels(column)
    assert found.dtype == column.dtype
    assert found.tolist() == ["b", "a"]


def test_missing_numbers_stay_missing():
    found = plain_labels(pd.Series([1, None], dtype="Int64"))
    assert pd.isna(found).tolist() == [False, True]
    assert plain_labels(pd.Series(["1", None])).tolist() == [1, None]


def test_mixed_labels_are_remarked_on():
    (note,) = note_labels(np.array(["1", "two", "3"]).tolist(), "y")
    assert note.startswith("the labels of 'y' mix words and numbers, such as 'two' and '1'")
    assert note_labels(["a", "b"], "y") == note_labels([1, 2], "y") == ()
    assert note_labels([True, None], "y") == ()
