"""TableNumbers: the same as skrub's TableVectorizer, column by column."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks
from skrub import StringEncoder, TableVectorizer

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import for_tables
from polychotomy.study.fitting.table_numbers import MedianImputer, TableNumbers

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
    ours = TableNumbers(random_state=0)
    expected = theirs.fit_transform(train).replace(np.inf, np.nan)  # infinity is a gap
    assert_frame_equal(ours.fit_transform(train), expected)
    assert_frame_equal(ours.transform(test), theirs.transform(test))
    assert ours.get_feature_names_out().tolist() == list(theirs.get_feature_names_out())


def test_names_that_meet_are_told_apart_as_by_skrub():
    table = pd.DataFrame({"colour_red": COLUMNS["float"], "colour": COLUMNS["colour"]})
    ours = TableNumbers().fit(table).transform(table)
    theirs = TableVectorizer().fit(table).transform(table)
    assert ours.shape == theirs.shape
    assert ours.columns[0] == "colour_red"
    np.testing.assert_array_equal(ours, theirs)


def test_arrays_and_texts_in_a_column_of_numbers():
    X = rng.normal(size=(20, 3))
    np.testing.assert_array_equal(TableNumbers().fit_transform(X), X.astype(np.float32))
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    late = table.assign(a=["1.5", "?", *table["a"][2:].astype(str)])
    fitted = TableNumbers().fit(table)
    assert fitted.transform(late)["a"].tolist()[0] == 1.5
    assert np.isnan(fitted.transform(late)["a"][1])


def test_infinite_and_too_large_numbers_are_gaps():
    table = pd.DataFrame({"a": [1.0, np.inf, -np.inf, 2.0], "b": [1.0, 2.0, 1e39, 3.0]})
    fitted = TableNumbers().fit(table)
    made = fitted.transform(table)
    assert np.argwhere(np.isnan(made.to_numpy())).tolist() == [[1, 0], [2, 0], [2, 1]]
    model = for_tables(LogisticRegression()).fit(table, [0, 1, 1, 0])
    assert model.predict(table.assign(a=np.inf)).shape == (4,)


def test_other_columns_than_in_training_are_refused():
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    with pytest.raises(ValueError, match=r"columns \['a'\]; expected those of the training"):
        TableNumbers().fit(table).transform(table[["a"]])


def test_in_a_pipeline():
    model = for_tables(LogisticRegression())
    table = pd.DataFrame({name: COLUMNS[name] for name in ("float", "gaps", "colour")})
    y = (table["float"] > 0).to_numpy()
    assert clone(model).fit(table, y).score(table, y) > 0.9


def texts(n):
    drawn = np.random.default_rng(1)
    colours = drawn.choice(["red", "blue", "green", " ", "N/A"], n).astype(object)
    colours[::7] = None
    return pd.DataFrame({
        "x": drawn.normal(size=n),
        "colour": colours,
        "kind": pd.Categorical(drawn.choice(list("abc"), n), categories=list("abcd")),
        "amount": drawn.choice(["1.5", "2", ""], n),
        "day": drawn.choice(["2020-01-01", "2021-03-05"], n),
        "yes": drawn.choice(["no", "yes"], n),
        "flag": drawn.random(n) < 0.5,
        "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(n), unit="h"),
        "mixed": pd.Series([1, "1", True, 1.0] * (n // 4), dtype=object),
    }).set_axis(np.arange(n) * 2)  # fmt: skip


def test_texts_of_many_rows_are_the_same_as_by_skrub():
    table = texts(12_000)
    theirs = TableVectorizer()
    ours = TableNumbers()
    assert_frame_equal(ours.fit_transform(table), theirs.fit_transform(table))
    once = [name for names, once, _ in ours.parts_ if once for name in names]
    assert once == ["colour", "kind", "amount", "day", "yes"]
    late = texts(100).assign(colour=["mauve", None] * 50)  # not seen in training
    assert_frame_equal(ours.transform(late), theirs.transform(late))


def test_many_texts_of_many_rows_are_told_apart():
    names = np.array([f"town {i} of the county" for i in range(60)])
    place = np.random.default_rng(2).integers(60, size=12_000)
    table = pd.DataFrame({"town": names[place]})
    made = TableNumbers(random_state=0).fit(table).transform(table)
    assert made.shape == (12_000, 30)
    assert len(made.drop_duplicates()) == 60
    one = LogisticRegression(max_iter=1000).fit(1e2 * made, place < 30)
    assert one.score(1e2 * made, place < 30) > 0.8


def test_medians_are_those_of_scikit_learn():
    X = np.array([[1.0, np.nan, 3.0], [2.0, np.nan, np.nan], [4.0, np.nan, 5.0]], dtype=np.float32)
    theirs = SimpleImputer(strategy="median", keep_empty_features=True)
    ours = MedianImputer()
    for one in (X, X[:2], X[:, ::-1]):
        made, expected = ours.fit_transform(one), theirs.fit_transform(one)
        np.testing.assert_array_equal(made, expected)
        assert made.dtype == expected.dtype
        assert ours.transform([[np.nan] * 3]).tolist() == theirs.transform([[np.nan] * 3]).tolist()
    frame = pd.DataFrame({"a": [1.0, np.nan]})
    assert ours.fit(frame).get_feature_names_out().tolist() == ["a"]


@parametrize_with_checks([MedianImputer()])
def test_the_imputer_is_a_transformer_like_others(estimator, check):
    check(estimator)


def test_a_sparse_table_is_made_whole_up_to_a_size():
    rows = sparse.random(50, 20, density=0.2, format="csr", random_state=0)
    whole, made = TableNumbers(), TableNumbers()
    assert_frame_equal(made.fit_transform(rows), whole.fit_transform(rows.toarray()))
    assert_frame_equal(made.transform(rows[:5]), whole.transform(rows[:5].toarray()))
    learner = for_tables(LogisticRegression()).fit(rows, np.arange(50) % 2)
    assert learner.predict(rows).shape == (50,)
    with pytest.raises(InvalidInput, match=r"100000 × 2000 sparse numbers.*MultinomialNB"):
        made.fit(sparse.csr_array((100_000, 2000)))
