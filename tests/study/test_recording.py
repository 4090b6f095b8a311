"""Recording: outcomes are written as they come, and kept whatever happens then."""

import time

import pytest
from hostile import study_of
from sklearn.dummy import DummyClassifier

from polychotomy.study import Ledger
from polychotomy.study.progress import Progress, record
from polychotomy.study.workers.runner import run_trials

NOW = Progress(done=0, planned=10)


def begun(path=None):
    ledger = Ledger(path)
    work, keys, _ = study_of({"MAX": DummyClassifier()}).begin(ledger)
    return ledger, keys, list(run_trials(work, keys))


def stopped_after(outcomes, error):
    yield from outcomes
    raise error


def test_progress_counts_up_and_begins_with_what_there_is():
    ledger, _, outcomes = begun()
    seen = []
    with ledger:
        now = record(ledger, outcomes[:3], Progress(done=3, planned=10, resumed=3), seen.append)
    assert [now.done for now in seen] == [4, 5, 6]
    assert now == seen[-1]
    assert {now.resumed for now in seen} == {3}
    assert seen[-1].rate > 0


def test_what_has_come_does_not_wait_for_a_long_fit(monkeypatch):
    monkeypatch.setattr("polychotomy.study.progress._COMMIT_SECONDS", 0.01)
    ledger, _, outcomes = begun()
    found = []

    def coming():
        yield from outcomes[:2]
        time.sleep(0.02)
        yield None
        found.append(len(ledger.trials()))
        yield outcomes[2]

    with ledger:
        assert record(ledger, coming(), NOW, lambda now: None).done == 3
        assert len(ledger.trials()) == 3
    assert found == [2]


@pytest.mark.parametrize("error", [OSError("no"), SystemExit(1), KeyboardInterrupt()])
def test_what_has_come_is_kept(error):
    ledger, _, outcomes = begun()
    with ledger:
        with pytest.raises(type(error)):
            record(ledger, stopped_after(outcomes[:4], error), NOW, lambda now: None)
        assert len(ledger.trials()) == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [(None, "kept in memory only"), ("s", "goes on from there")],
)
def test_an_interrupt_says_how_to_go_on(tmp_path, name, words):
    ledger, _, outcomes = begun(tmp_path / name if name else None)
    come = stopped_after(outcomes[:4], KeyboardInterrupt())
    with ledger, pytest.raises(KeyboardInterrupt, match=f"stopped after 4 of 10 fits.*{words}"):
        record(ledger, come, NOW, lambda now: None)
