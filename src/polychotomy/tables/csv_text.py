"""The text of a CSV file: decoded, its separators found, checked row by row, parsed."""

from __future__ import annotations

import codecs
import csv
import re
import sys
import warnings
from collections import Counter
from collections.abc import Collection, Iterator
from io import BytesIO, TextIOWrapper
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy.core.exceptions import InvalidTable

if TYPE_CHECKING:
    import pandas as pd


MISSING = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"]
    + ["<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
)
"""What means "missing" in a column of features: pandas' own list."""

_WORDS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

_EXPONENT = r"(?:[eE][+-]?\d+)?"

_COMMA = re.compile(rf"[+-]?\d+,\d+{_EXPONENT}")

COMMA_ALONE = re.compile(rf"^(\s*[+-]?\d+),(\d+{_EXPONENT}\s*)$")

_POINT = re.compile(rf"[+-]?\d+\.\d+{_EXPONENT}")

_LINES = 200  # looked at for numbers

START = 2**20  # bytes in which they are looked for

_BLOCK = 2**24  # bytes that are checked at a time


class Separators(NamedTuple):
    """Between fields, and before decimals."""

    field: str = ","
    decimal: str = "."

    @property
    def note(self) -> str | None:
        """Say what is not usual, or None."""
        if self.field == ",":
            return None
        commas = ", decimals by commas" if self.decimal == "," else ""
        return f"fields are separated by {_WORDS[self.field]}{commas}"


def find_separators(text: str, *, tabs: bool = False) -> Separators:
    r"""Look for other marks where commas leave the header whole, and for decimal commas then.

    Where ``tabs`` are expected, by the name of the file, commas in the header are text.

    Examples
    --------
    >>> find_separators("size,kind\n1.5,a\n")
    Separators(field=',', decimal='.')
    >>> find_separators("size;kind\n1,5;a\n").note
    'fields are separated by semicolons, decimals by commas'
    """
    lines = text.lstrip("\r\n").splitlines()[:_LINES]
    tabs = tabs and "\t" in "".join(lines[:1])
    if not lines or (not tabs and len(next(csv.reader(lines[:1]), [])) > 1):
        return Separators()
    found = "\t" if tabs else max(";\t|", key=lines[0].count)
    if found not in lines[0]:
        return Separators()
    fields = [field.strip() for row in csv.reader(lines[1:], delimiter=found) for field in row]
    commas = sum(_COMMA.fullmatch(field) is not None for field in fields)
    points = sum(_POINT.fullmatch(field) is not None for field in fields)
    return Separators(found, "," if commas > points else ".")


def decode(data: bytes, name: str, encoding: str | None = None) -> tuple[bytes, tuple[str, ...]]:
    """Return text in UTF-8, and a note where it was not.

    Without an ``encoding`` it is found: by a byte order mark; UTF-16 by its zero bytes; UTF-8
    where all is valid, which other texts hardly ever are; else Windows-1252.

    Examples
    --------
    >>> data, notes = decode("kind,Bäume".encode("cp1252"), "t.csv")
    >>> data.decode()
    'kind,Bäume'
    >>> print(*notes)
    the text is not UTF-8: read as cp1252, such as 'Bäume'; --encoding names another
    """
    found = encoding or _find_encoding(data)
    text = as_utf8(data, name, found)
    if encoding is not None or found == "utf-8-sig":
        return text, ()
    if found.startswith("utf"):
        return text, (f"the text is in {found.upper()}",)
    odd = re.findall(r"\w*[^\x00-\x7f]\w*", text.decode())[0][:40]
    said = f"the text is not UTF-8: read as {found}, such as {odd!r}; --encoding names another"
    return text, (said,)


_NOT_IN_CP1252 = b"\x81\x8d\x8f\x90\x9d"


def _find_encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # before: UTF-16's begins it
        return "utf-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    start = data[: min(1000, len(data) // 2 * 2)]
    for zeros, found in ((1, "utf-16-le"), (0, "utf-16-be")):
        if 4 * start[zeros::2].count(0) > len(start) and 0 not in start[1 - zeros :: 2]:
            return found
    if data.isascii():
        return "utf-8-sig"
    text = data.decode("utf-8-sig", errors="replace")
    broken, others = text.count("\ufffd"), len(text) - len(text.encode("ascii", "ignore"))
    if not broken or 0 in data or others > 2 * broken:  # UTF-8, if with a flaw: to be refused
        return "utf-8-sig"
    return "latin-1" if any(byte in data for byte in _NOT_IN_CP1252) else "cp1252"


def as_utf8(data: bytes, name: str, encoding: str = "utf-8-sig") -> bytes:
    """Return text of one encoding in UTF-8 without a byte order mark, or refuse it."""
    word = "UTF-8" if encoding == "utf-8-sig" else encoding
    if not data.isascii() or encoding != "utf-8-sig":
        try:
            data = data.decode(encoding).removeprefix("\ufeff").encode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise InvalidTable(
                f"{name!r} is not {word} text: byte {data[error.start]:#04x} in line {line}. Save "
                "it as UTF-8, or name its encoding by --encoding."
            ) from error
        except LookupError:
            raise InvalidTable(
                f"no encoding is called {encoding!r}; expected one such as utf-8, cp1252 or "
                "shift_jis."
            ) from None
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise InvalidTable(
            f"{name!r} holds a zero byte in line {line}; expected text in UTF-8. Is it UTF-16, or "
            "no text at all? Save it as CSV in UTF-8."
        )
    if data[:1000].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise InvalidTable(
            f"{name!r} is a web page, not a table; expected CSV. Was an error page downloaded?"
        )
    return data


def first_lines(data: bytes) -> str:
    """Return the header's line and as much as is looked at to find separators."""
    data = data.lstrip(b"\r\n") if data[:1] in (b"\r", b"\n") else data
    return data[: max(START, data.find(b"\n") + 1)].decode(errors="ignore")


def read_header(data: bytes, name: str, separators: Separators) -> list[str]:
    """Return the names of the columns; refuse duplicates."""
    header = next((row for _, row in _rows(data, separators.field)), None)
    if header is None:
        raise InvalidTable(f"{name!r} is empty; expected a header row and data.")
    refuse_duplicates(header)
    return header


def check_rows(data: bytes, header: list[str], name: str, separators: Separators) -> None:
    """Refuse rows longer or shorter than the header, and the header once more."""
    if regular_rows(data, header, separators) is not None:
        return
    rows = _rows(data, separators.field)
    next(rows)
    for line, row in rows:
        if row == header:
            raise InvalidTable(
                f"line {line} of {name!r} repeats the header; expected it once. If files were "
                "joined, delete that line."
            )
        if len(row) != len(header):
            raise InvalidTable(
                f"line {line} of {name!r} has {len(row)} field{'s' * (len(row) != 1)} and the "
                f"header has {len(header)}; expected as many in every row, separated by "
                f"{_WORDS[separators.field]}. The line begins {separators.field.join(row)[:40]!r}."
            )


def are_whole(frame: pd.DataFrame, texts: str, data: bytes, separators: Separators) -> bool:
    """Whether the table that `parse_csv` made shows that no row is what `check_rows` refuses.

    pandas refuses rows longer than the one before, and fills up shorter ones, whose last field is
    then missing. So that the rows are as many as the lines, the first is as long as the header, the
    last column has no gaps, and one of ``texts`` does not repeat its own name, is enough.
    """
    first = [len(row) for _, row in islice(_rows(data, separators.field), 1, 2)]
    ends, returns = (np.count_nonzero(np.frombuffer(data, np.uint8) == ord(end)) for end in "\n\r")
    as_many = first == [frame.shape[1]] and len(frame) == ends - data.endswith(b"\n")
    odd = frame.iloc[:, -1].isna() | (frame.iloc[:, -1] == "") | (frame[texts] == texts)
    return as_many and returns in (0, ends) and not odd.any()


def regular_rows(
    data: bytes, header: list[str], separators: Separators, *, headed: bool = True
) -> int | None:
    r"""Count rows by pyarrow; None where Python's csv module must look at each.

    A number says that every row has as many fields as the header, and none repeats it, blank lines
    left out. It takes a small part of the csv module's time.

    Parameters
    ----------
    headed : bool
        Whether the first row is the header, which is not counted.

    Examples
    --------
    >>> regular_rows(b"a,b\n1,2\n", ["a", "b"], Separators())
    1
    >>> print(regular_rows(b"a,b\n1,2,3\n", ["a", "b"], Separators()))
    None
    """
    import pyarrow as pa
    import pyarrow.csv as arrow

    # If the name of the first column is no value of it, no row repeats the header.
    names = [str(number) for number in range(len(header))]
    try:
        column = arrow.read_csv(
            pa.py_buffer(data),
            arrow.ReadOptions(use_threads=False, column_names=names, block_size=_BLOCK),
            arrow.ParseOptions(delimiter=separators.field, newlines_in_values=b'"' in data),
            arrow.ConvertOptions(column_types={"0": pa.binary()}, include_columns=["0"]),
        )[0]
    except pa.ArrowInvalid:
        return None
    repeated = (column.to_numpy() == header[0].encode()).sum()
    return None if repeated > headed else len(column) - headed


def parse_csv(
    data: bytes,
    header: list[str],
    name: str,
    separators: Separators,
    *,
    target: str | None,
    numbers: Collection[str] = (),
    wanted: Collection[str] | None = None,
    as_written: Collection[str] = (),
    headed: bool = True,
) -> pd.DataFrame:
    """Read CSV text that was checked.

    Parameters
    ----------
    target : str or None
        In this column all is text, and only an empty field is missing. Without one every column
        is left as text, with points before the decimals of numbers.
    numbers : names
        Columns that are no text even so, if all of their values are numbers.
    wanted : names, optional
        Columns to return; by default all.
    as_written : names
        Columns of text in which no comma is one before decimals. Then no value is missing at all.
    headed : bool
        Whether the first row is the header.
    """
    import pandas as pd

    columns = column_names(header)
    usual = [] if as_written else sorted(MISSING)
    texts = [name for name in columns if name not in numbers] if target is None else [target]
    options: dict[str, Any] = {
        "sep": separators.field,
        "decimal": separators.decimal,
        "header": 0 if headed else None,
        "names": columns,
        "usecols": None if wanted is None else wanted.__contains__,
        "keep_default_na": False,
        "na_values": {column: [""] if column == target else usual for column in columns},
        "dtype": dict.fromkeys(texts, str),
        "index_col": False,
    }
    # The same numbers, hence the same study, everywhere: later versions read so anyway.
    if tuple(map(int, pd.__version__.split(".")[:2])) < (3, 1):
        options["float_precision"] = "round_trip"
    try:
        # In parts, which fit into the processor's caches; at once where their types differ.
        with warnings.catch_warnings(action="error", category=pd.errors.DtypeWarning):
            warnings.simplefilter("ignore", pd.errors.ParserWarning)  # rows longer than the header
            frame = pd.read_csv(BytesIO(data), **options)
    except pd.errors.DtypeWarning:
        frame = pd.read_csv(BytesIO(data), low_memory=False, **options)
    except pd.errors.ParserError as error:
        check_rows(data, header, name, separators)  # finds all else
        *_, (line, _) = _rows(data, separators.field)
        raise InvalidTable(
            f"{name!r} cannot be read as a table: a quotation mark in line {line} is never closed."
        ) from error
    if target is None and separators.decimal == ",":
        for column in set(texts) & set(frame) - set(as_written):
            frame[column] = frame[column].str.replace(COMMA_ALONE, r"\1.\2", regex=True)
    return frame


def column_names(header: list[str]) -> list[str]:
    """Return the names of a header's columns, as pandas names those without.

    Examples
    --------
    >>> column_names(["height", ""])
    ['height', 'Unnamed: 1']
    """
    return [column or f"Unnamed: {position}" for position, column in enumerate(header)]


def _rows(data: bytes, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Give each row that is not blank, with the number of the line it begins in."""
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # for the whole process
    try:
        reader = csv.reader(TextIOWrapper(BytesIO(data), "utf-8", newline=""), delimiter=separator)
        line = 1
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    finally:
        csv.field_size_limit(before)


def refuse_duplicates(header: list[str]) -> None:
    """Look at the header as it is; pandas renames the second of two equal names."""
    counts = Counter(filter(None, header))
    twice = sorted(name for name, count in counts.items() if count > 1)
    if twice:
        raise InvalidTable(
            f"{counts[twice[0]]} columns are called {twice[0]!r}; expected each name once. "
            "Rename one of them."
        )
