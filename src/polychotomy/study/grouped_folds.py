"""Folds that keep groups whole, with the classes spread as evenly as the groups allow."""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidInput


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
    return deal_groups(counts, n_folds, rng)[groups]


def count_classes(codes: Ints, groups: Ints) -> Ints:
    """Return the samples of each class in each group, (groups, k).

    Examples
    --------
    >>> import numpy as np
    >>> count_classes(np.array([0, 1, 1]), np.array([0, 0, 1])).tolist()
    [[1, 1], [0, 1]]
    """
    n_groups, k = int(groups.max()) + 1, int(codes.max()) + 1
    return np.bincount(groups * k + codes, minlength=n_groups * k).reshape(n_groups, k)


def deal_groups(counts: Ints, n_folds: int, rng: np.random.Generator) -> Ints:
    """Return the fold of each group, given its samples of each class, (groups, k).

    Examples
    --------
    >>> import numpy as np
    >>> sorted(deal_groups(np.array([[3], [1], [1], [1]]), 2, np.random.default_rng(0)).tolist())
    [0, 1, 1, 1]
    """
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
    return _fill_empty(folds, n_folds)


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
