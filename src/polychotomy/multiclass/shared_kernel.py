"""Training many SVCs on one matrix of dot products ([M24]_ §5).

The dichotomies of a code, and the folds of each, train on the same samples again and again.
LIBSVM evaluates the kernel anew, a pair at a time, in every fit. Here the dot products are one
matrix product, and each fit gets its kernel matrix from them (γ = "scale" depends on the samples
of the fit, so it is the products that are shared, not the kernel).

**The results are those of plain fits, to the last bit.** LIBSVM keeps kernel values in single
precision. A value computed here in another order of summation rounds to the same single-precision
number unless it lies within the summation error of a rounding boundary; those few entries (some
ten in a million) are found and computed again in LIBSVM's own order. Where that would be too many
(features with a huge common offset), the fit is left to LIBSVM.

**Where.** All dichotomies of a ±1 code train on the same samples, so that the kernel matrices of
these and of each fold serve them all: 1.4 to 3.6 times as fast from 30 features on
(docs/results/shared_kernel.md), where the matrices fit in scikit-learn's ``working_memory`` (1 GiB
unless set otherwise: some 4,000 samples and five folds). Codes with zeros, such as one-vs-one, have
samples of their own for each dichotomy, and LIBSVM asks for few of their kernel values: they, and
few features, whose kernel values are cheap, are left to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.svm import SVC, NuSVC
from sklearn.utils import check_array

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.multiclass.merged import KERNELS, Kernel, gamma_for, kernel_of
from polychotomy.multiclass.training import PlainTrainer, Response

_REDONE_PER_ROW = 20  # entries computed again in LIBSVM's order; beyond, sharing does not pay

_FEATURES = 30  # from where on a kernel value costs LIBSVM more than copying one

_ROWS = 256  # rows of the kernel matrix looked at together


class SharedKernelTrainer:
    """Fits SVCs on kernel matrices made from shared dot products, and kept for the next fits."""

    def __init__(self, plain: PlainTrainer, X: Floats, feature_names: Any) -> None:
        self.plain = plain
        self.X = X
        self.feature_names = feature_names
        self.products = X @ X.T
        self._kept: dict[bytes, Floats | None] = {}

    def fit(self, rows: Ints, positive: Bools) -> Any:
        """Fit an SVC on ``rows``, equal to a plain fit in every attribute."""
        estimator, X, key = self.plain.estimator, self.X[rows], rows.tobytes()
        gamma = gamma_for(estimator.gamma, X)
        if key not in self._kept:
            products = _block(self.products, rows, rows)
            self._kept[key] = gram_matrix(kernel_of(estimator, gamma), X, products)
        gram = self._kept[key]
        if gram is None:
            return self.plain.fit(rows, positive)
        params = self.plain.data.fit_params(rows)
        labels = self.plain.labels[positive[rows].astype(np.intp)]
        machine = clone(estimator).set_params(kernel="precomputed").fit(gram, labels, **params)
        return _as_if_plain(machine, estimator.kernel, gamma, X, self.feature_names)

    def respond(self, learner: Any, fitted_on: Ints, rows: Ints, response: Response) -> Floats:
        """Decision values from the shared products."""
        if response != "decision_function":
            return self.plain.respond(learner, fitted_on, rows, response)
        support = fitted_on[learner.support_]
        products = _block(self.products, rows, support)
        kernel = kernel_of(learner, learner._gamma)
        squares = self.products.diagonal()
        values = kernel.apply(products, squares[rows], squares[support])
        return np.asarray(values @ learner.dual_coef_[0] + learner.intercept_[0])


def share_kernel(
    plain: PlainTrainer, *, matrices: int, feature_names: Any
) -> SharedKernelTrainer | None:
    """Return a trainer that shares so many matrices, or None where that is not possible.

    It takes plain `SVC` and `NuSVC` with a kernel of LIBSVM and dense X. Subclasses, callable and
    precomputed kernels, and learners that would have to repeat rows are left alone.
    """
    estimator, data = plain.estimator, plain.data
    if type(estimator) not in (SVC, NuSVC) or estimator.kernel not in KERNELS:
        return None
    if isinstance(estimator.gamma, str) and estimator.gamma not in ("scale", "auto"):
        return None  # scikit-learn says what is wrong with it
    if estimator.get_params().get("probability") is True:
        return None  # its hidden cross-validation needs the samples themselves
    if hasattr(data.X, "tocsr") or data.pairwise or data.repeats is not None:
        return None
    room = get_config()["working_memory"] * 2**20 - 8 * (matrices + 2) * data.X.shape[0] ** 2
    if data.X.shape[1] < _FEATURES or room < 0:
        return None
    X = check_array(data.X, dtype=np.float64, order="C", estimator=estimator, input_name="X")
    return SharedKernelTrainer(plain, X, feature_names)


def gram_matrix(kernel: Kernel, X: Floats, products: Floats) -> Floats | None:
    """Kernel matrix that LIBSVM rounds as it rounds its own; None where that costs too much.

    ``products`` are X @ X.T in any order of summation, and are overwritten.
    """
    squares = products.diagonal().copy()
    # |a sum in one order − in another| ≤ 2 d ε |u||v|; for rbf it enters twice, with the norms'.
    slack = 4.0 * (X.shape[1] + 4) * np.finfo(np.float64).eps * float(squares.max(initial=0.0))
    if kernel.name == "rbf" and kernel.gamma * slack > 1.0:
        return None
    unsure_pairs: list[tuple[int, int]] = []
    out = np.empty_like(products)
    for start in range(0, X.shape[0], _ROWS):
        block = slice(start, start + _ROWS)
        unsure = _evaluate(kernel, products[block], squares[block], squares, slack, out[block])
        found = np.argwhere(unsure) + (start, 0)
        unsure_pairs.extend(map(tuple, found.tolist()))
        if len(unsure_pairs) > _REDONE_PER_ROW * X.shape[0]:
            return None
    for i, j in unsure_pairs:
        if i <= j:
            out[i, j] = out[j, i] = kernel.at(X[i], X[j])
    for i in range(X.shape[0]):  # LIBSVM keeps the diagonal in double precision
        out[i, i] = 1.0 if kernel.name == "rbf" else kernel.at(X[i], X[i])
    return out


def _evaluate(
    kernel: Kernel, products: Floats, left: Floats, right: Floats, slack: float, out: Floats
) -> Bools:
    """Write kernel values to ``out``; tell which may round differently in single precision."""
    if kernel.name == "rbf":
        out[:] = kernel.apply(products, left, right)
        spread = np.expm1(kernel.gamma * slack) + 4 * np.finfo(np.float64).eps
        low, high = out * (1 - spread), out * (1 + spread)
    else:
        low = kernel.apply(products - slack, left, right)
        high = kernel.apply(products + slack, left, right)
        out[:] = kernel.apply(products, left, right)
        margin = 4 * np.finfo(np.float64).eps * np.abs(out)  # rounding of the formula itself
        low, high = np.minimum(low, high) - margin, np.maximum(low, high) + margin
    with np.errstate(over="ignore", under="ignore"):
        unsure: Bools = low.astype(np.float32) != high.astype(np.float32)
    if kernel.name == "poly":  # an even power turns where its base, now in products, is near 0
        unsure |= np.abs(products) <= abs(kernel.gamma) * slack
    return unsure


def _block(matrix: Floats, rows: Ints, columns: Ints) -> Floats:
    """Return a copy of some rows and columns; twice as fast as ``matrix[np.ix_(…)]``."""
    return matrix.take(rows, axis=0, mode="clip").take(columns, axis=1, mode="clip")


def _as_if_plain(machine: Any, kernel: str, gamma: float, X: Floats, feature_names: Any) -> Any:
    """Turn a machine fitted on a kernel matrix into the one fitted on X itself."""
    machine.set_params(kernel=kernel)
    machine._gamma = gamma
    machine.support_vectors_ = X[machine.support_]
    machine.shape_fit_ = X.shape
    machine.n_features_in_ = X.shape[1]
    if feature_names is not None:
        machine.feature_names_in_ = feature_names
    return machine
