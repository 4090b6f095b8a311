"""HoldOut: cross-validation one fold after another, and fits on less than the training rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.plan import (
    Plan,
    assign_folds,
    check_counts,
    refuse_time,
    require_samples,
)

_TEST, _TRAIN, _NEITHER = 0, -1, -2  # what a split row says of a sample


@dataclass(frozen=True, kw_only=True)
class HoldOut(Plan):
    """One of ``of`` folds is held out in each run; ``of`` runs are a whole cross-validation.

    On a table so large that a single fold has rows enough to decide, one run does, and more can
    follow where it does not. Classes are dealt evenly; groups stay whole.

    Parameters
    ----------
    of : int
        Folds that the samples are dealt into.
    runs : int
        Folds that are held out, one after another.

    Examples
    --------
    >>> import numpy as np
    >>> plan = HoldOut(of=4, runs=2)
    >>> first, second = plan.split(np.array([0, 1] * 8), seed=0)[:, 0]
    >>> [len(rows) for rows in plan.rows(first, 0)], int(((first == 0) & (second == 0)).sum())
    ([12, 4], 0)
    """

    of: int = 5
    runs: int = 1

    kind = "hold-out"
    repetitions = folds = 1

    def __post_init__(self) -> None:
        check_counts(self, of=2, runs=1)
        if self.runs > self.of:
            raise InvalidInput(f"runs={self.runs}; expected at most {self.of}, as many as folds.")

    @property
    def name(self) -> str:
        """For example "hold-out 1/5"."""
        return f"hold-out 1/{self.of}"

    @property
    def least_members(self) -> int:
        """Samples that every class must have: one for each fold."""
        return self.of

    @property
    def training_share(self) -> float:
        """How many of the samples a fit sees."""
        return 1 - 1 / self.of

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return 0 for samples to predict and −1 for those to train on, (runs, 1, n)."""
        refuse_time(time, self.name)
        require_samples(codes, self.of, self.name)
        own = seed_of(seed, "hold-out")
        fold = assign_folds(codes, self.of, groups=groups, stratified=True, seed=own)
        tested = fold == np.arange(self.runs)[:, np.newaxis]
        return np.where(tested, _TEST, _TRAIN).astype(np.int16)[:, np.newaxis]

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows to train on and those to predict."""
        return np.flatnonzero(split_row == _TRAIN), np.flatnonzero(split_row == _TEST)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return 0 for samples that are predicted and −1 for the others."""
        return np.maximum(split, _TRAIN), 1


@dataclass(frozen=True, kw_only=True)
class Rung(HoldOut):
    """The first fold of a ``HoldOut``, with so many of its rows to train on and to predict.

    They are drawn at random, the same ones first whatever the number: what a larger rung trains on
    includes what a smaller one does.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1] * 50)
    >>> small, large = (Rung(train=n, test=10).split(codes, seed=0)[0, 0] for n in (20, 40))
    >>> int((small == -1).sum()), bool((large[small == -1] == -1).all())
    (20, True)
    """

    train: int = 10_000
    test: int = 10_000

    kind = "rung"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_counts(self, train=2, test=1)

    @property
    def name(self) -> str:
        """For example "hold-out 1/5, 10000 rows"."""
        return f"{super().name}, {self.train} rows"

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return 0 for samples to predict, −1 for those to train on, −2 for others, (1, 1, n)."""
        whole = super().split(codes, groups=groups, time=time, seed=seed)
        order = np.random.default_rng(seed_of(seed, "rung")).permutation(len(codes))
        for side, most in ((_TRAIN, self.train), (_TEST, self.test)):
            own = order[whole[0, 0, order] == side]
            whole[0, 0, own[most:]] = _NEITHER
        return whole
