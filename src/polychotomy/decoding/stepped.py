"""Decoding by compiled steps for nearly all samples, by plain arrays for the rest."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from polychotomy.arrays import Probabilities
from polychotomy.decoding.prepared import CompiledDecoder, PreparedDecoder


@dataclass(frozen=True, eq=False, kw_only=True)
class SteppedDecoder(CompiledDecoder):
    """A decoder whose work gives NaN for samples that it cannot do.

    Parameters
    ----------
    plain : PreparedDecoder
        Does these, all together: many small operations take their time for few samples too.

    Examples
    --------
    Class 0 beats both others for certain, which steps would never end to say:

    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import make_decoder
    >>> decoder = make_decoder(one_vs_one(3), compiler=lambda function: function)
    >>> decoder([[0.9, 0.4, 0.7], [1.0, 1.0, 0.5]]).round(6)
    array([[0.481068, 0.241639, 0.277293],
           [1.      , 0.      , 0.      ]])
    """

    plain: PreparedDecoder

    def __call__(self, outputs: ArrayLike, *, n_jobs: int | None = None) -> Probabilities:
        """Return the class probabilities, (n, k), of the kind of array given, in chunks."""
        xp, q = self._check_shape(outputs)
        p = super().__call__(q, n_jobs=n_jobs)
        left = xp.isnan(p[:, 0])
        if bool(xp.any(left)):
            p[left] = self.plain(xp.take(q, xp.nonzero(left)[0], axis=0), n_jobs=n_jobs)
        return p
