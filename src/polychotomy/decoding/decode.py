"""One door to all decoders."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from numpy.typing import ArrayLike

from polychotomy.arrays import Code, Probabilities
from polychotomy.codes.checks import check_code
from polychotomy.decoding.arguments import check_weights
from polychotomy.decoding.bradley_terry import decode_bradley_terry
from polychotomy.decoding.least_squares import decode_least_squares
from polychotomy.decoding.loss import decode_loss
from polychotomy.decoding.votes import count_votes
from polychotomy.exceptions import InvalidInput

Decoder: TypeAlias = Literal["bradley-terry", "least-squares", "votes", "loss"]


def decode(
    code: Code,
    outputs: ArrayLike,
    *,
    decoder: Decoder = "bradley-terry",
    weights: ArrayLike | None = None,
) -> Probabilities:
    """Return class probabilities from the outputs of dichotomies.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1: a row is a dichotomy, a column a class.
    outputs : (n, l)
        Probability of each dichotomy's + side, given that the class is on one of its sides.
    decoder : {"bradley-terry", "least-squares", "votes", "loss"}
        What is minimised; see the function of that name, ``decode_…``.
    weights : (l,), optional
        Weights of the dichotomies, at least 0; zero leaves one out, ``None`` means all ones. In
        ``votes`` every dichotomy of positive weight counts the same.

    Returns
    -------
    (n, k)
        Rows add up to 1. Of the kind of array given.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import decode
    >>> decode(one_vs_one(3), [[0.9, 0.4, 0.7]], decoder="least-squares").round(6)
    array([[0.457233, 0.202129, 0.340638]])
    """
    check_decoder(decoder)
    if decoder == "bradley-terry":
        return decode_bradley_terry(code, outputs, weights=weights)
    if decoder == "least-squares":
        return decode_least_squares(code, outputs, weights=weights)
    if decoder == "loss":
        return decode_loss(code, outputs, weights=weights)
    code = check_code(code)
    return count_votes(code, outputs, check_weights(code, weights))


def check_decoder(decoder: Decoder) -> None:
    """Raise where there is no decoder of that name.

    Examples
    --------
    >>> from polychotomy.decoding.decode import check_decoder
    >>> check_decoder("hamming")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: decoder is 'hamming'; expected 'bradley-terry', ...
    """
    if decoder not in get_args(Decoder):
        *names, last = map(repr, get_args(Decoder))
        raise InvalidInput(f"decoder is {decoder!r}; expected {', '.join(names)} or {last}.")
