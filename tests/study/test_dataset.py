"""A data set at the door: shapes, ranks, and what is missing."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.study import Dataset

LABELS = list("abab")


@pytest.mark.parametrize(
    "X",
    [
        [[1], [2], [3], [4]],
        np.ones((4, 2), dtype=np.float32),
        pd.DataFrame({"a": [1, 2, 3, 4]}),
        sparse.coo_matrix(np.eye(4)),
        sparse.csc_array(np.eye(4)),
    ],
)
def test_tables_of_any_kind(X):
    data = Dataset.of(X, LABELS)
    assert data.n == 4
    rows = data.X.iloc[[1, 3]] if hasattr(data.X, "iloc") else data.X[[1, 3]]
    assert rows.shape[0] == 2


@pytest.mark.parametrize(
    ("X", "shape"), [([1, 2, 3, 4], r"\(4,\)"), (np.ones((3, 1)), r"\(3, 1\)")]
)
def test_wrong_shapes(X, shape):
    with pytest.raises(InvalidInput, match=f"X has shape {shape} and y has 4 labels"):
        Dataset.of(X, LABELS)


def test_groups_and_times_become_ranks():
    days = pd.to_datetime(["2024-03-01", "2024-01-01", "2024-03-01", "2024-02-01"])
    data = Dataset.of(np.ones((4, 1)), LABELS, groups=["x", "z", "y", "x"], time=days)
    assert data.groups.tolist() == [0, 2, 1, 0]
    assert data.time.tolist() == [2, 0, 2, 1]
    assert Dataset.of(np.ones((4, 1)), LABELS, time=[10, 9, 8, 8]).time.tolist() == [2, 1, 0, 0]


@pytest.mark.parametrize(
    "texts",
    [
        ["31.03.2024", "05.01.2024", "31.03.2024", "04.02.2024"],
        ["3/31/2024", "1/5/2024", "3/31/2024", "2/4/2024"],  # a row tells which is the month
        ["31 Mar 2024", "5 Jan 2024", "31 Mar 2024", "4 Feb 2024"],
        ["20240331", "20240105", "20240331", "20240204"],
        ["2024-03-31T01:00+02:00", "2024-01-05", "30.03.2024 23:00", "Feb 4, 2024"],
    ],
)
def test_time_is_read_as_the_tables_of_the_command_line_are(texts):
    for given in (texts, np.array(texts), pd.Series(texts, dtype="category")):
        assert Dataset.of(np.ones((4, 1)), LABELS, time=given).time.tolist() == [2, 0, 2, 1]


def test_time_that_can_be_read_in_two_ways_is_refused():
    with pytest.raises(InvalidInput, match=r"time\[0\] is the text '03/04/2024', .*\(4 of 4"):
        Dataset.of(np.ones((4, 1)), LABELS, time=["03/04/2024"] * 4)


def test_texts_that_are_no_column_and_names_that_stand_twice():
    with pytest.raises(
        InvalidInput, match=r"X has shape \(4,\) .*Texts are a column: pd\.DataFrame"
    ):
        Dataset.of(["good", "bad", "good", "so so"], LABELS)
    with pytest.raises(
        InvalidTable, match="X has several columns called 'a'; expected each name on"
    ):
        Dataset.of(pd.DataFrame(np.ones((4, 3)), columns=list("aba")), LABELS)
