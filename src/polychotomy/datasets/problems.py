"""T96 §5: two simulated problems of two classes whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import chdtr, chdtri, expit, ndtr

from polychotomy.arrays import Floats, Ints, Probabilities
from polychotomy.datasets.problem_arguments import (
    as_draws,
    as_features,
    draw_codes,
    is_finite,
)
from polychotomy.exceptions import InvalidInput


class Problem(Protocol):
    """A way to draw labelled samples, and the true class probabilities of any sample.

    Examples
    --------
    >>> from polychotomy.datasets import TwoNormals
    >>> problem: Problem = TwoNormals()
    >>> X, y = problem.sample(4, random_state=0)
    >>> problem.posterior(X).shape
    (4, 2)
    """

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw features (n, d) and class codes (n,)."""

    def posterior(self, X: Floats) -> Probabilities:
        """Class probabilities (n, k) of features (n, d)."""


@dataclass(frozen=True)
class TwoNormals:
    """Two normal classes in four dimensions, unit covariance, means ``distance`` apart (T96 §5).

    Samples have equally many cases of each class, class 0 one more where ``n`` is odd: the
    paper's N = 50 is 25 + 25.

    Parameters
    ----------
    distance : float
        Distance of the means, along the first feature.

    Examples
    --------
    >>> from polychotomy.datasets import TwoNormals
    >>> X, y = TwoNormals().sample(50, random_state=0)
    >>> X.shape, int(y.sum()), round(TwoNormals().bayes_rate, 4)
    ((50, 4), 25, 0.1587)
    """

    distance: float = 2.0

    def __post_init__(self) -> None:
        if not is_finite(self.distance) or self.distance < 0:
            raise InvalidInput(
                f"distance is {self.distance!r}; expected a finite number of 0 or more."
            )

    @property
    def bayes_rate(self) -> float:
        """Error of the Bayes rule, Φ(−distance / 2)."""
        return float(ndtr(-self.distance / 2))

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw features (n, 4) and class codes (n,), classes as equal in number as can be."""
        rng = as_draws(random_state)
        y = draw_codes(n, 2, rng)
        X = rng.standard_normal((y.size, 4))
        X[:, 0] += self.distance * y
        return X, y

    def posterior(self, X: Floats) -> Probabilities:
        """Class probabilities (n, 2), the classes being equally likely."""
        first = as_features(X, 4)[:, 0]
        p = expit(self.distance * (first - self.distance / 2))
        return np.column_stack([1.0 - p, p])


@dataclass(frozen=True)
class ConcentricNormals:
    """A normal class in four dimensions, and the same one given that it lies in a shell (T96 §5).

    The second class has 9 ≤ ‖x‖² ≤ 16. Its Bayes rate is half of P(9 ≤ χ²₄ ≤ 16) = .0581, the
    error on the first class alone, which the paper prints.

    Parameters
    ----------
    inner, outer : float
        Squared radii of the shell.

    Examples
    --------
    >>> from polychotomy.datasets import ConcentricNormals
    >>> problem = ConcentricNormals()
    >>> X, y = problem.sample(50, random_state=0)
    >>> square = (X[y == 1] ** 2).sum(axis=1)
    >>> bool((9 <= square).all() and (square <= 16).all()), round(problem.bayes_rate, 4)
    (True, 0.029)
    """

    inner: float = 9.0
    outer: float = 16.0

    def __post_init__(self) -> None:
        for name, value in (("inner", self.inner), ("outer", self.outer)):
            if not is_finite(value) or value < 0:
                raise InvalidInput(f"{name} is {value!r}; expected a finite number of 0 or more.")
        if not self.shell > 0:
            raise InvalidInput(
                f"inner is {self.inner!r} and outer {self.outer!r}: no case lies in such a shell; "
                "expected squared radii inner < outer, within reach of a normal in four dimensions."
            )

    @property
    def shell(self) -> float:
        """Probability that a case of the first class lies in the shell."""
        return float(chdtr(4, self.outer) - chdtr(4, self.inner))

    @property
    def bayes_rate(self) -> float:
        """Error of the Bayes rule: every case in the shell goes to the second class."""
        return self.shell / 2

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw features (n, 4) and class codes (n,), classes as equal in number as can be."""
        rng = as_draws(random_state)
        y = draw_codes(n, 2, rng)
        X = rng.standard_normal((y.size, 4))
        # A normal's direction and length are independent: redraw the lengths of class 1 alone.
        outside = y == 1
        upper = 1.0 - chdtr(4, self.inner) - self.shell * rng.random(int(outside.sum()))
        length = np.clip(np.sqrt(chdtri(4, upper)), np.sqrt(self.inner), np.sqrt(self.outer))
        X[outside] *= (length / np.linalg.norm(X[outside], axis=1))[:, None]
        return X, y

    def posterior(self, X: Floats) -> Probabilities:
        """Class probabilities (n, 2), the classes being equally likely."""
        square = (as_features(X, 4) ** 2).sum(axis=1)
        slack = 1e-12 * self.outer  # a case drawn on the very edge is in the shell
        inside = (square >= self.inner - slack) & (square <= self.outer + slack)
        p = np.where(inside, 1.0 / (1.0 + self.shell), 0.0)
        return np.column_stack([1.0 - p, p])
