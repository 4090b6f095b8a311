"""Labels in the plainest type that loses nothing."""

import numpy as np
import pandas as pd
import pytest

from polychotomy.tables.reading import note_labels, plain_labels


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


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["ash", "Ash", "oak"], "the labels 'Ash' and 'ash' of 'y' differ in case or blanks only"),
        (["ash", "ash ", "oak"], "'ash' and 'ash ' of 'y' differ in case or blanks only: taken"),
        (["a b", "a  b", "A b"], "(and 1 more) of 'y' differ in case or blanks only: taken as 3"),
        (["01", "1"], "the labels '01' and '1' of 'y' are one number written differently"),
        (["1.0", "1", "x"], "the labels '1' and '1.0' of 'y' are one number written differently"),
    ],
)
def test_labels_that_are_hard_to_tell_apart(labels, words):
    assert words in note_labels(labels, "y")[-1]


def test_leading_zeros_are_kept():
    assert plain_labels(pd.Series(["01", "02"])).tolist() == ["01", "02"]
    assert plain_labels(pd.Series(["0.5", "10.5"])).tolist() == [0.5, 10.5]
