"""YA06: Tables 1, 2 and 3, figures 2, 3 and 4: five learners on 30 data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from polychotomy.core.arrays import Floats
from polychotomy.reproduction.inputs import Standardiser, digest_arrays, find_sets
from polychotomy.reproduction.labels_only import LabelsOnly
from polychotomy.reproduction.request import Findings, Request
from polychotomy.reproduction.run_log import RunLog, Values
from polychotomy.reproduction.studies import run_studies
from polychotomy.reproduction.tasks import Key, Task
from polychotomy.reproduction.ya06_page import show
from polychotomy.reproduction.ya06_reading import (
    load_mixed,
    run_as_numbers,
    run_logistic,
    run_reading,
)
from polychotomy.reproduction.ya06_tables import DATA_SETS, LEARNERS, Reading
from polychotomy.reproduction.ya06_tree import run_tree

TITLE = "YA06: Tables 1, 2 and 3, figures 2, 3 and 4"

RUNS = 20  # the paper has 1,000: hours

READING_RUNS = 10

TREE_RUNS = 5  # slow

READING_SHARE = 0.2

AS_NUMBERS = "monks"
"""Its categories are written as numbers, and the paper seems to have taken them so."""


def learners() -> dict[str, Any]:
    """Return YA06's five learners, simplest first, behind equal scaling.

    Examples
    --------
    >>> list(learners())
    ['MAX', 'NMC', 'LGC', 'C4.5', 'NN']
    """
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline

    from polychotomy.learners import NearestMeanClassifier, PrunedTreeClassifier

    found = (
        DummyClassifier(),
        NearestMeanClassifier(),
        LogisticRegression(max_iter=1000),
        PrunedTreeClassifier(),
        KNeighborsClassifier(1),
    )
    return {
        name: make_pipeline(Standardiser(), LabelsOnly(learner))
        for name, learner in zip(LEARNERS, found, strict=True)
    }


def reproduce_ya06(request: Request) -> Findings:
    """Run 5×2 cross-validation on all sets until the budget is spent; compare every cell."""
    files = {paper: name for name, paper in DATA_SETS.items()}
    sets = find_sets(tuple(files), request.data)
    # First, and with its own share of the time: the study takes whatever there is.
    part = replace(request, budget=request.budget.part(READING_SHARE))
    reading, seconds = read_otherwise(part, {files[name]: name for name in sets})
    results = run_studies(request, sets, learners(), stratified=False, runs=request.runs)
    rows = {files[name]: i for i, name in enumerate(sets)}
    return show(replace(results, seconds=results.seconds + seconds), rows, reading)


def read_otherwise(request: Request, sets: dict[str, str]) -> tuple[Reading, float]:
    """Run the other readings of NMC, LGC and NN, where they differ from ours; and the cost."""
    study = request.study and request.study.with_name(f"{request.study.name}.reading")
    loaded = {name: load_mixed(file, request.data) for name, file in sets.items()}
    tasks: dict[Key, Task] = {}
    for run in range(min(request.runs, READING_RUNS)):
        for name, mixed in loaded.items():
            arguments = (sets[name], request.data, request.seed + run)
            if name == AS_NUMBERS:
                tasks["as numbers", name, run] = (run_as_numbers, arguments)
            if mixed.categories.size:
                tasks["equal or not", name, run] = (run_reading, arguments)
            tasks["logistic", name, run] = (run_logistic, arguments)
            if run < TREE_RUNS:
                tasks["gain ratio", name, run] = (run_tree, arguments)
    with RunLog(study, {"paper": "ya06", "seed": request.seed}) as log:
        log.hold_to({name: digest_arrays(*mixed) for name, mixed in loaded.items()})
        request.run(tasks, log)
        found = {key: log.get(key) for key in tasks if key in log}
    return Reading(gather_folds(found)), log.seconds


def gather_folds(found: Mapping[Key, Values]) -> dict[tuple[str, str, str], Floats]:
    """Gather fold errors, in percent, by reading, data set and learner."""
    folds: dict[tuple[str, str, str], list[float]] = {}
    for (kind, name, _), values in found.items():
        for word, errors in values.items():
            place = (word, str(name), "LGC") if kind == "logistic" else (str(kind), str(name), word)
            folds.setdefault(place, []).extend(errors)
    return {place: 100 * np.array(errors) for place, errors in folds.items()}
