"""T96 eqs. (31)–(33): what the error of nearest neighbours says about the Bayes error.

Warning: Cover and Hart's inequality is about the limit of 1-NN with endless data. At n cases it is
no bound: on ten real data sets it lay above the error of a known classifier, and so was false, in
90 % of cases at n = 150 and 400. It is the paper's quantity, not noise that nobody can remove.
"""

from __future__ import annotations

import math
from numbers import Real

from polychotomy.codes.checks import check_classes
from polychotomy.exceptions import InvalidInput


def cover_hart_bound(nearest_neighbour_error: float, k: int) -> float:
    """Lower limit of the Bayes error from the error of 1-NN (T96 eq. 32).

    The inverse of Cover and Hart's PE_NN ≤ PE_B (2 − PE_B / α), α = (k − 1) / k; the paper prints
    it with 1 for 2. An error above α, worse than guessing, gives α. It speaks of the limit of
    1-NN: at finite n it is often above the true Bayes error, so never call it a noise floor. It
    is stated for misclassification; as 1 − max p ≤ 1 − Σ p² ≤ −2 Σ p log p it holds in the same
    sense, if weakly, for the squared loss and the deviance.

    Parameters
    ----------
    nearest_neighbour_error : float
        Misclassification rate of 1-NN, from 0 to 1.
    k : int
        Number of classes, two or more.

    Examples
    --------
    >>> from polychotomy.decomposition import cover_hart_bound
    >>> round(cover_hart_bound(0.32, k=2), 12)  # 0.32 = 0.2 (2 − 0.2 / 0.5)
    0.2
    >>> cover_hart_bound(0.6, k=2)
    0.5
    """
    k = check_classes(k)
    if not isinstance(nearest_neighbour_error, Real) or not 0.0 <= nearest_neighbour_error <= 1.0:
        raise InvalidInput(
            f"nearest_neighbour_error is {nearest_neighbour_error!r}; expected a misclassification "
            "rate from 0 to 1. Divide a percentage by 100."
        )
    alpha = (k - 1) / k
    return alpha - math.sqrt(alpha * max(0.0, alpha - float(nearest_neighbour_error)))
