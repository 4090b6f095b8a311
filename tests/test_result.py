"""Result: frozen means frozen, and nothing of the data runs in a notebook."""

from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pandas as pd
import pytest

from polychotomy._result import Result, new_axes


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Named(Result):
    names: tuple[str, ...]
    values: np.ndarray

    def to_frame(self):
        return pd.DataFrame({"name": self.names, "value": self.values})

    def plot(self, ax=None):
        ax = new_axes(ax)
        ax.plot(self.values)
        return ax

    def __str__(self):
        return f"{len(self.names)} values, {self.names[0]} first"


def test_arrays_are_copies_that_cannot_be_changed():
    values = np.arange(2.0)
    result = Named(names=("a", "b"), values=values)
    values[0] = 9
    assert result.values[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        result.values[0] = 1
    with pytest.raises(FrozenInstanceError):
        result.names = ()


def test_html_is_escaped():
    html = Named(names=("<b>x", "y"), values=np.zeros(2))._repr_html_()
    assert "<b>x" not in html
    assert html.count("&lt;b&gt;x") == 2


def test_repr_is_short():
    assert repr(Named(names=("a",), values=np.zeros(1))) == "<Named: 1 values, a first>"


def test_axes_given_are_used():
    ax = new_axes(None)
    assert Named(names=("a",), values=np.zeros(1)).plot(ax) is ax
