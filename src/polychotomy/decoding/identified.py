"""Whether the dichotomies that count determine the classes' probabilities."""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Code, Floats
from polychotomy.codes.connection import compared_with_first
from polychotomy.exceptions import InvalidInput


def check_connected(code: Code, weights: Floats) -> None:
    """Raise where some classes share no chain of dichotomies of positive weight with the others.

    Nothing is known then about the probability of the one group against the other.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding.identified import check_connected
    >>> check_connected(one_vs_one(3), np.array([1.0, 0.0, 0.0]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: class 2 is never compared with class 0, ...
    """
    compared = compared_with_first(code if (weights > 0).all() else code[weights > 0])
    if not compared.all():
        raise InvalidInput(
            f"class {int(np.flatnonzero(~compared)[0])} is never compared with class 0, not even "
            "through other classes, so their probabilities are not determined. Add a dichotomy "
            "with both signs and a positive weight that has both classes."
        )
