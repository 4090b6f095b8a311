"""What a single fit may take: seconds and memory, enforced from outside its process."""

from __future__ import annotations

import contextlib
import math
import sys
from dataclasses import dataclass
from pathlib import Path

from polychotomy.core.arguments import unexpected


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The most that one trial may take; None is no limit.

    Parameters
    ----------
    seconds : float, optional
        Of fitting and predicting together. A trial that takes longer is stopped with its process
        and recorded as ``timeout``.
    memory : int, optional
        Bytes that a trial may take on top of the libraries and the data (Linux only: the kernel's
        ``RLIMIT_DATA`` on the worker process, which its own children inherit each for itself). A
        trial that asks for more gets a ``MemoryError`` and is recorded as ``failed``, or as
        ``crashed`` where a library cannot bear a refused request.

    Examples
    --------
    >>> Limits(seconds=60)
    Limits(seconds=60, memory=None)
    >>> bool(Limits()), bool(Limits(seconds=60))
    (False, True)
    """

    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        seconds, memory = self.seconds, self.memory
        if not (seconds is None or (isinstance(seconds, int | float) and 0 < seconds < math.inf)):
            raise unexpected("limits.seconds", seconds, "a positive number, or None for no limit")
        if not (memory is None or (isinstance(memory, int) and memory >= 1)):
            raise unexpected("limits.memory", memory, "a whole number of bytes, or None")
        if memory is not None and sys.platform != "linux":
            raise unexpected("limits.memory", memory, f"None on {sys.platform}, as it is not Linux")

    def __bool__(self) -> bool:
        return self.seconds is not None or self.memory is not None


def limit_memory(memory: int) -> None:
    """Let this process take ``memory`` bytes more than it has now (Linux)."""
    import resource

    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmData:"))
    most = int(line.split()[1]) * 1024 + memory  # VmData is what counts against RLIMIT_DATA
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def volunteer() -> None:
    """Let the system end this process before its driver if memory runs out (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")
