"""Merged machines: many fitted two-class learners evaluated together ([M24]_ §5)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import ArrayLike

from polychotomy.arrays import Floats
from polychotomy.exceptions import InvalidInput


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
    def decision_function(self, X: ArrayLike, *, n_jobs: int | None = None) -> Floats:
        """Decision values (n, l): column i is what machine i gives for X, (n, d).

        Parameters
        ----------
        X : (n, d) array-like
            Samples.
        n_jobs : int, optional
            Threads over chunks of samples, of kernel machines; linear ones are a single product.
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
    from polychotomy.multiclass.merged_kernels import merge_kernel_machines
    from polychotomy.multiclass.merged_linear import is_linear, merge_linear_machines

    if not isinstance(machines, Iterable):
        raise InvalidInput(
            f"machines is {machines!r}; expected a sequence of fitted two-class machines."
        )
    machines = list(machines)
    if machines and all(is_linear(machine) for machine in machines):
        return merge_linear_machines(machines)
    return merge_kernel_machines(machines)
