"""Batches of trials, each some tenths of a second of work as far as the clocks tell."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from polychotomy.study.design.trials import Outcome, TrialKey, training_set

BATCH_SECONDS = 0.2  # much longer than handing over a batch, much shorter than patience

_LEAST_SECONDS = 0.005  # of a batch near the end, where they get smaller

_OVERHEAD = 1e-4  # seconds of a trial beside fitting and predicting: rows, clone, outcome

_MOST = 2000  # trials in a batch, whatever the clocks say

_WEIGHT = 0.3  # of the newest clock in the running mean of a candidate


Clocks = dict[tuple[str, str], float]
"""Seconds that a trial takes, by data set and candidate."""


class Backlog:
    """Trials that wait, given out in batches of about equal length in seconds.

    The time of a trial is the running mean of its candidate on its data set. What has not been
    timed yet fills a batch alone, so the first answers come early.

    Parameters
    ----------
    keys : trials
        Those of one training set are put side by side, so that one worker gets them and can share
        their preparation.
    n_workers : int
        Near the end batches get smaller, so that no worker is left with the last long one.
    clocks : dict, optional
        Running means from before, by data set and candidate; updated here.
    seconds, least : float
        How long a batch lasts, and the last ones at least.

    Examples
    --------
    >>> keys = [TrialKey("iris", "a", "cv", 0, 0, fold) for fold in range(5)]
    >>> backlog = Backlog(keys, n_workers=1)
    >>> [key.fold for key in backlog.take()]
    [0]
    >>> backlog.learn(keys[0], 0.06)
    >>> [key.fold for key in backlog.take()]
    [1, 2, 3]
    >>> len(backlog)
    1
    """

    def __init__(
        self,
        keys: Sequence[TrialKey],
        *,
        n_workers: int,
        clocks: Clocks | None = None,
        seconds: float = BATCH_SECONDS,
        least: float = _LEAST_SECONDS,
    ) -> None:
        self._waiting = deque(sorted_by_training_set(keys))
        self._seconds: Clocks = {} if clocks is None else clocks
        self.n_workers, self._length, self._least = n_workers, seconds, least

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self) -> list[TrialKey]:
        """Return the next batch; empty when nothing waits."""
        batch: list[TrialKey] = []
        budget = self._budget()
        while self._waiting and len(batch) < _MOST:
            seconds = self._expect(self._waiting[0])
            if batch and seconds > budget:
                break
            batch.append(self._waiting.popleft())
            budget -= seconds
        return batch

    def put_back(self, keys: Iterable[TrialKey]) -> None:
        """Let trials wait again, in front of the others."""
        self._waiting.extendleft(reversed(list(keys)))

    def learn(self, key: TrialKey | Outcome, seconds: float) -> None:
        """Note how long a trial took."""
        name, seconds = (key.dataset, key.candidate), seconds + _OVERHEAD
        before = self._seconds.get(name, seconds)
        self._seconds[name] = before + _WEIGHT * (seconds - before)

    def learn_from(self, outcomes: Iterable[Outcome]) -> None:
        """Note the clocks of finished trials; a failure has them too."""
        for outcome in outcomes:
            self.learn(outcome, outcome.seconds)

    def _expect(self, key: TrialKey) -> float:
        return self._seconds.get((key.dataset, key.candidate), self._length)

    def _budget(self) -> float:
        """Seconds for the next batch: at the end, half of a fair share of what is left."""
        if not self._seconds or self.n_workers == 1:
            return self._length
        mean = sum(self._seconds.values()) / len(self._seconds)
        share = len(self._waiting) * mean / (2 * self.n_workers)
        return min(self._length, max(share, self._least))


def sorted_by_training_set(keys: Iterable[TrialKey]) -> list[TrialKey]:
    """Put the candidates of one training set side by side, all else in the order given.

    Examples
    --------
    >>> keys = [TrialKey("iris", name, "cv", 0, 0, fold) for name in "ab" for fold in (0, 1)]
    >>> [key.candidate + str(key.fold) for key in sorted_by_training_set(keys)]
    ['a0', 'b0', 'a1', 'b1']
    """
    sets: dict[tuple[str, str, int, int, int], list[TrialKey]] = {}
    for key in keys:
        sets.setdefault(training_set(key), []).append(key)
    return [key for together in sets.values() for key in together]
