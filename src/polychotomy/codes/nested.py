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
    k = check_classes(k)
    children = _draw_tree(k, as_generator(random_state))
    members = _members(children, k)
    rows = [_row(members[left], members[right], k) for left, right in _from_root(children, k)]
    return np.array(rows, dtype=np.int8)


def _draw_tree(k: int, generator: np.random.Generator) -> dict[int, tuple[int, int]]:
    """Draw a tree by hanging each new leaf on an edge, all edges being equally likely (Rémy).

    Leaves are 0 … k−1 and inner nodes k … 2k−2. The edge above a node goes by the node's number;
    the root has one too. The root is found as the node without a parent.
    """
    parent: dict[int, int] = {}
    children: dict[int, tuple[int, int]] = {}
    nodes = [0]
    for leaf in range(1, k):
        below, inner = nodes[int(generator.integers(len(nodes)))], k + leaf - 1
        above = parent.get(below)
        if above is not None:
            left, right = children[above]
            children[above] = (inner, right) if left == below else (left, inner)
            parent[inner] = above
        children[inner] = (below, leaf)
        parent[below] = parent[leaf] = inner
        nodes += [leaf, inner]
    return children


def _from_root(children: dict[int, tuple[int, int]], k: int) -> list[tuple[int, int]]:
    """Return the branchings, level by level."""
    inner = set(children)
    (root,) = inner - {child for pair in children.values() for child in pair}
    level, ordered = [root], []
    while level:
        ordered += [children[node] for node in level]
        level = [child for node in level for child in children[node] if child >= k]
    return ordered


def _members(children: dict[int, tuple[int, int]], k: int) -> dict[int, list[int]]:
    """Return the classes below each node."""
    members = {leaf: [leaf] for leaf in range(k)}
    todo = list(children)
    while todo:
        node = todo[-1]
        missing = [child for child in children[node] if child not in members]
        if missing:
            todo += missing
        else:
            left, right = children[todo.pop()]
            members[node] = members[left] + members[right]
    return members


def _row(one: list[int], other: list[int], k: int) -> Code:
    row = np.zeros(k, dtype=np.int8)
    plus, minus = (one, other) if min(one) < min(other) else (other, one)
    row[plus], row[minus] = 1, -1
    return row
