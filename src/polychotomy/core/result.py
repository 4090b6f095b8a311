"""Result: what every conclusion of the library is.

A result is frozen, tabular and drawable: its arrays are read-only copies, ``to_frame`` gives plain
columns, ``plot`` draws on the axes it is given, ``str`` is a sentence a paper could quote.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Sequence, Sized
from dataclasses import dataclass, fields
from operator import is_
from typing import TYPE_CHECKING, Any, dataclass_transform

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes
    from pandas import DataFrame as DataFrame
else:  # every result names them in annotations, and none may load the libraries to compute
    Axes = DataFrame = Any


@dataclass_transform(frozen_default=True, eq_default=False, kw_only_default=True)
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Result(ABC):
    """Base of the frozen results.

    A subclass is a frozen dataclass, made so by inheriting: its fields are keywords, and it is
    equal to itself alone, since comparing arrays is ambiguous. pandas and matplotlib are imported
    inside the methods only, so that computing never waits for them.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.result import Result
    >>> class Mean(Result):
    ...     values: np.ndarray
    ...     def to_frame(self):
    ...         return self._frame(value=self.values)
    ...     def plot(self, ax=None):
    ...         ax = new_axes(ax)
    ...         ax.plot(self.values)
    ...         return ax
    ...     def __str__(self):
    ...         return f"The mean of {len(self.values)} values is {self.values.mean():g}."
    >>> print(Mean(values=np.array([1.0, 2.0])))
    The mean of 2 values is 1.5.
    >>> Mean(values=np.array([1.0, 2.0])).values.flags.writeable
    False
    """

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, eq=False, kw_only=True, repr=False)(cls)

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, _frozen(getattr(self, field.name)))

    def __setstate__(self, state: dict[str, Any]) -> None:
        # NumPy pickles and deep-copies a read-only array into one that can be written.
        for name, value in state.items():
            object.__setattr__(self, name, _frozen(value))

    @abstractmethod
    def to_frame(self) -> DataFrame:
        """Return the numbers as a table with plain columns."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the result on ``ax``, or on new axes; return the axes.

        Where a result has no drawing of its own, it is that of its table: the first number beside
        the first column, as a line over numbers, as bars named by anything else.
        """
        frame = self.to_frame()
        first, others = frame.iloc[:, 0], frame.iloc[:, 1:].select_dtypes("number")
        numbers, label = others.iloc[:, 0], str(others.columns[0]).replace("_", " ")
        if first.dtype.kind not in "iuf":
            return draw_bars(ax, first.astype(str), numbers, label)
        ax = new_axes(ax)
        ax.plot(first, numbers)
        ax.set(xlabel=str(first.name).replace("_", " "), ylabel=label)
        return ax

    @abstractmethod
    def __str__(self) -> str:
        """Say the conclusion in words."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _frame(self, *names: str, **columns: Any) -> DataFrame:
        """Return a table of the fields so named, then of the columns given.

        Arrays of any shape are columns; what is no sequence is repeated, or makes the only row.
        """
        import pandas as pd

        table = {name: getattr(self, name) for name in names} | columns
        table = {k: v.ravel() if isinstance(v, np.ndarray) else v for k, v in table.items()}
        several = any(isinstance(v, Sized) and not isinstance(v, str) for v in table.values())
        return pd.DataFrame(table, index=None if several else range(1))

    def _repr_html_(self) -> str:
        from html import escape

        table: str = self.to_frame().to_html(index=False, escape=True, float_format="{:.4g}".format)
        return f"<p>{escape(str(self))}</p>\n{table}"


def _frozen(value: Any) -> Any:
    """Return the value with every array in it, also in tuples, read-only for whoever holds it."""
    if isinstance(value, np.ndarray):
        if not value.flags.writeable and value.base is None:
            return value  # its own memory: a view may show what others can write
        kept = value.copy()
        kept.flags.writeable = False
        return kept
    if type(value) is tuple:
        items = tuple(_frozen(item) for item in value)
        return value if all(map(is_, items, value)) else items
    return value


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that cannot be written on by whoever gets it; no copy, for large ones.

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    view = array.view()
    view.flags.writeable = False
    return view


def new_axes(ax: Axes | None, *, width: float = 6.4, height: float = 4.0) -> Axes:
    """Return ``ax``, or new axes of the given size in inches.

    Examples
    --------
    >>> new_axes(None, width=3, height=2).figure.get_size_inches().tolist()
    [3.0, 2.0]
    """
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.figure(figsize=(width, height), layout="constrained").add_subplot()


def shortened(name: str, length: int = 32) -> str:
    """Return the name on one line, its middle left out if longer than ``length``.

    Examples
    --------
    >>> shortened("a" * 20 + "b" * 20, 9)
    'aaaa…bbbb'
    """
    line = " ".join(name.split()).replace("$", r"\$")
    half = (length - 1) // 2
    return line if len(line) <= length else f"{line[:half]}…{line[len(line) - half :]}"


def draw_bars(
    ax: Axes | None, names: Sequence[str], values: ArrayLike, label: str, *, marked: int = -1
) -> Axes:
    """Draw a horizontal bar for each name, the first on top, and one in another colour.

    Examples
    --------
    >>> draw_bars(None, ["tree", "mean"], [3, 1], "wins").get_xlabel()
    'wins'
    """
    ax = new_axes(ax, height=1.0 + 0.35 * len(names))
    rows = np.arange(len(names))
    ax.barh(rows, values, color=["C1" if row == marked else "C0" for row in rows])
    ax.set_yticks(rows, [shortened(name) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(label)
    ax.spines[["right", "top"]].set_visible(False)
    return ax


def call_above(path: str, *args: Any) -> Any:
    """Call a function of a room above this one, by its name.

    A user expects ``verdict.to_html()`` on the verdict, but no verdict knows the report. So the
    few methods that lead up do it by name and when called: not an import, which would be a cycle
    even inside a function. Nothing but such methods may use it.

    Examples
    --------
    >>> call_above("report.text.printable", "a name")
    'a name'
    """
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(f"polychotomy.{module}"), name)(*args)
