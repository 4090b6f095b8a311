"""M24 §5: the uncertainty coefficient, the share of the uncertainty that predictions remove."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, check_choice
from polychotomy.core.arrays import Ints, missing_entries
from polychotomy.core.exceptions import InvalidInput

Direction: TypeAlias = Literal["true-given-pred", "pred-given-true", "symmetric"]


def uncertainty_coefficient(
    y_true: ArrayLike, y_pred: ArrayLike, *, direction: Direction = "true-given-pred"
) -> float:
    """Share of the entropy of one labelling that the other removes (M24 §5, Theil's U).

    ``"true-given-pred"`` is [H(true) − H(true|pred)] / H(true): how much of what there was to know
    the predictions tell. M24 does not say which direction; this is the one of its sources.

    Parameters
    ----------
    y_true, y_pred : (n,) labels
        Numbers or strings.
    direction : {"true-given-pred", "pred-given-true", "symmetric"}
        The second divides by H(pred); the third is twice the information over the sum of both
        entropies.

    Returns
    -------
    float
        From 0 to 1; 1 where there is no entropy to remove.

    Examples
    --------
    >>> from polychotomy.validation import uncertainty_coefficient
    >>> uncertainty_coefficient([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    >>> uncertainty_coefficient([0, 0, 1, 1], [0, 0, 1, 2], direction="pred-given-true")
    0.6666666666666666
    """
    check_choice("direction", direction, get_args(Direction))
    true, pred = _codes("y_true", y_true), _codes("y_pred", y_pred)
    if true.size != pred.size:
        raise InvalidInput(
            f"y_true has {true.size} labels and y_pred {pred.size}; expected as many of each."
        )
    if direction == "true-given-pred":
        return _share_removed(_entropy(true), _conditional_entropy(true, pred))
    if direction == "pred-given-true":
        return _share_removed(_entropy(pred), _conditional_entropy(pred, true))
    both = (_entropy(true), _conditional_entropy(true, pred))
    back = (_entropy(pred), _conditional_entropy(pred, true))
    return _share_removed(both[0] + back[0], both[1] + back[1])


def _share_removed(before: float, after: float) -> float:
    return float(np.clip(1 - after / before, 0, 1)) if before > 0 else 1.0


def _codes(name: str, labels: ArrayLike) -> Ints:
    array = as_array(name, labels)
    if array.ndim != 1 or array.size == 0:
        raise InvalidInput(f"{name} has shape {array.shape}; expected (n_samples,), at least 1.")
    missing = missing_entries(array)
    if missing.any():
        raise InvalidInput(
            f"{name}[{int(np.argmax(missing))}] is missing; leave out cases without a label."
        )
    comparable = array.astype(str) if array.dtype == object else array
    return np.asarray(np.unique(comparable, return_inverse=True)[1], dtype=np.intp)


def _entropy(codes: Ints) -> float:
    shares = np.bincount(codes) / codes.size
    return float(-(shares @ np.log(shares)))


def _conditional_entropy(codes: Ints, given: Ints) -> float:
    """H(codes | given), exactly 0 where ``given`` determines ``codes``."""
    cells, counts = np.unique(given * (codes.max() + 1) + codes, return_counts=True)
    margins = np.bincount(given)[cells // (codes.max() + 1)]
    return float(counts / codes.size @ np.log(margins / counts))
