"""HT98: the worked example, figures 1 and 2, Friedman's ten normals; and its rules on real data."""

from __future__ import annotations

from typing import Any

import numpy as np

from polychotomy.core.arrays import Floats, Ints
from polychotomy.decoding import decode_bradley_terry, decode_votes
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction.data.mixtures import FriedmanNormals, PlaneMixtures
from polychotomy.reproduction.ht98_page import show
from polychotomy.reproduction.ht98_study import compare_on_sets
from polychotomy.reproduction.request import Findings, Request
from polychotomy.reproduction.run_log import RunLog, Values
from polychotomy.reproduction.tasks import Key, Task

TITLE = "HT98: the worked example, figures 1 and 2, ten normal classes"

RUNS = 20

N_TEST = 20_000

MIXTURES = 10  # at random, for each run


def pairwise_learners() -> dict[str, Any]:
    """HT98's two kinds of learner."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.neighbors import KNeighborsClassifier

    return {"LDA": LinearDiscriminantAnalysis(), "5-NN": KNeighborsClassifier(5)}


def pairwise_errors(
    learner: Any, train: tuple[Floats, Ints], test: tuple[Floats, Ints], thresholds: Any
) -> tuple[float, float]:
    """Test errors of max-wins and of coupling, from one set of pairwise fits."""
    model = CodedClassifier(learner, decoder="bradley-terry", thresholds=thresholds).fit(*train)
    outputs = model.predict_dichotomies(test[0])
    shares = decode_votes(model.code_, outputs)
    coupled = decode_bradley_terry(model.code_, outputs, weights=model.weights_)
    return _error(shares, test[1]), _error(coupled, test[1])


def _error(p: Floats, y: Ints) -> float:
    return float(np.mean(p.argmax(axis=1) != y))


def run_figure(problem: PlaneMixtures, seed: int) -> Values:
    """Errors on a large test set after training on 600 cases, as under the paper's figures."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

    lda = pairwise_learners()["LDA"]
    train = problem.sample(600, random_state=seed)
    test = problem.sample(N_TEST, random_state=10_000 + seed)
    max_wins, coupled = pairwise_errors(lda, train, test, None)
    return {
        "max-wins of pairwise LDA": max_wins,
        "coupled pairwise LDA": coupled,
        "LDA": 1.0 - float(lda.fit(*train).score(*test)),
        "QDA": 1.0 - float(QuadraticDiscriminantAnalysis().fit(*train).score(*test)),
    }


def run_normals(problem_number: int) -> Values:
    """Errors on one of Friedman's problems: 100 training and 200 test cases of each class."""
    problem = FriedmanNormals(problem_number)
    train = problem.sample(1000, random_state=problem_number)
    test = problem.sample(2000, random_state=10_000 + problem_number)
    found = {"Bayes rule": _error(problem.posterior(test[0]), test[1])}
    for name, learner in pairwise_learners().items():
        found[name] = 1.0 - float(learner.fit(*train).score(*test))
        for words, thresholds in (("", None), (", thresholds", "optimal")):
            max_wins, coupled = pairwise_errors(learner, train, test, thresholds)
            found[f"max-wins of pairwise {name}{words}"] = max_wins
            found[f"coupled pairwise {name}{words}"] = coupled
    return found


def run_all(seed: int) -> Values:
    """Run both figures, one of Friedman's problems, and ten mixtures drawn at random."""
    figures = {str(number): run_figure(PlaneMixtures(number), seed) for number in (1, 2)}
    return {**figures, "normals": run_normals(seed), "random": run_mixtures(seed)}


def run_mixtures(seed: int) -> list[Values]:
    """Errors of the figures' rules on mixtures drawn at random, not by what they show."""
    seeds = range(seed * MIXTURES, (seed + 1) * MIXTURES)
    return [run_figure(PlaneMixtures(drawn=number), number) for number in seeds]


def reproduce_ht98(request: Request) -> Findings:
    """Run the simulations, and the rules on the data sets where there is a folder of them."""
    tasks: dict[Key, Task] = {
        (seed,): (run_all, (seed,)) for seed in range(request.seed, request.seed + request.runs)
    }
    settings = {"paper": "ht98", "seed": request.seed, "random mixtures": MIXTURES}
    # Simulations are kept beside the study of the data sets.
    beside = request.study and request.study.with_name(f"{request.study.name}.runs")
    with RunLog(beside, settings) as log:
        request.run(tasks, log)
        found = [log.get(key) for key in tasks if key in log]
    blocks, seconds = compare_on_sets(request, pairwise_learners())
    return show(found, blocks, seconds=log.seconds + seconds)
