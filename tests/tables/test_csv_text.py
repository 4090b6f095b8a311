"""CSV text: what pandas would correct in silence is found, with its line."""

import csv
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables.csv_text import (
    Separators,
    are_whole,
    check_rows,
    decode,
    find_separators,
    parse_csv,
    read_header,
    regular_rows,
)


def read(text, target="y"):
    separators = find_separators(text)
    data = text.encode()
    header = read_header(data, "t.csv", separators)
    check_rows(data, header, "t.csv", separators)
    return parse_csv(data, header, "t.csv", separators, target=target)


def test_quoted_commas_line_breaks_and_quotes():
    frame = read('x,y\n"1,5","a\nb"\n2,"say ""c"""\n')
    assert frame.to_numpy().tolist() == [["1,5", "a\nb"], ["2", 'say "c"']]


def test_lines_are_counted_where_fields_have_line_breaks():
    with pytest.raises(InvalidTable, match=r"line 4 of 't.csv' has 3 fields"):
        check_rows(b'x,y\n"a\nb",1\n1,2,3\n', ["x", "y"], "t.csv", Separators())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end(end):
    frame = read(end.join(["x,y", "1,a", "", "2,b", ""]))
    assert frame.to_numpy().tolist() == [[1, "a"], [2, "b"]]


def test_a_very_long_field_and_the_limit_after_it():
    before = csv.field_size_limit()
    assert len(read(f"x,y\n1,{'a' * 300_000}\n")["y"][0]) == 300_000
    assert csv.field_size_limit() == before


def test_a_column_without_a_name():
    frame = read("x,,y\n1,,a\n2,NA,b\n")
    assert list(frame.columns) == ["x", "Unnamed: 1", "y"]
    assert frame["Unnamed: 1"].isna().all()


def test_a_first_column_is_never_an_index():
    with pytest.raises(InvalidTable, match="line 2"):
        read("x,y\n1,2,a\n3,4,b\n")


def test_byte_order_marks_and_bad_bytes():
    assert decode(b"\xef\xbb\xbfx,y\n", "t") == (b"x,y\n", ())
    with pytest.raises(InvalidTable, match="byte 0xff in line 3"):
        decode("é,ü,ö\n1,a\n2,".encode() + b"\xff\n", "t")


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", None),
        ("utf-8-sig", None),
        ("utf-16", "the text is in UTF-16"),
        ("utf-16-le", "the text is in UTF-16-LE"),
        ("utf-16-be", "the text is in UTF-16-BE"),
        ("utf-32", "the text is in UTF-32"),
        ("cp1252", "not UTF-8: read as cp1252, such as 'Grün'; --encoding names another"),
    ],
)
def test_encodings_are_found_and_said(encoding, said):
    text = "kind,size\nGrün,1\nœuvre “so”,2\n"
    found, notes = decode(text.encode(encoding), "t")
    assert found.decode() == text
    assert len(notes) == (said is not None)
    assert "".join(notes).endswith(said or "")
    assert decode(text.encode(encoding), "t", encoding) == (found, ())


def test_a_byte_that_windows_does_not_know_is_latin_1():
    data, notes = decode(b"kind\n\x81\xe9\n", "t")
    assert data.decode() == "kind\n\x81é\n"
    assert "read as latin-1" in notes[0]


def test_an_encoding_that_does_not_fit_or_exist():
    with pytest.raises(InvalidTable, match="'t' is not ascii text: byte 0xc3 in line 2"):
        decode("a\nä\n".encode(), "t", "ascii")
    with pytest.raises(InvalidTable, match="no encoding is called 'utf-9'"):
        decode(b"a", "t", "utf-9")


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_numbers_are_read_exactly(values):
    text = "x,y\n" + "".join(f"{value!r},a\n" for value in values)
    np.testing.assert_array_equal(read(text)["x"].to_numpy(dtype=float), values)


cells = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), max_size=8)


@given(st.lists(st.tuples(cells, cells.filter(bool)), min_size=1, max_size=6))
def test_what_the_csv_module_writes_is_read_back(rows):
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows([("x", "y"), *rows])
    frame = read(file.getvalue())
    assert frame["y"].tolist() == [label for _, label in rows]


def test_text_stays_text_for_models():
    frame = read("x,z\n1.50,007\nNA,8\n", target=None)
    assert frame["z"].tolist() == ["007", "8"]
    assert frame["x"].isna().tolist() == [False, True]
    assert pd.api.types.is_string_dtype(frame["x"].dropna())


TEXTS = st.lists(
    st.sampled_from(["a", "bb", ",", ";", '"', '""', "\n", "\r\n", "\r", " ", "\n1,2\n", "é", "1"])
).map("".join)


@given(TEXTS, st.sampled_from(["a,bb", "a", 'bb,"a"', '"a""",bb', "é,1"]))
def test_what_bytes_show_is_what_the_csv_module_tells(text, first):
    data = f"{first}\n{text}".encode()
    rows = [row for row in csv.reader(StringIO(data.decode(), newline="")) if row]
    header = rows[0]
    sound = all(len(row) == len(header) and row != header for row in rows[1:])
    assert regular_rows(data, header, Separators()) in ([None, len(rows) - 1] if sound else [None])
    without = data.partition(b"\n")[2]
    if without:
        found = regular_rows(without, header, Separators(), headed=False)
        assert found in ([None, len(rows) - 1] if sound else [None])


@given(TEXTS, st.sampled_from(["a,bb", "a", 'bb,"a"', "é,1"]), st.booleans())
def test_a_table_that_is_seen_to_be_whole_has_no_row_to_refuse(text, first, is_labelled):
    data = f"{first}\n{text}".encode()
    header = read_header(data, "t.csv", Separators())
    target = header[0] if is_labelled else None
    try:
        frame = parse_csv(data, header, "t.csv", Separators(), target=target)
    except InvalidTable:
        return
    if are_whole(frame, header[0], data, Separators()):
        check_rows(data, header, "t.csv", Separators())
        assert len(frame) == regular_rows(data, header, Separators())


@pytest.mark.parametrize(
    ("row", "is_whole"),
    [
        ("2,b,4", True),
        ("2,b", False),  # filled up in silence by pandas
        ("2,b,", False),  # as if
        ("x,y,z", False),
        (" ", False),  # skipped in silence
        ('"2\n3",b,4', False),
    ],
)
def test_what_pandas_mends_in_silence_leaves_a_doubt(row, is_whole):
    data = f"x,y,z\n1,a,3\n{row}\n5,c,6\n".encode()
    frame = parse_csv(data, ["x", "y", "z"], "t.csv", Separators(), target="y")
    assert are_whole(frame, "y", data, Separators()) == is_whole


@pytest.mark.parametrize("rows", ["1,a,\n2,b,\n", "1,a,9\n2,b,9\n", "1,a,\n2,b\n"])
def test_rows_that_are_all_longer_than_the_header_leave_a_doubt(rows):
    data = f"x,y\n{rows}".encode()
    frame = parse_csv(data, ["x", "y"], "t.csv", Separators(), target="y")
    assert not are_whole(frame, "y", data, Separators())


@given(st.lists(st.tuples(cells, cells, cells.filter(bool)), min_size=1), st.sampled_from([0, 1]))
def test_usual_files_are_seen_to_be_sound_by_their_bytes(rows, quoting):
    file = StringIO()
    csv.writer(file, quoting=quoting).writerows([("name", "b", "c"), *rows])
    known = any("\r" in cell for row in rows for cell in row) or any(
        "name" in row[0] for row in rows
    )
    data = file.getvalue().encode()
    assert known or regular_rows(data, ["name", "b", "c"], Separators()) == len(rows)
