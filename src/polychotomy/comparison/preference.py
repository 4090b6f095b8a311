"""YA06 §3.1: an order of preference from what the learners cost."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Floats, Ints
from polychotomy.comparison._differences import midranks
from polychotomy.comparison._inputs import as_floats, require_finite
from polychotomy.exceptions import InvalidInput


def order_by_cost(
    costs: ArrayLike | Mapping[str, ArrayLike], *, weights: Mapping[str, float] | None = None
) -> Ints:
    """Rows of the learners, the cheapest first: an order of preference.

    One cost orders by itself. Several (fit time, predict time, memory, parameters) have no common
    unit, so each ranks the learners, ties shared, and the weighted mean rank orders them. Rows of
    equal rank keep their order. Fix the order before looking at the errors; measured times vary,
    so learners of nearly equal cost may change places from one run to the next.

    Parameters
    ----------
    costs : (m,) array-like, or mapping from the name of a cost to such
        Smaller is preferred.
    weights : mapping from the name of a cost to its weight, optional
        By default all 1.

    Returns
    -------
    (m,) ints
        Row indices, most preferred first; see `ErrorTable.reordered`.

    Examples
    --------
    >>> from polychotomy.comparison import order_by_cost
    >>> order_by_cost([3.0, 0.1, 2.0])
    array([1, 2, 0])
    >>> order_by_cost({"fit_seconds": [3.0, 0.1, 2.0], "predict_seconds": [0.1, 0.2, 0.3]})
    array([1, 0, 2])
    """
    if not isinstance(costs, Mapping):
        return np.argsort(_checked(costs, "costs"), kind="stable")
    if not costs:
        raise InvalidInput("costs is empty; expected one cost or more.")
    shares = dict.fromkeys(costs, 1.0) if weights is None else dict(weights)
    if set(shares) != set(costs) or not all(0 < share < np.inf for share in shares.values()):
        raise InvalidInput(
            f"weights is {shares}; expected a positive weight for each of {list(costs)}."
        )
    table = {name: _checked(values, f"costs[{name!r}]") for name, values in costs.items()}
    if len({len(values) for values in table.values()}) > 1:
        raise InvalidInput(
            f"the costs have {[len(values) for values in table.values()]} entries; expected one a "
            "learner in each."
        )
    ranks = sum(shares[name] * midranks(values, noise=0.0) for name, values in table.items())
    return np.argsort(np.round(ranks, 12), kind="stable")


def _checked(costs: ArrayLike, name: str) -> Floats:
    array = as_floats(costs, name)
    if array.ndim != 1 or not array.size:
        raise InvalidInput(f"{name} has shape {array.shape}; expected (learners,).")
    require_finite(array, name)
    return array
