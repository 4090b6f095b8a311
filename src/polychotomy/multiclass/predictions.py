"""From sums of weights to decoder weights, from probabilities to decision scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from polychotomy.calibration.temperature import sharpen
from polychotomy.core.arrays import Bools, Code, Floats, Outputs, Probabilities
from polychotomy.core.threads import in_threads
from polychotomy.decoding import decode, decode_votes
from polychotomy.decoding.decode import Decoder
from polychotomy.multiclass.dichotomies import Dichotomy
from polychotomy.multiclass.fitting import score_dichotomies
from polychotomy.multiclass.inputs import DistinctRows, check_samples, read_samples
from polychotomy.multiclass.merged import MergedMachines
from polychotomy.multiclass.training import finite_logits

_TINY = float(np.finfo(np.float64).tiny)


def decoder_weights(weights: Floats, trained: Bools, decoder: str) -> Floats | None:
    """Return the weights (l,) for a decoder: n of each dichotomy, or whether it has been seen.

    Votes and losses are counts of equal terms; None means that all weigh the same.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.predictions import decoder_weights
    >>> decoder_weights(np.array([3.0, 4.0]), np.array([True, True]), "bradley-terry")
    array([3., 4.])
    """
    if decoder in ("votes", "loss"):
        weights = (weights > 0).astype(np.float64)
    seen = weights[trained]
    return None if np.all(seen == seen[0]) else weights


def log_scores(probabilities: Probabilities) -> Floats:
    """Return finite log-probabilities, the largest where that of the probabilities is.

    Examples
    --------
    >>> import numpy as np
    >>> from polychotomy.multiclass.predictions import log_scores
    >>> log_scores(np.array([[1.0, 0.0]])).round(1)
    array([[   0. , -708.4]])
    """
    scores = np.log(np.maximum(probabilities, _TINY))
    winner = np.argmax(probabilities, axis=1)
    # Two probabilities that differ in the last bit may have one logarithm.
    astray = np.flatnonzero(np.argmax(scores, axis=1) != winner)
    scores[astray, winner[astray]] = np.nextafter(scores[astray].max(axis=1), np.inf)
    return scores


class CodedPredictions:
    """The methods of `CodedClassifier` that need a fit: outputs, decoded to classes."""

    estimator: Any
    thresholds: str | None
    n_jobs: int | None
    classes_: np.ndarray[Any, Any]
    code_: Code
    dichotomies_: list[Dichotomy]
    calibration_: str
    decoder_: Decoder
    thresholds_: Floats
    temperature_: float
    _rows: DistinctRows
    _weights: Floats | None
    _merged: MergedMachines | None

    def predict_dichotomies(self, X: Any) -> Outputs:
        """Return the probability of each dichotomy's + side, given one of its sides, (n, l).

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        return self._rows.expand(self._outputs(self._check_samples(X)))

    def predict_proba(self, X: Any) -> Probabilities:
        """Return class probabilities, (n, k); rows add up to 1.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        X = self._check_samples(X)
        if self.classes_.size > 2:
            outputs = self._rows.expand(self._outputs(X))
            return sharpen(self._decode(outputs), self.temperature_, n_jobs=self.n_jobs)
        if self.calibration_ == "none" and not self.thresholds_.any():
            return np.asarray(self.dichotomies_[0].answer(X, "predict_proba"))
        second = self._outputs(X)[:, 0]
        return np.column_stack([1.0 - second, second])

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of `predict_proba`, (n, k); −inf for probability 0."""
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.log(probabilities)

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """Return the most probable class of each sample, (n,); the first of equally probable ones.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        probabilities = self.predict_proba(X)
        return np.asarray(self.classes_[np.argmax(probabilities, axis=1)])

    def decision_function(self, X: Any) -> Floats:
        """Return a score for each class, (n, k), or for the second of two classes, (n,).

        With more than two classes, log-probabilities (of at least the smallest normal number):
        the largest belongs to the predicted class. With two classes, the learner's own decision
        values, or the logit where it has none or ``calibration="isotonic"`` or ``thresholds``
        moved it; above 0 where the second class is predicted.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.
        """
        X = self._check_samples(X)
        if self.classes_.size > 2:
            return log_scores(self.predict_proba(X))
        dichotomy = self.dichotomies_[0]
        moved = self.thresholds is not None or self.calibration_ == "isotonic"
        if not moved and hasattr(dichotomy.learner, "decision_function"):
            return np.ravel(dichotomy.answer(X, "decision_function"))
        return finite_logits(self._outputs(X)[:, 0])

    def tied(self, X: Any) -> Bools:
        """Return where several classes have the most votes, (n,): HT98's regions of indecision.

        The votes are those of `polychotomy.decoding.decode_votes`, whatever the decoder is.

        Parameters
        ----------
        X : (n, d) array-like, sparse matrix or data frame
            Samples.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.linear_model import LogisticRegression
        >>> from polychotomy.multiclass import CodedClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> model = CodedClassifier(LogisticRegression(), decoder="votes").fit(X, y)
        >>> int(model.tied(X).sum())
        0
        """
        shares = decode_votes(self.code_, self.predict_dichotomies(X), n_jobs=self.n_jobs)
        first = shares >= (1.0 - 1e-9) * shares.max(axis=1, keepdims=True)
        return np.asarray(first.sum(axis=1) > 1)

    def _check_samples(self, X: Any) -> Any:
        check_is_fitted(self)
        X = self._read_samples(X, square=False)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    def _read_samples(self, X: Any, *, square: bool) -> Any:
        pairwise = get_tags(self.estimator).input_tags.pairwise
        return check_samples(read_samples(X), pairwise=pairwise, square=square)

    def _decode(self, outputs: Outputs) -> Probabilities:
        return decode(
            self.code_, outputs, decoder=self.decoder_, weights=self._weights, n_jobs=self.n_jobs
        )

    def _outputs(self, X: Any) -> Outputs:
        """Probabilities of the + sides of the trained dichotomies, (n, t)."""
        scores = score_dichotomies(self.dichotomies_, self._merged, X, self.n_jobs)

        def calibrate(number: int) -> None:
            scores[:, number] = self.dichotomies_[number].outputs(scores[:, number])

        in_threads(lambda: calibrate, range(len(self.dichotomies_)), n_jobs=self.n_jobs)
        return scores
