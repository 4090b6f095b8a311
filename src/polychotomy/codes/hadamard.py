"""Hadamard matrices: Sylvester's, Paley's two constructions, and Kronecker products of these."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import Literal

import numpy as np

from polychotomy.arrays import Code
from polychotomy.codes.galois import prime_power, quadratic_characters

Construction = Literal["sylvester", "paley-1", "paley-2"]


def hadamard(order: int) -> Code:
    """Return an (order, order) matrix of ±1 with orthogonal columns.

    Examples
    --------
    >>> h = hadamard(12).astype(int)
    >>> bool((h.T @ h == 12 * np.eye(12)).all())
    True
    """
    factors = construction(order)
    if factors is None:
        raise ValueError(f"no construction known here reaches order {order}")
    matrix = np.ones((1, 1), dtype=np.int8)
    for name, size in factors:
        matrix = np.kron(matrix, _build(name, size))
    return matrix


@cache
def construction(order: int) -> tuple[tuple[Construction, int], ...] | None:
    """Return the Kronecker factors that reach ``order``, the fewest-stepped first; else None.

    Examples
    --------
    >>> construction(24), construction(92)
    ((('paley-1', 24),), None)
    >>> construction(40)
    (('sylvester', 2), ('paley-1', 20))
    """
    single = _single(order)
    if single is not None:
        return ((single, order),)
    for small in range(2, int(order**0.5) + 1):
        if order % small == 0:
            left, right = construction(small), construction(order // small)
            if left is not None and right is not None:
                return left + right
    return None


def reachable_order(least: int) -> int:
    """Return the smallest order of at least ``least`` that the constructions reach.

    Examples
    --------
    >>> [reachable_order(k) for k in (2, 3, 5, 9, 89)]
    [2, 4, 8, 12, 96]
    """
    return next(order for order in count(least) if construction(order) is not None)


def _single(order: int) -> Construction | None:
    if order >= 1 and order & (order - 1) == 0:
        return "sylvester"
    if order % 4:
        return None
    if prime_power(order - 1):
        return "paley-1"
    if order // 2 % 4 == 2 and prime_power(order // 2 - 1):
        return "paley-2"
    return None


def _build(name: Construction, order: int) -> Code:
    if name == "sylvester":
        return _sylvester(order)
    return _paley_1(order - 1) if name == "paley-1" else _paley_2(order // 2 - 1)


def _sylvester(order: int) -> Code:
    two = np.array([[1, 1], [1, -1]], dtype=np.int8)
    matrix = np.ones((1, 1), dtype=np.int8)
    while len(matrix) < order:
        matrix = np.kron(two, matrix)
    return matrix


def _paley_1(q: int) -> Code:
    """Q ≡ 3 mod 4: the bordered matrix of characters is skew, and adding I makes it orthogonal."""
    matrix = np.ones((q + 1, q + 1), dtype=np.int8)
    matrix[1:, 1:] = quadratic_characters(q) + np.eye(q, dtype=np.int8)
    matrix[1:, 0] = -1
    return matrix


def _paley_2(q: int) -> Code:
    """Q ≡ 1 mod 4: the bordered matrix is symmetric; its entries become 2 × 2 blocks."""
    conference = np.ones((q + 1, q + 1), dtype=np.int8)
    conference[1:, 1:] = quadratic_characters(q)
    conference[0, 0] = 0
    off_diagonal = np.array([[1, 1], [1, -1]], dtype=np.int8)
    diagonal = np.array([[1, -1], [-1, -1]], dtype=np.int8)
    identity = np.eye(q + 1, dtype=np.int8)
    return np.kron(conference, off_diagonal) + np.kron(identity, diagonal)
