"""From sums of weights to decoder weights, from probabilities to decision scores."""

from __future__ import annotations

import numpy as np
from array_api_compat import array_namespace

from polychotomy.arrays import Bools, Floats, Probabilities

_TINY = float(np.finfo(np.float64).tiny)


def decoder_weights(weights: Floats, trained: Bools, decoder: str) -> Floats | None:
    """Return the weights (l,) for a decoder: n of each dichotomy, or whether it has been seen.

    Votes and losses are counts of equal terms; None means that all weigh the same.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.scores import decoder_weights
    >>> decoder_weights(np.array([3.0, 4.0]), np.array([True, True]), "bradley-terry")
    array([3., 4.])
    """
    if decoder in ("votes", "loss"):
        weights = (weights > 0).astype(np.float64)
    seen = weights[trained]
    return None if np.all(seen == seen[0]) else weights


def log_scores(probabilities: Probabilities) -> Floats:
    """Return finite log-probabilities, the largest where that of the probabilities is.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.scores import log_scores
    >>> log_scores(np.array([[1.0, 0.0]])).round(1)
    array([[   0. , -708.4]])
    """
    if not isinstance(probabilities, np.ndarray):
        xp = array_namespace(probabilities)
        logs: Floats = xp.log(
            xp.clip(probabilities, float(xp.finfo(probabilities.dtype).smallest_normal), None)
        )
        return logs
    scores = np.log(np.maximum(probabilities, _TINY))
    winner = np.argmax(probabilities, axis=1)
    # Two probabilities that differ in the last bit may have one logarithm.
    astray = np.flatnonzero(np.argmax(scores, axis=1) != winner)
    scores[astray, winner[astray]] = np.nextafter(scores[astray].max(axis=1), np.inf)
    return scores
