"""Outputs of dichotomies to class probabilities (HT98 §2, M24 §2)."""

from polychotomy.decoding.bradley_terry import decode_bradley_terry
from polychotomy.decoding.couple import (
    couple,
    couple_by_markov_chain,
    couple_by_sweeps,
    couple_in_closed_form,
)
from polychotomy.decoding.decode import decode, make_decoder
from polychotomy.decoding.least_squares import decode_least_squares
from polychotomy.decoding.letters import decode_letters
from polychotomy.decoding.loss import decode_loss
from polychotomy.decoding.prepared import PreparedDecoder
from polychotomy.decoding.simplex import project_to_simplex
from polychotomy.decoding.votes import decode_votes

__all__ = [
    "PreparedDecoder", "couple", "couple_by_markov_chain", "couple_by_sweeps",
    "couple_in_closed_form", "decode", "decode_bradley_terry", "decode_least_squares",
    "decode_letters", "decode_loss", "decode_votes", "make_decoder",
    "project_to_simplex",
]  # fmt: skip
