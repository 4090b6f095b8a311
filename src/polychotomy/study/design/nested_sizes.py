"""NestedSizes: the same folds at several training sizes, one inside the other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.plan import (
    MOST_FOLDS,
    Plan,
    assign_folds,
    check_counts,
    refuse_time,
    require_samples,
)


@dataclass(frozen=True, kw_only=True)
class NestedSizes(Plan):
    """Cross-validation with training parts of several sizes, for learning curves.

    Each fold's samples are put in one random order, every class once first and then in
    proportion; a fit of size s trains on the beginnings of all other folds. So the training parts
    of the sizes are nested, and every size is tried on the same samples. Where the data have
    groups, each stays in one fold, and the order goes group by group.

    A split row holds, for every sample, its stage × ``folds`` + its fold, a stage being the first
    size that trains on it; ``len(sizes)`` if none does. The fit of size number i and fold f has
    the fold index i × ``folds`` + f.

    Parameters
    ----------
    folds : int
    sizes : sequence of floats
        Shares of a fold's training part, above 0 and up to 1. Rows are taken evenly from all
        other folds.
    repetitions : int
        Times with new folds.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import NestedSizes
    >>> plan = NestedSizes(folds=2, sizes=(0.5, 1.0))
    >>> row = plan.split(np.array([0, 1] * 4), seed=0)[0, 0]
    >>> [len(plan.rows(row, fold)[0]) for fold in range(plan.n_folds)]
    [2, 2, 4, 4]
    """

    folds: int = 5
    sizes: tuple[float, ...] = (0.2, 0.35, 0.6, 1.0)
    repetitions: int = 1

    kind = "nested sizes"
    runs = 1

    def __post_init__(self) -> None:
        check_counts(self, folds=2, repetitions=1)
        object.__setattr__(self, "sizes", _check_sizes(self.sizes))
        if self.n_folds + self.folds > MOST_FOLDS:
            raise InvalidInput(
                f"{len(self.sizes)} sizes of {self.folds} folds are {self.n_folds}; expected at "
                f"most {MOST_FOLDS - self.folds}."
            )

    @property
    def name(self) -> str:
        """For example "sizes 0.5, 1 of 5 folds"."""
        times = f"{self.repetitions}x" if self.repetitions > 1 else ""
        return f"sizes {', '.join(f'{size:g}' for size in self.sizes)} of {times}{self.folds} folds"

    @property
    def n_folds(self) -> int:
        """Fits a candidate needs in one repetition: sizes × folds."""
        return len(self.sizes) * self.folds

    @property
    def least_members(self) -> int:
        """Samples that every class must have."""
        return self.folds

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return stage and fold of every sample, (1, repetitions, n)."""
        refuse_time(time, self.name)
        require_samples(codes, self.folds, self.name)
        split = np.empty((1, self.repetitions, len(codes)), dtype=np.int16)
        for repetition in range(self.repetitions):
            seeds = [seed_of(seed, kind, repetition) for kind in ("sizes", "order")]
            fold = assign_folds(codes, self.folds, groups=groups, stratified=True, seed=seeds[0])
            place = place_in_folds(codes, fold, groups, np.random.default_rng(seeds[1]))
            taken = np.rint(np.outer(self.sizes, np.bincount(fold, minlength=self.folds)))
            stage = (place >= taken[:, fold]).sum(axis=0)
            split[0, repetition] = stage * self.folds + fold
        return split

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the beginnings of the other folds, and all rows of this one."""
        size, left_out = divmod(fold, self.folds)
        stage, own = np.divmod(split_row, self.folds)
        train = np.flatnonzero((own != left_out) & (stage <= size))
        return train, np.flatnonzero(own == left_out)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return the fold of each sample, the same at every size, and the number of folds."""
        return split % self.folds, self.folds

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values, for the study file."""
        return super().to_dict() | {"sizes": list(self.sizes)}


def _check_sizes(sizes: Any) -> tuple[float, ...]:
    if np.ndim(sizes) != 1:
        raise InvalidInput(f"sizes is {sizes!r}; expected several, (0.25, 0.5, 1.0) for example.")
    values = tuple(size.item() if isinstance(size, np.generic) else size for size in sizes)
    if not values or not all(isinstance(v, float) and 0 < v <= 1 for v in values):
        raise InvalidInput(
            f"sizes is {values!r}; expected shares of the training part above 0 and up to 1, "
            "(0.25, 0.5, 1.0) for example."
        )
    if any(after <= before for before, after in pairwise(values)):
        raise InvalidInput(f"sizes is {values!r}; expected each to be larger than the one before.")
    return values


def place_in_folds(codes: Ints, folds: Ints, groups: Ints | None, rng: np.random.Generator) -> Ints:
    """Return each sample's place, from 0, in the random order of its fold.

    Examples
    --------
    >>> import numpy as np
    >>> codes, folds = np.array([0, 0, 0, 1, 1, 1]), np.zeros(6, dtype=int)
    >>> place = place_in_folds(codes, folds, None, np.random.default_rng(0))
    >>> sorted(codes[place < 2].tolist())
    [0, 1]
    """
    tie = rng.random(len(codes))
    if groups is None:
        cell = folds * (int(codes.max()) + 1) + codes
        key = _rank_within(cell, tie) / np.bincount(cell)[cell]
    else:
        key = rng.random(int(groups.max()) + 1)[groups]
    return _rank_within(folds, tie, key)


def _rank_within(cell: Ints, *keys: NDArray[np.float64]) -> Ints:
    """Rank the samples of each cell from 0, in the order of ``keys``, the last of them first."""
    order = np.lexsort((*keys, cell))
    counts = np.bincount(cell)
    rank = np.empty(len(cell), dtype=np.intp)
    rank[order] = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rank
