"""Gather bootstrap fits as they come: add up their predictions in batches, keep none."""

from __future__ import annotations

import numpy as np

from polychotomy.arrays import Floats, Ints
from polychotomy.decomposition.accumulation import Accumulator, choose_resamples
from polychotomy.decomposition.bootstrap_fits import Fit
from polychotomy.decomposition.losses import Loss
from polychotomy.decomposition.summary import Summary, make_block, summarise
from polychotomy.exceptions import InvalidInput, LearnerError

_BATCH = 2**22  # predictions held before they are added up: 32 MB
_FITS = 32  # fits in a batch, where memory allows


class Gathering:
    """Takes fits one by one; memory stays that of a few of them, whatever their number.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.decomposition import Squared
    >>> from polychotomy.decomposition.bootstrap_fits import Fit
    >>> gathering = Gathering(n=2, k=2, loss=Squared())
    >>> gathering.add(Fit(np.array([2, 0]), np.array([1]), np.array([[0.5, 0.5]]), None))
    >>> gathering.add(Fit(np.array([2, 0]), np.array([1]), np.empty((0, 2)), "ValueError: no"))
    >>> gathering.n_fits, gathering.failures
    (1, [(1, 'ValueError: no')])
    >>> gathering.summary(np.array([0, 1]))["estimates"][0, :2].tolist()
    [0.5, 0.5]
    """

    def __init__(self, *, n: int, k: int, loss: Loss) -> None:
        self.failures: list[tuple[int, str]] = []
        self.n_drawn = 0
        self._loss = loss
        self._sums = Accumulator(n=n, k=k, loss=loss, n_resamples=choose_resamples(n, k))
        fits = max(1, min(_FITS, _BATCH // (n * k)))
        self._planes: Floats = np.full((k, fits, n), 1.0 / k)
        self._mask = np.zeros((fits, n), dtype=np.bool_)
        self._held = 0

    @property
    def n_fits(self) -> int:
        """Fits that did not fail."""
        return self.n_drawn - len(self.failures)

    def add(self, fit: Fit) -> None:
        """Take a fit, or note its failure."""
        if fit.failure is not None:
            self.failures.append((self.n_drawn, fit.failure))
        else:
            self._planes[:, self._held, fit.left_out] = fit.predictions.T
            self._mask[self._held, fit.left_out] = True
            self._held += 1
        self.n_drawn += 1
        if self._held == len(self._mask):
            self._flush()

    def summary(self, y: Ints) -> Summary:
        """Summarise the fits so far."""
        self._flush()
        if self.n_fits == 0:
            raise LearnerError(
                f"the learner failed on all {self.n_drawn} bootstrap samples, first with "
                f"{self.failures[0][1]!r}; expected at least one fit. Try the learner on X[rows], "
                "y[rows] with rows drawn with replacement."
            )
        averages = self._sums.averages()
        if not averages.counts.any():
            raise InvalidInput(
                f"none of {len(y)} samples is out of bag in {self.n_fits} fits, so nothing can be "
                "estimated. Draw more bootstrap samples."
            )
        return summarise([make_block(averages, y, self._loss)], y, self._loss)

    def _flush(self) -> None:
        if self._held:
            self._sums.add(self._planes[:, : self._held], self._mask[: self._held])
            self._planes.fill(1.0 / len(self._planes))
            self._mask.fill(False)
            self._held = 0
