"""By what candidates are compared: error, measures of rare classes, probabilities, costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison.measures import MEASURES, measure_losses
from polychotomy.core.arguments import shown, unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.predictions import OutOfFold

LOSS_WORDS: dict[str, str] = {
    "error": "error",
    "log-loss": "log loss",
    "auc": "1 − AUC",
    "brier": "Brier score",
    "cost": "mean cost",
    "balanced-error": "balanced error",
    "macro-f1": "1 − macro-F1",
    "mcc": "1 − MCC",
    "kappa": "1 − kappa",
    "recall-at-precision": "1 − recall at 90 % precision",
    "score": "score",
}

# Ledgers keep probabilities in single precision: no smaller ones are told apart from 0.
_SMALLEST = float(np.finfo(np.float32).eps)

_ONE_POINT = 0.01


@dataclass(frozen=True, eq=False, kw_only=True)
class Criterion:
    """A loss that is better smaller, of predictions on samples not seen.

    Parameters
    ----------
    name : str
        *error*: share of wrong labels. *log-loss*: −log of the probability of the true class,
        probabilities below 1.2e-7 taken as that (single precision). *brier*: squared error of the
        probabilities summed over classes. *auc*: 1 − the area under the ROC curve in a fold, with
        more than two classes the mean over ordered pairs of classes of [Hand & Till 2001]. *cost*:
        by a matrix, of the label that is expected to cost least by the learner's probabilities; of
        the label predicted where it gives labels only. *balanced-error*, *macro-f1*, *mcc*,
        *kappa*: of the confusion matrix of all rows of a repetition (`measure_losses`).
        *recall-at-precision*: 1 − the largest recall in a fold at a threshold with a precision of
        90 %, of the rarer of two classes, of several the mean over classes. *score*: what
        predictions made elsewhere scored, as it is, or times −1 where higher is better.
    costs : (k, k) floats, for "cost" only
        ``costs[truth, predicted]``, in the order of the classes.
    higher_better : bool
        Of scores, which are shown as they were given.
    scale : float
        Of scores, how far apart most of them are: the margin is 1 % of it.

    Examples
    --------
    >>> from polychotomy.comparison import Criterion
    >>> Criterion(name="log-loss").words, Criterion(name="error").is_rate
    ('log loss', True)
    >>> Criterion(name="brier").to_dict()
    {'name': 'brier', 'words': 'Brier score', 'costs': None}
    >>> costs = Criterion(name="cost", costs=np.array([[0.0, 5.0], [1.0, 0.0]]))
    >>> costs.check_classes(["healthy", "ill"])  # a row for each: nothing to say
    """

    name: str
    costs: Floats | None = None
    higher_better: bool = False
    scale: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in LOSS_WORDS:
            raise unexpected("the loss", self.name, f"one of {', '.join(LOSS_WORDS)}")
        if (self.costs is not None) != (self.name == "cost"):
            expected = "a matrix for the loss 'cost', and None for others"
            raise unexpected(f"costs for the loss {self.name!r}", self.costs, expected)
        if self.costs is not None:
            object.__setattr__(self, "costs", _checked_costs(self.costs))

    @property
    def words(self) -> str:
        """What a reader calls it."""
        return LOSS_WORDS[self.name]

    @property
    def is_rate(self) -> bool:
        """Whether it is a share, to be written in percent."""
        return self.name in ("error", "auc", "balanced-error", "macro-f1")

    @property
    def is_mean(self) -> bool:
        """Whether it is a mean over samples; what ranks the samples of a fold is not."""
        return self.name not in _RANKING

    @property
    def sign(self) -> int:
        """What a loss is multiplied by to be shown: −1 of a score that is better higher."""
        return -1 if self.higher_better else 1

    @property
    def best_word(self) -> str:
        """What the best mean is, as it is shown: the lowest or the highest."""
        return "highest" if self.higher_better else "lowest"

    @property
    def margin(self) -> float:
        """What counts as no difference where nobody says: 0.01, of costs 1 % of the largest."""
        scale = self.scale if self.costs is None else float(np.abs(self.costs).max())
        return _ONE_POINT * scale

    def sample_losses(self, predictions: OutOfFold) -> Floats:
        """Loss of each sample, (m, runs, repetitions, n); NaN where there is no prediction.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import Criterion
        >>> from polychotomy.core.predictions import OutOfFold
        >>> p = np.array([[0.9, 0.1], [0.6, 0.4]])[None, None, None]
        >>> two = OutOfFold(names=("a",), classes=("no", "yes"), y=np.array([0, 1]),
        ...     folds=np.array([[[0, 1]]]), predicted=np.array([[[[0, 0]]]]), probabilities=p,
        ...     hard=np.array([False]))
        >>> Criterion(name="brier").sample_losses(two).round(2).tolist()
        [[[[0.02, 0.72]]]]
        """
        y = predictions.y
        missing = predictions.predicted < 0
        self._check_known(predictions)
        if predictions.scores is not None:
            losses = self.sign * predictions.scores
        elif self.costs is not None:
            losses = self.costs[y, self.decisions(predictions)]  # −1 is masked below
        elif self.name == "error":
            losses = (predictions.predicted != y).astype(float)
        elif self.name == "log-loss":
            true = predictions.probabilities[..., np.arange(len(y)), y]
            losses = -np.log(np.clip(np.where(missing, 1.0, true), _SMALLEST, 1.0))
        elif self.name == "brier":
            truth = np.eye(len(predictions.classes))[y]
            losses = np.square(predictions.probabilities - truth).sum(axis=-1)
        elif self.name in MEASURES:
            losses = np.zeros(predictions.predicted.shape)
            for at in np.ndindex(losses.shape[:-1]):
                made, k = ~missing[at], len(predictions.classes)
                said = predictions.predicted[at][made]
                losses[at][made] = measure_losses(self.name, y[made], said, k)
        else:
            raise InvalidInput(f"{self.name!r} ranks the samples of a fold: no loss of one sample.")
        return predictions.weighted(np.where(missing, np.nan, losses))

    def _check_known(self, predictions: OutOfFold) -> None:
        """Refuse a loss that scores do not tell, or that has no mean to be weighted."""
        if (predictions.scores is not None) != (self.name == "score"):
            raise unexpected("the loss", self.name, "'score' of a table of scores, and only there")
        if predictions.weights is not None and self.name in (*_RANKING, *MEASURES):
            raise InvalidInput(
                f"the loss is {self.name!r}, with weights of samples; expected one that is a mean "
                "over samples, such as 'error' or 'log-loss', or no column weight."
            )

    def decisions(self, predictions: OutOfFold) -> Ints:
        """Return the labels that are scored, (m, runs, repetitions, n); −1 without prediction.

        They are the labels predicted, by costs those expected to cost least.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import Criterion
        >>> from polychotomy.core.predictions import OutOfFold
        >>> p = np.array([[0.9, 0.1], [0.7, 0.3]])[None, None, None]
        >>> two = OutOfFold(names=("a",), classes=("no", "yes"), y=np.array([0, 1]),
        ...     folds=np.array([[[0, 1]]]), predicted=np.array([[[[0, 0]]]]), probabilities=p,
        ...     hard=np.array([False]))
        >>> Criterion(name="cost", costs=np.array([[0, 1], [5, 0]])).decisions(two).tolist()
        [[[[0, 1]]]]
        """
        if self.costs is None:
            return predictions.predicted
        self.check_classes(predictions.classes)
        missing = predictions.predicted < 0
        said = np.where(missing, 0, predictions.predicted)
        probabilities = np.nan_to_num(predictions.probabilities.astype(np.float64))
        cheapest = least_cost_labels(probabilities, self.costs, said)
        cheapest[predictions.hard] = said[predictions.hard]
        return np.where(missing, -1, cheapest)

    def fold_losses(self, predictions: OutOfFold) -> Floats:
        """Loss in each fold, (m, runs, repetitions, folds); NaN for a failed fold.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.comparison import Criterion
        >>> from polychotomy.core.predictions import OutOfFold
        >>> p = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.7, 0.3]])[None, None, None]
        >>> one = OutOfFold(names=("a",), classes=("no", "yes"), y=np.array([0, 1, 1, 0]),
        ...     folds=np.zeros((1, 1, 4), dtype=int), predicted=p.argmax(axis=-1),
        ...     probabilities=p, hard=np.array([False]))
        >>> Criterion(name="auc").fold_losses(one).tolist()  # all four pairs in order
        [[[[0.0]]]]
        """
        if self.is_mean:
            return predictions.fold_means(self.sample_losses(predictions))
        self._check_known(predictions)
        return _fold_values(predictions, _RANKING[self.name])

    def check_classes(self, classes: Sequence[str]) -> None:
        """Refuse a cost matrix that has not a row for each of the classes."""
        k = len(classes)
        if self.costs is not None and len(self.costs) != k:
            raise InvalidInput(
                f"the cost matrix has {len(self.costs)} rows; expected {k}, one for each of the "
                f"classes {', '.join(classes[:10])}."
            )

    def to_dict(self) -> dict[str, Any]:
        """Return name, words and costs as plain values."""
        costs = None if self.costs is None else self.costs.tolist()
        found: dict[str, Any] = {"name": self.name, "words": self.words, "costs": costs}
        return found | ({"higher_better": self.higher_better} if self.name == "score" else {})


def least_cost_labels(probabilities: Floats, costs: Floats, predicted: Ints) -> Ints:
    """Find the labels expected to cost least, (...); equal costs go to the label predicted.

    Parameters
    ----------
    probabilities : (..., k) floats
    costs : (k, k) floats
        ``costs[truth, predicted]``.
    predicted : (...) ints

    Examples
    --------
    >>> import numpy as np
    >>> p = np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8]])
    >>> least_cost_labels(p, np.array([[0.0, 1.0], [5.0, 0.0]]), p.argmax(axis=-1)).tolist()
    [0, 1, 1]
    """
    expected = probabilities @ costs
    own = np.take_along_axis(expected, predicted[..., None], axis=-1)[..., 0]
    keep = own <= expected.min(axis=-1) + 1e-9 * np.abs(costs).max()
    return np.where(keep, predicted, expected.argmin(axis=-1))


def _checked_costs(costs: ArrayLike) -> Floats:
    matrix = np.array(costs, dtype=np.float64)
    square = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1]
    if not square or not np.isfinite(matrix).all() or np.ptp(matrix) == 0:
        raise InvalidInput(
            f"the cost matrix is {shown(matrix.tolist())}; expected a square one of finite numbers "
            "that differ: rows are true classes, columns predicted ones."
        )
    matrix.flags.writeable = False
    return matrix


def _fold_values(predictions: OutOfFold, value: Callable[[Floats, Ints], float]) -> Floats:
    """1 − a value of the ranking in every fold, (m, runs, repetitions, folds)."""
    found = np.full((*predictions.predicted.shape[:3], predictions.n_folds), np.nan)
    for learner, run, repetition, fold in np.ndindex(found.shape):
        rows = np.flatnonzero(predictions.folds[run, repetition] == fold)
        y = predictions.y[rows]
        p = predictions.probabilities[learner, run, repetition, rows].astype(np.float64)
        if len(np.unique(y)) < 2:
            raise InvalidInput(
                f"fold {fold} of repetition {repetition} has samples of one class only; to rank "
                "takes two. Choose another loss than the AUC or recall, or fewer folds."
            )
        if not np.isnan(p).any():
            found[learner, run, repetition, fold] = 1.0 - value(p, y)
    return found


_PRECISION = 0.9


def mean_recall(p: Floats, codes: Ints) -> float:
    """Largest recall at a precision of 90 %, of the rarer of two classes, else mean over classes.

    0 where no threshold is as precise. Samples of equal probability are taken together.

    Examples
    --------
    >>> p1 = np.array([0.9, 0.8, 0.7, 0.6, 0.2])
    >>> mean_recall(np.stack([1 - p1, p1], axis=1), np.array([1, 1, 0, 0, 0]))
    1.0
    >>> mean_recall(np.stack([1 - p1, p1], axis=1), np.array([1, 0, 1, 0, 0]))
    0.5
    """
    from sklearn.metrics import precision_recall_curve  # slow to import

    counts = np.bincount(codes, minlength=p.shape[1])
    classes = [int(counts.argmin())] if p.shape[1] == 2 else np.flatnonzero(counts).tolist()
    found = []
    for c in classes:
        precision, recall, _ = precision_recall_curve(codes == c, p[:, c])
        found.append(recall[precision >= _PRECISION - 1e-12].max(initial=0))
    return float(np.mean(found))


def mean_pair_auc(p: Floats, codes: Ints) -> float:
    """Mean over ordered pairs of classes of the area under the ROC curve (Hand and Till, 2001).

    For the classes i, j the area is that of p_i on samples of these two; with two classes it is
    the ordinary AUC. Pairs of which a class has no samples are left out.

    Examples
    --------
    >>> mean_pair_auc(np.array([[0.9, 0.1], [0.6, 0.4], [0.7, 0.3]]), np.array([0, 1, 1]))
    1.0
    """
    counts = np.bincount(codes, minlength=p.shape[1])
    present = np.flatnonzero(counts)
    areas = [_areas_against(p[:, c], codes, int(c), counts)[present[present != c]] for c in present]
    return float(np.mean(areas))


def _areas_against(scores: Floats, y: Ints, own: int, counts: Ints) -> Floats:
    """AUC of one class's probability against every other class, (k,)."""
    inside = np.sort(scores[y == own])
    above = len(inside) - 0.5 * (
        np.searchsorted(inside, scores, "left") + np.searchsorted(inside, scores, "right")
    )
    total = np.bincount(y, weights=above / len(inside), minlength=len(counts))
    return np.asarray(total / np.maximum(counts, 1))


_RANKING: dict[str, Callable[[Floats, Ints], float]] = {
    "auc": mean_pair_auc,
    "recall-at-precision": mean_recall,
}
