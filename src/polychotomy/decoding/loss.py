"""Loss-based decoding (Allwein, Schapire & Singer 2000) with the logistic loss."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.codes.code import check_code
from polychotomy.core.arguments import as_floats
from polychotomy.core.arrays import Code, Floats, Outputs, Probabilities
from polychotomy.core.chunks import Buffers
from polychotomy.decoding.kernels.in_place import into
from polychotomy.decoding.prepared import PreparedDecoder, Work, check_weights, like
from polychotomy.decoding.votes import make_product


def decode_loss(
    code: Code, outputs: ArrayLike, *, weights: ArrayLike | None = None
) -> Probabilities:
    """Return class probabilities that fall off exponentially with the loss of each class's code.

    The loss of class j is Σ_l w_l·log(1 + exp(−a_lj f_l)), f_l = logit q_l the margin of
    dichotomy l: minus the log-probability that all dichotomies would have given to class j's
    sides, were they independent; a dichotomy without class j counts as q = ½. The probabilities
    are proportional to exp(−loss), so the most probable class is that of loss-based decoding.
    They are too sure of themselves on codes with many rows: for probabilities, prefer
    ``bradley-terry`` or ``least-squares``.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1. One-sided rows do not count.
    outputs : (n, l)
        Probabilities of the + sides. Exact 0 and 1 are infinite losses, taken as a limit: among
        the classes with the fewest infinite losses, the finite ones decide.
    weights : (l,), optional
        Weights of the dichotomies; all ones by default.

    Returns
    -------
    (n, k)
        Rows add up to 1.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_rest
    >>> from polychotomy.decoding import decode_loss
    >>> decode_loss(one_vs_rest(3), [[0.5, 0.8, 0.2]]).round(4)  # odds 1 : 4 : 1/4
    array([[0.1905, 0.7619, 0.0476]])
    """
    return prepare_loss(check_code(code), weights)(outputs)


def prepare_loss(code: Code, weights: ArrayLike | None) -> PreparedDecoder:
    """Return the decoder of a checked code.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_rest
    >>> prepare_loss(one_vs_rest(3), None)([[0.5, 0.8, 0.2]]).round(4)
    array([[0.1905, 0.7619, 0.0476]])
    """
    w = check_weights(code, weights)
    if weights is not None:  # as given: their scale matters here
        w = np.where(w > 0, as_floats("weights", weights), 0.0)
    absent = w.sum() - make_product(np, code, w, np.abs)(w[np.newaxis])  # (k, 1)

    def start(xp: ModuleType, kind: Floats) -> Work:
        known, each = like(xp, np.log(2.0) * absent, kind), like(xp, w[np.newaxis], kind)
        plus = make_product(xp, code, kind, lambda c: c > 0)
        minus = make_product(xp, code, kind, lambda c: c < 0)
        buffers = Buffers(xp, kind)

        def decode(q: Outputs) -> Probabilities:
            # Rounding of 1 − q is as small beside a loss as rounding of the logarithm.
            rest = into(xp, buffers.get("rest", q.shape), xp.subtract, 1.0, q)
            if bool(xp.all(q > 0) & xp.all(rest > 0)):
                return _softmin(xp, losses(q, rest)).T
            zero, one = xp.astype(q == 0, q.dtype), xp.astype(rest == 0, q.dtype)
            infinite = plus(each * zero) + minus(each * one)
            # The finite losses decide among the classes with the fewest infinite ones.
            fewest = infinite <= xp.min(infinite, axis=0) * (1 + 1e-12)
            finite = losses(q + zero, rest + one)
            return _softmin(xp, xp.where(fewest, finite, 0.0 * finite + xp.inf)).T

        def losses(q: Outputs, rest: Outputs) -> Floats:
            logs = into(xp, buffers.get("logs", q.shape), xp.log, q)
            logs *= each
            found = known - plus(logs)
            into(xp, logs, xp.log, rest)
            logs *= each
            found -= minus(logs)
            return found

        return decode

    return PreparedDecoder(code.shape, start, 4 * sum(code.shape))


def _softmin(xp: ModuleType, losses: Floats) -> Floats:
    """Return probabilities (k, n) that fall off exponentially with losses (k, n)."""
    odds: Floats = xp.exp(xp.min(losses, axis=0) - losses)
    odds /= xp.sum(odds, axis=0)
    return odds
