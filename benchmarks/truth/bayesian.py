"""The Bayesian correlated t test (Corani and Benavoli, 2015): the corrected t read as belief."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from polychotomy.comparison import corrected_t_test


def probability_worse(
    a: ArrayLike, b: ArrayLike, *, test_train_ratio: float, rope: float
) -> np.ndarray:
    """Probability that a's error is larger than b's by more than the region of equivalence.

    With a flat prior the difference is Student's t around its mean. A tie without any spread is
    shared out between the two sides where there is no region.
    """
    test = corrected_t_test(a, b, test_train_ratio=test_train_ratio)
    mean, scale = np.asarray(test.estimate), np.asarray(test.standard_error)
    inside = special.stdtr(test.df, (mean - rope) / np.where(scale == 0, 1.0, scale))
    point = np.where((mean == 0) & (rope == 0), 0.5, mean > rope)
    return np.where(scale == 0, point, inside)
