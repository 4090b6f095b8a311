"""Data are known by value and kind, and a change is said by column."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.specification import DataPrint, explain_change, print_data

X = np.arange(12.0).reshape(6, 2)
LABELS = list("ababab")
FRAME = pd.DataFrame(
    {"age": [1.0, 2, 3, 4, 5, 6], "town": ["a", None, "b", "c", "a", "b"], "day": range(6)}
)


def printed(X=X, y=LABELS, **options):
    return print_data(Dataset.of(X, y, **options))


def changed(was, now):
    return explain_change("toy", was, now)


def test_by_value_and_kind():
    tables = [X, X.astype(np.float32), sparse.csr_matrix(X), FRAME, FRAME.iloc[:, ::-1]]
    tables += [X.astype(str), X.astype(object)]
    hashes = [printed(table).sha256 for table in tables]
    assert len(set(hashes)) == len(tables)
    assert [printed(table.copy()).sha256 for table in tables] == hashes


def test_memory_layout_and_lists_do_not_count():
    assert printed(np.asfortranarray(X)).sha256 == printed(X.tolist()).sha256 == printed().sha256
    assert printed(np.repeat(X, 2, axis=0)[::2]).sha256 == printed().sha256
    wide = printed(sparse.coo_matrix(X)).sha256
    assert wide == printed(sparse.csc_matrix(X)).sha256 == printed(sparse.csr_array(X)).sha256


def test_labels_groups_and_times_count():
    others = [printed(y=list("bababa")), printed(groups=[0, 0, 1, 1, 2, 2]), printed(time=range(6))]
    assert len({printed().sha256, *(other.sha256 for other in others)}) == 4


@pytest.mark.parametrize("make", [np.array, sparse.csr_matrix, pd.DataFrame])
def test_one_value(make):
    other = X.copy()
    other[3, 1] = 99
    text = changed(printed(make(X)), printed(make(other)))
    which = "some values or" if make is sparse.csr_matrix else "changed: column '1' (float64)"
    assert f"not the same: {which}" in text


def test_values_of_several_columns():
    other = FRAME.copy()
    other.loc[2, "age"] = 9
    other.loc[[2, 5], "town"] = "z"
    text = changed(printed(FRAME), printed(other))
    assert ": changed: column 'age' (float64), column 'town' (" in text


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (printed(X[1:], LABELS[1:]), "rows were 6, now 5"),
        (printed(X[:, :1]), "gone: column '1' (float64); changed: number of columns"),
        (printed(y=list("abcbab")), "new: class 'c'; changed: labels"),
        (printed(y=list("baabab")), "changed: labels"),
        (
            printed(X.astype(np.float32)),
            "column '1' (float64); new: column '0' (float32)",
        ),
        (printed(groups=[0, 0, 1, 1, 2, 2]), "changed: groups"),
        (printed(time=range(6)), "changed: time"),
    ],
)
def test_words(now, words):
    assert words in changed(printed(), now)


def test_names_and_order_of_columns():
    renamed = printed(FRAME.rename(columns={"age": "years"}))
    words = "gone: column 'age' (float64); new: column 'years' (float64)"
    assert words in changed(printed(FRAME), renamed)
    assert "the order of the columns" in changed(printed(FRAME), printed(FRAME.iloc[:, ::-1]))


def test_it_comes_back_from_the_file():
    was = printed(FRAME, groups=list("xxyyzz"))
    again = DataPrint.from_json(was.to_json(), codes=was.codes)
    assert again.summary == was.summary
    assert again.columns == was.columns


def test_cells_that_have_no_hash():
    lists = pd.DataFrame({"a": [[1], [2], [1], [2], [1], [3]]})
    other = lists.copy()
    other["a"] = [[1], [2], [1], [2], [1], [4]]
    assert "changed: column 'a'" in changed(printed(lists), printed(other))


def test_columns_of_mixed_types_tell_numbers_from_text():
    mixed = pd.DataFrame({"a": [1, "x", None, (1, 2), 2.5, "1"]}, dtype=object)
    other = mixed.copy()
    other.iloc[0, 0] = "1"
    assert "changed: column 'a'" in changed(printed(mixed), printed(other))


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (pd.Categorical(list("ababab")), "b"),
        (pd.date_range("2020", periods=6), pd.Timestamp("1999-01-01")),
        (pd.array(range(6), dtype="Int64"), pd.NA),
        (pd.array(list("ababab"), dtype="string"), "z"),
        (np.array([True] * 6), False),
    ],
)
def test_columns_of_every_kind(column, value):
    frame = pd.DataFrame({"same": range(6), "column": column})
    other = frame.copy()
    other.loc[4, "column"] = value
    assert "changed: column 'column'" in changed(printed(frame), printed(other))


def test_very_many_columns_are_not_told_apart():
    wide = np.eye(6, 20_000)
    assert printed(wide).columns == ()
    assert "some values or" in changed(printed(wide), printed(wide + 1))
