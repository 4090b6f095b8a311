"""ROC and precision–recall curves of out-of-fold probabilities, in bands.

At each threshold the share of the class above it and that of all others are two independent
binomial shares, each with Wilson's interval; the point lies in the rectangle of both, and the band
reaches over the rectangles of all thresholds. A bootstrap of rows would show no spread where no
two scores are out of order; a band for the whole curve at once (Macskassy, Provost & Rosset 2005)
is as wide at the ends, where the curves matter most, as in the middle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import check_share
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import DataFrame, Result
from polychotomy.validation.reliability import wilson_interval

_MOST = 200  # points of a curve: more cannot be seen


class RankingCurve(Result):
    """How well one learner's scores tell one class from all others.

    Parameters
    ----------
    name : str
        The learner.
    label : str
        The class.
    false_positives, true_positives : (points,) floats
        Shares of the others and of the class above a threshold, which falls from point to point.
    prevalence : float
        Share of the class.
    auc, average_precision : float
    false_interval, true_interval : (2, points) floats
        The ends of Wilson's intervals of these shares.
    level : float
        Confidence that the point of a threshold lies within both of its intervals.

    Examples
    --------
    >>> import numpy as np
    >>> scores, y = np.array([0.9, 0.8, 0.7, 0.2]), np.array([True, True, False, False])
    >>> found = ranking_curve(scores, y, name="tree", label="yes")
    >>> found.auc, found.average_precision
    (1.0, 1.0)
    >>> (right, low), (left, high) = found.roc_band()  # at the lowest threshold all are above it
    >>> round(float(low[-1]), 2), len(found.precision_band())
    (0.29, 2)
    >>> print(found)
    tree tells 'yes' from the others with AUC 1.000, average precision 1.000.
    """

    name: str
    label: str
    false_positives: Floats
    true_positives: Floats
    prevalence: float
    auc: float
    average_precision: float
    false_interval: Floats
    true_interval: Floats
    level: float

    @property
    def precision(self) -> Floats:
        """Share of the class among all above each threshold; that of the first where none is."""
        return self._precision(self.false_positives, self.true_positives)

    def _precision(self, false: Floats, true: Floats) -> Floats:
        hits, misses = self.prevalence * true, (1.0 - self.prevalence) * false
        with np.errstate(invalid="ignore"):
            share = hits / (hits + misses)
        return np.where(hits + misses > 0, share, share[1] if share.size > 1 else 1.0)

    def roc_band(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Return the lower and the upper edge: at each, shares of the others and of the class."""
        false, true = self.false_interval, self.true_interval
        return (false[1], true[0]), (false[0], true[1])

    def precision_band(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Return the lower and the upper edge: shares of the class found, and the precision there.

        It is the band of the ROC curve, at the prevalence seen, from where something is found on.
        """
        low, high = (
            (true[1:], self._precision(false, true)[1:]) for false, true in self.roc_band()
        )
        return low, high

    def to_frame(self) -> DataFrame:
        """Return a row for each point."""
        columns = "false_positives", "true_positives", "precision"
        return self._frame(*columns, learner=self.name)

    def __str__(self) -> str:
        return (
            f"{self.name} tells {self.label!r} from the others with AUC {self.auc:.3f}, average "
            f"precision {self.average_precision:.3f}."
        )


def ranking_curve(
    scores: ArrayLike, positive: ArrayLike, *, name: str, label: str, level: float = 0.95
) -> RankingCurve:
    """Draw up the curves of scores, higher for the class, and their band.

    Parameters
    ----------
    scores : (n,) floats
    positive : (n,) bools
        Which rows are of the class.
    name, label : str
        Of the learner and of the class.
    level : float
        Confidence of the band, for each threshold.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(400) % 2 == 1
    >>> found = ranking_curve(rng.normal(size=400) + y, y, name="one", label="yes")
    >>> (right, low), (left, high) = found.roc_band()
    >>> bool((low <= found.true_positives).all() and (found.true_positives <= high).all())
    True
    """
    from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

    scores, positive = np.asarray(scores, dtype=float), np.asarray(positive, dtype=bool)
    check_share("level", level, such_as=0.95)
    if positive.all() or not positive.any():
        raise InvalidInput("all rows are of one class; expected rows of the class and others.")
    # Points on a straight part are kept: the same part is no straight line of precision and recall.
    false, true, _ = roc_curve(positive, scores, drop_intermediate=False)
    kept = _spread(false, true)
    return RankingCurve(
        name=name, label=label, level=level, prevalence=float(positive.mean()),
        false_positives=false[kept], true_positives=true[kept],
        auc=float(roc_auc_score(positive, scores)),
        average_precision=float(average_precision_score(positive, scores)),
        false_interval=_interval(false[kept], int((~positive).sum()), level),
        true_interval=_interval(true[kept], int(positive.sum()), level),
    )  # fmt: skip


def _interval(shares: Floats, count: int, level: float) -> Floats:
    """Return one of two independent intervals that hold together with the given confidence."""
    return np.stack(wilson_interval(shares, np.full(shares.size, float(count)), level**0.5))


def _spread(false: Floats, true: Floats) -> Ints:
    """Return the places of at most 200 points, evenly along the curve, the ends among them."""
    if false.size <= _MOST:
        return np.arange(false.size)
    along = (false + true) / 2.0
    return np.unique(np.r_[0, np.searchsorted(along, np.linspace(0, 1, _MOST - 1)), false.size - 1])
