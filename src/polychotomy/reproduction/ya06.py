"""YA06: Tables 1, 2 and 3, figures 2, 3 and 4: five learners on 30 data sets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from polychotomy.reproduction.inputs import Standardiser, digest_arrays, find_sets
from polychotomy.reproduction.labels_only import LabelsOnly
from polychotomy.reproduction.request import Findings, Request
from polychotomy.reproduction.run_log import RunLog
from polychotomy.reproduction.studies import run_studies
from polychotomy.reproduction.tasks import Key, Task, run_tasks
from polychotomy.reproduction.ya06_page import show
from polychotomy.reproduction.ya06_reading import load_mixed, run_reading
from polychotomy.reproduction.ya06_tables import DATA_SETS, LEARNERS, Reading

TITLE = "YA06: Tables 1, 2 and 3, figures 2, 3 and 4"
RUNS = 20  # the paper has 1,000: hours
READING_RUNS = 10


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
    results = run_studies(request, sets, learners(), stratified=False, runs=request.runs)
    reading, seconds = read_otherwise(request, {files[name]: name for name in sets})
    rows = {files[name]: i for i, name in enumerate(sets)}
    return show(replace(results, seconds=results.seconds + seconds), rows, reading)


def read_otherwise(request: Request, sets: dict[str, str]) -> tuple[Reading, float]:
    """Run NMC and NN with categories as categories, on the sets that have them; and their cost."""
    study = request.study and request.study.with_name(f"{request.study.name}.reading")
    loaded = {name: load_mixed(file, request.data) for name, file in sets.items()}
    with_categories = [name for name, mixed in loaded.items() if mixed.categories.size]
    tasks: dict[Key, Task] = {
        (name, run): (run_reading, (sets[name], request.data, request.seed + run))
        for run in range(min(request.runs, READING_RUNS))
        for name in with_categories
    }
    with RunLog(study, {"paper": "ya06", "seed": request.seed}) as log:
        log.hold_to({name: digest_arrays(*loaded[name]) for name in with_categories})
        run_tasks(tasks, log, budget=request.budget, n_jobs=request.n_jobs)
        folds: dict[tuple[str, str], list[float]] = {}
        for key in tasks:
            for learner, errors in log.get(key).items() if key in log else ():
                folds.setdefault((str(key[0]), learner), []).extend(errors)
    return Reading({key: 100 * np.array(errors) for key, errors in folds.items()}), log.seconds
