"""Iterations over many samples that end for each at its own time."""

from __future__ import annotations

from types import ModuleType

from array_api_compat import device

from polychotomy.arrays import Bools, Floats, Ints


class Arrivals:
    """Results of the samples that are done, and who is still under way.

    Parameters
    ----------
    xp : module
        The array namespace.
    kind : (k, n) array
        Of the shape, type and device of the results.

    Examples
    --------
    >>> import numpy as np
    >>> arrivals = Arrivals(np, np.zeros((1, 3)))
    >>> arrivals.add(np.array([[5.0, 6.0, 7.0]]), np.array([False, True, False]))
    array([0, 2])
    >>> arrivals.add(np.array([[8.0, 9.0]]), np.array([True, True]))
    array([], dtype=int64)
    >>> arrivals.together()
    array([[8., 6., 9.]])
    """

    def __init__(self, xp: ModuleType, kind: Floats) -> None:
        self._xp = xp
        self._waiting: Ints = xp.arange(kind.shape[1], device=device(kind))
        self._order: list[Ints] = []
        self._results: list[Floats] = []

    def add(self, results: Floats, arrived: Bools) -> Ints:
        """Keep the results of those that have arrived; return the positions of the others."""
        xp = self._xp
        if not self._results and bool(xp.all(arrived)):
            self._results.append(results)
            nobody: Ints = self._waiting[:0]
            return nobody
        there, going = xp.nonzero(arrived)[0], xp.nonzero(~arrived)[0]
        self._order.append(xp.take(self._waiting, there))
        self._results.append(xp.take(results, there, axis=1))
        self._waiting = xp.take(self._waiting, going)
        positions: Ints = going
        return positions

    def together(self) -> Floats:
        """Return all results, (k, n), in the order of the samples."""
        xp = self._xp
        if len(self._results) == 1:
            return self._results[0]
        back = xp.argsort(xp.concat(self._order))
        everything: Floats = xp.take(xp.concat(self._results, axis=1), back, axis=1)
        return everything


def merge(xp: ModuleType, chosen: Bools, first: Floats, second: Floats) -> Floats:
    """Return (k, n) results, taken in turn from ``first`` where ``chosen`` and else ``second``.

    Examples
    --------
    >>> import numpy as np
    >>> merge(np, np.array([False, True, False]), np.array([[5.0]]), np.array([[6.0, 7.0]]))
    array([[6., 5., 7.]])
    """
    order = xp.concat([xp.nonzero(chosen)[0], xp.nonzero(~chosen)[0]])
    merged: Floats = xp.take(xp.concat([first, second], axis=1), xp.argsort(order), axis=1)
    return merged
