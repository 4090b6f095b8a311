"""What the simulated problems are asked with, held to what they can draw."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from polychotomy.arrays import Floats, Ints
from polychotomy.exceptions import InvalidInput


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
    polychotomy.exceptions.InvalidInput: n_classes is 'x'; expected an int of at least 2.
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
