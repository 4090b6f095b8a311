"""The published text of a benchmark set made a table, by its recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polychotomy.core.exceptions import InvalidTable
from polychotomy.reproduction.data.catalogue import Recipe

if TYPE_CHECKING:
    import pandas as pd


_CATEGORICAL = ("nominal", "binary")


def make_table(recipe: Recipe, texts: list[str]) -> pd.DataFrame:
    r"""Read a set's files, one after the other, into texts: features first, ``class`` last.

    Numbers are written plainly, ``?`` is missing.

    Examples
    --------
    >>> from polychotomy.reproduction.data.catalogue import Recipe
    >>> recipe = Recipe(
    ...     name="pets", files=("uci:pets",), columns=("class", "-", "legs"),
    ...     kinds={"legs": "numeric"}, counts=(1, 1), missing=1,
    ... )
    >>> make_table(recipe, ["dog,7,4.0\nbird,8,?\n"]).fillna("").to_numpy().tolist()
    [['4', 'dog'], ['', 'bird']]
    """
    import pandas as pd

    records = [record for text in texts for record in _records(text, recipe)][: recipe.head]
    raw = pd.DataFrame(records, columns=range(len(recipe.columns)), dtype=object)
    columns = {
        name: _plain_values(raw[position], recipe.kinds.get(name, ""), recipe)
        for position, name in enumerate(recipe.columns)
        if name not in ("-", "class")
    }
    columns["class"] = _labels(raw[recipe.columns.index("class")], recipe)
    frame = pd.DataFrame(columns)
    kept = frame[~raw[recipe.columns.index("class")].isin(recipe.leave_out)].reset_index(drop=True)
    _check(kept, recipe)
    return kept


def _records(text: str, recipe: Recipe) -> list[list[str]]:
    """Split text into records of as many fields as there are columns.

    Lines above the first whole record are a heading; below it a record may go on in the next line.
    """
    lines = _data_lines(text)
    width = len(recipe.columns)
    records: list[list[str]] = []
    parts: list[str] = []
    for line in lines:
        blank = recipe.separator.isspace()
        fields = line.split() if blank else [field.strip() for field in line.split(",")]
        if not records and len(fields) != width:
            continue
        parts += fields
        if len(parts) < width and parts[-1] == "":  # the comma before a break
            parts.pop()
        if len(parts) == width:
            records.append(parts)
            parts = []
        elif len(parts) > width:
            raise InvalidTable(
                f"a line of {recipe.name!r} has {len(fields)} fields: {line[:60]!r}; expected "
                f"{width}. The published files may have changed."
            )
    return records


def _data_lines(text: str) -> list[str]:
    """Return the lines with something in them; of an ARFF file those below ``@data``."""
    lines = [line.strip() for line in text.splitlines()]
    heads = [number for number, line in enumerate(lines) if line.lower() == "@data"]
    if heads:
        lines = [line for line in lines[heads[0] + 1 :] if not line.startswith("%")]
    return [line for line in lines if line]


def _plain_values(column: pd.Series, kind: str, recipe: Recipe) -> pd.Series:
    """Write a feature: numbers plainly, text as it is or in lower case."""
    known = column[column != "?"]
    if kind in _CATEGORICAL:
        plain = known.str.lower() if recipe.lower else known
    else:
        plain = known.map(_plain_number)
    return plain.reindex(column.index)


def _labels(column: pd.Series, recipe: Recipe) -> pd.Series:
    if recipe.above is not None:
        return (column.astype(float) > recipe.above).map({True: "1", False: "0"})
    if recipe.positive:
        return column.isin(recipe.positive).map({True: "1", False: "0"})
    return column.map(_plain_label)


def _plain_number(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        raise InvalidTable(
            f"a field holds {text!r}; expected a number. The published files may have changed."
        ) from None
    return str(int(number)) if number.is_integer() else repr(number)


def _plain_label(text: str) -> str:
    """Write whole numbers as such; other labels stay."""
    try:
        return _plain_number(text)
    except InvalidTable:
        return text


def _check(frame: pd.DataFrame, recipe: Recipe) -> None:
    """Refuse a table that is not the set that the papers and our results are about."""
    counts = tuple(frame["class"].value_counts().tolist())
    missing = int(frame.isna().to_numpy().sum())
    if counts != recipe.counts or missing != recipe.missing:
        raise InvalidTable(
            f"what was fetched as {recipe.name!r} has classes of {list(counts)[:10]} rows and "
            f"{missing} missing values; expected {list(recipe.counts)[:10]} and {recipe.missing}. "
            "The published files may have changed; pass a folder that holds the data."
        )
