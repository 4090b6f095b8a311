"""Fits in the process of the tests, where processes are not what is tested.

A process for each candidate, which a study has for the user's sake, takes longer than what most
candidates of a test fit. That each outcome is the same is ``tests/study/test_sharing.py``; that a
verdict is, through every door, ``tests/uses/``.
"""

from collections import defaultdict
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

from polychotomy.study.workers import runner
from polychotomy.study.workers.batching import sorted_by_training_set


class Here:
    """In the place of a pool of worker processes: one trial after the other."""

    def __init__(self, work, n_jobs, **how):
        self._work = work

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def run(self, keys, *, stopping=bool, patience=None):
        for key in sorted_by_training_set(keys):
            if stopping():
                return
            yield self._work.run(key)

    def preparing_seconds(self, dataset, candidate):
        return 0.0

    def preparation(self, candidate):
        return None


def packed(work, limits):
    """In the place of what a pool sends: no candidate shares a step with another."""
    units = defaultdict(lambda: SimpleNamespace(parent=None))
    return SimpleNamespace(run=work.run, units=units)


@contextmanager
def fits_here():
    with patch.multiple(runner, Pool=Here, pack=packed):
        yield
