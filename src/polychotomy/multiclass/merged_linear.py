"""Linear machines stacked into one matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import ArrayLike
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import SVC, NuSVC
from sklearn.utils import check_array

from polychotomy.arrays import Floats
from polychotomy.decoding.arguments import like
from polychotomy.exceptions import InvalidInput
from polychotomy.multiclass.elsewhere import check_elsewhere, is_elsewhere
from polychotomy.multiclass.merged import MergedMachines

# scikit-learn's linear classifiers inherit one decision function, X @ coef + intercept, from a
# mixin; a class that overrides it is not taken for linear.
_LINEAR_RULES = (LogisticRegression.decision_function, LinearDiscriminantAnalysis.decision_function)
_LOGISTIC_LINKS = (LogisticRegression.predict_proba, LinearDiscriminantAnalysis.predict_proba)


@dataclass(frozen=True, eq=False)
class MergedLinearMachines(MergedMachines):
    """Decision values X @ coefficients + intercepts."""

    coefficients: Floats  # (d, l)
    intercepts: Floats  # (l,)

    def decision_function(self, X: ArrayLike, *, n_jobs: int | None = None) -> Floats:
        """Decision values (n, l) of every machine; X is dense or sparse, (n, d)."""
        if is_elsewhere(X):
            placed = check_elsewhere(X, self.coefficients.shape[0])
            xp = array_namespace(placed)
            values: Floats = placed @ like(xp, self.coefficients, placed)
            values += like(xp, self.intercepts, placed)
            return values
        samples = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if samples.shape[1] != self.coefficients.shape[0]:
            raise InvalidInput(
                f"X has {samples.shape[1]} features; the merged machines were fitted on "
                f"{self.coefficients.shape[0]}."
            )
        return np.asarray(samples @ self.coefficients + self.intercepts, dtype=np.float64)


def is_linear(machine: Any) -> bool:
    """Whether a fitted machine has two classes and a decision function linear in X."""
    if np.size(getattr(machine, "classes_", ())) != 2:
        return False
    if isinstance(machine, SVC | NuSVC):
        return machine.kernel in ("linear", "precomputed")
    rule = getattr(type(machine), "decision_function", None)
    return rule in _LINEAR_RULES


def has_logistic_link(machine: Any) -> bool:
    """Whether the machine's probabilities are the logistic function of its decision values."""
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
