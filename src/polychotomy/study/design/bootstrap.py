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
    two or three samples among very many classes), members of the missing classes take the places
    of samples of classes that have several. Where the data have groups, whole groups are drawn, as
    many as there are; then the counts sum to n on average only, and a bag may lack a class that
    few groups have.

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
        for replicate in range(self.replicates):
            rng = np.random.default_rng(seed_of(seed, "bootstrap", replicate))
            counts[0, replicate] = (
                draw_bag(codes, rng) if groups is None else draw_groups(codes, groups, rng)
            )
        return counts

    def rows(self, split_row: NDArray[np.int16], fold: int) -> tuple[Ints, Ints]:
        """Return the rows in the bag, repeated as drawn, and those left out."""
        return np.repeat(np.arange(len(split_row)), split_row), np.flatnonzero(split_row == 0)

    def parts(self, split: NDArray[np.int16]) -> tuple[NDArray[np.int16], int]:
        """Return 0 for samples out of the bag and −1 for the others: there is one part."""
        return np.where(split == 0, 0, -1).astype(np.int16), 1


def draw_bag(codes: Ints, rng: np.random.Generator) -> Ints:
    """Draw ``n`` of ``n`` samples with replacement, every class among them, one left out at least.

    Examples
    --------
    >>> import numpy as np
    >>> counts = draw_bag(np.array([0, 0, 0, 1, 1]), np.random.default_rng(0))
    >>> int(counts.sum()), bool(counts[3:].sum() > 0)
    (5, True)
    """
    n = len(codes)
    for _ in range(_DRAWS):
        counts = np.bincount(rng.integers(n, size=n), minlength=n)
        in_bag = counts > 0
        if not in_bag.all() and np.bincount(codes[in_bag], minlength=codes.max() + 1).all():
            return counts
    return _mend(counts, codes, rng)


def _mend(counts: Ints, codes: Ints, rng: np.random.Generator) -> Ints:
    """Let members of missing classes take places of classes with several samples in the bag."""
    drawn = np.repeat(np.arange(len(codes)), counts)
    k = int(codes.max()) + 1
    for missing in np.flatnonzero(np.bincount(codes[drawn], minlength=k) == 0):
        of_class = np.bincount(codes[drawn], minlength=k)
        places = np.flatnonzero(of_class[codes[drawn]] > 1)
        drawn[rng.choice(places)] = rng.choice(np.flatnonzero(codes == missing))
    counts = np.bincount(drawn, minlength=len(codes))
    if (counts > 0).all():  # then every count is 1: drop one for another of its class
        several = np.flatnonzero(np.bincount(codes, minlength=k)[codes] > 1)
        if not len(several):
            raise InvalidInput(
                f"each of the {len(codes)} samples has a class of its own, so that a bootstrap "
                "sample with all classes leaves none out; expected classes of two samples or more."
            )
        out = rng.choice(several)
        other = rng.choice(np.setdiff1d(np.flatnonzero(codes == codes[out]), out))
        counts[out], counts[other] = 0, 2
    return counts


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
