"""What a learner answers with: probabilities, decision values, or labels only."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.special import logit

from polychotomy.arrays import Floats

Response: TypeAlias = Literal["predict_proba", "decision_function", "predict"]

# Probabilities of exactly 0 or 1 have no finite logit; none of a double's logits is beyond this.
_EDGE = float(np.finfo(np.float64).eps)


def choose_response(estimator: Any, *, calibrated: bool) -> Response:
    """Probabilities where the learner has them; to calibrate, decision values before them.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from polychotomy.multiclass.responses import choose_response
    >>> choose_response(LogisticRegression(), calibrated=False)
    'predict_proba'
    >>> choose_response(LogisticRegression(), calibrated=True)
    'decision_function'
    """
    names: tuple[Response, Response] = ("predict_proba", "decision_function")
    for name in reversed(names) if calibrated else names:
        if hasattr(estimator, name):
            return name
    return "predict"


def respond(learner: Any, X: Any, response: Response) -> Floats:
    """Answer of a fitted two-class learner for its second class, (n,).

    A probability, a decision value, or 0 and 1 for a learner that gives labels only.
    """
    if response == "predict_proba":
        return np.asarray(learner.predict_proba(X)[:, 1], dtype=np.float64)
    if response == "decision_function":
        values: Floats = np.asarray(learner.decision_function(X), dtype=np.float64)
        return values.ravel()
    second = np.asarray(learner.predict(X)) == learner.classes_[1]
    return np.asarray(second, dtype=np.float64)


def finite_logits(probabilities: Floats) -> Floats:
    """Logits, those of 0 and 1 held at ±36."""
    return np.asarray(logit(np.clip(probabilities, _EDGE, 1.0 - _EDGE)))
