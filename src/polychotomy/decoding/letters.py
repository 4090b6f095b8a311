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
from polychotomy.decoding.least_squares import decode_least_squares
from polychotomy.decoding.prepared import check_weights

LetterDecoder: TypeAlias = Literal["bradley-terry", "least-squares", "log-mean"]

_LEAST = 1e-12  # of a probability on the way: its logarithm is finite
_STEPS, _NEAR = 500, 1e-10


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
    if decoder == "least-squares":
        dichotomies, places = letters_as_dichotomies(table)
        each = None if weights is None else np.asarray(weights)[places[:, 0]]
        return decode_least_squares(dichotomies, said[:, *places.T], weights=each)
    asked = (table >= 0).astype(np.int8)
    two_sides = np.tile(np.array([1, -1], dtype=np.int8), (len(table), 1))
    w = check_weights(two_sides, weights)
    letters = np.arange(said.shape[2])
    # (l q, k): which classes each answer is about.
    about = (table[:, None, :] == letters[None, :, None]).reshape(-1, table.shape[1]).astype(float)
    step = _Coupling(about, asked * w[:, None], np.repeat(w, letters.size))
    work = step.log_mean if decoder == "log-mean" else step.solve
    flat = said.reshape(len(said), -1)
    return in_chunks(np, lambda rows, _: work(rows), flat, numbers_each=4 * about.shape[0])


class _Coupling:
    """The divergence of one code, lowered by the iteration of Hunter's MM for Bradley–Terry."""

    def __init__(self, about: Floats, asked: Floats, weights: Floats) -> None:
        self.about, self.asked, self.weights = about, asked, weights

    def log_mean(self, answers: Floats) -> Probabilities:
        logs = (np.log(np.maximum(answers, _LEAST)) * self.weights) @ self.about
        return _normal(logs / np.maximum(self.asked.sum(axis=0), _LEAST))

    def solve(self, answers: Floats) -> Probabilities:
        """Minimise the divergence, from the mean of logs on, by steps extrapolated in pairs.

        ([VR08]_, scheme S3, in the logarithms; where that climbs, the plain step is taken.)

        .. [VR08] R. Varadhan & C. Roland, Simple and globally convergent methods for accelerating
           the convergence of any EM algorithm, Scandinavian Journal of Statistics 35 (2008).
        """
        p = self.log_mean(answers)
        for _ in range(_STEPS):
            once = self._step(p, answers)
            twice = self._step(once, answers)
            first = np.log(once) - np.log(p)
            bend = np.log(twice) - np.log(once) - first
            size = np.sqrt(np.vecdot(first, first) / np.maximum(np.vecdot(bend, bend), _LEAST**2))
            size = np.maximum(size, 1.0)[:, None]
            far = _normal(np.log(p) + 2 * size * first + size**2 * bend)
            climbs = self._loss(far, answers) > self._loss(twice, answers)
            following = np.where(climbs[:, None], twice, far)
            moved = float(np.abs(following - p).max(initial=0.0))
            p = following
            if moved <= _NEAR:
                break
        return p

    def _shares(self, p: Probabilities) -> tuple[Floats, Floats]:
        return np.maximum(p @ self.about.T, _LEAST), np.maximum(p @ (self.asked.T > 0), _LEAST)

    def _step(self, p: Probabilities, answers: Floats) -> Probabilities:
        mass, all_asked = self._shares(p)
        pull = (self.weights * answers / mass) @ self.about
        push = (1.0 / all_asked) @ self.asked
        return _normal(np.log(np.maximum(p * pull / np.maximum(push, _LEAST), _LEAST)))

    def _loss(self, p: Probabilities, answers: Floats) -> Floats:
        mass, all_asked = self._shares(p)
        row_weights = self.asked.max(axis=1)
        said: Floats = np.log(all_asked) @ row_weights
        return said - np.vecdot(answers, np.log(mass) * self.weights)


def _normal(logs: Floats) -> Probabilities:
    p = np.exp(logs - logs.max(axis=1, keepdims=True))
    p = np.maximum(p / p.sum(axis=1, keepdims=True), _LEAST)
    return np.asarray(p / p.sum(axis=1, keepdims=True))
