"""Predictions as a file: what tells the rows apart, then class and probabilities."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from polychotomy.datasets.table_files import did_you_mean
from polychotomy.exceptions import InvalidInput
from polychotomy.model.schema import Schema
from polychotomy.study.export import neutralise
from polychotomy.whole_file import writing_whole

if TYPE_CHECKING:
    import pandas as pd

_ROW = "row"


def keep_columns(table: pd.DataFrame, names: tuple[str, ...], schema: Schema) -> pd.DataFrame:
    """Return the columns asked for, or the number of each row, counted from 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from polychotomy.model.schema import Schema
    >>> schema = Schema(columns=(), is_frame=True, target="y", labels=(0, 1), label_dtype="int8")
    >>> table = pd.DataFrame({"patient": ["a", "b"]})
    >>> keep_columns(table, ("patient",), schema)["patient"].tolist()
    ['a', 'b']
    >>> keep_columns(table, (), schema)["row"].tolist()
    [1, 2]
    """
    import pandas as pd

    there = [str(name) for name in table.columns]
    ours = ["predicted", *(f"p:{label}" for label in schema.labels)]
    for name in names:
        if name not in there:
            raise InvalidInput(
                f"--keep: the table has no column {name!r}.{did_you_mean(name, there)} Its columns "
                f"are: {', '.join(there[:40])}{', …' if len(there) > 40 else ''}."
            )
        if name in ours:
            raise InvalidInput(
                f"--keep names {name!r}, and a column of the predictions is called so; expected "
                "another. Rename it in the table."
            )
    if not names:
        return pd.DataFrame({_ROW: range(1, len(table) + 1)})
    return table.iloc[:, [there.index(name) for name in dict.fromkeys(names)]]


def offer_to_keep(table: pd.DataFrame, kept: pd.DataFrame, schema: Schema) -> list[str]:
    """Say how columns that the model does not use can be had beside the predictions."""
    known = {*schema.names, schema.target}
    spare = [str(name) for name in table.columns if str(name) not in known]
    if not spare or list(kept.columns) != [_ROW]:
        return []
    return [
        "rows are told apart by their number in the table; to copy a column instead, such as "
        f"{spare[0]!r}: --keep {shlex.quote(spare[0])}"
    ]


def write_rows(kept: pd.DataFrame, predictions: pd.DataFrame, path: Path) -> None:
    """Write columns side by side, whole or not at all; in CSV no cell is a formula."""
    import pandas as pd

    frame = pd.concat([kept.reset_index(drop=True), predictions], axis=1)
    with writing_whole(path) as temporary:
        if path.suffix == ".parquet":
            frame.to_parquet(temporary, index=False)
            return
        for name in (*kept.columns, "predicted"):
            if frame[name].dtype.kind not in "biufMm":
                cells = frame[name].astype(object)
                frame[name] = cells.map(lambda cell: neutralise(str(cell)), na_action="ignore")
        frame.rename(columns=neutralise).to_csv(temporary, index=False)
