"""Classifiers' outputs to scores in [−1, 1], as MST09 takes them.

============================  =====================================================================
the classifier has            its score
============================  =====================================================================
``predict_proba``             2p − 1
``decision_function`` only    tanh((d − median) / (2 · interquartile range)), both taken from the
                              scores the weights are learned on
``predict`` only              −1 or 1
============================  =====================================================================

All increase with the output, so each classifier's own ranking stays as it is.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from polychotomy.arrays import Floats

Response = Literal["predict_proba", "decision_function", "predict"]
Scaling = tuple[float, float]
"""Centre and spread."""

RESPONSES: tuple[Response, ...] = ("predict_proba", "decision_function", "predict")


def response_of(estimator: BaseEstimator) -> Response:
    """Name the first of the three methods that the estimator has.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> from polychotomy.combination.score_scaling import response_of
    >>> response_of(LinearSVC())
    'decision_function'
    """
    return next((name for name in RESPONSES if hasattr(estimator, name)), "predict")


def positive_output(output: NDArray[Any], response: Response, positive_label: object) -> Floats:
    """Bring a method's output for two classes to one number a sample, larger for the second.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.score_scaling import positive_output
    >>> positive_output(np.array([[0.25, 0.75]]), "predict_proba", 1)
    array([0.5])
    """
    if response == "predict_proba":
        return np.asarray(2.0 * output[:, 1] - 1.0, dtype=np.float64)
    if response == "predict":
        return np.where(output == positive_label, 1.0, -1.0)
    return np.asarray(output, dtype=np.float64)


def find_scaling(values: Floats, response: Response) -> Scaling:
    """Centre and spread of a decision function's values; 0 and 1 for the others.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.score_scaling import find_scaling
    >>> find_scaling(np.array([0.0, 1.0, 2.0, 3.0, 40.0]), "decision_function")
    (2.0, 4.0)
    """
    if response != "decision_function":
        return 0.0, 1.0
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    spread = 2 * (high - low) or float(np.std(values)) or 1.0
    return float(middle), float(spread)


def scale(values: Floats, response: Response, scaling: Scaling) -> Floats:
    """Map to [−1, 1].

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.combination.score_scaling import scale
    >>> scale(np.array([2.0, 6.0]), "decision_function", (2.0, 4.0)).round(4)
    array([0.    , 0.7616])
    """
    if response != "decision_function":
        return values
    centre, spread = scaling
    return np.asarray(np.tanh((values - centre) / spread))
