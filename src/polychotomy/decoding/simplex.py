"""M24 eqs. (7)–(12): the point of the simplex nearest to a given one."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from array_api_compat import device
from numpy.typing import ArrayLike

from polychotomy.core.arrays import Floats, Probabilities
from polychotomy.core.chunks import in_chunks
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding.kernels.in_place import into
from polychotomy.decoding.prepared import namespace_and_floats

_NUMBERS_A_CLASS = 3  # floats of a sample on its way: its coordinates, these sorted, sums


def project_to_simplex(points: ArrayLike) -> Probabilities:
    """Return the nearest points with coordinates ≥ 0 that add up to 1, in Euclidean distance.

    Exact, by sorting: the projection is max(x − t, 0) for the one t that makes it add up to 1.
    M24's loop with its sign repaired (Michelot's algorithm) ends at the same point.

    Parameters
    ----------
    points : array_like, (..., k)
        Any finite numbers.

    Returns
    -------
    (..., k)
        Of the kind of array given.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decoding import project_to_simplex
    >>> project_to_simplex(np.array([[0.5, 0.3, 0.2], [1.5, 0.1, -0.3]]))
    array([[0.5, 0.3, 0.2],
           [1. , 0. , 0. ]])
    """
    xp, x = namespace_and_floats("points", points)
    if x.ndim < 1 or x.shape[-1] < 1:
        raise InvalidInput(
            f"points has shape {tuple(x.shape)}; expected (..., k) with at least one coordinate."
        )
    k = x.shape[-1]
    rows = xp.reshape(x, (-1, k))

    def work(chunk: Floats, _: int) -> Floats:
        if not bool(xp.all(xp.isfinite(chunk))):
            raise InvalidInput("points has NaN or infinite entries; expected finite numbers.")
        return project_rows(xp, chunk)

    chunks = in_chunks(xp, work, rows, numbers_each=_NUMBERS_A_CLASS * k)
    return xp.reshape(chunks, x.shape)


@np.errstate(over="ignore")  # what is that far below the largest is 0 in any case
def project_rows(xp: ModuleType, points: Floats) -> Floats:
    """Project the rows of an (n, k) array of any library.

    With u sorted downwards, t = (u_1 + … + u_r − 1)/r for the largest r with u_r > t: that t is
    the largest of (u_1 + … + u_r − 1)/r over all r, since adding a coordinate above the running
    threshold raises it and adding one below lowers it.

    Examples
    --------
    >>> import numpy as np
    >>> from array_api_compat import numpy as xp
    >>> project_rows(xp, np.array([[0.6, 0.6, 0.0]]))
    array([[0.5, 0.5, 0. ]])
    """
    # Samples last, in memory too, and a coordinate at a time: two to three times as fast.
    x = xp.empty(points.shape[::-1], dtype=points.dtype, device=device(points))
    below = xp.empty_like(x)
    x[...], below[...] = points.T, xp.sort(points, axis=1, stable=False).T
    largest = below[-1, :] + 0.0
    x -= largest
    below -= largest
    sums = -1.0 + 0.0 * largest
    threshold, mean = sums + 0.0, sums + 0.0
    for r in range(2, x.shape[0] + 1):
        sums += below[-r, :]
        into(xp, mean, xp.multiply, sums, 1.0 / r)
        into(xp, threshold, xp.maximum, threshold, mean)
    x -= threshold
    into(xp, x, xp.maximum, x, 0.0 * largest)
    x /= xp.sum(x, axis=0)
    return x.T
