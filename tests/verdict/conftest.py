"""One page with everything on it, and what its ledger holds, for the tests of its claims."""

import numpy as np
import pytest
from page_kinds import KINDS, Worlds, candidates, world_of
from page_reading import MARGIN, NAMES
from page_recount import Recount
from page_recount_answers import Combining
from sklearn.datasets import load_wine

from polychotomy.study import Ledger, Study
from polychotomy.verdict import Question
from polychotomy.verdict.many import unite_verdicts
from polychotomy.verdict.question import plan_of
from polychotomy.verdict.running import run_study

# The kinds of page that are cheap to make, and some of each sort; all of them are in the long tests
# and these, so only there is it asked whether every table, figure and sentence occurs.
QUICK_KINDS = {"error", "cost", "race", "alone", "elsewhere", "elsewhere labels"}


def pytest_collection_modifyitems(items):
    """Leave most kinds of page to the long tests: their studies take most of the time."""
    for item in items:
        if "worlds" in getattr(item, "fixturenames", ()):
            asked = item.callspec.params.values() if hasattr(item, "callspec") else KINDS
            if not QUICK_KINDS.issuperset(one for one in asked if one in KINDS):
                item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def base():
    """The study of most pages, and its ledger."""
    X, y = load_wine(return_X_y=True)
    study = Study(candidates(), X[:, :5], y, plan=plan_of("margin", plan="5x5")[0])
    with run_study(study, Question(), Ledger()) as ledger:
        yield study, ledger


@pytest.fixture(scope="session")
def error_world(base, tmp_path_factory):
    return world_of(*base, Question(), tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="session")
def worlds(base, error_world, tmp_path_factory):
    """A page of every kind, made when it is asked for."""
    return Worlds(base, error_world, tmp_path_factory.mktemp("worlds"))


@pytest.fixture(scope="session")
def many_worlds(tmp_path_factory):
    """Several tables, judged together, and the world of each."""
    folder, found = tmp_path_factory.mktemp("many"), []
    X, y = load_wine(return_X_y=True)
    for name, first, last in (("colour", 9, 11), ("acids", 1, 4), ("phenols", 5, 8)):
        study = Study(
            candidates(), X[:, first:last], y, dataset=name, plan=plan_of("margin", plan="5x5")[0]
        )
        with run_study(study, Question(), Ledger(), anatomy=False) as ledger:
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
def recount(read):
    return Recount(read[1], NAMES)


@pytest.fixture(scope="session")
def selected(recount):
    return recount.selected(recount.draws())


@pytest.fixture(scope="session")
def combining(recount):
    return Combining(recount, recount.best)
