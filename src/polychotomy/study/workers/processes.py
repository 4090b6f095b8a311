"""The driver's side of its worker processes: the fork server, and a handle for each worker."""

from __future__ import annotations

import atexit
import json
import os
import pickle
import select
import shutil
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
from itertools import chain, count
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from polychotomy.study.design.trials import TrialKey
from polychotomy.study.workers import protocol
from polychotomy.study.workers.worker import Assignment

if sys.platform == "linux":
    import fcntl

_SERVER = "from polychotomy.study.workers.server import main; main()"

_WORKER = "from polychotomy.study.workers.worker import main; main()"

_PATIENCE = 5.0  # seconds that processes without work get to end by themselves

_PIPE = 1 << 20  # bytes of answers that wait to be read; most batches make fewer

_SHARED_MEMORY = Path("/dev/shm")  # on Linux

_ROOM = 1 << 30  # bytes that must be free there


class ServerLost(Exception):
    """The fork server, or a study server, has ended."""


class Gone(NamedTuple):
    """The worker process has ended."""

    returncode: int | None  # None where it was ended for what it sent
    printed: bytes = b""

    def __str__(self) -> str:
        if self.returncode is None:
            return "its process was ended, as what it sent is no outcome of a fit"
        if self.returncode >= 0:
            return f"its process ended by itself with exit code {self.returncode}"
        names = {-one.value: one.name for one in signal.Signals}
        name = names.get(self.returncode, f"signal {-self.returncode}")
        hint = " (out of memory, or killed by somebody)" if name == "SIGKILL" else ""
        return f"its process was ended by {name}{hint}"


def _command(program: str, *arguments: str) -> dict[str, Any]:
    """Return what starts a program of ours: one thread for linear algebra, no Ctrl-C."""
    path = os.pathsep.join(os.path.abspath(one) for one in sys.path)
    started: dict[str, Any] = {
        "args": [sys.executable, "-P", "-c", program, *arguments],
        "env": os.environ | protocol.ENVIRONMENT | {"PYTHONPATH": path},
    }
    if sys.platform == "win32":
        return started | {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return started | {"start_new_session": True}


class ForkServer:
    """The one fork server of this process, started when first needed and kept for later studies."""

    _lock = threading.Lock()
    _running: ForkServer | None = None

    def __init__(self) -> None:
        self._owner = os.getpid()
        self.n_studies = 0
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            number = theirs.fileno()
            nothing = subprocess.DEVNULL
            self.process = subprocess.Popen(
                **_command(_SERVER, str(number)), pass_fds=[number], stdin=nothing, stdout=nothing
            )

    @classmethod
    def ask(cls, message: bytes, files: list[int]) -> ForkServer:
        """Send it a request; the server is started if there is none."""
        with cls._lock:
            found = cls._running
            # After a fork of the driver, the server is still that of its parent.
            if found is None or found._owner != os.getpid() or found.process.poll() is not None:
                found = cls._running = cls()
            with suppress(OSError):  # it has ended, which whoever waits for its answer will see
                found.process.send_signal(signal.SIGCONT)  # a candidate may have stopped it
                socket.send_fds(found.requests, [message], files)
            return found

    @classmethod
    def stop(cls) -> None:
        """End the server, and whatever comes from it."""
        with cls._lock:
            found, cls._running = cls._running, None
        if found is None or found._owner != os.getpid():
            return
        found.requests.close()
        try:  # without a study it may be busy with imports, for which nobody waits any more
            found.process.wait(_PATIENCE if found.n_studies else 0)
        except subprocess.TimeoutExpired:
            found.process.kill()
            found.process.wait()


atexit.register(ForkServer.stop)


def warm_up(modules: tuple[str, ...] = ()) -> None:
    """Let the fork server start and import, beside whatever comes before the first fit."""
    if sys.platform == "linux":
        ForkServer.ask(json.dumps({"modules": modules}).encode(), [])


class StudyServer:
    """A copy of the fork server with the data of one study; workers are copies of it.

    Parameters
    ----------
    setup : protocol.Setup
        Of the study.

    Attributes
    ----------
    folder : path
        For prepared tables and whatever else driver and workers share; removed with the server,
        even if the driver was killed.
    """

    def __init__(self, setup: protocol.Setup) -> None:
        self.folder, self._lock = _shared_folder(_where_there_is_room())
        self._ending: int | None = None
        self._requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        reading, writing = os.pipe()
        message = {"modules": setup.modules, "folder": str(self.folder)}
        try:
            request = json.dumps(message).encode()
            self._server = ForkServer.ask(request, [theirs.fileno(), reading])
            self._server.n_studies += 1
        finally:
            theirs.close()
            os.close(reading)
        with suppress(BrokenPipeError), os.fdopen(writing, "wb") as pipe:
            protocol.send_setup(
                pipe, setup
            )  # if that breaks, it has ended or declined: its answer tells
        answer = b""
        with suppress(OSError):
            answer = self._requests.recv(1 << 16)
        if not answer:
            self.close()
            with suppress(subprocess.TimeoutExpired):
                raise ServerLost(Gone(self._server.process.wait(_PATIENCE)))
            raise ServerLost(Gone(-int(signal.SIGKILL)))
        reply = pickle.loads(answer)
        if isinstance(reply, Exception):
            self.close()
            raise reply
        with suppress(OSError):  # it has ended since
            self._ending = os.pidfd_open(reply)

    @property
    def alive(self) -> bool:
        """Whether workers can be had."""
        try:
            return bool(self._requests.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def start(self) -> _Forked:
        """Ask for a worker."""
        (theirs_in, inbox), (outbox, theirs_out) = os.pipe(), os.pipe()
        for pipe in (outbox, inbox):
            with suppress(OSError):  # to hold a whole message; the system may allow no more
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        files = [theirs.fileno(), theirs_in, theirs_out]
        with theirs, suppress(OSError):  # the server is gone: the other ends close, as is seen
            signal.pidfd_send_signal(self._ending or -1, signal.SIGCONT)  # a candidate may stop it
            socket.send_fds(self._requests, [b"worker"], files)
        os.close(theirs_in)
        os.close(theirs_out)
        return _Forked(control, os.fdopen(inbox, "wb"), os.fdopen(outbox, "rb"))

    def close(self) -> None:
        """End all workers, in the middle of a fit if need be, and wait until they have ended."""
        with suppress(OSError):
            self._requests.shutdown(socket.SHUT_WR)
        if self._ending is not None:
            with suppress(OSError):
                signal.pidfd_send_signal(self._ending, signal.SIGCONT)
            poll = select.poll()
            poll.register(self._ending, select.POLLIN)
            poll.poll(1000 * _PATIENCE)
            os.close(self._ending)
        self._requests.close()
        self._server.n_studies -= 1
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.close()


class _Forked:
    """A worker that comes from a study server."""

    def __init__(self, control: socket.socket, inbox: IO[bytes], outbox: IO[bytes]) -> None:
        self._control, self.inbox, self.outbox = control, inbox, outbox

    def wait(self) -> Gone:
        """Wait until it has ended, with all that it has started."""
        with self._control:
            try:
                return Gone(*pickle.loads(self._control.recv(1 << 16)))
            except (EOFError, OSError):  # its guardian was killed
                return Gone(-int(signal.SIGKILL))

    def kill(self) -> None:
        """End it now, with all that it has started."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)


class Programs:
    """Workers that are programs of their own, each of which loads everything by itself.

    For systems without a fork server, and where threads of a library forbid to copy a process.
    """

    alive = True

    def __init__(self, setup: protocol.Setup) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="polychotomy-"))
        self._setup = setup

    def start(self) -> _Program:
        """Start a worker."""
        pipe = subprocess.PIPE
        started = _Program(subprocess.Popen(**_command(_WORKER), stdin=pipe, stdout=pipe))
        with suppress(OSError):
            protocol.send_setup(started.inbox, self._setup)
        return started

    def close(self) -> None:
        """Remove what workers have shared."""
        shutil.rmtree(self.folder, ignore_errors=True)


class _Program:
    """A worker that was started as a program."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None, "a pipe was asked for"
        assert process.stdout is not None, "a pipe was asked for"
        self._process, self.inbox, self.outbox = process, process.stdin, process.stdout

    def wait(self) -> Gone:
        """Wait until it has ended; what it has started and left behind is ended."""
        returncode = self._process.wait()
        self.kill()
        return Gone(returncode)

    def kill(self) -> None:
        """End it now, with the processes of its group."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _where_there_is_room() -> Path | None:
    """Return a folder in memory if there is one with room; those of containers are tiny."""
    usable = os.access(_SHARED_MEMORY, os.W_OK | os.X_OK)
    return _SHARED_MEMORY if usable and shutil.disk_usage(_SHARED_MEMORY).free > _ROOM else None


def _shared_folder(parent: Path | None) -> tuple[Path, IO[str]]:
    """Make a folder, locked while this process lives, and remove those that nobody holds.

    They are left where driver and servers were killed at once, and may hold gigabytes of memory.
    """
    made = Path(tempfile.mkdtemp(prefix=".polychotomy-", dir=parent))
    lock = (made / "lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    for one in made.parent.glob("polychotomy-*/lock"):
        with suppress(OSError), one.open("r+") as other:  # another user's, or held
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(one.parent, ignore_errors=True)
    # Only now has it the name that others look for: without a lock it would be removed.
    return made.rename(made.with_name(made.name[1:])), lock


class Batch(NamedTuple):
    """Trials given to a worker together."""

    keys: list[TrialKey]
    alone: bool = False  # the first in a fresh worker, with nothing waiting behind it


class Worker:
    """A worker process that has been asked for and serves one unit of one driver.

    Parameters
    ----------
    unit : protocol.Unit
        What it is for.
    events : queue
        Gets ``(this worker, message)`` for every message, the last one being ``Gone``.
    source : StudyServer or Programs
        Where to get the process from.
    """

    _numbers = count()

    def __init__(
        self, unit: protocol.Unit, events: SimpleQueue[Any], source: StudyServer | Programs
    ) -> None:
        self.unit = unit
        self.batches: deque[Batch] = deque()  # in the order in which they were sent
        self.answered = 0  # trials
        self.ready = self.timed_out = False
        self.used = self.began = time.monotonic()
        self.load_seconds = 0.0
        self._seen = (0, self.began)  # trials started, and since when that has been so
        board = source.folder / f"board{next(self._numbers)}"
        self.board = protocol.Board.make(board)
        self._process = source.start()
        self._send(Assignment(unit, board, source.folder))
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def _send(self, message: Any) -> None:
        with suppress(OSError, ValueError):  # it has ended, as the listener will notice
            protocol.send(self._process.inbox, message)

    def _listen(self, events: SimpleQueue[Any]) -> None:
        """Pass on all that the worker says, and say when it has ended."""
        with self._process.outbox as pipe, suppress(EOFError, OSError):
            try:
                while True:
                    events.put((self, protocol.receive_plain(pipe)))
            except protocol.Garbled:
                events.put((self, Gone(None)))
                self.kill()
        self.board.wake_parent()
        events.put((self, self._process.wait()))

    def give(self, batch: Batch) -> None:
        """Send a batch; the worker works through batches in turn."""
        self.used = time.monotonic()
        if self.ready and not self.batches:
            self._seen = self.answered, self.used
        self.batches.append(batch)
        self._send(batch.keys)

    def in_flight(self) -> Iterator[TrialKey]:
        """Trials given and not answered."""
        return chain.from_iterable(batch.keys for batch in self.batches)

    def running(self) -> TrialKey | None:
        """Return the trial that is running, or was when the process ended."""
        # None begun, as a candidate that wrote on the board would have it: then it was the first.
        position = max(self.board.started - self.answered - 1, 0)
        keys = list(self.in_flight())
        return keys[min(position, len(keys) - 1)] if keys else None

    def overdue(self, seconds: float) -> bool:
        """Say whether the trial at hand, or loading, has been running for longer than this."""
        now = time.monotonic()
        # A candidate that writes on the board gains a trial's time for each that it was given.
        started = min(self.board.started, self.answered + len([*self.in_flight()]))
        if started > self._seen[0] or not self.batches:
            self._seen = started, now
        return now - self._seen[1] > seconds

    def kill(self) -> None:
        """End the process now, with all that it has started."""
        self._process.kill()
        self.board.wake_parent()

    def close(self) -> None:
        """Let an idle worker end."""
        with suppress(OSError):
            self._process.inbox.close()
