"""Squares in a finite field, which is all that Paley's construction asks of it."""

from __future__ import annotations

from itertools import product
from math import isqrt

import numpy as np
from numpy.typing import NDArray


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
    powers = np.array(_powers_of_generator(p, e))
    character = np.zeros(p**e, dtype=np.int8)
    character[powers[::2]] = 1
    character[powers[1::2]] = -1
    return character


def _powers_of_generator(p: int, e: int) -> list[int]:
    """All nonzero elements, as powers of x, modulo the first primitive polynomial found."""
    if e == 1:
        return next(filter(None, (_powers_of_number(g, p) for g in range(2, p))))
    return next(filter(None, (_powers_of_x(tail, p) for tail in product(range(p), repeat=e))))


def _powers_of_number(g: int, p: int) -> list[int] | None:
    powers, value = [1], g
    while value > 1:
        powers.append(value)
        value = value * g % p
    return powers if len(powers) == p - 1 else None


def _powers_of_x(tail: tuple[int, ...], p: int) -> list[int] | None:
    """Powers of x modulo x^e − tail, constant term first; None where x is no generator."""
    e = len(tail)
    # The norm of x, up to sign the constant term, must generate the prime field.
    if not _powers_of_number((-1) ** (e + 1) * tail[0] % p, p):
        return None
    one = (1,) + (0,) * (e - 1)
    powers, element = [], one
    while True:
        powers.append(sum(c * p**i for i, c in enumerate(element)))
        top = element[-1]
        shifted = (0, *element[:-1])
        element = tuple((c + top * t) % p for c, t in zip(shifted, tail, strict=True))
        if element == one:
            return powers if len(powers) == p**e - 1 else None
