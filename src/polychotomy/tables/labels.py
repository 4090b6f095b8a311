"""The target column of a table: its labels in the plainest type that loses nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


MISSING = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"]
    + ["<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
)
"""What means "missing" in a column of features: pandas' own list."""


_SHOWN = 5  # notes of one kind

_LEADING_ZERO = re.compile(r"[+-]?0\d")


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
    values = column.to_numpy(dtype=object, na_value=None)
    texts = [value for value in values if value is not None]
    if not all(isinstance(text, str) for text in texts):
        return _plain_objects(column)
    for read, is_faithful in ((int, _same_text), (_bool, _same_text), (float, _same_partition)):
        parsed = [_parse(text, read) for text in texts]
        if texts and None not in parsed and is_faithful(parsed, texts):
            known = iter(parsed)
            filled = [None if value is None else next(known) for value in values]
            return np.array(filled, dtype=object if None in filled else None)
    return values if len(texts) < len(values) else np.array(texts)


def note_labels(labels: Iterable[Any], target: str) -> tuple[str, ...]:
    """Say which labels look like missing values or numbers but are taken as words.

    Examples
    --------
    >>> note_labels(["a", "NA"], "kind")
    ("1 label of 'kind' is the text 'NA': taken as a class, not as missing",)
    >>> note_labels(["a", "1", "b"], "kind")
    ("the labels of 'kind' mix words and numbers, such as 'a' and '1': all are taken as texts",)
    """
    words = Counter(label for label in labels if isinstance(label, str))
    notes = [
        f"{count} label{'s' * (count > 1)} of {target!r} {'are' if count > 1 else 'is'} the text "
        f"{label!r}: taken as a class, not as missing"
        for label, count in sorted(words.items())
        if label in MISSING
    ]
    numbers = [
        label for label in words if label not in MISSING and _parse(label, float) is not None
    ]
    others = [label for label in words if label not in numbers and label not in MISSING]
    if numbers and others:
        notes.append(
            f"the labels of {target!r} mix words and numbers, such as {others[0][:60]!r} and "
            f"{numbers[0][:60]!r}: all are taken as texts"
        )
    return (*notes, *_note_alike(list(words), target))


def _note_alike(words: list[str], target: str) -> list[str]:
    """Name labels that a person would hardly tell apart: by case or blanks, or as numbers."""
    notes = []
    for key, differ in (
        (lambda word: " ".join(word.split()).casefold(), "differ in case or blanks only"),
        (lambda word: _parse(word, float), "are one number written differently"),
    ):
        alike: dict[Any, list[str]] = {}
        for word in sorted(words):
            alike.setdefault(key(word), []).append(word)
        for found in (same for one, same in alike.items() if one is not None and len(same) > 1):
            listed = " and ".join(repr(word[:60]) for word in found[:2])
            more = f" (and {len(found) - 2} more)" if len(found) > 2 else ""
            notes.append(
                f"the labels {listed}{more} of {target!r} {differ}: taken as {len(found)} classes"
            )
    return notes[:_SHOWN]


def _plain_objects(column: pd.Series) -> NDArray[Any]:
    """Return values that are not text; pandas' own number types become NumPy's if all are there."""
    if not isinstance(column.dtype, np.dtype) and not column.isna().any():
        return np.array(column.tolist())
    return np.array(column.to_numpy())


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


def _bool(text: str) -> bool:
    return {"True": True, "False": False}[text]


def _parse(text: str, read: Any) -> Any:
    try:
        return read(text)
    except (ValueError, KeyError):
        return None
