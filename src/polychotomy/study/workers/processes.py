"""Start a program of ours: one thread for its linear algebra, out of reach of Ctrl-C."""

from __future__ import annotations

import mmap
import os
import pickle
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from polychotomy.study.design.trials import TrialKey
from polychotomy.study.workers.worker import (
    Answer,
    Board,
    Declined,
    Ended,
    Hatched,
    Ready,
    Refused,
    Setup,
)

_PROGRAM = "from polychotomy.study.workers.worker import main; main()"

_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def start_program(kind: str, shared: int | str) -> subprocess.Popen[bytes]:
    """Start a worker or a nest, with pipes to its standard input and output.

    Parameters
    ----------
    kind : str
        "worker" or "nest".
    shared : int or str
        The number of an open file for it to inherit, or the name of shared memory on Windows.
    """
    environment = os.environ | dict.fromkeys(_THREADS, "1")
    environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    command = [sys.executable, "-P", "-c", _PROGRAM, kind, str(shared)]
    pipe = subprocess.PIPE
    if sys.platform == "win32":
        apart = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=pipe, creationflags=apart
        )
    return subprocess.Popen(
        command,
        env=environment,
        stdin=pipe,
        stdout=pipe,
        start_new_session=True,
        pass_fds=[int(shared)],
    )


_SERVER_PATIENCE = 2.0  # seconds that a nest gets to end by itself


class Hatchling:
    """A worker that was asked for; it may not exist yet."""

    def __init__(self) -> None:
        self.pid = 0
        self._ended = threading.Event()
        self._returncode = 0

    def end(self, returncode: int) -> None:
        """Note how it has ended, the first time."""
        if not self._ended.is_set():
            self._returncode = returncode
            self._ended.set()

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended; return its exit code."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("worker", timeout or 0.0)
        return self._returncode

    def kill(self) -> None:
        """End it now."""
        if self.pid and not self._ended.is_set():
            os.kill(self.pid, signal.SIGKILL)


class Brood:
    """Workers that come from one nest.

    Parameters
    ----------
    setup : Setup
        Sent to the nest at once.
    events : queue
        Gets ``(None, message)`` where the nest cannot load the setup or cannot be copied.
    """

    def __init__(self, setup: Setup, events: SimpleQueue[Any]) -> None:
        self._hatchlings: list[Hatchling] = []
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = start_program("nest", theirs.fileno())
        self.alive = True
        threading.Thread(target=self._speak, args=(setup,), daemon=True).start()
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def hatch(self, files: list[int]) -> Hatchling:
        """Ask for a worker that reads, writes and shares memory with these files."""
        hatchling = Hatchling()
        self._hatchlings.append(hatchling)
        try:
            message = str(len(self._hatchlings) - 1).encode()
            socket.send_fds(self._requests, [message], files)
        except OSError:  # the nest is gone, or about to be
            hatchling.end(self._end())
        return hatchling

    def _end(self) -> int:
        """Wait for the nest to end, and see to it; return with what code it did."""
        try:
            return self._process.wait(_SERVER_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _speak(self, setup: Setup) -> None:
        pipe = self._process.stdin
        assert pipe is not None, "opened as a pipe"
        with pipe:
            try:
                pickle.dump(setup, pipe, protocol=pickle.HIGHEST_PROTOCOL)
                pipe.flush()
            except OSError:
                return  # it has ended, as the listener will notice

    def _listen(self, events: SimpleQueue[Any]) -> None:
        pipe = self._process.stdout
        assert pipe is not None, "opened as a pipe"
        with pipe:
            try:
                while True:
                    self._note(pickle.load(pipe), events)
            except (EOFError, OSError, pickle.UnpicklingError):
                pass
        self.alive = False
        returncode = self._process.wait()
        for hatchling in self._hatchlings:  # with their nest, workers are killed too
            hatchling.end(-int(signal.SIGKILL) if hatchling.pid else returncode)

    def _note(self, message: Any, events: SimpleQueue[Any]) -> None:
        if isinstance(message, Hatched):
            self._hatchlings[message.number].pid = message.pid
        elif isinstance(message, Ended):
            self._hatchlings[message.number].end(message.returncode)
        elif isinstance(message, Refused | Declined):
            events.put((None, message))

    def close(self) -> None:
        """Let the nest end, and whatever has hatched in it."""
        self._requests.close()
        self._end()


if sys.platform == "linux":
    import fcntl


_PATIENCE = 2.0  # seconds that an idle worker gets to end by itself

_PIPE = 1 << 20  # bytes of answers that wait to be read; most batches make fewer


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
    """A worker process that has been asked for and serves one driver.

    Parameters
    ----------
    setup : Setup
        What a worker needs.
    events : queue
        Gets ``(this process, message)`` for every message, the last one being ``Gone``.
    brood : Brood, optional
        Where to get the worker from; without, one is started that loads the setup by itself.
    """

    def __init__(self, setup: Setup, events: SimpleQueue[Any], brood: Brood | None = None) -> None:
        self.batches: deque[Batch] = deque()  # in the order in which they were sent
        self.answered = 0  # trials
        self.ready = self.timed_out = False
        self.is_copy = brood is not None
        self._seen = (0, time.monotonic())  # trials started, and since when that has been so
        self._outgoing: SimpleQueue[Any] = SimpleQueue()
        ends = _start() if brood is None else _hatch(brood)
        self._process, self.board, inbox, outbox = ends
        if brood is None:
            self._outgoing.put(setup)
        threading.Thread(target=self._speak, args=(inbox,), daemon=True).start()
        threading.Thread(target=self._listen, args=(outbox, events), daemon=True).start()

    def _speak(self, pipe: IO[bytes]) -> None:
        """Send all that is outgoing, in turn; a driver must not wait for a worker to read."""
        try:
            with pipe:
                for message in iter(self._outgoing.get, None):
                    pickle.dump(message, pipe, protocol=pickle.HIGHEST_PROTOCOL)
                    pipe.flush()
        except OSError:
            pass  # the process has ended, as the listener will notice

    def _listen(self, pipe: IO[bytes], events: SimpleQueue[Any]) -> None:
        """Pass on all that the worker says, and say when it has ended."""
        with pipe:
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


class _Ends(NamedTuple):
    """What the driver has of a worker."""

    process: subprocess.Popen[bytes] | Hatchling
    board: Board
    inbox: IO[bytes]
    outbox: IO[bytes]


def _start() -> _Ends:
    """Start a worker that will load everything by itself."""
    if sys.platform == "win32":
        name = f"polychotomy-{os.getpid()}-{secrets.token_hex(8)}"
        memory = mmap.mmap(-1, Board.SIZE, tagname=name)
        process = start_program("worker", name)
    else:
        with tempfile.TemporaryFile() as file:  # without a name, so nothing is left behind
            file.truncate(Board.SIZE)
            memory = mmap.mmap(file.fileno(), Board.SIZE)
            process = start_program("worker", file.fileno())
    assert process.stdin is not None, "a pipe was asked for"
    assert process.stdout is not None, "a pipe was asked for"
    _widen(process.stdout.fileno())
    return _Ends(process, Board(memory), process.stdin, process.stdout)


def _widen(pipe: int) -> None:
    """Let a whole answer fit into a pipe, so that its sender need not wait for us (Linux)."""
    if sys.platform == "linux":
        with suppress(OSError):  # the system allows no more
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)


def _hatch(brood: Brood) -> _Ends:
    """Get a worker from a nest."""
    (theirs_in, inbox), (outbox, theirs_out) = os.pipe(), os.pipe()
    _widen(outbox)
    with tempfile.TemporaryFile() as file:
        file.truncate(Board.SIZE)
        memory = mmap.mmap(file.fileno(), Board.SIZE)
        hatchling = brood.hatch([theirs_in, theirs_out, file.fileno()])
    os.close(theirs_in)
    os.close(theirs_out)
    return _Ends(hatchling, Board(memory), os.fdopen(inbox, "wb"), os.fdopen(outbox, "rb"))
