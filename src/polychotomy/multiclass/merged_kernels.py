"""Support vector machines merged on the union of their support vectors ([M24]_ §5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.svm import SVC, NuSVC
from sklearn.utils import check_array

from polychotomy.arrays import Floats, Ints
from polychotomy.decoding.arguments import like
from polychotomy.decoding.chunks import in_chunks
from polychotomy.exceptions import InvalidInput
from polychotomy.multiclass.elsewhere import check_elsewhere, is_elsewhere
from polychotomy.multiclass.kernels import Kernel, kernel_of
from polychotomy.multiclass.merged import MergedMachines

_MOST_NUMBERS = 30_000  # that a row is taken to occupy: products of fewer than 16 rows are slow
_DENSE = 0.1  # share of coefficients that are not zero above which a dense product is faster


@dataclass(frozen=True, eq=False)
class KernelGroup:
    """Machines with one and the same kernel."""

    kernel: Kernel
    machines: Ints  # which columns of the result
    vectors: Ints | slice  # which rows of the union
    coefficients: Any  # (s, machines), dense or sparse


@dataclass(frozen=True, eq=False)
class MergedKernelMachines(MergedMachines):
    """Decision values from the union of support vectors, evaluated once."""

    vectors: Floats  # (s, d), distinct
    groups: tuple[KernelGroup, ...]
    intercepts: Floats  # (l,)

    def decision_function(self, X: ArrayLike, *, n_jobs: int | None = None) -> Floats:
        """Decision values (n, l) of every machine for dense X, (n, d), in chunks of rows."""
        if is_elsewhere(X):
            samples = check_elsewhere(X, self.vectors.shape[1])
            xp = array_namespace(samples)
            return self._placed(xp, samples)._in_chunks(xp, samples, sum(self.vectors.shape), 1)
        samples = check_array(X, dtype=np.float64, order="C")
        if samples.shape[1] != self.vectors.shape[1]:
            raise InvalidInput(
                f"X has {samples.shape[1]} features; the merged machines were fitted on "
                f"{self.vectors.shape[1]}."
            )
        numbers_each = min(2 * self.vectors.shape[0], _MOST_NUMBERS)
        return self._in_chunks(np, samples, numbers_each, n_jobs)

    def _in_chunks(
        self, xp: ModuleType, samples: Floats, numbers_each: int, n_jobs: int | None
    ) -> Floats:
        squares: Floats = xp.vecdot(self.vectors, self.vectors, axis=-1)

        def work(rows: Floats, _: int) -> Floats:
            return self._decide(xp, rows, squares)

        return in_chunks(xp, lambda: work, samples, numbers_each=numbers_each, n_jobs=n_jobs)

    def _placed(self, xp: ModuleType, kind: Floats) -> MergedKernelMachines:
        """Return the same machines in the namespace and on the device of ``kind``."""
        groups = tuple(
            KernelGroup(
                group.kernel,
                group.machines,
                group.vectors
                if isinstance(group.vectors, slice)
                else xp.asarray(group.vectors, device=device(kind)),
                like(xp, _dense(group.coefficients), kind),
            )
            for group in self.groups
        )
        return MergedKernelMachines(
            like(xp, self.vectors, kind), groups, like(xp, self.intercepts, kind)
        )

    def _decide(self, xp: ModuleType, samples: Floats, squares: Floats) -> Floats:
        products, norms = samples @ self.vectors.T, xp.vecdot(samples, samples, axis=-1)
        values = []
        last = len(self.groups) - 1
        for number, group in enumerate(self.groups):
            chosen = group.vectors
            if isinstance(chosen, slice):
                part, right = products[:, chosen], squares[chosen]
                if number < last:
                    part = xp.asarray(part, copy=True)  # the kernel overwrites it
            else:
                part, right = xp.take(products, chosen, axis=1), xp.take(squares, chosen)
            values.append(group.kernel.apply(part, norms, right, xp) @ group.coefficients)
        if last == 0:
            return _plus(values[0], self.intercepts)
        order = np.argsort(np.concatenate([group.machines for group in self.groups]))
        together = xp.concat(values, axis=1)
        back = xp.asarray(order, device=device(together))
        return _plus(xp.take(together, back, axis=1), self.intercepts)


def _plus(values: Floats, intercepts: Floats) -> Floats:
    values += intercepts
    return values


def _dense(coefficients: Any) -> Floats:
    dense: Floats = (
        coefficients.toarray() if sparse.issparse(coefficients) else np.asarray(coefficients)
    )
    return dense


def merge_kernel_machines(machines: Sequence[Any]) -> MergedKernelMachines:
    """Merge SVCs with kernels "rbf", "poly" or "sigmoid" that were fitted on dense samples."""
    for number, machine in enumerate(machines):
        _check_machine(number, machine, machines[0])
    if not machines:
        raise InvalidInput("machines is empty; expected at least one fitted machine.")
    stacked = np.concatenate([machine.support_vectors_ for machine in machines])
    vectors, position = _distinct(np.ascontiguousarray(stacked, dtype=np.float64))
    sizes = [machine.support_vectors_.shape[0] for machine in machines]
    places = np.split(position, np.cumsum(sizes)[:-1])
    kernels = [kernel_of(machine, float(machine._gamma)) for machine in machines]
    groups = tuple(
        _group(kernel, [i for i, other in enumerate(kernels) if other == kernel], machines, places)
        for kernel in dict.fromkeys(kernels)
    )
    intercepts = np.array([float(machine.intercept_[0]) for machine in machines])
    return MergedKernelMachines(vectors, groups, intercepts)


def _group(
    kernel: Kernel, members: list[int], machines: Sequence[Any], places: list[Ints]
) -> KernelGroup:
    used, position = np.unique(np.concatenate([places[i] for i in members]), return_inverse=True)
    sizes = [places[i].size for i in members]
    columns = np.repeat(np.arange(len(members)), sizes)
    values = np.concatenate([np.ravel(machines[i].dual_coef_) for i in members])
    shape = (used.size, len(members))
    # Equal support vectors of one machine add up, as duplicates in a sparse matrix do.
    coefficients = sparse.csc_array((values, (position, columns)), shape=shape)
    dense = coefficients.nnz > _DENSE * shape[0] * shape[1]
    vectors: Ints | slice = used
    if used.size and used[-1] - used[0] + 1 == used.size:
        vectors = slice(int(used[0]), int(used[-1]) + 1)
    return KernelGroup(
        kernel, np.array(members), vectors, coefficients.toarray() if dense else coefficients
    )


def _distinct(rows: Floats) -> tuple[Floats, Ints]:
    """Distinct rows in order of appearance, and the place of each row among them."""
    rows += 0.0  # −0 and 0 are one number
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return rows[first[order]], rank[inverse.ravel()]


def _check_machine(number: int, machine: Any, first: Any) -> None:
    reason = _refusal(machine, first)
    if reason:
        raise InvalidInput(
            f"machine {number} ({type(machine).__name__}) cannot be merged: {reason}. Expected "
            "fitted two-class SVCs with one kernel among 'rbf', 'poly', 'sigmoid' on dense samples "
            "of the same features, or linear classifiers only. Call its decision_function instead."
        )


def _refusal(machine: Any, first: Any) -> str | None:
    if not isinstance(machine, SVC | NuSVC):
        return "it is neither an SVC nor linear, or not fitted, or has more than two classes"
    if not hasattr(machine, "support_vectors_"):
        return "it is not fitted"
    if len(machine.classes_) != 2:
        return f"it has {len(machine.classes_)} classes"
    if callable(machine.kernel) or machine.kernel not in ("rbf", "poly", "sigmoid"):
        return f"its kernel is {machine.kernel!r}"
    if machine.kernel != first.kernel:
        return f"its kernel is {machine.kernel!r}, that of machine 0 {first.kernel!r}"
    if sparse.issparse(machine.support_vectors_):
        return "it was fitted on sparse samples"
    if machine.support_vectors_.shape[1] != first.support_vectors_.shape[1]:
        return (
            f"it was fitted on {machine.support_vectors_.shape[1]} features, machine 0 on "
            f"{first.support_vectors_.shape[1]}"
        )
    return None
