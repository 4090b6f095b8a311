"""Nested dichotomies: a binary tree over the classes, a dichotomy at each branching."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from polychotomy.core.arguments import check_classes
from polychotomy.core.arrays import Code
from polychotomy.core.seeds import RandomState, as_generator


def nested(k: SupportsIndex, *, random_state: RandomState = None) -> Code:
    """Return a random system of nested dichotomies, all (2k−3)!! trees being equally likely.

    The first row splits all classes in two, further rows split these parts until each is one
    class. A class's probability is then exactly the product of the outputs on the way to it, with
    both ``bradley-terry`` and ``least-squares``, and only k − 1 learners are needed.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    random_state : int, Generator, RandomState or None
        What the tree is drawn with.

    Returns
    -------
    (k − 1, k) int8
        A parent comes before its children; the part with the lowest class is on the + side.

    Examples
    --------
    >>> from polychotomy.codes.nested import nested
    >>> nested(4, random_state=0)
    array([[ 1,  1, -1, -1],
           [ 1, -1,  0,  0],
           [ 0,  0,  1, -1]], dtype=int8)
    """
    k, generator = check_classes(k), as_generator(random_state)
    rows = np.zeros((k - 1, k), dtype=np.int8)  # each new one's + side is where it was hung
    # Rémy: each new leaf is hung on an edge, all being equally likely. The edge above a node goes
    # by the node, the root having one too: class 0, then the leaf and the branching of each row.
    for leaf in range(1, k):
        node, is_branching = divmod(int(generator.integers(2 * leaf - 1)) + 1, 2)
        below = rows[node - 1] != 0 if is_branching and node else np.arange(k) == node
        wider = (rows != 0) & ~below
        around = ((rows != 0) | ~below).all(axis=1) & wider.any(axis=1)
        rows[around, leaf] = rows[around, below.argmax()]
        rows[leaf - 1] = below
        rows[leaf - 1, leaf] = -1
    lowest = rows[np.arange(k - 1), (rows != 0).argmax(axis=1)]
    sizes = np.count_nonzero(rows, axis=1)
    return (rows * lowest[:, np.newaxis])[np.argsort(-sizes, kind="stable")]
