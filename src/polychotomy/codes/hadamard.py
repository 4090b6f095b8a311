"""Hadamard matrices: Sylvester's, Paley's over finite fields, and Kronecker products of these."""

from __future__ import annotations

from functools import cache, reduce
from itertools import count, product
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Code


def prime_power(q: int) -> tuple[int, int] | None:
    """Return (p, e) with p prime and p**e == q, or None.

    Examples
    --------
    >>> prime_power(27), prime_power(12)
    ((3, 3), None)
    """
    if q < 2:
        return None
    p = next((d for d in range(2, isqrt(q) + 1) if q % d == 0), q)
    exponent = 0
    while q % p == 0:
        q //= p
        exponent += 1
    return (p, exponent) if q == 1 else None


def quadratic_characters(q: int) -> NDArray[np.int8]:
    """Return the (q, q) matrix of χ(a − b): +1 for a nonzero square of GF(q), −1 for a non-square.

    Element number a of GF(p^e) is the polynomial whose coefficients are the digits of a in base p.
    ``q`` is a power of an odd prime.

    Examples
    --------
    >>> quadratic_characters(3)
    array([[ 0, -1,  1],
           [ 1,  0, -1],
           [-1,  1,  0]], dtype=int8)
    """
    factors = prime_power(q)
    assert factors is not None
    p, e = factors
    character = _character(p, e)
    subtract = (np.arange(p)[:, np.newaxis] - np.arange(p)) % p
    difference = np.zeros((1, 1), dtype=np.int32)
    for _ in range(e):  # a digit more: the last digits' difference is added to p times the others'
        higher = p * difference[:, np.newaxis, :, np.newaxis]
        size = p * len(difference)
        difference = (higher + subtract[:, np.newaxis, :].astype(np.int32)).reshape(size, size)
    return character[difference]


def _character(p: int, e: int) -> NDArray[np.int8]:
    """χ of every element: powers of a generator are squares and non-squares in turn."""
    # Powers of x, modulo the first primitive polynomial found.
    tried = (_powers_of_x(tail, p) for tail in product(range(p), repeat=e))
    powers = np.array(next(filter(None, tried)))
    character = np.zeros(p**e, dtype=np.int8)
    character[powers[::2]] = 1
    character[powers[1::2]] = -1
    return character


def _powers_of_x(tail: tuple[int, ...], p: int) -> list[int] | None:
    """Powers of x modulo x^e − tail, constant term first; None where x is no generator."""
    e = len(tail)
    one = (1,) + (0,) * (e - 1)
    powers, element = [], one
    while tail[0]:  # else x divides zero, and no power of it is 1
        powers.append(sum(c * p**i for i, c in enumerate(element)))
        top = element[-1]
        shifted = (0, *element[:-1])
        element = tuple((c + top * t) % p for c, t in zip(shifted, tail, strict=True))
        if element == one:
            return powers if len(powers) == p**e - 1 else None
    return None


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
    return reduce(np.kron, [_build(name, size) for name, size in factors])


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
    return "paley-2" if order // 2 % 4 == 2 and prime_power(order // 2 - 1) else None


def _build(name: Construction, order: int) -> Code:
    if name == "sylvester":
        from scipy.linalg import hadamard as sylvester

        return np.asarray(sylvester(order, dtype=np.int8))
    return _paley_1(order - 1) if name == "paley-1" else _paley_2(order // 2 - 1)


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
