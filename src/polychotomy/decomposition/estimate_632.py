"""The .632 and .632+ estimates of error (Efron & Tibshirani 1997), from the same bootstrap fits."""

from __future__ import annotations

import math

import numpy as np

from polychotomy.arrays import Floats, Ints
from polychotomy.codes.arguments import is_number, shown
from polychotomy.decomposition.losses import Loss
from polychotomy.exceptions import InvalidInput

_SEEN = 0.632
_UNSEEN = 0.368


def error_632(error: float, resubstitution_error: float) -> float:
    """Weigh the leave-one-out bootstrap error and the resubstitution error .632 to .368.

    Parameters
    ----------
    error : float
        Leave-one-out bootstrap error, Err(C) of T96 eq. (29).
    resubstitution_error : float
        Error of the full-sample fit on its own training samples.

    Examples
    --------
    >>> from polychotomy.decomposition import error_632
    >>> round(error_632(0.25, 0.0), 6)
    0.158
    """
    _check_error("error", error)
    _check_error("resubstitution_error", resubstitution_error)
    return _weigh_632(error, resubstitution_error)


def _weigh_632(error: float, resubstitution_error: float) -> float:
    return _UNSEEN * resubstitution_error + _SEEN * error


def _check_error(name: str, value: float) -> None:
    if not is_number(value) or value < 0:
        raise InvalidInput(
            f"{name} is {shown(value)}; expected an error, one number of at least 0. For several "
            "call this for each."
        )


def error_632_plus(error: float, resubstitution_error: float, no_information_error: float) -> float:
    """Weigh the two errors by how much the learner overfits: the .632+ estimate.

    The relative overfitting rate R = (Err − err) / (γ − err), kept within 0 and 1, moves the
    weight of the bootstrap error from .632 to 1.

    Parameters
    ----------
    error, resubstitution_error : float
        As in :func:`error_632`.
    no_information_error : float
        Error γ if labels and features were independent.

    Examples
    --------
    A 1-NN with no information at all: the truth is 0.5, and .632 would say 0.316.

    >>> from polychotomy.decomposition import error_632_plus
    >>> round(error_632_plus(0.5, 0.0, 0.5), 6)
    0.5
    """
    _check_error("error", error)
    _check_error("resubstitution_error", resubstitution_error)
    _check_error("no_information_error", no_information_error)
    capped = min(error, no_information_error)
    if math.isinf(capped) or not (capped > resubstitution_error):
        return _weigh_632(capped, resubstitution_error)
    rate = (capped - resubstitution_error) / (no_information_error - resubstitution_error)
    weight = _SEEN / (1.0 - _UNSEEN * rate)
    return (1.0 - weight) * resubstitution_error + weight * capped


def no_information_error(predictions: Floats, y: Ints, loss: Loss) -> float:
    """Error γ of predictions (n, k) paired with every label in turn: Σ p_k mean s_k(c).

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Misclassification
    >>> from polychotomy.decomposition.estimate_632 import no_information_error
    >>> no_information_error(np.eye(2)[[0, 0, 0, 1]], np.array([0, 0, 1, 1]), Misclassification())
    0.5
    """
    scores = loss.score(predictions).mean(axis=0)
    shares = np.bincount(y, minlength=predictions.shape[1]) / len(y)
    return float((shares[shares > 0] * scores[shares > 0]).sum())
