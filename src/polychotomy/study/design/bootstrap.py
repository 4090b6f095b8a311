"""T96. Bootstrap: fits on samples drawn with replacement, tried on those left out of the bag."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import seed_of
from polychotomy.study.design.plan import Plan, check_counts, refuse_time, require_samples

_DRAWS = 100  # tries for a bag that has every class and leaves something out


@dataclass(frozen=True, kw_only=True)
class Bootstrap(Plan):
    """``replicates`` bootstrap samples; each fit predicts the samples out of its bag.

    A split row counts how often each sample is in the bag; the counts sum to n. A bag that lacks
    a class, or holds every sample, is drawn again; if a hundred draws are not enough (a class of
    two or three samples or groups among very many classes), a bag may lack a class. Where the data
    have groups, whole groups are drawn, as many as there are; then the counts sum to n on average
    only.

    Parameters
    ----------
    replicates : int
        Bootstrap samples. A study may later have more of them.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.study import Bootstrap
    >>> plan = Bootstrap(replicates=3)
    >>> counts = plan.split(np.array([0, 0, 0, 1, 1, 1]), seed=0)
    >>> counts.shape, counts.sum(axis=-1).tolist()
    ((1, 3, 6), [[6, 6, 6]])
    """

    replicates: int = 50

    def __post_init__(self) -> None:
        check_counts(self, replicates=1)

    kind = name = "bootstrap"
    runs = folds = 1
    least_members = 2

    @property
    def repetitions(self) -> int:
        """The replicates."""
        return self.replicates

    def split(
        self, codes: Ints, *, groups: Ints | None = None, time: Ints | None = None, seed: int
    ) -> NDArray[np.int16]:
        """Return how often each sample is in each bag, (1, replicates, n)."""
        refuse_time(time, self.name)
        require_samples(codes, 2, self.name)
        counts = np.empty((1, self.replicates, len(codes)), dtype=np.int16)
        alone = np.arange(len(codes))  # without groups, each sample is one
        for replicate in range(self.replicates):
            rng = np.random.default_rng(seed_of(seed, "bootstrap", replicate))
            counts[0, replicate] = draw_groups(codes, alone if groups is None else groups, rng)
        return counts

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows in the bag, repeated as drawn, and those left out."""
        return np.repeat(np.arange(len(split_row)), split_row), np.flatnonzero(split_row == 0)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return 0 for samples out of the bag and −1 for the others: there is one part."""
        return np.where(split == 0, 0, -1).astype(np.int16), 1


def draw_groups(codes: Ints, groups: Ints, rng: np.random.Generator) -> Ints:
    """Draw as many whole groups as there are, with replacement.

    Bags with every class are preferred; where a hundred draws give none, the last bag that leaves
    something out is taken as it is.

    Examples
    --------
    >>> import numpy as np
    >>> groups = np.array([0, 0, 1, 1, 2, 2])
    >>> counts = draw_groups(np.array([0, 1, 0, 1, 0, 1]), groups, np.random.default_rng(0))
    >>> bool((counts[::2] == counts[1::2]).all())
    True
    """
    n_groups = int(groups.max()) + 1
    if n_groups < 2:
        raise InvalidInput("all samples are of one group; a bootstrap of groups needs two or more.")
    found = None
    while found is None:
        for _ in range(_DRAWS):
            drawn = np.bincount(rng.integers(n_groups, size=n_groups), minlength=n_groups)
            if (drawn == 0).any():
                found = drawn[groups]
                if np.bincount(codes[found > 0], minlength=codes.max() + 1).all():
                    return found
    return found
