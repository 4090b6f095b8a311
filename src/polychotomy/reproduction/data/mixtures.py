"""HT98's simulated problems of many classes: mixtures in the plane, Friedman's ten normals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.data.problems import (
    as_draws,
    as_features,
    draw_codes,
    is_finite,
    require_whole,
)

# HT98 does not give its parameters. These were drawn until the order of the printed test errors
# came out: in figure 1 max-wins and coupling of pairwise LDA alike, LDA worse; in figure 2 max-wins
# no better than LDA, coupling far better, QDA best.
_FIGURE_MEANS = {
    1: (((-0.5, -3.0), (2.0, 2.0)), ((-1.0, 2.5), (1.0, -1.5)), ((-1.0, -0.5), (-2.5, -2.5))),
    2: (((-0.5, 1.0), (0.5, 1.5)), ((-1.5, -3.0), (1.5, -0.5)), ((2.5, -3.0), (-0.5, 0.0))),
}


@dataclass(frozen=True)
class PlaneMixtures:
    """Three classes in the plane, each a mixture of two round normals (HT98, figures 1 and 2).

    The paper prints no parameters; these show the same order of errors. In figure 1 pairwise LDA
    errs alike under max-wins and under coupling, and less than LDA for three classes. In figure 2
    max-wins has a large region of indecision, which coupling resolves.

    Parameters
    ----------
    figure : {1, 2}
        Which of the paper's two examples.
    scale : float
        Standard deviation of every component.
    drawn : int, optional
        Means drawn anew with this seed, multiples of one half in [−3, 3], instead of a figure's.

    Examples
    --------
    >>> from polychotomy.reproduction.data.mixtures import PlaneMixtures
    >>> problem = PlaneMixtures(figure=2)
    >>> X, y = problem.sample(600, random_state=0)
    >>> X.shape, [int((y == label).sum()) for label in range(3)]
    ((600, 2), [200, 200, 200])
    >>> problem.posterior(X[:1]).shape
    (1, 3)
    """

    figure: int = 1
    scale: float = 0.6
    drawn: int | None = None

    def __post_init__(self) -> None:
        if not is_finite(self.figure) or self.figure not in _FIGURE_MEANS:
            raise InvalidInput(f"figure is {self.figure!r}; expected 1 or 2.")
        if not is_finite(self.scale) or self.scale <= 0:
            raise InvalidInput(f"scale is {self.scale!r}; expected a finite number above 0.")

    @property
    def means(self) -> Floats:
        """Means (3, 2, 2): class, component, coordinate."""
        if self.drawn is not None:
            return np.random.default_rng(self.drawn).integers(-6, 7, size=(3, 2, 2)) / 2
        return np.array(_FIGURE_MEANS[self.figure])

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw features (n, 2) and class codes (n,), classes as equal in number as can be."""
        rng = as_draws(random_state)
        y = draw_codes(n, 3, rng)
        component = rng.integers(2, size=y.size)
        return self.means[y, component] + self.scale * rng.standard_normal((y.size, 2)), y

    def posterior(self, X: Floats) -> Probabilities:
        """Class probabilities (n, 3), the classes being equally likely."""
        features = as_features(X, 2)
        away = features[:, np.newaxis, np.newaxis] - self.means  # (n, 3, 2, 2)
        densities = logsumexp(-0.5 * (away**2).sum(axis=-1) / self.scale**2, axis=-1)
        return _normalise(densities)


@dataclass(frozen=True)
class FriedmanNormals:
    """Ten normal classes in 20 dimensions with covariances of their own (HT98 §3, after Friedman).

    Coordinates of the means are uniform on [0, 1]; each covariance has random orthonormal
    eigenvectors, and the square roots of its eigenvalues are uniform on [0.01, 1.01]. The paper
    trains on 100 and tests on 200 cases of each class, in 20 problems so drawn, and says that the
    Bayes error is below 1 %. That settles what is uniform: the roots give Bayes errors of 0.05 to
    0.25 %, the eigenvalues themselves 7 to 12 %.

    Parameters
    ----------
    problem : int
        Which problem: the seed of its means and covariances.
    n_classes, n_features : int
        Its size.

    Examples
    --------
    >>> from polychotomy.reproduction.data.mixtures import FriedmanNormals
    >>> problem = FriedmanNormals(problem=3)
    >>> X, y = problem.sample(1000, random_state=0)
    >>> X.shape, float((problem.posterior(X).argmax(axis=1) != y).mean()) < 0.01
    ((1000, 20), True)
    """

    problem: int = 0
    n_classes: int = 10
    n_features: int = 20

    def __post_init__(self) -> None:
        require_whole(self.problem, "problem", least=0)
        require_whole(self.n_classes, "n_classes", least=2)
        require_whole(self.n_features, "n_features", least=1)

    @cached_property
    def parameters(self) -> tuple[Floats, Floats, Floats]:
        """Means (k, d), eigenvectors (k, d, d) in columns, eigenvalues (k, d)."""
        rng = np.random.default_rng(self.problem)
        k, d = self.n_classes, self.n_features
        means = rng.random((k, d))
        vectors, triangle = np.linalg.qr(rng.standard_normal((k, d, d)))
        # QR of a normal matrix is uniform over rotations once the signs of R's diagonal are fixed.
        vectors = vectors * np.sign(np.einsum("kii->ki", triangle))[:, np.newaxis]
        return means, vectors, (0.01 + rng.random((k, d))) ** 2

    def sample(
        self, n: int, random_state: int | np.random.Generator | None = None
    ) -> tuple[Floats, Ints]:
        """Draw features (n, d) and class codes (n,), classes as equal in number as can be."""
        means, vectors, values = self.parameters
        rng = as_draws(random_state)
        y = draw_codes(n, self.n_classes, rng)
        noise = rng.standard_normal((y.size, self.n_features)) * np.sqrt(values[y])
        return means[y] + np.einsum("nij,nj->ni", vectors[y], noise), y

    def posterior(self, X: Floats) -> Probabilities:
        """Class probabilities (n, k), the classes being equally likely."""
        means, vectors, values = self.parameters
        away = as_features(X, self.n_features)[:, np.newaxis] - means  # (n, k, d)
        along = np.einsum("kij,nki->nkj", vectors, away)
        densities = -0.5 * ((along**2 / values).sum(axis=-1) + np.log(values).sum(axis=-1))
        return _normalise(densities)


def _normalise(log_densities: Floats) -> Probabilities:
    shifted = log_densities - log_densities.max(axis=1, keepdims=True)
    densities = np.exp(shifted)
    return np.asarray(densities / densities.sum(axis=1, keepdims=True))
