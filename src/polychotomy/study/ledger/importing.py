"""Predictions made elsewhere, put into a ledger: one that is new, or beside what was fitted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from polychotomy._version import __version__
from polychotomy.core.arrays import Ints
from polychotomy.core.exceptions import InvalidTable
from polychotomy.study.design.candidates import check_name
from polychotomy.study.design.plan import ImportedFolds
from polychotomy.study.design.specification import DataPrint
from polychotomy.study.design.trials import Outcome, TrialKey, fail, succeed
from polychotomy.study.fitting.fit import is_measured
from polychotomy.study.ledger import prediction_table
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.ledger.prediction_table import place, refuse_first
from polychotomy.study.ledger.reading import FOLDS

if TYPE_CHECKING:
    import pandas as pd

Better = Literal["", "higher", "lower"]
"""Which scores are better, where scores are all that is known."""


class ImportedTrials:
    """A table's predictions in the order of a ledger: by learner, repetition, fold, sample."""

    def __init__(
        self, dataset: str, table: prediction_table.PredictionTable, better: Better = ""
    ) -> None:
        for name in table.learners:
            check_name(name, "learner")
        self.dataset, self.table = dataset, table
        self.position, self.ids = _positions(table.samples)
        order = np.argsort(self.position)
        self.groups = table.groups and [table.groups[row] for row in order]
        self.by = table.by and [table.by[0], [table.by[1][row] for row in order]]
        self.weights = None if table.weights is None else table.weights[order].tolist()
        self.plan = ImportedFolds(
            repetitions=int(table.repetition.max()) + 1,
            folds=int(table.fold.max()) + 1,
            runs=int(table.run.max()) + 1,
            only_right=table.only_right,
            better=better,
            scale=table.scale or 1.0,
        )
        self.where = table.run * self.plan.repetitions + table.repetition
        self.splits = self._splits()
        self._refuse_gaps()

    def _splits(self) -> NDArray[np.int16]:
        """Return the fold of every sample in every repetition; all learners must agree."""
        table, n = self.table, len(self.table.samples)
        repetitions = self.plan.runs * self.plan.repetitions
        splits = np.full((repetitions, n), -1, dtype=np.int16)
        sample = self.position[table.sample]
        # The first row of a sample in a repetition is what the others are held to.
        _, first = np.unique(self.where * n + sample, return_index=True)
        splits[self.where[first], sample[first]] = table.fold[first]
        refuse_first(
            splits[self.where, sample] != table.fold,
            lambda row: (
                f"the sample {table.samples[table.sample[row]]!r} is in fold {table.fold[row]} in "
                f"{place(row)}, but in fold {splits[self.where[row], sample[row]]} in an earlier "
                f"row of run {table.run[row]}, repetition {table.repetition[row]}; expected all "
                "learners on the same folds."
            ),
        )
        missing = np.argwhere(splits < 0)
        if len(missing):
            where, position = missing[0]
            run, repetition = divmod(int(where), self.plan.repetitions)
            name = table.samples[int(np.flatnonzero(self.position == position)[0])]
            raise InvalidTable(
                f"the sample {name!r} has no prediction in run {run}, repetition {repetition}, by "
                f"any learner ({len(missing)} such cases); expected every sample once in "
                "each repetition."
            )
        return splits

    def _refuse_gaps(self) -> None:
        """Refuse a sample twice in a repetition, and folds that are predicted in part only."""
        table = self.table
        shape = (len(table.learners), *self.splits.shape)
        cell = np.ravel_multi_index((table.learner, self.where, self.position[table.sample]), shape)
        order = np.argsort(cell, kind="stable")
        twice = np.flatnonzero(np.diff(cell[order]) == 0)
        if len(twice):
            first, second = sorted((int(order[twice[0]]), int(order[twice[0] + 1])))
            raise InvalidTable(
                f"the sample {table.samples[table.sample[second]]!r} is predicted by "
                f"{table.learners[table.learner[second]]!r} in {place(first)} and again in "
                f"{place(second)}, both in run {table.run[second]}, repetition "
                f"{table.repetition[second]}; expected once."
            )
        there = np.zeros(shape, dtype=bool)
        there.flat[cell] = True
        for learner, where in np.argwhere(~there.all(axis=2)):
            gaps = np.flatnonzero(~there[learner, where])
            partly = np.isin(self.splits[where, gaps], self.splits[where, there[learner, where]])
            if partly.any():
                run, repetition = divmod(int(where), self.plan.repetitions)
                sample = np.flatnonzero(self.position == gaps[np.flatnonzero(partly)[0]])[0]
                raise InvalidTable(
                    f"{table.learners[learner]!r} has no prediction of the sample "
                    f"{table.samples[sample]!r} in run {run}, repetition {repetition}, but has "
                    "others of its fold; expected all of a fold, or none where the fit failed."
                )

    @property
    def truth(self) -> Ints:
        """Class codes of the samples by position, (n,)."""
        truth = np.empty(len(self.table.samples), dtype=np.intp)
        truth[self.position] = self.table.truth
        return truth

    def recode(self, classes: tuple[str, ...]) -> None:
        """Give the classes another order, which may have more of them."""
        missing = [name for name in self.table.classes if name not in classes]
        if missing:
            raise InvalidTable(
                f"the table has the class {missing[0]!r}, which the study does not: it has "
                f"{', '.join(map(repr, classes))}."
            )
        code = np.array([classes.index(name) for name in self.table.classes], dtype=np.intp)
        probabilities = np.zeros((len(self.table.probabilities), len(classes)))
        probabilities[:, code] = self.table.probabilities
        self.table = replace(
            self.table,
            classes=classes,
            predicted=code[self.table.predicted],
            probabilities=probabilities,
            truth=code[self.table.truth],
        )

    def outcomes(self, plan: str) -> Iterator[Outcome]:
        """Yield a finished trial of a plan for each learner, repetition and fold."""
        table, k = self.table, len(self.table.classes)
        keys = (self.position[table.sample], table.fold, self.where, table.learner)
        order = np.lexsort(keys)
        shape = (len(table.learners), len(self.splits), self.plan.folds)
        trial = np.ravel_multi_index((table.learner, self.where, table.fold), shape)[order]
        ends = np.searchsorted(trial, np.arange(np.prod(shape)), side="right")
        starts = np.concatenate([[0], ends[:-1]])
        for index, (learner, where, fold) in enumerate(np.ndindex(*shape)):
            if not (self.splits[where] == fold).any():
                continue
            run, repetition = divmod(where, self.plan.repetitions)
            name = table.learners[learner]
            key = TrialKey(self.dataset, name, plan, run, repetition, fold)
            rows = order[starts[index] : ends[index]]
            if not len(rows):
                reason = "no predictions of this fold in the file"
                yield fail(key, k, status="failed", cause=reason, details="")
                continue
            yield succeed(
                key,
                table.predicted[rows],
                table.probabilities[rows],
                hard=bool(table.hard[learner]),
                fit_seconds=float(table.fit_seconds[rows[0]]),
                predict_seconds=float(table.predict_seconds[rows[0]]),
                model_bytes=table.model_bytes[learner] if is_measured(key) else None,
            )


def _positions(samples: tuple[str, ...]) -> tuple[Ints, tuple[str, ...] | None]:
    """Where each sample goes: its own number if these are 0 to n − 1, else order of appearance."""
    n = len(samples)
    if all(name.isdecimal() and int(name) < n for name in samples):
        return np.array([int(name) for name in samples], dtype=np.intp), None
    return np.arange(n), samples


def import_predictions(
    path: str | Path | pd.DataFrame,
    *,
    into: str | Path | None = None,
    dataset: str | None = None,
    group: str | None = None,
    by: str | None = None,
    higher_better: bool | None = None,
    learners: Sequence[str] | None = None,
) -> Ledger:
    """Read out-of-sample predictions made elsewhere into a ledger.

    The table has a row for each prediction and the columns that ``polychotomy export`` writes:
    ``candidate`` (or ``learner``), ``sample``, ``truth``, and either ``p:<class>`` for every class
    or ``predicted``, or both; or ``correct``, 1 or 0, or ``score``, any number, in place of all
    that. ``fold``, ``run``, ``repetition``, ``weight``, ``fit_seconds``, ``predict_seconds`` and
    ``model_bytes`` may be there, ``dataset`` too; without ``fold`` all cases are one test set. A
    table without a column of candidates has a column for each model, of labels beside ``truth``,
    else of 1 and 0, or of scores; beside a truth of 0 and 1 of probabilities of 1, too. Columns may
    have other usual names (model, id, gold, prediction, …). Order of preference is order of
    appearance.

    All learners must have been tried on the same folds. A learner without any row in a fold is
    taken to have failed there; anything else that is missing or contradicts is an error that names
    the row.

    Parameters
    ----------
    path : path or DataFrame
        A ``.csv``, ``.parquet`` or ``.jsonl`` file; in CSV, semicolons, tabs or bars may stand for
        commas. Or what lm-evaluation-harness writes with ``--log_samples``, a folder with one for
        each model; or results of SWE-bench, a folder or ``.json`` file with the ids that each
        system has resolved; or MLflow's ``eval_results_table.json``, a folder with one for each
        model; or a ``ComparisonReport`` of skore.
    into : path, optional
        A study file to keep the ledger in, new or existing; in memory by default. Into a study
        that has the data set, the learners come beside those that were fitted there: samples
        (numbered from 0), truth and folds must be the study's own, as ``export`` gives them.
    dataset : str, optional
        What to call the data; the name of the file by default.
    group : str, optional
        A column of the table: samples of one value, as questions on one document, are not
        independent, and tests and intervals count them together.
    by : str, optional
        A column of the table: the verdict says in which of its groups the best one errs more.
    higher_better : bool, optional
        Compare by the column ``score``, and say whether higher or lower scores are better. Nobody
        guesses that: a ranking upside down looks like any other.
    learners : sequence of str, optional
        The columns that are models' answers, of a table with a column for each.

    Returns
    -------
    Ledger
        Open. Everything that reads ledgers reads it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = '''learner,sample,fold,truth,p:no,p:yes
    ... R forest,ann,0,yes,0.2,0.8
    ... R forest,bob,1,no,0.6,0.4
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "forest.csv")
    ...     _ = file.write_text(text)
    ...     with import_predictions(file) as ledger:
    ...         ledger.fold_errors().tolist(), ledger.sample_ids()
    ([[[[0.0, 0.0]]]], ['ann', 'bob'])

    Ratings of two assistants, one column for each:

    >>> import pandas as pd
    >>> from polychotomy import judge
    >>> ratings = pd.DataFrame({"mine": [3, 4, 2, 4, 3, 4], "theirs": [7, 8, 8, 9, 8, 7]})
    >>> judge(import_predictions(ratings, higher_better=True)).best
    'theirs'
    """
    from polychotomy.study.ledger.answer_formats import read_answers, with_our_names  # needs pandas

    scored = higher_better is not None
    frame, notes, name = read_answers(path, scored=scored)
    frame, renamed = with_our_names(frame, (group, by, *(learners or ())))
    notes += renamed
    frame = prediction_table.as_long(frame, group, by, learners, scored=scored)
    frame, better = _by_score(frame, higher_better)
    try:
        prediction_table.learner_column(frame)
    except InvalidTable as error:
        raise InvalidTable(" ".join([str(error), *(f"We {one}." for one in renamed)])) from None
    # Only now: what a column plan or dataset of some other table holds is no matter.
    if "plan" in frame and frame["plan"].nunique() > 1:
        names = ", ".join(repr(str(name)) for name in frame["plan"].unique())
        raise InvalidTable(f"the table has predictions of several plans ({names}); expected one.")
    if "dataset" in frame:
        parts = {str(name): part for name, part in frame.groupby("dataset", sort=False)}
    else:
        parts = {dataset or name: frame}
    alone = len(parts) == 1
    ready = {name: _check(name, part, (group, by), better, alone) for name, part in parts.items()}
    ledger = Ledger(into)
    try:
        ledger.lock()
        descriptions = _describe(ready.values())
        for one in ready.values():
            known = (ledger.fact("specification") or {}).get("datasets", {})
            if one.dataset in known:
                _write_beside(ledger, one, descriptions)
            else:
                _write_new(ledger, one, descriptions, notes)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _by_score(frame: pd.DataFrame, higher_better: bool | None) -> tuple[pd.DataFrame, Better]:
    """Return the table with its scores alone where these are to be compared, else without them."""
    answers = [c for c in frame.columns if c in ("predicted", "correct") or c.startswith("p:")]
    if higher_better is None:
        if "score" in frame and not answers:
            raise InvalidTable(
                "the table has scores, and nothing says which are better; expected --higher-better "
                "or --lower-better (in Python higher_better=True or False)."
            )
        return frame.drop(columns="score", errors="ignore"), ""
    if "score" not in frame:
        raise InvalidTable(
            f"--{'higher' if higher_better else 'lower'}-better is for scores, and the table has "
            f"no column 'score' but {', '.join(map(repr, frame.columns))}."
        )
    return frame.drop(columns=answers), "higher" if higher_better else "lower"


def _check(
    name: str, part: pd.DataFrame, columns: tuple[str | None, ...], better: Better, alone: bool
) -> ImportedTrials:
    """Check the predictions of one data set, which may have columns of other sets' classes."""
    check_name(name, "data set")
    if alone:
        return ImportedTrials(name, prediction_table.check_table(part, *columns), better)
    shares = [column for column in part.columns if column.startswith("p:")]
    empty = [name for name in shares if (part[name].isna() | (part[name] == "")).all()]
    try:
        own = part.drop(columns=empty).reset_index(drop=True)
        return ImportedTrials(name, prediction_table.check_table(own, *columns), better)
    except InvalidTable as error:
        raise InvalidTable(f"data set {name!r}, its rows counted alone: {error}") from error


def _describe(imports: Iterable[ImportedTrials]) -> dict[str, str]:
    """Describe each learner by a hash of all that it predicted."""
    digests: dict[str, Any] = {}
    for table in (one.table for one in imports):
        for code, name in enumerate(table.learners):
            own = table.learner == code
            digest = digests.setdefault(name, hashlib.sha256())
            digest.update(table.probabilities[own].astype("<f4").tobytes())
            digest.update(table.predicted[own].astype("<i4").tobytes())
    return {name: f"imported predictions {d.hexdigest()[:16]}" for name, d in digests.items()}


def _write_new(ledger: Ledger, one: ImportedTrials, who: dict[str, str], notes: list[str]) -> None:
    """Write a data set that the ledger does not have, with folds of its own."""
    plan, learners, classes = one.plan, one.table.learners, one.table.classes
    # Where right is the truth of all, two sets of one size differ by their names alone.
    about = *[one.dataset] * plan.only_right, *(one.groups or ()), *(one.weights or ())
    named = repr((classes, one.ids, *about)).encode()
    key = hashlib.sha256(named + one.truth.astype("<i8").tobytes()).hexdigest()
    grouped = key if one.groups else None
    data = DataPrint(sha256=key, classes=classes, codes=one.truth, groups=grouped)
    known = ledger.fact("specification") or {"seed": 0, "keep": "probabilities"}
    repetitions = plan.runs * plan.repetitions
    ledger.begin(
        {
            "datasets": {one.dataset: data.summary},
            "candidates": {name: who[name] for name in learners},
            "plans": {plan.name: plan.to_dict()},
            "seed": known["seed"],
            "keep": known["keep"],
            "versions": {},
        },
        prints={one.dataset: data},
        splits={(one.dataset, plan.name): one.splits.reshape(plan.runs, -1, one.splits.shape[1])},
        planned={plan.name: {one.dataset: dict.fromkeys(learners, repetitions)}},
        provenance={"polychotomy": __version__, "imported": True, "notes": notes},
        ids={} if one.ids is None else {one.dataset: one.ids},
        groups={} if one.groups is None else {one.dataset: one.groups},
        weights={} if one.weights is None else {one.dataset: one.weights},
        by={} if one.by is None else {one.dataset: one.by},
    )
    ledger.record(one.outcomes(plan.name))


def _write_beside(ledger: Ledger, one: ImportedTrials, descriptions: dict[str, str]) -> None:
    """Write learners beside those of a study, on the same samples and folds."""
    specification = ledger.fact("specification")
    learners = one.table.learners
    one.recode(tuple(specification["datasets"][one.dataset]["classes"]))
    _require_samples(ledger, one)
    plan = _find_plan(ledger, one)
    ledger.begin(
        specification | {"candidates": {name: descriptions[name] for name in learners}},
        prints={},
        splits={},
        planned={plan: {one.dataset: dict.fromkeys(learners, len(one.splits))}},
        provenance={},
    )
    finished = ledger.finished()
    ledger.record(outcome for outcome in one.outcomes(plan) if outcome.key not in finished)


def _require_samples(ledger: Ledger, one: ImportedTrials) -> None:
    """Refuse samples that are not the study's, or whose truth is another."""
    truth = ledger.truth(one.dataset)
    ids = ledger.sample_ids(one.dataset)
    if (
        len(truth) != len(one.truth)
        or (ids is None) != (one.ids is None)
        or (ids is not None and tuple(ids) != one.ids)
        or one.groups is not None  # whether there are groups was said when the study began
        or one.weights is not None
    ):
        raise InvalidTable(
            f"the table has {len(one.truth)} samples, {one.table.samples[0]!r} first; the study's "
            f"data {one.dataset!r} have {len(truth)}"
            f"{', numbered from 0' if ids is None else f', {ids[0]!r} first'}; expected the same, "
            "and no group and no weight."
        )
    other = np.flatnonzero(truth != one.truth)
    if len(other):
        name, classes = one.table.samples, one.table.classes
        sample = name[int(np.flatnonzero(one.position == other[0])[0])]
        raise InvalidTable(
            f"truth of the sample {sample!r} is {classes[one.truth[other[0]]]!r}; in the study it "
            f"is {classes[truth[other[0]]]!r}."
        )


def _find_plan(ledger: Ledger, one: ImportedTrials) -> str:
    """Return the plan of the study that has these folds."""
    plans = ledger.fact("specification")["plans"]
    for name, values in plans.items():
        if values["kind"] not in FOLDS or values.get("better", "") != one.plan.better:
            continue
        folds = ledger.folds(dataset=one.dataset, plan=name)
        if folds.shape[1] != one.plan.repetitions or len(folds) < one.plan.runs:
            continue
        if (folds[: one.plan.runs].reshape(one.splits.shape) == one.splits).all():
            return str(name)
    raise InvalidTable(
        f"the folds of the table are none of the study's ({', '.join(map(repr, plans))}); expected "
        "every sample in the fold that “polychotomy export” shows for it."
    )
