"""T96's simulated problems of two classes, and the checks that HT98's share with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.special import chdtr, chdtri, expit, ndtr

from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.core.exceptions import InvalidInput


def is_finite(value: object) -> bool:
    """Whether a value is a finite number.

    Examples
    --------
    >>> is_finite(2), is_finite(float("inf")), is_finite("2"), is_finite(True)
    (True, False, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


def require_whole(value: int, name: str, *, least: int) -> None:
    """Refuse what is no whole number of at least ``least``.

    Examples
    --------
    >>> require_whole(10, "n_classes", least=2)
    >>> require_whole("x", "n_classes", least=2)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: n_classes is 'x'; expected an int of at least 2.
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not (whole and value >= least):
        raise InvalidInput(f"{name} is {value!r}; expected an int of at least {least}.")


def as_draws(random_state: object) -> np.random.Generator:
    """Return the generator given, or one made from a seed.

    Examples
    --------
    >>> bool(as_draws(3).random() == as_draws(3).random())
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        return np.random.default_rng()
    if not isinstance(random_state, bool) and isinstance(random_state, int | np.integer):
        seed = int(random_state)
        if seed >= 0:
            return np.random.default_rng(seed)
    raise InvalidInput(
        f"random_state is {random_state!r}; expected None, an int of at least 0 or "
        "numpy.random.Generator."
    )


def draw_codes(n: int, k: int, rng: np.random.Generator) -> Ints:
    """Draw class codes (n,) in random order, classes as equal in number as can be.

    Examples
    --------
    >>> import numpy as np
    >>> np.bincount(draw_codes(7, 3, np.random.default_rng(0))).tolist()
    [3, 2, 2]
    """
    if not is_finite(n) or n < 1 or int(n) != n:
        raise InvalidInput(f"n is {n!r}; expected a number of samples, 1 or more.")
    return rng.permutation(np.arange(int(n)) % k).astype(np.intp)


def as_features(X: object, d: int) -> Floats:
    """Return features as an (n, d) array of finite numbers.

    Examples
    --------
    >>> as_features([[1, 2]], 2)
    array([[1., 2.]])
    """
    try:
        features = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"X is no array of numbers ({error}); expected shape (n, {d})."
        ) from None
    if features.ndim != 2 or features.shape[1] != d:
        raise InvalidInput(f"X has shape {features.shape}; expected (n, {d}).")
    bad = np.argwhere(~np.isfinite(features))
    if len(bad):
        row, column = bad[0].tolist()
        raise InvalidInput(
            f"X[{row}, {column}] is {features[row, column]}; expected finite numbers."
        )
    return features


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
    >>> from polychotomy.reproduction.data.problems import TwoNormals
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
    >>> from polychotomy.reproduction.data.problems import ConcentricNormals
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
