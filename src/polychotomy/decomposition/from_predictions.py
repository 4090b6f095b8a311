"""T96 eqs. (31)–(33): what the error of nearest neighbours says about the Bayes error.

Warning: Cover and Hart's inequality is about the limit of 1-NN with endless data. At n cases it is
no bound: on ten real data sets it lay above the error of a known classifier, and so was false, in
90 % of cases at n = 150 and 400. It is the paper's quantity, not noise that nobody can remove.
"""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polychotomy.core.arguments import (
    as_array,
    as_floats,
    check_classes,
    check_codes,
    check_entries,
    unexpected,
    wrong_shape,
)
from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition.accumulation import Block, average_fits, make_block, summarise
from polychotomy.decomposition.error_decomposition import ErrorDecomposition
from polychotomy.decomposition.losses import Loss, LossLike, is_named, resolve_loss


def cover_hart_bound(nearest_neighbour_error: float, k: int) -> float:
    """Lower limit of the Bayes error from the error of 1-NN (T96 eq. 32).

    The inverse of Cover and Hart's PE_NN ≤ PE_B (2 − PE_B / α), α = (k − 1) / k; the paper prints
    it with 1 for 2. An error above α, worse than guessing, gives α. It speaks of the limit of
    1-NN: at finite n it is often above the true Bayes error, so never call it a noise floor. It
    is stated for misclassification; as 1 − max p ≤ 1 − Σ p² ≤ −2 Σ p log p it holds in the same
    sense, if weakly, for the squared loss and the deviance.

    Parameters
    ----------
    nearest_neighbour_error : float
        Misclassification rate of 1-NN, from 0 to 1.
    k : int
        Number of classes, two or more.

    Examples
    --------
    >>> from polychotomy.decomposition import cover_hart_bound
    >>> round(cover_hart_bound(0.32, k=2), 12)  # 0.32 = 0.2 (2 − 0.2 / 0.5)
    0.2
    >>> cover_hart_bound(0.6, k=2)
    0.5
    """
    k = check_classes(k)
    if not isinstance(nearest_neighbour_error, Real) or not 0.0 <= nearest_neighbour_error <= 1.0:
        expected = "a misclassification rate from 0 to 1"
        raise unexpected("nearest_neighbour_error", nearest_neighbour_error, expected)
    alpha = (k - 1) / k
    return alpha - math.sqrt(alpha * max(0.0, alpha - float(nearest_neighbour_error)))


_BLOCK = 2**17  # predictions of a block of samples: a megabyte, which stays in the cache


def decompose_predictions(
    predictions: ArrayLike,
    in_bag: ArrayLike,
    y: ArrayLike,
    *,
    loss: LossLike = "misclassification",
    nearest_neighbour_error: float | None = None,
) -> ErrorDecomposition:
    """Split the error of a learner into its parts, from predictions of its bootstrap fits.

    T96 eqs. (24)–(33), with the variance by eq. (11). Only predictions out of bag are read.

    Parameters
    ----------
    predictions : (b, n, k) array-like
        Class probabilities, or ones and zeros for votes, of each fit for each sample. Arrays of
        PyTorch, CuPy and the like are copied to NumPy.
    in_bag : (b, n) array-like of ints
        How often each sample is in each fit's bootstrap sample; 0 means out of bag.
    y : (n,) ints or texts
        True class codes, 0 to k − 1, or labels, the columns being those of the sorted labels.
    loss : {"misclassification", "squared", "deviance"} or Loss
        Q1, Q2, Q3 of the paper, or a loss of your own, checked by :func:`check_loss`. Under
        misclassification, classes within 1e-9 of the highest probability tie (1e-6 for
        predictions in single precision) and share the vote (eq. 41).
    nearest_neighbour_error : float, optional
        Misclassification rate of 1-NN for the Bayes bound of eq. (32), to be read with
        :func:`cover_hart_bound`'s warning. Without it ``bayes_bound`` is 0.

    Returns
    -------
    ErrorDecomposition
        Overall, a class and a sample, with Monte-Carlo errors and intervals.

    Examples
    --------
    A classifier that says the right class in 2 of 5 fits; bagging it is always wrong (T96 §2):

    >>> import numpy as np
    >>> from polychotomy.decomposition import decompose_predictions
    >>> votes = np.array([[[1, 0]], [[1, 0]], [[0, 1]], [[0, 1]], [[0, 1]]])
    >>> budget = decompose_predictions(votes, np.zeros((5, 1)), [0])
    >>> round(budget.error, 3), budget.aggregated_error, round(budget.aggregation_effect, 3)
    (0.6, 1.0, -0.4)
    """
    array, counts, codes = _check_arrays(predictions, in_bag, y)
    k = array.shape[2]
    chosen = resolve_loss(loss, k, array.dtype)
    bound = resolve_bound(nearest_neighbour_error, chosen, k)
    blocks = _blocks(array, counts == 0, codes, chosen)
    return ErrorDecomposition(
        loss=chosen.name,
        classes=tuple(str(code) for code in range(k)),
        n_bootstraps=len(array),
        bayes_bound=bound,
        **summarise(blocks, codes, chosen),
    )


def resolve_bound(nearest_neighbour_error: float | None, loss: Loss, k: int) -> float:
    """Return the Bayes bound of eq. (32), or 0 without an error of 1-NN.

    Examples
    --------
    >>> from polychotomy.decomposition import Squared
    >>> resolve_bound(None, Squared(), 3)
    0.0
    """
    if nearest_neighbour_error is None:
        return 0.0
    if not is_named(loss):
        raise InvalidInput(
            f"nearest_neighbour_error is {nearest_neighbour_error!r} with loss {loss.name!r}; eq. "
            "(32) bounds the misclassification, squared and deviance losses only. Leave it out."
        )
    return cover_hart_bound(nearest_neighbour_error, k)


def _blocks(array: NDArray[np.generic], mask: Bools, y: Ints, loss: Loss) -> list[Block]:
    b, n, k = array.shape
    size = max(64, _BLOCK // (b * k))
    blocks = []
    for start in range(0, n, size):
        part = slice(start, start + size)
        planes = check_planes(np.moveaxis(array[:, part], -1, 0), mask[:, part], start=start)
        blocks.append(make_block(average_fits(planes, mask[:, part], loss), y[part], loss))
    return blocks


@np.errstate(invalid="ignore")  # ∞ − ∞ sums to NaN, which is refused like it
def check_planes(planes: NDArray[np.generic], mask: Bools, *, start: int = 0) -> Floats:
    """Return predictions (k, b, n) as probabilities, or name the first that is not one.

    What is in bag is not read: where it is no probability it becomes 1 / k. ``start`` is the
    number of the first sample.

    Examples
    --------
    >>> import numpy as np
    >>> check_planes(np.array([[[0.5, 7]], [[0.5, np.nan]]]), np.array([[True, False]])).tolist()
    [[[0.5, 0.5]], [[0.5, 0.5]]]
    """
    rounding = 1e-6 if planes.dtype.itemsize >= 8 or planes.dtype.kind != "f" else 1e-3
    probabilities = planes.astype(np.float64, order="C")
    fine = np.abs(probabilities.sum(axis=0) - 1.0) <= rounding
    fine &= probabilities.min(axis=0) >= -rounding
    if not fine.all():
        for fit, sample in np.argwhere(mask & ~fine)[:1]:
            row = probabilities[:, fit, sample]
            raise InvalidInput(
                f"predictions[{fit}, {start + sample}] is {np.round(row[:8], 6).tolist()}, "
                f"which sums to {row.sum():.6g}; expected probabilities from 0 to 1 that sum to 1. "
                "Normalise each row, and leave out fits that failed."
            )
        np.copyto(probabilities, 1.0 / len(planes), where=~fine)
    np.maximum(probabilities, 0.0, out=probabilities)
    if rounding > 1e-6:  # single precision sums to 1 to seven digits, and variances have fifteen
        probabilities /= probabilities.sum(axis=0)
    return probabilities


def _check_arrays(
    predictions: ArrayLike, in_bag: ArrayLike, y: ArrayLike
) -> tuple[NDArray[np.generic], Ints, Ints]:
    array = as_array("predictions", predictions)
    if array.ndim != 3 or not array.size or array.shape[2] < 2 or array.dtype.kind not in "fiub":
        raise InvalidInput(
            f"predictions has shape {array.shape} and type {array.dtype}; expected numbers of "
            "shape (b, n, k): fits, samples and at least two classes. For labels pass "
            "np.eye(k)[labels]."
        )
    b, n, k = array.shape
    counts = check_counts(in_bag, (b, n))
    return array, counts, check_codes(y, n=n, k=k)


def check_counts(in_bag: ArrayLike, shape: tuple[int, int]) -> Ints:
    """Return how often each sample is in each bootstrap sample, and somewhere is not.

    Examples
    --------
    >>> check_counts([[2, 0]], (1, 2))
    array([[2, 0]])
    """
    counts = as_floats("in_bag", in_bag)
    if counts.shape != shape:
        raise wrong_shape("in_bag", counts, f"{shape}, a row for each fit of predictions")
    whole = (counts >= 0) & (counts < np.inf) & (counts == np.floor(counts))
    expected = "how often the sample is in the bootstrap sample, a whole number of 0 or more"
    check_entries("in_bag", counts, whole, expected)
    if counts.min() > 0:
        raise InvalidInput(
            "in_bag has no zero: no sample is out of bag in any of the fits, so nothing can be "
            "estimated; expected about 37 % zeros. Draw more bootstrap samples."
        )
    return counts.astype(np.intp)
