"""Batches of trials, each some tenths of a second of work as far as the clocks tell."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from polychotomy.study.design.trials import Outcome, TrialKey, training_set

BATCH_SECONDS = 0.2  # much longer than handing over a batch, much shorter than patience

_SMALLER = 20  # times that the last batches get, at most

_OVERHEAD = 1e-4  # seconds of a trial beside fitting and predicting: rows, clone, outcome

_MOST = 1000  # trials in a batch, whatever the clocks say; their keys must fit into a pipe

_WEIGHT = 0.3  # of the newest clock in the running mean of a candidate


# Seconds that a trial takes, by data set and candidate.
Clocks = dict[tuple[str, str], float]


class Backlog:
    """Trials that wait, given out in batches of about equal length in seconds.

    A batch is of one queue: worker processes serve one candidate each. Queues take turns: the next
    batch is of the one whose first trial comes first in the study, so that the candidates get on
    together. The time of a trial is the running mean of its candidate on its data set. What has
    not been timed yet fills a batch alone, so the first answers come early.

    Parameters
    ----------
    keys : trials
        In any order; those of one training set come together.
    n_workers : int
        Near the end batches get smaller, so that no worker is left with the last long one.
    clocks : dict, optional
        Running means from before, by data set and candidate; updated here.
    seconds : float
        How long a batch lasts.
    queue : callable, optional
        The queue of a trial; by default its candidate.

    Examples
    --------
    >>> keys = [TrialKey("iris", name, "cv", 0, 0, fold) for fold in range(5) for name in "ab"]
    >>> backlog = Backlog(keys, n_workers=1)
    >>> [key.candidate + str(key.fold) for key in backlog.take()]
    ['a0']
    >>> backlog.learn(keys[0], 0.06)
    >>> backlog.next_queue(), [key.fold for key in backlog.take("a")]
    ('b', [1, 2, 3])
    >>> len(backlog)
    6
    """

    def __init__(
        self,
        keys: Iterable[TrialKey],
        *,
        n_workers: int,
        clocks: Clocks | None = None,
        seconds: float = BATCH_SECONDS,
        queue: Callable[[TrialKey], str] = lambda key: key.candidate,
    ) -> None:
        self._seconds: Clocks = {} if clocks is None else clocks
        self.n_workers, self._length = n_workers, seconds
        self._queue_of = queue
        self._places = {key: place for place, key in enumerate(sorted_by_training_set(keys))}
        self._queues: dict[str, deque[TrialKey]] = {}
        for key in self._places:
            self._queues.setdefault(queue(key), deque()).append(key)

    def __len__(self) -> int:
        return sum(map(len, self._queues.values()))

    def next_queue(self, ready: Callable[[TrialKey], bool] = lambda key: True) -> str | None:
        """Return the queue whose turn it is, of those whose first trial is ready."""
        first = [queue[0] for queue in self._queues.values() if queue and ready(queue[0])]
        return self._queue_of(min(first, key=self._places.__getitem__)) if first else None

    def take(
        self, queue: str | None = None, ready: Callable[[TrialKey], bool] = lambda key: True
    ) -> list[TrialKey]:
        """Return the next batch of a queue, by default of the next; empty when nothing waits."""
        queue = self.next_queue(ready) if queue is None else queue
        waiting = self._queues.get(queue, deque()) if queue is not None else deque()
        batch: list[TrialKey] = []
        budget = self._budget()
        while waiting and len(batch) < _MOST and ready(waiting[0]):
            seconds = self.expect(waiting[0])
            if batch and seconds > budget:
                break
            batch.append(waiting.popleft())
            budget -= seconds
        return batch

    def drop(self, queue: str) -> list[TrialKey]:
        """Take all that waits in a queue."""
        return list(self._queues.pop(queue, ()))

    def put_back(self, keys: Iterable[TrialKey]) -> None:
        """Let trials wait again, in front of the others of their queue."""
        for key in reversed(list(keys)):
            self._queues.setdefault(self._queue_of(key), deque()).appendleft(key)

    def learn(self, key: TrialKey | Outcome, seconds: float) -> None:
        """Note how long a trial took."""
        name, seconds = (key.dataset, key.candidate), seconds + _OVERHEAD
        before = self._seconds.get(name, seconds)
        self._seconds[name] = before + _WEIGHT * (seconds - before)

    def expect(self, key: TrialKey) -> float:
        """Return the seconds that a trial will take, as far as is known."""
        return self._seconds.get((key.dataset, key.candidate), self._length)

    def _budget(self) -> float:
        """Seconds for the next batch: at the end, half of a fair share of what is left."""
        if not self._seconds or self.n_workers == 1:
            return self._length
        mean = sum(self._seconds.values()) / len(self._seconds)
        share = len(self) * mean / (2 * self.n_workers)
        return min(self._length, max(share, self._length / _SMALLER))


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
