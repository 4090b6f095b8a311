"""New tables: missing, extra, reordered columns, other types, values never seen."""

import numpy as np
import pandas as pd
import pytest
from messy_tables import messy

from polychotomy.core.exceptions import InvalidTable
from polychotomy.model.conforming import conform
from polychotomy.model.schema import describe_table
from polychotomy.study import Target


@pytest.fixture(scope="module")
def trained():
    X, y = messy()
    return X, describe_table(X, y, Target.from_labels(y), name="tree")


def test_the_training_table_itself_is_unchanged(trained):
    X, schema = trained
    found, notes = conform(X, schema)
    pd.testing.assert_frame_equal(found, X, check_categorical=False, check_dtype=False)
    assert notes == ()


def test_text_as_a_csv_file_gives_it_means_the_same(trained):
    X, schema = trained
    from io import StringIO

    texts = pd.read_csv(StringIO(X.to_csv(index=False)), dtype=str)
    found, notes = conform(texts, schema)
    assert notes == ()
    for name in ("size", "gaps", "count", "ripe"):
        np.testing.assert_array_equal(found[name], X[name])
        assert found[name].dtype == X[name].dtype
    assert found["when"].tolist() == X["when"].tolist()
    assert found["colour"].tolist() == X["colour"].tolist()


def test_order_does_not_matter(trained):
    X, schema = trained
    found, notes = conform(X[X.columns[::-1]], schema)
    assert list(found.columns) == list(X.columns)
    assert notes == ()


def test_missing_columns_are_all_named_with_a_guess(trained):
    X, schema = trained
    new = X.drop(columns="ripe").rename(columns={"colour": "Color"})
    with pytest.raises(
        InvalidTable,
        match=r"of the 9 .* missing: 'colour', 'ripe'; .* 'colour'\. Did you mean 'Color'\?",
    ):
        conform(new, schema)


def test_a_column_twice(trained):
    X, schema = trained
    with pytest.raises(InvalidTable, match="2 columns are called 'size'"):
        conform(pd.concat([X, X[["size"]]], axis=1), schema)


def test_extra_columns_and_the_target_are_left_out_and_noted(trained):
    X, schema = trained
    found, notes = conform(X.assign(tree="ash", u=1, v=2), schema)
    assert list(found.columns) == list(X.columns)
    assert notes == ("3 columns that the model does not use left out: 'tree', 'u', 'v'",)


def test_new_categories_are_counted(trained):
    X, schema = trained
    new = X.head(6).assign(
        colour=["mauve", "red", "teal", "teal", None, "red"], shelf=list("ababcc")
    )
    found, notes = conform(new, schema)
    assert notes == (
        "'colour' is missing in 1 row; it never was in the training data",
        "'colour' has values in 3 rows never seen in training: 'mauve', 'teal'",
        "'shelf' has values in 2 rows never seen in training: 'c'",
    )
    assert found["colour"].isna().tolist() == [False] * 4 + [True, False]
    assert str(found["shelf"].dtype) == "category"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size": "tall"}, "the column 'size' holds 'tall'; expected a number"),
        ({"ripe": "maybe"}, "the column 'ripe' holds 'maybe'; expected True or False"),
        ({"when": "someday"}, "the column 'when' holds 'someday'; expected a date"),
    ],
)
def test_a_value_of_the_wrong_kind(trained, changes, message):
    X, schema = trained
    with pytest.raises(InvalidTable, match=message):
        conform(X.assign(**changes), schema)


def test_whole_numbers_may_be_missing_or_have_fractions(trained):
    X, schema = trained
    found, notes = conform(X.head(2).assign(count=["1", None]), schema)
    assert notes == ("'count' is missing in 1 row; it never was in the training data",)
    np.testing.assert_array_equal(found["count"], [1, np.nan])
    found, _ = conform(X.head(2).assign(count=["1", "2.5"]), schema)
    assert found["count"].tolist() == [1.0, 2.5]


def test_a_column_of_numbers_where_text_was(trained):
    X, schema = trained
    found, notes = conform(X.head(2).assign(colour=[1, 2]), schema)
    assert found["colour"].tolist() == ["1", "2"]
    assert "values in 2 rows" in notes[0]


def test_a_column_without_any_value(trained):
    X, schema = trained
    for name in X.columns:
        found, _ = conform(X.head(3).assign(**{name: pd.Series([None] * 3, dtype=object)}), schema)
        assert found[name].isna().all()


KINDS = {
    "truths with gaps": pd.Series([True, None, False] * 10, dtype=object),
    "numbered categories": pd.Series(pd.Categorical([3, 1, 2] * 10)),
    "truths as categories": pd.Series(pd.Categorical([True, False, True] * 10)),
    "categories of fractions": pd.Series(pd.Categorical([0.5, None, 1.5] * 10)),
    "long whole numbers": pd.Series(2**53 + np.arange(30)),
    "short whole numbers": pd.Series(np.arange(30), dtype="int8"),
    "dates with a zone": pd.Series(pd.date_range("2024", periods=30, tz="Europe/Rome")),
    "whole numbers with gaps": pd.Series([1, None, 3] * 10, dtype="Int64"),
    "pandas texts": pd.Series(["a", None, "c"] * 10, dtype="string"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_type_passes_as_it_is_and_as_text(kind):
    X = pd.DataFrame({"x": KINDS[kind]})
    y = np.tile([0, 1], 15)
    schema = describe_table(X, y, Target.from_labels(y), name="y")
    for new in (X, X.astype(object).map(lambda one: one if pd.isna(one) else str(one))):
        found, notes = conform(new, schema)
        assert notes == ()
        known = X["x"].notna()
        assert (found["x"].notna() == known).all()
        assert found.loc[known, "x"].tolist() == X.loc[known, "x"].tolist()


@pytest.mark.parametrize("spelling", ["TRUE", "True", "true", "1"])
def test_spellings_of_truth(spelling):
    X = pd.DataFrame({"x": [True, False] * 10})
    schema = describe_table(X, [0, 1] * 10, Target.from_labels([0, 1] * 10), name="y")
    assert conform(pd.DataFrame({"x": [spelling]}), schema)[0]["x"].tolist() == [True]


def test_a_missing_column_may_be_added_empty_where_there_were_gaps_in_training(trained):
    X, schema = trained
    advice = r"If they are not known, add them, empty: they had gaps in training, too\.$"
    with pytest.raises(InvalidTable, match=advice):
        conform(X.drop(columns="gaps"), schema)
    assert conform(X.assign(gaps=None), schema)[0]["gaps"].isna().all()
    with pytest.raises(InvalidTable) as caught:
        conform(X.drop(columns=["gaps", "size"]), schema)
    assert "empty" not in str(caught.value)
