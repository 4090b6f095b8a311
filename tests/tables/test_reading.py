"""Tables from real files, good and bad."""

import gzip

import numpy as np
import pandas as pd
import pytest

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables.reading import read_table


def write(path, text, *, encoding="utf-8"):
    data = text.encode(encoding)
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def labels_of(tmp_path, *labels):
    rows = "".join(f"{i},{label}\n" for i, label in enumerate(labels))
    return read_table(write(tmp_path / "t.csv", f"x,y\n{rows}"), target="y")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet", "A.CSV"])
def test_every_kind_of_file_gives_the_same_table(tmp_path, name):
    path = tmp_path / name
    frame = pd.DataFrame({"u": [1.5, None, 3.0], "v": ["a", "b", None], "kind": ["x", "y", "x"]})
    if name.endswith("parquet"):
        frame.to_parquet(path)
    else:
        write(path, frame.to_csv(index=False))
    table = read_table(path, target="kind")
    assert table.name == name.split(".")[0]
    assert table.labels.tolist() == ["x", "y", "x"]
    pd.testing.assert_frame_equal(table.X, frame[["u", "v"]], check_dtype=False)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["1", "2", "-3"], int),
        (["True", "False"], bool),
        (["1.5", "2"], float),
        (["01", "1"], str),
        (["1_0", "10"], str),
        (["1.0", "1"], str),
        (["NaN", "1"], str),
        (["inf", "1"], str),
        (["a", "é🌱"], str),
    ],
)
def test_labels_get_the_plainest_type_that_keeps_them_apart(tmp_path, labels, kind):
    found = labels_of(tmp_path, *labels).labels
    assert {type(value) for value in found.tolist()} == {kind}
    assert len(np.unique(found)) == len(labels)


def test_only_an_empty_target_is_missing(tmp_path):
    table = labels_of(tmp_path, "NA", "null", "None", "", "NA")
    assert table.labels.tolist() == ["NA", "null", "None", None, "NA"]
    remedy = " (if it means missing, empty these fields; --drop-unlabelled leaves such rows out)"
    assert table.notes == tuple(said + remedy for said in (
        "2 labels of 'y' are the text 'NA': taken as a class, not as missing",
        "1 label of 'y' is the text 'None': taken as a class, not as missing",
        "1 label of 'y' is the text 'null': taken as a class, not as missing",
    ))  # fmt: skip


def test_missing_tokens_are_missing_in_features(tmp_path):
    path = write(tmp_path / "t.csv", "x,z,y\n1,NA,a\nnull,u,b\n")
    assert read_table(path, target="y").X.isna().to_numpy().tolist() == [
        [False, True],
        [True, False],
    ]


def test_byte_order_mark_is_no_part_of_a_name(tmp_path):
    path = write(tmp_path / "t.csv", "\ufeffy,x\na,1\nb,2\n")
    assert read_table(path, target="y").labels.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "text", "target", "message"),
    [
        ("t.csv", "x,Species\n1,a\n", "specis", "Did you mean 'Species'.* columns are: x, Species"),
        ("t.csv", "x,y\n1,a\n", "quite other", r"no column 'quite other'\. Its columns"),
        ("t.csv", "", "y", "'t.csv' is empty"),
        ("t.csv", "\n\n", "y", "'t.csv' is empty"),
        ("t.csv", "y\na\nb\n", "y", "has the column 'y' only"),
        ("t.csv", "x,y\n1,a\n1,2,3\n", "y", "line 3 of 't.csv' has 3 fields and the header has 2"),
        (
            "t.pdf",
            "x,y\n1,a\n",
            "y",
            r"expected a name that ends in \.csv, \.csv\.gz, .* or \.zsav",
        ),
        ("t.parquet", "x,y\n1,a\n", "y", "cannot be read as Parquet"),
    ],
)
def test_bad_files(tmp_path, name, text, target, message):
    path = write(tmp_path / name, text)
    with pytest.raises(InvalidTable, match=message):
        read_table(path, target=target)


def test_no_such_file_names_the_nearest(tmp_path):
    write(tmp_path / "plants.csv", "x,y\n1,a\n")
    with pytest.raises(InvalidTable, match=r"no file .*plant\.csv.*Did you mean 'plants\.csv'"):
        read_table(tmp_path / "plant.csv", target="y")


def test_folder(tmp_path):
    with pytest.raises(InvalidTable, match="is a folder, not a file"):
        read_table(tmp_path, target="y")


def test_a_flaw_in_utf_8_names_the_byte(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("x,y\n1,Grün, öde, früh\n".encode() + b"2,\xfc\n")
    with pytest.raises(InvalidTable, match=r"not UTF-8 text: byte 0xfc"):
        read_table(path, target="y")


def test_broken_gzip(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"x,y\n1,a\n" * 100)[:30])
    with pytest.raises(InvalidTable, match=r"t\.csv\.gz.* cannot be read"):
        read_table(path, target="y")


def test_categories_in_parquet(tmp_path):
    frame = pd.DataFrame({"x": [1, 2, 3], "y": pd.Categorical([5, 6, 5], categories=[5, 6, 7])})
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_table(tmp_path / "t.parquet", target="y").labels.tolist() == [5, 6, 5]


def test_nested_columns_are_named(tmp_path):
    pd.DataFrame({"x": [[1, 2], [3]], "y": ["a", "b"]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(InvalidTable, match=r"'x' of 't\.parquet' holds .* the type ndarray"):
        read_table(tmp_path / "t.parquet", target="y")


def test_an_index_of_a_parquet_file_is_kept_with_a_note(tmp_path):
    frame = pd.DataFrame({"x": [1, 2], "y": ["a", "b"]}, index=pd.Index([7, 9], name="case"))
    frame.to_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", target="y")
    assert list(table.X.columns) == ["case", "x"]
    assert table.notes[0] == "the index is among the columns: 'case'"


def test_a_parquet_file_that_would_not_fit(tmp_path, monkeypatch):
    pd.DataFrame({"x": np.zeros(10_000), "y": "a"}).to_parquet(tmp_path / "t.parquet")
    monkeypatch.setattr("polychotomy.tables.files.MOST_BYTES", 100)
    with pytest.raises(InvalidTable, match="holds more than 0 MiB unpacked"):
        read_table(tmp_path / "t.parquet", target="y")


def test_columns_of_bytes_are_named(tmp_path):
    pd.DataFrame({"x": [b"1", b"2"], "y": ["a", "b"]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(InvalidTable, match=r"'x' of 't\.parquet' holds .* the type bytes"):
        read_table(tmp_path / "t.parquet", target="y")
