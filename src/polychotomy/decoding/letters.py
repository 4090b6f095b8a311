"""Answers over letters to class probabilities.

The learner of a row says how probable each letter is, given that the class has one in this row.
The decoders are those of two letters: least squares counts every letter against the others of its
row; Bradley–Terry is the divergence Σ_l w_l KL(answer ‖ share of the classes with each letter).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.codes.letters import check_letters, letters_as_dichotomies
from polychotomy.core.arguments import as_floats, check_choice
from polychotomy.core.arrays import Floats, Probabilities
from polychotomy.core.chunks import in_chunks
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding.kernels.elimination import matrix_size
from polychotomy.decoding.kernels.interior_point import follow_path, make_criterion
from polychotomy.decoding.kernels.newton import softmax
from polychotomy.decoding.least_squares import decode_least_squares
from polychotomy.decoding.prepared import check_weights

LetterDecoder: TypeAlias = Literal["bradley-terry", "least-squares", "log-mean"]

_LEAST = 1e-12  # of a probability on the way: its logarithm is finite


def decode_letters(
    code: ArrayLike,
    answers: ArrayLike,
    *,
    decoder: LetterDecoder = "bradley-terry",
    weights: ArrayLike | None = None,
) -> Probabilities:
    """Return class probabilities from answers over letters.

    Parameters
    ----------
    code : (l, k)
        Letters 0, 1, … of each class in each row, −1 where it is not asked.
    answers : (n, l, q)
        Probabilities of the q letters in each row, given that the class has one; they add up to 1.
    decoder : {"bradley-terry", "least-squares", "log-mean"}
        Nearest in divergence; nearest in squares; or the mean of the logarithms of each class's own
        letters, which is the simplest and does not give exact answers back.
    weights : (l,), optional
        Weights of the rows; all ones by default.

    Returns
    -------
    (n, k)
        Rows add up to 1.

    Examples
    --------
    Answers made from known probabilities give them back:

    >>> import numpy as np
    >>> from polychotomy.decoding import decode_letters
    >>> code = np.array([[0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [0, 1, 2, 0, 1]])
    >>> p = np.array([0.4, 0.3, 0.1, 0.1, 0.1])
    >>> answers = np.array([[p[row == letter].sum() for letter in range(3)] for row in code])
    >>> decode_letters(code, answers[np.newaxis]).round(4)
    array([[0.4, 0.3, 0.1, 0.1, 0.1]])
    """
    check_choice("decoder", decoder, ("bradley-terry", "least-squares", "log-mean"))
    table, said = check_letters(code), as_floats("answers", answers)
    if said.ndim != 3 or said.shape[1] != table.shape[0] or said.shape[2] <= table.max():
        raise InvalidInput(
            f"answers has shape {said.shape}; expected (n, {table.shape[0]}, q) with "
            f"q > {table.max()}: a probability for each letter in each row of the code."
        )
    if not (said >= 0).all() or not np.allclose(said.sum(axis=2), 1.0, atol=1e-6):
        raise InvalidInput("answers are no probabilities of letters; expected sums of 1 in a row.")
    # What is said of letters that no class has counts for nothing (where that is all, the others
    # are even), and sums that are off by the rounding of float32 would leave Bradley–Terry no
    # minimum to converge to.
    there = (table[:, :, None] == np.arange(said.shape[2])).any(axis=1)
    said = (said + np.finfo(float).tiny) * there
    said /= said.sum(axis=2, keepdims=True)
    two_sides = np.tile(np.array([1, -1], dtype=np.int8), (len(table), 1))
    w, asked = check_weights(two_sides, weights), table >= 0
    if decoder == "least-squares":
        dichotomies, places = letters_as_dichotomies(table)
        return decode_least_squares(dichotomies, said[:, *places.T], weights=w[places[:, 0]])
    row_of, letter = np.nonzero(there & (w > 0)[:, None])  # rows without weight say nothing
    about, flat = table[row_of] == letter[:, None], said[:, row_of, letter]
    if decoder == "log-mean":
        logs = (np.log(np.maximum(flat, _LEAST)) * w[row_of]) @ about
        return softmax(np, (logs / np.maximum(w @ asked, _LEAST)).T).T
    criterion = make_criterion(np, about, row_of, asked, w, flat)
    numbers_each = matrix_size(table.shape[1]) + len(about)

    def solve(answers: Floats, _: int) -> Probabilities:
        return follow_path(np, criterion, answers.T).T

    return in_chunks(np, solve, flat, numbers_each=numbers_each)
