"""Tables that come in parts are predicted as whole ones are, whatever the parts."""

import gzip
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from messy_tables import messy
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from skrub import TableVectorizer

from polychotomy.core.exceptions import InvalidTable, PolychotomyError
from polychotomy.model import fit_model, load_model, predict_file
from polychotomy.tables import streaming
from polychotomy.tables.formats import Asked
from polychotomy.tables.reading import read_file
from polychotomy.tables.streaming import open_stream, row_blocks


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    X, y = messy()
    fit_model(make_pipeline(TableVectorizer(), SimpleImputer(), LogisticRegression()), X, y).save(
        folder / "m.skops"
    )
    return folder


CHANGES = {
    "as it was": {},
    "gaps": {"count": {70: ""}, "colour": {1: "", 80: ""}, "ripe": {80: ""}, "gaps": {3: "NA"}},
    "a fraction": {"count": {60: "2.5"}},
    "another number's spelling": {"size": {77: "1_0"}, "count": {5: " 3"}},
    "new values": {"colour": {2: "mauve", 50: "tan", 70: "mauve"}, "shelf": {88: "z"}},
    "another way of dates": {"day": {85: "31.12.2024"}, "when": {4: "2024/05/01"}},
    "a day that a later row tells": {"day": {0: "03/04/2024", 85: "14/04/2024"}},
    "a date that nothing tells": {"day": {10: "03/04/2024", 85: "04/03/2024"}},
    "no date": {"day": {80: "today"}},
    "no number": {"size": {80: "tall"}, "day": {3: "someday"}},
    "no truth": {"ripe": {80: "maybe"}},
    "infinite": {"size": {80: "inf"}},
    "quotes": {"note": {7: 'say "so",\nor not', 80: "é"}},
    "a ragged row": {"note": {80: "a,b"}},
    "a blank line": {"note": {80: "a\n\n1"}},
}


def changed(changes):
    X = messy(seed=1)[0].astype(object)
    for name, cells in changes.items():
        for row, value in cells.items():
            X.loc[row, name] = value
    return X


def outcome(place, table, output, **options):
    try:
        found = predict_file(place / "m.skops", table, output=output, force=True, **options)
    except PolychotomyError as error:
        return type(error), str(error).replace(str(table), "")
    read = pd.read_csv if output.suffix == ".csv" else pd.read_parquet
    return read(output), found.counts, found.notes


def same(found, expected):
    assert len(found) == len(expected)
    if len(found) == 2:
        assert found == expected
    else:
        pd.testing.assert_frame_equal(found[0], expected[0], rtol=1e-9)
        assert found[1:] == expected[1:]


QUICK = ("as it was", "a day that a later row tells", "no number")


@pytest.mark.parametrize(
    "kind",
    [one if one in QUICK else pytest.param(one, marks=pytest.mark.long) for one in CHANGES],
)
def test_a_csv_file_in_parts_is_as_the_whole_table(place, tmp_path, monkeypatch, kind):
    table = tmp_path / "new.csv"
    text = changed(CHANGES[kind]).to_csv(index=False)
    table.write_text(text.replace('"a,b"', "a,b").replace('"a\n\n1"', "a\n\n1"))
    whole = outcome(place, table, tmp_path / "whole.csv")
    monkeypatch.setattr(streaming, "PART_BYTES", 2500)
    same(outcome(place, table, tmp_path / "parts.csv"), whole)
    if len(whole) == 2:
        with pytest.raises(whole[0]) as caught:
            load_model(place / "m.skops").predict_table(read_file(table, Asked())[0])
        assert str(caught.value) == whole[1]
    else:
        expected = load_model(place / "m.skops").predict_table(read_file(table, Asked())[0])
        assert whole[2] == expected.notes
        columns = whole[0].drop(columns="row")
        pd.testing.assert_frame_equal(columns, expected.frame, check_dtype=False, rtol=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_parquet_file_in_parts_is_as_the_whole_table(place, tmp_path, monkeypatch, suffix):
    X = messy(seed=1)[0]
    X.loc[70, "count"] = None
    X.loc[80:, "colour"] = None
    X["day"] = pd.to_datetime(X["day"]).dt.date
    X["number"] = pd.Series([None] * 80 + [1] * 10, dtype="object")
    X["at"] = X["when"].where(X.index != 85, pd.Timestamp("2024-01-01 12:00"))
    X.set_index("note", drop=False).to_parquet(tmp_path / "new.parquet", row_group_size=20)
    keep = ["number", "at", "count", "day"]
    paths = [tmp_path / f"{name}{suffix}" for name in ("whole", "parts")]
    whole = outcome(place, tmp_path / "new.parquet", paths[0], keep=keep)
    monkeypatch.setattr(streaming, "PART_BYTES", 800)
    same(outcome(place, tmp_path / "new.parquet", paths[1], keep=keep), whole)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_kept_columns_in_parts_are_written_as_they_are(place, tmp_path, monkeypatch, suffix):
    X = changed(CHANGES["quotes"])
    X["patient"] = [None] * 20 + ["=1+1"] * 20 + ["007"] * 50
    X["size"] = X["size"].map("{:.5f}".format)
    (tmp_path / "new.csv.gz").write_bytes(gzip.compress(X.to_csv(index=False, sep=";").encode()))
    monkeypatch.setattr(streaming, "PART_BYTES", 3000)
    outcome(place, tmp_path / "new.csv.gz", tmp_path / f"o{suffix}", keep=["patient", "size"])
    read = pd.read_csv if suffix == ".csv" else pd.read_parquet
    found = read(tmp_path / f"o{suffix}", **({"dtype": str} if suffix == ".csv" else {}))
    assert found["size"].tolist() == X["size"].tolist()
    formula = "'=1+1" if suffix == ".csv" else "=1+1"
    assert found["patient"].fillna("").tolist() == [""] * 20 + [formula] * 20 + ["007"] * 50


def test_a_late_fault_writes_nothing_and_is_named_with_its_row(place, tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "PART_BYTES", 3000)
    changed({"size": {79: "tall"}}).to_csv(tmp_path / "new.csv", index=False)
    with pytest.raises(InvalidTable, match=r"holds 'tall'; .* It is in data row 80 first"):
        predict_file(place / "m.skops", tmp_path / "new.csv", output=tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


rows = st.lists(
    st.lists(st.sampled_from(["1", "x", "a,b", 'say "so"', "two\nlines", "é", ""]), min_size=3).map(
        lambda cells: cells[:3]
    )
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows, st.integers(1, 40))
def test_parts_joined_are_the_table(tmp_path, rows, part_bytes):
    frame = pd.DataFrame([["q", "r", "s"], *rows], columns=["a", "b", "c"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    with patch.object(streaming, "PART_BYTES", part_bytes):
        stream = open_stream(tmp_path / "t.csv")
        joined = pd.concat(stream.parts(stream.columns, ["a"]))
    whole = read_file(tmp_path / "t.csv", Asked())[0]
    assert joined.astype(object).map(str).to_numpy().tolist() == (
        whole.astype(object).map(str).to_numpy().tolist()
    )


@given(
    st.binary(max_size=60).map(
        lambda data: data.translate(bytes(b'a,"\n'[i % 4] for i in range(256)))
    ),
    st.integers(1, 30),
    st.integers(1, 30),
)
def test_blocks_joined_are_the_file(data, given_size, size):
    blocks = [data[i : i + given_size] for i in range(0, len(data), given_size)]
    found = list(row_blocks(blocks, size))
    assert b"".join(found) == data
    assert all(block.endswith(b"\n") and block.count(b'"') % 2 == 0 for block in found[:-1])
