"""Which rows of a code need a learner: each dichotomy once, one-sided ones never."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from array_api_compat import array_namespace, device

from polychotomy.arrays import Bools, Code, Floats, Ints, Outputs
from polychotomy.codes.checks import two_sided
from polychotomy.decoding.arguments import like
from polychotomy.exceptions import InvalidCode


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """The dichotomies of a code that are trained, and how every row follows from them.

    Parameters
    ----------
    trained : (t, k) int8
        Rows to train, distinct up to sign, each with both signs.
    source : (l,) ints
        The trained row that each row of the code equals up to sign; −1 for a one-sided row.
    flipped : (l,) bools
        Which rows are the negative of their source.
    constant : (l,) floats
        Output of a one-sided row, by definition: 1 if its side is +, else 0.
    """

    trained: Code
    source: Ints
    flipped: Bools
    constant: Floats

    def expand(self, outputs: Outputs) -> Outputs:
        """Return the outputs (n, l) of every row from those (n, t) of the trained ones.

        Examples
        --------
        >>> import numpy as np
        >>> from polychotomy.multiclass.distinct_rows import distinct_rows
        >>> rows = distinct_rows(np.array([[1, -1, 0], [-1, 1, 0], [1, 1, 1]], dtype=np.int8))
        >>> rows.trained
        array([[ 1, -1,  0]], dtype=int8)
        >>> rows.expand(np.array([[0.75]]))
        array([[0.75, 0.25, 1.  ]])
        """
        plain = self.source.size == self.trained.shape[0]
        if plain and not self.flipped.any() and (self.source >= 0).all():
            return outputs
        xp = array_namespace(outputs)
        source, flipped, untrained = (
            xp.asarray(each, device=device(outputs))
            for each in (np.maximum(self.source, 0), self.flipped, self.source < 0)
        )
        expanded = xp.take(outputs, source, axis=1)
        expanded = xp.where(flipped, 1.0 - expanded, expanded)
        known: Outputs = xp.where(untrained, like(xp, self.constant, outputs), expanded)
        return known

    def spread(self, shifts: Floats) -> Floats:
        """Return the shifts (l,) of every row's logit from those (t,) of the trained ones."""
        signed = np.where(self.flipped, -shifts[self.source], shifts[self.source])
        return np.where(self.source < 0, 0.0, signed)


def distinct_rows(code: Code) -> DistinctRows:
    """Find the rows that differ up to sign and have both signs, in order of first appearance.

    With two classes the trained row is (−1, +1): its + side is the class that a scikit-learn
    learner scores.
    """
    both = two_sided(code)
    sign = _leading_sign(code)
    canonical = code * sign[:, np.newaxis]
    _, first, inverse = np.unique(canonical, axis=0, return_index=True, return_inverse=True)
    keep = both[first]
    rank = np.full(first.size, -1)
    order = np.flatnonzero(keep)[np.argsort(first[keep])]
    rank[order] = np.arange(order.size)
    source = rank[inverse.ravel()]
    heads = first[order]
    if order.size == 0:
        raise InvalidCode(
            "no row of code has both a +1 and a −1, so there is nothing to learn; expected at "
            "least one dichotomy with two sides."
        )
    orientation = sign[heads]
    if code.shape[1] == 2:
        orientation = np.full_like(orientation, -1)
    trained = (canonical[heads] * orientation[:, np.newaxis]).astype(np.int8)
    flipped = (source >= 0) & (sign != orientation[source])
    return DistinctRows(trained, source, flipped, (code.max(axis=1) > 0) * 1.0)


def _leading_sign(code: Code) -> Code:
    """Sign of each row's first entry that is not zero."""
    lead = np.argmax(code != 0, axis=1)
    leading: Code = code[np.arange(code.shape[0]), lead]
    return leading
