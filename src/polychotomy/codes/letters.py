"""Codes over more than two letters, for learners that take a limited number of classes."""

from __future__ import annotations

from math import ceil, log
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import check_classes, check_count
from polychotomy.core.arrays import Code, Floats, Ints
from polychotomy.core.exceptions import InvalidCode, InvalidInput
from polychotomy.core.seeds import RandomState, as_generator

_STARTS = 4  # random groupings that each row is searched from
_PER_LETTER = 6  # rows for each digit that the classes' numbers have with so many letters


def balanced(
    k: SupportsIndex,
    letters: SupportsIndex = 10,
    *,
    length: SupportsIndex | None = None,
    random_state: RandomState = None,
) -> Ints:
    """Return a code over several letters that tells any two classes apart as often as can be.

    Each row deals all classes to the letters, as evenly as k allows. Rows are found one after the
    other by exchanging classes: two that have shared a letter once more weigh four times as much.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    letters : int
        Most letters in a row, at least 2.
    length : int, optional
        Rows; by default ⌈6 log k / log letters⌉, or one if there is a letter for each class.
    random_state : int, Generator, RandomState or None
        What the first groupings are drawn with.

    Returns
    -------
    (length, k) ints
        Letters 0 … letters − 1.

    Examples
    --------
    >>> from polychotomy.codes import balanced
    >>> balanced(3, letters=5)
    array([[0, 1, 2]])
    >>> code = balanced(26, letters=10, random_state=0)
    >>> code.shape, int(code.max())
    ((9, 26), 9)
    """
    k, q = check_classes(k), check_count("letters", letters, least=2)
    least = 1 if k <= q else ceil(_PER_LETTER * log(k) / log(q))
    rows = least if length is None else check_count("length", length)
    if k <= q:
        return np.tile(np.arange(k), (rows, 1))
    rng = as_generator(random_state)
    together, found = 1.0 - np.eye(k), []
    for _ in range(rows):
        tries = [_exchange(rng.permutation(np.arange(k) % q), q, together) for _ in range(_STARTS)]
        row = min(tries, key=lambda row: float(together[row[:, None] == row].sum()))
        together = np.where(row[:, None] == row, 4.0, 1.0) * together
        together /= together.max()
        found.append(row)
    code = np.array(found)
    if np.unique(code, axis=1).shape[1] < k:
        raise InvalidInput(
            f"length is {rows}, and some of {k} classes have the same {q} letters in all rows; "
            "expected more rows."
        )
    return code


def _exchange(row: Ints, q: int, together: Floats) -> Ints:
    """Exchange two classes' letters while that lowers the sum of ``together`` within letters."""
    everyone = np.arange(row.size)
    while True:
        beside = together @ np.eye(q)[row]  # (k, q): each class with those of each letter
        own, across = beside[everyone, row], beside[:, row]
        gain = own[:, None] + own - across - across.T + 2 * together
        gain[row[:, None] == row] = 0.0
        first, second = np.unravel_index(int(gain.argmax()), gain.shape)
        if gain[first, second] <= 1e-12:
            return row
        row[[first, second]] = row[[second, first]]


def check_letters(code: ArrayLike) -> Ints:
    """Return the table as integers, or say what keeps it from being a code over letters.

    Entries are letters 0, 1, … or −1, not asked. Every row has two letters at least, and no two
    classes have the same column.

    Examples
    --------
    >>> from polychotomy.codes import check_letters
    >>> check_letters([[0, 1, 2, -1], [0, 0, 1, 1]]).shape
    (2, 4)
    """
    matrix: Any = np.asarray(code)
    if matrix.ndim != 2 or matrix.dtype.kind not in "iuf" or matrix.shape[1] < 2:
        raise InvalidCode(
            f"code has shape {matrix.shape} and type {matrix.dtype}; expected (l, k) whole numbers."
        )
    table: Ints = matrix.astype(np.intp)
    odd = (table != matrix) | (table < -1)
    if odd.any():
        row, column = np.argwhere(odd)[0]
        raise InvalidCode(
            f"code[{row}, {column}] is {matrix[row, column]}; expected a letter 0, 1, … or −1 for "
            "a class that is not asked."
        )
    for number, row in enumerate(table):
        if np.unique(row[row >= 0]).size < 2:
            raise InvalidCode(f"row {number} of code has one letter only; expected two or more.")
    if np.unique(table, axis=1).shape[1] < table.shape[1]:
        raise InvalidCode("two columns of code are equal; expected rows that tell them apart.")
    return table


def letters_as_dichotomies(code: ArrayLike) -> tuple[Code, Ints]:
    """Return each letter against the others of its row, (d, k), and its row and letter, (d, 2).

    Examples
    --------
    >>> from polychotomy.codes import letters_as_dichotomies
    >>> letters_as_dichotomies([[0, 1, 2]])[0]
    array([[ 1, -1, -1],
           [-1,  1, -1],
           [-1, -1,  1]], dtype=int8)
    """
    table = check_letters(code)
    places = np.array(
        [(row, letter) for row, one in enumerate(table) for letter in np.unique(one[one >= 0])]
    )
    asked = table[places[:, 0]]
    sides = np.where(asked == places[:, 1:], 1, -1)
    return np.where(asked < 0, 0, sides).astype(np.int8), places
