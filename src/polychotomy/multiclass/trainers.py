"""How one dichotomy's learner is fitted on some rows, and answers on others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sklearn.base import clone

from polychotomy.arrays import Bools, Floats, Ints
from polychotomy.multiclass.kernels import decide, is_kernel_machine
from polychotomy.multiclass.responses import Response, respond
from polychotomy.multiclass.training_data import TrainingData


class Trainer(Protocol):
    """Fits a learner on rows of the training data, and scores other rows with it."""

    def fit(self, rows: Ints, positive: Bools) -> Any:
        """Fit a fresh learner on ``rows``; ``positive`` (n,) tells the + side of every sample."""
        ...

    def respond(self, learner: Any, fitted_on: Ints, rows: Ints, response: Response) -> Floats:
        """Answer for ``rows`` by a learner that was fitted on the rows ``fitted_on``."""
        ...


@dataclass(frozen=True, eq=False)
class PlainTrainer:
    """Calls ``fit`` and the response method of clones of the learner.

    ``labels`` are what the learner sees for the − and + side.
    """

    estimator: Any
    data: TrainingData
    labels: np.ndarray[Any, Any]

    def fit(self, rows: Ints, positive: Bools) -> Any:
        """Fit a clone on ``rows``."""
        rows = self.data.repeated(rows)
        labels = self.labels[positive[rows].astype(np.intp)]
        X, params = self.data.take(rows, rows), self.data.fit_params(rows)
        return clone(self.estimator).fit(X, labels, **params)

    def respond(self, learner: Any, fitted_on: Ints, rows: Ints, response: Response) -> Floats:
        """Call the learner's response method."""
        X = self.data.take(rows, self.data.repeated(fitted_on))
        dense = isinstance(X, np.ndarray) and X.dtype == np.float64
        if response == "decision_function" and dense and is_kernel_machine(learner):
            return decide(learner, X)  # LIBSVM would go through the samples one by one
        return respond(learner, X, response)
