"""The driver's side of one worker process: its pipes, what it was given, how it ended."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from polychotomy.study.trials import TrialKey
from polychotomy.study.worker import Answer, Board, Ready, Refused, Setup

_PROGRAM = "from polychotomy.study.worker import main; main()"
_PATIENCE = 2.0  # seconds that an idle worker gets to end by itself
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class Gone(NamedTuple):
    """The worker process has ended."""

    returncode: int

    def __str__(self) -> str:
        if self.returncode >= 0:
            return f"its process ended by itself with exit code {self.returncode}"
        try:
            name = signal.Signals(-self.returncode).name
        except ValueError:
            name = f"signal {-self.returncode}"
        hint = " (out of memory, or killed by somebody)" if name == "SIGKILL" else ""
        return f"its process was ended by {name}{hint}"


class Batch(NamedTuple):
    """Trials given to a worker together."""

    keys: list[TrialKey]
    alone: bool = False  # the first in a fresh worker, with nothing waiting behind it


class FitProcess:
    """A worker process that has been started and serves one driver.

    Parameters
    ----------
    setup : Setup
        Sent at once.
    events : queue
        Gets ``(this process, message)`` for every message, the last one being ``Gone``.
    """

    def __init__(self, setup: Setup, events: SimpleQueue[Any]) -> None:
        self.batches: deque[Batch] = deque()  # in the order in which they were sent
        self.answered = 0  # trials
        self.ready = self.timed_out = False
        self._seen = (0, time.monotonic())  # trials started, and since when that has been so
        self._process = _start()
        handle, name = tempfile.mkstemp(prefix="polychotomy-")
        os.write(handle, bytes(Board.SIZE))
        os.close(handle)
        self._board_path = Path(name)
        self.board = Board(self._board_path)
        threading.Thread(target=self._converse, args=(setup, events), daemon=True).start()

    @property
    def pid(self) -> int:
        """The operating system's number for the process."""
        return self._process.pid

    def _converse(self, setup: Setup, events: SimpleQueue[Any]) -> None:
        """Send the setup, pass on all that the worker says, and say when it has ended."""
        pipe: IO[bytes] = self._process.stdout  # type: ignore[assignment]  # opened as a pipe
        self._write((self._board_path, setup))
        try:
            while True:
                message: Ready | Refused | Answer = pickle.load(pipe)
                if not self.ready:
                    self._board_path.unlink(missing_ok=True)  # both have it open
                events.put((self, message))
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            self._board_path.unlink(missing_ok=True)
            events.put((self, Gone(self._process.wait())))

    def _write(self, message: Any) -> None:
        try:
            pickle.dump(message, self._stdin, protocol=pickle.HIGHEST_PROTOCOL)
            self._stdin.flush()
        except (OSError, ValueError):
            pass  # it has ended, which the reading end will say

    @property
    def _stdin(self) -> IO[bytes]:
        pipe = self._process.stdin
        assert pipe is not None, "the process was started with pipes"
        return pipe

    def give(self, batch: Batch) -> None:
        """Send a batch; the worker works through batches in turn."""
        self.batches.append(batch)
        self._write(batch.keys)

    def in_flight(self) -> Iterator[TrialKey]:
        """Trials given and not answered."""
        return chain.from_iterable(batch.keys for batch in self.batches)

    def running(self) -> TrialKey | None:
        """Return the trial that is running, or was when the process ended."""
        position = self.board.started - self.answered - 1
        return list(self.in_flight())[position] if position >= 0 else None

    def overdue(self, seconds: float) -> bool:
        """Say whether the trial at hand has been running for longer than this."""
        started, now = self.board.started, time.monotonic()
        if started != self._seen[0] or started == self.answered:
            self._seen = started, now
        return now - self._seen[1] > seconds

    def kill(self) -> None:
        """End the process now."""
        self._process.kill()

    def close(self) -> None:
        """Let an idle worker end; end one that does not."""
        try:
            self._stdin.close()
            self._process.wait(_PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()


def _start() -> subprocess.Popen[bytes]:
    """Start a worker with one thread for its linear algebra, out of reach of Ctrl-C."""
    environment = os.environ | dict.fromkeys(_THREADS, "1")
    environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    if sys.platform == "win32":
        apart: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    else:
        apart = {"start_new_session": True}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        **apart,
    )
