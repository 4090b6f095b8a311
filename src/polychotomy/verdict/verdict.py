"""Verdict: every answer about one table, with the numbers behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from polychotomy._result import Result
from polychotomy.arrays import Floats
from polychotomy.combination import CombinationAdvice
from polychotomy.comparison import Ordering
from polychotomy.report import render_page
from polychotomy.validation import Trust
from polychotomy.verdict.rules import Frequency
from polychotomy.verdict.sentences import say_verdict
from polychotomy.whole_file import writing_whole

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


class Candidate(NamedTuple):
    """One candidate in numbers.

    ``error`` is the plain mean over all folds, ``sd`` the standard deviation over them; both are
    NaN for a candidate that failed somewhere.
    """

    name: str
    error: float
    sd: float
    fit_seconds: float
    predict_seconds: float
    n_failed: int


class Failure(NamedTuple):
    """One trial that gave no predictions."""

    candidate: str
    run: int
    repetition: int
    fold: int
    status: str
    cause: str
    details: str


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Verdict(Result):
    """Which candidate to use, and why.

    Parameters
    ----------
    best : str
        The candidate to use.
    ordering : Ordering
        MultiTest over the candidates that never failed; with several runs, that of the first run
        which gave the most frequent order.
    frequencies : tuple of Frequency
        The orders found and in how many runs, the most frequent first (YA06 Table 2).
    trust : Trust
        Whether the best candidate's probabilities mean what they say, from the same predictions.
    combination : CombinationAdvice or None
        Whether a combination ranks better than the best single candidate; None where it was not
        asked, for which ``notes`` has the reason.
    candidates : tuple of Candidate
        In order of preference.
    failures : tuple of Failure
        Every trial that failed, with its cause.
    dataset : dict
        Name, rows, columns, classes, SHA-256.
    plan : dict
        The resampling plan.
    yardsticks : tuple of str
        Candidates that ignore the features: something to compare with, not an answer.
    provenance : dict
        Seed, versions, fingerprint of the study.
    notes : tuple of str
        What a reader should know about the data or the fits.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from polychotomy import judge
    >>> X, y = load_iris(return_X_y=True)
    >>> verdict = judge({"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}, X, y)
    >>> verdict.best
    '1-NN'
    >>> verdict.to_frame()[["candidate", "place"]].values.tolist()
    [['MAX', 2], ['1-NN', 1]]
    """

    best: str
    ordering: Ordering
    frequencies: tuple[Frequency, ...]
    trust: Trust
    combination: CombinationAdvice | None
    candidates: tuple[Candidate, ...]
    failures: tuple[Failure, ...]
    dataset: dict[str, Any]
    plan: dict[str, Any]
    yardsticks: tuple[str, ...]
    provenance: dict[str, Any]
    notes: tuple[str, ...]

    @property
    def guesses(self) -> bool:
        """Whether the best candidate ignores the features: nothing was shown to beat guessing."""
        return self.best in self.yardsticks

    def sentences(self) -> tuple[str, ...]:
        """Say the verdict: what to use first, then why, then what stays open."""
        return say_verdict(self)

    def __str__(self) -> str:
        return " ".join(self.sentences())

    def candidate(self, name: str) -> Candidate:
        """Return a candidate's numbers by name."""
        return next(candidate for candidate in self.candidates if candidate.name == name)

    def to_frame(self) -> pd.DataFrame:
        """One row a candidate, in order of preference; a failed one has no place."""
        import pandas as pd

        places = {name: i + 1 for i, name in enumerate(self.ordering.ordered_names)}
        rows = [
            {"candidate": c.name, "place": places.get(c.name), **c._asdict()}
            for c in self.candidates
        ]
        frame = pd.DataFrame(rows).drop(columns="name")
        return frame.astype({"place": "Int64"}) if frame["place"].isna().any() else frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the candidates' errors and the MultiTest graph."""
        return self.ordering.plot(ax)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain values for JSON; no NaN, clocks only under ``timings``."""
        ordering = self.ordering
        return {
            "best": self.best,
            "ordering": {
                "order": list(ordering.ordered_names),
                "names": list(ordering.names),
                "edges": ordering.edges.tolist(),
                "pvalues": _without_nan(ordering.pvalues),
                "level": _without_nan(ordering.level),
                "frequencies": [{"order": list(f.order), "runs": f.runs} for f in self.frequencies],
            },
            "trust": _plain_row(self.trust.to_frame()),
            "combination": None if self.combination is None else _combination(self.combination),
            "candidates": [
                {"name": c.name, "error": _without_nan(c.error), "sd": _without_nan(c.sd)}
                for c in self.candidates
            ],
            "failures": [failure._asdict() for failure in self.failures],
            "sentences": list(self.sentences()),
            "notes": list(self.notes),
            "dataset": self.dataset,
            "plan": self.plan,
            "yardsticks": list(self.yardsticks),
            "timings": {
                c.name: {"fit_seconds": c.fit_seconds, "predict_seconds": c.predict_seconds}
                for c in self.candidates
            },
            "provenance": self.provenance,
        }

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the page, and write it to ``path``, whole or not at all."""
        page = render_page(self)
        if path is not None:
            with writing_whole(Path(path)) as temporary:
                temporary.write_text(page, encoding="utf-8", newline="\n")
        return page


def _combination(advice: CombinationAdvice) -> dict[str, Any]:
    lower, upper = advice.interval
    return {
        "conclusion": advice.conclusion,
        "auc": advice.auc,
        "best": advice.best,
        "auc_best": advice.auc_best,
        "difference": advice.difference,
        "interval": [lower, upper],
        "pvalue": advice.pvalue,
        "weights": dict(zip(advice.names, advice.weights.tolist(), strict=True)),
    }


def _plain_row(frame: pd.DataFrame) -> dict[str, Any]:
    """Return the one row of a table as plain values; what JSON has no number for is None."""
    (row,) = frame.to_dict("records")
    return {
        name: None if isinstance(value, float) and not np.isfinite(value) else value
        for name, value in row.items()
    }


def _without_nan(values: Floats | float) -> Any:
    """Return numbers as nested lists with None for NaN, which JSON does not have."""
    array = np.asarray(values, dtype=float).astype(object)
    array[array != array] = None
    return array.tolist()
