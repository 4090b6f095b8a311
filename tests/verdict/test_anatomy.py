"""What limits the winner and its rivals: whose error is decomposed, at what cost, what is said."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy.study import Ledger, RepeatedFolds, Study, TimeFolds
from polychotomy.verdict import Question, anatomy, conclude
from polychotomy.verdict.anatomy import (
    BOOTSTRAP,
    RIVALS,
    SIZES,
    affordable_parts,
    choose_rivals,
    count_fits,
    fit_anatomy,
)
from polychotomy.verdict.columns import FITS
from polychotomy.verdict.running import run_study

OF_COLUMNS = 2 * FITS


def evidence(**means):
    tables = np.array([np.full((5, 5), mean) for mean in means.values()])
    return SimpleNamespace(names=list(means), tables=tables, contradictions={})


def test_a_rival_on_either_side():
    found = evidence(MAX=0.6, mean=0.3, tree=0.2, logistic=0.1, knn=0.15, forest=0.09)
    assert choose_rivals(found, "logistic", ["MAX"]) == ("forest", "tree")


def test_a_baseline_is_no_rival():
    assert choose_rivals(evidence(MAX=0.6, tree=0.2), "tree", ["MAX"]) == ()
    assert choose_rivals(evidence(tree=0.2, MAX=0.1, knn=0.3), "tree", ["MAX"]) == ("knn",)


def test_of_equals_the_more_preferred_is_the_rival():
    assert choose_rivals(evidence(a=0.1, b=0.2, c=0.2), "a", []) == ("b",)


@pytest.fixture(scope="module")
def study():
    X, y = (part[50:] for part in load_iris(return_X_y=True))
    candidates = {
        "MAX": DummyClassifier(),
        "bayes": GaussianNB(),
        "1-NN": KNeighborsClassifier(1),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    return Study(candidates, X, y, plan=RepeatedFolds())


@pytest.fixture(scope="module")
def recorded(study, tmp_path_factory):
    path = tmp_path_factory.mktemp("anatomy") / "s"
    run_study(study, Question(), Ledger(path)).close()
    return path


def test_rivals_are_refitted_to_the_winners_first_bags(study, recorded):
    with Ledger(recorded, read_only=True) as ledger:
        verdict = conclude(study, ledger)
        bags = {name: ledger.bootstrap_predictions(name)[1] for name in verdict.anatomy.budgets}
        trials = ledger.trials()
    with run_study(study, Question(), Ledger(recorded)) as ledger:
        assert ledger.trials() == trials  # what is recorded is not fitted again
    fits = len(trials)
    first, *rivals = verdict.anatomy.budgets
    assert first == verdict.best
    assert rivals
    assert fits == 4 * 10 + BOOTSTRAP.n_trials + SIZES.n_trials + len(rivals) * RIVALS.n_trials
    assert fits - 40 <= count_fits(study)
    for rival in rivals:
        np.testing.assert_array_equal(bags[rival], bags[first][: RIVALS.n_trials])
        assert verdict.anatomy.budgets[rival].n_bootstraps == RIVALS.n_trials


def test_without_time_the_winner_alone_is_dissected_and_it_is_said(study, monkeypatch):
    monkeypatch.setattr(anatomy, "ALWAYS_ALLOWED", 0.0)
    monkeypatch.setattr(anatomy, "RIVALS_SHARE", 1e-9)
    with run_study(study, Question(), Ledger()) as ledger:
        verdict = conclude(study, ledger)
    assert list(verdict.anatomy.budgets) == [verdict.best]
    said = [note for note in verdict.notes if note.startswith("the error budget of")]
    assert said
    assert all("was not asked" in note for note in said)


def rivals_within(allowance, **seconds):
    compared = allowance / anatomy.RIVALS_SHARE
    parts = affordable_parts(
        [BOOTSTRAP], {"best": 1.0} | seconds, "best", [*seconds], compared=compared, within=None
    )
    return [name for names, plan in parts if plan is RIVALS for name in names]


def test_rivals_share_one_allowance():  # each takes 25 fits on a quarter more rows
    assert rivals_within(30.0, tree=1.0, bayes=1.0) == []
    assert rivals_within(63.0, tree=1.0, bayes=1.0) == ["tree", "bayes"]
    assert rivals_within(130.0, tree=3.0, bayes=1.0) == ["bayes", "tree"]
    assert rivals_within(120.0, tree=3.0, bayes=1.0) == ["bayes"]


def test_what_there_is_no_time_for_is_left_away_step_by_step():
    """Half the replicates first, then the sizes, then all of it."""

    def plans(within):
        both = [BOOTSTRAP, SIZES]
        parts = affordable_parts(both, {"best": 1.0}, "best", [], compared=1.0, within=within)
        return [plan for _, plan in parts]

    all_of_it = 50 * 1.25 + 20 * (0.2 + 0.35 + 0.6 + 1.0) / 4
    assert plans(None) == plans(all_of_it + 0.1) == [BOOTSTRAP, SIZES]
    assert plans(all_of_it - 0.1) == [RIVALS, SIZES]
    assert plans(25 * 1.25 + 0.1) == [RIVALS]
    assert plans(25 * 1.25 - 0.1) == []


def test_no_time_for_it_is_said(study):
    with Ledger(None) as ledger:
        study.run(ledger)
        fit_anatomy(study, ledger, "bayes", within=0.0, progress=None)
        verdict = conclude(study, ledger)
    assert verdict.anatomy is None
    why = verdict.not_asked["anatomy"]
    assert "longer than 50 % of the comparison's own time; --anatomy" in why


def test_rows_in_time_order_take_no_fits_of_the_anatomy(study):
    in_time = Study(study.candidates, study.X, study.y, time=np.arange(100), plan=TimeFolds())
    assert count_fits(in_time) == OF_COLUMNS
    assert (
        count_fits(study) == OF_COLUMNS + BOOTSTRAP.n_trials + SIZES.n_trials + 2 * RIVALS.n_trials
    )


def test_one_that_ignores_the_features_is_no_rival(study):
    two = {name: study.candidates[name] for name in ("MAX", "bayes")}
    own = OF_COLUMNS + BOOTSTRAP.n_trials + SIZES.n_trials
    assert count_fits(Study(two, study.X, study.y)) == own
    three = two | {"tree": study.candidates["tree"]}
    assert count_fits(Study(three, study.X, study.y)) == own + RIVALS.n_trials


def test_an_anatomy_that_is_recorded_but_not_asked_for_is_not_told(study, recorded):
    with Ledger(recorded, read_only=True) as ledger:
        asked = conclude(study, ledger)
        verdict = conclude(study, ledger, anatomy=False)
    assert asked.anatomy is not None
    assert verdict.anatomy is None
    (why,) = [note for note in verdict.notes if note.startswith("what limits the error was not")]
    assert why.endswith("was not asked (--no-anatomy, or anatomy=False in Python)")
    assert not any("error budget" in note for note in verdict.notes)
