"""M24: what the trials gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.reproduction.run_log import Values

CODES = {"1 vs. 1": "one-vs-one", "ortho.": "orthogonal"}
"""The paper's two methods, and our names of their codes."""


@dataclass(frozen=True)
class Trials:
    """What trials gave, by (data set, trial, learner, code), and the kernels in use."""

    found: Mapping[tuple[str | int, ...], Values]
    kernels: Mapping[str, Values]

    def of(self, name: str, learner: str, code: str, decoder: str, score: str) -> Floats:
        """Return a score in every trial that was run, (trials,)."""
        return np.array(
            [
                values[decoder][score]
                for key, values in self.found.items()
                if key[0] == name and key[2:] == (learner, code)
            ]
        )

    def of_reading(self, name: str, code: str, score: str) -> Floats:
        """Return a score of the SVM with the other reading's kernel, (trials,)."""
        return np.array(
            [
                values["least-squares"][score]
                for key, values in self.found.items()
                if key[:2] == ("reading", name) and key[3:] == ("SVM", code)
            ]
        )

    def fit_seconds(self, name: str, learner: str, code: str) -> list[float]:
        """Return the time of every fit of all dichotomies."""
        return [
            values["fit"]
            for key, values in self.found.items()
            if key[0] == name and key[2:] == (learner, code)
        ]

    def classify_seconds(self, name: str, learner: str, code: str) -> list[float]:
        """Return the time of every classification of the test part, by least squares."""
        return [float(value) for value in self.of(name, learner, code, "least-squares", "seconds")]

    def gains(self, name: str, learner: str) -> Floats:
        """Accuracy of one-vs-one minus that of the orthogonal code, in every trial with both."""
        return -self.gains_on_pairs(name, learner, "orthogonal", "least-squares")

    def gains_on_pairs(self, name: str, learner: str, code: str, decoder: str) -> Floats:
        """Accuracy minus that of the learner's one-vs-one by least squares, on the same splits."""
        pairs = self._accuracies(name, learner, "one-vs-one", "least-squares")
        others = self._accuracies(name, learner, code, decoder)
        return np.array([others[trial] - pairs[trial] for trial in pairs if trial in others])

    def _accuracies(self, name: str, learner: str, code: str, decoder: str) -> dict[object, float]:
        return {
            key[1]: values[decoder]["accuracy"]
            for key, values in self.found.items()
            if key[0] == name and key[2:] == (learner, code)
        }

    def count(self, name: str, learner: str, code: str) -> int:
        """Return the number of trials that were run."""
        return len(self.of(name, learner, code, "least-squares", "accuracy"))
