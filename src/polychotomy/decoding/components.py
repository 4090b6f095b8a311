"""Who beats whom for certain: strongly connected components of pairwise tables.

HT98's coupling has a minimiser inside the simplex just where every class can be reached from every
other along pairs i → j with r_ij > 0. Otherwise all probability goes to the component that beats
the others for certain, and inside a component the pairs within it decide. Samples are last.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from array_api_compat import device

from polychotomy.arrays import Bools, Floats
from polychotomy.decoding.pairs import blocks
from polychotomy.decoding.tape import add_up


@dataclass(frozen=True, eq=False)
class Components:
    """How the classes of each sample fall into components.

    Parameters
    ----------
    together : (k, k, n) bools
        Whether two classes are in one component.
    above : (k, n) floats
        How many classes beat this one for certain, through others perhaps, and not the reverse.
    """

    together: Bools
    above: Floats


def find_components(
    xp: ModuleType, r: Floats, weights: Floats, k: int, *, certain: float
) -> Components:
    """Return the components of tables given by pairs, r (k(k−1)/2, n) and weights (k(k−1)/2,).

    r below ``certain`` counts as 0, above 1 − certain as 1.

    Examples
    --------
    >>> import numpy as np
    >>> found = find_components(np, np.array([[0.5], [1.0], [1.0]]), np.ones(3), 3, certain=1e-12)
    >>> found.above.ravel()
    array([0., 0., 2.])
    """
    reach = xp.zeros((k, k, r.shape[1]), dtype=xp.bool, device=device(r))
    for i, pairs in blocks(k):
        compared = xp.asarray(weights[pairs] > 0, device=device(r))[:, None]
        reach[i, i, :] = True
        reach[i, i + 1 :, :] = compared & (r[pairs, :] >= certain)
        reach[i + 1 :, i, :] = compared & (r[pairs, :] <= 1.0 - certain)
    reach[k - 1, k - 1, :] = True
    for m in range(k):  # Warshall: along paths through the classes up to m
        reach = reach | (reach[:, m : m + 1, :] & reach[m : m + 1, :, :])
    backwards = xp.permute_dims(reach, (1, 0, 2))
    above = xp.sum(xp.astype(backwards & ~reach, r.dtype), axis=1)
    return Components(reach & backwards, above)


def present_pairs(xp: ModuleType, components: Components, kind: Floats, k: int) -> Floats:
    """Return 1 for the pairs within a component and 0 for those between two, (k(k−1)/2, n).

    Examples
    --------
    >>> import numpy as np
    >>> r = np.array([[0.5], [1.0], [1.0]])
    >>> found = find_components(np, r, np.ones(3), 3, certain=1e-12)
    >>> present_pairs(np, found, r, 3).ravel()
    array([1., 0., 0.])
    """
    rows = [components.together[i, i + 1 :, :] for i in range(k - 1)]
    present: Floats = xp.astype(xp.concat(rows, axis=0), kind.dtype)
    return present


def spread(xp: ModuleType, components: Components, theta: Floats, *, certain: float) -> Floats:
    """Return p from θ = log p known within components: each certain defeat costs a factor.

    The classes of a component share what it has; a component has ``certain`` to the power of the
    number of classes above it. So all but the top ones have next to nothing, but stay in order.

    Examples
    --------
    >>> import numpy as np
    >>> found = find_components(np, np.array([[0.5], [1.0], [1.0]]), np.ones(3), 3, certain=1e-12)
    >>> spread(np, found, np.zeros((3, 1)), certain=1e-12).ravel()
    array([5.e-01, 5.e-01, 1.e-24])
    """
    shares = []
    for i in range(theta.shape[0]):
        others = xp.where(components.together[i, :, :], theta - theta[i, :], -xp.inf)
        top = xp.max(others, axis=0)
        shares.append(xp.exp(-top) / add_up(xp, xp.exp(others - top)))
    p = xp.stack(shares, axis=0) * certain**components.above
    spread_out: Floats = p / add_up(xp, p)
    return spread_out
