"""What is done with every learner's answers, decided once for all dichotomies."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

from polychotomy.decoding.decode import Decoder
from polychotomy.multiclass.calibration import Method
from polychotomy.multiclass.folds import Fold
from polychotomy.multiclass.responses import Response, choose_response


@dataclass(frozen=True)
class Recipe:
    """What is done with every dichotomy's learner, decided once for all of them.

    Parameters
    ----------
    response : str
        The method of the learner that answers.
    method : "sigmoid", "isotonic" or None
        How out-of-fold answers are calibrated.
    keep_sign : bool
        Calibrate without an intercept (two classes).
    shift : bool
        Find each dichotomy's optimal threshold.
    folds : list of (train, test) rows
        For out-of-fold answers; unused where neither calibration nor thresholds ask for them.
    joint : bool
        Score the samples of all classes that a fold leaves out, to learn one temperature.
    """

    response: Response
    method: Method | None
    keep_sign: bool
    shift: bool
    folds: tuple[Fold, ...]
    joint: bool

    @property
    def needs_folds(self) -> bool:
        """Whether answers on unseen samples are needed."""
        return self.method is not None or self.shift


def choose_method(
    estimator: Any, calibration: Literal["auto", "sigmoid", "isotonic"] | None
) -> tuple[Response, Method | None]:
    """Return which method of the learner answers, and how its answers are calibrated.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.multiclass.recipes import choose_method
    >>> choose_method(LinearSVC(), "auto")
    ('decision_function', 'sigmoid')
    """
    asked: Method | None = calibration if calibration != "auto" else None
    response = choose_response(estimator, calibrated=asked is not None)
    if response == "predict":
        return response, None
    if calibration == "auto" and response == "decision_function":
        return response, "sigmoid"
    return response, asked


def describe(
    estimator: Any, response: Response, method: Method | None, decoder: Decoder
) -> tuple[str, Decoder]:
    """Return ``calibration_`` and ``decoder_``: what is done, in words.

    A learner that gives labels only leaves votes as the one decoder that makes sense; that is
    warned of.
    """
    if response == "predict":
        warnings.warn(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, so its "
            "labels are decoded by votes: probabilities are shares of votes.",
            stacklevel=4,
        )
        return "votes", "votes"
    return method or ("none" if response == "predict_proba" else "logistic"), decoder
