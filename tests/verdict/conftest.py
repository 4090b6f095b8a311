"""One page with everything on it, and what its ledger holds, for the tests of its claims."""

import numpy as np
import pandas as pd
import pytest
from page_reading import MARGIN, NAMES, K, Page
from page_recount import Recount, bootstrap
from page_recount_answers import Bagging, Combining, Forecast, parts_of, votes_of
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy.study import Study
from polychotomy.study.export import export_predictions
from polychotomy.verdict import Question, conclude
from polychotomy.verdict.judge import run_study
from polychotomy.verdict.rules import plan_of


@pytest.fixture(scope="session")
def read(tmp_path_factory):
    """The page, and what the ledger holds."""
    X, y = load_wine(return_X_y=True)
    candidates = {
        "MAX": DummyClassifier(),
        "1-NN": KNeighborsClassifier(1),
        "LDA": LinearDiscriminantAnalysis(),
        "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    }
    study = Study(candidates, X[:, :5], y, plan=plan_of("margin", 1))
    path = tmp_path_factory.mktemp("page") / "p.csv"
    with run_study(study, Question()) as ledger:
        verdict = conclude(study, ledger)
        export_predictions(ledger, path)
        bags = {name: ledger.bootstrap_predictions(name) for name in verdict.anatomy.budgets}
        sizes = ledger.size_errors(verdict.best)
        trials = pd.DataFrame(ledger.trials())
    table = pd.read_csv(path, dtype={"truth": str, "predicted": str})
    return Page(verdict.to_html()), table, bags, sizes, trials, y


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
