"""Tables of every kind that people have, each written by its own library."""

import gzip
import zipfile

import numpy as np
import pandas as pd
import pytest

from polychotomy import read_table
from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables import formats
from polychotomy.tables.formats import Asked
from polychotomy.tables.reading import as_pandas
from polychotomy.tables.streaming import open_stream

FRAME = pd.DataFrame(
    {
        "size": [1.5, np.nan, 3.25, 4.0],
        "count": [1, 2, 3, 4],
        "colour": ["red", None, "vert é", "red"],
        "day": pd.to_datetime(["2024-01-31", "2024-02-01", None, "2024-02-03"]),
        "kind": ["ash", "oak", "ash", "oak"],
    }
)
ARFF = """@relation trees
@attribute size numeric
@attribute count numeric
@attribute colour string
@attribute day date yyyy-MM-dd
@attribute kind {ash, oak}
@data
1.5,1,red,2024-01-31,ash
?,2,?,2024-02-01,oak
3.25,3,'vert é',?,ash
4,4,red,2024-02-03,oak
"""


def as_text(frame):
    return frame.assign(day=frame["day"].dt.strftime("%Y-%m-%d"))


def write_spss(path):
    import pyreadstat

    codes = FRAME.assign(kind=[1.0, 2, 1, 2], day=FRAME["day"].dt.date)
    pyreadstat.write_sav(codes, path, variable_value_labels={"kind": {1: "ash", 2: "oak"}})


def write_stream(path):
    import pyarrow as pa

    table = pa.Table.from_pandas(FRAME)
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


# The library to write or read it, and the writer.
WRITERS = {
    "t.tsv": (None, lambda p: as_text(FRAME).to_csv(p, sep="\t", index=False)),
    "t.tsv.gz": (None, lambda p: as_text(FRAME).to_csv(p, sep="\t", index=False)),
    "t.xlsx": ("openpyxl", lambda p: FRAME.to_excel(p, index=False)),
    "t.ods": ("odf", lambda p: FRAME.to_excel(p, index=False)),
    "t.jsonl": (None, lambda p: as_text(FRAME).to_json(p, orient="records", lines=True)),
    "t.ndjson": (None, lambda p: as_text(FRAME).to_json(p, orient="records", lines=True)),
    "t.feather": (None, lambda p: FRAME.to_feather(p)),
    "t.arrow": (None, write_stream),
    "t.arff": ("arff", lambda p: p.write_text(ARFF, encoding="utf-8")),
    "t.dta": (None, lambda p: FRAME.to_stata(p, write_index=False, version=118)),
    "t.sav": ("pyreadstat", write_spss),
    "T.PARQUET": (None, lambda p: FRAME.to_parquet(p)),
}


@pytest.fixture(params=WRITERS)
def path(request, tmp_path):
    library, write = WRITERS[request.param]
    if library is not None:
        pytest.importorskip(library)
    write(tmp_path / request.param)
    return tmp_path / request.param


def test_the_same_table_comes_out(path):
    table = read_table(path, target="kind")
    assert (table.name.lower(), list(table.labels)) == ("t", ["ash", "oak", "ash", "oak"])
    assert list(table.X.columns) == ["size", "count", "colour", "day"]
    np.testing.assert_array_equal(table.X["size"].astype(float), FRAME["size"])
    assert table.X["count"].tolist() == [1, 2, 3, 4]
    assert table.X["colour"].replace("", None).isna().tolist() == [False, True, False, False]
    assert table.X["colour"].tolist()[2] == "vert é"
    days = pd.to_datetime(table.X["day"].astype(str), errors="coerce")
    assert days.dt.day.dropna().tolist() == [31, 1, 3]


def test_new_rows_are_read_alike(path):
    stream = open_stream(path)
    (part,) = stream.parts(stream.columns, ["size", "count"])
    assert [str(name) for name in part.columns] == list(FRAME.columns)
    np.testing.assert_array_equal(part["count"].astype(int), FRAME["count"])


def test_sas(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pd.DataFrame({"size": [1.5, 2.0], "kind": ["ash", "oak"]})
    pyreadstat.write_xport(frame, tmp_path / "t.xpt", file_format_version=5)
    table = read_table(tmp_path / "t.xpt", target="kind")
    assert (table.X["size"].tolist(), list(table.labels)) == ([1.5, 2.0], ["ash", "oak"])


@pytest.fixture(params=["calamine", "openpyxl"])
def book(tmp_path, request, monkeypatch):
    pytest.importorskip("openpyxl")
    if request.param == "openpyxl":
        monkeypatch.setattr(formats, "find_spec", lambda name: None)
    else:
        pytest.importorskip("python_calamine")
    first = pd.DataFrame(
        {"code": ["7", "08", None], "note": ["NA", "x", "y"], "kind": ["NA", "b", "NA"]}
    )
    with pd.ExcelWriter(tmp_path / "book.xlsx") as writer:
        first.to_excel(writer, sheet_name="trees", index=False, startrow=3, startcol=1)
        writer.sheets["trees"]["B2"] = "Trees of 2024"
        FRAME.to_excel(writer, sheet_name="all of it", index=False)
    return tmp_path / "book.xlsx"


def test_the_first_sheet_is_read_and_said(book):
    table = read_table(book, target="kind")
    assert table.notes[:2] == (
        "the first of the sheets 'trees', 'all of it' was read; --sheet names another",
        "the header is row 4 of the sheet, below 'Trees of 2024'",
    )
    assert table.labels.tolist() == ["NA", "b", "NA"]  # in the target a label, elsewhere a gap
    assert table.X["note"].isna().tolist() == [True, False, False]
    assert table.X["code"].tolist()[:2] == [7, 8]  # numbers stored as texts
    new = open_stream(book, asked=Asked(sheet="trees"))
    assert new.whole(["code"])["code"].tolist()[:2] == ["7", "08"]  # the model knows the type


def test_cells_of_several_types_are_texts_as_in_a_csv_file(tmp_path):
    pytest.importorskip("openpyxl")
    mixed = {"size": [1.5, "unknown", 2, 3], "day": [pd.Timestamp("2024-01-31"), "soon", None, 4]}
    mixed["kind"] = [1, "b", 1, "b"]
    pd.DataFrame(mixed, dtype=object).to_excel(tmp_path / "t.xlsx", index=False)
    table = read_table(tmp_path / "t.xlsx", target="kind")
    assert table.labels.tolist() == ["1", "b", "1", "b"]
    assert table.X["size"].tolist() == ["1.5", "unknown", "2", "3"]
    assert table.X["day"].tolist()[:2] == ["2024-01-31 00:00:00", "soon"]
    assert "mix words and numbers" in table.notes[0]


def test_a_sheet_by_name(book):
    table = read_table(book, target="kind", sheet="all of it")
    assert table.X.shape == (4, 4)
    assert "--sheet" not in " ".join(table.notes)
    with pytest.raises(InvalidTable, match=r"no sheet 'tree'\. Did you mean 'trees'\? Its sheets"):
        read_table(book, target="kind", sheet="tree")
    with pytest.raises(InvalidTable, match=r"no column 'day'.*--sheet names another"):
        read_table(book, target="day")


def a_sheet(tmp_path, rows):
    pytest.importorskip("openpyxl")
    pd.DataFrame(rows).to_excel(tmp_path / "t.xlsx", header=False, index=False)
    return tmp_path / "t.xlsx"


def test_merged_cells_above_the_header_are_no_header(tmp_path):
    rows = [["plant", None, "place", None], ["size", "kind", "day", "soil"], [1, "a", 3, "x"]]
    table = read_table(a_sheet(tmp_path, rows), target="kind")
    assert list(table.X.columns) == ["size", "day", "soil"]
    assert "the header is row 2 of the sheet, below 'plant'" in table.notes
    # Names with a gap above rows that have numbers are a header all the same.
    rows = [["kind", "size", None, None], ["a", 1, 2, 3], ["b", 2, 3, 4]]
    table = read_table(a_sheet(tmp_path, rows), target="kind")
    assert list(table.X.columns) == ["size", "Unnamed: 2", "Unnamed: 3"]


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (["1,5", "2", "NA"], [1.5, 2, np.nan]),
        (["1,5", 2.5, "12,125"], [1.5, 2.5, 12.125]),
        (["1,500", "2,250", "3"], ["1,500", "2,250", "3"]),  # before thousands, perhaps
        (["1,5", "2", "-"], ["1,5", "2", "-"]),
    ],
)
def test_texts_with_decimal_commas_in_a_sheet_are_numbers(tmp_path, cells, read):
    rows = [["size", "kind"], *zip(cells, ["1,5", "b", "b"], strict=True)]
    table = read_table(a_sheet(tmp_path, rows), target="kind")
    np.testing.assert_array_equal(table.X["size"].to_numpy(), np.array(read))
    assert table.labels.tolist() == ["1,5", "b", "b"]
    said = "texts with decimal commas are taken as numbers: 'size'" in table.notes
    assert said == (not isinstance(read[0], str))


def test_lines_above_the_header_of_a_text_are_named(tmp_path):
    (tmp_path / "t.csv").write_text("# of today;;\n;;\nsize;kind;\n1;a;\n")
    with pytest.raises(InvalidTable, match=r"no column 'kind'.*stands in line 3: delete those abo"):
        read_table(tmp_path / "t.csv", target="kind")


def test_sheets_that_are_no_tables(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "t.xlsx"
    pd.DataFrame().to_excel(path)
    with pytest.raises(InvalidTable, match=r"the sheet 'Sheet1' of 't\.xlsx' is empty"):
        read_table(path, target="y")
    pd.DataFrame([["x", "x"], [1, 2]]).to_excel(path, header=False, index=False)
    with pytest.raises(InvalidTable, match="2 columns are called 'x'"):
        read_table(path, target="x")


def test_options_for_other_kinds(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n1,a\n")
    with pytest.raises(InvalidTable, match=r"--sheet s is not for 't\.csv', whose kind is text"):
        read_table(tmp_path / "t.csv", target="y", sheet="s")
    FRAME.to_feather(tmp_path / "t.feather")
    with pytest.raises(InvalidTable, match="--encoding cp1252 is not for"):
        read_table(tmp_path / "t.feather", target="kind", encoding="cp1252")


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    def missing(path, asked):
        raise ImportError("Missing optional dependency 'openpyxl'.")

    monkeypatch.setitem(formats._READERS, "sheets", missing)
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    with pytest.raises(
        InvalidTable, match=r"not installed\. Get it by: pip install 'polychotomy\[excel\]'"
    ):
        read_table(tmp_path / "t.xlsx", target="y")


@pytest.mark.parametrize("name", ["t.xlsx", "t.jsonl", "t.feather", "t.arff", "t.dta", "t.xpt"])
def test_files_that_are_something_else(tmp_path, name):
    if name in ("t.xlsx", "t.arff"):
        pytest.importorskip("openpyxl" if name == "t.xlsx" else "arff")
    (tmp_path / name).write_bytes(b"\x01\x02 no such thing\n" * 20)
    with pytest.raises(InvalidTable, match=f"'{name}' cannot be read as "):
        read_table(tmp_path / name, target="y")


def test_a_workbook_that_would_not_fit(tmp_path):
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 70 * 2**20)
    with pytest.raises(InvalidTable, match="holds more than 64 MiB unpacked"):
        read_table(tmp_path / "t.xlsx", target="y")


def test_texts_stay_texts_in_json_lines(tmp_path):
    lines = '{"code": "007", "date": "1", "y": "a"}\n{"code": "8", "date": "2", "y": "b"}\n'
    (tmp_path / "t.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    X = read_table(tmp_path / "t.jsonl.gz", target="y").X
    assert X.to_numpy().tolist() == [["007", "1"], ["8", "2"]]


def test_commas_in_the_header_of_a_tsv_file_are_text(tmp_path):
    (tmp_path / "t.tsv").write_text("size, m\tkind\n1,5\ta\n2,5\tb\n")
    table = read_table(tmp_path / "t.tsv", target="kind")
    assert table.X["size, m"].tolist() == [1.5, 2.5]
    assert table.notes[0] == "fields are separated by tabs, decimals by commas"


def test_levels_of_an_index_are_columns(tmp_path, monkeypatch):
    index = pd.MultiIndex.from_tuples([("ann", 1), ("ann", 2), ("bob", 1)], names=["who", None])
    frame = pd.DataFrame({"size": [1.0, 2.0, 3.0], "kind": list("aba")}, index=index)
    frame.to_parquet(tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet", target="kind")
    assert table.X["who"].tolist() == ["ann", "ann", "bob"]
    assert table.X["index 2"].tolist() == [1, 2, 1]
    assert list(table.X.columns) == ["who", "index 2", "size"]
    monkeypatch.setattr("polychotomy.tables.streaming.PART_BYTES", 1)
    stream = open_stream(tmp_path / "t.parquet")
    rows = [part["who"].item() for part in stream.parts(["who"], [])]
    assert rows == ["ann", "ann", "bob"]
    numbers = [part["index 2"].item() for part in stream.parts(["index 2"], [])]
    assert numbers == [1, 2, 1]
    assert read_table(tmp_path / "t.parquet", target="who").labels.tolist() == rows


def test_what_is_no_foreign_table_stays_as_it_is():
    for data in (FRAME, FRAME["size"], np.zeros((2, 2)), [[1.0]], None):
        assert as_pandas(data) is data or isinstance(data, pd.DataFrame | pd.Series)


def test_a_target_on_another_sheet_is_found_there(tmp_path):
    path = tmp_path / "t.xlsx"
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"remark": ["made in 2026", "see sheet 2"]}).to_excel(
            writer, sheet_name="info", index=False
        )
        FRAME.to_excel(writer, sheet_name="trees", index=False, startrow=3)
        FRAME.to_excel(writer, sheet_name="more", index=False)
        FRAME.drop(columns="kind").to_excel(writer, sheet_name="new", index=False)
    with pytest.raises(
        InvalidTable, match="the column 'kind' is in 'trees', 'more': name one by --sheet"
    ):
        read_table(path, target="kind")
    with pytest.raises(InvalidTable, match=r"no column 'class'.*; --sheet names another\.$"):
        read_table(path, target="class")
    with pytest.raises(InvalidTable, match="is in 'trees', 'more'"):
        read_table(path, target="kind", sheet="new")
