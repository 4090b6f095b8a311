"""M24: Tables 1 and 2 and figure 1; other codes, another decoder, another learner beside them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polychotomy.core.arrays import Floats, Ints, Probabilities
from polychotomy.decoding import decode
from polychotomy.decoding.decode import Decoder
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction.budgets import Budget
from polychotomy.reproduction.inputs import Standardiser, digest_arrays, find_sets, load_numbers
from polychotomy.reproduction.m24_page import show
from polychotomy.reproduction.m24_trials import Trials
from polychotomy.reproduction.request import Findings, Request
from polychotomy.reproduction.run_log import RunLog, Values
from polychotomy.reproduction.tasks import Key, Task
from polychotomy.validation import probability_trace, uncertainty_coefficient

TITLE = "M24: Tables 1 and 2, figure 1"

RUNS = 20

DATA_SETS = ("vehicle", "segment", "sat", "pendigits", "usps", "shuttle")
"""The paper's, from quick to slow."""

METHODS = (
    ("SVM", "one-vs-one"),
    ("SVM", "orthogonal"),
    ("logistic", "one-vs-one"),
    ("logistic", "orthogonal"),
    ("logistic", "one-vs-rest"),
    ("SVM", "one-vs-rest"),
    ("SVM", "random-dense"),
    ("SVM", "nested"),
)

PRINTED_METHODS = METHODS[:2]

DECODERS: tuple[Decoder, ...] = ("least-squares", "bradley-terry")

GRID = {"C": (1.0, 10.0, 100.0, 1000.0), "gamma": (0.0625, 0.25, 1.0, 4.0)}
"""Parameters to choose from; gamma in units of 1 / inputs."""

MOST_ROWS_KERNEL = 1500

KERNELS_TRIED_ON = "segment"

TRIALS_OF_KERNELS = 5

READING = {"C": 10.0, "gamma": 4.0}
"""Another reading of the kernel that is not printed, found after the cells were seen."""

READ_ON = DATA_SETS[:4]
"""Usps and shuttle take hours; benchmarks/papers/kernels.py tries kernels on them too."""

READING_TRIALS = 10


class Split(NamedTuple):
    """A random 70 % to train on, the rest to test on, inputs standardised on the first."""

    X: Floats
    y: Ints
    X_test: Floats
    y_test: Ints


def split_data(name: str, data: Path | None, seed: int) -> Split:
    """Split a data set at random, 70 to 30, as the paper does; classes are not balanced."""
    X, y = load_numbers(name, data)
    order = np.random.default_rng(seed).permutation(len(y))
    train, test = np.split(order, [round(0.7 * len(y))])
    scaler = Standardiser().fit(X[train])
    return Split(scaler.transform(X[train]), y[train], scaler.transform(X[test]), y[test])


def choose_kernel(name: str, data: Path | None, seed: int) -> Values:
    """Choose C and gamma of an RBF kernel by 3-fold cross-validation on at most 1,500 rows."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    X, y = load_numbers(name, data)
    rows = np.random.default_rng(seed).permutation(len(y))[:MOST_ROWS_KERNEL]
    scaled = Standardiser().fit_transform(X[rows])
    grid = {"C": list(GRID["C"]), "gamma": [g / X.shape[1] for g in GRID["gamma"]]}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        search = GridSearchCV(SVC(), grid, cv=3).fit(scaled, y[rows])
    return {"C": search.best_params_["C"], "gamma": search.best_params_["gamma"]}


def make_learner(learner: str, kernel: Values) -> Any:
    """Return the two-class learner."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    if learner == "SVM":
        return SVC(C=kernel["C"], gamma=kernel["gamma"])
    return LogisticRegression(max_iter=1000)


def run_trial(
    name: str, data: Path | None, seed: int, method: tuple[str, str], kernel: Values
) -> Values:
    """Fit one code on one split; decode its outputs in two ways."""
    learner, code = method
    split = split_data(name, data, seed)
    model = CodedClassifier(
        make_learner(learner, kernel), code=code, decoder="bradley-terry", random_state=seed
    )
    start = time.perf_counter()
    model.fit(split.X, split.y)
    fitted = time.perf_counter()
    outputs = model.predict_dichotomies(split.X_test)
    answered = time.perf_counter()
    found: Values = {"fit": fitted - start, "dichotomies": len(model.estimators_)}
    k = int(max(split.y.max(), split.y_test.max())) + 1
    for decoder in DECODERS:
        start = time.perf_counter()
        weights = model.weights_ if decoder == "bradley-terry" else None
        p = decode(model.code_, outputs, decoder=decoder, weights=weights)
        seconds = answered - fitted + time.perf_counter() - start
        found[decoder] = {"seconds": seconds} | judge(_align(p, model.classes_, k), split.y_test)
    return found


def _align(p: Probabilities, classes: Any, k: int) -> Probabilities:
    """Give classes that the training part lacks a column of zeros."""
    full = np.zeros((len(p), k))
    full[:, np.asarray(classes, dtype=np.intp)] = p
    return full


def judge(p: Probabilities, y: Ints) -> dict[str, float]:
    """Accuracy, uncertainty coefficient, and r and slope of the trace."""
    trace = probability_trace(p, y)
    predicted = p.argmax(axis=1)
    return {
        "accuracy": float(np.mean(predicted == y)),
        "uncertainty coefficient": float(uncertainty_coefficient(y, predicted)),
        "r": float(trace.r),
        "slope": float(trace.slope),
    }


def try_kernels(name: str, data: Path | None, seed: int) -> Values:
    """Accuracy of the paper's two methods with every kernel of the grid, on one split."""
    inputs = load_numbers(name, data)[0].shape[1]
    found: Values = {}
    for C in GRID["C"]:
        for gamma in GRID["gamma"]:
            kernel = {"C": C, "gamma": gamma / inputs}
            found[f"{C:g}|{gamma:g}"] = [
                run_trial(name, data, seed, method, kernel)["least-squares"]["accuracy"]
                for method in PRINTED_METHODS
            ]
    return found


def trace_vehicle(name: str, data: Path | None, seed: int, kernel: Values) -> Values:
    """Trace of one-vs-one on the first split, thinned to 400 points: figure 1."""
    split = split_data(name, data, seed)
    model = CodedClassifier(make_learner("SVM", kernel)).fit(split.X, split.y)
    outputs = model.predict_dichotomies(split.X_test)
    trace = probability_trace(decode(model.code_, outputs, decoder="least-squares"), split.y_test)
    some = np.unique(np.linspace(0, len(trace.steps) - 1, 400).astype(int))
    return {
        "steps": trace.steps[some].tolist(),
        "trace": np.round(trace.trace[some], 3).tolist(),
        "r": float(trace.r),
        "slope": float(trace.slope),
    }


def reproduce_m24(request: Request) -> Findings:
    """Choose kernels, run trials until the budget is spent; compare all 60 cells."""
    sets = find_sets(DATA_SETS, request.data)
    settings = {"paper": "m24", "seed": request.seed, "grid": GRID, "inner folds": "at random"}
    with RunLog(request.study, settings) as log:
        log.hold_to({name: digest_arrays(*load_numbers(name, request.data)) for name in sets})
        # Kernels come first whatever the budget: nothing can be done without them.
        first: dict[Key, Task] = {
            ("kernel", name): (choose_kernel, (name, request.data, request.seed)) for name in sets
        }
        replace(request, budget=Budget(None)).run(first, log)
        kernels = {name: log.get(("kernel", name)) for name in sets}
        tasks = plan_trials(request, kernels)
        request.run(tasks, log)
        trials = Trials({key: log.get(key) for key in tasks if key in log}, kernels)
    return show(trials, seconds=log.seconds)


def plan_trials(request: Request, kernels: dict[str, Values]) -> dict[Key, Task]:
    """List trials: the paper's methods first, one trial of every set after the other."""
    printed = _trials(request, kernels, PRINTED_METHODS)
    beyond = _trials(request, kernels, METHODS[len(PRINTED_METHODS) :])
    figure: dict[Key, Task] = {
        ("figure", name): (trace_vehicle, (name, request.data, request.seed, kernel))
        for name, kernel in kernels.items()
        if name == "vehicle"
    }
    tried: dict[Key, Task] = {
        ("kernels", name, trial): (try_kernels, (name, request.data, request.seed + trial))
        for trial in range(min(request.runs, TRIALS_OF_KERNELS))
        for name in kernels
        if name == KERNELS_TRIED_ON
    }
    return {**figure, **printed, **tried, **plan_reading(request, kernels), **beyond}


def plan_reading(request: Request, kernels: Mapping[str, Values]) -> dict[Key, Task]:
    """List trials of the paper's methods with the other reading's kernel."""
    tasks: dict[Key, Task] = {}
    for trial in range(min(request.runs, READING_TRIALS)):
        for name in READ_ON:
            if name in kernels:
                inputs = load_numbers(name, request.data)[0].shape[1]
                kernel = {"C": READING["C"], "gamma": READING["gamma"] / inputs}
                for method in PRINTED_METHODS:
                    arguments = (name, request.data, request.seed + trial, method, kernel)
                    tasks["reading", name, trial, *method] = (run_trial, arguments)
    return tasks


def _trials(
    request: Request, kernels: dict[str, Values], methods: tuple[tuple[str, str], ...]
) -> dict[Key, Task]:
    return {
        (name, trial, *method): (
            run_trial,
            (name, request.data, request.seed + trial, method, kernel),
        )
        for trial in range(request.runs)
        for name, kernel in kernels.items()
        for method in methods
    }
