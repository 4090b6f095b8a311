"""The driver's side of one worker process: its pipes, what it was given, how it ended."""

from __future__ import annotations

import mmap
import os
import pickle
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import chain
from queue import SimpleQueue
from typing import Any, NamedTuple

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
        self._process, self.board = _start()
        self._outgoing: SimpleQueue[Any] = SimpleQueue()
        self._outgoing.put(setup)
        threading.Thread(target=self._speak, daemon=True).start()
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    @property
    def pid(self) -> int:
        """The operating system's number for the process."""
        return self._process.pid

    def _speak(self) -> None:
        """Send all that is outgoing, in turn; a driver must not wait for a worker to read."""
        with self._process.stdin as pipe:  # type: ignore[union-attr]  # opened as a pipe
            for message in iter(self._outgoing.get, None):
                try:
                    pickle.dump(message, pipe, protocol=pickle.HIGHEST_PROTOCOL)
                    pipe.flush()
                except OSError:
                    return  # the process has ended, as the listener will notice

    def _listen(self, events: SimpleQueue[Any]) -> None:
        """Pass on all that the worker says, and say when it has ended."""
        with self._process.stdout as pipe:  # type: ignore[union-attr]  # opened as a pipe
            try:
                while True:
                    message: Ready | Refused | Answer = pickle.load(pipe)
                    events.put((self, message))
            except (EOFError, OSError, pickle.UnpicklingError):
                self._outgoing.put(None)
        events.put((self, Gone(self._process.wait())))

    def give(self, batch: Batch) -> None:
        """Send a batch; the worker works through batches in turn."""
        self.batches.append(batch)
        self._outgoing.put(batch.keys)

    def has_room(self, most: int) -> bool:
        """Say whether the worker may be given another batch."""
        return len(self.batches) < most and not any(batch.alone for batch in self.batches)

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
        self._outgoing.put(None)
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _start() -> tuple[subprocess.Popen[bytes], Board]:
    """Start a worker with one thread for its linear algebra, out of reach of Ctrl-C."""
    environment = os.environ | dict.fromkeys(_THREADS, "1")
    environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    command = [sys.executable, "-P", "-c", _PROGRAM]
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        name = f"polychotomy-{os.getpid()}-{secrets.token_hex(8)}"
        board = Board(mmap.mmap(-1, Board.SIZE, tagname=name))
        process = subprocess.Popen(
            [*command, name],
            env=environment,
            stdin=pipe,
            stdout=pipe,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
        )
        return process, board
    with tempfile.TemporaryFile() as file:  # without a name, so nothing is left behind
        file.truncate(Board.SIZE)
        board = Board(mmap.mmap(file.fileno(), Board.SIZE))
        process = subprocess.Popen(
            [*command, str(file.fileno())],
            env=environment,
            stdin=pipe,
            stdout=pipe,
            start_new_session=True,
            pass_fds=[file.fileno()],
        )
    return process, board
