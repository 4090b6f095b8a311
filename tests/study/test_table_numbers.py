"""TableNumbers: the same as skrub's TableVectorizer, column by column."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from skrub import StringEncoder, TableVectorizer

from polychotomy.study import for_tables
from polychotomy.study.fitting.table_numbers import TableNumbers

rng = np.random.default_rng(0)
N = 60
COLUMNS = {
    "float": rng.normal(size=N),
    "gaps": np.where(rng.random(N) < 0.3, np.nan, rng.normal(size=N)),
    "int": rng.integers(-9, 9, N),
    "large": rng.integers(0, 2**40, N),
    "empty": np.full(N, np.nan),
    "bool": rng.random(N) < 0.5,
    "colour": rng.choice(["red", "blue", "green"], N),
    "day": pd.date_range("2020-01-01", periods=N).astype(str),
    "single": rng.normal(size=N).astype(np.float32),
    "infinite": np.r_[np.inf, rng.normal(size=N - 1)],
    "bytes": np.arange(N, dtype=np.uint8),
    "nullable": pd.array([1, None] * (N // 2), dtype="Int64"),
    "objects": pd.Series([1, 2.5] * (N // 2), dtype=object),
    "text": [f"{i} some words, no two alike {rng.random()}" for i in range(N)],
}
NUMBERS = ["float", "gaps", "int", "large", "single", "bytes"]
TABLES = {
    "mixed": list(COLUMNS),
    "numbers": NUMBERS,
    "with an empty column": ["float", "empty", "int"],
    "no numbers": ["colour", "day", "bool"],
    "one of each": ["colour", "float"],
}


@pytest.mark.parametrize("names", TABLES.values(), ids=TABLES)
def test_the_same_as_skrub(names):
    table = pd.DataFrame({name: COLUMNS[name] for name in names}).set_axis(np.arange(N) * 3 + 7)
    train, test = table.iloc[:40], table.iloc[40:]
    seeded = StringEncoder(random_state=0)
    theirs = TableVectorizer(high_cardinality=seeded)
    ours = TableNumbers(theirs)
    assert_frame_equal(ours.fit_transform(train), theirs.fit_transform(train))
    assert_frame_equal(ours.transform(test), theirs.transform(test))
    assert ours.get_feature_names_out().tolist() == list(theirs.get_feature_names_out())


def test_names_that_meet_are_told_apart_as_by_skrub():
    table = pd.DataFrame({"colour_red": COLUMNS["float"], "colour": COLUMNS["colour"]})
    ours = TableNumbers(TableVectorizer()).fit(table).transform(table)
    theirs = TableVectorizer().fit(table).transform(table)
    assert ours.shape == theirs.shape
    assert ours.columns[0] == "colour_red"
    np.testing.assert_array_equal(ours, theirs)


def test_arrays_and_texts_in_a_column_of_numbers():
    X = rng.normal(size=(20, 3))
    np.testing.assert_array_equal(
        TableNumbers(TableVectorizer()).fit_transform(X), X.astype(np.float32)
    )
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    late = table.assign(a=["1.5", "?", *table["a"][2:].astype(str)])
    fitted = TableNumbers(TableVectorizer()).fit(table)
    assert fitted.transform(late)["a"].tolist()[0] == 1.5
    assert np.isnan(fitted.transform(late)["a"][1])


def test_other_columns_than_in_training_are_refused():
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    with pytest.raises(ValueError, match=r"columns \['a'\]; expected those of the training"):
        TableNumbers(TableVectorizer()).fit(table).transform(table[["a"]])


def test_in_a_pipeline():
    model = for_tables(LogisticRegression())
    table = pd.DataFrame({name: COLUMNS[name] for name in ("float", "gaps", "colour")})
    y = (table["float"] > 0).to_numpy()
    assert clone(model).fit(table, y).score(table, y) > 0.9
