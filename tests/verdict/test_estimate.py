"""What a study is expected to take."""

import os
import re
import time
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from polychotomy import CodedClassifier, judge
from polychotomy.app.inputs import read_candidates
from polychotomy.app.judging import judge_table
from polychotomy.app.request import Request
from polychotomy.core.exceptions import StudyStopped
from polychotomy.study import Ledger, Limits, Study
from polychotomy.verdict.estimate import Estimate, estimate_cost, some_rows, within_budget


class Slow(ClassifierMixin, BaseEstimator):
    """Takes time with a power of its rows, by a clock that it moves itself.

    It can, since nobody else is fitted in its process.
    """

    def __init__(self, seconds=1e-4, power=1):
        self.seconds = seconds
        self.power = power

    def fit(self, X, y):
        if self.power < 0:
            raise ValueError("never")
        end = time.perf_counter() + self.seconds * (len(y) / 100) ** self.power
        time.perf_counter = lambda: end
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def study(n, **candidates):
    return Study(candidates, np.zeros((n, 1)), np.arange(n) % 2)


def test_small_tables_are_timed_as_they_are():
    found = estimate_cost(study(400, slow=Slow(0.05)), fits={"slow": 10})
    assert found.fit_seconds["slow"] == pytest.approx(0.1)  # 200 rows
    shared = found.shared(2, on_cluster=False)
    assert shared.seconds == pytest.approx(5 * found.fit_seconds["slow"])


@pytest.mark.parametrize(("power", "expected"), [(1, 0.1 * 50), (2, 0.02 * 50**2)])
def test_large_ones_are_extrapolated(power, expected):
    slow = Slow(0.1 if power == 1 else 0.02, power)
    found = estimate_cost(study(10_000, slow=slow), fits={"slow": 1})
    assert found.seconds == pytest.approx(expected)  # half of the rows are trained on


def test_what_fails_is_not_counted():
    found = estimate_cost(study(100, bad=Slow(power=-1), ok=DummyClassifier()),
                          fits={"bad": 10, "ok": 10})  # fmt: skip
    assert set(found.fit_seconds) == {"ok"}
    why = "as a try on part of the rows failed"
    assert str(found).endswith(f"; not counted, {why}: bad")


class Sleeps(Slow):
    def fit(self, X, y):
        time.sleep(self.seconds)
        return super().fit(X, y)


def test_one_that_is_stopped_is_said_to_take_more():
    asked = study(100, slow=Sleeps(2.0), ok=DummyClassifier(), bad=Slow(power=-1))
    found = estimate_cost(asked, fits=dict.fromkeys(asked.candidates, 10), budget=5)
    assert found.stopped == ("slow",)
    assert found.seconds == pytest.approx(10 * 5 / 9, abs=0.1)  # a third of it for three tries
    assert str(found).startswith("30 fits; more than 5.6 s with one worker; counted by the time")
    kept, (gone,), left = within_budget(asked, found, 1, 2.0)
    assert list(kept.candidates) == ["ok", "bad"]
    assert gone.reason.endswith("that there are; a fit of it takes more than 556 ms")
    assert (left.n_fits, left.stopped, left.unknown) == (20, (), ("bad",))
    assert str(left).startswith("20 fits; about ")
    assert list(found.expected) == ["ok"]


def test_rare_classes_are_in_the_rows_tried():
    """Learners that try themselves on folds need two members of every class or more."""
    y = np.repeat(np.arange(6), [600, 200, 100, 60, 10, 5])
    X = np.random.default_rng(0).normal(size=(len(y), 2)) + y[:, None]
    asked = Study({"coded": CodedClassifier(LinearSVC())}, X, y)
    found = estimate_cost(asked, fits={"coded": 25})
    assert found.unknown == ()
    assert list(found.fit_seconds) == ["coded"]


@pytest.mark.parametrize("count", [0, 10, 60, 300, 975])
def test_rows_tried_hold_the_classes_in_proportion_and_some_of_each(count):
    codes = np.random.default_rng(0).permutation(np.repeat(np.arange(5), [600, 300, 60, 12, 3]))
    rows = some_rows(codes, count)
    assert len(set(rows.tolist())) == len(rows)
    found = np.bincount(codes[rows], minlength=5)
    least = np.minimum([4, 4, 4, 4, 3], np.bincount(codes))
    assert (found >= least).all()
    assert (np.abs(found - np.maximum(count * np.bincount(codes) / 975, least)) <= 1).all()


OWN = """
import time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Slow(ClassifierMixin, BaseEstimator):
    def __init__(self, seconds=0.0, dies=False):
        self.seconds = seconds
        self.dies = dies

    def fit(self, X, y):
        if self.dies:
            import os
            os._exit(3)
        time.sleep(self.seconds * len(y))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

raw_candidates = {"slow": Slow(0.005), "deadly": Slow(dies=True)}
"""


def test_a_users_own_code_is_timed_in_another_process(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    own = read_candidates(tmp_path / "own.py")
    asked = study(100, **own, ok=DummyClassifier())
    found = estimate_cost(asked, fits={"slow": 10, "deadly": 10, "ok": 10})
    assert 0.12 < found.fit_seconds["slow"] < 2.5  # 50 rows of 5 ms, on a machine however busy
    assert found.unknown == ("deadly",)


def test_nobody_counts_a_clusters_workers():
    found = Estimate(fit_seconds={"a": 3.0}, n_fits=250, seconds=7200, most_seconds=7200, n_jobs=1)
    assert str(found.shared(4, on_cluster=False)) == "250 fits; about 30 min with 4 workers"
    words = "250 fits; about 2.0 h of one worker's time, shared by those of the cluster"
    assert str(found.shared(4, on_cluster=True)) == words


def test_said_in_words():
    found = Estimate(
        fit_seconds={"a": 3.0, "b": 700.0}, n_fits=50, seconds=1440, most_seconds=7200, n_jobs=2
    )
    assert str(found) == "50 fits; about 24 min to 2.0 h with 2 workers"
    grown = replace(found, most_runs=5, extra=120)
    assert str(grown).startswith(
        "50 fits, up to 250 while that may change the choice, then up to 120 on what limits the "
        "best and which columns matter; about 24 min to"
    )
    raced = replace(found, race=True)
    assert str(raced).startswith("50 fits; fewer where the race stops candidates; about")


def test_a_planned_fit_is_made_once(tmp_path):
    """On a small table the tries are planned fits: the study goes on from their outcomes."""
    fits = tmp_path / "fits"
    (tmp_path / "own.py").write_text(
        "import os\n"
        "from sklearn.dummy import DummyClassifier\n"
        "class Counted(DummyClassifier):\n"
        "    def fit(self, X, y):\n"
        f"        open({str(fits)!r}, 'a').write(f'{{os.getpid()}} {{len(y)}}\\n')\n"
        "        return super().fit(X, y)\n"
        "candidates = {'counted': Counted()}\n"
    )
    study_file = tmp_path / "s"
    request = Request(
        output=tmp_path / "page.html",
        candidates=str(tmp_path / "own.py"),
        anatomy=False,
        study=study_file,
    )
    judge_table(request)
    processes, sizes = zip(*(line.split() for line in fits.read_text().splitlines()), strict=True)
    assert str(os.getpid()) not in processes
    assert len([size for size in sizes if int(size) > 100]) == 5  # as planned; one was tried small
    with Ledger(study_file) as ledger:
        assert len(ledger.finished()) == 5


DEEDS = """
import ctypes, time
import numpy as np
from sklearn.dummy import DummyClassifier

class Hostile(DummyClassifier):
    def fit(self, X, y):
        self.harm()
        return super().fit(X, y)

class Segfaults(Hostile):
    def harm(self):
        ctypes.string_at(0)

class Hangs(Hostile):
    def harm(self):
        time.sleep(600)

class Eats(Hostile):
    def harm(self):
        np.ones(3 * 2**30 // 8)

raw_candidates = {
    "MAX": DummyClassifier(), "segfaults": Segfaults(), "hangs": Hangs(), "eats": Eats()
}
"""


@pytest.mark.long
def test_limits_hold_for_a_try_too(tmp_path):
    (tmp_path / "own.py").write_text(DEEDS)
    asked = study(100, **read_candidates(tmp_path / "own.py"))
    limits = Limits(seconds=1, memory=2**29)
    found = estimate_cost(asked, fits=dict.fromkeys(asked.candidates, 10), limits=limits)
    assert (found.unknown, found.stopped) == (("segfaults", "eats"), ("hangs",))
    assert "; more than " in str(found)
    assert "counted by the time after which a try was stopped: hangs; not counted" in str(found)
    assert found.seconds > 10  # of ten fits
    assert {pilot.candidate: pilot.status for pilot in found.pilots} == {
        "MAX": "ok",
        "eats": "failed",
    }


@pytest.mark.long
@pytest.mark.parametrize("budget", [4, 8])
def test_a_slow_candidate_costs_the_quick_ones_nothing(budget):
    """It is first in order, and there is time for none of its fits."""
    began = time.monotonic()
    X, y = load_iris(return_X_y=True)
    verdict = judge({"slow": Sleeps(30.0), "NB": GaussianNB()}, X, y, budget=budget, anatomy=False)
    assert time.monotonic() - began < budget + 1
    assert verdict.best == "NB"
    (gone,) = verdict.left_out
    assert gone.name == "slow"
    assert re.search("a fit of it takes more than (667 ms|1.3 s)", gone.reason)


@pytest.mark.long
def test_nothing_comes_after_the_end_of_a_budget():
    """Its second interruption came three seconds later, whatever ran by then."""
    with pytest.raises(StudyStopped, match="there is no verdict yet"):
        judge({"slow": Sleeps(30.0)}, *load_iris(return_X_y=True), budget=2)
    time.sleep(4)
