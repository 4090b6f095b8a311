"""YA06 §3.2: the graph of overridden preferences, and the order it gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Bools, Ints
from polychotomy.codes.arguments import as_array
from polychotomy.exceptions import InvalidInput


def order_by_removal(edges: ArrayLike) -> Ints:
    """Order of the nodes: the lowest without an edge out first, then the same among the rest.

    YA06 Fig. 1 and 2. Edges go from a lower to a higher index, so such a node always exists.

    Parameters
    ----------
    edges : (..., m, m) bools
        ``edges[i, j]``, i < j: j overrides the preferred i. Leading axes are a batch of graphs.

    Returns
    -------
    (..., m) ints
        Row indices, best first.

    Examples
    --------
    The example of YA06 Fig. 2 (there numbered from 1: order 3, 2, 4, 1):

    >>> import numpy as np
    >>> from polychotomy.comparison import order_by_removal
    >>> edges = np.zeros((4, 4), dtype=bool)
    >>> edges[[0, 0, 0, 1], [1, 2, 3, 2]] = True
    >>> order_by_removal(edges)
    array([2, 1, 3, 0])
    """
    graph = _checked(edges)
    m = graph.shape[-1]
    left = np.ones(graph.shape[:-1], dtype=bool)
    order = np.empty(graph.shape[:-1], dtype=np.intp)
    for place in range(m):
        beaten = (graph & left[..., None, :]).any(axis=-1)
        chosen = np.argmax(left & ~beaten, axis=-1)
        order[..., place] = chosen
        np.put_along_axis(left, chosen[..., None], False, axis=-1)
    return order


def _checked(edges: ArrayLike) -> Bools:
    graph = as_array("edges", edges).astype(bool)
    if graph.ndim < 2 or graph.shape[-1] != graph.shape[-2]:
        raise InvalidInput(f"edges has shape {graph.shape}; expected (..., m, m).")
    back = np.argwhere(np.tril(graph))
    if len(back):
        i, j = back[0][-2:]
        raise InvalidInput(
            f"edges has an edge from {i} to {j}; expected edges from a preferred (lower) to a less "
            "preferred (higher) index only."
        )
    return graph
