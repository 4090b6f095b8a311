"""Sides: scores of positives and negatives, wherever they are; every pass over all of them.

The scores may be arrays of NumPy, PyTorch, CuPy or any library of the Array API, on any device.
They stay there: what comes to the host are numbers, the m weights, and the few rows that may bind.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np
from array_api_compat import array_namespace, device, is_numpy_namespace

from polychotomy.arrays import Bools, Floats, Ints, to_host


@dataclass(frozen=True)
class Sides:
    """The scores and the two classes' row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.sides import Sides
    >>> sides = Sides.split(np.array([[0.9], [0.2], [0.4]]), np.array([True, False, True]))
    >>> high, low = sides.combine(np.ones(1))
    >>> high, low, round(sides.margin(high, low), 6)
    (array([0.9, 0.4]), array([0.2]), 0.2)
    """

    scores: Floats  # (n, m)
    positives: Ints
    negatives: Ints
    xp: ModuleType

    @classmethod
    def split(cls, scores: Floats, positive: Bools) -> Sides:
        """Find the rows of the two classes."""
        xp = array_namespace(scores)
        return cls(scores, xp.nonzero(positive)[0], xp.nonzero(~positive)[0], xp)

    @property
    def m(self) -> int:
        """Number of classifiers."""
        return int(self.scores.shape[1])

    @property
    def epsilon(self) -> float:
        """Rounding of a score of order 1."""
        return float(self.xp.finfo(self.scores.dtype).eps)

    def combine(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the combined scores of the positives and of the negatives."""
        combined = self.scores @ self.place(weights)
        return self.xp.take(combined, self.positives), self.xp.take(combined, self.negatives)

    def margin(self, high: Floats, low: Floats) -> float:
        """Smallest difference between a positive's and a negative's combined score."""
        return float(self.xp.min(high) - self.xp.max(low))

    def place(self, values: Floats) -> Floats:
        """Bring numbers of the host to where the scores are."""
        if is_numpy_namespace(self.xp):
            return values
        moved: Floats = self.xp.asarray(
            values.tolist(), dtype=self.scores.dtype, device=device(self.scores)
        )
        return moved

    def rows(self, numbers: Ints) -> Floats:
        """Bring a few rows of the scores to the host, (p, m)."""
        if is_numpy_namespace(self.xp):
            return self.scores[numbers]
        at = self.xp.asarray(numbers.tolist(), device=device(self.scores))
        return np.asarray(to_host(self.xp.take(self.scores, at, axis=0)), dtype=np.float64)
