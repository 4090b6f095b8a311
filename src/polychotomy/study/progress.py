"""How far a run is: what a progress bar needs, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a run of a study is.

    Parameters
    ----------
    done : int
        Trials finished, those of earlier runs of the study included.
    planned : int
        Trials that the study has in all.
    failed : int
        Trials of this run that gave no predictions: failed, timed out or crashed.
    resumed : int
        Trials that were finished before this run began.
    seconds : float
        Since this run began.

    Examples
    --------
    >>> now = Progress(done=60, planned=100, failed=1, resumed=20, seconds=10.0)
    >>> now.rate, now.eta
    (4.0, 10.0)
    >>> print(Progress(done=20, planned=100, failed=0, resumed=20, seconds=0.1).eta)
    None
    """

    done: int
    planned: int
    failed: int
    resumed: int
    seconds: float

    @property
    def rate(self) -> float:
        """Trials a second in this run."""
        return (self.done - self.resumed) / self.seconds if self.seconds > 0 else 0.0

    @property
    def eta(self) -> float | None:
        """Seconds to go at this rate; None while nothing is known."""
        return (self.planned - self.done) / self.rate if self.rate > 0 else None


ShowProgress = Callable[[Progress], None]
"""Called when a run begins and after every trial."""
