"""Errors written a row each, as an array with names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from polychotomy.arrays import Floats, Ints
from polychotomy.comparison._inputs import as_floats
from polychotomy.datasets.csv_text import exact_numbers
from polychotomy.exceptions import InvalidTable

if TYPE_CHECKING:
    import pandas as pd

AXES = ("learner", "data_set", "run", "repetition", "fold")


def read_errors(path: str | Path | TextIO) -> pd.DataFrame:
    r"""Read a CSV file of errors; every label is kept as the text it is, "NA" too.

    Examples
    --------
    >>> from io import StringIO
    >>> read_errors(StringIO("learner,fold,error\nNA,0,0.1\n"))["learner"].tolist()
    ['NA']
    """
    import pandas as pd

    labels = dict.fromkeys(AXES, str)
    return pd.read_csv(
        path,
        dtype=labels,
        keep_default_na=False,
        na_values={"error": [""]},
        **exact_numbers(),
    )


def pivot_errors(
    frame: pd.DataFrame, names: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Names, data sets and errors (m, data sets, runs, repetitions, folds); NaN without a row.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"learner": ["B", "A"], "fold": [0, 1], "error": [0.1, 0.2]})
    >>> pivot_errors(frame, ["A", "B"])[2].tolist()
    [[[[[nan, 0.2]]]], [[[[0.1, nan]]]]]
    """
    _require_columns(frame)
    values = [_labels(frame, axis) for axis in AXES]
    codes, found = zip(
        *(_coded(labels, sort=place > 1) for place, labels in enumerate(values)), strict=True
    )
    learners = found[0]
    rows = codes[0] if names is None else _by_preference(names, learners)[codes[0]]
    index = (rows, *codes[1:])
    _require_single(index, values)
    errors = np.full(tuple(len(labels) for labels in found), np.nan)
    errors[index] = as_floats(frame["error"].to_numpy(), "error")
    return tuple(learners if names is None else names), found[1], errors


def _require_columns(frame: pd.DataFrame) -> None:
    lacking = [name for name in ("learner", "fold", "error") if name not in frame.columns]
    if lacking:
        raise InvalidTable(
            f"the table has columns {list(map(str, frame.columns))} and lacks {lacking}; expected "
            "learner, fold and error, and optionally data_set, run, repetition."
        )
    if not len(frame):
        raise InvalidTable("the table has no rows; expected one for each error.")


def _labels(frame: pd.DataFrame, axis: str) -> list[str]:
    if axis not in frame.columns:
        return ["data" if axis == "data_set" else "0"] * len(frame)
    return [str(label) for label in frame[axis]]


def _coded(labels: list[str], *, sort: bool) -> tuple[Ints, tuple[str, ...]]:
    """Codes and distinct labels: as they first appear, or by number where all are numbers."""
    distinct = list(dict.fromkeys(labels))
    if sort and all(_is_number(label) for label in distinct):
        distinct.sort(key=float)
    place = {label: code for code, label in enumerate(distinct)}
    return np.array([place[label] for label in labels], dtype=np.intp), tuple(distinct)


def _is_number(label: str) -> bool:
    try:
        return bool(np.isfinite(float(label)))
    except ValueError:
        return False


def _by_preference(names: Sequence[str], learners: tuple[str, ...]) -> Ints:
    if sorted(names) != sorted(learners):
        raise InvalidTable(
            f"names is {tuple(names)}; expected the learners, {learners}, each once."
        )
    return np.array([list(names).index(learner) for learner in learners], dtype=np.intp)


def _require_single(index: tuple[Ints, ...], values: list[list[str]]) -> None:
    cells = np.stack(index)
    _, first, count = np.unique(cells, axis=1, return_index=True, return_counts=True)
    if (count > 1).any():
        row = int(first[np.argmax(count > 1)])
        cell = ", ".join(f"{axis} {labels[row]}" for axis, labels in zip(AXES, values, strict=True))
        raise InvalidTable(f"there are {count.max()} rows for {cell}; expected one.")
