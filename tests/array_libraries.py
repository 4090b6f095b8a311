"""Array libraries besides NumPy, and where their arrays shall be."""

import os
import sys
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from array_api_compat import device

ALL_LIBRARIES = ("array_api_strict", "torch", "torch on cuda", "cupy")


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


@cache
def missing(name: str) -> str | None:
    """Why one of ``ALL_LIBRARIES`` cannot be tested here; None where it can."""
    if find_spec(name.split()[0]) is None:
        return f"{name.split()[0]} is not installed"
    if "cuda" in name:
        # Asked before PyTorch is, which takes seconds to import.
        if sys.platform == "linux" and not any(map(os.path.exists, ("/dev/nvidiactl", "/dev/dxg"))):
            return "no CUDA device"
        import torch

        return None if torch.cuda.is_available() else "no CUDA device"
    return None


LIBRARIES = tuple(name for name in ALL_LIBRARIES if missing(name) is None)
"""Those that are here: tests are collected for these only, and one test skips for each other."""


def open_library(name: str) -> Library:
    """The library of one of ``LIBRARIES``."""
    if name == "array_api_strict":
        import array_api_strict

        return Library(array_api_strict)
    if name == "cupy":
        import array_api_compat.cupy

        return Library(array_api_compat.cupy)
    import torch

    return Library(torch, "cuda" if "cuda" in name else "cpu")
