"""M24 §3.1: orthogonal columns found by a random search."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arguments import check_classes, check_count
from polychotomy.core.arrays import Code
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.seeds import RandomState, as_generator

LONGEST = 24

_CANDIDATES = 1 << 25  # looked at in all before giving up


def orthogonal_greedy(
    k: SupportsIndex, *, length: SupportsIndex, random_state: RandomState = None
) -> Code:
    """Return an orthogonal ±1 code by M24's own random search, with its row check.

    Candidate columns are drawn at random, none twice, and kept where orthogonal to all kept
    before. A search that ends with too few columns, or with a row of one sign, is repeated. (Two
    and three orthogonal columns always have such rows; there the row check is left out, and these
    rows are all +1.) ``orthogonal`` reaches the same and more without a search.

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    length : int
        Number of dichotomies, k to 24: a multiple of 4, or of 2 for two classes.
    random_state : int, Generator, RandomState or None
        What the columns are drawn with.

    Returns
    -------
    (length, k) int8

    Examples
    --------
    >>> from polychotomy.codes import orthogonal_greedy
    >>> code = orthogonal_greedy(5, length=8, random_state=0).astype(int)
    >>> code.T @ code
    array([[8, 0, 0, 0, 0],
           [0, 8, 0, 0, 0],
           [0, 0, 8, 0, 0],
           [0, 0, 0, 8, 0],
           [0, 0, 0, 0, 8]])
    """
    k = check_classes(k)
    rows = _check_length(k, length)
    generator = as_generator(random_state)
    searches = max(10, _CANDIDATES >> rows)
    for _ in range(searches):
        chosen = _search(k, rows, generator)
        if chosen is None:
            continue
        code = _columns(chosen, rows)
        constant = (code == code[:, :1]).all(axis=1)
        code[constant] = 1
        if k < 4 or not constant.any():
            return code
    raise InvalidInput(
        f"no orthogonal code of {rows} dichotomies for {k} classes was found in "
        f"{searches} searches. Use orthogonal({k}, length={rows}), which constructs one."
    )


def _check_length(k: int, length: SupportsIndex) -> int:
    rows = check_count("length", length, least=1, unit="dichotomies")
    multiple = 2 if k == 2 else 4
    if rows % multiple or not k <= rows <= LONGEST:
        raise InvalidInput(
            f"length is {rows}; for {k} classes expected a multiple of {multiple} from {k} to "
            f"{LONGEST}: other lengths have no orthogonal columns or too many candidates."
        )
    return rows


def _search(k: int, rows: int, generator: np.random.Generator) -> list[int] | None:
    """One pass over all candidates in random order; each is a number whose bits are the signs.

    Dropping at once all candidates that are not orthogonal to the column just kept leaves the
    same columns as trying them one by one.
    """
    candidates: NDArray[np.uint32] = generator.permutation(1 << rows).astype(np.uint32)
    chosen: list[int] = []
    while len(chosen) < k:
        if len(candidates) == 0:
            return None
        chosen.append(int(candidates[0]))
        differing = np.bitwise_count(candidates ^ candidates[0])
        candidates = candidates[differing == rows // 2]
    return chosen


def _columns(chosen: list[int], rows: int) -> Code:
    bits = np.array(chosen) >> np.arange(rows)[:, np.newaxis] & 1
    return (2 * bits - 1).astype(np.int8)
