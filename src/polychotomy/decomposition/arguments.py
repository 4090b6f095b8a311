"""T96 §6: is this a loss that the decomposition holds for? Checked on numbers, at the door.

The conditions are eq. (37), permuting classes changes nothing and a certain right answer costs
nothing, and eq. (39), the truth is the best prediction. The paper's further condition, that
Q[e_k, π] be monotone in ‖e_k − π‖², is printed the wrong way round and broken by its own Q1 and Q3
at three classes, so it is not asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, check_classes, shown
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition.losses import (
    TIE_TOLERANCE,
    Deviance,
    Loss,
    Misclassification,
    PairLoss,
    Squared,
    expected_score,
)

LossLike: TypeAlias = str | Loss | Callable[[Floats, Floats], Floats]


_NAMED = {"misclassification": Misclassification, "squared": Squared, "deviance": Deviance}

_POINTS = 64

_TOLERANCE = 1e-7


def resolve_loss(loss: LossLike, k: int, dtype: np.dtype[Any] | None = None) -> Loss:
    """Return the loss called by name, or the user's own once it has passed :func:`check_loss`.

    A function Q(y, c) becomes a :class:`PairLoss`.

    Predictions of less than double precision tie up to eight units of their own rounding, the
    default tolerance being finer than they can express.

    Examples
    --------
    >>> from polychotomy.decomposition.arguments import resolve_loss
    >>> resolve_loss("squared", 3)
    Squared()
    """
    if isinstance(loss, str):
        if loss not in _NAMED:
            raise InvalidInput(
                f"loss is {loss!r}; expected one of {', '.join(map(repr, _NAMED))}, or a Loss. "
                "For a loss of your own pass a function Q(y, c), or ScoredLoss(name, scores)."
            )
        return _NAMED[loss]() if loss != "misclassification" else _misclassification(dtype)
    if not isinstance(loss, Loss):
        if not callable(loss) or isinstance(loss, type):
            raise InvalidInput(
                f"loss is {shown(loss)}; expected a name, a Loss or a function Q(y, c)."
            )
        loss = PairLoss(getattr(loss, "__name__", "user"), loss)
    if type(loss) not in _NAMED.values():
        check_loss(loss, k=k)
    return loss


def is_named(loss: Loss) -> bool:
    """Tell the paper's three losses, for which eq. (32) bounds the Bayes error, from others.

    Examples
    --------
    >>> from polychotomy.decomposition import Squared
    >>> is_named(Squared())
    True
    """
    return type(loss) in _NAMED.values()


def _misclassification(dtype: np.dtype[Any] | None) -> Misclassification:
    if dtype is not None and dtype.kind == "f" and dtype.itemsize < 8:
        return Misclassification(tie_tolerance=8 * float(np.finfo(dtype).eps))
    return Misclassification(tie_tolerance=TIE_TOLERANCE)


def check_loss(loss: Loss, *, k: int) -> None:
    """Raise unless a loss meets T96's conditions (eqs. 37, 39) on random points of the simplex.

    Parameters
    ----------
    loss : Loss
        The loss to hold to the conditions.
    k : int
        Number of classes, at least 2.

    Raises
    ------
    InvalidInput
        Naming the condition, the point where it fails and by how much.

    Examples
    --------
    Absolute error is not a loss in this sense: its best prediction is not the truth.

    >>> import numpy as np
    >>> from polychotomy.decomposition import ScoredLoss
    >>> from polychotomy.decomposition import check_loss
    >>> absolute = ScoredLoss("absolute", lambda c: 1 - c)
    >>> check_loss(absolute, k=2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    polychotomy.core.exceptions.InvalidInput: loss 'absolute' breaks eq. (39): ...
    """
    k = check_classes(k)
    if not isinstance(loss, Loss):
        raise InvalidInput(
            f"loss is {loss!r}; expected a Loss. For a function pass ScoredLoss(name, scores) or "
            "PairLoss(name, function)."
        )
    rng = np.random.default_rng(1996)
    points = np.concatenate(
        [np.eye(k), rng.dirichlet(np.ones(k), _POINTS), rng.dirichlet(np.full(k, 0.2), _POINTS)]
    )
    points[points < 1e-12] = 0.0
    points /= points.sum(axis=1, keepdims=True)
    scores = _scores(loss, points)
    _check_certainty(loss, scores[:k])
    _check_permutation(loss, points, scores, rng.permutation(k))
    _check_propriety(loss, points, scores)


def _scores(loss: Loss, points: Floats) -> Floats:
    scores = np.asarray(loss.score(points), dtype=np.float64)
    if scores.shape != points.shape:
        raise InvalidInput(
            f"loss {loss.name!r} returned scores of shape {scores.shape} for predictions of shape "
            f"{points.shape}; expected the same shape, one score a class on the last axis."
        )
    bad = np.isnan(scores) | (scores < -_TOLERANCE)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InvalidInput(
            f"loss {loss.name!r} scores class {column} of prediction {_show(points[row])} as "
            f"{scores[row, column]:g}; expected a number from 0 to infinity."
        )
    return scores


def _check_certainty(loss: Loss, scores: Floats) -> None:
    worst = int(np.argmax(np.abs(np.diag(scores))))
    if abs(scores[worst, worst]) > _TOLERANCE:
        raise InvalidInput(
            f"loss {loss.name!r} breaks eq. (37): Q[e_k, e_k] is {scores[worst, worst]:g} for "
            f"class {worst}; expected 0. Subtract it from the scores."
        )


def _check_permutation(loss: Loss, points: Floats, scores: Floats, order: Ints) -> None:
    permuted = _scores(loss, points[:, order])
    wrong = ~np.isclose(permuted, scores[:, order], rtol=_TOLERANCE, atol=_TOLERANCE).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidInput(
            f"loss {loss.name!r} breaks eq. (37): permuting the classes of {_show(points[row])} "
            "permutes its scores otherwise; expected a loss that treats all classes alike."
        )


def _check_propriety(loss: Loss, points: Floats, scores: Floats) -> None:
    mean = expected_score(points[:, None, :], scores[None, :, :])  # truth in rows
    sigma = expected_score(points, scores)
    gain = sigma[:, None] - mean
    gain[np.isnan(gain)] = 0.0  # infinite either way
    truth, rival = np.unravel_index(int(np.argmax(gain)), gain.shape)
    if gain[truth, rival] > _TOLERANCE * (1 + abs(sigma[truth])):
        raise InvalidInput(
            f"loss {loss.name!r} breaks eq. (39): where the truth is {_show(points[truth])}, "
            f"predicting {_show(points[rival])} costs {gain[truth, rival]:.3g} less than the truth "
            "itself. Use a proper loss."
        )


def _show(point: Floats) -> str:
    shown = ", ".join(f"{value:.3g}" for value in point[:5])
    return f"({shown}{', …' if len(point) > 5 else ''})"


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
