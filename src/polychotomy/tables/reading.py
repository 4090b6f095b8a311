"""Tables from files of many kinds and other libraries; labels in the plainest type that fits."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy.core.exceptions import InvalidTable
from polychotomy.core.numbers import counted
from polychotomy.tables import csv_text, files
from polychotomy.tables.column_notes import Note, gather_notes, note_columns
from polychotomy.tables.dates import with_dates
from polychotomy.tables.formats import Asked, read_by_library

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 5  # notes of one kind

_TRUTHS = {"True": True, "False": False}

_LEADING_ZERO = re.compile(r"[+-]?0\d")


class Table(NamedTuple):
    """A labelled table: its name, features, labels, and what a reader should be told about it.

    The labels are an array, or a pandas ``Categorical`` where the column was one. `read_table`
    makes it from a file.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from polychotomy.tables.reading import Table
    >>> X = pd.DataFrame({"height": [1.5, 12.0]})
    >>> table = Table("plants", X, np.array(["herb", "tree"]), target="kind", notes=())
    >>> table.X.shape, table.labels.tolist()
    ((2, 1), ['herb', 'tree'])
    """

    name: str
    X: pd.DataFrame
    labels: Any
    target: str
    notes: tuple[str, ...]


def read_table(
    path: str | Path, *, target: str, sheet: str | None = None, encoding: str | None = None
) -> Table:
    r"""Read a labelled table from a file.

    In the target column only an empty field is missing: ``NA``, ``None`` and ``null`` are labels
    like others there, and a note says so. In the other columns they are missing values. Further
    notes name columns that are constant, empty, equal, infinite, like an identifier, or that give
    the target away.

    Parameters
    ----------
    path : path
        Text (``.csv``, ``.tsv``, both also ``.gz``), a sheet (``.xlsx``, ``.xls``, ``.ods``),
        Parquet, JSON lines, Arrow, ARFF, SAS, Stata or SPSS, by the end of its name.
    target : str
        The column that holds the labels.
    sheet : str, optional
        Of a workbook, the sheet to read; by default the first.
    encoding : str, optional
        Of a text; by default found, with a note where it is not UTF-8.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "plants.csv")
    >>> _ = path.write_text("height,kind\n1.5,NA\n,tree\n")
    >>> table = read_table(path, target="kind")
    >>> table.name, table.labels.tolist()
    ('plants', ['NA', 'tree'])
    >>> table.notes[0].partition(" (")[0]
    "1 label of 'kind' is the text 'NA': taken as a class, not as missing"
    >>> folder.cleanup()
    """
    table = read_labelled(path, target=target, sheet=sheet, encoding=encoding)
    columns = gather_notes(lambda: note_columns(table.X, table.labels.tolist(), target))
    return table._replace(notes=(*table.notes, *columns))


def read_labelled(
    path: str | Path,
    *,
    target: str,
    sheet: str | None = None,
    encoding: str | None = None,
    unused: Collection[str] = (),
) -> Table:
    """Read a labelled table from a file, without remarks about the features.

    Columns named in ``unused`` may hold whatever they like.
    """
    path = files.check_table_file(files.as_path(path))
    frame, notes = read_file(path, Asked(sheet, encoding, target))
    check_values(frame.drop(columns=[*{*unused} - {target}], errors="ignore"), path)
    labels = plain_labels(frame[target])
    X = frame.drop(columns=target)
    if X.shape[1] == 0:
        raise InvalidTable(
            f"{path.name!r} has the column {target!r} only; expected at least one more to predict "
            "it from."
        )
    is_text = labels.dtype.kind == "U"  # counted by pandas, which is sooner done
    counts = frame[target].value_counts(sort=False).to_dict() if is_text else labels.tolist()
    said = (*notes, *note_labels(counts, target))
    notes = tuple(Note(one, kind="reading") for one in said)
    return Table(files.stem_of(path), X, labels, target, notes)


def read_file(path: Path, asked: Asked) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Read a file of any kind, and what is to be said of how it was read."""
    kind, target = files.kind_of_file(path), asked.target
    for option, given, kinds in (
        ("--sheet", asked.sheet, ("sheets",)),
        ("--encoding", asked.encoding, ("text", "JSON lines", "ARFF", "SAS", "SAS transport")),
    ):
        if given is not None and kind not in kinds:
            raise InvalidTable(
                f"{option} {given} is not for {path.name!r}, whose kind is {kind}; expected it "
                f"with {' or '.join(kinds)}."
            )
    frame, notes = (_read_csv if kind == "text" else read_by_library)(path, asked)
    if target is not None:
        _check_target([str(column) for column in frame.columns], target, path, notes)
    if len(frame) == 0:
        raise InvalidTable(f"{path.name!r} has a header but no rows; expected data below it.")
    return with_dates(frame), notes


def _read_csv(path: Path, asked: Asked) -> tuple[pd.DataFrame, tuple[str, ...]]:
    data, notes = csv_text.decode(files.read_whole(path), path.name, asked.encoding)
    tabs = is_tsv(path)
    separators = csv_text.find_separators(csv_text.first_lines(data), tabs=tabs)
    header = csv_text.read_header(data, path.name, separators)
    if asked.target is not None:  # before the whole file is parsed
        below = csv.reader(csv_text.first_lines(data).splitlines()[:20], delimiter=separators.field)
        at = next((i for i, row in enumerate(below, start=1) if asked.target in row), None)
        _check_target(
            header, asked.target, path, (f"it stands in line {at}: delete those above",) * bool(at)
        )
    text = (data, header, path.name, separators)
    frame = csv_text.parse_csv(*text, target=asked.target, as_written=asked.texts)
    if not csv_text.are_whole(frame, asked.target or frame.columns[-1], data, separators):
        csv_text.check_rows(*text)
    usual = separators.note is None or (tabs and separators == ("\t", "."))
    return frame, notes if usual else (*notes, str(separators.note))


def is_tsv(path: Path) -> bool:
    """Whether tabs separate the fields of a file by its name."""
    return path.name.lower().endswith((".tsv", ".tsv.gz"))


def as_pandas(data: Any) -> Any:
    """Return a table or column of Polars, PyArrow, DuckDB and others as pandas'; all else as it is.

    Examples
    --------
    >>> import pyarrow as pa
    >>> as_pandas(pa.table({"size": [1.5]})).columns.tolist()
    ['size']
    """
    if type(data).__module__.partition(".")[0] in ("builtins", "numpy", "pandas", "scipy"):
        return data
    import narwhals as nw

    found = nw.from_native(data, pass_through=True, allow_series=True)
    if isinstance(found, nw.LazyFrame):
        found = found.collect(backend="pyarrow")
    return found.to_pandas() if isinstance(found, nw.DataFrame | nw.Series) else data


def _check_target(columns: list[str], target: str, path: Path, notes: tuple[str, ...] = ()) -> None:
    if target not in columns:
        is_data = any(_parse(column, float) is not None for column in columns)
        data = " Is the first line data? Expected the names of the columns there." * is_data
        raise InvalidTable(
            f"{files.no_column(repr(path.name), target, columns)}{data}"
            f"{''.join(f' Note: {note}.' for note in notes)}"
        )


def check_values(frame: pd.DataFrame, path: Path) -> None:
    """Refuse cells that hold several values.

    Examples
    --------
    >>> import pandas as pd
    >>> check_values(pd.DataFrame({"height": [1.5, None]}), Path("plants.parquet"))
    """
    for name in frame.select_dtypes(exclude="number").columns:
        first = frame[name].iloc[frame[name].notna().to_numpy().argmax() :].head(1).tolist()
        if first and isinstance(first[0], list | dict | np.ndarray | bytes):
            raise InvalidTable(
                f"the column {str(name)!r} of {path.name!r} holds values of the type "
                f"{type(first[0]).__name__}, such as {str(first[0])[:60]}; expected "
                "numbers, texts or dates. Take it apart, or leave it out (judge has --drop COLUMN)."
            )


def plain_labels(column: pd.Series) -> Any:
    """Give labels the plainest type that loses nothing: int, bool, float, text.

    Texts that are all whole numbers, all ``True`` or ``False``, or all numbers become such; a
    column of categories stays a pandas ``Categorical``, so that predictions can have its type.

    Examples
    --------
    >>> import pandas as pd
    >>> plain_labels(pd.Series(["-1", "2"])), plain_labels(pd.Series(["01", "1"]))
    (array([-1,  2]), array(['01', '1'], dtype='<U2'))
    """
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.array
    codes, distinct = column.factorize()  # −1 where a label is missing
    texts = distinct.tolist()
    missing = [None] if (codes < 0).any() else []
    if not all(isinstance(text, str) for text in texts):
        whole = not isinstance(column.dtype, np.dtype) and not missing
        return np.array(column.tolist() if whole else column.to_numpy())
    labels: list[Any] = texts
    for read, is_faithful in (
        (int, _same_text),
        (_TRUTHS.__getitem__, _same_text),
        (float, _same_partition),
    ):
        parsed = [_parse(text, read) for text in texts]
        if texts and None not in parsed and is_faithful(parsed, texts):
            labels = parsed
            break
    return np.array([*labels, *missing], dtype=object if missing else None)[codes]


def note_labels(labels: Iterable[Any], target: str) -> tuple[str, ...]:
    """Say which labels look like missing values or numbers but are taken as words.

    Examples
    --------
    >>> note_labels(["a", "NA"], "kind")[0].partition(" (")[0]
    "1 label of 'kind' is the text 'NA': taken as a class, not as missing"
    >>> note_labels(["a", "1", "b"], "kind")
    ("the labels of 'kind' mix words and numbers, such as 'a' and '1': all are taken as texts",)
    """
    words = {label: n for label, n in Counter(labels).items() if isinstance(label, str)}
    missing = sorted(words.keys() & csv_text.MISSING)
    notes = [
        f"{counted(words[label], 'label')} of {target!r} {'are' if words[label] > 1 else 'is'} the "
        f"text {label!r}: taken as a class, not as missing (if it means missing, empty these "
        "fields; --drop-unlabelled leaves such rows out)"
        for label in missing
    ]
    numbers = [word for word in words if _parse(word, float) is not None and word not in missing]
    others = [word for word in words if word not in {*numbers, *missing}]
    if numbers and others:
        notes.append(
            f"the labels of {target!r} mix words and numbers, such as {others[0][:60]!r} and "
            f"{numbers[0][:60]!r}: all are taken as texts"
        )
    return (*notes, *note_alike(words, target))


def note_alike(
    words: Iterable[str], target: str, *, among: Collection[str] | None = None
) -> list[str]:
    """Name labels that a person would hardly tell apart: by case or blanks, or as numbers.

    Of some labels ``among`` them, those that are like one of these.

    Examples
    --------
    >>> note_alike(["a", "b", "A"], "kind")
    ["the labels 'A' and 'a' of 'kind' differ in case or blanks only: taken as 2 classes; \
write each in one way"]
    """
    notes = []
    for key, differ in (
        (lambda word: " ".join(word.split()).casefold(), "differ in case or blanks only"),
        (lambda word: _parse(word, float), "are one number written differently"),
    ):
        alike: dict[Any, list[str]] = {}
        for word in sorted(words):
            alike.setdefault(key(word), []).append(word)
        for one, found in alike.items():
            if one is None or len(found) < 2 or not (among is None or {*among} & {*found}):
                continue
            listed = " and ".join(repr(word[:60]) for word in found[:2])
            more = f" (and {len(found) - 2} more)" if len(found) > 2 else ""
            notes.append(
                f"the labels {listed}{more} of {target!r} {differ}: taken as {len(found)} classes; "
                "write each in one way"
            )
    return notes[:_SHOWN]


def _same_text(parsed: list[Any], texts: list[str]) -> bool:
    return [str(value) for value in parsed] == texts


def _same_partition(parsed: list[float], texts: list[str]) -> bool:
    """No two spellings of one number, which would join two labels; no "nan", "inf" or "01"."""
    distinct = set(texts)
    return (
        len(set(parsed)) == len(distinct)
        and bool(np.isfinite(parsed).all())
        and not any(_LEADING_ZERO.match(text) for text in distinct)
    )


def _parse(text: str, read: Any) -> Any:
    try:
        return read(text)
    except (ValueError, KeyError):
        return None
