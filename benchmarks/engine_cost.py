"""What the engine of a study costs, beside joblib and beside another version of polychotomy.

::

    git worktree add ../former 070f103~1                        # before fits were contained
    python benchmarks/engine_cost.py --former ../former/src

Every measurement is a process of its own, whose processor time is counted with that of all it has
started; the engines take turns, so that what else the machine does falls on all alike. Fits of a
millisecond are run at two numbers of fits, and the difference is divided by their difference: that
is without imports and the start of workers. Overhead is what is beyond the millisecond. The ten
candidates are scikit-learn's, most of them behind skrub's vectorizer, which they share: built-in
ones are not the same in every version, so that the five of YA06 are beside them. Ratios are of
medians.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

FEW, MANY = 400, 4400  # fits of a millisecond

BUSY = """
import sys, tempfile, time
from pathlib import Path
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold

X, y = load_iris(return_X_y=True)

class Busy(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        end = time.thread_time() + 1e-3
        while time.thread_time() < end:
            pass
        self.classes_ = np.arange(3)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)
"""

STUDY = f"""{BUSY}
from polychotomy.study import RepeatedFolds, Study
with tempfile.TemporaryDirectory() as folder:
    plan = RepeatedFolds(runs=int(sys.argv[1]) // 10)
    Study({{"busy": Busy()}}, X, y, plan=plan).run(Path(folder, "s"), n_jobs=2).close()
"""

JOBLIB = f"""{BUSY}
from joblib import Parallel, delayed
def fit(train, test):
    return Busy().fit(X[train], y[train]).predict(X[test])
tasks = list(StratifiedKFold(2).split(X, y)) * (int(sys.argv[1]) // 2)
Parallel(n_jobs=2, batch_size="auto")(delayed(fit)(*task) for task in tasks)
"""

TEN = """
import sys, tempfile
from pathlib import Path
from skrub import TableVectorizer
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from polychotomy.study import RepeatedFolds, Study
scaled = [GaussianNB(), LinearDiscriminantAnalysis(), LogisticRegression(max_iter=1000),
          KNeighborsClassifier(1), KNeighborsClassifier(), SVC()]
trees = [DecisionTreeClassifier(), RandomForestClassifier(),
         HistGradientBoostingClassifier(max_iter=20)]
ten = [DummyClassifier(),
       *(make_pipeline(TableVectorizer(), StandardScaler(), one) for one in scaled),
       *(make_pipeline(TableVectorizer(), one) for one in trees)]
with tempfile.TemporaryDirectory() as folder:
    plan = RepeatedFolds(repetitions=2, folds=5)
    named = {str(number): one for number, one in enumerate(ten)}
    study = Study(named, *load_wine(return_X_y=True, as_frame=True), plan=plan)
    study.run(Path(folder, "s"), n_jobs=int(sys.argv[1])).close()
"""


BUILT_IN = """
import sys, tempfile
from pathlib import Path
from sklearn.datasets import load_wine
from polychotomy.study import RepeatedFolds, Study
from polychotomy.study.design.candidates import choose
five = choose(["MAX", "nearest mean", "logistic", "pruned tree", "1-NN"])
with tempfile.TemporaryDirectory() as folder:
    plan = RepeatedFolds(repetitions=2, folds=5)
    study = Study(five, *load_wine(return_X_y=True, as_frame=True), plan=plan)
    study.run(Path(folder, "s"), n_jobs=int(sys.argv[1])).close()
"""


STUDIES = {"ten candidates": TEN, "five built-in ones": BUILT_IN}


class Cost(NamedTuple):
    """Seconds of the processor, and by the clock."""

    processor: float
    wall: float


def run(code: str, argument: int, source: Path) -> Cost:
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(source)}
    subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, str(argument)],
        env=os.environ | threads,
        check=True,
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(used, wall)


def say(name: str, unit: str, costs: dict[str, list[Cost]]) -> None:
    """Print medians, and the ratio of ours to each other."""
    middle = {
        who: Cost(*(median(one) for one in zip(*found, strict=True)))
        for who, found in costs.items()
    }
    ours = middle.pop("ours")
    print(f"| {name} | ours | {ours.processor:.3g} {unit} | {ours.wall:.3g} {unit} | | |")
    for who, one in middle.items():
        ratios = f"{ours.processor / one.processor:.2f} | {ours.wall / one.wall:.2f}"
        print(f"| {name} | {who} | {one.processor:.3g} {unit} | {one.wall:.3g} {unit} | {ratios} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--former", type=Path, help="src of another version of polychotomy")
    parser.add_argument("--repetitions", type=int, default=5)
    arguments = parser.parse_args()
    here = Path(__file__).parent.parent / "src"
    engines = {"ours": here} | ({"former": arguments.former} if arguments.former else {})
    busy: dict[str, list[Cost]] = {}
    ten: dict[tuple[str, int], dict[str, list[Cost]]] = {
        (name, n_jobs): {} for name in STUDIES for n_jobs in (1, 2)
    }
    for _ in range(arguments.repetitions):
        for who, source in (engines | {"joblib": here}).items():
            code = JOBLIB if who == "joblib" else STUDY
            few, many = (run(code, n, source) for n in (FEW, MANY))
            ms = [1000 * (b - a) / (MANY - FEW) for a, b in zip(few, many, strict=True)]
            busy.setdefault(who, []).append(Cost(ms[0] - 1, ms[1] - 0.5))
        for (name, n_jobs), found in ten.items():
            for who, source in engines.items():
                found.setdefault(who, []).append(run(STUDIES[name], n_jobs, source))
    print("| what | engine | processor | wall | ratio, processor | ratio, wall |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    say("overhead of a fit of 1 ms, 2 workers", "ms", busy)
    for (name, n_jobs), found in ten.items():
        say(f"{name} on wine, 10 folds, {n_jobs} at a time", "s", found)


if __name__ == "__main__":
    main()
