"""Differences of errors, free of rounding noise and of overflow.

A t statistic has the same value in any unit, so the errors are first divided by a power of two,
which is exact. Then 0.3 − 0.1 − 0.2 = 5.6e-17 must not become a winner with t = inf, nor a constant
difference a finite t of 1e16: what rounding alone can make is set to zero.
"""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Floats, Ints

# Each of a, b and a - b is rounded once, and so are the few sums after them; 16 units in the last
# place of the largest error cover them all, and no measured error is known that well.
NOISE = 16 * np.finfo(np.float64).eps


def scaled_differences(a: Floats, b: Floats, *, ndim: int) -> tuple[Floats, Ints]:
    """Subtract b from a in units of 2**exponent, common to the last ``ndim`` axes.

    Returns the differences and the exponents, (..., 1, …, 1).

    Examples
    --------
    >>> import numpy as np
    >>> a, b = np.array([[0.1 + 0.2, 0.75]]), np.array([[0.3, 0.5]])
    >>> scaled_differences(a, b, ndim=1)
    (array([[0.  , 0.25]]), array([[0]]))
    """
    axes = tuple(range(-ndim, 0))
    largest = np.maximum(
        np.abs(a).max(axis=axes, keepdims=True), np.abs(b).max(axis=axes, keepdims=True)
    )
    # Beyond these exponents the power of two itself would overflow.
    exponent = np.clip(np.frexp(largest)[1], -1022, 1023).astype(np.intp)
    unit = np.ldexp(1.0, -exponent)
    return without_noise(a * unit - b * unit), exponent


def without_noise(values: Floats) -> Floats:
    """Put zero in place of what rounding of numbers of size 1 can make.

    Examples
    --------
    >>> import numpy as np
    >>> without_noise(np.array([1e-17, 1e-9]))
    array([0.e+00, 1.e-09])
    """
    return np.where(np.abs(values) <= NOISE, 0.0, values)


def midranks(values: Floats, *, noise: float | None = None) -> Floats:
    """Rank the values along the last axis from 1; ties share the mean of their ranks.

    Values are ties where rounding alone tells them apart: where neighbours differ by no more than
    ``noise``, by default what rounding can make of numbers of their own size.

    Examples
    --------
    >>> import numpy as np
    >>> midranks(np.array([0.5, 0.1 + 0.2, 0.3]))
    array([3. , 1.5, 1.5])
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    size = np.maximum(np.abs(ordered[..., 1:]), np.abs(ordered[..., :-1]))
    apart = np.diff(ordered, axis=-1) > (NOISE * size if noise is None else noise)
    place = np.broadcast_to(np.arange(1.0, values.shape[-1] + 1), values.shape)
    first, last = place.copy(), place.copy()
    first[..., 1:][~apart] = 0.0
    last[..., :-1][~apart] = np.inf
    first = np.maximum.accumulate(first, axis=-1)
    last = np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, (first + last) / 2.0, axis=-1)
    return ranks
