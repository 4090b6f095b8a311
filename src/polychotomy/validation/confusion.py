"""What predicted labels say: which classes are taken for which, and M24 §5's coefficient.

Nothing here needs probabilities. The uncertainty coefficient is the share of the uncertainty about
the true labels that the predicted ones remove.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import as_array, check_choice, wrong_shape
from polychotomy.core.arrays import Floats, Ints, missing_entries
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import percent
from polychotomy.core.predictions import OutOfFold, learner_position
from polychotomy.core.result import Axes, DataFrame, Result, new_axes
from polychotomy.validation.reliability import wilson_interval

_NAMED_PAIRS = 5


class ConfusedPair(NamedTuple):
    """How often one class is taken for another: samples in a repetition, and their share."""

    truth: str
    predicted: str
    samples: float
    share: float


class Confusion(Result):
    """A learner's out-of-fold predictions, counted by true and predicted class.

    Parameters
    ----------
    name : str
        The learner.
    classes : tuple of str
    counts : (k, k) floats
        ``[truth, predicted]``: samples, a mean over repetitions.
    order : (k,) ints
        Classes in an order that puts confusable ones side by side.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[9.0, 0.0, 1.0], [0.0, 10.0, 0.0], [3.0, 0.0, 7.0]])
    >>> found = Confusion(name="tree", classes=("a", "b", "c"), counts=counts, order=np.arange(3))
    >>> print(found)
    tree errs most by taking 'c' for 'a' (30.0 %), then 'a' for 'c' (10.0 %).
    """

    name: str
    classes: tuple[str, ...]
    counts: Floats
    order: Ints

    @property
    def shares(self) -> Floats:
        """(k, k): counts as shares of the true class; 0 for a class without samples."""
        totals = self.counts.sum(axis=1, keepdims=True)
        return np.asarray(self.counts / np.where(totals == 0, 1.0, totals))

    @property
    def worst(self) -> tuple[ConfusedPair, ...]:
        """The pairs that take the largest share of the true class, at most five, worst first.

        By the lower end of its 95 % interval (Wilson): one of two is half a class by chance.
        """
        wrong, shares = self.counts.copy(), self.shares
        np.fill_diagonal(wrong, 0.0)
        totals = np.maximum(self.counts.sum(axis=1, keepdims=True), 1e-12)
        least, _ = wilson_interval(wrong / totals, totals, 0.95)
        most = np.argsort(-least, axis=None, kind="stable")[:_NAMED_PAIRS]
        pairs = [
            ConfusedPair(self.classes[i], self.classes[j], float(wrong[i, j]), float(shares[i, j]))
            for i, j in zip(*np.unravel_index(most, wrong.shape), strict=True)
        ]
        return tuple(pair for pair in pairs if pair.samples > 0)

    def to_frame(self) -> DataFrame:
        """One row for each pair of classes that occurs, hits included."""
        i, j = np.nonzero(self.counts)
        return self._frame(
            truth=[self.classes[a] for a in i],
            predicted=[self.classes[b] for b in j],
            count=self.counts[i, j],
            share=self.shares[i, j],
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the shares, confusable classes side by side."""
        from sklearn.metrics import ConfusionMatrixDisplay

        shares = self.shares[np.ix_(self.order, self.order)]
        names = [self.classes[c] for c in self.order]
        ax = new_axes(ax, width=5.4, height=4.6)
        how = {"cmap": "Blues", "xticks_rotation": "vertical", "include_values": False}
        ConfusionMatrixDisplay(shares, display_labels=names).plot(ax=ax, colorbar=False, **how)
        return ax

    def __str__(self) -> str:
        if not self.worst:
            return f"{self.name} makes no errors."
        words = [f"{p.truth!r} for {p.predicted!r} ({percent(p.share)})" for p in self.worst]
        return f"{self.name} errs most by taking {', then '.join(words)}."


def confusion_of(predictions: OutOfFold, learner: str | int = 0) -> Confusion:
    """Count a learner's out-of-fold predictions by true and predicted class.

    Parameters
    ----------
    predictions : OutOfFold
    learner : str or int
        Name or row.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.core.predictions import OutOfFold
    >>> p = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])[None, None, None]
    >>> confusion_of(OutOfFold(names=("a",), classes=("no", "yes"), y=np.array([0, 1, 1]),
    ...     folds=np.zeros((1, 1, 3), dtype=int), predicted=p.argmax(axis=-1), probabilities=p,
    ...     hard=np.array([False]))).counts
    array([[1., 0.],
           [1., 1.]])
    """
    learner = learner_position(predictions, learner)
    k, n = len(predictions.classes), len(predictions.y)
    predicted = predictions.predicted[learner].reshape(-1, n)
    truth = np.broadcast_to(predictions.y, predicted.shape)
    known = predicted >= 0
    cells = np.bincount(truth[known] * k + predicted[known], minlength=k * k)
    # A repetition that left out only some of the samples counts for what it has.
    repetitions = max(float(known.sum(axis=0).max()), 1.0)
    counts = cells.reshape(k, k) / repetitions
    name, order = predictions.names[learner], order_neighbours(counts)
    return Confusion(name=name, classes=predictions.classes, counts=counts, order=order)


def order_neighbours(counts: Floats) -> Ints:
    """Order classes so that confusable ones are neighbours: leaves of an average-linkage tree.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[5, 0, 0, 4], [0, 5, 4, 0], [0, 4, 5, 0], [4, 0, 0, 5.0]])
    >>> order_neighbours(counts).tolist()
    [0, 3, 1, 2]
    """
    k = len(counts)
    if k < 3:
        return np.arange(k)
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-12)
    apart = 1.0 - np.clip(shares + shares.T, 0.0, 1.0)
    np.fill_diagonal(apart, 0.0)
    tree = linkage(squareform(apart, checks=False), method="average")
    return np.asarray(leaves_list(tree), dtype=np.intp)


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
    >>> round(uncertainty_coefficient([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    1.0
    >>> uncertainty_coefficient([0, 0, 1, 1], [0, 0, 1, 2], direction="pred-given-true")
    0.6666666666666666
    """
    check_choice("direction", direction, get_args(Direction))
    true, pred = _codes("y_true", y_true), _codes("y_pred", y_pred)
    if true.size != pred.size:
        raise wrong_shape("y_pred", pred, f"({true.size},), as y_true")
    # Not scikit-learn's homogeneity_score and the like, the same: they take a second to import.
    of_true, of_pred = _entropy(true), _entropy(pred)
    told = of_true + of_pred - _entropy(true * (pred.max() + 1) + pred)
    either = {"true-given-pred": of_true, "pred-given-true": of_pred}
    most = either.get(direction, (of_true + of_pred) / 2)
    return float(np.clip(told / most, 0, 1)) if most > 0 else 1.0


def _entropy(codes: Ints) -> float:
    shares = np.unique(codes, return_counts=True)[1] / codes.size
    return float(-(shares * np.log(shares)).sum())


def _codes(name: str, labels: ArrayLike) -> Ints:
    array = as_array(name, labels)
    if array.ndim != 1 or array.size == 0:
        raise wrong_shape(name, array, "(n_samples,), at least 1")
    missing = missing_entries(array)
    if missing.any():
        raise InvalidInput(
            f"{name}[{int(np.argmax(missing))}] is missing; leave out cases without a label."
        )
    comparable = array.astype(str) if array.dtype == object else array
    return np.asarray(np.unique(comparable, return_inverse=True)[1], dtype=np.intp)
