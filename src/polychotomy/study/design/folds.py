"""Samples dealt into folds, blocks and bags: functions of class codes, groups and ranks in time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Ints, count_classes
from polychotomy.core.exceptions import InvalidInput

_DRAWS = 100  # tries for a bag that has every class and leaves something out


def assign_folds(
    codes: Ints, n_folds: int, *, groups: Ints | None = None, stratified: bool, seed: int
) -> Ints:
    """Deal ``n`` samples into folds at random, evenly in total and, if asked, in every class.

    Parameters
    ----------
    codes : (n,) ints
        Class codes.
    groups : (n,) ints, optional
        Codes of groups that stay together; then the folds are as even as the groups allow.

    Returns
    -------
    (n,) ints
        The fold of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> folds = assign_folds(np.array([0, 0, 0, 0, 1, 1]), 2, stratified=True, seed=7)
    >>> np.bincount(folds[:4]).tolist(), np.bincount(folds[4:]).tolist()
    ([2, 2], [1, 1])
    """
    rng = np.random.default_rng(seed)
    if groups is not None:
        return assign_groups(codes if stratified else np.zeros_like(codes), groups, n_folds, rng)
    order = rng.permutation(len(codes))
    if stratified:
        # Dealing on across class borders keeps both the classes and the whole within one sample.
        order = order[np.argsort(codes[order], kind="stable")]
    folds = np.empty(len(codes), dtype=np.intp)
    folds[order] = np.arange(len(codes)) % n_folds
    return folds


def assign_groups(codes: Ints, groups: Ints, n_folds: int, rng: np.random.Generator) -> Ints:
    """Deal whole groups into folds, large ones first, each where its classes are rarest yet.

    A group goes to the fold f with the smallest Σ_c g_c · count_fc / total_c, g_c being its
    samples of class c: the step that keeps the sum of squared shares smallest. Groups come in
    order of magnitude (powers of two), at random within: strictly by size, every repetition would
    deal the same hands.

    Parameters
    ----------
    codes : (n,) ints
        Class codes; all 0 for folds that need not be stratified.
    groups : (n,) ints
        Group codes.

    Returns
    -------
    (n,) ints
        The fold of each sample.

    Examples
    --------
    >>> import numpy as np
    >>> groups = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    >>> folds = assign_groups(np.repeat([0, 1], 4), groups, 2, np.random.default_rng(0))
    >>> bool((folds[::2] == folds[1::2]).all()), bool(folds[0] != folds[2])
    (True, True)
    """
    counts = count_classes(codes, groups)
    if len(counts) < n_folds:
        raise InvalidInput(
            f"there {'is 1 group' if len(counts) == 1 else f'are {len(counts)} groups'}; expected "
            f"at least {n_folds}, one for each fold. Take a column with more values for groups."
        )
    magnitude = np.floor(np.log2(np.maximum(counts.sum(axis=1), 1)))
    order = np.lexsort((rng.random(len(counts)), -magnitude))
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    filled = np.zeros((n_folds, counts.shape[1]))
    folds = np.empty(len(counts), dtype=np.intp)
    ties = rng.random((len(counts), n_folds))
    for group in order:
        cost = filled @ shares[group]
        lightest = np.flatnonzero(cost <= cost.min() * (1 + 1e-12))
        fold = lightest[np.argmin(ties[group, lightest])]
        folds[group] = fold
        filled[fold] += counts[group]
    return _fill_empty(folds, n_folds)[groups]


def _fill_empty(folds: Ints, n_folds: int) -> Ints:
    """Give an empty fold a group of the fold with most groups; more groups than folds are given.

    A fold can stay empty while groups of a class that it lacks find another fold as good.
    """
    sizes = np.bincount(folds, minlength=n_folds)
    for empty in np.flatnonzero(sizes == 0):
        donor = int(np.argmax(sizes))
        folds[np.flatnonzero(folds == donor)[0]] = empty
        sizes[donor], sizes[empty] = sizes[donor] - 1, 1
    return folds


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
