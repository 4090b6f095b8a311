"""Result: what every conclusion of the library is.

A result is frozen, tabular and drawable: its arrays are read-only copies, ``to_frame`` gives plain
columns, ``plot`` draws on the axes it is given, ``str`` is a sentence a paper could quote.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Result(ABC):
    """Base of the frozen results.

    Subclasses are dataclasses with the same options. pandas and matplotlib are imported inside
    the methods only, so that computing never waits for them.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from polychotomy._result import Result
    >>> @dataclass(frozen=True, eq=False, kw_only=True, repr=False)
    ... class Mean(Result):
    ...     values: np.ndarray
    ...     def to_frame(self):
    ...         import pandas as pd
    ...         return pd.DataFrame({"value": self.values})
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

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value = value.copy()
                value.flags.writeable = False
                object.__setattr__(self, field.name, value)

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the numbers as a table with plain columns."""

    @abstractmethod
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the result on ``ax``, or on new axes; return the axes."""

    @abstractmethod
    def __str__(self) -> str:
        """Say the conclusion in words."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        from html import escape

        table: str = self.to_frame().to_html(index=False, escape=True, float_format="{:.4g}".format)
        return f"<p>{escape(str(self))}</p>\n{table}"


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
