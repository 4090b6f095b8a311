"""Benchmark sets in a folder."""

import gzip

import pandas as pd
import pytest

from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.reproduction.data.fetching import load
from polychotomy.reproduction.data.folder import load_folder_dataset

PETS = "legs,fur,size,class\n4,1,big,dog\n2,,small,bird\n4,2,big,dog\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pets.csv.gz").write_bytes(gzip.compress(PETS.encode()))
    kinds = "name,column,kind\npets,legs,ordinal\npets,fur,nominal\nother,legs,nominal\n"
    (tmp_path / "COLUMNS.csv").write_text(kinds)
    return tmp_path


def test_kinds_decide_what_a_column_is(folder):
    pets = load("pets", folder)
    assert dict(pets.kinds) == {"legs": "ordinal", "fur": "nominal", "size": "nominal"}
    assert pets.X["legs"].tolist() == [4.0, 2.0, 4.0]
    assert pets.X["fur"].cat.categories.tolist() == ["1", "2"]
    assert pets.X["fur"].isna().tolist() == [False, True, False]
    assert pets.y.tolist() == ["dog", "bird", "dog"]


def test_without_a_list_of_columns_numbers_are_numbers(folder):
    (folder / "COLUMNS.csv").unlink()
    pets = load_folder_dataset(folder, "pets", kinds={"legs": "binary"})
    assert dict(pets.kinds) == {"legs": "binary", "fur": "numeric", "size": "nominal"}


def test_no_such_set(folder):
    with pytest.raises(
        InvalidInput, match=r"no data set 'pet' .* Did you mean 'pets'\? It has: pets"
    ):
        load("pet", folder)
    with pytest.raises(InvalidInput, match="there is no folder"):
        load("pets", folder / "nowhere")


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("a,b\n1,2\n", "numeric", "expected rows of features and a last column 'class'"),
        ("a,class\n", "numeric", "has 0 rows"),
        ("a,class\nx,2\n", "numeric", "the column 'a' is numeric, but could not convert"),
        ("a,class\nx,2\n", "colour", "kind of column 'a' is 'colour'; expected numeric, ordinal"),
    ],
)
def test_bad_sets(tmp_path, text, kind, message):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    with pytest.raises(InvalidTable, match=message):
        load_folder_dataset(tmp_path, "t", kinds={"a": kind})


def test_a_file_that_is_no_gzip(tmp_path):
    (tmp_path / "t.csv.gz").write_text(PETS)
    with pytest.raises(InvalidTable, match=r"'t.csv.gz' cannot be read"):
        load_folder_dataset(tmp_path, "t")


def test_one_of_n_coding_by_any_encoder(folder):
    coded = pd.get_dummies(load("pets", folder).X)
    assert list(coded.columns) == ["legs", "fur_1", "fur_2", "size_big", "size_small"]
