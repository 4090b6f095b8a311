"""The target column: class labels made codes, and the reasons why some cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Bools, Ints
from polychotomy.exceptions import InvalidTable

_MOST_NUMBERS = 50  # numbers with fractions that may still be names of classes
_SHOWN = 5  # offenders named in a message before "and N more"
_LONGEST = 60  # characters shown of a label
_FEW_CLASSES = 20  # so many may be almost as many as the rows


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """Labels of ``n`` samples as codes into ``classes``.

    Examples
    --------
    >>> target = Target.from_labels(["b", "a", "b"])
    >>> target.codes.tolist(), target.names
    ([1, 0, 1], ('a', 'b'))
    >>> target.rare(2).tolist()
    [True, False]
    """

    classes: NDArray[Any]
    codes: Ints

    @classmethod
    def from_labels(cls, labels: Sequence[Any] | NDArray[Any], *, name: str = "y") -> Target:
        """Encode labels; refuse missing, continuous and single-class ones."""
        values = _one_dimensional(labels, name)
        _refuse_missing(values, name)
        values = _without_fractions(values, name)
        try:
            classes, codes = np.unique(values, return_inverse=True)
        except TypeError:  # labels of several types have no order of their own
            raise InvalidTable(_mixed(values.tolist(), name)) from None
        if len(classes) < 2:
            only = f"the one class {quote(classes.tolist()[0])}" if len(classes) else "no rows"
            raise InvalidTable(
                f"the target {name!r} has {only}; expected at least two classes. "
                "Is this the right column?"
            )
        _refuse_identifiers(classes.tolist(), len(values), name)
        return cls(classes=classes, codes=codes.astype(np.intp))

    @property
    def names(self) -> tuple[str, ...]:
        """The class labels as text."""
        return tuple(str(label) for label in self.classes.tolist())

    @property
    def counts(self) -> Ints:
        """Members of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    def rare(self, least: int) -> Bools:
        """Which classes have fewer than ``least`` members, (k,)."""
        return np.asarray(self.counts < least)

    def refuse_rare(self, least: int, *, name: str, remedy: str) -> None:
        """Raise where a class has fewer members than the folds need."""
        rare = np.flatnonzero(self.rare(least))
        if len(rare):
            offenders = [f"{quote(self.names[c])} has {self.counts[c]}" for c in rare]
            raise InvalidTable(
                f"too few members in {len(rare)} of the {len(self.names)} classes of {name!r}: "
                f"{name_some(offenders)}; the folds need at least {least} each. {remedy}"
            )


def name_some(items: Sequence[str]) -> str:
    """Join the first few items, and count the rest.

    Examples
    --------
    >>> name_some(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def quote(label: Any) -> str:
    """Show a label in a message, cut where it is long.

    Examples
    --------
    >>> quote("setosa"), quote(3), len(quote("x" * 10_000))
    ("'setosa'", '3', 76)
    """
    text = repr(label)
    if len(text) <= _LONGEST + 2:
        return text
    return f"{text[: _LONGEST + 1]}…' ({len(str(label))} long)"


def _mixed(labels: list[Any], name: str) -> str:
    examples: dict[str, Any] = {}
    for label in labels:
        examples.setdefault(type(label).__name__, label)
    kinds = ", ".join(f"{kind} ({quote(examples[kind])})" for kind in sorted(examples))
    return (
        f"the target {name!r} mixes labels of the types {kinds}; expected one type. Turn them all "
        "into text first."
    )


def _refuse_identifiers(classes: list[Any], n: int, name: str) -> None:
    """Refuse a target with hardly two rows a class: a name of the row, not of a class."""
    k = len(classes)
    if k > _FEW_CLASSES and 2 * k > n:
        raise InvalidTable(
            f"the target {name!r} has {k} different labels in {n} rows, {quote(classes[0])} and "
            f"{quote(classes[1])} among them, like an identifier; pairs of classes alone would "
            f"mean {k * (k - 1) // 2} fits in every fold. Expected a few classes with several rows "
            "each: choose another column."
        )


def _one_dimensional(labels: Sequence[Any] | NDArray[Any], name: str) -> NDArray[Any]:
    values = np.asarray(labels)
    if values.dtype.kind in "US" and not isinstance(labels, np.ndarray):
        # NumPy turns a list like [1, "a"] into text without a word.
        values = np.asarray(labels, dtype=object)
    if values.ndim != 1:
        raise InvalidTable(
            f"the target {name!r} has shape {values.shape}; expected one label a row, shape (n,)."
        )
    return _plain(values)


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Give object arrays of one plain type that type."""
    if values.dtype == object:
        kinds = {type(value) for value in values.tolist()}
        if kinds <= {str} or kinds <= {bool} or kinds <= {int}:
            return np.array(values.tolist())
    return values


def _refuse_missing(values: NDArray[Any], name: str) -> None:
    import pandas as pd

    missing = np.flatnonzero(pd.isna(values))
    if len(missing):
        rows = name_some([str(row + 1) for row in missing])
        raise InvalidTable(
            f"the target {name!r} is missing in {len(missing)} of {len(values)} rows "
            f"(data row {rows}); expected a label in every row. Fill them in or delete these rows."
        )


def _without_fractions(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Refuse a target that looks continuous; make the few classes of another one texts.

    scikit-learn's classifiers take no labels with fractions.
    """
    if values.dtype.kind != "f" or not (values != np.floor(values)).any():
        return values
    distinct = len(np.unique(values))
    if distinct > min(len(values) / 10, _MOST_NUMBERS):
        example = float(values[values != np.floor(values)][0])
        raise InvalidTable(
            f"the target {name!r} looks continuous: {distinct} distinct values in {len(values)} "
            f"rows, {example!r} among them; expected class labels. Choose another column, or cut "
            "it into classes first (pandas.cut, pandas.qcut)."
        )
    return np.array([str(value) for value in values.tolist()])
