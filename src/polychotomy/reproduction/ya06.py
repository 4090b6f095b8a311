"""YA06: Tables 1, 2 and 3, figures 2, 3 and 4: five learners on 30 data sets."""

from __future__ import annotations

from typing import Any

from polychotomy.reproduction.inputs import Standardiser, find_sets
from polychotomy.reproduction.labels_only import LabelsOnly
from polychotomy.reproduction.request import Findings, Request
from polychotomy.reproduction.studies import run_studies
from polychotomy.reproduction.ya06_page import show
from polychotomy.reproduction.ya06_tables import DATA_SETS, LEARNERS

TITLE = "YA06: Tables 1, 2 and 3, figures 2, 3 and 4"
RUNS = 20  # the paper has 1,000: hours


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
    return show(results, {files[name]: i for i, name in enumerate(sets)})
