"""TimeFolds: an expanding window; each fit sees the past alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.design.plan import Plan, check_counts


@dataclass(frozen=True, kw_only=True)
class TimeFolds(Plan):
    """Blocks in order of time, each predicted by a fit on all blocks before it.

    The samples are cut into ``folds`` + 1 blocks of about the same size; samples of equal time
    stay together. The first block is never predicted. There is one repetition only: time has one
    order. Where the data have groups too, a sample is not predicted if its group has been seen in
    an earlier block.

    In a split row, f ≥ 0 is the fold in which a sample is predicted; −1 − b marks a sample of block
    b that is never predicted, −1 those of the first block.

    Parameters
    ----------
    folds : int
        Blocks that are predicted.
    of : int, optional
        Blocks of about the same size in all, if more than one of them comes before the first that
        is predicted: one fit on the first four fifths is ``TimeFolds(folds=1, of=5)``.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import TimeFolds
    >>> plan = TimeFolds(folds=2)
    >>> row = plan.split(np.array([0, 1, 0, 1, 0, 1]), time=np.arange(6), seed=0)[0, 0]
    >>> row.tolist()
    [-1, -1, 0, 0, 1, 1]
    >>> [rows.tolist() for rows in plan.rows(row, 1)]
    [[0, 1, 2, 3], [4, 5]]
    """

    folds: int = 5
    of: int | None = None

    def __post_init__(self) -> None:
        check_counts(self, folds=1)
        if self.of is not None:
            check_counts(self, of=self.folds + 1)

    kind = "time folds"
    runs = 1
    repetitions = 1
    least_members = 2

    @property
    def name(self) -> str:
        """For example "5 time folds"."""
        return (
            f"{self.folds} time folds"
            if self.of is None
            else f"last {self.folds}/{self.of} in time"
        )

    @property
    def n_blocks(self) -> int:
        """Blocks of about the same size that the samples are cut into."""
        return self.of or self.folds + 1

    @property
    def training_share(self) -> float:
        """How many of the samples a fit sees, on average."""
        return (2 * self.n_blocks - self.folds - 1) / (2 * self.n_blocks)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values; those of older files have no ``of``."""
        return {name: value for name, value in super().to_dict().items() if value is not None}

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return the block of every sample, (1, 1, n); nothing is drawn, so no seed counts."""
        if time is None:
            raise InvalidInput(
                f"the plan {self.name!r} needs the time of every sample; expected time=…, shape "
                "(n,), or RepeatedFolds for data without order."
            )
        early = self.n_blocks - self.folds - 1
        blocks = np.maximum(cut_blocks(time, self.n_blocks) - early, 0)
        row = np.where(blocks == 0, -1, blocks - 1)
        if groups is not None:
            first = np.full(int(groups.max()) + 1, self.folds + 1)
            np.minimum.at(first, groups, blocks)
            row = np.where((row >= 0) & (first[groups] < blocks), -1 - blocks, row)
        row = row.astype(np.int16)
        self._check(codes, row)
        return row[np.newaxis, np.newaxis]

    def _check(self, codes: Ints, row: NDArray[np.int16]) -> None:
        """Refuse folds that have nothing to learn from or nothing to predict."""
        for fold in range(self.folds):
            train, test = self.rows(row, fold)
            if not len(test):
                raise InvalidInput(
                    f"time fold {fold} has no sample of a group that is new; expected some. Use "
                    "fewer folds, or leave groups or time out."
                )
            if len(np.unique(codes[train])) < 2:
                raise InvalidInput(
                    f"all {len(train)} samples before time fold {fold} are of one class; expected "
                    "at least two classes to learn from. Use fewer folds."
                )

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows of all blocks before this one, and those to predict in it."""
        block = np.where(split_row >= 0, split_row + 1, -1 - split_row)
        return np.flatnonzero(block <= fold), np.flatnonzero(split_row == fold)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return the fold in which each sample is predicted, and the number of folds."""
        return np.maximum(split, -1), self.folds


def cut_blocks(time: Ints, n_blocks: int) -> Ints:
    """Cut samples into blocks of about equal size in order of time; equal times stay together.

    Parameters
    ----------
    time : (n,) ints
        Ranks 0, 1, 2, … of the distinct times.

    Examples
    --------
    >>> import numpy as np
    >>> cut_blocks(np.array([0, 0, 0, 1, 2, 2]), 2).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    reached = np.cumsum(np.bincount(time))  # samples up to and with each distinct time
    n_times = len(reached)
    if n_times < n_blocks:
        raise InvalidInput(
            f"there are {n_times} distinct times; expected at least {n_blocks}, one for each block."
        )
    wanted = np.arange(1, n_blocks) * reached[-1] / n_blocks
    above = np.searchsorted(reached, wanted)  # the cut after the time that reaches what is wanted
    below = np.maximum(above - 1, 0)
    nearer = wanted - reached[below] < reached[above] - wanted
    cuts = np.where(nearer, below, above) + 1  # the first time of the next block
    steps = np.arange(n_blocks - 1)
    cuts = np.maximum.accumulate(cuts - steps) + steps  # each block has a time of its own …
    cuts = np.clip(cuts, steps + 1, n_times - (n_blocks - 1) + steps)  # … also the last ones
    return np.searchsorted(cuts, time, side="right").astype(np.intp)
