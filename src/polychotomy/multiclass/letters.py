"""Learners that take a limited number of classes, fitted to the letters of a code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from polychotomy.codes import balanced, check_letters
from polychotomy.core.arguments import check_count
from polychotomy.core.arrays import Code, Floats, Ints
from polychotomy.core.exceptions import InvalidCode, InvalidInput
from polychotomy.core.seeds import as_generator
from polychotomy.multiclass.dichotomies import learner_error
from polychotomy.multiclass.training import Fold, TrainingData, take_columns


def name_and_rest(k: int, q: int, *, length: int | None = None, random_state: Any = None) -> Ints:
    """Return rows that name q − 1 classes each, the least named first; the others share a letter.

    A linear learner cannot draw a letter that is made of classes from everywhere; here only one is.

    Examples
    --------
    >>> from polychotomy.multiclass.letters import name_and_rest
    >>> name_and_rest(5, 3, length=3, random_state=0)
    array([[2, 2, 1, 0, 2],
           [1, 0, 2, 2, 2],
           [2, 1, 2, 2, 0]])
    """
    least = max(len(balanced(k, q, random_state=0)), ceil(k / (q - 1)))
    code = np.full((least if length is None else length, k), q - 1)
    rng = as_generator(random_state)
    for number, row in enumerate(code):
        named = (code[:number] < q - 1).sum(axis=0)
        row[np.lexsort((rng.random(k), named))[: q - 1]] = np.arange(q - 1)
    return code


def letters_for(
    code: str | ArrayLike | Callable[[int], ArrayLike],
    k: int,
    classes_at_most: Any,
    random_state: Any,
    *,
    linear: bool = False,
) -> Code:
    """Return the table of letters that "auto", a matrix or a callable stands for.

    "auto" is `name_and_rest` for ``linear`` learners, else `polychotomy.codes.balanced`.

    Examples
    --------
    >>> from polychotomy.multiclass.letters import letters_for
    >>> letters_for("auto", 3, 10, None)
    array([[0, 1, 2]], dtype=int8)
    """
    most = check_count("classes_at_most", classes_at_most, least=2, unit="classes")
    if isinstance(code, str):
        if code != "auto":
            raise InvalidInput(
                f"code is {code!r} and classes_at_most {most}; expected 'auto', a table of letters "
                "0, 1, … (−1: not asked), or a callable k → table."
            )
        # As many as an int8 holds, like other codes; the same code for the same classes.
        q, seed = min(most, 127), 0 if random_state is None else random_state
        make = name_and_rest if linear and 2 < q < k else balanced
        return make(k, q, random_state=seed).astype(np.int8)
    table = check_letters(code(k) if callable(code) else code)
    if table.shape[1] != k or table.max() >= min(most, 127):
        raise InvalidCode(
            f"code has {table.shape[1]} columns and letters to {table.max()}; expected {k}, one "
            f"for each class, and letters below classes_at_most, {most}."
        )
    return table.astype(np.int8)


@dataclass(frozen=True, eq=False)
class LetterLearner:
    """A learner of one row; ``columns`` are its training samples where X is pairwise."""

    learner: Any
    columns: Ints | None

    def answers(self, X: Any, q: int) -> Floats:
        """Probabilities of the q letters, (n, q)."""
        samples = X if self.columns is None else take_columns(X, self.columns)
        p = self.learner.predict_proba(samples)
        answers = np.zeros((len(p), q))
        answers[:, self.learner.classes_] = p  # it may not have met every letter in a fold
        return answers


def fit_letters(
    estimator: Any, data: TrainingData, code: Code, folds: Sequence[Fold], rows: Ints, n_jobs: Any
) -> tuple[list[LetterLearner], Floats]:
    """Fit a learner for each row of the code, and on each fold, to answer for ``rows`` left out.

    The answers are (m, l', q), NaN where a sample was in no test. In folds the first half of the
    code's rows suffices where it tells all classes apart: a temperature learned from it was
    measured to give 0 to 3 % more log loss than one from all, at half of its price.
    """
    if not hasattr(estimator, "predict_proba"):
        raise InvalidInput(
            f"{type(estimator).__name__} has no predict_proba, by which it would answer which of "
            "several letters; expected a learner that has, or classes_at_most=None."
        )
    half = code[: ceil(len(code) / 2)]
    apart = (half >= 0).all() and np.unique(half, axis=1).shape == half.shape
    again = len(half) if apart else len(code)
    jobs = [(number, np.arange(data.codes.size)) for number in range(len(code))]
    jobs += [(number, train) for train, _ in folds for number in range(again)]
    fits = Parallel(n_jobs=n_jobs)(
        delayed(_fit)(estimator, data, code[number], part, number) for number, part in jobs
    )
    answers = np.full((rows.size, again, int(code.max()) + 1), np.nan)
    place = data.places_among(rows)
    for fold, (_, test) in enumerate(folds):
        asked = test[place[test] >= 0]
        for number in range(again if asked.size else 0):
            one = fits[len(code) + fold * again + number]
            X = data.X[asked] if data.pairwise else data.take(asked, asked)
            answers[place[asked], number] = one.answers(X, answers.shape[2])
    return fits[: len(code)], answers


def _fit(estimator: Any, data: TrainingData, row: Code, part: Ints, number: int) -> LetterLearner:
    members = part[(data.weights[part] > 0) & (row[data.codes[part]] >= 0)]
    members = data.repeated(members)
    X, params = data.take(members, members), data.fit_params(members)
    try:
        learner = clone(estimator).fit(X, row[data.codes[members]], **params)
    except Exception as cause:
        raise learner_error(estimator, f"row {number} of the code", cause) from cause
    return LetterLearner(learner, members if data.pairwise else None)
