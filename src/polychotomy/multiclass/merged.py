"""Merged machines: many fitted two-class learners evaluated together ([M24]_ §5).

The kernels of a support vector machine are functions of dot products, which follow LIBSVM's
formulas: ``linear`` u·v, ``poly`` (γ u·v + c)^degree, ``sigmoid`` tanh(γ u·v + c), ``rbf``
exp(−γ (|u|² + |v|² − 2 u·v)).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import SVC, NuSVC
from sklearn.utils import check_array

from polychotomy.core.arguments import innermost, unexpected
from polychotomy.core.arrays import Floats, Ints, to_host
from polychotomy.core.chunks import in_chunks
from polychotomy.core.exceptions import InvalidInput


class MergedMachines(ABC):
    """Fitted two-class learners as one function; made by `merge_machines`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from polychotomy.multiclass import merge_machines
    >>> X = np.array([[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
    >>> machines = [RidgeClassifier(alpha=1e-9).fit(X[:2], [0, 1])]
    >>> machines += [RidgeClassifier(alpha=1e-9).fit(X[2:], [0, 1])]
    >>> merge_machines(machines).decision_function([[3.0, 5.0]]).round(6)
    array([[3., 5.]])
    """

    @abstractmethod
    def decision_function(self, X: ArrayLike) -> Floats:
        """Decision values (n, l): column i is what machine i gives for X, (n, d).

        Parameters
        ----------
        X : (n, d) array-like
            Samples.
        """


def merge_machines(machines: Sequence[Any]) -> MergedMachines:
    """Merge fitted two-class machines, so that all decision values are one matrix product.

    [M24]_ §5. Support vector machines of one kind of kernel share most of their support vectors:
    the union is kept once, its kernel with new samples is evaluated once, and a product with the
    matrix of dual coefficients gives every decision value. Machines whose γ differ (γ = "scale"
    on different samples) share the dot products and evaluate the kernel once for each γ. Linear
    machines, support vector machines with a linear or precomputed kernel among them, are stacked
    into one product. Values equal the machines' own to about 1e-12.

    Parameters
    ----------
    machines : sequence of fitted two-class learners
        Either `SVC` and `NuSVC` with one of the kernels "rbf", "poly" and "sigmoid", fitted on
        dense samples; or linear classifiers (`LogisticRegression`, `LinearSVC`, `SGDClassifier`,
        `RidgeClassifier`, `LinearDiscriminantAnalysis`, `SVC(kernel="linear")`, …).

    Returns
    -------
    MergedMachines
        With ``decision_function(X) -> (n, l)``.

    Raises
    ------
    InvalidInput
        The machines cannot be merged; the message names the first one and the reason.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from polychotomy.multiclass import merge_machines
    >>> X, y = load_iris(return_X_y=True)
    >>> machines = [SVC().fit(X, y == label) for label in range(3)]
    >>> merged = merge_machines(machines)
    >>> merged.decision_function(X).shape
    (150, 3)
    >>> alone = np.column_stack([machine.decision_function(X) for machine in machines])
    >>> bool(np.allclose(merged.decision_function(X), alone, rtol=0, atol=1e-9))
    True
    """
    if not isinstance(machines, Iterable):
        raise unexpected("machines", machines, "a sequence of fitted two-class machines")
    machines = list(machines)
    if machines and all(is_linear(machine) for machine in machines):
        return merge_linear_machines(machines)
    return merge_kernel_machines(machines)


MOST_NUMBERS = 30_000  # that a row is taken to occupy: products of fewer than 16 rows are slow


_DENSE = 0.1  # share of coefficients that are not zero above which a dense product is faster


@dataclass(frozen=True, eq=False)
class KernelGroup:
    """Machines with one and the same kernel."""

    kernel: Kernel
    machines: Ints  # which columns of the result
    vectors: Ints  # which rows of the union
    coefficients: Any  # (s, machines), dense or sparse


@dataclass(frozen=True, eq=False)
class MergedKernelMachines(MergedMachines):
    """Decision values from the union of support vectors, evaluated once."""

    vectors: Floats  # (s, d), distinct
    groups: tuple[KernelGroup, ...]
    intercepts: Floats  # (l,)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Decision values (n, l) of every machine for dense X, (n, d), in chunks of rows."""
        samples = as_samples(X, self.vectors.shape[1])
        squares: Floats = np.vecdot(self.vectors, self.vectors)

        def work(rows: Floats, _: int) -> Floats:
            products, norms = rows @ self.vectors.T, np.vecdot(rows, rows)
            values = np.empty((rows.shape[0], self.intercepts.size))
            for group in self.groups:
                part = products if len(self.groups) == 1 else products[:, group.vectors]
                kernel = group.kernel.apply(part, norms, squares[group.vectors])
                values[:, group.machines] = kernel @ group.coefficients
            values += self.intercepts
            return values

        numbers_each = min(2 * self.vectors.shape[0], MOST_NUMBERS)
        return in_chunks(np, work, samples, numbers_each=numbers_each)


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
    return KernelGroup(
        kernel, np.array(members), used, coefficients.toarray() if dense else coefficients
    )


def _distinct(rows: Floats) -> tuple[Floats, Ints]:
    """Distinct rows, and the place of each row among them."""
    rows += 0.0  # −0 and 0 are one number
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], inverse.ravel()


def _check_machine(number: int, machine: Any, first: Any) -> None:
    vectors: Any = getattr(machine, "support_vectors_", None)
    fitted = isinstance(machine, SVC | NuSVC) and isinstance(vectors, np.ndarray)
    if (
        fitted
        and len(machine.classes_) == 2
        and machine.kernel in ("rbf", "poly", "sigmoid")
        and machine.kernel == first.kernel
        and vectors.shape[1] == first.support_vectors_.shape[1]
    ):
        return
    raise InvalidInput(
        f"machine {number} ({type(machine).__name__}) cannot be merged: its kernel is "
        f"{getattr(machine, 'kernel', None)!r}, its classes are "
        f"{np.size(getattr(machine, 'classes_', ()))}, its support vectors "
        f"{type(vectors).__name__} of shape {np.shape(vectors)}. Expected "
        "fitted two-class SVCs with one kernel among 'rbf', 'poly', 'sigmoid' on dense samples "
        "of the same features, or linear classifiers only. Call its decision_function instead."
    )


# scikit-learn's linear classifiers inherit one decision function, X @ coef + intercept, from a
# mixin; a class that overrides it is not taken for linear.
_LINEAR_RULES = (LogisticRegression.decision_function, LinearDiscriminantAnalysis.decision_function)


_LOGISTIC_LINKS = (LogisticRegression.predict_proba, LinearDiscriminantAnalysis.predict_proba)


@dataclass(frozen=True, eq=False)
class MergedLinearMachines(MergedMachines):
    """Decision values X @ coefficients + intercepts."""

    coefficients: Floats  # (d, l)
    intercepts: Floats  # (l,)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Decision values (n, l) of every machine; X is dense or sparse, (n, d)."""
        kinds = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": None}
        samples = as_samples(X, self.coefficients.shape[0], **kinds)
        return np.asarray(samples @ self.coefficients + self.intercepts, dtype=np.float64)


def as_samples(X: Any, d: int, **kinds: Any) -> Any:
    """Return X as an array with d columns that the machines compute with."""
    X = X if isinstance(X, np.ndarray) or sparse.issparse(X) else to_host(X)
    samples = check_array(X, input_name="X", **({"dtype": np.float64, "order": "C"} | kinds))
    if samples.shape[1] != d:
        raise InvalidInput(
            f"X has {samples.shape[1]} features; the merged machines were fitted on {d}."
        )
    return samples


def is_linear(machine: Any) -> bool:
    """Whether a fitted machine has two classes and a decision function linear in X."""
    if np.size(getattr(machine, "classes_", ())) != 2:
        return False
    if isinstance(machine, SVC | NuSVC):
        return machine.kernel in ("linear", "precomputed")
    rule = getattr(type(machine), "decision_function", None)
    return rule in _LINEAR_RULES


def has_logistic_link(machine: Any) -> bool:
    """Whether the probabilities of a machine, or of a pipeline's last step, are logistic in X."""
    machine = innermost(machine)
    if isinstance(machine, SGDClassifier):
        return bool(machine.loss == "log_loss")
    return getattr(type(machine), "predict_proba", None) in _LOGISTIC_LINKS


def merge_linear_machines(machines: Sequence[Any]) -> MergedLinearMachines:
    """Stack linear machines; all must have been fitted on the same features."""
    normals = [_normal(machine) for machine in machines]
    for number, normal in enumerate(normals):
        if normal.size != normals[0].size:
            raise InvalidInput(
                f"machine {number} was fitted on {normal.size} features, machine 0 on "
                f"{normals[0].size}; expected the same features for all."
            )
    intercepts = np.array([float(np.ravel(machine.intercept_)[0]) for machine in machines])
    return MergedLinearMachines(np.ascontiguousarray(np.column_stack(normals)), intercepts)


def _normal(machine: Any) -> Floats:
    """Coefficients (d,) of one machine."""
    if isinstance(machine, SVC | NuSVC) and machine.kernel == "precomputed":
        coefficients = np.zeros(machine.shape_fit_[1])
        coefficients[machine.support_] = np.ravel(machine.dual_coef_)
        return coefficients
    coefficients = machine.coef_
    dense = coefficients.toarray() if hasattr(coefficients, "toarray") else coefficients
    return np.ravel(dense).astype(np.float64)


KERNELS = ("linear", "poly", "rbf", "sigmoid")


@dataclass(frozen=True)
class Kernel:
    """A kernel with its parameters; equal ones can be evaluated together."""

    name: str
    gamma: float
    degree: int
    coef0: float

    def apply(self, products: Floats, left: Floats, right: Floats) -> Floats:
        """Kernel values from dot products (n, s) and squared norms (n,), (s,); overwrites them."""
        if self.name == "linear":
            return products
        if self.name == "rbf":
            products *= 2.0 * self.gamma
            products -= (self.gamma * left)[:, None]
            products -= self.gamma * right
            np.minimum(products, 0.0, out=products)  # a squared distance is ≥ 0
            return np.exp(products, out=products)
        products *= self.gamma
        products += self.coef0
        if self.name == "sigmoid":
            return np.tanh(products, out=products)
        return products**self.degree


def kernel_of(machine: Any, gamma: float) -> Kernel:
    """Return the kernel of an SVC whose γ is ``gamma``; parameters that it ignores are set to 0."""
    name = machine.kernel
    has_gamma, has_coef0 = name != "linear", name in ("poly", "sigmoid")
    degree = int(machine.degree) if name == "poly" else 0
    coef0 = float(machine.coef0) if has_coef0 else 0.0
    return Kernel(name=name, gamma=gamma if has_gamma else 0.0, degree=degree, coef0=coef0)


def is_kernel_svc(machine: Any) -> bool:
    """Whether it is an SVC of scikit-learn's own, fitted or not, with one of LIBSVM's kernels."""
    return type(machine) in (SVC, NuSVC) and machine.kernel in KERNELS


def decide(machine: Any, X: Floats) -> Floats:
    """Decision values (n,) of a two-class SVC by one matrix product; LIBSVM goes row by row.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import SVC
    >>> from polychotomy.multiclass.merged import decide
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> machine = SVC().fit(X, [0, 0, 1, 1])
    >>> bool(np.allclose(decide(machine, X), machine.decision_function(X)))
    True
    """
    vectors = machine.support_vectors_
    left, right = np.vecdot(X, X), np.vecdot(vectors, vectors)
    values = kernel_of(machine, machine._gamma).apply(X @ vectors.T, left, right)
    return np.asarray(values @ machine.dual_coef_[0] + machine.intercept_[0])


def gamma_for(gamma: float | str, X: Any) -> float:
    """Return the γ that scikit-learn takes for training samples X: "scale", "auto" or a number.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.merged import gamma_for
    >>> gamma_for("scale", np.array([[0.0, 0.0], [2.0, 2.0]]))  # 1 / (2 features × variance 1)
    0.5
    """
    if gamma == "scale":
        sparse_x = sparse.issparse(X)
        variance = X.multiply(X).mean() - X.mean() ** 2 if sparse_x else X.var()
        return float(1.0 / (X.shape[1] * variance)) if variance != 0 else 1.0
    return 1.0 / X.shape[1] if gamma == "auto" else float(gamma)
