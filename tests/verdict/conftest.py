"""One page with everything on it, and what its ledger holds, for the tests of its claims."""

import numpy as np
import pandas as pd
import pytest
from page_reading import MARGIN, NAMES, K
from page_recount import Recount, bootstrap
from page_recount_answers import Bagging, Combining, Forecast, parts_of, votes_of
from page_world import World
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy.study import Study
from polychotomy.study.export import export_predictions
from polychotomy.verdict import Question, conclude
from polychotomy.verdict.judge import criterion_of, run_study
from polychotomy.verdict.many import unite_verdicts
from polychotomy.verdict.rules import plan_of


class Fickle(LinearDiscriminantAnalysis):
    """A candidate that some training sets do not suit."""

    def fit(self, X, y):
        if X[0, 0] > 13.9:
            raise ValueError("no luck today")
        return super().fit(X, y)


def candidates():
    return {
        "MAX": DummyClassifier(),
        "1-NN": KNeighborsClassifier(1),
        "LDA": LinearDiscriminantAnalysis(),
        "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    }


COSTS = [[0, 1, 1], [5, 0, 1], [1, 1, 0]]


@pytest.fixture(scope="session")
def base():
    """The study of most pages, and its ledger."""
    X, y = load_wine(return_X_y=True)
    study = Study(candidates(), X[:, :5], y, plan=plan_of("margin", 1))
    with run_study(study, Question()) as ledger:
        yield study, ledger


def world_of(study, ledger, question, folder, **asked):
    """The world of a verdict: nothing but what its ledger holds is used."""
    verdict = conclude(study, ledger, question, anatomy=asked.get("anatomy", True))
    path = folder / f"{len(list(folder.iterdir()))}.csv"
    export_predictions(ledger, path)
    table = pd.read_csv(path, dtype={"truth": str, "predicted": str})
    stopped = [one["candidate"] for one in ledger.stopped()]
    trials = pd.DataFrame(ledger.trials())
    failed = set(trials[trials["status"] != "ok"]["candidate"]) | set(stopped)
    names = [name for name in study.candidates if name not in failed]
    costs = question.criterion.costs
    loss = question.criterion.name if costs is None else costs.tolist()
    recount = Recount(table, names, loss=loss, rule=question.rule,
                      margin=question.smallest_difference, runs=study.plan.runs)  # fmt: skip
    limits = {}
    if verdict.anatomy is not None:
        limits["bags"] = {n: ledger.bootstrap_predictions(n) for n in verdict.anatomy.budgets}
        limits["sizes"] = ledger.size_errors(verdict.best)
    return World(verdict, recount, table, trials, left=stopped, **limits)


@pytest.fixture(scope="session")
def error_world(base, tmp_path_factory):
    return world_of(*base, Question(), tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="session")
def worlds(base, error_world, tmp_path_factory):
    """A page of every kind: other losses, a gate, the paper's rule, a race, a failure."""
    folder = tmp_path_factory.mktemp("worlds")
    asked = {
        "log-loss": Question(criterion=criterion_of("log-loss")),
        "auc": Question(criterion=criterion_of("auc"), against="tree", margin=0.12),
        "cost": Question(criterion=criterion_of(COSTS)),
    }
    found = {name: world_of(*base, question, folder) for name, question in asked.items()}
    found["error"] = error_world
    X, y = base[0].X, base[0].y
    last = {"LDA": LinearDiscriminantAnalysis(), "MAX": DummyClassifier(),
            "1-NN": KNeighborsClassifier(1)}  # fmt: skip
    shuffled = np.random.default_rng(0).permutation(y)
    lopsided = np.random.default_rng(1).choice(3, size=len(y), p=[0.7, 0.15, 0.15])
    twins = {"MAX": DummyClassifier(), "LDA": LinearDiscriminantAnalysis(),
             "twin": LinearDiscriminantAnalysis(solver="lsqr"), "fickle": Fickle()}  # fmt: skip
    other = {
        "paper": (candidates(), Question(rule="paper"), plan_of("paper", 3)),
        "race": (last, Question(race=True), plan_of("margin", 1)),
        "failure": (twins, Question(), plan_of("margin", 1)),
        "noise": (candidates(), Question(), plan_of("margin", 1)),
        "guess": (candidates(), Question(), plan_of("margin", 1)),
        "perfect": (twins, Question(), plan_of("margin", 1)),
    }
    apart = X.copy()
    apart[:, 0] = 100 * y + X[:, 0]
    for name, (who, question, plan) in other.items():
        features = apart if name == "perfect" else X
        study = Study(who, features, {"noise": shuffled, "guess": lopsided}.get(name, y), plan=plan)
        limits = name == "perfect"
        with run_study(study, question, anatomy=limits) as ledger:
            found[name] = world_of(study, ledger, question, folder, anatomy=limits)
    return found


@pytest.fixture(scope="session")
def many_worlds(tmp_path_factory):
    """Several tables, judged together, and the world of each."""
    folder, found = tmp_path_factory.mktemp("many"), []
    X, y = load_wine(return_X_y=True)
    for name, first, last in (("colour", 9, 11), ("acids", 1, 4), ("phenols", 5, 8)):
        study = Study(candidates(), X[:, first:last], y, dataset=name, plan=plan_of("margin", 1))
        with run_study(study, Question(), anatomy=False) as ledger:
            found.append(world_of(study, ledger, Question(), folder, anatomy=False))
    return unite_verdicts([one.said for one in found]), found


@pytest.fixture(scope="session")
def read(error_world):
    """The page, and what the ledger holds."""
    world = error_world
    return world.page, world.table, world.bags, world.sizes, world.trials, load_wine().target


@pytest.fixture(scope="session")
def page(read):
    return read[0]


@pytest.fixture(scope="session")
def folds(read):
    """Error of every candidate in each fold, (4, 25)."""
    table = read[1].assign(wrong=lambda t: t["truth"] != t["predicted"])
    errors = table.groupby(["candidate", "repetition", "fold"])["wrong"].mean()
    return np.array([errors[name].to_numpy() for name in NAMES])


@pytest.fixture(scope="session")
def best(folds):
    means = folds.mean(axis=1)
    return next(i for i in range(4) if all(means[i] < m + MARGIN for m in means[i + 1 :]))


@pytest.fixture(scope="session")
def forecasts(read, best):
    """The chosen one's probabilities, true classes, cases, repetitions and folds."""
    own = read[1][read[1]["candidate"] == NAMES[best]]
    p = own[[f"p:{c}" for c in range(K)]].to_numpy()
    return (
        p / p.sum(axis=1, keepdims=True),
        own["truth"].to_numpy(dtype=int),
        own["sample"].astype(str).factorize()[0],
        own["repetition"].to_numpy(),
        own["fold"].to_numpy(),
    )


@pytest.fixture(scope="session")
def recount(read):
    return Recount(read[1], NAMES)


@pytest.fixture(scope="session")
def selected(recount):
    return recount.selected(bootstrap(recount.n))


@pytest.fixture(scope="session")
def combining(recount):
    return Combining(recount, recount.best)


@pytest.fixture(scope="session")
def bagging(read, recount):
    votes = votes_of(recount.p[recount.best])[:, np.arange(recount.n), recount.y]
    bagged = parts_of(*read[2][NAMES[recount.best]], recount.y)[:, 1]
    return Bagging(1 - votes.mean(axis=0), bagged)


@pytest.fixture(scope="session")
def forecast(read):
    return Forecast(*read[3], len(read[5]))
