"""One door to all decoders."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from numpy.typing import ArrayLike

from polychotomy.codes.code import check_code
from polychotomy.core.arguments import check_choice
from polychotomy.core.arrays import Code, Probabilities
from polychotomy.decoding.bradley_terry import prepare_bradley_terry
from polychotomy.decoding.least_squares import prepare_least_squares
from polychotomy.decoding.loss import prepare_loss
from polychotomy.decoding.prepared import PreparedDecoder
from polychotomy.decoding.votes import prepare_votes

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
        Coding matrix with entries −1, 0, +1: rows are dichotomies, columns classes.
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
    >>> from polychotomy.decoding.decode import decode
    >>> decode(one_vs_one(3), [[0.9, 0.4, 0.7]], decoder="least-squares").round(6)
    array([[0.457233, 0.202129, 0.340638]])
    """
    return make_decoder(code, decoder=decoder, weights=weights)(outputs)


def make_decoder(
    code: Code, *, decoder: Decoder = "bradley-terry", weights: ArrayLike | None = None
) -> PreparedDecoder:
    """Return `decode` for one code as a function of the outputs, to be called many times.

    What depends on the code alone is done here; for codes of hundreds of classes that takes longer
    than decoding a few samples.

    Parameters
    ----------
    code : (l, k)
        Coding matrix with entries −1, 0, +1.
    decoder : {"bradley-terry", "least-squares", "votes", "loss"}
        What is minimised.
    weights : (l,), optional
        Weights of the dichotomies.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> from polychotomy.decoding import make_decoder
    >>> decode_pairs = make_decoder(one_vs_one(3), decoder="least-squares")
    >>> decode_pairs([[0.9, 0.4, 0.7]]).round(6)
    array([[0.457233, 0.202129, 0.340638]])
    """
    check_decoder(decoder)
    code = check_code(code)
    if decoder == "bradley-terry":
        return prepare_bradley_terry(code, weights)
    if decoder == "least-squares":
        return prepare_least_squares(code, weights)
    if decoder == "loss":
        return prepare_loss(code, weights)
    return prepare_votes(code, weights)


def check_decoder(decoder: Decoder) -> None:
    """Raise where there is no decoder of that name.

    Examples
    --------
    >>> from polychotomy.decoding.decode import check_decoder
    >>> check_decoder("hamming")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: decoder is 'hamming'; expected 'bradley-terry', ...
    """
    check_choice("decoder", decoder, get_args(Decoder))
