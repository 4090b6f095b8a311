"""The kernels of a support vector machine as functions of dot products.

They follow LIBSVM's formulas: ``linear`` u·v, ``poly`` (γ u·v + c)^degree, ``sigmoid``
tanh(γ u·v + c), ``rbf`` exp(−γ (|u|² + |v|² − 2 u·v)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.blas import ddot
from sklearn.svm import SVC, NuSVC

from polychotomy.core.arrays import Floats

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
        powers: Floats = products**self.degree
        return powers

    def at(self, u: Floats, v: Floats) -> float:
        """Kernel value of two vectors, in the order of operations that LIBSVM uses."""
        product = float(ddot(u, v))
        if self.name == "linear":
            return product
        if self.name == "rbf":
            distance = float(ddot(u, u)) + float(ddot(v, v)) - 2 * product
            return math.exp(-self.gamma * distance)
        inner = self.gamma * product + self.coef0
        return math.tanh(inner) if self.name == "sigmoid" else _power(inner, self.degree)


def kernel_of(machine: Any, gamma: float) -> Kernel:
    """Return the kernel of an SVC whose γ is ``gamma``; parameters that it ignores are set to 0."""
    name = machine.kernel
    has_gamma, has_coef0 = name != "linear", name in ("poly", "sigmoid")
    return Kernel(
        name=name,
        gamma=gamma if has_gamma else 0.0,
        degree=int(machine.degree) if name == "poly" else 0,
        coef0=float(machine.coef0) if has_coef0 else 0.0,
    )


def decide(machine: Any, X: Floats) -> Floats:
    """Decision values (n,) of a two-class SVC; as its own, by one matrix product.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.svm import SVC
    >>> from polychotomy.multiclass.kernels import decide
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> machine = SVC().fit(X, [0, 0, 1, 1])
    >>> bool(np.allclose(decide(machine, X), machine.decision_function(X)))
    True
    """
    vectors = machine.support_vectors_
    left, right = (np.einsum("ij,ij->i", rows, rows) for rows in (X, vectors))
    values = kernel_of(machine, machine._gamma).apply(X @ vectors.T, left, right)
    return np.asarray(values @ machine.dual_coef_[0] + machine.intercept_[0])


def is_kernel_machine(machine: Any) -> bool:
    """Whether it is an SVC of scikit-learn's own, fitted on dense samples with LIBSVM's kernels."""
    return (
        type(machine) in (SVC, NuSVC)
        and machine.kernel in KERNELS
        and isinstance(machine.support_vectors_, np.ndarray)
    )


def gamma_for(gamma: float | str, X: Floats) -> float:
    """Return the γ that scikit-learn takes for training samples X: "scale", "auto" or a number.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.kernels import gamma_for
    >>> gamma_for("scale", np.array([[0.0, 0.0], [2.0, 2.0]]))  # 1 / (2 features × variance 1)
    0.5
    """
    if gamma == "scale":
        variance = X.var()
        return float(1.0 / (X.shape[1] * variance)) if variance != 0 else 1.0
    return 1.0 / X.shape[1] if gamma == "auto" else float(gamma)


def _power(base: float, exponent: int) -> float:
    """Power by repeated squaring, as LIBSVM does it: the last bit of ``base**exponent`` differs."""
    result, square = 1.0, base
    while exponent > 0:
        if exponent % 2 == 1:
            result *= square
        square *= square
        exponent //= 2
    return result
