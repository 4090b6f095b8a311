"""T96 §6: losses between two probability vectors, and the conditions that a loss must meet.

A loss is given by its scores s_k(c) = Q[e_k, c]. Eq. (40) extends it to any first argument:
Q[p, c] = Σ p^k s_k(c) − σ(p), with the dispersion σ(p) = Σ p^k s_k(p) of eq. (38). So Q[p, p] = 0
for every loss; the paper's eq. (3) lacks −σ(p), and the deviance here is twice the
Kullback–Leibler divergence.

A user's own loss is held to the conditions on numbers: eq. (37), permuting classes changes nothing
and a certain right answer costs nothing, and eq. (39), the truth is the best prediction. The
paper's further condition, that Q[e_k, π] be monotone in ‖e_k − π‖², is printed the wrong way round
and broken by its own Q1 and Q3 at three classes, so it is not asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from polychotomy.core.arguments import check_classes, shown, unexpected, wrong_shape
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput

TIE_TOLERANCE = 1e-9
"""Classes whose probabilities differ by no more than this are tied under misclassification."""


class Loss(ABC):
    """A variation function Q[p, c] on the simplex (T96 eqs. 37–40); classes on the last axis.

    Subclass it with ``name`` and ``score``; :func:`check_loss` holds it to the paper's conditions.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> loss = Squared()
    >>> float(loss([0, 1], [0.5, 0.5]))
    0.5
    >>> loss.score(np.array([1.0, 0.0])).tolist()
    [0.0, 2.0]
    >>> loss.dispersion(np.array([0.5, 0.5])).item()
    0.5
    """

    name: str

    @abstractmethod
    def score(self, c: Floats) -> Floats:
        """Losses s_k(c) = Q[e_k, c] of the prediction c for each class: (..., k) → (..., k)."""

    def dispersion(self, p: Floats) -> Floats:
        """Dispersion σ(p) of eq. (38): the loss nobody can avoid where p is the truth."""
        return expected_score(p, self.score(p))

    def __call__(self, p: ArrayLike, c: ArrayLike) -> Floats:
        """Loss Q[p, c] of the prediction c where p is the truth (eq. 40)."""
        truth, prediction = np.asarray(p, dtype=np.float64), np.asarray(c, dtype=np.float64)
        return expected_score(truth, self.score(prediction)) - self.dispersion(truth)


@dataclass(frozen=True)
class Misclassification(Loss):
    """Q1: one where the likeliest class is wrong, ties shared (T96 eqs. 35, 41).

    Parameters
    ----------
    tie_tolerance : float
        Classes within this of the highest probability share the vote. Averages of votes, 1/3 +
        1/3 + 1/3, tie only up to rounding, so the default is 1e-9 and not zero.

    Examples
    --------
    >>> from polychotomy.decomposition import Misclassification
    >>> loss = Misclassification()
    >>> float(loss([1, 0, 0], [0.4, 0.4, 0.2]))  # a coin between two classes
    0.5
    >>> round(float(loss([0.7, 0.2, 0.1], [0.1, 0.8, 0.1])), 12)
    0.5
    >>> loss.votes(np.array([0.4, 0.4, 0.2])).tolist()
    [0.5, 0.5, 0.0]
    """

    tie_tolerance: float = TIE_TOLERANCE
    name = "misclassification"

    def votes(self, c: Floats) -> Floats:
        """One vote for each prediction, shared among the tied classes, the set B of eq. (41)."""
        winners = c >= (c.max(axis=-1) - self.tie_tolerance)[..., None]
        votes = winners.astype(np.float64)
        if np.count_nonzero(winners) > winners[..., 0].size:  # ties
            votes /= votes.sum(axis=-1, keepdims=True)
        return votes

    def score(self, c: Floats) -> Floats:
        """Losses s_k(c) = Q[e_k, c], one for each class: (..., k) → (..., k)."""
        return 1.0 - self.votes(c)

    def dispersion(self, p: Floats) -> Floats:
        """Dispersion σ(p) of eq. (38)."""
        return 1.0 - p.max(axis=-1)


@dataclass(frozen=True)
class Squared(Loss):
    """Q2: squared distance of the two vectors (T96 eqs. 2, 36, 42).

    Examples
    --------
    >>> from polychotomy.decomposition import Squared
    >>> round(float(Squared()([0.1, 0.9], [0.4, 0.6])), 12)  # 2 (0.3)²
    0.18
    """

    name = "squared"

    def score(self, c: Floats) -> Floats:
        """Losses s_k(c) = Q[e_k, c], one for each class: (..., k) → (..., k)."""
        return 1.0 - 2.0 * c + (c * c).sum(axis=-1, keepdims=True)

    def dispersion(self, p: Floats) -> Floats:
        """Dispersion σ(p) of eq. (38)."""
        return 1.0 - (p * p).sum(axis=-1)


@dataclass(frozen=True)
class Deviance(Loss):
    """Q3: multinomial deviance, twice the Kullback–Leibler divergence (T96 eqs. 3, 40).

    Eq. (3) as printed holds for an indicator p only. Zero times infinity is zero; a class of
    positive probability that c excludes costs infinity.

    Examples
    --------
    >>> from polychotomy.decomposition import Deviance
    >>> round(float(Deviance()([0, 1], [0.5, 0.5])), 6)  # 2 log 2
    1.386294
    >>> float(Deviance()([0.5, 0.5], [1.0, 0.0]))
    inf
    """

    name = "deviance"

    def score(self, c: Floats) -> Floats:
        """Losses s_k(c) = Q[e_k, c], one for each class: (..., k) → (..., k)."""
        with np.errstate(divide="ignore"):
            return 0.0 - 2.0 * np.log(c)  # 0 − …, lest a certain class score −0

    def dispersion(self, p: Floats) -> Floats:
        """Dispersion σ(p) of eq. (38)."""
        return 0.0 - 2.0 * xlogy(p, p).sum(axis=-1)


@dataclass(frozen=True)
class ScoredLoss(Loss):
    """A loss of your own, from its scores s_k(c).

    Parameters
    ----------
    name : str
        What tables and figures call it.
    scores : callable
        (..., k) predictions → (..., k) losses, the loss of the prediction where each class is true.

    Examples
    --------
    The spherical loss:

    >>> import numpy as np
    >>> from polychotomy.decomposition import ScoredLoss
    >>> from polychotomy.decomposition import check_loss
    >>> spherical = ScoredLoss(
    ...     "spherical", lambda c: 1 - c / np.sqrt((c * c).sum(axis=-1, keepdims=True))
    ... )
    >>> check_loss(spherical, k=3)
    >>> round(float(spherical([1, 0], [0.6, 0.8])), 12)
    0.4
    """

    name: str
    scores: Callable[[Floats], Floats]

    def score(self, c: Floats) -> Floats:
        """Losses s_k(c) = Q[e_k, c], one for each class: (..., k) → (..., k)."""
        return np.asarray(self.scores(c), dtype=np.float64)


def expected_score(p: Floats, scores: Floats) -> Floats:
    """Mean Σ p^k s_k of scores under p, with zero times infinity zero.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition.losses import expected_score
    >>> float(expected_score(np.array([1.0, 0.0]), np.array([0.25, np.inf])))
    0.25
    """
    if scores.max(initial=0.0) < np.inf:
        return (p * scores).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        total: Floats = np.where(p > 0, p * scores, 0.0).sum(axis=-1)
    return total


LossLike: TypeAlias = str | Loss


_NAMED = {"misclassification": Misclassification, "squared": Squared, "deviance": Deviance}

_POINTS = 64

_TOLERANCE = 1e-7


def resolve_loss(loss: LossLike, k: int, dtype: np.dtype[Any] | None = None) -> Loss:
    """Return the loss called by name, or the user's own once it has passed :func:`check_loss`.

    Predictions of less than double precision tie up to eight units of their own rounding, the
    default tolerance being finer than they can express.

    Examples
    --------
    >>> from polychotomy.decomposition.losses import resolve_loss
    >>> resolve_loss("squared", 3)
    Squared()
    """
    if isinstance(loss, str) and loss in _NAMED:
        narrow = dtype is not None and dtype.kind == "f" and dtype.itemsize < 8
        if loss == "misclassification" and narrow:
            return Misclassification(tie_tolerance=8 * float(np.finfo(dtype).eps))
        return _NAMED[loss]()
    if not isinstance(loss, Loss):
        names = ", ".join(map(repr, _NAMED))
        raise unexpected("loss", loss, f"{names} or a Loss, such as ScoredLoss(name, scores)")
    if not is_named(loss):
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
        Naming the condition and a point where it fails.

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
    polychotomy.core.exceptions.InvalidInput: loss 'absolute' breaks eq. (39) at [...
    """
    k = check_classes(k)
    if not isinstance(loss, Loss):
        raise unexpected("loss", loss, "a Loss; of a function, ScoredLoss(name, scores)")
    rng = np.random.default_rng(1996)
    points = np.concatenate(
        [np.eye(k), rng.dirichlet(np.ones(k), _POINTS), rng.dirichlet(np.full(k, 0.2), _POINTS)]
    )
    points[points < 1e-12] = 0.0
    points /= points.sum(axis=1, keepdims=True)
    order = rng.permutation(k)
    scores, permuted = _scores(loss, points), _scores(loss, points[:, order])
    certain = np.abs(np.diag(scores)) > _TOLERANCE
    otherwise = ~np.isclose(permuted, scores[:, order], rtol=_TOLERANCE, atol=_TOLERANCE)
    sigma = expected_score(points, scores)[:, None]
    gain = sigma - expected_score(points[:, None, :], scores[None, :, :])  # truth in rows
    gain[np.isnan(gain)] = 0.0  # infinite either way
    improper = gain > _TOLERANCE * (1 + np.abs(sigma))
    for equation, wrong, said in (
        (37, certain, "being sure of it costs something; expected 0. Subtract it from the scores"),
        (37, otherwise.any(axis=1), "permuting the classes permutes its scores otherwise; expected "
         "a loss that treats all classes alike"),
        (39, improper.any(axis=1), "where that is the truth, predicting something else costs less. "
         "Use a proper loss"),
    ):  # fmt: skip
        if wrong.any():
            point = shown(points[wrong.argmax()].round(3).tolist())
            raise InvalidInput(f"loss {loss.name!r} breaks eq. ({equation}) at {point}: {said}.")


def _scores(loss: Loss, points: Floats) -> Floats:
    scores = np.asarray(loss.score(points), dtype=np.float64)
    if scores.shape != points.shape:
        expected = f"{points.shape}, that of the predictions"
        raise wrong_shape(f"what loss {loss.name!r} returns", scores, expected)
    bad = np.isnan(scores) | (scores < -_TOLERANCE)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise InvalidInput(
            f"loss {loss.name!r} scores class {column} of prediction {shown(points[row].tolist())} "
            f"as {scores[row, column]:g}; expected a number from 0 to infinity."
        )
    return scores
