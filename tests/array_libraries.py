"""Array libraries besides NumPy, and where their arrays shall be."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from array_api_compat import device

LIBRARIES = ("array_api_strict", "torch", "torch on cuda", "cupy")


@dataclass(frozen=True)
class Library:
    """An array library, and where its arrays shall be."""

    xp: Any
    place: Any = None

    def move(self, values, dtype="float64"):
        return self.xp.asarray(values, dtype=getattr(self.xp, dtype), device=self.place)

    def back(self, array, kind):
        """The array in NumPy, after a look at whether it is where ``kind`` is."""
        assert type(array) is type(kind)
        assert device(array) == device(kind)
        return to_numpy(array)


def to_numpy(array):
    if hasattr(array, "get"):
        return array.get()
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


def open_library(name: str) -> Library:
    """The library of one of ``LIBRARIES``; skips the test where it is not there."""
    if name == "array_api_strict":
        import array_api_strict

        return Library(array_api_strict)
    if name == "cupy":
        pytest.importorskip("cupy", reason="CuPy is not installed")
        import array_api_compat.cupy

        return Library(array_api_compat.cupy)
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if "cuda" in name and not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    return Library(torch, "cuda" if "cuda" in name else "cpu")
