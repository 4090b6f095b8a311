"""Training many SVCs on one matrix of dot products ([M24]_ §5).

The dichotomies of a code, and the folds of each, train on the same samples again and again.
LIBSVM evaluates the kernel anew, a pair at a time, in every fit. Here the dot products are one
matrix product, and each fit gets its kernel matrix from them (γ = "scale" depends on the samples
of the fit, so it is the products that are shared, not the kernel). Kernel values differ from
LIBSVM's own by rounding alone.

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
from sklearn.utils import check_array

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.multiclass.merged import gamma_for, is_kernel_svc, kernel_of
from polychotomy.multiclass.training import PlainTrainer, Response

_FEATURES = 30  # from where on a kernel value costs LIBSVM more than copying one


class SharedKernelTrainer(PlainTrainer):
    """Fits SVCs on kernel matrices made from shared dot products, and kept for the next fits."""

    def __init__(self, plain: PlainTrainer, X: Floats, feature_names: Any) -> None:
        super().__init__(plain.estimator, plain.data, plain.labels)
        self.X = X
        self.feature_names = feature_names
        self.products = X @ X.T
        self._kept: dict[bytes, Floats] = {}

    def fit(self, rows: Ints, positive: Bools) -> Any:
        """Fit an SVC on ``rows``, as a plain fit would."""
        X, key = self.X[rows], rows.tobytes()
        gamma = gamma_for(self.estimator.gamma, X)
        if key not in self._kept:
            self._kept[key] = self._kernel_values(self.estimator, gamma, rows, rows)
        labels = self.labels[positive[rows].astype(np.intp)]
        machine = clone(self.estimator).set_params(kernel="precomputed")
        machine.fit(self._kept[key], labels, **self.data.fit_params(rows))
        machine.set_params(kernel=self.estimator.kernel)
        machine._gamma, machine.support_vectors_ = gamma, X[machine.support_]
        machine.shape_fit_, machine.n_features_in_ = X.shape, X.shape[1]
        if self.feature_names is not None:
            machine.feature_names_in_ = self.feature_names
        return machine

    def respond(self, learner: Any, fitted_on: Ints, rows: Ints, response: Response) -> Floats:
        """Decision values from the shared products."""
        if response != "decision_function":
            return super().respond(learner, fitted_on, rows, response)
        values = self._kernel_values(learner, learner._gamma, rows, fitted_on[learner.support_])
        return np.asarray(values @ learner.dual_coef_[0] + learner.intercept_[0])

    def _kernel_values(self, machine: Any, gamma: float, rows: Ints, columns: Ints) -> Floats:
        # Twice as fast as products[np.ix_(rows, columns)].
        products = self.products.take(rows, axis=0, mode="clip")
        products = products.take(columns, axis=1, mode="clip")
        squares = self.products.diagonal()
        return kernel_of(machine, gamma).apply(products, squares[rows], squares[columns])


def share_kernel(
    plain: PlainTrainer, *, matrices: int, feature_names: Any
) -> SharedKernelTrainer | None:
    """Return a trainer that shares so many matrices, or None where that is not possible.

    It takes plain `SVC` and `NuSVC` with a kernel of LIBSVM and dense X. Subclasses, callable and
    precomputed kernels, and learners that would have to repeat rows are left alone.
    """
    estimator, data = plain.estimator, plain.data
    if not is_kernel_svc(estimator) or estimator.get_params().get("probability") is True:
        return None  # whose hidden cross-validation needs the samples themselves
    if isinstance(estimator.gamma, str) and estimator.gamma not in ("scale", "auto"):
        return None  # scikit-learn says what is wrong with it
    if hasattr(data.X, "tocsr") or data.pairwise or data.repeats is not None:
        return None
    room = get_config()["working_memory"] * 2**20 - 8 * (matrices + 2) * data.X.shape[0] ** 2
    if data.X.shape[1] < _FEATURES or room < 0:
        return None
    X = check_array(data.X, dtype=np.float64, order="C", estimator=estimator, input_name="X")
    return SharedKernelTrainer(plain, X, feature_names)
