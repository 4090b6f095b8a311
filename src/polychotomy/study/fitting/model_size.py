"""How large a fitted model is: a figure for the page, which must not be able to fail a fit."""

from __future__ import annotations

import pickle
import warnings
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

_CODE = (type, FunctionType, BuiltinFunctionType)


def pickled_bytes(model: Any) -> int | None:
    """Return how long the pickle of a model would be; None where it cannot be pickled.

    A pipeline counts as its steps do, one by one: steps that candidates share are fitted in another
    process, and weighed there. Code is counted by its name, so that a class of a notebook does not
    weigh more than one that can be imported; equal texts, and views of the same memory, are counted
    once. The number then depends on what is in the model and not on the process that made it;
    without such views, a plain ``pickle.dumps`` is within some bytes of it.

    Examples
    --------
    >>> import numpy as np
    >>> pickled_bytes(np.zeros(2000)) - pickled_bytes(np.zeros(1000))
    8000
    >>> print(pickled_bytes(row for row in []))
    None
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if type(model) is Pipeline:
                sizes = [pickled_bytes(one) for _, one in model.steps if not isinstance(one, str)]
                return None if None in sizes else sum(filter(None, sizes))
            scales = _Scales()
            _Weigher(scales, protocol=pickle.HIGHEST_PROTOCOL).dump(model)
        except BaseException:  # whatever the model's own methods raise, or a mistake here
            return None
    return scales.weight


class _Scales:
    """A file of which only the length is kept."""

    weight = 0

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        self.weight += size
        return size


class _Weigher(pickle.Pickler):
    """Writes code and types of numbers by name, and any text and any memory once."""

    def __init__(self, file: _Scales, *, protocol: int) -> None:
        super().__init__(file, protocol)
        self._texts: dict[str, str] = {}
        # Kept, so that no other takes a place.
        self._arrays: dict[tuple[Any, ...], NDArray[Any]] = {}

    def persistent_id(self, obj: Any) -> str | None:
        """Return what stands for an object; None for those that are pickled as usual."""
        if type(obj) is np.ndarray and obj.nbytes:
            place = obj.ctypes.data, obj.shape, obj.strides, obj.dtype.str
            if place not in self._arrays:
                self._arrays[place] = obj
                return None
            text = "view"  # the same, or a view of the same memory
        elif type(obj) is str:
            text = obj
        elif isinstance(obj, _CODE):
            text = f"{obj.__module__}.{obj.__qualname__}"
        elif isinstance(obj, np.dtype):  # numpy's own or, in what was sent, a copy of it
            text = repr(obj)
        else:
            return None
        return self._texts.setdefault(text, text)
