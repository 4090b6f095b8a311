"""Folds drawn when they are asked for: those of thousands of runs would fill the memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from polychotomy.arrays import Ints
from polychotomy.study.dataset import Dataset
from polychotomy.study.plan import Plan, RepeatedFolds

_LARGEST = 2**22  # numbers of a split that is kept whole: 8 MB
_REMEMBERED = 16  # rows: workers go through the fits of a repetition one after another


class Splits(Protocol):
    """Split rows by run and repetition: an array, or what draws them on demand."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Runs, repetitions, samples."""

    def __getitem__(self, index: tuple[int, int], /) -> NDArray[np.int16]:
        """Return the split row of a run and repetition."""


class LazyFolds:
    """The rows of ``RepeatedFolds.split``, drawn one by one.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.arange(12) % 2
    >>> lazy = LazyFolds(RepeatedFolds(runs=1000), codes, None, seed=3)
    >>> lazy.shape
    (1000, 5, 12)
    >>> whole = RepeatedFolds(runs=2).split(codes, seed=3)
    >>> bool((lazy[1, 4] == whole[1, 4]).all())
    True
    """

    def __init__(self, plan: RepeatedFolds, codes: Ints, groups: Ints | None, seed: int) -> None:
        self.plan, self.codes, self.groups, self.seed = plan, codes, groups, seed
        self._rows: OrderedDict[tuple[int, int], NDArray[np.int16]] = OrderedDict()

    @property
    def shape(self) -> tuple[int, int, int]:
        """Runs, repetitions, samples."""
        return self.plan.runs, self.plan.repetitions, len(self.codes)

    def __getitem__(self, index: tuple[int, int]) -> NDArray[np.int16]:
        if index not in self._rows:
            self._rows[index] = self.plan.split_row(
                self.codes, groups=self.groups, seed=self.seed, run=index[0], repetition=index[1]
            )
            while len(self._rows) > _REMEMBERED:
                self._rows.popitem(last=False)
        return self._rows[index]

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_rows": OrderedDict()}


def split_data(plan: Plan, data: Dataset, seed: int) -> Splits:
    """Split a data set by a plan: at once, or on demand where that would be large."""
    codes, groups = data.target.codes, data.groups
    large = plan.runs * plan.repetitions * len(codes) > _LARGEST
    if large and isinstance(plan, RepeatedFolds) and data.time is None:
        lazy = LazyFolds(plan, codes, groups, seed)
        lazy[0, 0]  # what is wrong with it is said now
        return lazy
    return plan.split(codes, groups=groups, time=data.time, seed=seed)
