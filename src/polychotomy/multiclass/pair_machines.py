"""All pairs of classes from one fit of LIBSVM, which trains a machine for each pair in C.

Two-class fits of the same pairs spend hundreds of times as long on copying and checking small
arrays as on training. The machines differ from those in γ alone: "scale" is that of all samples,
as in `SVC` itself, so that one matrix of kernel values serves all pairs. (Each pair's own γ
would need as many matrices as there are pairs.)
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.svm import SVC
from sklearn.utils import check_array
from sklearn.utils.parallel import Parallel, delayed

from polychotomy.codes import one_vs_one
from polychotomy.core.arrays import Code, Floats, Ints
from polychotomy.core.chunks import cut, in_chunks
from polychotomy.multiclass.merged import (
    MOST_NUMBERS,
    MergedMachines,
    as_samples,
    is_kernel_svc,
    kernel_of,
)
from polychotomy.multiclass.shared_kernel import KernelTable
from polychotomy.multiclass.training import Fold, TrainingData


@dataclass(frozen=True, eq=False)
class PairMachines(MergedMachines, Sequence[Any]):
    """The two-class machines in an SVC that was fitted for k classes 0 … k−1.

    As a sequence, it makes the machine of a pair, in the order of `one_vs_one`, when asked for it.

    Parameters
    ----------
    machine : SVC or NuSVC
        Fitted on dense samples with a kernel of LIBSVM.
    codes : (n,) ints
        Classes of its training samples.
    feature_names : array or None
        What the two-class machines have as ``feature_names_in_``.
    """

    machine: Any
    codes: Ints
    feature_names: Any

    def decision_function(self, X: ArrayLike) -> Floats:
        """Decision values (n, k(k−1)/2), above 0 for the first class of a pair."""
        machine, k, vectors = self.machine, self.k, self.machine.support_vectors_
        samples = as_samples(X, vectors.shape[1])
        kernel, squares = kernel_of(machine, machine._gamma), np.vecdot(vectors, vectors)
        ends, (low, high) = np.cumsum(machine.n_support_), np.triu_indices(k, 1)

        def decide(rows: Floats, _: int) -> Floats:
            applied = kernel.apply(rows @ vectors.T, np.vecdot(rows, rows), squares)
            columns, sums = np.ascontiguousarray(applied.T), np.empty((k, k - 1, rows.shape[0]))
            # Support vectors stand class after class; row r of a class's coefficients is that
            # against the r-th of the *other* classes.
            for label, (end, size) in enumerate(zip(ends, machine.n_support_, strict=True)):
                own = slice(end - size, end)
                np.matmul(machine.dual_coef_[:, own], columns[own], out=sums[label])
            values = sums[low, high - 1]  # whole rows: columns of (n, pairs) take twice as long
            values += sums[high, low]
            values += machine.intercept_[:, None]
            return values.T

        numbers_each = min(2 * vectors.shape[0] + 3 * len(self), MOST_NUMBERS)
        return in_chunks(np, decide, samples, numbers_each=numbers_each)

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.machine.classes_)

    def __len__(self) -> int:
        return int(self.machine.intercept_.size)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[i] for i in range(len(self))[number]]
        return self._machine_of(range(len(self))[number])

    def _machine_of(self, number: int) -> Any:
        """Return the SVC that says 1 for the first class of a pair, and 0 for the second."""
        whole, ends = self.machine, np.cumsum(self.machine.n_support_)
        positive, negative = (int(side[number]) for side in np.triu_indices(self.k, 1))
        places, coefficients = [], []
        for label, row in ((negative, positive), (positive, negative - 1)):
            place = np.arange(ends[label] - whole.n_support_[label], ends[label])
            place = place[whole.dual_coef_[row, place] != 0]
            places.append(place)
            coefficients.append(whole.dual_coef_[row, place])
        members = np.flatnonzero(np.isin(self.codes, (positive, negative)))
        both, one = np.concatenate(places), copy(whole)
        one.gamma, one.classes_ = whole._gamma, np.array([0, 1])
        one.class_weight_ = np.ones(2)
        one.support_ = np.searchsorted(members, whole.support_[both]).astype(np.int32)
        one.support_vectors_ = whole.support_vectors_[both]
        one._n_support = np.array([place.size for place in places], dtype=np.int32)
        one.dual_coef_ = np.concatenate(coefficients)[None]
        one.intercept_ = whole.intercept_[[number]]
        one._dual_coef_, one._intercept_ = -one.dual_coef_, -one.intercept_  # as LIBSVM has them
        one.n_iter_ = one._num_iter = whole.n_iter_[[number]]
        one.shape_fit_ = (members.size, whole.support_vectors_.shape[1])
        if self.feature_names is not None:
            one.feature_names_in_ = self.feature_names
        return one


def pair_numbers(k: int) -> Ints:
    """Return the rows of `one_vs_one` (k, k−1) in which each class stands, by the other class.

    Examples
    --------
    >>> from polychotomy.multiclass.pair_machines import pair_numbers
    >>> pair_numbers(3)
    array([[0, 1],
           [0, 2],
           [1, 2]])
    """
    numbers = np.zeros((k, k), dtype=np.intp)
    low, high = np.triu_indices(k, 1)
    numbers[low, high] = numbers[high, low] = np.arange(low.size)
    return numbers[~np.eye(k, dtype=np.bool_)].reshape(k, k - 1)


# Of a class on average, as for fewer folds: of 30 each, log loss was 0.8 % lower than with three
# folds over 23 sets, of 10 each as low, of 4 each 4 % higher than with five. (A sample out of few
# changes which of the others are free.) A matrix of the sigmoid kernel has no inverse; and with the
# linear kernel, whose free support vectors span all there is, log loss was 2 % higher so (rbf:
# 0.7 % lower, poly: 1 %).
_FEWEST_LEFT_OUT, _LEFT_OUT = 30, ("poly", "rbf")
_MOST_KEPT = 5000  # samples in all: a matrix of 200 MB of kernel values
_SPAN_RIDGE = 1e-8


def leave_one_out(machines: PairMachines, kernel: Floats, bounds: Floats) -> Floats:
    """Return each training sample's decision values (n, k−1) by its class's pairs without it.

    No machine is fitted for that: without a sample, its value is lower by α·S², S its distance from
    what the free support vectors span ([VC00]_, [OW00]_), as long as the others stay free or at
    their bounds. (Pairs of other classes have not seen the sample anyway.) The intercept moves, but
    not freely: its square is penalised like a coefficient of a constant of the kernel's size.

    Parameters
    ----------
    machines : PairMachines
        Fitted on n samples.
    kernel : (n, n) floats
        Their kernel values; overwritten.
    bounds : (n,) floats
        The largest α of each sample.

    References
    ----------
    .. [VC00] V. Vapnik & O. Chapelle, Bounds on error expectation for support vector machines,
       Neural Computation 12 (2000).
    .. [OW00] M. Opper & O. Winther, Gaussian processes and SVM: mean field and leave-one-out,
       Advances in Large Margin Classifiers (2000).
    """
    whole, which = machines.machine, pair_numbers(machines.k)[machines.codes]
    coefficients, span = np.zeros(which.shape), np.zeros(which.shape)
    coefficients[whole.support_] = whole.dual_coef_.T
    values = _own_values(kernel, coefficients, machines.codes) + whole.intercept_[which]
    diagonal = kernel.diagonal().copy()
    kernel += diagonal.mean()
    lengths = kernel.diagonal().copy()
    kernel.flat[:: len(kernel) + 1] += _SPAN_RIDGE * diagonal.mean()
    rows, columns = np.nonzero(coefficients)
    bound = np.abs(coefficients[rows, columns]) >= bounds[rows] * (1 - 1e-9)
    group = 2 * which[rows, columns] + bound  # of each pair, the free ones first
    order = np.argsort(group, kind="stable")
    rows, columns, found = rows[order], columns[order], np.empty(order.size)
    edges = np.searchsorted(group[order], np.arange(2 * len(machines) + 1)).tolist()
    for start, stop, end in zip(edges[:-1:2], edges[1::2], edges[2::2], strict=True):
        own, held = rows[start:stop], rows[stop:end]
        inverse = np.linalg.inv(kernel[own[:, None], own])
        found[start:stop] = 1 / inverse.diagonal()
        if stop < end:
            across = kernel[held[:, None], own]
            found[stop:end] = lengths[held] - np.vecdot(across @ inverse, across)
    span[rows, columns] = found
    return np.asarray(values - coefficients * np.clip(span, 0.0, diagonal[:, None]))


def _own_values(kernel: Floats, coefficients: Floats, codes: Ints) -> Floats:
    """Sum kernel values (n, n) for the pairs of each sample's own class, (n, k−1)."""
    values, order = np.empty(coefficients.shape), np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(coefficients.shape[1] + 1))
    for label in range(starts.size):
        own = np.flatnonzero(codes == label)
        column = np.minimum(label - (codes < label), starts.size - 2)
        near, against = kernel[own], coefficients[np.arange(codes.size), column]
        sums = np.add.reduceat((near * against)[:, order], starts, axis=1)
        values[own] = near[:, own] @ coefficients[own] + np.delete(sums, label, axis=1)
    return values


_TOGETHER = 5_000_000  # scores at a time


def _leave_fold_out(machines: PairMachines, test: Ints, X: Floats, codes: Ints) -> Floats:
    """Return what the pairs of their own class say of samples not trained on, (m, k−1)."""
    values = np.empty((test.size, machines.k - 1))
    for part in cut(test.size, 1 + _TOGETHER // len(machines)):
        which = pair_numbers(machines.k)[codes[test[part]]]
        said = machines.decision_function(X[test[part]])
        values[part] = np.take_along_axis(said, which, axis=1)
    return values


def fit_pairs(
    estimator: Any,
    data: TrainingData,
    code: Code,
    folds: Sequence[Fold],
    one_out: bool,
    n_jobs: int | None,
    feature_names: Any,
) -> tuple[PairMachines, Ints, Floats] | None:
    """Return the machines of all samples, who was left out, (m,), and their decision values.

    These are by the pairs of their own class, (m, k−1), from a fit on each of the folds, or if
    ``one_out`` and where that can be, from the machines themselves. All get their kernel values
    from one matrix, where that has room: LIBSVM evaluates each anew for every pair and fold.

    It takes the code of all pairs, plain `SVC` and `NuSVC` with a kernel of LIBSVM, and dense X;
    else it returns None. Where LIBSVM fails, too: pairs that are fitted alone say where.
    """
    k, codes, used = code.shape[1], data.codes, data.weights > 0
    if not is_kernel_svc(estimator) or hasattr(data.X, "tocsr") or data.repeats is not None:
        return None
    if k < 3 or not np.array_equal(code, one_vs_one(k)):
        return None
    whole, alone = np.flatnonzero(used), type(estimator) is SVC and estimator.kernel in _LEFT_OUT
    one_out &= bool(folds) and alone and _FEWEST_LEFT_OUT * k <= codes.size <= _MOST_KEPT
    folds = [(train[used[train]], test[used[test]]) for train, test in folds if used[test].any()]
    parts = [whole, *(train for train, _ in folds if not one_out)]
    if any(np.bincount(codes[rows], minlength=k).min() == 0 for rows in parts):
        return None
    try:
        X = check_array(data.X, dtype=np.float64, order="C", estimator=estimator, input_name="X")
        table = KernelTable(estimator, X)
        if folds and codes.size <= _MOST_KEPT:
            table = table.keep()
        fits = Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(table.fit)(rows, codes[rows], data.fit_params(rows)) for rows in parts
        )
    except Exception:  # of whatever kind: the same learner will raise it again, for one pair
        return None
    machines, *again = (
        PairMachines(fit, codes[rows], feature_names) for fit, rows in zip(fits, parts, strict=True)
    )
    if one_out:
        bounds = estimator.C * data.fit_params(whole).get("sample_weight", np.ones(whole.size))
        some = (np.bincount(codes[whole]) > 1)[codes[whole]]  # not the only member of a class
        left_out = leave_one_out(machines, table.at(whole, whole), bounds)
        return machines, whole[some], left_out[some]
    tests, own = [whole[:0]], [np.empty((0, k - 1))]
    for machine, (_, test) in zip(again, folds, strict=True):
        tests.append(test)
        own.append(_leave_fold_out(machine, test, X, codes))
    return machines, np.concatenate(tests), np.concatenate(own)
