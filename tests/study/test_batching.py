"""Batches: tenths of a second of work, candidates of one training set together, none lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.study.design.trials import TrialKey, fail
from polychotomy.study.workers.batching import BATCH_SECONDS, Backlog, sorted_by_training_set


def keys_of(n, candidates=("a",)):
    return [TrialKey("iris", name, "cv", 0, 0, fold) for fold in range(n) for name in candidates]


def test_what_has_not_been_timed_fills_a_batch_alone():
    backlog = Backlog(keys_of(3), n_workers=2)
    assert [len(backlog.take()) for _ in range(4)] == [1, 1, 1, 0]


@pytest.mark.parametrize(("seconds", "size"), [(1e-3, 181), (0.05, 3), (3.0, 1)])
def test_batches_last_some_tenths_of_a_second(seconds, size):
    keys = keys_of(4000)
    backlog = Backlog(keys, n_workers=2)
    backlog.learn(keys[0], seconds)
    assert len(backlog.take()) == size
    assert size == max(1, int(BATCH_SECONDS / (seconds + 1e-4)))


def test_a_slow_candidate_and_a_fast_one_are_told_apart():
    keys = keys_of(500, candidates=("fast", "slow"))
    backlog = Backlog(keys, n_workers=1)
    backlog.learn(keys[0], 0.001)
    backlog.learn(keys[1], 0.1)
    assert len(backlog.take("fast")) == 181
    assert len(backlog.take("slow")) == 1


def test_queues_take_turns_and_wait_until_they_are_ready():
    keys = keys_of(5, candidates=("a", "b"))
    backlog = Backlog(keys, n_workers=1)
    assert [backlog.take()[0].candidate for _ in range(4)] == ["a", "b", "a", "b"]
    assert backlog.next_queue(lambda key: key.candidate == "b") == "b"
    assert backlog.take(ready=lambda key: False) == []
    assert len(backlog.drop("a")) == 3
    assert len(backlog) == 3


def test_the_last_batches_are_shared_out():
    keys = keys_of(100)
    backlog = Backlog(keys, n_workers=2)
    backlog.learn(keys[0], 0.0019)
    assert len(backlog.take()) in (24, 25)  # half of a worker's share of what is left


def test_failures_have_clocks_too():
    keys = keys_of(4000)
    backlog = Backlog(keys, n_workers=2)
    failed = fail(keys[0], status="failed", cause="", details="", seconds=0.0389)
    backlog.learn(failed, failed.seconds)
    assert len(backlog.take()) == 5


def test_what_is_put_back_comes_first():
    keys = keys_of(5)
    backlog = Backlog(keys, n_workers=1)
    first, second = backlog.take(), backlog.take()
    backlog.put_back(first + second)
    assert backlog.take() == first
    assert len(backlog) == 4


@given(st.lists(st.floats(0, 2), min_size=1, max_size=5), st.integers(1, 4), st.integers(0, 2**32))
def test_every_trial_is_given_out_once(clocks, n_workers, seed):
    rng = np.random.default_rng(seed)
    names = [f"c{i}" for i in range(len(clocks))]
    keys = keys_of(30, candidates=names)
    backlog = Backlog(keys, n_workers=n_workers)
    taken = []
    while batch := backlog.take():
        done = batch[: rng.integers(len(batch) + 1)] if rng.random() < 0.3 else batch
        backlog.put_back(batch[len(done) :])
        for key in done:
            backlog.learn(key, clocks[names.index(key.candidate)])
        taken += done
    assert sorted(taken) == sorted(keys)


def test_candidates_of_one_training_set_come_together_in_the_order_given():
    keys = [TrialKey("d", name, "cv", run, 0, 0) for name in "zab" for run in (0, 1)]
    ordered = sorted_by_training_set(keys)
    assert [(key.run, key.candidate) for key in ordered] == [
        (run, name) for run in (0, 1) for name in "zab"
    ]
