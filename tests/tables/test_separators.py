"""Tables as spreadsheets of other countries write them are read as the same tables."""

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from polychotomy.tables.csv_text import Separators, find_separators
from polychotomy.tables.reading import read_table
from polychotomy.tables.streaming import open_stream


def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "size": rng.normal(size=40).round(3),
            "count": rng.integers(9, size=40),
            "remark": np.where(np.arange(40) % 3, "short, and dry", 'a "tall" one; wet'),
            "kind": np.where(np.arange(40) % 2, "oak", "ash"),
        }
    )


def texts(path):
    stream = open_stream(path)
    return stream.whole(stream.columns)


@pytest.mark.parametrize(
    ("separator", "decimal", "encoding", "note"),
    [
        (";", ",", "utf-8", "fields are separated by semicolons, decimals by commas"),
        (";", ".", "utf-8-sig", "fields are separated by semicolons"),
        ("\t", ".", "utf-8", "fields are separated by tabs"),
        ("\t", ",", "utf-16", "fields are separated by tabs, decimals by commas"),
        ("|", ".", "utf-8", "fields are separated by bars"),
        (",", ".", "utf-16", None),
    ],
)
def test_the_same_table_comes_out(tmp_path, separator, decimal, encoding, note):
    usual, other = tmp_path / "usual.csv", tmp_path / "other.csv"
    frame().to_csv(usual, index=False)
    frame().to_csv(other, index=False, sep=separator, decimal=decimal, encoding=encoding)
    expected, found = read_table(usual, target="kind"), read_table(other, target="kind")
    assert_frame_equal(found.X, expected.X)
    assert found.labels.tolist() == expected.labels.tolist()
    wide = ["the text is in UTF-16"] if encoding == "utf-16" else []
    assert found.notes == (*wide, *([note] if note else []), *expected.notes)
    assert_frame_equal(texts(other), texts(usual))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Separators()),
        ("kind\na\n", Separators()),
        ("a,b;c\n1,2;3\n", Separators()),  # commas separate the header
        ('"a,b;c";kind\n1,2;x\n', Separators(";", ",")),
        ("\r\na;b\n1.5;2\n1,5;2.5\n", Separators(";", ".")),  # more points than commas
        ("a;b\tc;d\n", Separators(";", ".")),
        ("a;b\n3,9e-05;x\n-1,5E+12;y\n", Separators(";", ",")),  # exponents in every number
    ],
)
def test_what_is_found(text, expected):
    assert find_separators(text) == expected


def test_numbers_with_exponents_are_numbers(tmp_path):
    usual, other = tmp_path / "usual.csv", tmp_path / "other.csv"
    small = pd.DataFrame({"size": [3.9598515e-05, -1.5e-07, 2.5e20], "kind": list("aba")})
    small.to_csv(usual, index=False)
    small.to_csv(other, index=False, sep=";", decimal=",")
    found = read_table(other, target="kind").X
    assert found["size"].tolist() == small["size"].tolist()
    assert_frame_equal(texts(other), texts(usual))
