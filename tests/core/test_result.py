"""Result: frozen means frozen, and nothing of the data runs in a notebook."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest

from polychotomy.comparison import roc_convex_hull
from polychotomy.core.result import Result, new_axes


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


def test_a_read_only_view_of_memory_that_others_can_write_is_copied():
    values = np.arange(3.0)
    view = values[:2]
    view.flags.writeable = False
    result = Named(names=("a", "b"), values=view[::-1])
    values[:] = 9
    assert result.values.tolist() == [1.0, 0.0]


def test_an_array_that_nobody_can_write_is_not_copied():
    values = np.arange(3.0)
    values.flags.writeable = False
    result = Named(names=("a",), values=values)
    assert result.values is values
    assert Named(names=("b",), values=result.values).values is values


def test_arrays_in_tuples_are_frozen_too():
    inner = np.arange(2.0)
    values = Named(names=("a", "b"), values=(inner, ("x", (np.ones(1),)))).values
    inner[0] = 9
    assert values[0][0] == 0
    assert not values[0].flags.writeable
    assert not values[1][1][0].flags.writeable
    names = ("a", "b")
    assert Named(names=names, values=inner).names is names


def _through_pickle(result):
    return pickle.loads(pickle.dumps(result))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, _through_pickle])
def test_copies_are_as_frozen_as_the_first(again):
    first = Named(names=("a", "b"), values=(np.arange(2.0), np.arange(3)))
    second = again(first)
    assert second.names == first.names
    assert [array.tolist() for array in second.values] == [[0.0, 1.0], [0, 1, 2]]
    assert not any(array.flags.writeable for array in second.values)


def test_public_results_keep_their_curves_read_only():
    scores, y = [[0.9], [0.4], [0.5], [0.1]], [1, 1, 0, 0]
    result = roc_convex_hull(scores, y)
    for one in (result, copy.deepcopy(result)):
        assert not one.curves[0].flags.writeable


def test_html_is_escaped():
    html = Named(names=("<b>x", "y"), values=np.zeros(2))._repr_html_()
    assert "<b>x" not in html
    assert html.count("&lt;b&gt;x") == 2


def test_repr_is_short():
    assert repr(Named(names=("a",), values=np.zeros(1))) == "<Named: 1 values, a first>"


def test_axes_given_are_used():
    ax = new_axes(None)
    assert Named(names=("a",), values=np.zeros(1)).plot(ax) is ax
