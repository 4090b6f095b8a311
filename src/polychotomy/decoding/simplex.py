"""M24 eqs. (7)–(12): the point of the simplex nearest to a given one."""

from __future__ import annotations

from types import ModuleType

from array_api_compat import device, is_numpy_namespace
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats, Probabilities
from polychotomy.decoding.arguments import as_floats, first
from polychotomy.decoding.chunks import in_chunks
from polychotomy.exceptions import InvalidInput

_NUMBERS = (
    32  # a coordinate: arrays of a chunk stay below the 128 KiB that are mapped anew each time
)


def project_to_simplex(points: ArrayLike, *, n_jobs: int | None = None) -> Probabilities:
    """Return the nearest points with coordinates ≥ 0 that add up to 1, in Euclidean distance.

    Exact, by sorting: the projection is max(x − t, 0) for the one t that makes it add up to 1.
    M24's loop with its sign repaired (Michelot's algorithm) ends at the same point.

    Parameters
    ----------
    points : array_like, (..., k)
        Any finite numbers.
    n_jobs : int, optional
        Threads over chunks of points, where these are NumPy's; −1 for all processors. Results do
        not depend on it.

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
    xp, x = as_floats("points", points)
    if x.ndim < 1 or x.shape[-1] < 1:
        raise InvalidInput(
            f"points has shape {tuple(x.shape)}; expected (..., k) with at least one coordinate."
        )
    if not bool(xp.all(xp.isfinite(x))):
        where = first(xp, ~xp.isfinite(x))
        raise InvalidInput(
            f"points[{', '.join(map(str, where))}] is {float(x[where]):g}; "
            "expected a finite number."
        )
    k = x.shape[-1]
    rows = xp.reshape(x, (-1, k))

    def work(chunk: Floats, _: int) -> Floats:
        return project_rows(xp, chunk)

    chunks = in_chunks(xp, lambda: work, rows, numbers_each=_NUMBERS * k, n_jobs=n_jobs)
    projected: Probabilities = xp.reshape(chunks, x.shape)
    return projected


def project_rows(xp: ModuleType, points: Floats) -> Floats:
    """Project the rows of an (n, k) array.

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
    n, k = points.shape
    x: Floats = xp.empty((k, n), dtype=points.dtype, device=device(points))
    descending = xp.empty_like(x)  # samples last: sums and maxima over short rows are slow
    x[...], descending[...] = points.T, xp.sort(points, axis=1, descending=True).T
    largest = descending[0, :] + 0.0
    x -= largest  # no cancellation for large coordinates
    descending -= largest
    counts = xp.arange(1, k + 1, dtype=x.dtype, device=device(x))[:, None]
    thresholds = (_running_sums(xp, descending) - 1.0) / counts
    positive = xp.clip(x - xp.max(thresholds, axis=0), 0.0, None)
    projected: Floats = positive / xp.sum(positive, axis=0)
    return projected.T


def _running_sums(xp: ModuleType, rows: Floats) -> Floats:
    """Sum the rows of (k, n) up to each; NumPy's own sums are slow across rows."""
    if not is_numpy_namespace(xp):
        sums: Floats = xp.cumulative_sum(rows, axis=0)
        return sums
    for i in range(1, rows.shape[0]):
        rows[i] += rows[i - 1]
    return rows
