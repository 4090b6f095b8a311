"""What a ledger says when it is asked: which fits are recorded, and every prediction they made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import StudyError
from polychotomy.core.predictions import OutOfFold
from polychotomy.study.design.specification import Specification
from polychotomy.study.design.trials import TrialKey
from polychotomy.study.ledger import columns as gathering
from polychotomy.study.ledger import columns as ledger_parts
from polychotomy.study.ledger import rows as ledger_rows
from polychotomy.study.ledger.columns import Part
from polychotomy.study.ledger.file import StudyFile
from polychotomy.study.ledger.status import say_status


class LedgerReading:
    """The questions that a study file answers; nothing here writes.

    :class:`~polychotomy.study.Ledger` opens the file and writes into it.

    Examples
    --------
    >>> from polychotomy.study import Ledger
    >>> with Ledger() as ledger:
    ...     ledger.say_status(), ledger.finished(), ledger.stopped()
    ('nothing planned yet', set(), [])
    """

    _file: StudyFile

    def fact(self, name: str) -> Any:
        """Return a fact by name, or None."""
        row = self._file.read(
            lambda connection: connection.execute(
                "SELECT value FROM facts WHERE name = ?", (name,)
            ).fetchone()
        )
        return None if row is None else json.loads(row[0])

    def stopped(self) -> list[dict[str, Any]]:
        """Return which candidates were not run further, and why; empty without racing."""
        found: list[dict[str, Any]] = self.fact("stopped") or []
        return found

    def finished(self) -> set[TrialKey]:
        """Return the keys of all trials recorded."""
        return self._file.read(ledger_rows.read_keys)

    def done(self) -> dict[tuple[str, str, str], NDArray[np.bool_]]:
        """Return which trials are recorded.

        Returns
        -------
        {(data set, candidate, plan): (repetitions of all runs, folds) bools}
        """
        specification = self.fact("specification")
        if specification is None:
            return {}
        return self._file.read(lambda c: ledger_parts.read_done(c, specification))

    def trials(
        self, *, dataset: str | None = None, plan: str | None = None
    ) -> list[dict[str, Any]]:
        """Return every trial but its predictions, by data set, plan, candidate and repetition."""
        return self._file.read(lambda c: ledger_rows.read_trials(c, dataset, plan))

    def summary(self) -> list[dict[str, Any]]:
        """Return a row a candidate, data set and plan: trials, failures, mean seconds, size."""
        return self._file.read(ledger_rows.read_summary)

    def model_bytes(self, dataset: str | None = None) -> dict[str, int]:
        """Return how large the fitted model of each candidate is, as pickled.

        Measured on one fit, the first of the plan made of folds, or of another where there is none.
        Candidates whose model cannot be pickled, or was never measured, are not among them.

        Parameters
        ----------
        dataset : str, optional
            Which; may be left out where the study has one only.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> from polychotomy.study import Study
        >>> with Study({"1-NN": KNeighborsClassifier(1)}, *load_iris(return_X_y=True)).run() as all:
        ...     all.model_bytes()["1-NN"] > 75 * 4 * 8  # it keeps its training data
        True
        """
        specification = self.fact("specification") or {"datasets": {}, "plans": {}}
        name = ledger_parts.choose_one(specification["datasets"], dataset, "data set")
        plans = ledger_parts.folds_first(specification["plans"])
        return self._file.read(lambda c: ledger_rows.read_model_bytes(c, name, plans))

    def say_status(self) -> str:
        """Say how many trials of each candidate are recorded, failed and still to come."""
        specification = self.fact("specification")
        if specification is None:
            return "nothing planned yet"
        return say_status(specification, self.fact("planned"), self.summary(), self.stopped())

    def out_of_fold(
        self,
        candidates: Sequence[str] | None = None,
        *,
        dataset: str | None = None,
        plan: str | None = None,
        runs: int | None = None,
    ) -> OutOfFold:
        """Gather the predictions of some candidates in the first ``runs`` runs.

        Parameters
        ----------
        candidates : str or sequence of str, optional
            One, or several; all by default.
        dataset, plan : str, optional
            Which; may be left out where the study has one only, and the plan where only one is
            made of folds.
        runs : int, optional
            All by default.
        """
        part = self._part(candidates, dataset, plan, runs, ledger_parts.FOLDS)
        return self._file.read(lambda c: gathering.gather_out_of_fold(c, part))

    def fold_errors(
        self,
        candidates: Sequence[str] | None = None,
        *,
        dataset: str | None = None,
        plan: str | None = None,
        runs: int | None = None,
    ) -> Floats:
        """Return the misclassification rate of every fit, (m, runs, repetitions, folds).

        The same numbers as ``out_of_fold(…).fold_errors()``, read in batches: memory does not grow
        with the predictions. NaN for a fit that failed or was not run. Parameters as in
        :meth:`out_of_fold`.
        """
        part = self._part(candidates, dataset, plan, runs, ledger_parts.FOLDS)
        return self._file.read(lambda c: gathering.gather_fold_errors(c, part))

    def bootstrap_predictions(
        self, candidate: str, *, dataset: str | None = None
    ) -> tuple[NDArray[np.float32], Ints]:
        """Return predictions out of the bag and in-bag counts, for ``decompose_predictions``.

        Returns
        -------
        predictions : (b, n, k)
            NaN where a sample is in the bag. Replicates that failed are left out.
        in_bag : (b, n)
            How often each sample was drawn.
        """
        part = self._part([candidate], dataset, None, None, ("bootstrap",))
        return self._file.read(lambda c: gathering.gather_bootstrap(c, part))

    def size_errors(
        self, candidate: str, *, dataset: str | None = None, plan: str | None = None
    ) -> tuple[Ints, Floats]:
        """Return training sizes and the errors at each, for ``learning_curve_forecast``.

        Returns
        -------
        sizes : (s,)
        losses : (s, n)
            Share of repetitions in which each sample was misclassified; NaN where no fit
            predicted it.
        """
        part = self._part([candidate], dataset, plan, None, ("nested sizes",))
        n_sizes = len(part.plan.to_dict()["sizes"])
        return self._file.read(lambda c: gathering.gather_size_errors(c, part, n_sizes))

    def _part(
        self,
        candidates: Sequence[str] | None,
        dataset: str | None,
        plan: str | None,
        runs: int | None,
        kinds: Sequence[str],
    ) -> Part:
        specification = self._specification()
        chosen = ledger_parts.choose(
            specification, candidates=candidates, dataset=dataset, plan=plan, runs=runs, kinds=kinds
        )
        return self._file.read(lambda c: ledger_parts.load_part(c, specification, *chosen))

    def _specification(self) -> Specification:
        found: Specification | None = self.fact("specification")
        if found is None:
            raise StudyError("the study is empty: nothing has been planned yet. Run it first.")
        return found

    def truth(self, dataset: str | None = None) -> Ints:
        """Return the class codes of a data set's samples, (n,)."""
        name = ledger_parts.choose_one(self._specification()["datasets"], dataset, "data set")
        return self._file.read(lambda c: ledger_parts.load_truth(c, name))

    def folds(self, *, dataset: str | None = None, plan: str | None = None) -> Ints:
        """Return in which fold each sample was left out, −1 for none, (runs, repetitions, n)."""
        part = self._part([], dataset, plan, None, ledger_parts.FOLDS)
        folds = part.plan.parts(part.splits)[0].astype(np.intp)
        return folds.reshape(part.runs, part.plan.repetitions, -1)

    def prediction_columns(
        self, *, dataset: str | None = None, plan: str | None = None
    ) -> dict[str, NDArray[Any]]:
        """Return every prediction of all candidates as columns, an entry a prediction.

        ``dataset, plan, candidate, run, repetition, fold, sample, truth, predicted``, ``p:<class>``
        for each class, ``fit_seconds, predict_seconds``; ordered by candidate, repetition, sample.
        """
        part = self._part(None, dataset, plan, None, ledger_parts.FOLDS)
        ids = self.sample_ids(part.dataset)
        return self._file.read(lambda c: gathering.gather_columns(c, part, ids))

    def sample_ids(self, dataset: str | None = None) -> list[str] | None:
        """Return the names of a data set's samples; None where their positions are all."""
        name = ledger_parts.choose_one(self._specification()["datasets"], dataset, "data set")
        row = self._file.read(
            lambda c: c.execute("SELECT ids FROM samples WHERE dataset = ?", (name,)).fetchone()
        )
        return None if row[0] is None else list(json.loads(row[0]))
