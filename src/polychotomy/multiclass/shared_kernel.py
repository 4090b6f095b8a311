"""Training many SVCs on one matrix of kernel values ([M24]_ §5).

The dichotomies of a code, and the folds of each, train on the same samples again and again.
LIBSVM evaluates the kernel anew, a pair at a time, in every fit. Here all values are made from one
matrix product, for γ is that of all samples. They differ from LIBSVM's own by rounding alone.

**Where.** All dichotomies of a ±1 code train on the same samples, so that the kernel matrices of
these and of each fold serve them all: 1.4 to 3.6 times as fast from 30 features on
(docs/results/shared_kernel.md), where the matrices fit in scikit-learn's ``working_memory`` (1 GiB
unless set otherwise: some 4,000 samples and five folds); few features, whose kernel values are
cheap, are left to LIBSVM. All pairs of classes are trained so where they are calibrated
(`polychotomy.multiclass.pair_machines`), which asks for most of the matrix anyway. Other codes with
zeros have samples of their own for each dichotomy, and LIBSVM asks for few of their kernel values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import check_array

from polychotomy.core.arrays import Bools, Floats, Ints
from polychotomy.multiclass.merged import gamma_for, is_kernel_svc, kernel_of
from polychotomy.multiclass.training import PlainTrainer, Response

_FEATURES = 30  # from where on a kernel value costs LIBSVM more than copying one


@dataclass(frozen=True, eq=False)
class KernelTable:
    """Kernel values between samples X (n, d) under an SVC's kernel.

    ``kept`` (n, n) are those of all, or None: then they are made when asked for, and fits are
    LIBSVM's own.
    """

    estimator: Any
    X: Floats
    kept: Floats | None = None

    def keep(self) -> KernelTable:
        """Return the table with all values made."""
        every = np.arange(len(self.X))
        return replace(self, kept=self.at(every, every))

    def at(self, rows: Ints, columns: Ints) -> Floats:
        """Return the values between some samples and others, (r, c)."""
        every = np.arange(len(self.X))
        if self.kept is not None and all(np.array_equal(some, every) for some in (rows, columns)):
            return self.kept  # no copy
        if self.kept is not None:  # twice as fast as kept[np.ix_(rows, columns)]
            taken = self.kept.take(rows, axis=0, mode="clip")
            return taken.take(columns, axis=1, mode="clip")
        left, right = self.X[rows], self.X[columns]
        squares = np.vecdot(left, left), np.vecdot(right, right)
        kernel = kernel_of(self.estimator, gamma_for(self.estimator.gamma, self.X))
        return kernel.apply(left @ right.T, *squares)

    def fit(
        self, rows: Ints, labels: Any, params: dict[str, Any], matrix: Floats | None = None
    ) -> Any:
        """Fit an SVC on some samples, as a plain fit would; ``matrix`` are their values if made."""
        machine, X = clone(self.estimator), self.X[rows]
        if self.kept is None:
            return machine.fit(X, labels, **params)
        matrix = self.at(rows, rows) if matrix is None else matrix
        machine.set_params(kernel="precomputed").fit(matrix, labels, **params)
        machine.kernel, machine.support_vectors_ = self.estimator.kernel, X[machine.support_]
        machine._gamma = gamma_for(self.estimator.gamma, self.X)
        machine.shape_fit_, machine.n_features_in_ = X.shape, X.shape[1]
        return machine


class SharedKernelTrainer(PlainTrainer):
    """Fits SVCs on one table of kernel values; matrices of a fit's samples serve the next ones."""

    def __init__(self, plain: PlainTrainer, table: KernelTable, feature_names: Any) -> None:
        super().__init__(plain.estimator, plain.data, plain.labels)
        self.table = table
        self.feature_names = feature_names
        self._kept: dict[bytes, Floats] = {}

    def fit(self, rows: Ints, positive: Bools) -> Any:
        """Fit an SVC on ``rows``, as a plain fit would."""
        key = rows.tobytes()
        if key not in self._kept:
            self._kept[key] = self.table.at(rows, rows)
        labels = self.labels[positive[rows].astype(np.intp)]
        machine = self.table.fit(rows, labels, self.data.fit_params(rows), self._kept[key])
        if self.feature_names is not None:
            machine.feature_names_in_ = self.feature_names
        return machine

    def respond(self, learner: Any, fitted_on: Ints, rows: Ints, response: Response) -> Floats:
        """Decision values from the table."""
        if response != "decision_function":
            return super().respond(learner, fitted_on, rows, response)
        values = self.table.at(rows, fitted_on[learner.support_])
        return np.asarray(values @ learner.dual_coef_[0] + learner.intercept_[0])


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
    return SharedKernelTrainer(plain, KernelTable(estimator, X).keep(), feature_names)
