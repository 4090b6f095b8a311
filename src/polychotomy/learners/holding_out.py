"""Rows held out of a training set, with every class in both parts where that can be."""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Ints


def hold_out(codes: Ints, n_held: int, random: np.random.RandomState) -> tuple[Ints, Ints]:
    """Split rows into those kept and those held out, evenly in every class where there are enough.

    Both the rows and the state in which the generator is left are those of scikit-learn's
    ``train_test_split``, of whose time most goes into looking at what it was given.

    Parameters
    ----------
    codes : (n,) ints
        Class codes.
    n_held : int
        Rows to hold out, fewer than ``n``.

    Returns
    -------
    kept, held : ints
        Ascending.

    Examples
    --------
    >>> kept, held = hold_out(np.array([0, 0, 0, 1, 1, 1]), 2, np.random.RandomState(0))
    >>> len(kept), sorted(held // 3)
    (4, [np.int64(0), np.int64(1)])
    """
    n, counts = len(codes), np.bincount(codes)
    if counts.min() < 2 or len(counts) > min(n_held, n - n_held):
        order = random.permutation(n)
        return np.sort(order[n_held:]), np.sort(order[:n_held])
    n_kept = _apportion(counts, n - n_held, random)
    n_rest = _apportion(counts - n_kept, n_held, random)
    members = np.split(np.argsort(codes, kind="stable"), np.cumsum(counts)[:-1])
    kept, held = [], []
    for rows, some, rest in zip(members, n_kept, n_rest, strict=True):
        shuffled = rows[random.permutation(len(rows))]
        kept.append(shuffled[:some])
        held.append(shuffled[some : some + rest])
    random.permutation(n - n_held)  # their order, which does not matter here
    random.permutation(n_held)
    return np.sort(np.concatenate(kept)), np.sort(np.concatenate(held))


def _apportion(counts: Ints, n_drawn: int, random: np.random.RandomState) -> Ints:
    """Share a number of rows out among classes by their sizes, largest remainders first."""
    exact = counts / counts.sum() * n_drawn
    whole = np.floor(exact)
    missing = int(n_drawn - whole.sum())
    remainder = exact - whole
    for value in np.unique(remainder)[::-1]:
        if missing <= 0:
            break
        tied = np.flatnonzero(remainder == value)
        chosen = random.choice(tied, size=min(len(tied), missing), replace=False)
        whole[chosen] += 1
        missing -= len(chosen)
    shares: Ints = whole.astype(np.intp)
    return shares
