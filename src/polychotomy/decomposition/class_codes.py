"""Class codes 0 to k − 1, as every function of predictions takes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.arrays import Ints
from polychotomy.codes.arguments import as_array
from polychotomy.exceptions import InvalidInput


def check_codes(y: ArrayLike, n: int, k: int) -> Ints:
    """Return class codes 0 to k − 1 as ints, or name the first that is not one.

    Examples
    --------
    >>> check_codes([0, 1.0], 2, 2).tolist()
    [0, 1]
    """
    codes = as_array("y", y)
    if codes.shape != (n,):
        raise InvalidInput(
            f"y has shape {codes.shape}; expected ({n},), one class code a sample of predictions."
        )
    if codes.dtype.kind not in "fiub":
        raise InvalidInput(
            f"y[0] is {codes.tolist()[0]!r}; expected class codes 0 to {k - 1}. Encode labels by "
            "np.unique(labels, return_inverse=True)[1] where the predictions' columns are the "
            "sorted labels (scikit-learn's classes_)."
        )
    wrong = ~np.isin(codes, np.arange(k))
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InvalidInput(f"y[{first}] is {codes[first]}; expected class codes 0 to {k - 1}.")
    return codes.astype(np.intp)
