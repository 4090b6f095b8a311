"""Predictions made elsewhere, in any language, as a ledger like ours or beside our own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from polychotomy._version import __version__
from polychotomy.arrays import Ints
from polychotomy.exceptions import InvalidInput, InvalidTable
from polychotomy.study.candidate_names import check_name
from polychotomy.study.data_print import DataPrint
from polychotomy.study.imported_trials import ImportedTrials
from polychotomy.study.ledger import Ledger
from polychotomy.study.ledger_parts import FOLDS
from polychotomy.study.prediction_table import check_table, learner_column, read_text_table

if TYPE_CHECKING:
    import pandas as pd


def import_predictions(
    path: str | Path, *, into: str | Path | None = None, dataset: str | None = None
) -> Ledger:
    """Read out-of-sample predictions made elsewhere into a ledger.

    The table has a row a prediction and the columns that ``polychotomy export`` writes:
    ``candidate`` (or ``learner``), ``sample``, ``fold``, ``truth``, and either ``p:<class>`` for
    every class or ``predicted``, or both. ``run``, ``repetition``, ``fit_seconds``,
    ``predict_seconds`` and ``model_bytes`` may be there, ``dataset`` too. Order of preference is
    order of appearance.

    All learners must have been tried on the same folds. A learner without any row in a fold is
    taken to have failed there; anything else that is missing or contradicts is an error that names
    the row.

    Parameters
    ----------
    path : path
        A ``.csv`` or ``.parquet`` file; in CSV, semicolons, tabs or bars may stand for commas.
    into : path, optional
        A study file to keep the ledger in, new or existing; in memory by default. Into a study
        that has the data set, the learners come beside those that were fitted there: samples
        (numbered from 0), truth and folds must be the study's own, as ``export`` gives them.
    dataset : str, optional
        What to call the data; the name of the file by default.

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
    """
    if not isinstance(path, str | Path):
        raise InvalidInput(
            f"path is a {type(path).__name__}; expected the path of a .csv or .parquet file. A "
            "DataFrame is first written: frame.to_csv(path, index=False)."
        )
    path = Path(path)
    frame = read_text_table(path)
    learner_column(frame)  # what a column plan or dataset of some other table holds is no matter
    if "plan" in frame and frame["plan"].nunique() > 1:
        names = ", ".join(repr(str(name)) for name in frame["plan"].unique())
        raise InvalidTable(f"the table has predictions of several plans ({names}); expected one.")
    if "dataset" in frame:
        parts = {str(name): part for name, part in frame.groupby("dataset", sort=False)}
    else:
        parts = {dataset or path.stem: frame}
    ready = {name: _check(name, part, alone=len(parts) == 1) for name, part in parts.items()}
    ledger = Ledger(into)
    try:
        ledger.hold()
        descriptions = _describe(ready.values())
        for one in ready.values():
            known = (ledger.fact("specification") or {}).get("datasets", {})
            (_write_beside if one.dataset in known else _write_new)(ledger, one, descriptions)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _check(name: str, part: pd.DataFrame, *, alone: bool) -> ImportedTrials:
    """Check the predictions of one data set, which may have columns of other sets' classes."""
    check_name(name, "data set")
    if alone:
        return ImportedTrials(name, check_table(part))
    shares = [column for column in part.columns if column.startswith("p:")]
    empty = [column for column in shares if _is_empty(part[column].tolist())]
    try:
        return ImportedTrials(name, check_table(part.drop(columns=empty).reset_index(drop=True)))
    except InvalidTable as error:
        raise InvalidTable(f"data set {name!r}, its rows counted alone: {error}") from error


def _is_empty(values: list[object]) -> bool:
    """Whether a column has no value: it belongs to another data set's class."""
    return all(value is None or value == "" or value != value for value in values)


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


def _write_new(ledger: Ledger, one: ImportedTrials, descriptions: dict[str, str]) -> None:
    """Write a data set that the ledger does not have, with folds of its own."""
    plan, learners = one.plan, one.table.learners
    data = _print(one.table.classes, one.truth, one.ids)
    known = ledger.fact("specification") or {"seed": 0, "keep": "probabilities"}
    repetitions = plan.runs * plan.repetitions
    ledger.begin(
        {
            "datasets": {one.dataset: data.summary},
            "candidates": {name: descriptions[name] for name in learners},
            "plans": {plan.name: plan.to_dict()},
            "seed": known["seed"],
            "keep": known["keep"],
            "versions": {},
        },
        prints={one.dataset: data},
        splits={(one.dataset, plan.name): one.splits.reshape(plan.runs, -1, one.splits.shape[1])},
        planned={plan.name: {one.dataset: dict.fromkeys(learners, repetitions)}},
        provenance={"polychotomy": __version__, "imported": True},
        ids={} if one.ids is None else {one.dataset: one.ids},
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
    ):
        raise InvalidTable(
            f"the table has {len(one.truth)} samples, {one.table.samples[0]!r} first; the study's "
            f"data {one.dataset!r} have {len(truth)}"
            f"{', numbered from 0' if ids is None else f', {ids[0]!r} first'}; expected the same."
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
        if values["kind"] not in FOLDS:
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


def _print(classes: tuple[str, ...], truth: Ints, ids: tuple[str, ...] | None) -> DataPrint:
    digest = hashlib.sha256(repr((classes, ids)).encode() + truth.astype("<i8").tobytes())
    return DataPrint(
        sha256=digest.hexdigest(),
        n_columns=0,
        columns=(),
        rows=np.zeros(len(truth), dtype=np.uint64),
        classes=classes,
        codes=truth,
        groups=None,
        time=None,
    )
